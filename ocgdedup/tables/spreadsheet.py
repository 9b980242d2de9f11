"""Text that a spreadsheet does not take for a formula, and the way back.

A cell that begins with one of = + @, a tab or a carriage return, or with - and more after it, is
run by programs that open CSV. So it is with the full-width forms of these signs, in programs for
East Asia. An apostrophe in front of it makes it text; so does one more in front of a text that
begins like such a cell, so that the way back is never in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable

_QUOTE = "'"
_MINUS = ("-", "\uff0d")
_STARTS = ("=", "+", "@", "\uff1d", "\uff0b", "\uff20", "\t", "\r")


def quoted_cell(text: str) -> str:
    """Return a text as a cell that is no formula."""
    return _QUOTE + text if _may_run(text.lstrip(_QUOTE)) else text


def plain_cell(cell: str) -> str:
    """Return the text that quoted_cell() made this cell of."""
    return cell[1:] if cell.startswith(_QUOTE) and _may_run(cell.lstrip(_QUOTE)) else cell


def quoted_row(values: Iterable[object]) -> list[object]:
    """Return a row whose texts are no formulas; numbers and what is empty stay as they are."""
    return [quoted_cell(value) if isinstance(value, str) else value for value in values]


def _may_run(text: str) -> bool:
    return text.startswith(_STARTS) or (text.startswith(_MINUS) and len(text) > 1)
