#!/usr/bin/env python3
"""Read PGN files with ocgdedup and with python-chess, and compare game by game.

    scripts/compare_with_python_chess.py FILE.pgn... [--games N] [--seed S] [--jobs N]

For each game (or N of them, drawn by --seed) the moves, the final FEN and the Polyglot key must
be the same. Python-chess gets the bytes from the game's SourceOffset to where the next begins, so
each game is compared on its own. Games that ocgdedup marked, or in which python-chess reports
errors, are listed with both ply counts; as far as both read such a game, they must agree too.

Exit code: 0 no difference, 1 a difference, 2 failed.
"""

from __future__ import annotations

import installed  # noqa: F401

# isort: split
import argparse
import io
import itertools
import logging
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import chess.polyglot

from ocgdedup._kernels.chess import final_fen

CHESS960_CASTLING = 1 << 15  # the king takes its own rook: docs/file-format.md
PROMOTIONS = (None, None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
TASK_GAMES = 100  # handed to a process at a time
SHOWN_BEFORE = 6  # moves shown around the first difference
SHOWN_AFTER = 4
TAG_PAIR = r'\[\s*\w+\s*"[^\n]*?"\s*\]'


class StoredGame(NamedTuple):
    """What the database says of a game, and where its text stands."""

    path: str
    number: int
    start_byte: int
    end_byte: int | None  # None: to the end of the file
    charset: str | None
    fen: str | None
    moves: bytes
    final_zobrist: int
    fault: str | None


class Finding(NamedTuple):
    """The outcome of one game; `lines` explain what is not simply equal."""

    outcome: str
    lines: list[str]


EQUAL, LISTED, DIFFERENT = "equal", "listed", "different"


class Mainline(chess.pgn.BaseVisitor[None]):
    """Keeps the mainline, the board after it, and the errors; variations are skipped."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.errors: list[str] = []
        self.board = chess.Board()

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_board(self, board: chess.Board) -> None:
        self.board = board

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.moves.append(move_text(board, move))

    def handle_error(self, error: Exception) -> None:
        self.errors.append(str(error))

    def result(self) -> None:
        return None


def move_text(board: chess.Board, move: chess.Move) -> str:
    """Return a move as UCI, castling by its name: programs encode it in several ways."""
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    return move.uci()


def stored_moves(game: StoredGame) -> list[str]:
    """Return the moves of a blob in the form of move_text()."""
    board = chess.Board(full_fen(game.fen), chess960=True) if game.fen else chess.Board()
    texts = []
    for (code,) in struct.iter_unpack("<H", game.moves):
        start, target = code & 63, code >> 6 & 63
        move = chess.Move(start, target, PROMOTIONS[code >> 12 & 7]) if code else chess.Move.null()
        two_files = abs(chess.square_file(start) - chess.square_file(target)) == 2
        if code & CHESS960_CASTLING or (two_files and board.piece_type_at(start) == chess.KING):
            texts.append("O-O" if target > start else "O-O-O")
            move = board.parse_san(texts[-1])
        else:
            texts.append(move.uci())
        board.push(move)
    return texts


def full_fen(fen: str) -> str:
    """Return the FEN without what python-chess refuses: blanks at will, fields left out."""
    fields = fen.replace("_", " ").split()
    return " ".join(fields + ["w", "-", "-", "0", "1"][len(fields) - 1 :])


def read_text(path: str, start_byte: int, end_byte: int | None, charset: str | None) -> str:
    with Path(path).open("rb") as file:
        file.seek(start_byte)
        raw = file.read() if end_byte is None else file.read(end_byte - start_byte)
    return raw.decode(charset or "utf-8-sig", "replace")


def read_mainline(text: str, plies: int) -> Mainline:
    """Read a game with python-chess, once more in a plainer layout if it stops short.

    To python-chess a blank line ends a game, and what stands behind a tag on its line is lost.
    """
    mainline = Mainline()
    chess.pgn.read_game(io.StringIO(text), Visitor=lambda: mainline)
    if len(mainline.moves) < plies and not mainline.errors:
        mainline = Mainline()
        chess.pgn.read_game(io.StringIO(plain_layout(text)), Visitor=lambda: mainline)
    return mainline


def plain_layout(text: str) -> str:
    """Return a game with a line for each tag, one blank line, and none in the movetext."""
    tags = re.match(rf"(?:\s*{TAG_PAIR})*", text)
    movetext = text[tags.end() :] if tags else text
    lines = [line for line in movetext.splitlines() if line.strip()]
    return "\n".join([*re.findall(TAG_PAIR, text[: -len(movetext)]), "", *lines])


def signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def compare(game: StoredGame) -> Finding:
    ours = stored_moves(game)
    text = read_text(game.path, game.start_byte, game.end_byte, game.charset)
    theirs = read_mainline(text, len(ours))
    excused = game.fault or theirs.errors
    shared = min(len(ours), len(theirs.moves))
    if ours[:shared] != theirs.moves[:shared] or (ours != theirs.moves and not excused):
        return Finding(DIFFERENT, describe(game, ours, theirs.moves))
    if ours != theirs.moves:
        why = f"we: {game.fault or 'no fault'}; python-chess: {(theirs.errors or ['no error'])[0]}"
        plies = f"{len(ours)} and {len(theirs.moves)} plies"
        return Finding(LISTED, [f"{place_of(game)}: {plies}; {why}"])
    wrong = compare_positions(game, theirs.board)
    return Finding(DIFFERENT, [place_of(game), *wrong]) if wrong else Finding(EQUAL, [])


def compare_positions(game: StoredGame, board: chess.Board) -> list[str]:
    """Return what differs in the position that the game ends in."""
    wrong = []
    fen = final_fen(game.moves, game.fen)
    if fen != board.fen(en_passant="xfen"):
        wrong.append(f"  final FEN: {fen} and {board.fen(en_passant='xfen')}")
    key = signed(chess.polyglot.zobrist_hash(board))
    if game.final_zobrist != key:
        wrong.append(f"  Polyglot key: {game.final_zobrist} and {key}")
    return wrong


def place_of(game: StoredGame) -> str:
    return f"{game.path}: byte {game.start_byte}, game {game.number}"


def describe(game: StoredGame, ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Show both move lists around the first difference."""
    pairs = itertools.zip_longest(ours, theirs)
    ply = next(i for i, (our, their) in enumerate(pairs) if our != their)
    part = slice(max(0, ply - SHOWN_BEFORE), ply + SHOWN_AFTER)
    return [
        f"{place_of(game)}: ply {ply + 1} of {len(ours)} and {len(theirs)}",
        f"  we:           {' '.join(ours[part])}",
        f"  python-chess: {' '.join(theirs[part])}",
    ]


def compare_all(games: Sequence[StoredGame]) -> list[Finding]:
    logging.getLogger("chess.pgn").disabled = True
    return [compare(game) for game in games]


def create_database(path: Path, files: Sequence[str]) -> None:
    command = [sys.executable, "-m", "ocgdedup", "create", "--quiet", "--no-index", str(path)]
    status = subprocess.run([*command, "--", *files], check=False).returncode
    if status not in (0, 1):  # 1: some input was rejected or marked
        raise SystemExit(2)


def stored_games(path: Path) -> Iterator[StoredGame]:
    """Yield all games; what is between two of them belongs to the first, rejects excepted."""
    query = (
        "SELECT S.ID, S.Name, P.SourceNumber, P.SourceOffset, P.Charset, P.FEN, P.Moves2, "
        "P.FinalZobrist, P.Fault FROM (SELECT SourceID, SourceNumber, SourceOffset, Charset, FEN, "
        "Moves2, FinalZobrist, (SELECT Reason FROM Faults WHERE GameID = Games.ID) AS Fault "
        "FROM Games UNION ALL SELECT SourceID, SourceNumber, SourceOffset, "
        "NULL, NULL, NULL, NULL, NULL FROM Rejects) AS P JOIN Sources AS S ON S.ID = P.SourceID "
        "ORDER BY S.ID, P.SourceNumber"
    )
    connection = sqlite3.connect(path)
    rows = itertools.chain(connection.execute(query), [None])
    for row, following in itertools.pairwise(rows):
        source_id, name, number, start, charset, fen, moves, key, fault = row
        if moves is not None:
            same_file = following is not None and following[0] == source_id
            end = following[3] if same_file else None
            yield StoredGame(name, number, start, end, charset, fen, moves, key, fault)
    connection.close()


def report(findings: Sequence[Finding]) -> int:
    """Print all that is not equal, then the summary; return how many games differ."""
    for outcome in (LISTED, DIFFERENT):
        for finding in findings:
            if finding.outcome == outcome:
                print(f"{outcome}: " + "\n".join(finding.lines))
    counts = Counter(finding.outcome for finding in findings)
    print(
        f"games: {len(findings)}, equal: {counts[EQUAL]}, marked or with errors: "
        f"{counts[LISTED]}, different: {counts[DIFFERENT]}"
    )
    return counts[DIFFERENT]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE.pgn")
    parser.add_argument("--games", type=int, metavar="N", help="compare N games drawn at random")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="for --games; default: 1")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes; default: all processors")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db3"
        create_database(database, arguments.files)
        games = list(stored_games(database))
    if arguments.games is not None and arguments.games < len(games):
        games = sorted(random.Random(arguments.seed).sample(games, arguments.games))
    tasks = [games[i : i + TASK_GAMES] for i in range(0, len(games), TASK_GAMES)]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        findings = list(itertools.chain.from_iterable(pool.map(compare_all, tasks)))
    return 1 if report(findings) else 0


if __name__ == "__main__":
    sys.exit(main())
