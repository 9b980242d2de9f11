"""Read the first games of SGF files with sgfmill; print what its parser cost as JSON.

    probe_sgfmill.py GAMES FILE.sgf...

Timed are parsing and playing the mainline on sgfmill's board, as the kernel does; not the reading
of the files and not the imports. Run by scripts/bench.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sgfmill import sgf, sgf_moves

GAME_START = re.compile(rb"^\(\s*;", re.MULTILINE)


def game_texts(files: list[str]) -> Iterator[bytes]:
    """Yield the text of each game that begins a line."""
    for path in files:
        content = Path(path).read_bytes()
        begins = [match.start() for match in GAME_START.finditer(content)]
        for begin, end in zip(begins, [*begins[1:], len(content)], strict=True):
            yield content[begin:end]


def play(text: bytes) -> int:
    """Parse a game and play it; return its moves, 0 for one that sgfmill does not take."""
    try:
        board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(text))
        for colour, point in moves:
            if point is not None:
                board.play(*point, colour)
    except ValueError:
        return 0
    return len(moves)


def main() -> None:
    texts = list(game_texts(sys.argv[2:]))
    expected = min(int(sys.argv[1]), len(texts))
    chosen = [texts[number * len(texts) // expected] for number in range(expected)]
    cpu_ns, wall_ns = time.process_time_ns(), time.perf_counter_ns()
    plies = sum(map(play, chosen))
    figures = {
        "games": expected,
        "plies": plies,
        "cpu_s": (time.process_time_ns() - cpu_ns) / 1e9,
        "wall_s": (time.perf_counter_ns() - wall_ns) / 1e9,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
