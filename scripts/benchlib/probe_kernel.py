"""Read PGN or SGF files into blocks and parse them with the kernel; print what that cost as JSON.

    probe_kernel.py [--portable-sha256] FILE...

Only the calls of parse() are timed. Run by scripts/bench.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import ocgdedup
from ocgdedup._kernels import chess as chess_kernel
from ocgdedup._kernels import go as go_kernel

BLOCK_BYTES = 1 << 20  # as `create` reads


def parse_file(path: str, use_ni: bool | None, sums: Counter[str]) -> None:
    """Parse a whole file; what a block leaves over at its end goes in front of the next."""
    rest = b""
    with open(path, "rb") as stream:
        while text := rest + (read := stream.read(BLOCK_BYTES)):
            is_go = path.lower().endswith(".sgf")
            block: Any = go_kernel.SgfBlock(text) if is_go else chess_kernel.Block(text)
            options = () if is_go else (use_ni,)
            cpu_ns, wall_ns = time.process_time_ns(), time.perf_counter_ns()
            sums["games"] += block.parse(not read, *options)
            sums["cpu_ns"] += time.process_time_ns() - cpu_ns
            sums["wall_ns"] += time.perf_counter_ns() - wall_ns
            sums["plies"] += block.move_count if is_go else block.ply_count
            if not read:
                break
            rest = text[block.consumed :]


def about() -> dict[str, Any]:
    """Return which package was measured; Cython leaves its version in the name of a module."""
    builds = [name for name in sys.modules if name.startswith("_cython_")]
    return {
        "version": ocgdedup.__version__,
        "folder": str(Path(ocgdedup.__file__).parent),
        "cython": builds[0].removeprefix("_cython_").replace("_", ".") if builds else "unknown",
        "sha_ni": chess_kernel.HAVE_SHA_NI,
    }


def main() -> None:
    arguments = sys.argv[1:]
    use_ni = False if arguments[0] == "--portable-sha256" else None
    sums: Counter[str] = Counter()
    for path in arguments if use_ni is None else arguments[1:]:
        parse_file(path, use_ni, sums)
    figures = {
        "games": sums["games"],
        "plies": sums["plies"],
        "cpu_s": sums["cpu_ns"] / 1e9,
        "wall_s": sums["wall_ns"] / 1e9,
        "about": about(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
