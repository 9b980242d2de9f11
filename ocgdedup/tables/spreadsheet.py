"""Write tables as text whose cells a spreadsheet does not run as formulas, and restore the cells.

Spreadsheets run a cell that begins with = + @, a tab or a carriage return, or with - and more text;
those for East Asia also run the full-width forms of these signs. An apostrophe before the cell
makes it text. A text that already begins with apostrophes and such a sign gets one more, so the
original can always be restored.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

_QUOTE = "'"
_MINUS = ("-", "\uff0d")
_STARTS = ("=", "+", "@", "\uff1d", "\uff0b", "\uff20", "\t", "\r")


def quoted_cell(text: str) -> str:
    """Return a text as a cell that is not a formula."""
    return _QUOTE + text if _may_run(text.lstrip(_QUOTE)) else text


def plain_cell(cell: str) -> str:
    """Return the text of a cell that quoted_cell() wrote."""
    return cell[1:] if cell.startswith(_QUOTE) and _may_run(cell.lstrip(_QUOTE)) else cell


def quoted_row(values: Iterable[object]) -> list[object]:
    """Return a row with its texts quoted; other values stay."""
    return [quoted_cell(value) if isinstance(value, str) else value for value in values]


def table_lines(
    columns: Sequence[str], rows: Iterable[Iterable[object]], delimiter: str = "\t"
) -> Iterator[str]:
    """Yield the names of the columns and the quoted rows as lines of CSV, without line ends."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="")
    for row in chain([columns], map(quoted_row, rows)):
        writer.writerow(row)
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _may_run(text: str) -> bool:
    return text.startswith(_STARTS) or (text.startswith(_MINUS) and len(text) > 1)
