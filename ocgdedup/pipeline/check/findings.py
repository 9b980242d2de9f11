"""Findings of a check: their kinds, what each means for the user, and the counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

EXAMPLES = 10  # of each kind that are reported
START = "start"  # of Go

FILE, SCHEMA, COSTLY, INDEX_CONTENT = "file", "schema", "costly-schema", "index-content"
MOVES, CHANGED_MOVES = "moves", "changed-moves"
TEXT, FOREIGN_TEXT, VALUES = "text", "foreign-text", "values"
BOARD_RESULT = "board-result"
SIGNATURES, FILTERS = "signatures", "position-filters"


class Kind(NamedTuple):
    """A kind of damage; `advice` is what the user can do, None if a repair mends it.

    A remark is about a value that is unlikely, but may be what the source says.
    """

    what: str
    advice: str | None = None
    is_remark: bool = False


class Example(NamedTuple):
    """One thing that is wrong: the ID of a game, or a text, or both."""

    game_id: int | None
    text: str | None


class Finding(NamedTuple):
    """What was found of one kind, and the first examples of it."""

    kind: str
    total: int
    examples: list[Example]

    @property
    def what(self) -> str:
        return KINDS[self.kind].what

    @property
    def is_remark(self) -> bool:
        return KINDS[self.kind].is_remark

    @property
    def advice(self) -> str | None:
        return KINDS[self.kind].advice


_BY_HAND = "correct them with any SQLite client; the original values are not stored anywhere else"

_AS_READ = "the values come from the input file: correct them there, or with any SQLite client"

KINDS = {
    FILE: Kind(
        "damaged pages of the file",
        "nothing else was checked, and check cannot repair this: restore the file from a backup, "
        "or create it again with 'ocgdedup create'; 'ocgdedup export' may still save games",
    ),
    SCHEMA: Kind(
        "missing tables or columns",
        "nothing else was checked: restore the file from a backup, or create it again with "
        "'ocgdedup create'",
    ),
    COSTLY: Kind(
        "generated columns, or columns, constraints and indexes that compute too much",
        "they are not of ocgdedup, and commands that write refuse the database: drop them with "
        "any SQLite client",
    ),
    "constraints": Kind("rows that break a rule of their table", _BY_HAND),
    INDEX_CONTENT: Kind("indexes that do not agree with their table"),
    TEXT: Kind("texts that are not UTF-8"),
    FOREIGN_TEXT: Kind(
        "texts that are not UTF-8, as OCGDB stores them",
        "all commands read them in the charset that they most likely have; 'ocgdedup dedup "
        "--upgrade' converts them to UTF-8",
    ),
    VALUES: Kind(
        "values of a type that their column cannot hold",
        "a repair corrects those that can be computed from other values; correct the others with "
        "any SQLite client",
    ),
    MOVES: Kind(
        "games whose stored moves cannot be replayed",
        "the moves cannot be recovered from the database: take the game from its input file, which "
        "is named after the ID, or from a backup",
    ),
    CHANGED_MOVES: Kind(
        "games whose moves are legal, but do not match their hash keys",
        "the moves or the start position were changed. Compare them with the input file, which is "
        "named after the ID. If the moves are right, set MoveHash of these games to NULL and "
        "repair; otherwise take the games from the input file",
    ),
    START: Kind(
        "Go games whose start position is not written in the form of the loader",
        "the search does not see that such games have the same start position: write FEN in the "
        "form of docs/go.md with any SQLite client, set MoveHash of these games to NULL and repair",
    ),
    "ply-count": Kind("games whose PlyCount does not agree with their moves"),
    "ply-count-tag": Kind("games whose tag PlyCount does not agree with their moves"),
    "keys": Kind("games whose hash keys do not agree with their moves"),
    SIGNATURES: Kind("games whose signatures are missing or do not agree with their moves"),
    FILTERS: Kind("games whose position filter is missing or does not agree with their moves"),
    "special-moves": Kind("games whose SpecialMoves do not agree with their moves"),
    "date": Kind("games whose Date is not of the form YYYY.MM.DD", _BY_HAND),
    "date-quality": Kind("games whose DateQuality does not agree with their date"),
    "names": Kind("games whose event, site or player is missing from its table", _BY_HAND),
    "names-twice": Kind("names that are in their table twice", _BY_HAND),
    "persons": Kind("games whose player is missing from Persons"),
    "wrong-persons": Kind("games whose player does not have the name in the game"),
    "core-hash": Kind("games whose CoreHash does not agree with their players"),
    "resolutions": Kind("resolved names whose name or player is missing"),
    "sources": Kind("games or rejected texts whose source is missing", _BY_HAND),
    "extra-tags": Kind("games whose ExtraTags are not a JSON object of texts", _BY_HAND),
    "tag-names": Kind(
        "games with names of tags that PGN cannot have, or with a tag FEN that is no column",
        "nothing is lost: export writes other names; correct ExtraTags with any SQLite client",
    ),
    "variations": Kind(
        "games with variations whose parentheses or comments are not closed",
        "nothing is lost: export closes them; correct them with any SQLite client",
    ),
    "in-two-tables": Kind(
        "games that are both in Games and in RemovedGames",
        "delete one of them with any SQLite client",
    ),
    "note-plies": Kind(
        "annotations after the last move of their game",
        "nothing is lost: export writes them after the last move; correct Ply with any SQLite "
        "client",
    ),
    "orphan-notes": Kind("annotations of games that do not exist"),
    "note-flags": Kind("games whose HasComments or HasVariations is wrong"),
    "group-master": Kind("duplicates whose kept game is not flagged as a kept game"),
    "group-removed": Kind("deleted games whose kept game is not flagged as a kept game"),
    "group-class": Kind("duplicates of an unknown class"),
    "group-moves": Kind("exact duplicates whose moves differ from those of their kept game"),
    "group-alone": Kind("kept games without duplicates"),
    "suspects": Kind("possible duplicates that are not pairs of two games"),
    "flags": Kind("duplicate flags of games that do not exist"),
    "merges": Kind("stored merges of games that do not exist"),
    "undo": Kind("undo data of games that do not exist"),
    "indexes": Kind("missing indexes"),
    "counts": Kind("wrong counts in Info"),
    "states": Kind("damaged values in Info: results or options of the last search"),
    BOARD_RESULT: Kind(
        "games whose result contradicts mate or stalemate on the board",
        "compare them with the input file; 'ocgdedup check --fix-results' sets the result that the "
        "board shows and keeps the old one in the tag OriginalResult",
        is_remark=True,
    ),
    "elo": Kind("games with an Elo below 100 or above 4000", _AS_READ, is_remark=True),
    "future-date": Kind("games with a date in the future", _AS_READ, is_remark=True),
}  # fmt: skip


class Tally:
    """Counts what is found, by kind."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[Example]] = {}

    def add(self, kind: str, example: object, text: str | None = None) -> None:
        """Count one more; `example` is the ID of a game or a text, `text` says more of a game."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        examples = self._examples.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            is_game = isinstance(example, int)
            examples.append(
                Example(example, text) if is_game else Example(None, str(example))  # type: ignore[arg-type]
            )

    def add_all(self, kind: str, examples: Iterable[object]) -> None:
        for example in examples:
            self.add(kind, example)

    def has(self, kind: str) -> bool:
        return kind in self._counts

    def findings(self) -> list[Finding]:
        """Return what was found, in the order of KINDS."""
        return [
            Finding(kind, self._counts[kind], self._examples[kind])
            for kind in KINDS
            if kind in self._counts
        ]
