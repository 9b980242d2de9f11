"""Candidate pairs of games that other parts of a search hold: see search_parts."""

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

    A row for each key of each game, in any order; all games of a key must be there. `source`: one
    of SOURCES of find_copies; `keys` ("q"): of 38 bits; the place of the game, the first one of its
    mainline, and the place behind the games that continue it ("q"); `is_open` ("B"): see
    order_facts(). `outlines` (two "Q" a row): see search_parts.outlines(); without them, pairs by
    players say that the games are to be asked. Raises ValueError for columns of different lengths
    and for 2**26 games or more.
    """
