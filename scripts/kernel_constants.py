"""Export constants of the kernels under their names, which C does not keep.

setup.py has kernel_constants.pxd made of the enums of the search. A kernel that cimports it can
hand all constants to Python, so an enum is the one place that lists its members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_ENUM = re.compile(r"^cdef enum:\n((?:(?: .*)?\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"    ([A-Z]\w*)(?: = .+)?")


def write_constants(target: Path, sources: Iterable[Path]) -> None:
    """Write a .pxd with a function constants(), unless it is there as it should be."""
    members = {source.stem: list(_members(source)) for source in sorted(sources)}
    members = {module: constants for module, constants in members.items() if constants}
    names = [name for constants in members.values() for name in constants]
    if len(names) != len(set(names)):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"constants of several kernels: {', '.join(twice)}")
    lines = ["from libc.stdint cimport int64_t", ""]
    for module, constants in members.items():
        lines += [f"from {module} cimport (", *(f"    {name}," for name in constants), ")"]
    lines += ["", "", "cdef inline dict constants():", "    return {"]
    lines += [f'        "{name}": <int64_t>{name},' for name in names]
    text = "\n".join(["# Made by scripts/kernel_constants.py.", *lines, "    }", ""])
    # Cython compares times of files.
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _members(source: Path) -> Iterator[str]:
    for enum in _ENUM.findall(source.read_text(encoding="utf-8")):
        for line in enum.splitlines():
            code = line.partition("#")[0].rstrip()
            if not code:
                continue
            member = _MEMBER.fullmatch(code)
            if member is None:
                raise ValueError(f"{source}: no member of an enum: {code!r}")
            yield member[1]
