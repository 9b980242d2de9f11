"""Candidate pairs of games in different parts of a search: see search_parts."""

from array import array

from ocgdedup._kernels.search_parts import Numbers

def pair_places(
    source: str,
    keys: Numbers,
    places: Numbers,
    lines: Numbers,
    is_open: Numbers,
    ends: Numbers,
    outlines: Numbers | None = None,
) -> tuple[array[int], array[int], array[int]]:
    """Return the distinct candidate pairs of games that share a key, as places and conditions.

    There is a row for each key of each game, in any order; all games of a key must be present.
    `source`: one of SOURCES of the finder; `keys` ("q"): 38-bit keys; `places`, `lines`, `ends`
    ("q"): the place of the game, the first place of its mainline, and the place after the games
    that continue it; `is_open` ("B"): see order_facts(). `outlines` (two "Q" per row): see
    search_parts.outlines(); without them, the condition of pairs by players says that the games
    must be checked. Raises ValueError for columns of different lengths and for 2**26 games or more.
    """
