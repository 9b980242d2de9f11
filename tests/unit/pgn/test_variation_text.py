"""Variations as PGN's standard has them: what other programs do not read is written away."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from ocgdedup.pgn.variation_text import (
    SIGNS,
    closed_variation,
    has_open_brace,
    is_open,
    paired_variation,
    standard_variation,
)
from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.pgn_text import game


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("15. Bc1, Qf2+ 16. Kh1, Bg4 , 17. Qd2", "15. Bc1 Qf2+ 16. Kh1 Bg4 17. Qd2"),
        ("15. Bc1 {a, b += N (c, d)} Qf2", "15. Bc1 {a, b += N (c, d)} Qf2"),
        ("15. Bc1 += (15. Nb1 +/- g6 N) g5 =", "15. Bc1 $14 (15. Nb1 $16 g6 $146) g5 $10"),
        ("1. e4 ! ± 1... e5 $10.", "1. e4 $1 $16 1... e5 $10"),
        ("1. e4 + e5", "1. e4 e5"),
        ("34. Rxf3 $20}", "34. Rxf3 $20"),
        ("$142 18. Bc4 b5 ($1 $2 18... e5) 19. Qc3", "18. Bc4 $142 b5 (18... e5 $1 $2) 19. Qc3"),
        ("1... c5 1-0 (1... e6 1/2-1/2 {x}) *", "1... c5 {1-0} (1... e6 {1/2-1/2} {x}) {*}"),
        ("1... O-O 0-1 2. O-O-O {1-0} ½-½", "1... O-O {0-1} 2. O-O-O {1-0} {½-½}"),
        ("{a} $18 1.. Kc7 2. Ke7", "{a} 1.. Kc7 $18 2. Ke7"),
        ("$1 18.Bc4", "18.Bc4 $1"),
        ("1. e4 {x ($5 1. d4)} e5", "1. e4 {x ($5 1. d4)} e5"),
        ("1. e8=Q -- 2. O-O+ Nf3", "1. e8=Q -- 2. O-O+ Nf3"),
        ("1. Nf3, {open, (", "1. Nf3 {open, ("),
        ("1. e4, {a {b} c, (see $5 c5 =} e5, =}", "1. e4 {a {b} c, (see $5 c5 =} e5 $10"),
        ("{a {b} c} $1 1. e4 ({d {e} (f) } $2 1. d4}, d5)",
         "{a {b} c} 1. e4 $1 ({d {e} (f) } 1. d4} $2 d5)"),
        ("1. e4 {a { b} c5 = } d5, {e}", "1. e4 {a { b} c5 = } d5 {e}"),
        ("1. e4 } , e5} $4} {a}", "1. e4 } e5} $4 {a}"),
        ("", ""),
    ],
)  # fmt: skip
def test_standard(text: str, expected: str) -> None:
    assert standard_variation(text) == expected
    assert standard_variation(expected) == expected


@pytest.mark.parametrize(
    "text", ["1. e4  e5 (1... c5 {good, very good} ) 2. Nf3 $1", "12... c5!? 13.a4+ --"]
)
def test_sound_ones_are_not_touched(text: str) -> None:
    assert standard_variation(text) == text


# Texts of variations that are not read to their end, and what is written.
OPEN = {
    "e4 {a": "e4 {a}",
    "e4 {": "e4 {}",
    "e4 { a { b": "e4 { a ( b}",
    "e4 {{a} {b": "e4 {(a} {b}",
    "e4) d5 (c5": "e4  d5 (c5)",
    "e4 ; {a) }": "e4   {a) }",
    "e4 (c5 } {a { b}": "e4 (c5   {a ( b})",
    "e4 {a {b} " + "é" * 511 + " } )": "e4 {a (b} " + "é" * 511 + "    ",
}
CLOSED = [
    "e4 {a { b} c5", "e4 {a} } c5", "e4 {a {b (} } ({)} c5)", "(((e4)))", "{;} e4 {a {b} )}",
    "e4 } {a { b}", "", "}", "e4 {a {b} " + "é" * 509 + ") } d5",
]  # fmt: skip


@pytest.mark.parametrize("text", OPEN)
def test_open_variations_are_closed(text: str) -> None:
    assert is_open(text)
    assert closed_variation(text) == OPEN[text]
    assert not is_open(OPEN[text])


@pytest.mark.parametrize("text", CLOSED)
def test_closed_variations_are_not_touched(text: str) -> None:
    assert not is_open(text)
    assert closed_variation(text) == text


def test_line_ends_between_moves_are_blanks() -> None:
    text = "e4 {a\r\n\n b} \n(c5 {d { e})\r"
    assert not is_open(text)
    assert closed_variation(text) == "e4 {a\r\n\n b} (c5 {d { e}) "


@pytest.mark.parametrize(
    ("text", "paired"),
    [
        ("e4 {a { b} c5 }", "e4 {a { b} c5 }"),
        ("e4 } {a { b}", "e4   {a ( b}"),
        ("e4 {a {{ b} c5 } (d5 {e}", "e4 {a (( b} c5   (d5 {e})"),
        ("e4 {a {b} c}", "e4 {a {b} c}"),
    ],
)
def test_paired_braces(text: str, paired: str) -> None:
    assert has_open_brace(text) == (text != paired)
    assert paired_variation(text) == paired


def test_signs_are_those_of_the_kernel(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = (game(f"1. e4 e5 2. Nf3 {sign} Nc6 *", Sign=sign) for sign in SIGNS)
    Path("in.pgn").write_text("".join(texts), encoding="utf-8")
    command("create", "a.db3", "in.pgn", "-q")
    sql = (
        "SELECT ExtraTags ->> 'Sign', Annotations.NAG, PlyCount FROM Games "
        "LEFT JOIN Annotations ON GameID = Games.ID ORDER BY Games.ID"
    )
    assert query("a.db3", sql) == [(sign, number, 4) for sign, number in SIGNS.items()]


def test_python_chess_reads_them(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    variation = "$142 1. d4, d5 += 2. c4, ($5 2. Nf3 {a, b}) dxc4 N 3. e3"
    Path("in.pgn").write_text(game(f"1. e4 ({variation}) 1... e5 *"))
    command("create", "a.db3", "in.pgn", "-q")
    for arguments in (["export", "a.db3", "-o", "-"], ["printpgn", "a.db3", "-g", "1"]):
        out = command(*arguments).out
        assert "(1. d4 $142 d5 $14 2. c4 (2. Nf3 $5 {a, b}) dxc4 $146 3. e3)" in out.replace(
            "\n", " "
        )
        read = chess.pgn.read_game(io.StringIO(out))
        assert read is not None
        assert read.errors == []
        result = read.variations[1]
        assert (result.nags, result.next().nags) == ({142}, {14})
