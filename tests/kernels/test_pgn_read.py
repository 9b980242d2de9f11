"""Beginnings and ends of games, their annotations and faults."""

from __future__ import annotations

import json

import chess
import chess.polyglot
import pytest

from ocgdedup._kernels import chess as chess_kernel
from tests.support.reading import Fault, numbered, read

TAGS = '[Event "E"]\n[White "W"]\n[Black "B"]\n\n'
NEXT = '\n[Event "Next"]\n[White "X"]\n[Black "Y"]\n\n1. d4 d5 1/2-1/2\n'
RUY = "1. e4 e5 2. Nf3 Nc6 "
RUY_UCI = "e2e4 e7e5 g1f3 b8c6"


@pytest.mark.parametrize(
    ("ending", "result"),
    [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("*", "*"),
        ("", "*"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("1:0", "1-0"),
        ("1 - 0", "1-0"),
        ("0 - 1", "0-1"),
        ("1–0", "1-0"),
        ("1—0", "1-0"),
        ("1−0", "1-0"),
        ("1-0 forfeit", "1-0"),
        ("1-0 {White wins}", "1-0"),
        ("0-1 0-1", "0-1"),
        ("0-1\n0-1", "0-1"),
        ("Black resigns 1-0", "1-0"),
        ("0-0", "*"),
    ],
)
def test_endings(ending: str, result: str) -> None:
    reading = read(f"{TAGS}{RUY}{ending}\n{NEXT}")
    assert reading.uci == [RUY_UCI, "d2d4 d7d5"]
    assert reading.games[0]["Result"] == result
    assert not reading.faults
    assert not reading.rejects


@pytest.mark.parametrize("text", ["", "\n \t\r\n", "\ufeff", "\0\0", "\x1a"])
def test_empty_file(text: str) -> None:
    reading = read(text)
    assert not reading.games
    assert not reading.rejects


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("1. e4 e5 1-0", [2]),
        ("1. e4 e5", [2]),
        ("1. e4 e5 1-0\n1. d4 0-1\n", [2, 1]),
        ("1. e4 e5\n\n1. d4 d5 2. c4\n", [2, 3]),
        ("1. e4 e5 1-0 2. Nf3 Nc6 1-0\n", [4]),
        ("1-0 1. e4 e5 2. Nf3 1-0\n", [3]),
        ("1. e4 e5\n\n2. Nf3\n\n1-0\n", [3]),
    ],
)
def test_games_without_tags(text: str, plies: list[int]) -> None:
    assert read(text).plies == plies


def test_many_games_of_each_layout() -> None:
    text = (TAGS + RUY + "1-0\n\n") * 30 + "\ufeff" + TAGS + "1. d4\r\n\r\n" + TAGS
    reading = read(text)
    assert reading.plies == [4] * 30 + [1, 0]
    assert [game["SourceNumber"] for game in reading.games] == list(range(1, 33))


def test_two_thousand_plies() -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 500
    assert read(TAGS + numbered(moves) + " *").plies == [2000]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    text = TAGS + "1. e4\ne5 ; remark\n2. Nf3 {a\n\nb\n} (2. f4\nexf4 {c\nd}) Nc6\n\n" + NEXT
    reading = read(text.replace("\n", newline))
    assert reading.uci == [RUY_UCI, "d2d4 d7d5"]
    assert [row[1:] for row in reading.comments] == [(1, " remark", 0), (2, "a\n\nb\n", 0)]
    assert reading.annotations == [(1, 2, 1, None, "2. f4 exf4 {c\nd}")]


def test_line_ends_in_comments_do_not_change_the_hash() -> None:
    """Programs wrap comments at different columns."""
    game = TAGS + "1. e4 {{öne{0}two{0}three}} e5 (1... c5 {{four{0}five}}) *\n"
    hashes = {
        read(game.format(line_end).encode(charset)).games[0]["GameHash"]
        for charset in ("utf-8", "latin-1")
        for line_end in (" ", "\n", "\r\n")
    }
    assert len(hashes) == 1


# Comments, variations, NAGs


def test_comment_of_a_megabyte() -> None:
    comment = "x" * (1 << 20)
    reading = read(f"{TAGS}1. e4 {{{comment}}} e5 1-0\n{NEXT}")
    assert reading.plies == [2, 2]
    assert reading.comments == [(1, 0, comment, 0)]


def test_variations_fifty_deep() -> None:
    text = " (1... c5" * 50 + " {deep}" + ")" * 50
    reading = read(f"{TAGS}1. e4 e5{text} 2. Nf3 1-0\n")
    assert reading.plies == [3]
    assert reading.annotations[0][4] == text[2:-1]
    assert reading.games[0]["HasVariations"] == 1


def test_annotations_keep_their_order() -> None:
    text = "{before} 1. e4 $1 {one} (1. d4 {in} d5) {two} $2 1... e5! ;three\n2. Nf3 N +/- 1-0"
    reading = read(TAGS + text)
    comments = [(0, "one", 1), (0, "two", 3), (1, "three", 1)]
    assert [row[1:] for row in reading.comments] == [(-1, "before", 0), *comments]
    assert [row[1:] for row in reading.annotations] == [
        (0, 0, 1, None),
        (0, 2, None, "1. d4 {in} d5"),
        (0, 4, 2, None),
        (1, 0, 1, None),
        (2, 0, 146, None),
        (2, 1, 16, None),
    ]


@pytest.mark.parametrize(
    ("sign", "nag"),
    [
        ("!", 1),
        ("?", 2),
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("$40", 40),
        ("N", 146),
        ("=", 10),
        ("+=", 14),
        ("=+", 15),
        ("+/-", 16),
        ("±", 16),
        ("-/+", 17),
        ("+-", 18),
        ("-+", 19),
        ("∞", 13),
        ("⩲", 14),
    ],
)
def test_nag_glyphs(sign: str, nag: int) -> None:
    reading = read(f"{TAGS}1. e4 {sign} e5 2. Nf3 *")
    assert reading.annotations == [(1, 0, 0, nag, None)]
    assert reading.plies == [3]


@pytest.mark.parametrize(
    "inside",
    [
        "{a } b}",
        "{a {b} c}",
        "{a ( b}",
        "(1. d4 {a ) b ( c} d5)",
        "(1. d4 ; a ) b\nd5)",
        "(1. d4\n% hidden ) text\nd5)",
        "; a } b { c ( d\n",
        "\n% e5 e5 e5\n",
        "{}",
        "()",
        ")",
        "}",
        '{see\n[Event "Foo"]\nfor more}',
        '{see\n\n[Event "Foo"]\n\nfor more}',
        "{\n[%clk 0:01:00]\n[%eval 0.1] }",
        "[%clk 0:01]",
    ],
)
def test_signs_inside_signs(inside: str) -> None:
    reading = read(f"{TAGS}1. e4 {inside} e5 1-0\n{NEXT}")
    assert reading.plies == [2, 2]
    assert not reading.faults


# Faults


@pytest.mark.parametrize("open_sign", ["{foo", "(1... c5 {foo", "({foo", "(1... Nf3 2. a4", "(foo"])
@pytest.mark.parametrize("ending", ["", " 1-0"])
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_an_unclosed_sign_costs_one_game(
    open_sign: str, ending: str, gap: str, newline: str
) -> None:
    first = f"{TAGS}1. e4 e5 {open_sign}{ending}{gap}"
    text = (first + NEXT.lstrip() + NEXT.replace("d5", "{ok} (1... f5) d5")).replace("\n", newline)
    reading = read(text)
    assert reading.plies == [2, 2, 2]
    assert reading.marked == [1]
    assert reading.faults[0].reason.endswith("is never closed")


@pytest.mark.parametrize(
    ("movetext", "uci", "result", "variations"),
    [
        ("1. e4 e5 (1... c5 2. Nf3 1-0", "e2e4 e7e5", "1-0", ["1... c5 2. Nf3"]),
        ("1. e4 e5 (1... c5 2. Nf3", "e2e4 e7e5", "*", ["1... c5 2. Nf3"]),
        ("1. e4 e5 (1... c5 {x) 1-0} 2. Nf3 *", "e2e4 e7e5", "*", ["1... c5 {x) 1-0} 2. Nf3"]),
        ("1. e4 e5 (1... c5 2. d3 d6 2. f4 d6 0-1", "e2e4 e7e5 f2f4 d7d6", "0-1",
         ["1... c5 2. d3 d6"]),
        ("1. e4 e5 2. f4 (2. d4 exd4 2... d6 1-0", "e2e4 e7e5 f2f4 d7d6", "1-0", ["2. d4 exd4"]),
        ("1. e4 e5 (1... c5 (1... e6 2. d4) 2. f4 1-0", "e2e4 e7e5", "1-0",
         ["1... c5 (1... e6 2. d4) 2. f4"]),
        ("1. e4 e5 (1... c5 (1... e6 2. d4 1-0", "e2e4 e7e5", "1-0", ["1... c5 (1... e6 2. d4"]),
        ("1. e4 e5 (1... c5 1-0 2. f4 d6 1/2-1/2", "e2e4 e7e5 f2f4 d7d6", "1/2-1/2", ["1... c5"]),
    ],
)  # fmt: skip
def test_unclosed_variation(movetext: str, uci: str, result: str, variations: list[str]) -> None:
    reading = read(f"{TAGS}{movetext}\n{NEXT}")
    assert not reading.faults
    assert reading.uci[0] == uci
    assert reading.plies[1:] == [2]
    assert reading.games[0]["Result"] == result
    assert [row[4] for row in reading.annotations] == variations
    assert not reading.comments


@pytest.mark.parametrize(
    ("variation", "count", "variations"),
    [("(", 400_000, 0), ("(e4 ", 150_000, 0), ("(1... c5 1-0 ", 500, 500),
     ("(1... c5 1-0 ", 150_000, 500)],
)  # fmt: skip
def test_many_unclosed_variations(variation: str, count: int, variations: int) -> None:
    """They took minutes when the rest of the game was searched for the end of each."""
    reading = read(f"{TAGS}1. e4 e5 {variation * count}\n{NEXT}")
    assert reading.plies == [2, 2]
    assert len(reading.annotations) == variations
    rest = (variation * (count - variations)).strip()
    assert [fault.rest for fault in reading.faults] == ([rest] if rest else [])


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "½-½", "*", "1-0 {resigns}", "* *"])
@pytest.mark.parametrize("ending", ["", " 1-0"])
def test_result_in_a_variation(result: str, ending: str) -> None:
    text = f"1... c5 2. Nf3 (2. d4 {result}) 2... d6 {result}"
    reading = read(f"{TAGS}1. e4 e5 ({text}) 2. Nf3{ending}\n{NEXT}")
    assert not reading.faults
    assert reading.plies == [3, 2]
    assert [row[4] for row in reading.annotations] == [text]
    assert reading.games[0]["Result"] == (ending.strip() or "*")


def test_variations_after_the_result() -> None:
    reading = read(f"{TAGS}1. e4 e5 1-0 (1... c5 2. Nf3) {{x}}\n\n(1... e6 0-1\n{NEXT}")
    assert not reading.faults
    assert reading.plies == [2, 2]
    assert [(row[1], row[4]) for row in reading.annotations] == [
        (1, "1... c5 2. Nf3"), (1, "1... e6"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "following",
    ['[Event "B"][White "y"] 1. d4 1-0\n', '\n[Event "B"]\n\n1. d4 {ok} 1-0\n'],
    ids=["on one line", "one tag only"],
)
def test_open_comment_before_few_tags(following: str) -> None:
    reading = read(f'[Event "A"][White "x"] 1. e4 {{foo 1-0\n{following}')
    assert [game["Event"] for game in reading.games] == ["A", "B"]
    assert reading.plies == [1, 1]
    assert reading.marked == [1]


@pytest.mark.parametrize(
    ("movetext", "ply", "reason", "rest"),
    [
        ("1. e4 e5\n2. Nf6 Nc6 1-0", 2, "illegal move Nf6", "Nf6 Nc6 1-0"),
        ("1. e4 e5\n2. Ke3 1-0", 2, "illegal move Ke3", "Ke3 1-0"),
        ("1. e4 e5\n2. O-O 1-0", 2, "illegal move O-O", "O-O 1-0"),
        ("1. e4 e5\n2. xx Nc6 1-0", 2, "unreadable move xx", "xx Nc6 1-0"),
        ("1. e4 e5\n2. P-K4 Nc6", 2, "unreadable move P-K4", "P-K4 Nc6"),
        ("1. d4 d5 2. Nf3 a6\n3. Nd2 a5 1-0", 4, "ambiguous move Nd2", "Nd2 a5 1-0"),
    ],
)
def test_fault_says_where_and_why(movetext: str, ply: int, reason: str, rest: str) -> None:
    reading = read(f"{TAGS}{RUY}1-0\n\n{TAGS}{movetext}\n{NEXT}")
    assert reading.faults == [Fault(2, 12, ply, reason, rest)]
    assert reading.plies == [4, ply, 2]
    assert reading.games[1]["Result"] == ("1-0" if rest.endswith("1-0") else "*")


# No kings, one king, two white kings, the side that has moved in check, no 8 ranks, 9 squares
UNPLAYABLE = [
    "8/p7/1p6/3p4/4p3/5p2/5p1p/8 w - - 0 1", "8/8/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/8/K3K3 b - - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "4k3/8 w",
    "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "x/y",
]  # fmt: skip


@pytest.mark.parametrize("fen", UNPLAYABLE)
def test_moves_after_an_unplayable_position_stay_as_text(fen: str) -> None:
    movetext = "{ first } 1. e4! $14 {second} 1...\nKd7 (1... c5 {c}) 2. x -- ; third\n1-0"
    reading = read(f'[Event "E"]\n[FEN "{fen}"]\n\n{movetext}\n{NEXT}')
    assert reading.plies == [0, 2]
    assert reading.games[0]["FEN"] == fen
    assert reading.games[0]["Result"] == "1-0"
    assert [(ply, text) for _, ply, text, _ in reading.comments] == [
        (-1, " first "), (-1, "1. e4! $14"), (-1, "second"), (-1, "1...\nKd7"),
        (-1, "(1... c5 (c))"), (-1, "2. x --"), (-1, " third"),
    ]  # fmt: skip
    reason = "the FEN tag is not a legal position"
    assert reading.faults == [Fault(1, 4, 0, reason, "")]


@pytest.mark.parametrize("fen", UNPLAYABLE)
def test_lesson_on_an_unplayable_position_is_no_fault(fen: str) -> None:
    other = fen + " ?"
    text = "".join(f'[Event "E"]\n[FEN "{f}"]\n\n{{ text }} *\n\n' for f in (fen, other, fen))
    reading = read(text + NEXT)
    assert not reading.faults
    assert [game["FEN"] for game in reading.games] == [fen, other, fen, None]
    assert [row[2] for row in reading.comments] == [" text "] * 3
    for column in ("MoveHash", "FinalZobrist", "GameHash"):
        first, second, third, last = (game[column] for game in reading.games)
        assert first == third
        assert len({first, second, last}) == 3
    stored = chess_kernel.keys_of(b"", fen)
    assert stored == reading.keys[0][1:]
    assert chess_kernel.start_epd(fen) != chess_kernel.start_epd(other)
    assert chess_kernel.final_fen(b"", fen) == fen
    assert chess_kernel.board_result(b"", fen) is None
    with pytest.raises(ValueError, match="not a legal position"):
        chess_kernel.decode_san(b"\x0c\x07", fen)


@pytest.mark.parametrize("fen", ["foo bar", "startpos", "1", "8/8/é", "a\\\\/b"])
def test_text_that_is_no_board_leaves_the_moves(fen: str) -> None:
    reading = read(f'[Event "E"]\n[FEN "{fen}"]\n\n1. e4 1-0\n{NEXT}')
    assert reading.plies == [1, 2]
    assert not reading.faults
    assert reading.games[0]["FEN"] is None
    assert json.loads(reading.games[0]["ExtraTags"])["OriginalFEN"] == fen.replace("\\\\", "\\")


@pytest.mark.parametrize(
    "fields", ["", " w", " w KQkq", " w KQkq -", " w KQkq - 0", "  w  KQkq  -"]
)
def test_fen_with_fields_left_out(fields: str) -> None:
    board = chess.STARTING_BOARD_FEN
    assert read(f'[FEN "{board}{fields}"]\n\n1. e4 e5 1-0\n').plies == [2]


@pytest.mark.parametrize("movetext", ["1... e5 2. Nf3", "1. e5 2. Nf3", "... e5 2. Nf3", "e5 Nf3"])
def test_black_begins(movetext: str) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert read(f'[FEN "{fen}"]\n\n{movetext} *\n').uci == ["e7e5 g1f3"]
