"""Buckets of 64-bit numbers and lists of edges, which the stages of the search exchange."""

from typing_extensions import Buffer

BUCKETS: int

class NumberBuckets:
    """Blocking keys or candidate pairs: 64-bit numbers in BUCKETS buckets by their top bits."""

    def __init__(self, bits: int = 64, first: int = 0, end: int = ...) -> None:
        """Accept numbers below 2**bits; drop numbers of buckets outside `first` to before `end`.

        Raises ValueError for less than 6 or more than 64 bits, and for buckets out of range.
        """

    def count(self, bucket: int) -> int:
        """Return the size of a bucket; all methods raise ValueError for one out of range."""

    def items(self, bucket: int) -> memoryview | bytes:
        """Return the bytes of a bucket; use them before it changes."""

    def clear(self, bucket: int) -> None:
        """Empty a bucket."""

    def extend(self, bucket: int, items: Buffer) -> None:
        """Add numbers to a bucket, in the format of items()."""

    def take(self, other: NumberBuckets, bucket: int) -> None:
        """Move the numbers of another object's bucket to the end of this bucket."""

class EdgeList:
    """Candidate pairs whose verdict is a match or possible match."""

    def __init__(self) -> None: ...
    def take(self, other: EdgeList) -> None:
        """Move the edges of another list here."""
