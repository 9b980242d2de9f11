"""Games of chess variants that no Variant tag names, told by a move that is illegal in chess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup._kernels.chess import decode_texts, final_fen

if TYPE_CHECKING:
    import chess

# A piece that is put on the board: "P@d4", "@d4".
_DROP = re.compile(r"[PNBRQpnbrq]?@[a-h][1-8]")
_MOVE = re.compile(
    r"(?:O-O(?:-O)?|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBNK])?)(?=[+#!?]*(?:\s|$))"
)
_MOST_TEXT = 4096  # characters after the fault that are read
_NOT_MOVES = re.compile(r"\{[^}]*\}|\([^()]*\)|;.*|\$\d+|\d+\.+")
# Words of an event, and the boards of python-chess on which the move must be legal. The moves of
# king of the hill, three-check and losers are all legal in chess.
_NAMED = (
    ("atomic", r"atomic", ("AtomicBoard",)),
    ("suicide", r"suicide", ("SuicideBoard",)),
    ("giveaway", r"give-?away", ("GiveawayBoard",)),
    ("antichess", r"anti-?chess|losing chess", ("AntichessBoard",)),
    ("racing kings", r"racing ?kings", ("RacingKingsBoard",)),
    ("horde", r"horde", ("HordeBoard",)),
    ("crazyhouse", r"crazyhouse", ("CrazyhouseBoard",)),
    ("wild", r"wild", ("AtomicBoard", "SuicideBoard", "GiveawayBoard")),
)


def variant_of(event: str, fen: str | None, moves: bytes, rest: str) -> str | None:
    """Return the variant of a game with a fault, None for chess.

    `moves` come before the fault, `rest` is the text from it on. A drop or the capture of a king
    is proof; a name in the event needs a move that is legal by its rules.
    """
    if _DROP.match(rest):
        return "bughouse" if re.search(r"bughouse", event, re.IGNORECASE) else "crazyhouse"
    tokens = list(_moves_in(rest[:_MOST_TEXT]))
    if not tokens or not rest.startswith(tokens[0]):
        return None
    uci = decode_texts(moves, fen)[0].split()
    for name, words, boards in _NAMED:
        if re.search(rf"\b(?:{words})\b", event, re.IGNORECASE) and any(
            _is_legal_there(board, fen, uci, tokens[0]) for board in boards
        ):
            return name
    if not any("x" in token for token in tokens):
        return None
    return "antichess" if _takes_a_king(final_fen(moves, fen), tokens) else None


def _moves_in(text: str) -> Iterator[str]:
    """Yield the moves of a movetext up to its first other token."""
    for token in _NOT_MOVES.sub(" ", text).split():
        move = _MOVE.match(token)
        if move is None:
            return
        yield move[0]


def _is_legal_there(board_name: str, fen: str | None, uci: list[str], san: str) -> bool:
    """Return whether all moves, and then one in SAN, are legal on a board of a variant."""
    from chess import variant  # 70 ms

    try:
        board = getattr(variant, board_name)(*([] if fen is None else [fen]))
        for move in uci:
            board.push_uci(move)
        board.parse_san(san)
    except ValueError:
        return False
    return True


def _takes_a_king(fen: str, tokens: list[str]) -> bool:
    """Return whether a king is taken, and all moves can be played if kings may be left in check."""
    import chess  # 60 ms

    board = chess.Board(fen)
    is_taken = False
    for token in tokens:
        fitting = [
            move for move in board.generate_pseudo_legal_moves() if _fits(board, move, token)
        ]
        if len(fitting) != 1:
            return False
        is_taken = is_taken or board.piece_type_at(fitting[0].to_square) == chess.KING
        board.push(fitting[0])
    return is_taken


def _fits(board: chess.Board, move: chess.Move, san: str) -> bool:
    """Return whether a token means a pseudo-legal move."""
    import chess  # 60 ms

    if san.startswith("O-O"):
        is_long = chess.square_file(move.to_square) < chess.square_file(move.from_square)
        return board.is_castling(move) and is_long == (san == "O-O-O")
    piece = board.piece_at(move.from_square)
    letter = san[0] if san[0] in "KQRBN" else ""
    squares = san.removeprefix(letter).replace("x", "").replace("=", "")
    promotion = squares[-1] if squares[-1] in "QRBNK" else ""
    squares = squares.removesuffix(promotion)
    origin, target = squares[:-2], squares[-2:]
    return (
        piece is not None
        and piece.symbol().upper() == (letter or "P")
        and chess.square_name(move.to_square) == target
        and all(sign in chess.square_name(move.from_square) for sign in origin)
        and (chess.piece_symbol(move.promotion).upper() if move.promotion else "") == promotion
    )
