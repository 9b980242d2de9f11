"""CSV and JSON Lines against the standard library, whatever the text."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.tables.columns import Column, Table
from ocgdedup.tables.table_file import open_table

TABLE = Table("odd", (Column("ID", "int64"), Column('a "name"', "text"), Column("Share", "real")))

# All that UTF-8 can hold: lone surrogates are no text of a database.
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(',"\r\n\0'))
rows = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | texts,
    st.none() | st.floats(0, 1),
)
tables = st.lists(rows, min_size=1)


def written(form: str, *batches: list[tuple[object, ...]]) -> str:
    handle = io.BytesIO()
    file = open_table(form, handle, TABLE)
    for batch in batches:
        file.write(list(zip(*batch, strict=True)))
    file.finish()
    return handle.getvalue().decode()


@given(tables)
def test_csv_is_what_the_standard_library_writes(table: list[tuple[object, ...]]) -> None:
    expected = io.StringIO(newline="")
    writer = csv.writer(expected)
    writer.writerow(TABLE.column_names)
    writer.writerows(table)
    assert written("csv", table) == expected.getvalue()


@given(tables)
def test_json_lines_come_back(table: list[tuple[object, ...]]) -> None:
    *lines, rest = written("jsonl", table).split("\n")
    assert rest == ""
    assert [json.loads(line) for line in lines] == [
        dict(zip(TABLE.column_names, row, strict=True)) for row in table
    ]


def test_batches_follow_each_other() -> None:
    first, second = [(1, "a", 0.5), (2, None, None)], [(3, "", 1.0)]
    for form in ("csv", "jsonl"):
        assert written(form, first, second) == written(form, first + second)


def test_nothing_but_names_without_rows() -> None:
    assert written("csv") == 'ID,"a ""name""",Share\r\n'
    assert written("jsonl") == ""
