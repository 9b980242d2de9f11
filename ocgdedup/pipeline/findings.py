"""What a check of a database can find: the kinds, what each means for the user, and the counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

EXAMPLES = 10  # of each kind that are told
START = "start"  # of Go

FILE, SCHEMA, INDEX_CONTENT = "file", "schema", "index-content"
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


_BY_HAND = "look at them with any SQLite client; no other place says what stood there"

_AS_READ = "the source says so: correct them there, or with any SQLite client"

KINDS = {
    FILE: Kind(
        "pages of the file that are damaged",
        "nothing else was checked and nothing can be repaired here: restore the file from a "
        "backup, or make it anew with 'ocgdedup create'; 'ocgdedup export' may still save games",
    ),
    SCHEMA: Kind(
        "tables or columns that are missing",
        "nothing else was checked: restore the file from a backup, or make it anew with "
        "'ocgdedup create'",
    ),
    "constraints": Kind("rows that break a rule of their table", _BY_HAND),
    INDEX_CONTENT: Kind("indexes that do not agree with their table"),
    TEXT: Kind("texts that are not UTF-8"),
    FOREIGN_TEXT: Kind(
        "texts that are not UTF-8, as OCGDB stores them",
        "all commands read them by the charset they most likely have; 'ocgdedup dedup --upgrade' "
        "makes them UTF-8",
    ),
    VALUES: Kind(
        "values of a type that their column cannot hold",
        "a repair mends those that follow from something else; look at the others with any SQLite "
        "client",
    ),
    MOVES: Kind(
        "games whose stored moves cannot be replayed",
        "nothing here says what they were: take the game from its source, which stands behind the "
        "ID, or from a backup",
    ),
    CHANGED_MOVES: Kind(
        "games whose moves are legal, but others than those that their hash keys were made of",
        "either the moves or the start position were changed. Compare them with the source behind "
        "the ID. If the moves are right, set MoveHash of these games to NULL and repair; else "
        "take them from the source",
    ),
    START: Kind(
        "games of Go whose start is written in another form than that of the loader",
        "games with the same start are told apart by this: write FEN as docs/go.md says with any "
        "SQLite client, set MoveHash of these games to NULL and repair",
    ),
    "ply-count": Kind("games with another PlyCount than their moves have"),
    "ply-count-tag": Kind("games whose tag PlyCount is not their number of plies"),
    "keys": Kind("games whose hash keys do not agree with their moves"),
    SIGNATURES: Kind("games whose signatures are missing or do not agree with their moves"),
    FILTERS: Kind("games whose filter of positions is missing or does not agree with their moves"),
    "special-moves": Kind("games whose SpecialMoves do not agree with their moves"),
    "date": Kind("games whose Date is not of the form YYYY.MM.DD", _BY_HAND),
    "date-quality": Kind("games whose DateQuality does not agree with their date"),
    "names": Kind("games whose event, site or player is in no table", _BY_HAND),
    "names-twice": Kind("names that stand in their table twice", _BY_HAND),
    "persons": Kind("games whose player is a person that is not there"),
    "wrong-persons": Kind("games with a player who does not have the name in the game"),
    "core-hash": Kind("games whose CoreHash does not agree with their players"),
    "resolutions": Kind("names that stand for a person where one of both is not there"),
    "sources": Kind("games or rejects whose source is not there", _BY_HAND),
    "extra-tags": Kind("games whose ExtraTags are no JSON object of texts", _BY_HAND),
    "in-two-tables": Kind(
        "games that stand in Games and in RemovedGames",
        "delete one of them with any SQLite client",
    ),
    "note-plies": Kind(
        "comments or other annotations behind moves that the game has not",
        "nothing is lost, export writes them behind the last move; set their Ply by hand",
    ),
    "orphan-notes": Kind("comments or other annotations of games that are not there"),
    "note-flags": Kind("games whose HasComments or HasVariations are wrong"),
    "group-master": Kind("games flagged as copies without a master that is one"),
    "group-removed": Kind("deleted games whose kept game is none"),
    "group-class": Kind("games flagged as copies of a class that there is not"),
    "group-moves": Kind("games flagged as exact copies that have other moves"),
    "group-alone": Kind("games flagged as masters without any copy"),
    "suspects": Kind("suspects that are no two games"),
    "flags": Kind("flags of duplicates without the game"),
    "merges": Kind("notes on merged headers without the game"),
    "undo": Kind("notes for an undo without the game"),
    "indexes": Kind("indexes that are missing"),
    "counts": Kind("counts in Info that are wrong"),
    BOARD_RESULT: Kind(
        "games whose result contradicts mate or stalemate on the board",
        "compare them with the source; 'ocgdedup check --fix-results' takes the result of the "
        "board and keeps the other one as tag OriginalResult",
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
