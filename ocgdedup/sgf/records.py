"""What the reading kernel finds of a Go record, and the words for what is wrong with one."""

from __future__ import annotations

from typing import NamedTuple

from ocgdedup._kernels import sgf_read

_FAULTS = {
    sgf_read.OFF_BOARD: "point off the board",
    sgf_read.NO_POINT: "no point",
    sgf_read.OPEN_VALUE: "value without an end",
    sgf_read.NO_VALUE: "property without a value",
    sgf_read.STRAY: "text where no text belongs",
    sgf_read.OPEN_TREE: "the record has no end",
    sgf_read.TOO_LONG: "the record is too long",
    sgf_read.TOO_DEEP: "more than 1,024 branches, one in the other",
}
_REJECTIONS = {
    sgf_read.NO_GAME: "text that belongs to no game",
    sgf_read.OTHER_GAME: "not a game of Go (GM)",
    sgf_read.BOARD: "no square board of up to 25 lines (SZ)",
}
_OF_A_VALUE = (sgf_read.OFF_BOARD, sgf_read.NO_POINT)
_SHOWN_LETTERS = 24


class SgfRecord(NamedTuple):
    """A record of a block, as it stands there: places are bytes of the block, text has its escapes.

    `rejection`: 0 for a game, else only the next two say anything. `fault` 0: none. `start`: as
    Games.FEN. `keys`: as go_moves.keys_of() has them. `charset`: None for UTF-8. `properties`:
    (name, value) of the root. `notes`: (ply, position, kind, text), with the kernel's kinds.
    """

    rejection: int
    begins: int
    ends: int
    fault: int
    fault_at: int
    moves: bytes
    start: str | None
    keys: tuple[int, int, int, int, int]
    charset: str | None
    properties: list[tuple[str, str]]
    notes: list[tuple[int, int, int, str]]


def reason_of_fault(fault: int, rest: str) -> str:
    """Say what is wrong, with what stands there: `rest` is the text from the fault on."""
    word = " ".join(rest.split())[:_SHOWN_LETTERS]
    if fault in _OF_A_VALUE:
        word = word.partition("]")[0] + "]"
    return f"{_FAULTS[fault]}: {word}" if word else _FAULTS[fault]


def reason_of_rejection(rejection: int) -> str:
    """Say why a record is no game that can be stored."""
    return _REJECTIONS[rejection]
