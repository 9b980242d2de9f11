"""ColumnWriter inserts the values that Arrow arrays hold."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import apsw
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import ColumnWriter
from ocgdedup.errors import SqliteError
from ocgdedup.store.games import load_kernel

if TYPE_CHECKING:
    from ocgdedup._kernels.search import Column

TYPES = (pyarrow.int32(), pyarrow.int64(), pyarrow.string(), pyarrow.binary())
VALUES = st.tuples(
    st.none() | st.integers(-(2**31), 2**31 - 1),
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.none() | st.binary(),
)
ONE = "INSERT INTO T VALUES (?, ?, ?, ?)"
STATEMENTS = (ONE, ONE + ", (?, ?, ?, ?)" * 3)


def database() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE T (A INTEGER, B INTEGER, C TEXT, D BLOB)")
    load_kernel(connection, search_kernel)
    return connection


def buffers_of(array: Any) -> Column:
    valid, *others = array.buffers()
    return str(array.type), array.offset, valid, others[0], others[-1]


def array_of(column: Column, kind: pyarrow.DataType, rows: int) -> Any:
    buffers = [pyarrow.py_buffer(some) for some in column[2:] if some is not None]
    return pyarrow.Array.from_buffers(kind, rows, buffers)


def columns_of(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    columns = list(zip(*rows, strict=True)) or [()] * len(TYPES)
    return [pyarrow.array(values, kind) for values, kind in zip(columns, TYPES, strict=True)]


@given(st.lists(VALUES, max_size=40), st.integers(0, 12), st.integers(0, 12))
def test_rows_are_those_of_the_arrays(rows: list[tuple[Any, ...]], first: int, last: int) -> None:
    connection = database()
    writer = ColumnWriter(connection, STATEMENTS)
    some = rows[first : max(first, len(rows) - last)]
    arrays = [array.slice(first, len(some)) for array in columns_of(rows)]
    for _ in range(2):  # a writer serves for many batches
        writer.write([buffers_of(array) for array in arrays], len(some))
    writer.close()
    assert connection.execute("SELECT * FROM T").fetchall() == some * 2
    load_kernel(connection, search_kernel)
    kinds = [str(kind) for kind in TYPES]
    count, columns = search_kernel.read_columns(connection, "SELECT * FROM T", kinds)
    read = [array_of(column, kind, count) for column, kind in zip(columns, TYPES, strict=True)]
    assert list(zip(*(array.to_pylist() for array in read), strict=True)) == some * 2
    for array in read:
        array.validate(full=True)


def test_short_buffers_are_refused() -> None:
    connection = database()
    writer = ColumnWriter(connection, STATEMENTS)
    whole = [buffers_of(array) for array in columns_of([(1, 2, "three", b"4")] * 5)]
    for place, bad in (
        (0, ("int32", 0, None, None, b"1234" * 4)),
        (0, ("int32", 1, None, None, b"1234" * 5)),
        (0, ("int32", 0, b"", None, b"1234" * 5)),
        (1, ("int64", -1, None, None, b"12345678" * 5)),
        (2, ("string", 0, None, struct.pack("<5i", *range(5)), b"letters")),
    ):
        with pytest.raises(ValueError, match=r"buffer has|negative"):
            writer.write([*whole[:place], bad, *whole[place + 1 :]], 5)
    assert connection.execute("SELECT count(*) FROM T").fetchall() == [(0,)]


@pytest.mark.parametrize("offsets", [(0, 2, 9, 9), (0, 5, 3, 3), (-1, 0, 0, 0)])
def test_text_outside_of_its_buffer_is_refused(offsets: tuple[int, ...]) -> None:
    connection = database()
    writer = ColumnWriter(connection, STATEMENTS)
    columns = [buffers_of(array) for array in columns_of([(1, 2, "three", b"4")] * 3)]
    columns[2] = ("string", 0, None, struct.pack("<4i", *offsets), b"letters")
    with pytest.raises(ValueError, match="offsets point outside the buffer"):
        writer.write(columns, 3)


def test_wrong_columns_are_refused() -> None:
    connection = database()
    writer = ColumnWriter(connection, STATEMENTS)
    columns = [buffers_of(array) for array in columns_of([(1, 2, "three", b"4")])]
    with pytest.raises(ValueError, match="3 columns for 4"):
        writer.write(columns[:3], 1)
    with pytest.raises(KeyError, match="float"):
        writer.write([*columns[:3], ("float", 0, None, None, b"")], 1)
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write(columns, 1)
    load_kernel(connection, search_kernel)
    with pytest.raises(ValueError, match="do not match"):
        ColumnWriter(connection, (ONE, "INSERT INTO T VALUES (?, ?, 1, 1), (?, ?, ?, 2)"))


def test_what_sqlite_refuses_is_an_error() -> None:
    connection = database()
    connection.execute("CREATE UNIQUE INDEX Once ON T (A)")
    writer = ColumnWriter(connection, STATEMENTS)
    columns = [buffers_of(array) for array in columns_of([(1, 2, "three", b"4")] * 9)]
    with pytest.raises(SqliteError, match="UNIQUE"):
        writer.write(columns, 9)
    load_kernel(connection, search_kernel)
    with pytest.raises(SqliteError, match="no such table"):
        ColumnWriter(connection, ("INSERT INTO U VALUES (?)", "INSERT INTO U VALUES (?), (?)"))


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT 'text'", "int32"),
        ("SELECT 1.5", "int64"),
        ("SELECT 1 UNION SELECT 2147483648", "int32"),
    ],
)
def test_values_of_another_kind_are_refused(sql: str, kind: str) -> None:
    with pytest.raises(ValueError, match=f"column 0: value is not {kind}"):
        search_kernel.read_columns(database(), sql, [kind])


def test_queries_that_do_not_fit_are_refused() -> None:
    for kinds, message in (
        (["int32"] * 2, "2 types for 1 columns"),
        (["int32"] * 65, "65 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            search_kernel.read_columns(database(), "SELECT 1", kinds)
    with pytest.raises(KeyError, match="float"):
        search_kernel.read_columns(database(), "SELECT 1", ["float"])
    with pytest.raises(SqliteError, match="no such table"):
        search_kernel.read_columns(database(), "SELECT 1 FROM U", ["int32"])
    with pytest.raises(SqliteError, match="malformed JSON"):
        search_kernel.read_columns(database(), "SELECT value FROM json_each('{')", ["int32"])
