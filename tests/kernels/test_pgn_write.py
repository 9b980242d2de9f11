"""Rows of games to PGN text: tags, movetext, notes, line ends."""

from __future__ import annotations

import io
import random
import re
import threading

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.chess import PgnWriter, has_loose_brace
from tests.reference.move_blobs import encode_game, encode_san, random_board, random_moves

EVENTS = [None, "Candidates", ""]
SITES = [None, "Zürich"]
PLAYERS = [None, "Смыслов, Василий", 'O\'Kelly "K" \\ de Galway', "two\nlines\r\nthree\rfour"]
BLOB, _ = encode_san(None, "e4 e5 Nf3 Nc6 Bb5 a6")

COMMENT, NAG, VARIATION = 1, 2, 3
FIELDS = (
    "game_id", "event", "site", "date", "round", "white", "white_elo", "black", "black_elo",
    "result", "time_control", "eco", "fen", "extra", "moves",
)  # fmt: skip

seeds = st.integers(0, 2**32 - 1)
# Words that try a wrapper: escapes, brackets, runs of blanks, other scripts, long ones.
words = st.sampled_from(
    ["a", "word", "%", "%eval", "[", "[%clk", "[Event", "]", "?", ";", "", "", "été", "x" * 30]
)
texts = st.lists(words, max_size=60).map(" ".join)
braced_texts = st.lists(words | st.sampled_from("{}"), max_size=20).map(" ".join)


def row(**fields):
    assert set(fields) <= set(FIELDS)
    return tuple({"game_id": 1, "moves": BLOB, **fields}.get(name) for name in FIELDS)


def write(rows, notes=None, width=80):
    return PgnWriter(width).write(rows, EVENTS, SITES, PLAYERS, notes or {}).decode()


def movetext(notes=(), width=80, **fields):
    text = write([row(**fields)], {1: list(notes)}, width)
    assert text.endswith("\n\n")
    return text[text.index("]\n\n") + 3 : -2]


def test_a_whole_game() -> None:
    game = row(
        event=1, site=1, date="1953.08.30", round="1", white=1, white_elo=2690, black=2,
        black_elo=0, result="1/2-1/2", time_control="40/9000", eco="C70",
        extra=[("Annotator", "N. N."), ("Variant", "standard"), ("Annotator", "again")],
    )  # fmt: skip
    assert write([game]) == (
        '[Event "Candidates"]\n[Site "Zürich"]\n[Date "1953.08.30"]\n[Round "1"]\n'
        '[White "Смыслов, Василий"]\n[Black "O\'Kelly \\"K\\" \\\\ de Galway"]\n'
        '[Result "1/2-1/2"]\n[WhiteElo "2690"]\n[BlackElo "0"]\n[ECO "C70"]\n'
        '[TimeControl "40/9000"]\n[Annotator "N. N."]\n[Variant "standard"]\n'
        '[Annotator "again"]\n\n'
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n\n"
    )


def test_an_empty_game() -> None:
    assert (
        write([row(moves=None)])
        == write([row(moves=b"")])
        == (
            '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n'
            '[Result "*"]\n\n*\n\n'
        )
    )


def test_no_games() -> None:
    assert write([]) == ""


@pytest.mark.parametrize("place", [None, 0, 2, 3, -1, 2**40])
def test_names_that_are_missing(place: int | None) -> None:
    assert write([row(event=place)]).startswith('[Event "?"]\n')


def test_line_ends_in_values_become_blanks() -> None:
    assert '[White "two lines three four"]\n' in write([row(white=3)])


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_results(result: str) -> None:
    assert f'[Result "{result}"]' in write([row(result=result)])
    assert movetext(result=result).endswith(f" {result}")


def test_an_odd_result_stays_in_its_tag() -> None:
    assert '[Result "0-0"]' in write([row(result="0-0")])
    assert movetext(result="0-0").endswith(" a6 *")


def test_fen_and_numbers_go_on_from_it() -> None:
    fen = "4k3/8/8/8/8/8/4p3/K7 b - - 7 41"
    blob, _ = encode_san(fen, "Kd7 Kb2 e1=Q")
    text = write([row(fen=fen, moves=blob)])
    assert f'[Result "*"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n41... Kd7 42. Kb2 e1=Q *\n' in text


def test_null_moves() -> None:
    blob, _ = encode_san(None, "e4 -- d4")
    assert movetext(moves=blob) == "1. e4 -- 2. d4 *"


def test_notes() -> None:
    notes = [
        (-1, 0, COMMENT, "before"),
        (-1, 1, NAG, 0),
        (0, 0, NAG, 1),
        (0, 1, COMMENT, " blanks kept "),
        (1, 0, COMMENT, "after Black"),
        (2, 0, NAG, 146),
        (4, 0, VARIATION, "3. Bc4 (3. d4) 3... Bc5"),
        (5, 0, COMMENT, ""),
        (9, 0, COMMENT, "behind the end"),
    ]
    assert movetext(notes, width=0) == (
        "{before} $0 1. e4 $1 { blanks kept } 1... e5 {after Black} 2. Nf3 $146 Nc6 "
        "3. Bb5 (3. Bc4 (3. d4) 3... Bc5) 3... a6 {} {behind the end} *"
    )


def test_comments_that_braces_cannot_hold() -> None:
    notes = [(0, 0, COMMENT, "a } b\nc"), (1, 0, COMMENT, "} " * 60), (1, 1, NAG, 2)]
    assert movetext(notes).startswith("1. e4 ;a } b c\n1... e5 ;" + "} " * 60 + "\n$2 2. Nf3 Nc6")


def test_an_opening_brace_does_not_meet_a_closing_one_of_another_comment() -> None:
    notes = [(0, 0, COMMENT, "a { b"), (1, 0, COMMENT, "c } d"), (2, 0, COMMENT, "e")]
    assert movetext(notes) == "1. e4 ;a { b\n1... e5 ;c } d\n2. Nf3 {e} 2... Nc6 3. Bb5 a6 *"
    assert movetext(notes[:1]).startswith("1. e4 {a { b} 1... e5")
    variation = (1, 0, VARIATION, "1... c5 }")
    assert movetext([notes[0], variation]).startswith("1. e4 ;a { b\n1... e5 (1... c5 })")


@given(braced_texts)
def test_loose_braces(text: str) -> None:
    counts = [text[:end].count("{") - text[:end].count("}") for end in range(len(text) + 1)]
    assert has_loose_brace(text) == (min(counts) < 0)


def test_lines_do_not_begin_like_escapes_or_tags() -> None:
    text = "aaaa bbbb %cccc dddd [eeee ffffffff [%clk 1] gggg"
    assert movetext([(-1, 0, VARIATION, text)], width=12).split("\n")[:6] == [
        "(aaaa", "bbbb %cccc", "dddd [eeee", "ffffffff", "[%clk 1]", "gggg) 1. e4",
    ]  # fmt: skip


def test_line_ends_in_comments_stay_where_they_do_no_harm() -> None:
    text = "one\n\n  two\r\n- three\r[%clk 1]\n[a]\n1. e4\n"
    written = movetext([(-1, 0, COMMENT, text)], width=0)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert written.startswith(f"{{{lines}}} 1. e4")
    text = 'one\n[Round "1"]\n%\n\n[Event "x"]\n[Site "y"]\nwon 1-0\n\n1. e4 e5'
    written = movetext([(-1, 0, COMMENT, text)], width=0)
    assert written.startswith(
        '{one\n[Round "1"]\n%\n [Event "x"]\n[Site "y"]\nwon 1-0\n 1. e4 e5} 1. e4'
    )


def test_lines_of_comments_are_not_broken() -> None:
    text = "[%csl Ga1,Gb2] one [%eval 0.17] " * 5 + "\n" + "word " * 30 + "\n\nend"
    assert movetext([(1, 0, COMMENT, text)], width=9) == (
        f"1. e4 e5\n{{{text}}} 2.\nNf3 Nc6\n3. Bb5 a6\n*"
    )
    variation = f"1... c5 {{{text}}} 2. Nf3 d6 3. d4"
    assert movetext([(1, 0, VARIATION, variation)], width=9).startswith(
        f"1. e4 e5\n(1... c5\n{{{text}}} 2.\nNf3 d6 3.\nd4) 2.\nNf3"
    )


@pytest.mark.parametrize("text", ["\nx", "\x00x", "x", "é"])
def test_a_line_end_at_the_end_of_a_comment(text: str) -> None:
    """Once, it depended on the first byte of the next comment."""
    notes = [(-1, 0, COMMENT, "word\r"), (0, 0, COMMENT, text)]
    assert movetext(notes, width=0).startswith("{word\n} 1. e4 {")


def test_long_words_have_their_own_line() -> None:
    text = f"a {'x' * 100} b"
    assert movetext([(-1, 0, VARIATION, text)]).startswith("(a\n" + "x" * 100 + "\nb) 1. e4 e5")


def test_columns_are_characters_not_bytes() -> None:
    # Each line is filled to the last column: 3 words of 3 letters and their blanks.
    lines = movetext([(-1, 0, VARIATION, "ёжи " * 8 + "ёжи")], width=11).split("\n")
    assert lines[1:3] == ["ёжи ёжи ёжи", "ёжи ёжи ёжи"]


@pytest.mark.parametrize("width", [1, 7, 8, 40, 80, 255])
def test_no_line_is_too_long(width: int) -> None:
    blob, _ = random_game(7, 300)
    for line in movetext(moves=blob, width=width).split("\n"):
        assert len(line) <= width or " " not in line


def random_game(seed: int, plies: int, board: chess.Board | None = None):
    rng = random.Random(seed)
    board = board or chess.Board()
    return encode_game(board, random_moves(board, rng, plies))


@given(seeds, st.lists(st.tuples(st.integers(-1, 30), texts), max_size=8), st.integers(1, 100))
@settings(max_examples=60)
def test_wrapped_lines_join_to_the_unwrapped_text(seed, comments, width) -> None:
    blob, _ = random_game(seed, 30)
    notes = [
        (ply, place, VARIATION if place % 3 == 2 else COMMENT, text)
        for place, (ply, text) in enumerate(sorted(comments))
    ]
    unwrapped = movetext(notes, width=0, moves=blob)
    wrapped = movetext(notes, width=width, moves=blob)
    assert "\n" not in unwrapped
    assert wrapped.replace("\n", " ") == unwrapped
    for line in wrapped.split("\n"):
        assert not re.match(r"%|\[(?!%)", line)
        assert not line.startswith(" ")


def read_comments(text: str) -> list[str]:
    """Return the comments in a movetext by the PGN standard, where comments do not nest."""
    result = re.findall(r"\{([^}]*)\}|;([^\n]*)\n", text)
    return [(braced or rest).replace("\n", " ") for braced, rest in result]


@given(st.lists(st.tuples(st.integers(-1, 5), braced_texts), max_size=8), st.integers(0, 60))
@settings(max_examples=100)
def test_comments_survive_reading(comments, width) -> None:
    comments.sort(key=lambda entry: entry[0])
    notes = [(ply, place, COMMENT, text) for place, (ply, text) in enumerate(comments)]
    written = movetext(notes, width=width)
    assert read_comments(written) == [text for _, text in comments]
    assert not re.search(r"^[%\[](?!%)", written, re.MULTILINE)


@given(seeds, st.integers(0, 100))
@settings(max_examples=40)
def test_games_read_back_by_python_chess(seed: int, width: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng)
    fen = board.fen(en_passant="xfen")
    moves = random_moves(board, rng, 200)
    extra = [("Variant", "Chess960")] if board.chess960 else None
    blob, san = encode_game(board.copy(), moves)
    text = write([row(fen=fen, extra=extra, moves=blob, result="1-0")], width=width)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert list(game.mainline_moves()) == moves
    assert [token for token in text.split("]\n\n")[1].split() if "." not in token] == [*san, "1-0"]


def test_many_games_in_one_batch() -> None:
    rows = [row(game_id=n, event=1, moves=random_game(n, 40)[0]) for n in range(300)]
    assert write(rows) == "".join(write([game]) for game in rows)


def test_long_games_and_long_comments() -> None:
    blob = b"".join(
        (start | target << 6).to_bytes(2, "little")
        for start, target in [(6, 21), (62, 45), (21, 6), (45, 62)] * 1500
    )
    comment = "word " * 200_000 + "end"
    text = movetext([(5999, 0, COMMENT, comment)], moves=blob)
    moves, rest = text.split("{")
    assert moves.replace("\n", " ").endswith("3000. Ng1 Ng8 ")
    assert rest == f"{comment}}}\n*"
    assert max(map(len, moves.split("\n"))) <= 80


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"moves": BLOB + BLOB}, r"^game 1, ply 7 of 12: stored move 0x070c is not legal$"),
        ({"moves": BLOB + b"x"}, r"^game 1: odd move blob of 13 bytes$"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, r"^game 1: FEN is not a legal position$"),
        ({"white_elo": -1}, r"^game 1: Elo is negative"),
    ],
)
def test_bad_games_are_named(fields, message: str) -> None:
    writer = PgnWriter()
    with pytest.raises((ValueError, OverflowError), match=message):
        writer.write([row(game_id=2), row(**fields)], EVENTS, SITES, PLAYERS, {})
    assert writer.write([row()], EVENTS, SITES, PLAYERS, {}).decode() == write([row()])


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.lists(
        st.tuples(st.integers(-1, 60), st.sampled_from([COMMENT, NAG, VARIATION]), braced_texts)
    ),
    st.integers(1, 5),
    st.sampled_from([0, 20, 80]),
)
def test_a_game_in_parts_is_the_same(seed: int, kinds, part: int, width: int) -> None:
    blob, _ = random_game(seed, 40)
    notes = [
        (ply, 0, kind, 7 if kind == NAG else text)
        for ply, kind, text in sorted(kinds, key=lambda note: note[0])
    ]
    one = row(moves=blob)
    parts = [notes[i : i + part] for i in range(0, len(notes), part)]
    closing = any(kind != NAG and has_loose_brace(text) for _, _, kind, text in notes)
    names = EVENTS, SITES, PLAYERS
    whole = PgnWriter(width).write([one], *names, {1: notes})
    assert PgnWriter(width).write_in_parts(one, *names, iter(parts), closing) == whole


@pytest.mark.parametrize("note", [(0, 0, 4, "x"), (0, 0, 0, "x"), (0, 0, NAG, -1), (0, 0, COMMENT)])
def test_bad_notes_are_refused(note) -> None:
    with pytest.raises((ValueError, OverflowError), match="game 1: "):
        write([row()], {1: [note]})


@pytest.mark.parametrize("bad", [(), (1,), None])
def test_rows_of_another_length_are_refused(bad) -> None:
    with pytest.raises(ValueError, match="15 fields"):
        write([bad])


def test_a_negative_width_is_refused() -> None:
    with pytest.raises(ValueError, match="columns"):
        PgnWriter(-1)


def test_threads_with_a_writer_each() -> None:
    rows = [row(game_id=n, moves=random_game(n, 60)[0]) for n in range(200)]
    expected = write(rows)
    written: list[str] = []
    threads = [threading.Thread(target=lambda: written.append(write(rows))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert written == [expected] * 4
