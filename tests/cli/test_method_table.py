"""The table of the six methods."""

from __future__ import annotations

from ocgdedup.cli.dedup import method_table
from ocgdedup.pipeline.search.key_groups import MethodResult

RESULTS = [
    MethodResult("last-position+length", 46774, 17344, 29430, 90, 123456, 7, 12.3456, 0.0004),
    MethodResult("moves", 5, 5, 0, 4, 6, 6, 0.5, 0.25),
]
EXPECTED = """\
method                reported   true  rejected  groups   pairs  true pairs       s  CPU s
last-position+length     46774  17344     29430      90  123456           7  12.346  0.000
moves                        5      5         0       4       6           6   0.500  0.250
"""


def test_table() -> None:
    assert method_table(RESULTS) == EXPECTED


def test_no_method() -> None:
    assert method_table([]).split() == EXPECTED.splitlines()[0].split()
