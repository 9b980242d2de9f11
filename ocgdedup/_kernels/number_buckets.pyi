"""Numbers of 64 bits in buckets, and edges between games, as the stages of the search pass them."""

from typing_extensions import Buffer

BUCKETS: int

class NumberBuckets:
    """Blocking keys or candidate pairs: numbers of 64 bits, in BUCKETS buckets by the top bits."""

    def __init__(self, bits: int = 64, first: int = 0, end: int = ...) -> None:
        """Take numbers below 2**bits; drop those of buckets before `first` and from `end` on.

        Raises ValueError for less than 6 bits or more than 64, and for buckets that are not there.
        """

    def count(self, bucket: int) -> int:
        """Return how many numbers a bucket has; all methods raise ValueError for no bucket."""

    def items(self, bucket: int) -> memoryview | bytes:
        """Return the bytes of a bucket, to be used before it changes."""

    def clear(self, bucket: int) -> None:
        """Empty a bucket."""

    def extend(self, bucket: int, items: Buffer) -> None:
        """Add numbers to a bucket, as items() returned them."""

    def take(self, other: NumberBuckets, bucket: int) -> None:
        """Move a bucket of another here, behind what is there."""

class EdgeList:
    """Candidate pairs whose verdict is worth keeping."""

    def __init__(self) -> None: ...
    def take(self, other: EdgeList) -> None:
        """Move the edges of another here."""
