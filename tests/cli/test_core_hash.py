"""CoreHash: the same for the same names from every import, and accepted by `check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.matching.names.name_form import name_key
from ocgdedup.store.games import core_hash
from tests.support.command_line import Command
from tests.support.databases import change, query
from tests.support.pgn_text import game

# Spellings of the names of White and Black; those of a row have one key.
SPELLINGS = [
    ("Adams, Michael", "ADAMS, MICHAEL", "adams,michael", "GM Adams, Michael (ENG)"),
    ("?", "", "NN", "N.N."),
    ("Müller, Jörg", "Muller, Jorg", "MÜLLER, JÖRG", "Mu\u0308ller, Jo\u0308rg"),
    ("Иванов, Пётр", "Ivanov, Petr", "ИВАНОВ, ПЁТР", "Ivanov, Petr (RUS)"),
]
HASHES = (
    "SELECT White.Name, Black.Name, CoreHash FROM Games "
    "JOIN Players AS White ON White.ID = WhiteID JOIN Players AS Black ON Black.ID = BlackID "
    "ORDER BY Games.ID"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_names(path: str, pairs: list[tuple[str, str]]) -> None:
    if path.endswith(".sgf"):
        text = "".join(f"(;FF[4]CA[UTF-8]SZ[9]PW[{a}]PB[{b}];B[ee])\n" for a, b in pairs)
    else:
        text = "".join(game("1. e4 e5 *", White=a, Black=b) for a, b in pairs)
    Path(path).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("ending", ["pgn", "sgf"])
def test_spellings_of_a_name_have_one_hash(command: Command, ending: str) -> None:
    pairs = [*zip(*SPELLINGS[:2], strict=True), *zip(*SPELLINGS[2:], strict=True)]
    write_names(f"a.{ending}", pairs)
    assert command("create", "a.db3", f"a.{ending}", "-q").status == 0
    rows = query("a.db3", HASHES)
    assert [row[2] for row in rows] == [core_hash("adams, michael", "?")] * 4 + [
        core_hash("muller, jorg", "ivanov, petr")
    ] * 4
    assert "CoreHash" not in command("check", "a.db3").out


@pytest.mark.parametrize("ending", ["pgn", "sgf"])
def test_appended_games_and_another_order_make_no_difference(command: Command, ending: str) -> None:
    names = [name for row in SPELLINGS for name in row]
    pairs = list(zip(names, reversed(names), strict=True))
    expected = {pair: core_hash(*map(name_key, pair)) for pair in pairs}
    write_names(f"a.{ending}", pairs)
    write_names(f"b.{ending}", pairs[::-1])
    command("create", "a.db3", f"a.{ending}", "-q")
    assert command("create", "a.db3", f"b.{ending}", "--append", "-q").status == 0
    rows = [row[2] for row in query("a.db3", HASHES)]
    assert rows == [*expected.values(), *reversed(expected.values())]


@pytest.mark.parametrize("ending", ["pgn", "sgf"])
def test_games_from_tables_have_the_same_hash(command: Command, ending: str) -> None:
    write_names(f"a.{ending}", list(zip(*SPELLINGS[1:3], strict=True)))
    command("create", "a.db3", f"a.{ending}", "-q")
    assert command("export", "a.db3", "--lossless", "-o", "tables", "-q").status == 0
    assert command("create", "b.db3", "tables", "-q").status == 0
    assert query("b.db3", HASHES) == query("a.db3", HASHES)


def test_hashes_of_older_versions_are_accepted(command: Command) -> None:
    """They stay until the next run of `players`; a wrong hash is repaired."""
    write_names("a.pgn", list(zip(*SPELLINGS[:2], strict=True)))
    command("create", "a.db3", "a.pgn", "-q")
    current = query("a.db3", HASHES)
    for number, (white, black, _) in enumerate(current, start=1):
        as_written = core_hash(white or "?", black or "?")
        change("a.db3", f"UPDATE Games SET CoreHash = {as_written} WHERE ID = {number}")
    change("a.db3", "UPDATE Games SET CoreHash = 5 WHERE ID = 4")
    older = query("a.db3", HASHES)
    assert command("check", "a.db3", "--repair").status == 1
    assert query("a.db3", HASHES) == [*older[:3], current[3]]
    assert command("check", "a.db3").status == 0
    assert command("players", "a.db3", "-q").status == 0
    assert len({row[2] for row in query("a.db3", HASHES)}) == 1
