"""Decisions about names as text: the list that `players --decisions` writes and --decide reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ocgdedup.errors import UsageError, raise_errors
from ocgdedup.matching.names.name_decisions import DECISIONS, NAME
from ocgdedup.model import DecidedName, GivenNameDecision, NameDecision
from ocgdedup.reports.pair_files import game_id, rows_of_table
from ocgdedup.tables.spreadsheet import plain_cell, table_lines
from ocgdedup.wording import joined

COLUMNS = ("Decision", "Name", "GameID", "OtherName", "OtherGameID")
_NEEDED = ("Decision", "Name", "OtherName")


def decision_lines(decisions: Iterable[NameDecision]) -> Iterator[str]:
    """Yield a line of column names and one for each decision, tabs between the values."""
    return table_lines(COLUMNS, ((row.decision, *row.name, *row.other) for row in decisions))


def decision_rows(decisions: Iterable[NameDecision]) -> list[dict[str, object]]:
    """Return the decisions as objects for JSON."""
    return [
        dict(zip(COLUMNS, (row.decision, *row.name, *row.other), strict=True)) for row in decisions
    ]


def read_name_decisions(path: str) -> list[GivenNameDecision]:
    """Return the decisions of a table with the columns of COLUMNS, separated by "," ";" or tabs.

    Raises UsageError with the line of each invalid row, and for a file without decisions.
    """
    columns: Mapping[str, int] | None = None
    decisions: list[GivenNameDecision] = []
    errors: list[str] = []
    for location, cells in rows_of_table(path):
        if columns is None:
            columns = _columns(location, cells)
            continue
        values = {
            name: plain_cell(cells[number].strip()) if number < len(cells) else ""
            for name, number in columns.items()
        }
        try:
            decisions.append(GivenNameDecision(location, _decision(location, values)))
        except UsageError as error:
            errors.append(str(error))
    raise_errors(errors, "lines")
    if not decisions:
        raise UsageError(f"{path}: has no decisions; the columns are {', '.join(COLUMNS)}")
    return decisions


def _columns(location: str, cells: list[str]) -> Mapping[str, int]:
    titles = [cell.strip().lower() for cell in cells]
    for name in _NEEDED:
        if name.lower() not in titles:
            raise UsageError(
                f"{location}: has no column {name}; the first line names the columns, "
                f"{', '.join(COLUMNS)}"
            )
    return {name: titles.index(name.lower()) for name in COLUMNS if name.lower() in titles}


def _decision(location: str, values: Mapping[str, str]) -> NameDecision:
    word = values["Decision"].lower()
    if word not in DECISIONS:
        raise UsageError(
            f"{location}: {values['Decision']!r} is not a decision; write {joined(DECISIONS, 'or')}"
        )
    games = [values.get(name, "") for name in ("GameID", "OtherGameID")]
    first, second = (game_id(location, cell) if cell else None for cell in games)
    if not (values["Name"] and values["OtherName"]):
        raise UsageError(f"{location}: a decision needs Name and OtherName")
    if word == NAME and second is not None:
        raise UsageError(f"{location}: a canonical name goes with no game; leave OtherGameID empty")
    return NameDecision(
        word, DecidedName(values["Name"], first), DecidedName(values["OtherName"], second)
    )
