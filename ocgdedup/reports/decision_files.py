"""Decisions of a user as text: the list that `review --list` prints and `review --decide` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ocgdedup.errors import UsageError, raise_errors
from ocgdedup.model import GivenDecision
from ocgdedup.reports.pair_files import game_id, rows_of_table
from ocgdedup.reports.terminal_text import printable
from ocgdedup.store.possible_duplicates import DIFFERENT, SAME, PossiblePair
from ocgdedup.tables.spreadsheet import plain_cell, quoted_cell

COLUMNS = ("GameID1", "GameID2", "Decision", "KeptGameID", "Class", "Score", "Evidence", "Note")
_READ = COLUMNS[:4]
_NOTE = "Note"
_OLD_NAMES = ("master", "masterid")  # of KeptGameID
_WORDS = {SAME: SAME, DIFFERENT: DIFFERENT, "none": None}


def list_lines(suspects: Iterable[PossiblePair]) -> Iterator[str]:
    """Yield a line of names and one for each pair, tabs between the values."""
    yield "\t".join(COLUMNS)
    for row in suspects:
        values = (
            row.first, row.second, row.decision or "", row.kept_game or "", row.duplicate_class,
            "" if row.score is None else row.score, row.evidence, row.note or "",
        )  # fmt: skip
        texts = [" ".join(str(value).split()) for value in values]
        yield "\t".join(quoted_cell(printable(text)) for text in texts)


def read_decisions(path: str) -> list[GivenDecision]:
    """Return the decisions of a file, in its order.

    Values are separated by commas, semicolons or tabs. Columns are found by the names in the first
    line, if it has names; otherwise they are in the order of _READ. A row without a decision is
    skipped. Raises UsageError with the line of each invalid row, and for a file without decisions.
    """
    decisions: dict[tuple[int, int], GivenDecision] = {}
    errors: list[str] = []
    names: Mapping[str, int] | None = None
    for location, values in rows_of_table(path):
        if names is None:
            names, is_head = _columns(location, values)
            if is_head:
                continue
        try:
            row = _decision(location, values, names)
            other = row and decisions.setdefault((row.first, row.second), row)
            if row and other and other[3:] != row[3:]:
                raise UsageError(
                    f"{location}: contradicts {other.location} about games {row.first} and "
                    f"{row.second}"
                )
        except UsageError as error:
            errors.append(str(error))
    raise_errors(errors, "lines")
    if not decisions:
        raise UsageError(f"{path}: has no decisions; a line is GameID1,GameID2,same or different")
    return list(decisions.values())


def _columns(location: str, values: list[str]) -> tuple[Mapping[str, int], bool]:
    """Return the index of each column of _READ, and whether the line has their names."""
    if values[0].strip().isdigit():
        return {name: number for number, name in enumerate(_READ)}, False
    names = [value.strip().lower() for value in values]
    names = ["keptgameid" if name in _OLD_NAMES else name for name in names]
    for name in _READ[:3]:
        if name.lower() not in names:
            raise UsageError(
                f"{location}: has no column {name}; the columns are {', '.join(_READ)}"
            )
    read = (*_READ, _NOTE)
    return {name: names.index(name.lower()) for name in read if name.lower() in names}, True


def _decision(location: str, values: list[str], columns: Mapping[str, int]) -> GivenDecision | None:
    cells = {
        name: plain_cell(values[number].strip()) if number < len(values) else ""
        for name, number in columns.items()
    }
    first, second = (game_id(location, cells.get(name, "")) for name in _READ[:2])
    word, kept = cells.get("Decision", "").lower(), cells.get("KeptGameID", "")
    kept_id = game_id(location, kept) if kept else None
    if not word and kept_id is None and first != second:
        return None
    return one_decision(location, first, second, word, kept_id, cells.get(_NOTE))


def one_decision(
    location: str, first: int, second: int, word: str, kept_id: int | None, note: str | None
) -> GivenDecision:
    """Return a decision; `word` is "same", "different" or "none"; `note`: see GivenDecision.

    Raises UsageError if the decision makes no sense.
    """
    if first == second:
        raise UsageError(f"{location}: names game {first} twice; a pair needs two different games")
    if word and word not in _WORDS:
        raise UsageError(f"{location}: {word!r} is not a decision; write same, different or none")
    if kept_id is not None and word != SAME:
        raise UsageError(f"{location}: a kept game (KeptGameID) goes only with the decision same")
    if kept_id not in (None, first, second):
        raise UsageError(f"{location}: the kept game {kept_id} is neither of the two games")
    pair = min(first, second), max(first, second)
    return GivenDecision(location, *pair, _WORDS[word], kept_id, note)
