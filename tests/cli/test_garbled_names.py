"""Garbled names, events and sites: repaired on import, exported unchanged on request."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.game_content import contents
from tests.support.pgn_text import RUY_LOPEZ, game

GARBLED = "äº•å±±è£•å¤ª"
MOVES = ";B[pd];W[dp];B[pp];W[dd];B[fc];W[cf];B[db];W[bd]" * 5
CHESS = (
    game(f"{RUY_LOPEZ} 1-0", White="RÃ©ti", Event="MÃ¼nchen", Site="MÃ¼nchen", Result="1-0")
    + game(f"{RUY_LOPEZ} 1-0", White="Réti", Event="München", Site="München", Result="1-0")
    + game(f"{RUY_LOPEZ} 1-0", White="MÃ¼ller", Black="Ã", Result="1-0")
)
GO = (
    f"(;GM[1]SZ[19]PB[{GARBLED}]PW[Cho]EV[å\\] MÃ¼ MÃ¼]DT[1991-02-03]{MOVES})\n"
    f"(;GM[1]SZ[19]PB[井山裕太]PW[Cho]PC[MÃ¼nchen]DT[1991-02-03]{MOVES})\n"
    f"(;GM[1]SZ[9]PB[{GARBLED}]ORIGINALPB[x];B[aa])\n"
)
NAMES = (
    "SELECT Events.Name, Sites.Name, White.Name, Black.Name, ExtraTags FROM Games "
    "JOIN Events ON Events.ID = EventID JOIN Sites ON Sites.ID = SiteID "
    "JOIN Players AS White ON White.ID = WhiteID JOIN Players AS Black ON Black.ID = BlackID "
    "ORDER BY Games.ID"
)


@pytest.fixture(params=["pgn", "sgf"])
def kind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(CHESS, encoding="utf-8")
    Path("in.sgf").write_text(GO, encoding="utf-8")
    return str(request.param)


def loaded(command: Command, text: str, name: str = "a.db3") -> str:
    assert command("create", name, text, "-q").status == 0
    return name


def test_names_are_repaired_and_originals_kept(command: Command, kind: str) -> None:
    rows = query(loaded(command, f"in.{kind}"), NAMES)
    first, second, third = ((*names, json.loads(tags or "{}")) for *names, tags in rows)
    if kind == "pgn":
        original = {"OriginalEvent": "MÃ¼nchen", "OriginalSite": "MÃ¼nchen"}
        assert first == ("München", "München", "Réti", "Beta, B",
                         {**original, "OriginalWhite": "RÃ©ti"})  # fmt: skip
        assert second == (*first[:4], {})
        assert third[2:] == ("Müller", "Ã", {"OriginalWhite": "MÃ¼ller"})
    else:
        assert first == ("å] Mü Mü", "", "Cho", "井山裕太",
                         {"ORIGINALPB": GARBLED, "ORIGINALEV": "å] MÃ¼ MÃ¼"})  # fmt: skip
        assert second[1:4] == ("München", "Cho", "井山裕太")
        assert third[3:] == ("井山裕太", {"ORIGINALPB": GARBLED, "ORIGINALPB_2": "x"})
    assert value(
        "a.db3", "SELECT count(*) FROM Players WHERE Name IN (?, '井山裕太')", GARBLED
    ) == (kind == "sgf")


@pytest.mark.parametrize("options", [(), ("--names", "file")])
def test_what_is_exported_reads_as_the_same_games(
    command: Command, kind: str, options: tuple[str, ...]
) -> None:
    loaded(command, f"in.{kind}")
    assert command("export", "a.db3", "-o", f"b.{kind}", *options).status == 0
    loaded(command, f"b.{kind}", "b.db3")
    assert contents("b.db3") == contents("a.db3")
    assert query("b.db3", NAMES) == query("a.db3", NAMES)


def test_original_names(command: Command, kind: str) -> None:
    loaded(command, f"in.{kind}")
    repaired = command("export", "a.db3", "-o", "-").out
    original = command("export", "a.db3", "-o", "-", "--names", "file").out
    if kind == "pgn":
        assert '[White "Réti"]' in repaired
        assert '[OriginalWhite "RÃ©ti"]' in repaired
        assert original.count('[White "RÃ©ti"]') == 1
        assert original.count('[White "Réti"]') == 1
        assert "Original" not in original
    else:
        assert "PB[井山裕太]\n" in repaired
        assert f"ORIGINALPB[{GARBLED}]" in repaired
        assert original.count(f"PB[{GARBLED}]") == 2
        assert original.count("ORIGINAL") == 1  # that of the file


def test_equal_games_are_found(command: Command, kind: str) -> None:
    """They were not grouped because of their players' names."""
    loaded(command, f"in.{kind}")
    command("dedup", "a.db3", "--by", "moves+players")
    group = "SELECT ID FROM FlaggedGames WHERE DuplicateGroup IS NOT NULL ORDER BY ID"
    assert query("a.db3", group) == [(1,), (2,)]
    status, _, err = command(
        "export", "a.db3", "-o", f"k.{kind}", "--duplicates", f"d.{kind}", "--names", "file"
    )
    assert (status, err) == (0, "")
    both = Path(f"k.{kind}").read_text("utf-8") + Path(f"d.{kind}").read_text("utf-8")
    assert "exact copy of" in both
    assert both.count("RÃ©ti" if kind == "pgn" else GARBLED) == (1 if kind == "pgn" else 2)


def test_a_name_that_a_merge_replaced(command: Command, kind: str) -> None:
    """An original is written only in the place of its own repaired name."""
    loaded(command, f"in.{kind}")
    change("a.db3", "INSERT INTO Players (Name) VALUES ('Else, S')")
    side = "White" if kind == "pgn" else "Black"
    change("a.db3", f"UPDATE Games SET {side}ID = (SELECT max(ID) FROM Players) WHERE ID = 1")
    out = command("export", "a.db3", "-o", "-", "--names", "file").out
    if kind == "pgn":
        assert '[White "Else, S"]' in out
        assert '[OriginalWhite "RÃ©ti"]' in out
    else:
        assert "\nPB[Else, S]" in out
        assert f"ORIGINALPB[{GARBLED}]" in out


def test_original_names_in_tables(command: Command, kind: str) -> None:
    loaded(command, f"in.{kind}")
    garbled = "RÃ©ti" if kind == "pgn" else GARBLED
    hashes, counts = [], []
    for names in ("file", "merged"):
        assert command("export", "a.db3", "-o", f"{names}.csv", "--names", names).status == 0
        with open(f"{names}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        hashes.append([(row["CoreHash"], row["GameHash"]) for row in rows])
        sides = [row[side] for row in rows for side in ("White", "Black")]
        counts.append(sides.count(garbled))
    assert counts == ([1, 0] if kind == "pgn" else [2, 0])
    assert hashes[0] == hashes[1]
