"""Exported tables, read by other code; games with unusual values in tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.tables.formats import EXPORT_FORMATS
from tests.support.command_line import Command
from tests.support.pgn_text import game

Records = list[dict[str, Any]]

FORMS = EXPORT_FORMATS
TEXT_FORMS = {"csv"}  # every value is text, NULL is ""
CASTLING_960 = "1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1"
FEN_START = "4k3/8/8/8/8/8/4p3/K7 b - - 7 41"
ODD_GAMES = (
    game("1. e4 e5 1-0", White='Quo"ted, "A"', Black="Comma, B", Event="=1+1", Site="Zoë 🎲 Ж")
    + game("1. f3 e5 2. g4 Qh4# 0-1", Date="2001.02.03", Round="1.2", ECO="A00", WhiteElo="2100",
           TimeControl="40/7200", WhiteFideId="4100018", BlackFideId="none", Annotator='A "b" \\ c')
    + game("1... Kd7 2. Kb2 e1=Q *", SetUp="1", FEN=FEN_START, Date="1999.??.??")
    + game("1. O-O O-O-O *", SetUp="1", FEN=CASTLING_960, Variant="Chess960", Date="1999.12.??")
    + game("1. e4 -- 2. d4 d5 *")
    + game("*", White="?", Black="?", Event="?", Site="?")
)  # fmt: skip


def read(path: Path | str) -> Records:
    """Read a table file by code other than the exporter; all values of a CSV file are text."""
    path = Path(path)
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
        return parquet.read_table(path).to_pylist()
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as handle:
            return list(csv.DictReader(handle, strict=True))
    # Not splitlines(): it also splits at characters that JSON does not escape.
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


def need(form: str) -> str:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    return form


def as_text(records: Records) -> Records:
    """Return the records in the form of a CSV file."""
    return [
        {name: "" if result is None else str(result) for name, result in record.items()}
        for record in records
    ]


def export(command: Command, database: str, *arguments: object) -> None:
    status, _, err = command("export", database, "--all", *arguments)
    assert (status, err) == (0, "")


def games_of(command: Command, database: str, form: str = "jsonl", *options: str) -> Records:
    export(command, database, "-o", f"games.{form}", "--force", "-q", *options)
    return read(f"games.{form}")


def columns_of(records: Records, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(record[name] for name in names) for record in records]
