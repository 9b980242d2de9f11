"""What is left out of comments and variations, and what is not."""

from __future__ import annotations

import pytest

from ocgdedup.pgn.strip import CLOCK_MARKS, AnnotationFilter, Stripper

CLOCKS = Stripper(AnnotationFilter(marks=CLOCK_MARKS))
COMMENTS = Stripper(AnnotationFilter(comments=True))
NAGS = Stripper(AnnotationFilter(nags=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good", "good"),
        (" blanks  stay ", " blanks  stay "),
        ("[%clk 0:10:00]", None),
        (" [%clk 0:10:00]  [%emt 1] ", None),
        ("[%clk 1] good", "good"),
        ("good [%clk 1]", "good"),
        ("so [%clk 1] good", "so good"),
        ("so[%mct 1]good", "so good"),
        ("[%clk 0:10:00][%eval 0.17]", "[%eval 0.17]"),
        ("[%eval 1] [%egt 2] [%csl Ra1]", "[%eval 1] [%csl Ra1]"),
        ("[%emt\n0:01]", None),
        ("[%clkx 1] [%clock] [clk 1] %clk", "[%clkx 1] [%clock] [clk 1] %clk"),
        ("[%clk 1", "[%clk 1"),
        ("", ""),
    ],
)
def test_marks_in_comments(text: str, expected: str | None) -> None:
    assert CLOCKS.comment(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. e4 {a} 1... e5", "1. e4 e5"),
        ("1. e4 {a} 1...e5", "1. e4 1...e5"),  # legal, and no word of its own
        ("{a} 1... e5 {b} 2. d4", "1... e5 2. d4"),
        ("1. e4 {a (b) c} (1. d4 {)} 1... d5) 1... e5", "1. e4 (1. d4 d5) 1... e5"),
        ("1. e4 {a {b} 1... e5", "1. e4 e5"),
        ("1. e4 ( {x} 1. d4 ) e5 {open", "1. e4 (1. d4) e5"),
        ("1. e4 {a {b} c} (1. d4 {d {e (} f} 1... d5) e5", "1. e4 (1. d4 d5) e5"),
        ("1. e4 {a {b } 1... e5 } 2. d4", "1. e4 2. d4"),
        ("1. e4 {a} } e5", "1. e4 } e5"),
    ],
)
def test_comments_in_variations(text: str, expected: str) -> None:
    assert COMMENTS.variation(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. e4 $1 e5!? $10 2. d4$14 {$1 good!}", "1. e4 e5 2. d4 {$1 good!}"),
        ("1. e4 -- 2. d4", "1. e4 -- 2. d4"),
        ("1. e8=Q+ Kxe8 2. O-O-O#!!", "1. e8=Q+ Kxe8 2. O-O-O#"),
        ("1. e4 ! ?", "1. e4"),
    ],
)
def test_nags_in_variations(text: str, expected: str) -> None:
    assert NAGS.variation(text) == expected


def test_marks_in_variations() -> None:
    text = "1. e4 {[%clk 1]} 1... e5 (1... c5 {x [%clk 2]}) 2. Nf3 {[%eval 1] [%clk 3]} 2... Nc6"
    assert CLOCKS.variation(text) == (
        "1. e4 e5 (1... c5 {x}) 2. Nf3 {[%eval 1]} 2... Nc6"
    )  # fmt: skip


def test_nested_braces_in_variations() -> None:
    text = "1. e4 {a {$1 !} [%clk 1] b} $2 e5! {c { $3}"
    assert NAGS.variation(text) == "1. e4 {a {$1 !} [%clk 1] b} e5 {c { $3}"
    assert CLOCKS.variation(text) == "1. e4 {a {$1 !} b} $2 e5! {c { $3}"


def test_what_has_nothing_to_leave_out_stays_as_it_is() -> None:
    text = "1. e4  {a}  ( 1. d4 )"
    assert CLOCKS.variation(text) is text
    assert CLOCKS.variation("e4  {[%eval 1]}") == "e4  {[%eval 1]}"
    assert Stripper(AnnotationFilter()).comment("[%clk 1]") == "[%clk 1]"
    assert Stripper(AnnotationFilter(variations=True)).variation(text) is None
