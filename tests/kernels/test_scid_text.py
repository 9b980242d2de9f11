"""ScidText: games that a second encoder has written, by the description of Scid's format."""

from __future__ import annotations

import io
import random
import re

import chess
import chess.pgn
import pytest

from ocgdedup._kernels.chess import Block, ScidText

KING_STEPS = [-9, -8, -7, -1, 1, 7, 8, 9]
KNIGHT_STEPS = [-17, -15, -10, -6, 6, 10, 15, 17]
PROMOTIONS = {None: 0, chess.QUEEN: 3, chess.ROOK: 6, chess.BISHOP: 9, chess.KNIGHT: 12}
NAMES: list[list[bytes | None]] = [[b"A"], [b"E"], [b"S"], [b"1"]]
STARTS = [
    None,
    "rnb1k2Q/1p5p/p7/4p3/4q3/8/PPP2R1P/2K5 b - - 0 1",
    "r3k2r/1P1N1N2/8/Q2Q4/Q6q/1N3N2/p4p1P/R3K2R w KQkq - 3 20",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
]


class Encoder:
    """The numbers of the pieces; each is a square."""

    def __init__(self, board: chess.Board, *, standard: bool) -> None:
        self.board = board
        self.lists: dict[bool, list[int]] = {}
        for colour in chess.COLORS:
            ranks = range(7, -1, -1) if colour == chess.BLACK or not standard else range(8)
            squares = [chess.square(file, rank) for rank in ranks for file in range(8)]
            pieces = [square for square in squares if board.color_at(square) == colour]
            king = board.king(colour)
            assert king is not None
            if standard:
                pieces.remove(king)
                pieces.insert(0, king)
            else:
                at = pieces.index(king)
                pieces[0], pieces[at] = pieces[at], pieces[0]
            self.lists[colour] = pieces

    def encode(self, move: chess.Move) -> bytes:
        """Return the bytes of a legal move, and play it."""
        board, own = self.board, self.lists[self.board.turn]
        if board.is_castling(move):
            code = bytes([10 if board.is_kingside_castling(move) else 9])
            king, rook = own.index(move.from_square), own.index(self._rook(move))
            board.push(move)
            own[king] = board.king(not board.turn) or 0
            own[rook] = own[king] + (-1 if code == b"\n" else 1)
            return code
        code = self._code(move, board.piece_type_at(move.from_square), own.index(move.from_square))
        if board.is_capture(move):
            taken = move.to_square ^ 8 if board.is_en_passant(move) else move.to_square
            other = self.lists[not board.turn]
            at, last = other.index(taken), other.pop()
            if at < len(other):
                other[at] = last
        own[own.index(move.from_square)] = move.to_square
        board.push(move)
        return code

    def _rook(self, move: chess.Move) -> int:
        rank = chess.square_rank(move.from_square)
        rooks = [
            square
            for square in chess.SquareSet(self.board.clean_castling_rights())
            if chess.square_rank(square) == rank
        ]
        is_kingside = self.board.is_kingside_castling(move)
        return max(rooks) if is_kingside else min(rooks)

    def _code(self, move: chess.Move, piece: int | None, number: int) -> bytes:
        step = move.to_square - move.from_square
        file, rank = chess.square_file(move.to_square), chess.square_rank(move.to_square)
        from_file, from_rank = divmod(move.from_square, 8)[::-1]
        more = b""
        if piece == chess.KING:
            low = KING_STEPS.index(step) + 1
        elif piece == chess.KNIGHT:
            low = KNIGHT_STEPS.index(step) + 1
        elif piece == chess.PAWN:
            low = 15 if abs(step) == 16 else abs(step) - 7 + PROMOTIONS[move.promotion]
        elif piece == chess.BISHOP:
            low = file + 8 * ((rank - from_rank) * (file - from_file) < 0)
        elif rank == from_rank:
            low = file
        elif file == from_file:
            low = 8 + rank
        else:
            low, more = from_file, bytes([move.to_square + 64])
        return bytes([number << 4 | low]) + more


def entry(length: int) -> bytes:
    out = bytearray(47)
    out[4:7] = bytes([length >> 8 & 255, length & 255, length >> 16 << 7])
    return bytes(out)


def text_of(moves: bytes, fen: str | None = None, comments: bytes = b"") -> str:
    start = b"\1" + fen.encode() + b"\0" if fen else b"\0"
    data = b"\0" + start + moves + b"\x0f" + comments
    return ScidText(NAMES).write(entry(len(data)), data, 0).decode()


@pytest.mark.parametrize("fen", STARTS)
@pytest.mark.parametrize("seed", range(12))
def test_random_games(fen: str | None, seed: int) -> None:
    """With and without a variation, for which all moves are spelled in SAN."""
    chance = random.Random(seed)
    board = chess.Board(fen or chess.STARTING_FEN, chess960=fen is not None and "GE" in fen)
    root = board.copy()
    encoder = Encoder(board, standard=fen is None)
    played: list[chess.Move] = []
    codes = first = b""
    while len(played) < 150 and not board.is_game_over():
        moves = list(board.legal_moves)
        rare = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)]
        move = chance.choice(rare or moves)
        if chance.random() < 0.02 and not board.is_check():
            move = chess.Move.null()
            codes += b"\0"
            board.push(move)
        else:
            codes += encoder.encode(move)
        played.append(move)
        first = first or codes
    game = chess.pgn.read_game(io.StringIO(text_of(codes, fen)))
    assert game is not None
    assert not game.errors
    assert list(game.mainline_moves()) == played
    # The first move again, in a variation.
    text = text_of(first + b"\x0d" + first + b"\x0e" + codes[len(first) :], fen)
    words = re.sub(r"\([^)]*\)", "", text.split("\n\n")[1]).split()[:-1]
    spelled = []
    for move in played:
        spelled.append(root.san(move))
        root.push(move)
    assert words == spelled


def test_a_move_that_could_be_another_is_not_written() -> None:
    """A double step over a pawn: "e4" would be the step of that pawn."""
    text = text_of(bytes([0x1F]), "k7/8/8/8/8/4P3/4P3/K7 w - - 0 1")
    assert text.split("\n\n")[1] == "e2e4 *"
    block = Block(text.encode())
    assert block.parse(True) == 1
    assert block.ply_count == 0


@pytest.mark.parametrize(
    ("moves", "comments", "movetext"),
    [
        (b"\xcf\x0b\x03\x0c", b"good\0", "e4 $3 {good} *"),
        (b"\x0c\xcf", b"before\0", "{before} e4 *"),
        (b"\xcf\x0d\xbf\x0d\xaf\x0e\xbf\x0e\xcf", b"", "e4 (1. d4 (1. c4) 1... d5) e5 *"),
        (b"\xcf\x0e\xcf", b"", "e4 ??? *"),  # the end of no variation
        (b"\xcf\x0d\xbf", b"", "e4 (1. d4) ??? *"),  # a variation without its end
        (b"\x0d\xbf\x0e\xcf", b"", "(???) e4 *"),  # a variation of nothing
        (b"\xcf", b"left over\0more", "e4 {left over} {more} *"),
        (b"\xcf\x0c", b"}\0", "e4 \n;}\n*"),
        (b"\x0c\xcf", b"", "e4 *"),
        (b"", b"", "*"),
    ],
)
def test_annotations(moves: bytes, comments: bytes, movetext: str) -> None:
    assert text_of(moves, comments=comments).split("\n\n", 1)[1].rstrip("\n") == movetext


@pytest.mark.parametrize("data", [b"", b"\x05Wh", b"\0", b"\0\1k7/8", b"\xf1\xffx", b"\0\0\xcf"])
def test_damaged_data(data: bytes) -> None:
    """The names stay, and damage ends the moves."""
    text = ScidText(NAMES).write(entry(len(data)), data, 0).decode()
    assert '[White "A"]' in text
    block = Block(text.encode())
    assert block.parse(True) == 1
