"""What turning and mirroring do to a point of a Go board."""

# What a point (x, y) becomes, s being lines - 1, as sgfinfo of sgfutils numbers them.
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
