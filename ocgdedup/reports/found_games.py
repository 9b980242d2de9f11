"""Found games as a table for a terminal, and as objects for other programs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ocgdedup.game_kind import GO, GameKind
from ocgdedup.model import extra_tags_of
from ocgdedup.pipeline.find.games import FoundGame, MatchDetail
from ocgdedup.reports.terminal_text import printable
from ocgdedup.sgf.root_values import shown_result

LEAST_TABLE_WIDTH = 60
_GAP = 1
_ID, _DATE, _RESULT, _MOVES = 8, 10, 8, 5
_FITS = {MatchDetail.NONE: 0, MatchDetail.SHORT: 15, MatchDetail.LONG: 22}
_LEAST_EVENT = 10
_MOST_TEXT = 40
_MEASURED = 1000
_TEXTS = (1, 2, 6)  # indexes of both names and the event in a line


class _Layout(NamedTuple):
    """Columns of the table; `texts`: both names and the event; 0: left out."""

    fits: int
    texts: tuple[int, int, int]


def found_lines(
    games: Iterable[FoundGame], kind: GameKind, *, width: int | None, fits: MatchDetail
) -> Iterator[str]:
    """Yield the lines of a table; none without games.

    `width`: columns of the terminal, LEAST_TABLE_WIDTH at least: names are cut to fit, and a narrow
    terminal shows no events. None: not a terminal; names and events have up to 40 columns. The last
    column, "fits", is never cut, so a line may be longer than `width`.
    """
    rows = (_row(game, kind) for game in games)
    first = next(rows, None)
    if first is None:
        return
    heading = ("ID", *kind.sides, "Date", "Result", kind.units, "Event", "fits")
    table = chain((heading, first), rows)
    if width is not None:
        layout = _layout(max(width, LEAST_TABLE_WIDTH), fits)
        yield from (_line(layout, row) for row in table)
        return
    # Columns as wide as their texts; they grow where later games need more.
    layout = _Layout(_FITS[fits], (0, 0, 0))
    while measured := list(islice(table, _MEASURED)):
        layout = _widened(layout, measured)
        yield from (_line(layout, row) for row in measured)


def _row(game: FoundGame, kind: GameKind) -> tuple[str, ...]:
    header = game.header
    names = {"White": header.white, "Black": header.black}
    texts = (
        str(header.game_id),
        *(names[side] or "?" for side in kind.sides),
        header.date or "????.??.??",
        result_text(game, kind),
        str(header.plies),
        header.event or "?",
        fits_text(game, kind),
    )
    return tuple(map(printable, texts))


def fits_text(game: FoundGame, kind: GameKind) -> str:
    """Return how a game fits the search, and whether it is a duplicate, in a few words."""
    words = [game.similarity or ""]
    if game.plies is not None:
        turned = " turned" if game.is_rotated else ""
        swapped = " swapped" if game.is_swapped else ""
        words.append(f"{kind.unit} {game.plies}{turned}{swapped}")
    if game.status is not None:
        words.append(f"duplicate of {game.group}")
    return ", ".join(filter(None, words))


def result_text(game: FoundGame, kind: GameKind) -> str:
    """Return the result; for Go games as in the record, such as B+3.5."""
    result = game.header.result or "*"
    if kind is GO:
        tags = extra_tags_of(game.header.game_id, game.header.extra_tags)
        return shown_result(result, tags.get("RE")) or result
    return result


def found_object(game: FoundGame, kind: GameKind) -> dict[str, object]:
    """Return a game as members of a JSON object; unknown values are None."""
    header = game.header
    return {
        "id": header.game_id,
        "white": header.white,
        "black": header.black,
        "date": header.date,
        "event": header.event,
        "site": header.site,
        "round": header.round,
        "result": result_text(game, kind),
        kind.units: header.plies,
        "similarity": game.similarity,
        "found_after": game.plies,
        "turned": game.is_rotated,
        "colours_swapped": game.is_swapped,
        "duplicate_status": game.status,
        "duplicate_of": None if game.status is None else game.group,
    }


def _widened(layout: _Layout, rows: Sequence[tuple[str, ...]]) -> _Layout:
    """Return columns that are wide enough for the rows too."""
    first, second, event = (
        max(least, min(max(_width(row[index]) for row in rows), _MOST_TEXT))
        for least, index in zip(layout.texts, _TEXTS, strict=True)
    )
    return layout._replace(texts=(first, second, event))


def _layout(width: int, kind: MatchDetail) -> _Layout:
    """Return columns of a terminal."""
    fits = _FITS[kind]
    used = _ID + _DATE + _RESULT + _MOVES + fits + (4 + bool(fits)) * _GAP
    columns_left = width - used
    event = columns_left // 3 if columns_left // 3 >= _LEAST_EVENT else 0
    name = (columns_left - _GAP - (event + _GAP if event else 0)) // 2
    return _Layout(fits, (name, name, event))


def _line(layout: _Layout, row: tuple[str, ...]) -> str:
    game_id, first, second, date, result, moves, event, fits = row
    widths = layout.texts
    parts = [f"{game_id:>{_ID}}"]
    parts += [_cell(first, widths[0]), _cell(second, widths[1]), _cell(date, _DATE)]
    parts += [_cell(result, _RESULT), f"{moves:>{_MOVES}}"]
    if widths[2]:
        parts.append(_cell(event, widths[2]))
    if layout.fits:
        parts.append(fits)  # whole: a number that is cut would be another number
    return (" " * _GAP).join(parts).rstrip()


def _cell(text: str, width: int) -> str:
    """Fill or cut a text to columns of a terminal: East Asian letters take two."""
    if len(text) <= width and text.isascii():
        return text.ljust(width)
    used = 0
    for index, letter in enumerate(text):
        columns = _columns(letter)
        if used + columns > width:
            return text[:index] + " " * (width - used)
        used += columns
    return text + " " * (width - used)


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
