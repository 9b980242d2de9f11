"""RowWriter inserts games as they were read, and reports errors of SQLite."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels.chess import Block, NameTable
from ocgdedup.errors import StoreError
from ocgdedup.game_columns import INSERTED_COLUMNS
from ocgdedup.game_kind import CHESS
from ocgdedup.garbled import repaired_name
from ocgdedup.matching.names.name_form import name_key
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.store import games
from ocgdedup.store.database import create_database
from ocgdedup.store.games import ANNOTATION_COLUMNS, COMMENT_COLUMNS, RowWriter, core_hash

PLACE = (1, 1, 0, 0, 0)
PLAIN = (
    '[Event "Casual"]\n[White "A{0}"]\n[Date "1999.02.28"]\n\n1. e4 {{x}} e5 $1 (1... c5) 1-0\n\n'
)
GAMES = [
    *(PLAIN.format(number % 7) for number in range(40)),
    '[White "\u00c9va"]\n[Date "2000.02.29"]\n[WhiteElo "2500"]\n[X "é"]\n\n1. Nf3 1/2-1/2\n\n',
    '[White "B"]\n[Date "1900.02.29"]\n\n1. d4 {two\nlines} (1. c4\r\n{x}) *\n\n',
    '[White "B"]\n[Date "12 March 1912"]\n[WhiteElo "none"]\n\n1. d4 (1. c4 ; no\n) {c} 1-0\n\n',
    '[White "O\\"Neil"]\n[Result "draw"]\n[X "a\\\\b"]\n\n1. d4 {c} 0-1\n\n',
    '[White "B"]\n[OriginalDate "1912"]\n[Date "1912.??.??"]\n\n1. d4 d5 2. Kd8 {bad}\n\n',
    '[White "B"]\n[Variant ""]\n\n1. d4 d5\n\n',
    '[White "B"]\n[SetUp ""]\n\n1. d4 d5\n\n',
    '[White "Fran\u00c3\u00a7ois"]\n[Event "\u00e6\u00b1\u00ba"]\n[Site "\u00c3"]\n\n1. d4\n\n',
    '[White "\u00c3\u00a9"]\n[OriginalWhite "W"]\n[X "\u00c3\u00a9"]\n\n1. d4 d5\n\n',
    '[White "B"]\n[Variant "Standard"]\n\n1. d4 d5\n\n',
    '[White "B"]\n[Variant "Atomic"]\n\n1. d4 d5\n\n',
    '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. d4 d5\n\n',
    *(PLAIN.format(number) for number in range(40)),
]  # fmt: skip
TEXT = "".join(GAMES).encode() + '[White "K\xfchn"]\n\n1. e4 {sch\xf6n} *\n'.encode("latin-1")


def parsed(text: bytes) -> Block:
    block = Block(text)
    block.parse(True)
    return block


def name_tables() -> tuple[NameTable, NameTable, NameTable]:
    tables = NameTable(), NameTable(), NameTable(name_key)
    for table in tables:
        table.load(1, "")
    return tables


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    made = create_database(":memory:")
    yield made
    made.close()


def stored(connection: apsw.Connection, table: str, columns: tuple[str, ...]) -> list[Any]:
    return list(connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY ID"))


def all_stored(connection: apsw.Connection) -> list[list[object]]:
    return [
        stored(connection, "Games", INSERTED_COLUMNS),
        stored(connection, "Comments", COMMENT_COLUMNS),
        stored(connection, "Annotations", ANNOTATION_COLUMNS),
    ]


def test_plain_games_are_stored_as_if_python_decoded_them(connection: apsw.Connection) -> None:
    written, decoded = name_tables(), name_tables()
    writer = RowWriter(connection)
    counts = writer.write_block(parsed(TEXT), written, OddValues(), PLACE)
    writer.close()
    other = create_database(":memory:")
    writer = RowWriter(other)
    assert writer.write_block(parsed(TEXT), decoded, OddValues(), PLACE, decode_all=True) == counts
    writer.close()
    rows = all_stored(connection)
    assert rows == all_stored(other)
    assert counts[:2] == (92, len(rows[1]))
    assert len(rows[0]) == 92
    assert [table.new_rows() for table in written] == [table.new_rows() for table in decoded]
    other.close()


def test_hashes_equal_the_reference(connection: apsw.Connection) -> None:
    """For plain games and others, with and without annotations."""
    tables = name_tables()
    writer = RowWriter(connection)
    count, *_ = writer.write_block(parsed(TEXT), tables, OddValues(), PLACE)
    for table, name in zip(tables, ("Events", "Sites", "Players"), strict=True):
        writer.write_names(table, name)
    writer.close()
    events, sites, players = (dict(row[:2] for row in table.new_rows()) for table in tables)
    seen = set()
    rows = stored(connection, "Games", INSERTED_COLUMNS)
    for row in rows:
        game = dict(zip(INSERTED_COLUMNS, row, strict=True))
        roster = (
            events.get(game["EventID"]), sites.get(game["SiteID"]), game["Date"], game["Round"],
            players.get(game["WhiteID"]), players.get(game["BlackID"]), game["Result"],
        )  # fmt: skip
        notes = games.notes_of(connection, [game["ID"]]).get(game["ID"], ())
        hashes = (
            core_hash(*(name_key(name or "") for name in roster[4:6])),
            games.game_hash(game["FEN"], game["Moves2"], roster, notes, CHESS),
        )
        assert (game["CoreHash"], game["GameHash"]) == hashes, game
        seen.add(hashes)
    assert count == len(rows)
    assert len(seen) == 50


PIECES = ("Tal", "MICHAEL", "é", "Пётр", "李", "NN", "?", "GM", "J", "12", ",", ".", " ", "x" * 99)
NAMES = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r\n"), max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=5).map("".join),
)


def core_hashes(
    pairs: list[tuple[str, str]], tables: tuple[NameTable, NameTable, NameTable]
) -> list[tuple[int, int, int]]:
    """Write a game for each pair of names; return (WhiteID, BlackID, CoreHash) of each."""
    texts = []
    for pair in pairs:
        white, black = (re.sub(r'(["\\])', r"\\\1", name) for name in pair)
        texts.append(f'[White "{white}"]\n[Black "{black}"]\n\n1. e4 e5 *\n\n')
    connection = create_database(":memory:")
    writer = RowWriter(connection)
    writer.write_block(parsed("".join(texts).encode()), tables, OddValues(), PLACE)
    writer.close()
    columns = ("WhiteID", "BlackID", "CoreHash")
    rows: list[tuple[int, int, int]] = stored(connection, "Games", columns)
    connection.close()
    assert len(rows) == len(pairs)
    return rows


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5))
def test_core_hash_is_that_of_the_keys_of_both_names(pairs: list[tuple[str, str]]) -> None:
    """In any order of the games, and for names that were in the database."""
    tables = name_tables()
    rows = core_hashes(pairs, tables)
    names = {1: ""} | {number: name for number, name, _ in tables[2].new_rows()}
    keys = {number: name_key(name) for number, name in names.items()}
    assert [row[2] for row in rows] == [core_hash(keys[row[0]], keys[row[1]]) for row in rows]
    assert {number: tables[2].key(number) for number in names} == keys
    assert [row[2] for row in core_hashes(pairs[::-1], name_tables())] == [
        row[2] for row in rows[::-1]
    ]
    loaded = name_tables()
    for number, name in names.items():
        loaded[2].load(number, name)
    assert core_hashes(pairs, loaded) == rows


def test_python_computes_each_key_that_is_not_ascii_once() -> None:
    calls: list[str] = []

    def noted_key(name: str) -> str:
        calls.append(name)
        return name_key(name)

    tables = NameTable(), NameTable(), NameTable(noted_key)
    tables[2].load(1, "")
    tables[2].load(2, "Müller, Jörg")
    tables[2].load(3, "Nobody, Éva")
    pair = ("Adams, Michael", "Müller, Jörg")
    core_hashes([pair, pair[::-1], ("Éva", "Éva"), pair], tables)
    assert calls == ["Müller, Jörg", "Éva"]
    tables[2].key(2)
    assert len(calls) == 2
    with pytest.raises(ValueError, match="no name has the ID 6"):
        tables[2].key(6)


def test_a_key_that_cannot_be_computed_ends_the_import() -> None:
    tables = NameTable(), NameTable(), NameTable(lambda name: name[99])
    tables[2].load(1, "")
    with pytest.raises(IndexError):
        core_hashes([("A", "B"), ("Éva", "B")], tables)


ODD_LETTERS = (
    "aZ \u00c2\u00c3\u00e4\u00f0\u00f4\u0080\u00a7\u00bf\u0153\u017e\u0192\u02c6\u20ac\u2122\u4e95"
)


@given(st.text(st.sampled_from(ODD_LETTERS), min_size=1, max_size=6))
def test_garbled_names_are_repaired_on_every_path(name: str) -> None:
    """The kernel asks for all names that may be garbled."""
    connection = create_database(":memory:")
    tables = name_tables()
    writer = RowWriter(connection)
    text = f'[White "{name}."]\n\n1. e4 e5 1-0\n\n'.encode()
    writer.write_block(parsed(text), tables, OddValues(), PLACE)
    writer.close()
    ((tags,),) = connection.execute("SELECT ExtraTags FROM Games").fetchall()
    connection.close()
    original = f"{name}.".strip(" ")
    repaired = repaired_name(original)
    assert [row[1] for row in tables[2].new_rows()] == [repaired]
    expected = None if repaired == original else {"OriginalWhite": original}
    assert (json.loads(tags) if tags else None) == expected


def test_names_are_inserted(connection: apsw.Connection) -> None:
    tables = name_tables()
    writer = RowWriter(connection)
    writer.write_block(parsed(TEXT), tables, OddValues(), PLACE)
    writer.write_names(tables[2], "Players")
    writer.close()
    assert stored(connection, "Players", ("ID", "Name", "Elo")) == tables[2].new_rows()


def test_sqlite_errors_are_raised_with_their_message(connection: apsw.Connection) -> None:
    writer = RowWriter(connection)
    writer.write_block(parsed(TEXT), name_tables(), OddValues(), PLACE)
    with pytest.raises(StoreError, match=r"UNIQUE constraint failed: Games\.ID"):
        writer.write_block(parsed(TEXT), name_tables(), OddValues(), PLACE)
    writer.close()


def test_full_database_is_reported(connection: apsw.Connection) -> None:
    connection.pragma("max_page_count", 40)
    writer = RowWriter(connection)
    with pytest.raises(StoreError, match="disk is full; make room"):
        writer.write_block(parsed(TEXT * 50), name_tables(), OddValues(), PLACE)
    writer.close()


def test_closed_writer_refuses_and_forgotten_writer_is_freed(connection: apsw.Connection) -> None:
    writer = RowWriter(connection)
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write_block(parsed(TEXT), name_tables(), OddValues(), PLACE)
    forgotten = RowWriter(connection)
    del forgotten
    gc.collect()  # else the fixture could not close the connection


def test_connection_that_did_not_load_the_kernel_is_refused(connection: apsw.Connection) -> None:
    with pytest.raises(ValueError, match="not just loaded"):
        chess_kernel.RowWriter(connection, (("SELECT ?", "SELECT ?"),) * 3)
