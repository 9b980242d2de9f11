"""What the reading kernel makes of a game: moves, hashes, tags, annotations, faults, rejects."""

from __future__ import annotations

import hashlib
import json
import random

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import pgn_read
from tests.reference.move_blobs import encode_game, random_moves
from tests.support.reading import Fault, parsed, read

TAGS = '[Event "E"]\n[White "W"]\n[Black "B"]\n\n'
NEXT = '\n[Event "Next"]\n[White "X"]\n[Black "Y"]\n\n1. d4 d5 1/2-1/2\n'
RUY = "1. e4 e5 2. Nf3 Nc6 "
RUY_UCI = "e2e4 e7e5 g1f3 b8c6"
PROMOTION = '[FEN "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1"]\n\n'


def signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def keys_of(text: str) -> tuple[int, int, int, int, int]:
    (keys,) = parsed(text.encode()).keys()
    return keys


# Hashes and keys


def expected_hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


@pytest.mark.parametrize(
    ("movetext", "hashed"),
    [
        ("1-0", ""),
        ("1. e4 1-0", "e2e4"),
        ("1. e4 -- 2. d4 *", "e2e4 0000 d2d4"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1"),
    ],
)
def test_hash_is_of_the_uci_moves(movetext: str, hashed: str) -> None:
    assert keys_of(TAGS + movetext)[1] == expected_hash(hashed)


def test_hash_known_value() -> None:
    """The bytes of the format, not only its rule: SHA-256("e2e4 e7e5") begins 39 43 71 ..."""
    assert keys_of(TAGS + "1. e4 e5 *")[1] == expected_hash("e2e4 e7e5")
    assert keys_of(TAGS + "*")[1] == -0x1C4F3BBD67038BEC  # e3 b0 c4 42 98 fc 1c 14: of nothing


def test_hash_begins_with_the_start_position() -> None:
    text = PROMOTION + "1. a8=N a1=R *"
    assert keys_of(text)[1] == expected_hash("8/P3k3/8/8/8/8/p3K3/8 w - -\na7a8n a2a1r")


def test_hash_leaves_out_the_standard_position_in_a_tag() -> None:
    assert keys_of(f'[FEN "{chess.STARTING_FEN}"]\n\n1. e4 *')[1] == expected_hash("e2e4")


# The test positions of the Polyglot book format.
@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("", 0x463B96181691FC9C),
        ("e4", 0x823C9B50FD114196),
        ("e4 d5", 0x0756B94461C50FB0),
        ("e4 d5 e5", 0x662FAFB965DB29D4),
        ("e4 d5 e5 f5", 0x22A48B5A8E47FF78),
        ("e4 d5 e5 f5 Ke2", 0x652A607CA3F242C1),
        ("e4 d5 e5 f5 Ke2 Kf7", 0x00FDD303C946BDD9),
        ("a4 b5 h4 b4 c4", 0x3C8123EA7B067637),
        ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5C3F9B829B279560),
    ],
)
def test_final_zobrist_is_polyglots(moves: str, key: int) -> None:
    assert keys_of(TAGS + moves + " *")[2] == signed(key)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_keys_against_python_chess(seed: int) -> None:
    start = chess.Board()
    moves = random_moves(start, random.Random(seed), 120)
    board = start.copy()
    keys = []
    for move in moves:
        board.push(move)
        keys.append(chess.polyglot.zobrist_hash(board))
    _, san = encode_game(start.copy(), moves)
    plies, _, final, positions, sampled = keys_of(TAGS + " ".join(san) + " *")
    assert plies == len(moves)
    assert final == signed(keys[-1])
    assert positions == signed(sum(keys) % 2**64)
    assert sampled == signed(sum(keys[4::5]) % 2**64)


@pytest.mark.skipif(not pgn_read.HAVE_SHA_NI, reason="the processor has no SHA instructions")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_portable_sha256_equals_the_processors(seed: int, plies: int) -> None:
    start = chess.Board()
    _, san = encode_game(start.copy(), random_moves(start, random.Random(seed), plies))
    text = (TAGS + " ".join(san) + " *").encode()
    assert parsed(text, use_ni=False).keys() == parsed(text, use_ni=True).keys()


# Notations

ENGLISH = "KQRBN"
LETTERS = {
    "German": "KDTLS",
    "Dutch": "KDTLP",
    "French": "RDTFC",
    "Spanish and Italian": "RDTAC",
    "Portuguese": "RDTBC",
    "Polish": "KHWGS",
    "figurines": "♔♕♖♗♘",
    "black figurines": "♚♛♜♝♞",
}


def translated(san: list[str], letters: str) -> list[str]:
    return [token.translate(str.maketrans(ENGLISH, letters)) for token in san]


def russian(san: list[str]) -> list[str]:
    return [token.replace("K", "Кр") for token in translated(san, "KФЛСК")]


def uci_tokens(start: chess.Board, moves: list[chess.Move]) -> list[str]:
    return [move.uci() for move in moves]


def long_tokens(start: chess.Board, moves: list[chess.Move]) -> list[str]:
    board = start.copy()
    tokens = []
    for move in moves:
        tokens.append(board.lan(move))
        board.push(move)
    return tokens


def numbered(tokens: list[str]) -> str:
    return " ".join(f"{i // 2 + 1}. {t}" if i % 2 == 0 else t for i, t in enumerate(tokens))


def glued(tokens: list[str]) -> str:
    """Return "1.e4 e5 2.Nf3": numbers without a blank behind them."""
    return numbered(tokens).replace(". ", ".")


def plain_game(seed: int, plies: int = 60) -> tuple[bytes, list[str], list[chess.Move]]:
    """Return blob, SAN and moves of a random game without null moves."""
    start = chess.Board()
    moves = random_moves(start, random.Random(seed), plies)
    if not all(moves):
        moves = moves[: next(i for i, move in enumerate(moves) if not move)]
    blob, san = encode_game(start.copy(), moves)
    return blob, san, moves


def assert_reads(text: str | bytes, blob: bytes) -> None:
    reading = read(text)
    assert not reading.faults, reading.faults
    assert [game["Moves2"] for game in reading.games] == [blob]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_layouts_give_the_same_moves(seed: int) -> None:
    blob, san, moves = plain_game(seed)
    start = chess.Board()
    for tokens in (san, uci_tokens(start, moves), long_tokens(start, moves)):
        for text in (numbered(tokens), glued(tokens), " ".join(tokens), "\n".join(tokens)):
            assert_reads(f"{TAGS}{text} *\n", blob)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_spellings_give_the_same_moves(seed: int) -> None:
    blob, san, _ = plain_game(seed)
    spellings = {
        "no capture sign": [token.replace("x", "") for token in san],
        "zeros": [token.replace("O", "0") for token in san],
        "small o": [token.replace("O", "o") for token in san],
        "no check signs": [token.rstrip("+#") for token in san],
        "colon": [token.replace("x", ":") for token in san],
        "promotion in parentheses": [token.replace("=", "/") for token in san],
        "promotion without sign": [token.replace("=", "") for token in san],
        "marks": [
            token + mark for token, mark in zip(san, "! ? !? ?! !! ??".split() * 60, strict=False)
        ],
    }
    for tokens in spellings.values():
        assert_reads(f"{TAGS}{numbered(tokens)} *\n", blob)


@pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_languages_give_the_same_moves(letters: str, seed: int) -> None:
    # The opening names each piece but the king, so that no other language reads the game.
    blob, san, _ = opened_game(seed)
    assert_reads(f"{TAGS}{numbered(translated(san, letters))} *\n", blob)


def opened_game(seed: int) -> tuple[bytes, list[str], list[chess.Move]]:
    board = chess.Board()
    opening = "e4 e5 Nf3 Nc6 Bb5 Bc5 O-O Nf6 Re1 O-O Bf1 Qe7 Qe2 Kh8 Kh1 Kg8".split()
    moves = [board.push_san(token) for token in opening]
    rest = random_moves(board, random.Random(seed), 30)
    if not all(rest):
        rest = rest[: next(i for i, move in enumerate(rest) if not move)]
    moves += rest
    blob, san = encode_game(chess.Board(), moves)
    return blob, san, moves


@pytest.mark.parametrize("charset", ["utf-8", "windows-1251"])
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_russian_letters(charset: str, seed: int) -> None:
    blob, san, _ = opened_game(seed)
    text = f"{TAGS}{numbered(russian(san))} *\n".encode(charset)
    assert_reads(text, blob)
    assert read(text).games[0]["Charset"] == (None if charset == "utf-8" else charset)


@pytest.mark.parametrize(
    ("movetext", "uci"),
    [
        ("2. nf3 nc6 3. bb5 a6", "g1f3 b8c6 f1b5 a7a6"),
        ("2.Nf3Nc6 3.Bb5a6", "g1f3 b8c6 f1b5 a7a6"),
        ("2. Ng1f3 Nb8-c6", "g1f3 b8c6"),
        ("2. N1f3 Ngf6", "g1f3 g8f6"),
        ("2. Nxf3", "g1f3"),
        ("2. d4 ed 3. Qd4 Nc6", "d2d4 e5d4 d1d4 b8c6"),
        ("2... 2. Nf3", "g1f3"),
        ("2. Nf3 2… Nc6 …", "g1f3 b8c6"),
        ("2. Pd4 Pexd4", "d2d4 e5d4"),
        ("2. Nf3 ch. Nc6 ch", "g1f3 b8c6"),
        ("2. Qh5 Ke7 3. Qxe5 mate", "d1h5 e8e7 h5e5"),
        ("2.\u00a0Nf3\u00a0Nc6", "g1f3 b8c6"),
        ("2. \u2658\ufe0ef3 \u265e\ufe0ec6", "g1f3 b8c6"),
        ("2. <reserved> Nf3 Nc6", "g1f3 b8c6"),
        ("2. -- Z0 3. null 0000 4. @@@@", "0000 0000 0000 0000 0000"),
    ],
)
def test_odd_moves(movetext: str, uci: str) -> None:
    reading = read(f"{TAGS}1. e4 e5 {movetext} *\n{NEXT}")
    assert not reading.faults
    assert reading.uci == [f"e2e4 e7e5 {uci}", "d2d4 d7d5"]


@pytest.mark.parametrize(
    ("white", "black", "uci"),
    [
        ("a8=N", "a1=B", "a7a8n a2a1b"),
        ("a8N", "a1b", "a7a8n a2a1b"),
        ("a8n", "a1=r", "a7a8n a2a1r"),
        ("a7a8n", "a2a1b", "a7a8n a2a1b"),
        ("a8(N)", "a1/R", "a7a8n a2a1r"),
        ("a8=(N)", "a1=(R)", "a7a8n a2a1r"),
        ("a8 = N", "a1 =R", "a7a8n a2a1r"),
        ("a8", "a1", "a7a8q a2a1q"),
        ("a8D", "a1S", "a7a8q a2a1n"),
        ("a8=♘", "a1♜", "a7a8n a2a1r"),
        ("a8Ф", "a1К", "a7a8q a2a1n"),
        ("a8=N!", "a1=R??", "a7a8n a2a1r"),
        ("a8=Q (1. a8=N)", "a1=N", "a7a8q a2a1n"),
    ],
)
def test_promotions(white: str, black: str, uci: str) -> None:
    reading = read(f"{PROMOTION}1. {white} {black} *\n")
    assert not reading.faults
    assert reading.uci == [uci]


@pytest.mark.parametrize("suffix", ["e.p.", "ep", " e.p.", " ep", " (e.p.)", "/ep", "e.p.+"])
def test_en_passant_suffix(suffix: str) -> None:
    reading = read(f"{TAGS}1. e4 a6 2. e5 d5 3. exd6{suffix} cxd6 1-0\n")
    assert not reading.faults
    assert reading.uci == ["e2e4 a7a6 e4e5 d7d5 e5d6 c7d6"]


def test_king_letter_of_another_language_is_no_rook() -> None:
    """French R is the king (Roi), also where an English rook could go to the square."""
    text = "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. O-O Cf6 5. Te1 d6 6. Rf1 Fd7 1-0\n"
    reading = read(TAGS + text)
    assert reading.uci[0].split()[10] == "g1f1"


@pytest.mark.parametrize(
    "moves",
    [
        "Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 5. 0-0 Сe7 6. Лe1 b5 7. Сb3 d6 8. Фe2 Крf8",
        "Кf3 Кc6 3. Оb5 a6 4. Оa4 Кf6 5. О-О Оe7 6. Тe1 b5 7. Оb3 d6 8. Дe2 Цf8",
        "Сf3 Сc6 3. Лb5 a6 4. Лa4 Сf6 5. О-О Лe7 6. Тe1 b5 7. Лb3 d6 8. Дe2 Кf8",
        "Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 5. О-О Сe7 6. Тe1 b5 7. Сb3 d6 8. Фe2 Крf8",
    ],
    ids=["Russian", "Bulgarian", "Serbian", "Ukrainian"],
)
def test_cyrillic_languages(moves: str) -> None:
    reading = read(f"{TAGS}1. e4 e5 2. {moves} 1-0\n")
    assert not reading.faults
    assert reading.uci == [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 d1e2 e8f8"
    ]


def test_chess960_castling_is_king_takes_rook() -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = chess.Board(fen, chess960=True)
    legal = [board.san(move) for move in board.legal_moves if board.is_castling(move)]
    for san in legal:
        reading = read(f'[Variant "Chess960"]\n[FEN "{fen}"]\n\n9. {san} *\n')
        assert reading.uci[0].endswith("*")
        assert reading.games[0]["SpecialMoves"] == 1
    assert read(f'[FEN "{fen}"]\n\n9. O-O *\n').plies == [1 if "O-O" in legal else 0]


# Results and what ends a game


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
def test_nothing_in_a_file(text: str) -> None:
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
    moves = "Nf3 Nf6 Ng1 Ng8 ".split() * 500
    assert read(TAGS + numbered(moves) + " *").plies == [2000]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    text = (TAGS + "1. e4\ne5 ; remark\n2. Nf3 {a\nb} Nc6\n\n" + NEXT).replace("\n", newline)
    reading = read(text)
    assert reading.uci == [RUY_UCI, "d2d4 d7d5"]
    assert [row[1:] for row in reading.comments] == [(1, " remark", 0), (2, "a b", 0)]


# Comments, variations, NAGs


def test_comment_of_a_megabyte() -> None:
    comment = "x" * (1 << 20)
    reading = read(f"{TAGS}1. e4 {{{comment}}} e5 1-0\n{NEXT}")
    assert reading.plies == [2, 2]
    assert reading.comments == [(1, 0, comment, 0)]


def test_variations_fifty_deep() -> None:
    text = " (1... c5 2. Nf3" * 50 + " {deep}" + ")" * 50
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
    [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("$40", 40), ("N", 146)]
    + [("=", 10), ("+=", 14), ("=+", 15), ("+/-", 16), ("±", 16), ("-/+", 17), ("+-", 18)]
    + [("-+", 19), ("∞", 13), ("⩲", 14)],
)
def test_nag_glyphs(sign: str, nag: int) -> None:
    reading = read(f"{TAGS}1. e4 {sign} e5 2. Nf3 *")
    assert reading.annotations == [(1, 0, 0, nag, None)]
    assert reading.plies == [3]


@pytest.mark.parametrize(
    ("inside", "plies"),
    [
        ("{a } b}", 1),
        ("{a {b} c}", 2),
        ("{a ( b}", 2),
        ("(1. d4 {a ) b ( c} d5)", 2),
        ("(1. d4 ; a ) b\nd5)", 2),
        ("(1. d4\n% hidden ) text\nd5)", 2),
        ("; a } b { c ( d\n", 2),
        ("\n% e5 e5 e5\n", 2),
        ("{}", 2),
        ("()", 2),
        (")", 2),
        ("}", 2),
        ('{see\n[Event "Foo"]\nfor more}', 2),
        ('{see\n\n[Event "Foo"]\n\nfor more}', 2),
        ("{\n[%clk 0:01:00]\n[%eval 0.1] }", 2),
        ("[%clk 0:01]", 2),
    ],
)
def test_signs_inside_signs(inside: str, plies: int) -> None:
    reading = read(f"{TAGS}1. e4 {inside} e5 1-0\n{NEXT}")
    assert reading.plies == [plies, 2]
    assert len(reading.faults) == (plies == 1)


# Faults


@pytest.mark.parametrize("open_sign", ["{foo", "(1... c5 2. Nf3", "({foo", "(1... c5 (1... c6)"])
@pytest.mark.parametrize("ending", ["", " 1-0"])
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_what_is_never_closed_costs_one_game(
    open_sign: str, ending: str, gap: str, newline: str
) -> None:
    first = f"{TAGS}1. e4 e5 {open_sign}{ending}{gap}"
    text = (first + NEXT.lstrip() + NEXT.replace("d5", "{ok} (1... f5) d5")).replace("\n", newline)
    reading = read(text)
    assert reading.plies == [2, 2, 2]
    assert reading.marked == [1]
    assert reading.faults[0].reason.endswith("is never closed")


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
        ("1. e4 e5\n2. P-K4 1-0", 2, "unreadable move P-K4", "P-K4 1-0"),
        ("1. d4 d5 2. Nf3 a6\n3. Nd2 a5 1-0", 4, "ambiguous move Nd2", "Nd2 a5 1-0"),
    ],
)
def test_fault_says_where_and_why(movetext: str, ply: int, reason: str, rest: str) -> None:
    reading = read(f"{TAGS}{RUY}1-0\n\n{TAGS}{movetext}\n{NEXT}")
    assert reading.faults == [Fault(2, 11, ply, reason, rest)]
    assert reading.plies == [4, ply, 2]
    assert reading.games[1]["Result"] == "1-0"


@pytest.mark.parametrize(
    "fen", ["foo bar", "8/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "4k3/8 w"]
)
def test_no_position_is_a_fault(fen: str) -> None:
    reading = read(f'[Event "E"]\n[FEN "{fen}"]\n\n1. e4 1-0\n{NEXT}')
    assert reading.plies == [0, 2]
    assert reading.faults[0].reason == "the FEN tag is no legal position"
    assert reading.games[0]["FEN"] is None
    assert json.loads(reading.games[0]["ExtraTags"])["OriginalFEN"] == fen


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


# Tags


def test_prose_between_games_is_rejected_where_it_stands() -> None:
    first = f"{TAGS}{RUY}1-0\n\n"
    prose = "Some words about\nthe next round.\n\n"
    reading = read(first + prose + TAGS + "1. d4 *\n")
    assert reading.plies == [4, 1]
    assert [game["SourceNumber"] for game in reading.games] == [1, 3]
    (reject,) = reading.rejects
    assert (reject.number, reject.offset, reject.line) == (2, len(first), 7)
    assert reject.text == prose.encode()


def test_variants_are_rejected() -> None:
    reading = read(f'[Event "E"]\n[Variant "Atomic"]\n\n1. e4 e5 1-0\n{NEXT}')
    assert reading.plies == [2]
    assert "Atomic" in reading.rejects[0].reason


@pytest.mark.parametrize("variant", ["Standard", "chess 960", "Fischerandom", "From Position", "?"])
def test_chess_under_other_names_is_read(variant: str) -> None:
    assert read(f'[Variant "{variant}"]\n\n1. e4 e5 1-0\n').plies == [2]


@pytest.mark.parametrize(
    ("tags", "white"),
    [
        ('[Event "E"][White "W"]', "W"),
        ('[Event "E"] [White "W"] ', "W"),
        ('[Event "E"]\n\n\n[White "W"]\n\n\n', "W"),
        ('[Event"E"]\n[White"W"]\n', "W"),
        ('[event "E"]\n[white "W"]\n', "W"),
        ('  [Event "E"]\n\t[White   "W"   ]\t\n\n', "W"),
        ('[Event "E"]\n[White "W]\n', "W"),
        ('[Event "E"]\n[White "W\n', "W"),
        ('[Event "E"]\n[White "W"\n', "W"),
        ('[Event "E"]\n[White W"]\n', "W"),
        ("[Event E]\n[White W]\n", "W"),
        ("[Event 'E']\n[White 'W']\n", "W"),
        ("[Event “E”]\n[White “W”]\n", "W"),
        ('[Event "E"]\n[White "the "big" W"]\n', 'the "big" W'),
        ('[Event "E"]\n[White "a \\"b\\" c"]\n', 'a "b" c'),
        ('[Event "E"]\n[White "C:\\\\"]\n', "C:\\"),
        ('[Event "E"]\n[White "C:\\"]\n', "C:\\"),
        ('[Event "E"]\n[White "x ] y"]\n', "x ] y"),
    ],
)
def test_tags_of_all_shapes(tags: str, white: str) -> None:
    reading = read(f"{tags}1. e4 e5 1-0\n{NEXT}")
    assert reading.plies == [2, 2]
    assert reading.games[0]["Event"] == "E"
    assert reading.games[0]["White"] == white


@pytest.mark.parametrize(
    "odd",
    ["[Round 3]", "[White2 “W”]", 'Black "B"]', "[]", "[White]", '[2nd "b"]', '[Été "x"]']
    + ["; a remark", "{c}", "% escaped", "some prose", '[A,B "z"]', '[A B "w"]'],
)
def test_odd_line_among_tags_does_not_split_the_game(odd: str) -> None:
    reading = read(f'[Event "E"]\n{odd}\n[Site "S"]\n\n1. e4 1-0\n{NEXT}')
    assert reading.plies == [1, 2]
    assert (reading.games[0]["Event"], reading.games[0]["Site"]) == ("E", "S")


@pytest.mark.parametrize(
    ("tag", "value", "column", "stored", "key"),
    [
        ("Date", "1998.3.12", "Date", "1998.03.12", "OriginalDate"),
        ("Date", "12.03.1998", "Date", "1998.03.12", "OriginalDate"),
        ("Date", "March 1998", "Date", "1998.03.??", "OriginalDate"),
        ("Result", "1/2", "Result", "1/2-1/2", "OriginalResult"),
        ("Result", "White wins", "Result", "1-0", "OriginalResult"),
        ("Result", "perhaps", "Result", "0-1", "OriginalResult"),
        ("WhiteElo", "2500?", "WhiteElo", None, "WhiteElo"),
        ("BlackElo", "0000", "BlackElo", None, "BlackElo"),
    ],
)
def test_odd_values_are_kept(
    tag: str, value: str, column: str, stored: str | None, key: str
) -> None:
    (game,) = read(f'[Event "E"]\n[{tag} "{value}"]\n\n1. e4 0-1\n').games
    assert game[column] == stored
    assert json.loads(game["ExtraTags"])[key] == value


@pytest.mark.parametrize("date", ["1998.03.12", "1998.03.??", "1998.??.??", "????.??.??"])
def test_question_marks_of_a_date_stay(date: str) -> None:
    (game,) = read(f'[Date "{date}"]\n\n1. e4 *\n').games
    assert game["Date"] == date
    assert game["ExtraTags"] is None


def test_repeated_tag_is_kept_and_the_first_counts() -> None:
    (game,) = read('[White "A"]\n[White "B"]\n[Note "x"]\n[Note "y"]\n\n1. e4 *\n').games
    assert game["White"] == "A"
    assert json.loads(game["ExtraTags"]) == {"White_2": "B", "Note": "x", "Note_2": "y"}


def test_result_in_the_movetext_that_differs_is_kept() -> None:
    (game,) = read('[Result "1-0"]\n\n1. e4 0-1\n').games
    assert game["Result"] == "1-0"
    assert json.loads(game["ExtraTags"]) == {"MovetextResult": "0-1"}


@pytest.mark.parametrize(
    ("name", "charset", "stored"),
    [
        ("Müller", "utf-8", None),
        ("Müller", "windows-1252", "windows-1252"),
        ("Каспаров, Гарри", "windows-1251", "windows-1251"),
        ("Wojtkiewicz, Błażej", "windows-1250", "windows-1250"),
    ],
)
def test_charset_is_recorded(name: str, charset: str, stored: str | None) -> None:
    text = f'[White "{name}"]\n\n1. e4 {{{name}}} *\n'
    reading = read(text.encode(charset))
    assert reading.games[0]["White"] == name
    assert reading.games[0]["Charset"] == stored
    assert reading.comments[0][2] == name


def test_nul_bytes_are_blanks() -> None:
    assert read(f"{TAGS}1. e4 \0\0e5 1-0\n\0\0\0\n{NEXT}").plies == [2, 2]


def test_offsets_cut_the_file_into_its_games() -> None:
    games = [TAGS + RUY + "1-0\n\n", "\n" + TAGS + "1. e4 {ä} *\n\n", TAGS + "1. d4\n"]
    text = "".join(games).encode()
    for game, offset in zip(games, (g["SourceOffset"] for g in read(text).games), strict=True):
        assert text[offset:].startswith(game.lstrip().encode())
