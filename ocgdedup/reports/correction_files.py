"""Corrections of a user as a table: the file that `edit --from` reads."""

from __future__ import annotations

from collections.abc import Iterator

from ocgdedup.errors import UsageError, raise_errors
from ocgdedup.reports.pair_files import game_id, rows_of_table
from ocgdedup.tables.spreadsheet import plain_cell

_HEADS = ("id", "gameid", "game")
_CELLS = 3


def read_corrections(path: str) -> list[tuple[str, int, str, str | None]]:
    """Return the location, game ID, tag and value of each row of a file; no value: cleared.

    Raises UsageError with the line of each invalid row, and for a file without corrections.
    """
    rows: list[tuple[str, int, str, str | None]] = []
    errors: list[str] = []
    for location, cells in _rows(path):
        try:
            if len(cells) > _CELLS or len(cells) < 2:
                raise UsageError(
                    f"{location}: has {len(cells)} columns; a line is ID, tag and value"
                )
            value = plain_cell(cells[2]) if len(cells) == _CELLS else ""
            rows.append((location, game_id(location, cells[0]), cells[1].strip(), value or None))
        except UsageError as error:
            errors.append(str(error))
    raise_errors(errors, "lines")
    if not rows:
        raise UsageError(f"{path}: has no corrections; a line is ID, tag and value")
    return rows


def _rows(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows without a line of column names."""
    for number, (location, cells) in enumerate(rows_of_table(path)):
        if number or cells[0].strip().lower() not in _HEADS:
            yield location, cells
