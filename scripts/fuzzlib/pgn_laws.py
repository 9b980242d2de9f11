"""The PGN reader on any bytes: nothing is lost, blocks and threads change nothing, moves replay."""

from __future__ import annotations

import io
import json
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import apsw
import chess
import chess.polyglot

from fuzzlib.corpus import corpus_texts
from fuzzlib.model import Failure, Laws, Target
from fuzzlib.pgn_cases import START_TEXT, make_case
from ocgdedup._kernels.chess import Block, NameTable
from ocgdedup.game_columns import INSERTED_COLUMNS
from ocgdedup.matching.names.name_form import name_key
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.store.games import ANNOTATION_COLUMNS, COMMENT_COLUMNS, RowWriter

SLOW_S_PER_BYTE = 0.050 / 100_000
SLOW_FLOOR_S = 0.015  # below this a measurement says nothing
CUT_WORK_BYTES = 2_000_000  # read in all by the cut parse: it reads an open game again and again
REPLAYS = 3  # games replayed of one input
INVISIBLE = re.compile(rb"\xef\xbb\xbf|\xc2\xa0|\xe2\x80[\x8b-\x8f\xa8\xa9]|\xa0")
ESCAPE_LINE = re.compile(rb"(?:^|(?<=[\r\n]))[ \t\v\f\0\x1a]*%[^\r\n]*")
BLANKS = b" \t\r\n\v\f\0\x1a"
TABLES = (
    ("games", "Games", INSERTED_COLUMNS),
    ("comments", "Comments", COMMENT_COLUMNS),
    ("annotations", "Annotations", ANNOTATION_COLUMNS),
)


class Reading(NamedTuple):
    """All that was read of a text."""

    tables: dict[str, list[Any]]
    consumed_bytes: int
    games: int


def collect_rows(blocks: Iterable[Block], *, decode_all: bool = False) -> Reading:
    """Write blocks as the loading command does, and read the rows."""
    connection = apsw.Connection(":memory:")
    for _, table, columns in TABLES:
        connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
    writer = RowWriter(connection)
    names = (NameTable(), NameTable(), NameTable(name_key))
    for name_table in names:
        name_table.load(1, "")
    rows: dict[str, list[Any]] = {"faults": [], "rejects": []}
    odd_values = OddValues()
    game_id, number, offset, line = 1, 0, 0, 0
    for block in blocks:
        place = (game_id, 1, number, offset, line)
        count, _, faults, rejects = writer.write_block(
            block, names, odd_values, place, decode_all=decode_all
        )
        rows["faults"] += faults
        rows["rejects"] += rejects
        game_id += count
        number += block.game_count
        offset += block.consumed
        line += block.newlines
    writer.close()
    for title, table, columns in TABLES:
        sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY rowid"
        rows[title] = connection.execute(sql).fetchall()
    connection.close()
    for title, name_table in zip(("events", "sites", "players"), names, strict=True):
        rows[title] = list(name_table.new_rows())
    return Reading(rows, offset, number)


def parsed_block(text: bytes, use_ni: bool | None = None) -> Block:
    block = Block(text)
    block.parse(True, use_ni)
    return block


def slow_call(call: Callable[[], object], size_bytes: int, factor: float) -> float:
    """Return the CPU seconds of a call if they are too many for the size, else 0."""
    limit_s = max(SLOW_FLOOR_S, size_bytes * SLOW_S_PER_BYTE) * factor
    best_s = float("inf")
    for _ in range(3):
        start = time.process_time()
        call()
        best_s = min(best_s, time.process_time() - start)
        if best_s <= limit_s:
            return 0.0
    return best_s


def check_speed(text: bytes, laws: Laws) -> Iterator[Failure]:
    block = parsed_block(text)
    calls: tuple[tuple[str, Callable[[], object]], ...] = (
        ("parse", lambda: parsed_block(text)),
        ("rows", lambda: collect_rows([block])),
    )
    for title, call in calls:
        seconds = slow_call(call, len(text), laws.slow_factor)
        if seconds:
            yield Failure(f"slow {title}()", f"{seconds * 1000:.0f} ms for {len(text)} bytes")


def check_text(reading: Reading) -> Iterator[Failure]:
    """All text can be stored as UTF-8, and the extra tags are a JSON object of texts."""
    tags_at = INSERTED_COLUMNS.index("ExtraTags")
    for title, rows in reading.tables.items():
        for row in rows:
            for value in row:
                if isinstance(value, str):
                    value.encode("utf-8")
        if title == "games":
            for row in rows:
                text = row[tags_at]
                tags = json.loads(text) if text is not None else {"no": "tags"}
                if not tags or any(type(value) is not str for value in tags.values()):
                    yield Failure("extra tags are no JSON object of texts", repr(text))


def between(text: bytes) -> bytes:
    """Return what is left of the text between two games without blanks and escape lines."""
    return ESCAPE_LINE.sub(b"", INVISIBLE.sub(b" ", text)).strip(BLANKS)


def check_coverage(text: bytes, reading: Reading) -> Iterator[Failure]:
    """Each byte belongs to one block of text, or is blank between two."""
    number_at = INSERTED_COLUMNS.index("SourceNumber")
    places = [(row[number_at], row[number_at + 1], b"") for row in reading.tables["games"]]
    places += [(row[0], row[1], row[4]) for row in reading.tables["rejects"]]
    places.sort()
    starts = [start for _, start, _ in places]
    if [number for number, _, _ in places] != list(range(1, reading.games + 1)):
        yield Failure("blocks of text are not numbered 1, 2, 3", repr(places)[:300])
    if starts != sorted(set(starts)) or reading.consumed_bytes != len(text):
        yield Failure("blocks of text overlap or end early", f"{starts} {reading.consumed_bytes}")
    if between(text[: starts[0] if starts else None]):
        yield Failure("bytes before the first block of text", repr(text)[:300])
    for (_, start, raw), stop in zip(places, [*starts[1:], len(text)], strict=bool(places)):
        if not text.startswith(raw, start) or (raw and between(text[start + len(raw) : stop])):
            yield Failure("a reject does not have the bytes of its place", repr(raw)[:300])


def difference(whole: Reading, other: Reading) -> Failure | None:
    """Return the first difference of two readings of one text."""
    for title, rows in whole.tables.items():
        others = other.tables[title]
        for row, twin in zip(rows, others, strict=False):
            for i, (value, twin_value) in enumerate(zip(row, twin, strict=True)):
                if value != twin_value:
                    column = INSERTED_COLUMNS[i] if title == "games" else str(i)
                    return Failure(f"{title}.{column}", f"{value!r:.150} / {twin_value!r:.150}")
        if len(rows) != len(others):
            return Failure(f"{title} count", f"{len(rows)} / {len(others)}")
    return None


def block_sizes(rng: random.Random, size_bytes: int) -> list[int]:
    """Return block sizes that keep the work of a cut reading bounded; all, for a short text."""
    if size_bytes <= 150:
        return list(range(1, size_bytes + 1))
    least = max(1, size_bytes * size_bytes // CUT_WORK_BYTES)
    return [rng.randint(least, max(least, most)) for most in (64, 5000, size_bytes)]


def check_cuts(text: bytes, whole: Reading, rng: random.Random) -> Iterator[Failure]:
    """Neither the size of blocks nor threads change what is read."""
    for size_bytes in block_sizes(rng, len(text)):
        jobs = 2 if rng.random() < 0.02 else 1
        cut = parse_stream(io.BytesIO(text), jobs=jobs, block_bytes=size_bytes)
        result = difference(whole, collect_rows(cut))
        if result:
            detail = f"whole / in blocks of {size_bytes} bytes: {result.detail}"
            yield Failure(f"cut changes {result.kind}", detail)
            return


def castling_of(board: chess.Board, start: int, target: int) -> chess.Move | None:
    """Return castling as king takes rook, if the king's two squares mean that."""
    for move in board.generate_castling_moves():
        side = chess.FILE_NAMES.index("g" if move.to_square > move.from_square else "c")
        if move.from_square == start and chess.square_file(target) == side:
            return move
    return None


def decode_move(board: chess.Board, code: int) -> chess.Move:
    start, target = code & 63, code >> 6 & 63
    if code == 0:
        return chess.Move.null()
    if not code & 0x8000 and start == board.king(board.turn) and abs(start - target) == 2:
        return castling_of(board, start, target) or chess.Move(start, target)
    return chess.Move(start, target, code >> 12 & 7 or None)


def replay(fen: str | None, blob: bytes, zobrist: int) -> Failure | None:
    """Replay a game by another library: each move legal, the same key at its end."""
    try:
        board = chess.Board(fen.replace("_", " ") if fen else chess.STARTING_FEN, chess960=True)
    except ValueError:
        return None  # stricter than the reader about what may be missing
    trusted = fen is None or board.is_valid()
    for ply in range(len(blob) // 2):
        move = decode_move(board, int.from_bytes(blob[2 * ply : 2 * ply + 2], "little"))
        if move and not board.is_legal(move):
            return Failure("illegal move in a blob", f"ply {ply}: {move} in {board.fen()}")
        board.push(move)
    if trusted and chess.polyglot.zobrist_hash(board) != zobrist & (1 << 64) - 1:
        return Failure("final Zobrist key is another", f"{board.fen()} from {fen}")
    return None


def check_decoded(text: bytes, whole: Reading) -> Iterator[Failure]:
    """Compare values that the kernel takes as written with those that Python decodes."""
    result = difference(whole, collect_rows([parsed_block(text)], decode_all=True))
    if result:
        yield Failure(f"decoded {result.kind}", f"as written / decoded: {result.detail}")


def check_replays(reading: Reading, rng: random.Random) -> Iterator[Failure]:
    rows = reading.tables["games"]
    columns = [INSERTED_COLUMNS.index(name) for name in ("FEN", "Moves2", "FinalZobrist")]
    for row in rng.sample(rows, min(REPLAYS, len(rows))):
        fen, blob, zobrist = (row[i] for i in columns)
        result = replay(fen, blob[: 2 * 1000], zobrist) if len(blob) <= 2000 else None
        if result:
            yield result


def check_input(text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield each law that the reading of a text breaks."""
    rng = laws.random()
    whole = collect_rows([parsed_block(text)])
    if whole != collect_rows([parsed_block(text, use_ni=False)]):
        yield Failure("hashes differ without the processor's SHA-256", "")
    yield from behaviour(whole)
    yield from check_speed(text, laws)
    yield from check_text(whole)
    yield from check_coverage(text, whole)
    yield from check_decoded(text, whole)
    yield from check_cuts(text, whole, rng)
    yield from check_replays(whole, rng)


def behaviour(reading: Reading) -> Iterator[str]:
    """Name the kinds of faults, rejects, annotations and extra tags of a text."""
    for title, place in (("faults", -2), ("rejects", 3)):
        for row in reading.tables[title]:
            yield f"{title}: {re.sub('[^a-z ]+.*', '', str(row[place]))[:40]}"
    for title in ("games", "comments", "annotations"):
        for row in reading.tables[title]:
            yield title + "".join("-" if value in (None, 0) else "x" for value in row)


def seeds() -> list[bytes]:
    return [START_TEXT, *corpus_texts("*.pgn")]


TARGET = Target("pgn", "the PGN reader", seeds, make_case, check_input)
