"""The formats of files: what is declared is what the documents, options and writers have."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ocgdedup.reports import report_file
from ocgdedup.tables.columns import Column, Table
from ocgdedup.tables.formats import EXPORT_FORMATS, REPORT_FORMATS, TABLE_FORMATS
from ocgdedup.tables.table_file import open_table
from tests.support.tables import need

DOCS = Path(__file__).parents[3] / "docs"
TABLE = Table("some", (Column("Text", "text"), Column("Number", "int32")))


@pytest.mark.parametrize("form", TABLE_FORMATS)
def test_every_format_is_of_some_command_and_writes_a_table(form: str) -> None:
    assert form in EXPORT_FORMATS + REPORT_FORMATS
    handle = io.BytesIO()
    file = open_table(need(form), handle, TABLE)
    file.write([["ä", None], [1, 2]])
    file.finish()
    assert handle.tell() > 0


def test_documents_name_the_formats() -> None:
    tables = (DOCS / "tables.md").read_text(encoding="utf-8")
    report = (DOCS / "report.md").read_text(encoding="utf-8")
    assert not [form for form in EXPORT_FORMATS if f"`{form}`" not in tables]
    assert not [form for form in report_file.KINDS if f".{form}" not in report]


def test_an_array_of_objects_has_one_a_line() -> None:
    handle = io.BytesIO()
    file = open_table("json", handle, TABLE)
    for text in ("ä", '"'):
        file.write([[text], [None]])
    file.finish()
    lines = handle.getvalue().decode().splitlines()
    assert lines == ["[", '{"Text": "ä", "Number": null},', lines[2], "]"]
    assert json.loads(lines[2]) == {"Text": '"', "Number": None}
