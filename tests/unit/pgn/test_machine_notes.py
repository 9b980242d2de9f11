"""What programs write into comments and variations, and the words of people beside it."""

from __future__ import annotations

import time

import pytest

from ocgdedup.pgn.machine_notes import (
    EVALUATION,
    SHAPES,
    VERDICT,
    best_move,
    machine_parts,
    read_line,
    without_parts,
    words_of,
)


@pytest.mark.parametrize(
    ("comment", "kinds"),
    [
        ("[%eval 0.35]", [EVALUATION]), ("[%eval #-3]", [EVALUATION]),
        ("[%eval 25,18] [%emt 0:00:30]", [EVALUATION, "emt"]),
        ("[%evp 0,2,19,-13,14]", [EVALUATION]), ("[%wdl 120,800,80]", [EVALUATION]),
        ("[%clk 0:03:00.4][%timestamp 12]", ["clk", "timestamp"]),
        ("[%clk\n0:03:00]", ["clk"]), ("[%egt 1:00:00]", ["egt"]), ("[%mct 17:10:42]", ["mct"]),
        ("[%csl Ga4,Rb5][%cal Re2e4]", [SHAPES, SHAPES]),
        ("[%c_arrow e2e4;keyPressed;none]", [SHAPES]),
        ("(0.18 → 1.10) Mistake. Nc6 was best.", [VERDICT]),
        ("(-0.05 -> #4) Blunder. Qxh7+ was best.", [VERDICT]),
        ("(Mate in 5 → 2.10) Lost forced checkmate sequence. Rd8# was best.", [VERDICT]),
        ("Checkmate is now unavoidable. Kg1 was best.", [VERDICT]), ("Mistake.", [VERDICT]),
        ("Inaccuracy. The best move was c4.", [VERDICT]), ("Blunder. O-O-O was best.", [VERDICT]),
        ("Not the best checkmate sequence. e8=Q+ was best.", [VERDICT]),
        ("[%eval 1.2] Inaccuracy. Best move was Nf3.", [EVALUATION, VERDICT]),
        ("INACCURACY (-0.79)", [VERDICT]), ("BLUNDER (-M4)", [VERDICT]),
        ("+0.35/18 1.2s", [EVALUATION]), ("-M5/30 0.1s", [EVALUATION]),
        ("(Nf3) +0.12/20 15s", [EVALUATION]), ("(e7e5 g1f3) -0.02/12/30, 2.5 s", [EVALUATION]),
        ("0.25/15 30", [EVALUATION]), ("+0.35", [EVALUATION]), (" book ", [EVALUATION]),
        ("d=26, sd=44, mt=869, tl=17, pv=f4 e8=Q h6, R50=50, mb=+0+0+0+0+0,", [EVALUATION]),
    ],
)  # fmt: skip
def test_machine_made_comments(comment: str, kinds: list[str]) -> None:
    assert [part.kind for part in machine_parts(comment)] == kinds
    assert words_of(comment) == ""
    assert without_parts(comment, machine_parts(comment)) == ""
    assert without_parts(comment, ()) == comment.strip()


@pytest.mark.parametrize(
    "words",
    [
        "A mistake. Nf3 was best here, said Tal.", "Mistake. He should castle.", "Nf3 was best",
        "He scored 4.5/6", "4.5/6", "12.5", "1-0", "book move since 1950", "Blunder!", "[%tqu 1,2]",
        "[%evaluated 1]", "[%clk 1", "K", "(1950 was better)", "1) a=b, 2) c", "x=1", "+/-",
    ],
)  # fmt: skip
def test_words_of_people(words: str) -> None:
    assert machine_parts(words) == []
    assert words_of(words) == words


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("[%eval 0.3] Fine. [%clk 0:01:00]", "Fine."),
        ("Strong [%eval 0.3] move", "Strong move"),
        ("+M1/2 0.001s, White mates", "White mates"),
        ("(0.1 → 0.9) Inaccuracy. c4 was best. I saw it too late", "I saw it too late"),
    ],
)
def test_words_beside_machine_made_text(comment: str, words: str) -> None:
    assert without_parts(comment, machine_parts(comment)).split() == words.split()


def test_only_some_parts_are_left_out() -> None:
    comment = "[%eval 0.3] Fine. [%clk 0:01:00]"
    evaluation, clock = machine_parts(comment)
    assert without_parts(comment, {evaluation}) == "Fine. [%clk 0:01:00]"
    assert without_parts(comment, {clock}) == "[%eval 0.3] Fine."


def test_best_moves() -> None:
    for comment in ("Mistake. Nc6+ was best.", "Inaccuracy. The best move was Nc6."):
        assert best_move(machine_parts(comment)) == "Nc6"
    assert best_move(machine_parts("Mistake.")) is None


def test_variations() -> None:
    line = read_line("2... Nc6! {[%eval 0.2]} 3. Bb5 $1 a6 (3... d6 {[%clk 0:01]})")
    assert line == (("Nc6!", "Bb5", "$1", "a6", "(", "d6", ")"), "Nc6", False, True)
    assert read_line("2... Nc6! 3. Bb5 $1 a6 (3... d6)").moves_and_words == line.moves_and_words
    assert read_line("2. d4 {as {Tal} says} {[%eval 1.0] good}").has_words


@pytest.mark.parametrize(
    "hostile",
    [
        "]" * 50_000, "[%clk " * 20_000, "a=b]" * 20_000, "]a=x]b=y," * 9_000, "(" * 50_000 + "→",
        "Mistake. best was " + "a" * 50_000, "Mistake." * 9_000, "]" + " " * 50_000 + "x",
        "(a)" * 20_000 + "+0.1", "1" * 50_000 + "/", "d=26, " * 9_000 + "}",
    ],
)  # fmt: skip
def test_time_does_not_grow_with_the_square_of_the_length(hostile: str) -> None:
    start = time.perf_counter()
    parts = machine_parts(hostile)
    words_of(hostile)
    best_move(parts)
    read_line(f"{{{hostile}}}")
    assert time.perf_counter() - start < 2
