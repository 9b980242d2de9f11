"""Braces in variations: an export is read back with the comments and variations that it had."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ocgdedup.cli.main import run
from ocgdedup.pgn.variation_text import standard_variation
from ocgdedup.store import games as store_games
from tests.support.command_line import Command
from tests.support.databases import Row, change, query, value
from tests.support.pgn_text import game

PIECES = ("{", "}", "(", ")", ",", "=", "$5", "$5 ", "N", ";", "%", " ", "x", "5. e5", "é",
          "{ :-} }", "[%clk 1]", "1-0")  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
braced = texts.map("{{{}}}".format)
gaps = st.sampled_from(["", " ", " } ", " $7 ", ", ", " = "]) | braced
variations = st.tuples(gaps, gaps, gaps, gaps, gaps).map(
    lambda gap: "({} 1. d4 {} 1... d5 {} (1... Nf6 {}) {})".format(*gap)
)
annotations = st.lists(variations | braced | texts.map(";{}\n".format), max_size=3).map(" ".join)
movetexts = st.tuples(annotations, annotations).map(lambda two: "1. e4 {} e5 {} *".format(*two))


def content(path: str) -> tuple[list[Row], ...]:
    order = "ORDER BY GameID, Ply, Position"
    return (
        query(path, f"SELECT GameID, Ply, Position, NAG, Variation FROM Annotations {order}"),
        query(path, f"SELECT GameID, Ply, Position, Comment FROM Comments {order}"),
        query(path, "SELECT ID, GameHash, Moves2 FROM Games ORDER BY ID"),
    )


@settings(max_examples=60)
@example("1. e4 (1. d4 {p {q} = r, (see 3. Nc3} 1... d5, 2. Nf3) e5 *")
@example("1. e4 {a {b} (1. d4 {c {d} } d5) e5 (1... c5 {e { f}) *")
@example("1. e4 ; a { b\n (1. d4 } d5 ({c {)} 1... Nf6)) e5 *")
@example("1. e4 (1. d4 ({a {b} c} $1 1. c4) d5 $2}) e5 *")
@given(movetexts)
def test_annotations_stay(movetext: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, first, out, second = (
            str(Path(folder) / name) for name in ("in.pgn", "a.db3", "out.pgn", "b.db3")
        )
        Path(source).write_text(game(movetext) + game("1. d4 d5 *"), encoding="utf-8")
        run(["create", first, source, "-q"])
        assume(value(first, "SELECT (SELECT count(*) FROM Faults) + count(*) FROM Rejects") == 0)
        run(["export", first, "-o", out, "-q"])
        assert run(["create", second, out, "-q"]) == 0
        notes, comments, games = content(first)
        standard = [(*note, text and standard_variation(text)) for *note, text in notes]
        assert content(second)[:2] == (standard, comments)
        if standard == notes:
            assert content(second)[2] == games


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stored(command: Command, movetext: str) -> None:
    Path("in.pgn").write_text(game(movetext), encoding="utf-8")
    assert command("create", "a.db3", "in.pgn").status == 0


@pytest.mark.parametrize(
    "movetext",
    [
        "1. d4 {one { two} (1. c4 {three { four} 1... c5 {five}) 1... d5 *",
        "1. d4 (1. Nf3 {wink ;-} } 1... Nf6) 1... d5 *",
        "1. d4 (1. Nf3 } 1... Nf6) 1... d5 (1... f5 {a {{ b}) *",
        "1. d4 (1. Nf3 {a {b (} } 1... Nf6 ({c {)} 1... f5)) 1... d5 *",
    ],
)
def test_what_was_imported_is_exported_and_no_fault(
    command: Command, folder: Path, movetext: str
) -> None:
    stored(command, movetext)
    assert command("check", "a.db3").status == 0
    assert f"\n{movetext}\n" in command("export", "a.db3", "-o", "-", "--width", "0").out


def test_nested_braces_do_not_end_a_comment(command: Command, folder: Path) -> None:
    stored(command, "1. d4 (1. c4 {u {v} += w, (2. Nc3} 1... c5, 2. g3) 1... d5 *")
    out = command("export", "a.db3", "-o", "-", "--width", "0").out
    assert "1. d4 (1. c4 {u {v} += w, (2. Nc3} 1... c5 2. g3) 1... d5 *" in out
    out = command("export", "a.db3", "-o", "-", "--strip", "comments").out
    assert "1. d4 (1. c4 c5 2. g3) 1... d5 *" in out


@pytest.mark.parametrize("in_parts", [False, True])
def test_a_brace_is_not_closed_in_a_later_annotation(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, in_parts: bool
) -> None:
    """Texts of two games may come together in one, for example after a merge."""
    if in_parts:
        monkeypatch.setattr(store_games, "NOTES_BYTES", 1)
        monkeypatch.setattr(store_games, "_PART_NOTES", 1)
    stored(command, "1. d4 {m} (1. c4 {a { b} c5) 1... d5 (1... f5 2. c4) 2. Nf3 {n} *")
    change("a.db3", "UPDATE Annotations SET Variation = '1... f5 }' WHERE Ply = 1")
    change("a.db3", "UPDATE Comments SET Comment = 'm { x' WHERE Comment = 'm'")
    assert command("export", "a.db3", "-o", "out.pgn", "--width", "0").status == 0
    text = Path("out.pgn").read_text()
    assert "1. d4 ;m { x\n(1. c4 {a ( b} c5) 1... d5 (1... f5 }) 2. Nf3 {n} *" in text
    assert command("create", "b.db3", "out.pgn").status == 0
    assert query("b.db3", "SELECT Comment FROM Comments") == [("m { x",), ("n",)]
    assert value("b.db3", "SELECT count(*) FROM Annotations") == 2
