"""The kinds of games, chess and Go: the facts about each that all layers need.

store/names.py reads the kind of a database. Facts that only one layer needs are in tables of that
layer, by kind.
"""

# Not `from __future__ import annotations`: a named tuple would compile each annotation.
from typing import NamedTuple


class GameKind(NamedTuple):
    """A kind of games; CHESS and GO are the only ones, compare them with `is`.

    `name`: in manifests of lossless tables; `title`: in messages. `variant`: Info.Variant.
    `text_format`: format of exported games, also the ending of file names. `unit`, `units`: words
    for what PlyCount counts; `plain_units`: the same for readers who do not know "plies". `sides`:
    the first and the second player. `start_tag`: the tag stored in the column FEN. `move_letters`:
    letters of a move in a signature. `has_symmetry`: a record may be rotated or mirrored, and its
    colours swapped. `has_fide_list`: the FIDE list has the players of such games, with titles and
    Elos. `is_always_signed`: games get signatures without an option.
    """

    name: str
    title: str
    variant: str
    text_format: str
    unit: str
    units: str
    plain_units: str
    sides: tuple[str, str]
    start_tag: str
    move_letters: int
    has_symmetry: bool
    has_fide_list: bool
    is_always_signed: bool

    @property
    def is_go(self) -> bool:
        """Whether it is Go: for the kernels and for results, which know two kinds."""
        return self is GO

    def __reduce__(self) -> str:
        # Workers of Spark unpickle the object of this module, no other one that is equal.
        return self.name.upper()


CHESS = GameKind(
    name="chess",
    title="chess",
    variant="standard",
    text_format="pgn",
    unit="ply",
    units="plies",
    plain_units="half-moves",
    sides=("White", "Black"),
    start_tag="FEN",
    move_letters=4,
    has_symmetry=False,
    has_fide_list=True,
    is_always_signed=False,
)
GO = GameKind(
    name="go",
    title="Go",
    variant="go",
    text_format="sgf",
    unit="move",
    units="moves",
    plain_units="moves",
    sides=("Black", "White"),
    start_tag="Start",
    move_letters=2,
    has_symmetry=True,
    has_fide_list=False,
    is_always_signed=True,
)
GAME_KINDS = (CHESS, GO)


def kind_of(is_go: bool) -> GameKind:
    """Return the kind that a kernel, a reader or a caller from outside names by a bool."""
    return GO if is_go else CHESS
