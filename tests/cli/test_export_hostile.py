"""Whatever texts another program has put into a database: an export is read back as its games."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup.cli.main import run
from tests.support.databases import query

PGN = """[Event "A"]\n[White "B"]\n[X "y"]\n
{before} 1. e4 {one} $1 e5 (1... c5 {two} 2. Nf3 (2. d4)) 2. Nf3 {three} Nc6 1-0\n
[Event "C"]\n[X "z"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n
1. e4 (1. e3) 1... Kd7 {four} *\n
[Event "D"]\n[Variant "Chess960"]\n
1. d4 {five} (1. c4) d5 1/2-1/2\n
"""
SGF = """(;GM[1]EV[a]PB[b]C[one];B[pd]C[two](;W[dd];B[pp])(;W[dp]LB[aa:x]))
(;GM[1]EV[c]HA[2]AB[aa][bb];W[dd]C[three];B[qq])
(;GM[1]EV[d]KM[6.5];B[aa];W[])
"""
SECTION = '"]\n\n1-0\n\n[Event "x"]\n[Site "y"]\n\n*\n'
PIECES = (
    '"', "]", "[", "\n", "\r\n", "\r", "\\", "{", "}", "(", ")", ";", "%", "*", "1-0",
    "1. e4", "e4", "$9", " ", "  ", "\x00", "\x1a", "\ufeff", "\u2028", "é", "A",
    '[Event "x"]', "[%clk 1:00:00]",
    SECTION, "\n\n1. e4 e5 *", "1-0\n\n1. d4", "0-1 } *", ";B[aa]", "(;GM[1]", ")\n(;W[bb]", "]C[",
    "\n;W[cc]", "'", "--", "Z0", "N", "x" * 90,
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
NAMES = ("FEN", "fen", "Variant", "SetUp", "Event", "Result", 'A"]\n\n*\n\n[Event "B', "", "1", "é",
         "B", "AB", "SZ", "GM", "kM", "A B", "]", "C")  # fmt: skip
tags = st.dictionaries(st.sampled_from(NAMES) | texts, texts | st.sampled_from(["Atomic", "1"]))
COLUMNS = ("Date", "Round", "Result", "TimeControl", "ECO", "WhiteElo")
changes = st.fixed_dictionaries(
    {},
    optional={
        "headers": st.dictionaries(st.sampled_from(COLUMNS[:5]), texts),
        "tags": tags,
        "names": st.tuples(texts, texts),
        "elo": st.sampled_from([0, 5000, 1 << 40, (1 << 63) - 1]),
        "comments": texts,
        "variations": texts,
        "nags": st.sampled_from([0, 7, 255, 256, 99999, (1 << 63) - 1]),
        "plies": st.sampled_from([-1, 0, 1, 2, 3, 1000, -99]),
    },
)


def spoil(path: str, change: dict) -> None:
    """Put texts into all columns that an export writes."""
    import json

    with contextlib.closing(sqlite3.connect(path)) as connection, connection:

        def put(sql, *values):
            connection.execute(sql, values)

        for column, text in change.get("headers", {}).items():
            put(f"UPDATE Games SET {column} = ?", text)
        if "tags" in change:
            put("UPDATE Games SET ExtraTags = ?", json.dumps(change["tags"]))
        for table, text in zip(("Events", "Sites"), change.get("names", ()), strict=False):
            put(
                f"UPDATE OR IGNORE {table} SET Name = ? WHERE ID = (SELECT max(ID) FROM {table})",
                text,
            )
            put("UPDATE OR IGNORE Players SET Name = ? WHERE ID = 2", text)
        if "elo" in change:
            put("UPDATE Games SET WhiteElo = ?", change["elo"])
        if "comments" in change:
            put("UPDATE Comments SET Comment = ? WHERE ID % 2", change["comments"])
        if "variations" in change:
            put("UPDATE Annotations SET Variation = ? WHERE NAG IS NULL", change["variations"])
        if "nags" in change:
            put("UPDATE Annotations SET NAG = ? WHERE NAG IS NOT NULL", change["nags"])
        if "plies" in change:
            put("UPDATE Comments SET Ply = ?", change["plies"])
            put("UPDATE Annotations SET Ply = ?", change["plies"])


def games(path: str) -> list[tuple]:
    return query(path, "SELECT nullif(FEN, ''), Moves2 FROM Games ORDER BY ID")


def read_back(kind: str, text: str, change: dict, *options: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, first, out, second = (
            str(Path(folder) / name) for name in (f"in.{kind}", "a.db3", f"o.{kind}", "b.db3")
        )
        Path(source).write_text(text, encoding="utf-8")
        assert run(["create", first, source, "-q"]) == 0
        spoil(first, change)
        assert run(["export", first, "--all", "-o", out, "-q", *options]) == 0
        written = Path(out).read_bytes()
        assert run(["create", second, out, "-q"]) in (0, 1)
        assert games(second) == games(first), written
        assert query(second, "SELECT count(*) FROM Rejects") == [(0,)], written


@settings(max_examples=20)
@example({"tags": {'A"]\n\n*\n\n[Event "B': SECTION}})
@example(
    {"tags": {"FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Variant": "Atomic", "\ud800": "\udc00"}}
)
@example({"variations": "e4) *\n\n1. d4 *"})
@example({"variations": "e4 { a { b"})
@example({"comments": "1-0\n\n1. d4 d5"})
@given(changes)
def test_pgn(change: dict) -> None:
    read_back("pgn", PGN, change)


@pytest.mark.parametrize(
    "options", [("--strip", "comments"), ("--strip", "nags", "--width", "0")], ids=str
)
@settings(max_examples=8)
@example({"variations": "e4 { a { b } c"})
@given(changes)
def test_stripped_pgn(options: tuple[str, ...], change: dict) -> None:
    read_back("pgn", PGN, change, *options)


@settings(max_examples=20)
@example({"tags": {"A]\n;B[aa]": "]\n;B[aa]", "B": "aa", "GM": "2"}})
@example({"variations": ");B[aa]"})
@example({"variations": "(;GM[1]"})
@example({"variations": "(;W[aa](;PB[a];W[bb]))"})
@given(changes)
def test_sgf(change: dict) -> None:
    read_back("sgf", SGF, change)
