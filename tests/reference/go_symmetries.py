"""The image of a point of a Go board under rotations and reflections."""

# The image of a point (x, y), with s = lines - 1, numbered as in sgfinfo of sgfutils.
SYMMETRIES = (
    lambda x, y, s: (x, y),
    lambda x, y, s: (x, s - y),
    lambda x, y, s: (y, s - x),
    lambda x, y, s: (y, x),
    lambda x, y, s: (s - x, s - y),
    lambda x, y, s: (s - x, y),
    lambda x, y, s: (s - y, x),
    lambda x, y, s: (s - y, s - x),
)
