"""Games and pairs as tables of Arrow, as data frames, and as HTML in notebooks.

Only the methods named after pyarrow, pandas and polars need them. Must not know where values come
from: api.py passes the function that yields the columns.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

import chess.pgn
import chess.svg

from ocgdedup.errors import UsageError
from ocgdedup.game_kind import CHESS
from ocgdedup.pipeline.search.pairs import ShownGame, ShownPair, first_different_moves
from ocgdedup.reports.compared_moves import difference_words
from ocgdedup.tables.columns import Columns, Table
from ocgdedup.tables.parquet_file import arrow_schema, load_pyarrow

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

PARSED_DATE = "ParsedDate"
_SHOWN_ROWS = 10
_BOARD_PIXELS = 320
_BLUE, _RED = "#0d4d92cc", "#9c1c15cc"  # arrows of the left and the right game

ReadColumns = Callable[[], Iterator[Columns]]


class GameRows:
    """Rows of a table of a database; each method reads them again.

    `table` has the names and types of the columns, `read` yields batches of rows.
    """

    def __init__(self, table: Table, read: ReadColumns) -> None:
        self._table = table
        self._read = read

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow.Table; raise UsageError if pyarrow is not installed.

        A table with Year, Month and Day gets the column ParsedDate (date32), NULL for incomplete
        dates.
        """
        arrow, _ = load_pyarrow()
        schema = arrow_schema(self._table)
        batches = []
        for columns in self._read():
            pairs = zip(columns, schema.types, strict=True)
            arrays = [arrow.array(values, type=arrow_type) for values, arrow_type in pairs]
            batches.append(arrow.record_batch(arrays, schema=schema))
        table = arrow.Table.from_batches(batches, schema)
        if "Day" not in schema.names:
            return table
        parts = (table.column(name).to_pylist() for name in ("Year", "Month", "Day"))
        dates = arrow.array(list(map(_date, *parts)), type=arrow.date32())
        return table.append_column(PARSED_DATE, dates)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas.DataFrame in which integers stay integers (NULL is pandas.NA)."""
        try:
            import pandas  # 370 ms
        except ImportError as error:
            raise _not_installed("pandas") from error
        arrow, _ = load_pyarrow()
        pandas_types = {arrow.int32(): pandas.Int32Dtype(), arrow.int64(): pandas.Int64Dtype()}
        return self.to_arrow().to_pandas(types_mapper=pandas_types.get)

    def to_polars(self) -> polars.DataFrame:
        """Return a polars.DataFrame."""
        try:
            import polars  # 130 ms
        except ImportError as error:
            raise _not_installed("polars") from error
        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)  # a Series is made only from an array
        return frame

    def _repr_html_(self) -> str:
        """Return the first rows as HTML, for notebooks."""
        rows = itertools.chain.from_iterable(zip(*columns, strict=True) for columns in self._read())
        shown = list(itertools.islice(rows, _SHOWN_ROWS + 1))
        head = "".join(f"<th>{escape(name)}</th>" for name in self._table.column_names)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in shown[:_SHOWN_ROWS])
        more = f"<p>The first {_SHOWN_ROWS} rows.</p>" if len(shown) > _SHOWN_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cells(values: Sequence[object]) -> str:
    texts = ("" if value is None else str(value) for value in values)
    return "".join(f"<td>{escape(text if len(text) < 60 else text[:57] + '...')}</td>"
                   for text in texts)  # fmt: skip


def _date(year: int | None, month: int | None, day: int | None) -> datetime.date | None:
    if not (year and month and day):
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:  # 31 February
        return None


def _not_installed(name: str) -> UsageError:
    return UsageError(f"{name} is not installed; run 'pip install {name}'")


class NotebookGame(chess.pgn.Game):
    """A chess.pgn.Game that a notebook shows as its last position."""

    def _repr_svg_(self) -> str:
        end = self.end()
        return chess.svg.board(end.board(), lastmove=end.move, size=_BOARD_PIXELS)


class PairView:
    """Two games side by side, for notebooks."""

    def __init__(self, pair: ShownPair) -> None:
        self._pair = pair
        self.left = pair.left
        self.right = pair.right

    def __str__(self) -> str:
        return f"games {self.left.game_id} and {self.right.game_id}: {difference_words(self._pair)}"

    def _repr_html_(self) -> str:
        """Return both headers, how the moves differ, and for chess both boards before that move."""
        left, right = dict(self.left.tags), dict(self.right.tags)
        rows = "".join(
            f"<tr><th>{escape(name)}</th>{_cells((left.get(name), right.get(name)))}</tr>"
            for name in {**left, **right}
        )
        heads = "".join(f"<th>game {game.game_id}</th>" for game in (self.left, self.right))
        boards = ""
        if self.left.kind is CHESS:
            boards = f"<tr><td></td>{''.join(map(self._board, (0, 1)))}</tr>"
        return (
            f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}{boards}</tbody></table>"
            f"<p>{escape(difference_words(self._pair))}</p>"
        )

    def _board(self, side: int) -> str:
        game = (self.left, self.right)[side]
        overlap = self._pair.overlap
        shared = 0 if overlap is None else overlap[side] + overlap.shared
        board = _position(game, shared)
        move = first_different_moves(self._pair)[side]
        arrows = []
        if move:
            parsed = board.parse_san(move)
            colour = (_BLUE, _RED)[side]
            arrows = [chess.svg.Arrow(parsed.from_square, parsed.to_square, color=colour)]
        return f"<td>{chess.svg.board(board, arrows=arrows, size=_BOARD_PIXELS)}</td>"


def _position(game: ShownGame, plies: int) -> chess.Board:
    board = chess.Board(game.fen or chess.STARTING_FEN, chess960=game.fen is not None)
    for text in game.texts[:plies]:
        board.push_san(text)
    return board
