#!/usr/bin/env python3
"""Feed the PGN reader random and mutated bytes and check what must hold for any input.

    scripts/fuzz_pgn.py [--seconds N] [--seed S] [--corpus DIR] [--save DIR] [FILES OR FOLDERS]

Needs ocgdedup installed, and python-chess to replay games; scripts/fuzz_asan brings both.
Case number N of a seed is always the same bytes (given the same files): --case N runs it alone.
Cases run in child processes, so a crash or a hang ends one child and not the run. Exit code 1 if
any law of `check_input` was broken.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import re
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fuzzlib.pgn_cases import make_case, seed_texts

from ocgdedup._kernels.pgn_read import Block, NameTable
from ocgdedup.pgn.blocks import parse_stream
from ocgdedup.pgn.odd_values import OddValues
from ocgdedup.store.connection import create_database
from ocgdedup.store.games import ANNOTATION_COLUMNS, COMMENT_COLUMNS, LOADED_COLUMNS
from ocgdedup.store.row_writer import RowWriter

try:
    import chess
    import chess.polyglot
except ImportError:
    HAVE_CHESS = False
else:
    HAVE_CHESS = True

ROOT = Path(__file__).resolve().parent.parent
BATCH_CASES = 100  # in one child process
HANG_S = 20.0
SLOW_S_PER_BYTE = 0.050 / 100_000
SLOW_FLOOR_S = 0.015  # below this a measurement says nothing
CUT_WORK_BYTES = 2_000_000  # read in all by the cut parse: it reads an open game again and again
REPLAYS = 3  # games replayed of one input
MINIMISE_TRIES = 250
MINIMISE_S = 20.0
INVISIBLE = re.compile(rb"\xef\xbb\xbf|\xc2\xa0|\xe2\x80[\x8b-\x8f\xa8\xa9]|\xa0")
ESCAPE_LINE = re.compile(rb"(?:^|(?<=[\r\n]))[ \t\v\f\0\x1a]*%[^\r\n]*")
BLANKS = b" \t\r\n\v\f\0\x1a"


class Failure(NamedTuple):
    """A broken law: equal kinds are taken for one bug."""

    kind: str
    detail: str


class Laws(NamedTuple):
    """How inputs are checked: the seed of what is drawn, and how slow this build may be."""

    seed: int
    slow_factor: float


class Reading(NamedTuple):
    """All that was read of a text."""

    tables: dict[str, list[Any]]
    consumed_bytes: int
    games: int


# --- laws -------------------------------------------------------------------------------------


def collect_rows(blocks: Iterable[Block]) -> Reading:
    """Make rows of blocks as the loading command does."""
    names = (NameTable(), NameTable(), NameTable())
    for table in names:
        table.load(1, "")
    rows: dict[str, list[Any]] = {
        title: [] for title in ("games", "comments", "annotations", "faults", "rejects", "keys")
    }
    odd_values = OddValues()
    number = offset = line = 0
    for block in blocks:
        place = (len(rows["games"]) + 1, 1, number, offset, line)
        _, games, *others = block.rows(names, odd_values, place)
        parts: tuple[list[Any], ...] = (games, *others, block.keys())
        for title, part in zip(rows, parts, strict=True):
            rows[title].extend(part)
        number += block.game_count
        offset += block.consumed
        line += block.newlines
    for title, table in zip(("events", "sites", "players"), names, strict=True):
        rows[title] = list(table.new_rows())
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
    for title, rows in reading.tables.items():
        for row in rows:
            for value in row:
                if isinstance(value, str):
                    value.encode("utf-8")
        if title == "games":
            for row in rows:
                tags = json.loads(row[-1]) if row[-1] is not None else {"no": "tags"}
                if not tags or any(type(value) is not str for value in tags.values()):
                    yield Failure("extra tags are no JSON object of texts", repr(row[-1]))


def between(text: bytes) -> bytes:
    """Return what is left of the text between two games without blanks and escape lines."""
    return ESCAPE_LINE.sub(b"", INVISIBLE.sub(b" ", text)).strip(BLANKS)


def check_coverage(text: bytes, reading: Reading) -> Iterator[Failure]:
    """Each byte belongs to one block of text, or is blank between two."""
    number_at = LOADED_COLUMNS.index("SourceNumber")
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
                    column = LOADED_COLUMNS[i] if title == "games" else str(i)
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
        found = difference(whole, collect_rows(cut))
        if found:
            detail = f"whole / in blocks of {size_bytes} bytes: {found.detail}"
            yield Failure(f"cut changes {found.kind}", detail)
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


def check_insert(text: bytes, whole: Reading) -> Iterator[Failure]:
    """Compare what the kernel inserts by itself with the rows that it makes in Python."""
    connection = create_database(":memory:")
    names = (NameTable(), NameTable(), NameTable())
    for table in names:
        table.load(1, "")
    writer = RowWriter(connection)
    writer.write_block(parsed_block(text), names, OddValues(), (1, 1, 0, 0, 0))
    writer.close()
    for title, name, columns in (
        ("games", "Games", LOADED_COLUMNS),
        ("comments", "Comments", COMMENT_COLUMNS),
        ("annotations", "Annotations", ANNOTATION_COLUMNS),
    ):
        sql = f"SELECT {', '.join(columns)} FROM {name} ORDER BY ID"
        if list(connection.execute(sql)) != whole.tables[title]:
            yield Failure(f"inserted {title} are not the rows made", "")
    connection.close()


def check_replays(reading: Reading, rng: random.Random) -> Iterator[Failure]:
    rows = reading.tables["games"]
    if not HAVE_CHESS:
        return
    columns = [LOADED_COLUMNS.index(name) for name in ("FEN", "Moves2", "FinalZobrist")]
    for row in rng.sample(rows, min(REPLAYS, len(rows))):
        fen, blob, zobrist = (row[i] for i in columns)
        found = replay(fen, blob[: 2 * 1000], zobrist) if len(blob) <= 2000 else None
        if found:
            yield found


def check_input(text: bytes, laws: Laws) -> Iterator[Failure]:
    """Yield each law that the reading of a text breaks."""
    rng = random.Random(laws.seed)
    block = parsed_block(text)
    if block.keys() != parsed_block(text, use_ni=False).keys():
        yield Failure("hashes differ without the processor's SHA-256", "")
    whole = collect_rows([block])
    yield from check_speed(text, laws)
    yield from check_text(whole)
    yield from check_coverage(text, whole)
    yield from check_insert(text, whole)
    yield from check_cuts(text, whole, rng)
    yield from check_replays(whole, rng)


def failures_of(text: bytes, laws: Laws) -> list[Failure]:
    """Return what is wrong with the reading of a text; no exception is right."""
    found: list[Failure] = []
    try:
        found.extend(check_input(text, laws))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno} {place.name}"
        found.append(Failure(f"{type(error).__name__} in {where}", f"{error}"[:300]))
    return found


# --- child processes --------------------------------------------------------------------------


class Child(NamedTuple):
    """A forked process, what it reports, and its standard error."""

    pid: int
    reports: int
    errors: Path


def start_child(work: Callable[[Callable[[object], None]], None], errors: Path) -> Child:
    """Run `work(report)` in a fork; what it reports can be read as lines of JSON."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return Child(pid, read_end, errors)
    os.close(read_end)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    status = 3
    try:
        work(lambda value: write_all(write_end, json.dumps(value).encode() + b"\n"))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def write_all(file: int, text: bytes) -> None:
    while text:
        text = text[os.write(file, text) :]


def follow_child(child: Child, hang_s: float) -> Iterator[Any]:
    """Yield what the child reports, and a Failure last if it hung or crashed."""
    rest = b""
    hung = False
    while not hung:
        ready, _, _ = select.select([child.reports], [], [], hang_s)
        part = os.read(child.reports, 65536) if ready else b""
        hung = not ready
        if not part:
            break
        *lines, rest = (rest + part).split(b"\n")
        yield from map(json.loads, lines)
    os.close(child.reports)
    if hung:
        os.kill(child.pid, signal.SIGKILL)
    status = os.waitpid(child.pid, 0)[1]
    if hung:
        yield Failure("hang", f"no answer for {hang_s:.0f} s")
    elif status:
        yield crash_failure(status, child.errors.read_text(errors="replace"))


def crash_failure(status: int, errors: str) -> Failure:
    """Name a crash after the sanitizer's summary, else after the signal."""
    found = re.search(r"runtime error: .*|SUMMARY: .*|Fatal .*", errors)
    title = found.group() if found else f"status {os.waitstatus_to_exitcode(status)}"
    return Failure("crash: " + re.sub(r"0x[0-9a-f]+|\d{4,}", "N", title), errors[:6000])


def failures_apart(text: bytes, laws: Laws, errors: Path) -> list[Failure]:
    """Return the failures of a text, checked in a child."""

    def work(report: Callable[[object], None]) -> None:
        for failure in failures_of(text, laws):
            report(failure)

    hang_s = HANG_S * laws.slow_factor
    return [Failure(*found) for found in follow_child(start_child(work, errors), hang_s)]


def minimise(text: bytes, laws: Laws, kind: str, errors: Path) -> bytes:
    """Return a shorter text that fails in the same way: parts are left out by bisection."""
    stop_at = time.monotonic() + MINIMISE_S * (1 if kind != "hang" else 6)
    tries = 0
    part = max(1, len(text) // 2)
    at = 0
    while part and tries < MINIMISE_TRIES and time.monotonic() < stop_at:
        shorter = text[:at] + text[at + part :]
        tries += 1
        if any(kind == found.kind for found in failures_apart(shorter, laws, errors)):
            text = shorter
        else:
            at += part
        if at >= len(text):
            at, part = 0, part // 2
    return text


# --- the run ----------------------------------------------------------------------------------


class Run:
    """One run: which cases were read, and one example of each kind of failure."""

    def __init__(self, options: argparse.Namespace, seeds: list[bytes], folder: Path) -> None:
        self._options = options
        self._seeds = seeds
        self._errors = folder / "errors"
        self._stop_at = time.monotonic() + options.seconds
        self.counts: dict[str, int] = {}
        self.cases = 0

    def run(self) -> None:
        while time.monotonic() < self._stop_at:
            self._run_batch(self.cases)

    def run_one(self, number: int) -> None:
        text = make_case(self._options.seed, number, self._seeds)
        for failure in failures_apart(text, self._laws(number), self._errors):
            self._note(number, failure)
        self.cases = 1

    def _laws(self, number: int) -> Laws:
        return Laws(number, self._options.slow_factor)

    def _run_batch(self, first: int) -> None:
        """Read cases from `first` on in one child, up to the first that ends it."""

        def work(report: Callable[[object], None]) -> None:
            for number in range(first, first + BATCH_CASES):
                if time.monotonic() >= self._stop_at:
                    return
                report(number)
                text = make_case(self._options.seed, number, self._seeds)
                for failure in failures_of(text, self._laws(number)):
                    report(failure)

        child = start_child(work, self._errors)
        number = first
        for report in follow_child(child, HANG_S * self._options.slow_factor):
            if isinstance(report, int):
                number = report
                self.cases = number + 1
            else:
                self._note(number, Failure(*report))

    def _note(self, number: int, failure: Failure) -> None:
        seen = self.counts.get(failure.kind, 0)
        self.counts[failure.kind] = seen + 1
        if seen >= self._options.examples:
            return
        text = make_case(self._options.seed, number, self._seeds)
        small = minimise(text, self._laws(number), failure.kind, self._errors)
        print(f"\ncase {number}: {failure.kind}\n  {failure.detail}")
        print(f"  {len(text)} bytes, minimised {len(small)}: {small[:400]!r}", flush=True)
        if self._options.save:
            digest = hashlib.sha256(failure.kind.encode()).hexdigest()[:8]
            path = self._options.save / f"{digest}-{self._options.seed}-{number}"
            path.with_suffix(".pgn").write_bytes(small)
            path.with_suffix(".txt").write_text(f"{failure.kind}\n\n{failure.detail}\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("paths", nargs="*", type=Path, help="files and folders with seeds")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="which run of cases (default 1)")
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests" / "corpus")
    parser.add_argument("--save", type=Path, help="where failing inputs go, minimised")
    parser.add_argument("--examples", type=int, default=1, help="of a kind of failure (default 1)")
    parser.add_argument("--case", type=int, help="run this case alone")
    parser.add_argument(
        "--slow-factor", type=float, default=1, help="how much slower this build may be"
    )
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
    seeds = seed_texts([*([options.corpus] if options.corpus.exists() else []), *options.paths])
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, seeds, Path(folder))
        if options.case is not None:
            run.run_one(options.case)
        else:
            run.run()
    print(f"\n{run.cases} cases from {len(seeds)} seeds, {len(run.counts)} kinds of failure")
    for kind, count in sorted(run.counts.items()):
        print(f"{count:6} {kind}")
    return 1 if run.counts else 0


if __name__ == "__main__":
    sys.exit(main())
