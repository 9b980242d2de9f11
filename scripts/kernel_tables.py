"""Make the tables that the kernels share with Python: columns, names, numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from chess.polyglot import POLYGLOT_RANDOM_ARRAY
from kernel_columns import write_columns
from kernel_constants import write_constants, write_if_changed, write_thresholds
from kernel_name_words import write_name_words


def write_tables(
    folder: Path, package: Path = Path("ocgdedup"), kernels: Path = Path("kernels")
) -> None:
    """Write all of them from the sources of both; a file that is the same keeps its time."""
    thresholds = folder / "thresholds.pxd"
    evidence = package / "matching/evidence.py"
    of_names = package / "matching/names/likelihood.py"
    structs = {
        "Weights": evidence, "Gates": evidence, "Terms": package / "model.py",
        "NameWeights": of_names, "NameLimits": of_names,
        "GameWeights": package / "matching/names/evidence.py",
    }  # fmt: skip
    write_thresholds(thresholds, package / "thresholds.py", structs)
    # Of the search for duplicates, which exports them.
    enums = [*kernels.glob("search/*.pxd"), kernels / "names/player_name.pxd"]
    write_constants(folder / "kernel_constants.pxd", [thresholds, *enums])
    # Of names, which Python has too.
    write_name_words(folder / "name_table.h", package / "matching/names/name_words.py")
    # Of the table Games, which the store has too.
    write_columns(folder / "game_columns.pxd", package / "game_columns.py")
    _write_numbers(folder / "zobrist_table.h", 64, "OCG_POLYGLOT", POLYGLOT_RANDOM_ARRAY)
    # RFC 1321, 3.4
    sines = [int(abs(math.sin(radians)) * 2**32) for radians in range(1, 65)]
    _write_numbers(folder / "md5_table.h", 32, "OCG_MD5_K", sines)


def _write_numbers(target: Path, bits: int, name: str, numbers: Iterable[int]) -> None:
    """Write a C header with an array of unsigned numbers."""
    rows = "".join(f"    {number:#x}u,\n" for number in numbers)
    write_if_changed(
        target,
        f"/* Made by scripts/kernel_tables.py. */\n#pragma once\n#include <stdint.h>\n\n"
        f"static const uint{bits}_t {name}[] = {{\n{rows}}};\n",
    )
