"""Move blobs to SAN, UCI, FEN and keys, against python-chess and known values."""

from __future__ import annotations

import random
import struct

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import chess as chess_kernel
from tests.reference.move_blobs import encode_game, encode_san, random_board, random_moves
from tests.support.reading import read

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# https://www.chessprogramming.org/Perft_Results
PERFT = [
    (chess.STARTING_FEN, [1, 20, 400, 8902, 197281]),
    (KIWIPETE, [1, 48, 2039, 97862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [1, 14, 191, 2812, 43238]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [1, 6, 264, 9467, 422333],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [1, 44, 1486, 62379]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [1, 46, 2079, 89890],
    ),
]

# A start position and a game that only one rule gets right.
SPECIAL = [
    # Castling, both sides, both colours.
    (KIWIPETE, "O-O O-O"),
    (KIWIPETE, "O-O-O O-O-O"),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+"),
    # En passant: played, with check, out of check, and the only answer to a mate-like check.
    ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a4 bxa3"),
    ("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6+"),
    ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "exd3"),
    # Promotions, taking and not, with check and mate.
    ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=Q Kg6 Qg8+"),
    ("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "axb8=N"),
    ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a8=R+"),
    ("k7/2K4P/8/8/8/8/8/8 w - - 0 1", "h8=Q+ Ka7 Qa1#"),
    ("8/8/8/8/8/5k2/p7/7K b - - 0 1", "a1=B"),
    # Double check.
    ("4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1", "Nc6+"),
    ("4k3/8/8/8/4B3/8/8/4RK2 w - - 0 1", "Bc6+ Kf8"),
    # Mates: back rank, smothered, fool's.
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#"),
    ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "Nf7#"),
    (None, "f3 e5 g4 Qh4#"),
    # Rivals: by file, by rank, by both, none because pinned, none because blocked.
    ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rad1"),
    ("R3k3/8/8/8/8/8/8/R3K3 b - - 0 1", "Kd7 R1a4"),
    ("8/8/k7/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1"),
    ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "Nc2"),
    ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2"),
    ("4k3/8/8/8/8/8/8/RN2K2R w - - 0 1", "Rf1"),
    ("k7/8/8/N3N3/8/N7/8/K7 w - - 0 1", "Na5c4"),
    # Null moves.
    (None, "e4 -- d4 d5"),
    # Black begins; the counters go on from the FEN.
    ("4k3/8/8/8/8/8/4p3/K7 b - - 7 41", "Kd7 Kb2 e1=Q"),
]

CHESS960 = [
    # The king stays, only the rook goes; the rook stays, only the king goes; they swap.
    ("6k1/8/8/8/8/8/8/5RK1 w - - 0 1", "Rf1f2"),
    ("1k6/8/8/8/8/8/8/6KR w H - 0 1", "O-O"),
    ("1k6/8/8/8/8/8/8/2KR4 w D - 0 1", "O-O"),
    ("6k1/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O"),
    ("1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1", "O-O O-O-O"),
    ("1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 b GBgb - 0 1", "O-O O-O-O"),
    ("5k2/8/8/8/8/8/8/4K1R1 w G - 0 1", "O-O+"),
    ("rk6/8/8/8/8/8/8/RK5R w AHa - 0 1", "O-O-O O-O-O"),
    ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "O-O-O"),
]

seeds = st.integers(0, 2**32 - 1)


def signed(key: int) -> int:
    return struct.unpack("<q", struct.pack("<Q", key % 2**64))[0]


def start_fen(board: chess.Board) -> str | None:
    fen = board.fen(en_passant="xfen")
    return None if fen == chess.STARTING_FEN else fen


def random_game(seed: int) -> tuple[chess.Board, list[chess.Move]]:
    rng = random.Random(seed)
    board = random_board(rng)
    return board, random_moves(board, rng, rng.randrange(160))


@given(seeds)
@settings(max_examples=60)
def test_random_games_decode_as_python_chess_writes_them(seed: int) -> None:
    board, moves = random_game(seed)
    fen = start_fen(board)
    final = board.copy()
    blob, san = encode_game(final, moves)
    assert chess_kernel.decode_san(blob, fen) == san
    assert chess_kernel.final_fen(blob, fen) == final.fen(en_passant="xfen")
    uci_text, san_text = chess_kernel.decode_texts(blob, fen)
    assert san_text == " ".join(san)
    # Castling is e1g1 where king and rook stand as usual, in a game of Chess960 too.
    replayed = board.copy()
    for text, move in zip(uci_text.split(), moves, strict=True):
        assert replayed.parse_uci(text) == move
        replayed.push(move)


@given(seeds)
@settings(max_examples=30)
def test_random_games_in_uci(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board()
    moves = random_moves(board, rng, 120)
    blob, _ = encode_game(board.copy(), moves)
    assert chess_kernel.decode_texts(blob)[0].split() == [move.uci() for move in moves]


@given(seeds)
@settings(max_examples=30)
def test_keys_are_the_sums_of_polyglot_keys(seed: int) -> None:
    board, moves = random_game(seed)
    fen = start_fen(board)
    blob, _ = encode_game(board.copy(), moves)
    keys = []
    for move in moves:
        board.push(move)
        keys.append(chess.polyglot.zobrist_hash(board))
    final = chess.polyglot.zobrist_hash(board)
    _, final_zobrist, positions_key, sampled_key = chess_kernel.keys_of(blob, fen)
    assert final_zobrist == signed(final) == chess_kernel.scratch_key(blob, fen)
    assert positions_key == signed(sum(keys))
    assert sampled_key == signed(sum(keys[4::5]))


@given(seeds)
@settings(max_examples=30)
def test_keys_are_those_of_the_reader(seed: int) -> None:
    board, moves = random_game(seed)
    fen = start_fen(board)
    blob, san = encode_game(board.copy(), moves)
    tags = f'[Event "?"]\n[FEN "{fen}"]\n\n' if fen else '[Event "?"]\n\n'
    reading = read(tags + " ".join(san) + " *\n").keys
    assert reading == [(len(moves), *chess_kernel.keys_of(blob, fen))]


@pytest.mark.parametrize(("fen", "game"), SPECIAL)
def test_special_moves(fen: str | None, game: str) -> None:
    blob, san = encode_san(fen, game)
    assert chess_kernel.decode_san(blob, fen) == san == game.split()
    assert chess_kernel.decode_texts(blob, fen)[1] == game


@pytest.mark.parametrize(("fen", "game"), CHESS960)
def test_chess960_castling(fen: str, game: str) -> None:
    blob, san = encode_san(fen, game, chess960=True)
    board = chess.Board(fen, chess960=True)
    for token in san:
        board.push_san(token)
    assert chess_kernel.decode_san(blob, fen) == san
    assert chess_kernel.decode_texts(blob, fen)[1] == " ".join(san)
    assert chess_kernel.final_fen(blob, fen) == board.fen(en_passant="xfen")


def test_texts_of_a_game_without_moves() -> None:
    assert chess_kernel.decode_texts(b"") == ("", "")
    assert chess_kernel.decode_texts(b"", KIWIPETE) == ("", "")


def test_castling_onto_the_own_square_is_no_null_move() -> None:
    # King g1 stays, rook f1 would stay too: only bit 15 tells it from other moves.
    fen = "k7/8/8/8/8/8/8/6KR w H - 0 1"
    blob, _ = encode_san(fen, "O-O", chess960=True)
    assert blob == (6 | 7 << 6 | 0x8000).to_bytes(2, "little")
    assert chess_kernel.decode_texts(blob, fen)[0].split() == ["g1h1"]


def test_a_null_move_out_of_check_leaves_the_check() -> None:
    # The reader takes it as played, so the writer must not fail; the sign is that of the board.
    fen = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"
    board = chess.Board(fen)
    blob, san = encode_game(board, [chess.Move.null(), chess.Move.from_uci("e1d1")])
    assert san == ["--", "Kd1+"]
    assert chess_kernel.decode_san(blob, fen) == san


def test_en_passant_that_uncovers_the_king_on_its_rank_is_illegal() -> None:
    fen = "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1"
    blob = (28 | 19 << 6).to_bytes(2, "little")
    with pytest.raises(ValueError, match="ply 1 of 1"):
        chess_kernel.decode_san(blob, fen)


@pytest.mark.parametrize(("fen", "leaves"), PERFT)
def test_perft(fen: str, leaves: list[int]) -> None:
    assert [chess_kernel.perft(fen, depth) for depth in range(len(leaves))] == leaves


# https://www.chessprogramming.org/Chess960_Perft_Results
@pytest.mark.parametrize(
    ("fen", "leaves"),
    [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [1, 21, 528, 12189]),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [1, 21, 807, 18002]),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [1, 20, 479, 10471]),
    ],
)
def test_perft_of_chess960(fen: str, leaves: list[int]) -> None:
    assert [chess_kernel.perft(fen, depth) for depth in range(len(leaves))] == leaves


@given(seeds)
@settings(max_examples=25)
def test_every_move_that_holds_is_legal_in_python_chess(seed: int) -> None:
    board, moves = random_game(seed)
    for move in moves:
        if move:
            board.push(move)
        else:
            break
    assert chess_kernel.perft(board.fen(en_passant="xfen"), 1) == board.legal_moves.count()


FUNCTIONS = [
    chess_kernel.decode_texts,
    chess_kernel.decode_san,
    chess_kernel.keys_of,
    chess_kernel.final_fen,
    chess_kernel.scratch_key,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bad_blobs_are_refused(function) -> None:
    good = (12 | 28 << 6).to_bytes(2, "little")
    with pytest.raises(ValueError, match="odd move blob of 3 bytes"):
        function(good + b"\0")
    with pytest.raises(ValueError, match=r"ply 2 of 2: stored move 0x070c"):
        function(good + good)
    with pytest.raises(ValueError, match="not a legal position"):
        function(good, "8/8/8/8/8/8/8/8 w - - 0 1")


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("promotion", [1, 6, 7])
def test_promotion_bits_that_name_no_piece_are_refused(function, promotion: int) -> None:
    with pytest.raises(ValueError, match="ply 1 of 1"):
        function((12 | 28 << 6 | promotion << 12).to_bytes(2, "little"))
    with pytest.raises(ValueError, match="ply 1 of 1"):
        function((48 | 56 << 6 | promotion << 12).to_bytes(2, "little"), "7k/P7/8/8/8/8/8/K7 w - -")


@given(st.binary(max_size=60).map(lambda blob: blob[: len(blob) // 2 * 2]))
@settings(max_examples=200)
def test_any_bytes_decode_or_are_refused_alike(blob: bytes) -> None:
    outcomes = []
    for function in FUNCTIONS:
        try:
            function(blob)
            outcomes.append("")
        except ValueError as error:
            outcomes.append(str(error))
    assert len(set(outcomes)) == 1


def test_empty_game() -> None:
    assert chess_kernel.decode_san(b"") == []
    assert chess_kernel.decode_texts(b"")[0].split() == []
    assert chess_kernel.final_fen(b"") == chess.STARTING_FEN
    assert chess_kernel.keys_of(b"")[2:] == (0, 0)
    assert chess_kernel.scratch_key(b"") == 0x463B96181691FC9C  # Polyglot's own example


@pytest.mark.parametrize(
    ("fen", "normal"),
    [
        (chess.STARTING_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
        ("k7/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/K7 w - -"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - -"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3"),
        ("4k3/8/8/8/8/8/8/4K2R w HA - 5 60", "4k3/8/8/8/8/8/8/4K2R w K -"),
    ],
)
def test_start_epd(fen: str, normal: str) -> None:
    assert chess_kernel.start_epd(fen) == normal


@pytest.mark.parametrize("fen", ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6r b - -"])
def test_start_epd_refuses(fen: str) -> None:
    with pytest.raises(ValueError, match="not a legal position"):
        chess_kernel.start_epd(fen, is_legal=True)


@pytest.mark.parametrize("depth", [-1, 33])
def test_perft_refuses_a_depth(depth: int) -> None:
    with pytest.raises(ValueError, match="depth out of range"):
        chess_kernel.perft(chess.STARTING_FEN, depth)


def test_nobody_castles_out_of_check_in_chess960() -> None:
    """The rook's new square must not hide the king's old one."""
    assert chess_kernel.perft("4k3/8/8/8/8/8/8/RK5r w Q - 0 1", 1) == 3


# --- results on the board ------------------------------------------------------------------------


def result_by_python_chess(board: chess.Board) -> str | None:
    if any(board.legal_moves):
        return None
    return board.result() if board.is_check() else "1/2-1/2"


@pytest.mark.parametrize(("fen", "line"), SPECIAL)
def test_the_result_on_the_board_of_special_positions(fen: str | None, line: str) -> None:
    board = chess.Board(fen or chess.STARTING_FEN)
    blob, _ = encode_san(fen, line)
    for word in line.split():
        board.push_san(word)
    assert chess_kernel.board_result(blob, fen) == result_by_python_chess(board)


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2"),
        ("k7/P7/1K6/8/8/8/8/8 b - - 0 1", "1/2-1/2"),
        ("7k/8/8/8/8/4r3/4P3/7K w - - 0 1", None),
        ("5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10", "1/2-1/2"),
        ("k7/8/8/8/8/8/p6p/K6r w - - 0 1", None),
        ("8/8/8/8/k7/8/1p6/1K6 w - - 0 1", None),
        # Only a promotion, or only taking en passant, is left.
        ("k7/7P/8/8/8/1q6/8/K7 w - - 0 1", None),
        ("K7/8/1q6/2pP4/8/8/8/k7 w - c6 0 1", None),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0"),
    ],
)
def test_the_result_on_the_board(fen: str, result: str | None) -> None:
    assert result_by_python_chess(chess.Board(fen)) == result
    assert chess_kernel.board_result(b"", fen) == result


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_the_result_on_the_board_of_few_pieces(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board(None)
    squares = rng.sample(chess.SQUARES, 6)
    pieces = "KkQqPp" if seed % 2 else "KkQRpB"
    for square, symbol in zip(squares, pieces, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = rng.choice(chess.COLORS)
    if board.is_valid():
        result = chess_kernel.board_result(b"", board.fen())
        assert result == result_by_python_chess(board)
