"""Results in odd spellings: forfeits, signs that are evaluations, too, words, "0-0"."""

from __future__ import annotations

import json

import pytest

from tests.support.pgn_text import game
from tests.support.reading import read

CASTLING = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"
ROOKS = {"FEN": "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "SetUp": "1"}

CASES = [
    # movetext, tags; result, plies, extra tags; NAGs
    ("+/-", {"Result": "+/-"}, "1-0", 0, {"OriginalResult": "+/-"}, []),
    ("- / +", {}, "0-1", 0, {"MovetextResult": "- / +"}, []),
    ("{Black was ill} +--", {}, "1-0", 0, {"MovetextResult": "+--"}, []),
    ("--+", {"Result": "0-1"}, "0-1", 0, {"MovetextResult": "--+"}, []),
    ("+:-", {"Result": "*"}, "1-0", 0, {"MovetextResult": "+:-"}, []),
    ("-:+", {"Result": "-:+"}, "0-1", 0, {"OriginalResult": "-:+"}, []),
    ("=", {"Result": "="}, "1/2-1/2", 0, {"OriginalResult": "="}, []),
    ("*", {"Result": "+/-"}, "1-0", 0, {"OriginalResult": "+/-"}, []),
    ("+/-", {"Result": "0-1"}, "0-1", 0, {"MovetextResult": "+/-"}, []),
    ("0-0", {"Result": "0-0"}, "*", 0, {"OriginalResult": "0-0"}, []),
    ("0:0", {"Result": "*"}, "*", 0, {"MovetextResult": "0:0"}, []),
    ("-:-", {"Result": "-:-"}, "*", 0, {"OriginalResult": "-:-"}, []),
    ("1F-0F", {}, "1-0", 0, {"MovetextResult": "1F-0F"}, []),
    ("0-1F", {"Result": "0-1F"}, "0-1", 0, {"OriginalResult": "0-1F"}, []),
    ("1-0 (w.o.)", {"Result": "1-0"}, "1-0", 0, {"MovetextResult": "1-0 (w.o.)"}, []),
    ("1. e4 e5 0-1 forfait", {"Result": "0-1"}, "0-1", 2, {"MovetextResult": "0-1 forfait"}, []),
    ("1. e4 e5 +/-", {}, "*", 2, None, [16]),
    ("1. e4 e5 +/-", {"Result": "*"}, "*", 2, None, [16]),
    ("1. e4 e5 +/-", {"Result": "0-1"}, "0-1", 2, None, [16]),
    ("1. e4 e5 +/-", {"Result": "+/-"}, "1-0", 2, {"OriginalResult": "+/-"}, []),
    ("1. e4 e5 -+", {"Result": "0-1"}, "0-1", 2, {"MovetextResult": "-+"}, []),
    ("1. e4 e5 *", {"Result": "+/-"}, "*", 2, {"OriginalResult": "+/-"}, []),
    ("1. e4 +/- e5 = 1/2-1/2", {"Result": "="}, "1/2-1/2", 2, {"OriginalResult": "="}, [16, 10]),
    ("1. e4 e5 White wins", {}, "1-0", 2, {"MovetextResult": "White wins"}, []),
    ("1. e4 e5 Remis", {"Result": "Remis"}, "1/2-1/2", 2, {"OriginalResult": "Remis"}, []),
    ("1. e4 e5 Ничья", {}, "1/2-1/2", 2, {"MovetextResult": "Ничья"}, []),
    ("1. e4 e5 0-0", {}, "*", 2, {"MovetextResult": "0-0"}, []),
    (f"{CASTLING} 0-0", {}, "*", 7, None, []),
    (f"{CASTLING} 0-0", {"Result": "0-0"}, "*", 6, {"OriginalResult": "0-0"}, []),
    (f"{CASTLING} 0-0 0-0", {"Result": "0-0"}, "*", 7, {"OriginalResult": "0-0"}, []),
    ("0-0", ROOKS, "*", 1, None, []),
    ("0-0", {**ROOKS, "Result": "0-0"}, "*", 0, {"OriginalResult": "0-0"}, []),
]  # fmt: skip


@pytest.mark.parametrize("following", ["", game("1. d4 d5 2. c4 e6")])
@pytest.mark.parametrize(("movetext", "tags", "result", "plies", "extra", "nags"), CASES)
def test_odd_results(movetext, tags, result, plies, extra, nags, following: str) -> None:
    reading = read(game(movetext, **tags) + following)
    first = reading.games[0]
    assert (first["Result"], first["PlyCount"]) == (result, plies)
    assert json.loads(first["ExtraTags"] or "null") == extra
    assert [row[3] for row in reading.annotations] == nags
    assert [row[2] for row in reading.comments] == ["Black was ill"] * movetext.count("ill")
    assert not reading.faults


@pytest.mark.parametrize(
    ("movetext", "comment"),
    [
        ("1. e4 e5 1-0 White won on time", "White won on time"),
        ("1. e4 e5 1-0 (time)", "(time)"),
        ("1. e4 e5 drawn {x} 1/2-1/2", "drawn"),
        ("1. e4 e5 unclear", "unclear"),
    ],
)
def test_remarks_stay_comments(movetext: str, comment: str) -> None:
    reading = read(game(movetext))
    assert reading.comments[0][2] == comment
    assert reading.games[0]["ExtraTags"] is None


def test_a_result_in_words_is_the_last_text_of_a_game() -> None:
    reading = read(game("1. e4 e5 draw\n2. Nf3 Nc6 *") + game("1. e4 +- (1. d4) *"))
    assert reading.plies == [4, 1]
    assert reading.comments == [(1, 1, "draw", 0)]
    assert [row[3] for row in reading.annotations] == [18, None]
