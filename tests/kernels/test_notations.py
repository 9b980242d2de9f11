"""The same moves in many notations, languages and spellings give the same blob."""

from __future__ import annotations

import random

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.move_blobs import encode_game, random_moves
from tests.support.reading import numbered, read

TAGS = '[Event "E"]\n[White "W"]\n[Black "B"]\n\n'
NEXT = '\n[Event "Next"]\n[White "X"]\n[Black "Y"]\n\n1. d4 d5 1/2-1/2\n'
PROMOTION = '[FEN "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1"]\n\n'

ENGLISH = "KQRBN"
MARKS = ["!", "?", "!?", "?!", "!!", "??"] * 20
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


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_layouts_give_the_same_moves(seed: int) -> None:
    blob, san, moves = plain_game(seed)
    start = chess.Board()
    for tokens in (san, uci_tokens(start, moves), long_tokens(start, moves)):
        for text in (numbered(tokens), glued(tokens), " ".join(tokens), "\n".join(tokens)):
            assert_reads(f"{TAGS}{text} *\n", blob)


@settings(max_examples=60)
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
        "marks": [token + mark for token, mark in zip(san, MARKS, strict=False)],
    }
    for tokens in spellings.values():
        assert_reads(f"{TAGS}{numbered(tokens)} *\n", blob)


@pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)
@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_languages_give_the_same_moves(letters: str, seed: int) -> None:
    # The opening names each piece but the king, so that no other language reads the game.
    blob, san, _ = opened_game(seed)
    assert_reads(f"{TAGS}{numbered(translated(san, letters))} *\n", blob)


OPENING = "e4 e5 Nf3 Nc6 Bb5 Bc5 O-O Nf6 Re1 O-O Bf1 Qe7 Qe2 Kh8 Kh1 Kg8"


def opened_game(seed: int) -> tuple[bytes, list[str], list[chess.Move]]:
    board = chess.Board()
    moves = [board.push_san(token) for token in OPENING.split()]
    rest = random_moves(board, random.Random(seed), 30)
    if not all(rest):
        rest = rest[: next(i for i, move in enumerate(rest) if not move)]
    moves += rest
    blob, san = encode_game(chess.Board(), moves)
    return blob, san, moves


@pytest.mark.parametrize("charset", ["utf-8", "windows-1251"])
@settings(max_examples=25)
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
        ("2.Nf3Nc6 3.Bb5 a6", "g1f3 b8c6 f1b5 a7a6"),
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


# Signs between the square and the piece, and what may close them.
PROMOTION_SIGNS = [
    ("=", ""), ("", ""), (" = ", ""), ("= ", ""), (" =", ""), (" ", ""), ("/", ""), (" /", ""),
    ("(", ")"), (" (", ")"), ("=(", ")"), ("(=", ")"), (" (= ", ")"), ("[", "]"), ("=[", "]"),
    ("+=", ""), ("#=", ""), ("+", ""), ("=+", ""), ("+/", ""), (".", ""), (":", ""), ("-", ""),
    ("->", ""), ("_", ""), ("'", ""), ("==", ""),
]  # fmt: skip
AFTER_MOVES = ["", "+", "#", "++", "!", "+!?", "+-", " $1", "ch", " mate", "."]


def read_each(start: str, texts: list[str]) -> list[tuple[str, str]]:
    """Read each movetext as a game; return it with its moves. There are no faults, no comments."""
    reading = read("".join(f'[Event "E"]\n[FEN "{start}"]\n\n{text} 1-0\n\n' for text in texts))
    assert not reading.faults
    assert not reading.comments
    return list(zip(texts, reading.uci, strict=True))


@pytest.mark.parametrize(("sign", "closing"), PROMOTION_SIGNS)
def test_promotion_signs(sign: str, closing: str) -> None:
    expected = [
        (f"1. {origin}{sign}{piece}{closing}{after} Kf7", f"a7{target}{piece.lower()} e7f7")
        for origin, target in (
            ("a8", "a8"), ("axb8", "b8"), ("a7xb8", "b8"), ("a7-a8", "a8"), ("a7b8", "b8"),
            ("ab8", "b8"), ("a:b8", "b8"),
        )
        for piece in "NBRQ"
        for after in AFTER_MOVES
    ]  # fmt: skip
    fen = "1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    assert read_each(fen, [text for text, _ in expected]) == expected


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("Queen", "q"), ("queen", "q"), ("ROOK", "r"), ("Bishop", "b"), ("Knight", "n"),
        ("Dame", "q"), ("Turm", "r"), ("Springer", "n"), ("Fou", "b"), ("Cavallo", "n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["a8={}", "a8{}", "a8={}+", "a8 ({})", "a8(={})!", "a8 = {}#"])
def test_promotion_to_a_named_piece(name: str, letter: str, form: str) -> None:
    reading = read(f"{PROMOTION}1. {form.format(name)} Kf7 1-0\n")
    assert not reading.faults
    assert reading.uci == [f"a7a8{letter} e7f7"]
    assert not reading.comments


@pytest.mark.parametrize(
    ("movetext", "uci"),
    [
        # Neither is a promotion: a remark in parentheses, a mark after another move, a next move.
        ("1. a8 (forced) Kf7", "a7a8q e7f7"),
        ("1. a8 (=) Kf7", "a7a8q e7f7"),
        ("1. Kd1 N Kf7", "e2d1 e7f7"),
        ("1. a8 Kf7", "a7a8q e7f7"),
        ("1. a8 a1 2. Q8f3", "a7a8q a2a1q a8f3"),
    ],
)
def test_what_follows_a_promotion_without_a_piece(movetext: str, uci: str) -> None:
    reading = read(f"{PROMOTION}{movetext} *\n")
    assert not reading.faults or movetext.endswith("Q8f3")
    assert reading.uci[0].startswith(uci.removesuffix(" a8f3"))


CASTLING = [
    "O-O", "0-0", "o-o", "OO", "00", "oo", "O–O", "0–0", "O—O", "0‑0", "O−O", "О-О", "0-O",
    "e1g1", "Ke1-g1", "e1h1", "O - O", "O -O", "O– O",
]  # fmt: skip


@pytest.mark.parametrize("suffix", ["", "+", "#", "!", "!?", " ch", "+-", "++"])
def test_castling_spellings(suffix: str) -> None:
    texts = [f"1. {token}{suffix} Ke7 2. Re1" for token in CASTLING]
    for text, uci in read_each("5k2/8/8/8/8/8/8/4K2R w K - 0 1", texts):
        assert uci == "e1g1 f8e7 f1e1", text


@pytest.mark.parametrize("token", ["O-O-O", "0-0-0", "o–o–o", "OOO", "O - O - O", "e1c1"])
def test_long_castling_spellings(token: str) -> None:
    start = '[FEN "5k2/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n'
    assert read(f"{start}1. {token}+ Ke7 1-0\n").uci == ["e1c1 f8e7"]


# A knight on c3 takes a pawn on d5.
CAPTURES = [
    "Nxd5", "N:d5", "Nd5:", "Nd5x", "Nd5X", "N×d5", "NXd5", "N-d5", "N–d5", "Nc3xd5", "Nc3:d5",
    "Nc3-d5", "Nc3–d5", "Nc3—d5", "Nc3×d5", "Nc3Xd5", "Nc3d5", "Ncxd5", "N3xd5", "nxd5", "nc3xd5",
    "c3d5", "c3-d5", "♘xd5", "♘:d5", "Nxd5.", "N x d5", "Nx d5", "N xd5", "Nc3 x d5", "Nc3 - d5",
]  # fmt: skip


CHECKS = [
    "", "+", "++", "#", "†", "‡", "≠", " +", "ch", "ch.", " ch", " check", "check", " CHECK",
    " dis ch", "dis.ch", " dbl. ch.", "dblch", "disch", "mate", " mate", " MATE", " matt", "mt",
]  # fmt: skip


@pytest.mark.parametrize("suffix", CHECKS)
def test_capture_and_check_signs(suffix: str) -> None:
    texts = [f"1. {token}{suffix} Kd7" for token in CAPTURES]
    for text, uci in read_each("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", texts):
        assert uci == "c3d5 e8d7", text


@pytest.mark.parametrize("token", ["exd5", "e:d5", "ed5:", "ed", "exd", "e4xd5", "e x d5", "eXd5"])
def test_pawn_captures(token: str) -> None:
    assert read(f"{TAGS}1. e4 d5 2. {token} Qxd5 *\n").uci == ["e2e4 d7d5 e4d5 d8d5"]


@pytest.mark.parametrize(
    "movetext",
    [
        "1.e4 e5 2.Nf3 Nc6", "1. e4 1... e5 2. Nf3 2... Nc6", "1.e4 1…e5 2.Nf3 2… Nc6",
        "1) e4 e5 2) Nf3 Nc6", "1)e4 e5 2)Nf3 Nc6", "1: e4 e5 2: Nf3 Nc6", "1:e4 e5 2:Nf3 Nc6",
        "1 e4 e5 2 Nf3 Nc6", "01. e4 e5 02. Nf3 Nc6", "1 . e4 e5 2 . Nf3 Nc6",
        "1.e4,e5 2.Nf3,Nc6", "1.e4e5 2.Nf3Nc6", "e4e5 Nf3Nc6", "1e4 e5 2Nf3 Nc6",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6", "1. e2 - e4 e7 - e5 2. Ng1 - f3 Nb8 – c6",
        "1.e4!e5 2.Nf3?!Nc6", "e2e4 e7e5 g1f3 b8c6", "1. e4 e5; \n2. Nf3 Nc6",
    ],
)  # fmt: skip
def test_numbers_and_separators(movetext: str) -> None:
    reading = read(f"{TAGS}{movetext} *\n")
    assert not reading.faults
    assert reading.uci == ["e2e4 e7e5 g1f3 b8c6"]


def test_two_moves_without_a_blank_are_both_legal() -> None:
    """A move from an empty square is not taken for two."""
    reading = read(f"{TAGS}1. e2e4 e7e5 2. d4d6 Nc6 *\n")
    assert reading.plies == [2]
    assert reading.faults[0].reason == "illegal move d4d6"


@pytest.mark.parametrize(
    "token",
    ["--", "Z0", "z0", "null", "NULL", "Null", "nullmove", "pass", "Pass", "PASS", "0000", "@@@@",
     "––", "--!", "--?!", "Z0+"],
)  # fmt: skip
def test_null_moves(token: str) -> None:
    reading = read(f"{TAGS}1. e4 {token} 2. Nf3 *\n")
    assert not reading.faults
    assert reading.uci == ["e2e4 0000 g1f3"]
    assert not reading.comments


@pytest.mark.parametrize(
    "suffix",
    ["e.p.", "ep", " e.p.", " ep", " (e.p.)", "/ep", "e.p.+", "(ep)", " e.p.+", " E.P.", " EP",
     "EP", " en passant", "+e.p.", " ep#", "-ep"],
)  # fmt: skip
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
