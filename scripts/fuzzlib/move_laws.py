"""Move blobs and start positions of any kind: decoders, writers, filters, signatures, measures."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

import chess

from fuzzlib.draws import Draws
from fuzzlib.model import Failure, Laws, Target
from fuzzlib.mutating import mutate_often
from fuzzlib.pgn_cases import FEN_TAGS
from fuzzlib.pgn_laws import INSERTED_COLUMNS, collect_rows, parsed_block
from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel
from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.chess import PgnWriter, moves_at, signature_rows, symmetric_form
from ocgdedup.game_columns import PRINTED_COLUMNS

MOST_PLIES = 3_000  # of measures whose time goes by the square
GO_STARTS = (None, "9", "19/AB[dd][pp]", "25", "26", "-1", "", "19/AB[zz]", "13/AB[aa:mm]", "\0")
TOKENS: tuple[bytes, ...] = (
    b"\0\0", b"\xff\xff", b"\x0c\x07", b"\x04\x80", b"\0\x80", b"\x3f\x0f", b"\0\x70", b"\0",
    *(fen.encode() for fen in FEN_TAGS), b"19/AB[dd]", b"/", b" w KQkq - 0 1", b"\x01" * 50,
)  # fmt: skip


def start_case(number: int) -> bytes:
    """Return a legal game as an input: the choice of a start, its moves."""
    rng = random.Random(number)
    board = chess.Board()
    blob = bytearray()
    for _ in range(rng.randrange(120)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        code = move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
        blob += code.to_bytes(2, "little")
        board.push(move)
    return bytes([0, 0, len(blob) % 256, len(blob) // 256]) + bytes(blob)


def make_case(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    if rng.random() < 0.1:
        return rng.randbytes(rng.randrange(400))
    return mutate_often(rng, rng.choice(seeds), TOKENS, seeds, most_bytes=20_000)


def check_input(text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield each law that the kernels of moves break on an input."""
    draws = Draws(text)
    kind = draws.below(4)
    if kind < len((None, *FEN_TAGS)) and kind:
        start: str | None = draws.choice(FEN_TAGS)
    else:
        start = draws.some(draws.below(90)).decode("latin-1") if kind == 3 else None
    moves = draws.some(draws.below(65_536))
    other = draws.some(65_536) or moves[::-1]
    yield from check_chess(moves, start)
    yield from check_go(moves, draws.choice(GO_STARTS) if start is None else start)
    yield from check_measures(moves, other)


def attempt(work: Callable[[], object]) -> object:
    """Return what a kernel gives, None if it refuses by ValueError."""
    try:
        return work()
    except ValueError:
        return None


def refusal(work: Callable[[], object]) -> str:
    """Return how a kernel refuses, without numbers and names."""
    try:
        work()
    except ValueError as error:
        return re.sub("[^a-z ]+[^ ]*", "#", str(error))[:60]
    return "accepted"


def check_chess(moves: bytes, start: str | None) -> Iterator[Failure | str]:
    """All decoders accept the same blobs, and what they write is read as the same blob."""
    sans = attempt(lambda: chess_kernel.decode_san(moves, start))
    readings = {
        "texts": attempt(lambda: chess_kernel.decode_texts(moves, start)),
        "keys": attempt(lambda: chess_kernel.keys_of(moves, start)),
        "fen": attempt(lambda: chess_kernel.final_fen(moves, start)),
        "scratch": attempt(lambda: chess_kernel.scratch_key(moves, start)),
    }
    for name, result in readings.items():
        if (result is None) != (sans is None):
            yield Failure(f"{name} and SAN do not accept the same", f"{start!r} {moves[:40]!r}")
    attempt(lambda: chess_kernel.filter_of(moves, start, False))
    signature_rows([(1, start, moves)], False)
    attempt(lambda: moves_at(moves, (1, 20, 1 << 20), False))
    if start is not None:
        attempt(lambda: chess_kernel.start_epd(start))
        attempt(lambda: chess_kernel.perft(start, 1))
    yield refusal(lambda: chess_kernel.decode_san(moves, start))
    if isinstance(sans, list):
        yield f"legal, {len(sans).bit_length()} bits of plies"
        yield from check_written(moves, start, sans)


def check_written(moves: bytes, start: str | None, sans: list[str]) -> Iterator[Failure | str]:
    values = {"ID": 1, "FEN": start, "Moves2": moves}
    row = tuple(map(values.get, PRINTED_COLUMNS))
    written = attempt(lambda: PgnWriter().write([row], [], [], [], {}))
    if not isinstance(written, bytes):
        yield Failure("what is decoded is not written", f"{start!r} {moves[:40]!r}")
        return
    games = collect_rows([parsed_block(written)]).tables["games"]
    read = games[0][INSERTED_COLUMNS.index("Moves2")] if len(games) == 1 else None
    if (read or b"") != moves and "--" not in sans:
        yield Failure("what is written is read as other moves", f"{start!r} {moves[:40]!r}")


def check_go(moves: bytes, start: str | None) -> Iterator[Failure | str]:
    keys = attempt(lambda: go_kernel.keys_of(moves, start))
    attempt(lambda: go_kernel.board_after(moves, start))
    attempt(lambda: go_kernel.board_after(moves, start, len(moves) // 4))
    attempt(lambda: go_kernel.move_texts(moves))
    attempt(lambda: chess_kernel.filter_of(moves, start, True))
    yield refusal(lambda: go_kernel.keys_of(moves, start))
    rows = signature_rows([(1, start, moves)], True)
    if rows[0] is not None:
        attempt(lambda: symmetric_form(rows[0][1], start))  # type: ignore[index]
    for lines in (19, 9, 25, 1):
        written = attempt(
            lambda lines=lines: go_kernel.move_nodes(moves, 0, len(moves) // 2, lines, 10)
        )
        yield f"Go {keys is not None} {written is not None}"
    for symmetry in range(8):
        rotated = attempt(lambda symmetry=symmetry: go_kernel.rotate_moves(moves, 19, symmetry))
        if isinstance(rotated, bytes) and len(rotated) != len(moves):
            yield Failure("a rotated blob has another length", f"{moves[:40]!r}")


def check_measures(left: bytes, right: bytes) -> Iterator[Failure]:
    """Measures are symmetric; equal blobs are equal in all of them."""
    if (len(left) | len(right)) & 1 or max(len(left), len(right)) > 2 * MOST_PLIES:
        left, right = left[: 2 * MOST_PLIES & -2], right[: 2 * MOST_PLIES & -2]
    left, right = left[: len(left) & -2], right[: len(right) & -2]
    for measure in (
        search_kernel.common_plies, search_kernel.common_tail, search_kernel.indel_distance,
        search_kernel.jaro_winkler, search_kernel.monge_elkan,
    ):  # fmt: skip
        forward, back = measure(left, right), measure(right, left)
        if abs(forward - back) > 1e-9:
            yield Failure(f"{measure.__name__}() is not symmetric", f"{forward} {back}")
    distance, plies = search_kernel.prefix_indel_distance(left, right)
    if distance == 0 and right[: 2 * plies] != left:
        yield Failure("prefix_indel_distance() is 0 for no prefix", f"{left[:40]!r}")


def seeds() -> list[bytes]:
    return [start_case(number) for number in range(8)]


TARGET = Target("moves", "move blobs: decoders, writers, measures", seeds, make_case, check_input)
