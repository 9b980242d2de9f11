"""Read a sample of PGN files with python-chess; print what read_game cost as JSON.

    probe_python_chess.py GAMES FILE.pgn...

The sample is spread evenly over the files: neighbours are alike. Only the calls of read_game are
timed, not the imports and not the choosing. Run by scripts/bench.
"""

from __future__ import annotations

import io
import json
import mmap
import re
import sys
import time
from collections.abc import Iterator

import chess.pgn

GAME_START = re.compile(rb"^\[Event ", re.MULTILINE)


def game_spans(files: list[str]) -> Iterator[tuple[mmap.mmap, int, int]]:
    """Yield file, begin and end of each game that begins as most do."""
    for path in files:
        with open(path, "rb") as stream:
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        begins = [match.start() for match in GAME_START.finditer(content)] or [0]
        ends = [*begins[1:], len(content)]
        for begin, end in zip(begins, ends, strict=True):
            yield content, begin, end


def sample_text(files: list[str], size: int) -> str:
    spans = list(game_spans(files))
    size = min(size, len(spans))
    chosen = (spans[number * len(spans) // size] for number in range(size))
    return b"".join(file[begin:end] for file, begin, end in chosen).decode("utf-8", "replace")


def main() -> None:
    handle = io.StringIO(sample_text(sys.argv[2:], int(sys.argv[1])))
    games = 0
    cpu_ns, wall_ns = time.process_time_ns(), time.perf_counter_ns()
    while chess.pgn.read_game(handle) is not None:
        games += 1
    figures = {
        "games": games,
        "plies": 0,  # not counted
        "cpu_s": (time.process_time_ns() - cpu_ns) / 1e9,
        "wall_s": (time.perf_counter_ns() - wall_ns) / 1e9,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
