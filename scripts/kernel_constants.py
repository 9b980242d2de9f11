"""Numbers that kernels and Python share, in both directions; setup.py has both files made.

thresholds.pxd has the whole numbers of ocgdedup/thresholds.py, and structs of named tuples.
kernel_constants.pxd hands the enums of the search to Python under their names, which C does not
keep.
"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_C_TYPES = {"float": "double", "int": "int", "bool": "bint"}

_ENUM = re.compile(r"^cdef enum:\n((?:(?: .*)?\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"    ([A-Z]\w*)(?: = .+)?")


def write_thresholds(target: Path, numbers: Path, tuples: Mapping[str, Path]) -> None:
    """Write a .pxd with an enum of whole numbers, and a struct for each named tuple of a source."""
    values = runpy.run_path(str(numbers)).items()
    whole = {name: value for name, value in values if name.isupper() and type(value) is int}
    small = [f"    {name} = {value}" for name, value in whole.items() if value < 1 << 31]
    lines = ["cdef enum:", *small]
    for name, value in whole.items():
        # In one enum with it, C may make the others unsigned, too.
        lines += [] if value < 1 << 31 else ["", "cdef enum:", f"    {name} = {value:#x}"]
    for name, source in tuples.items():
        lines += ["", f"ctypedef struct {name}:", *_fields(source, name)]
    write_if_changed(target, "\n".join(["# Made by scripts/kernel_constants.py.", *lines, ""]))


def _fields(source: Path, name: str) -> Iterator[str]:
    """Yield the fields of a class as those of a struct; the source need not be importable yet."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    for field in found.body:
        if isinstance(field, ast.AnnAssign):
            yield f"    {_C_TYPES[ast.unparse(field.annotation)]} {ast.unparse(field.target)}"


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
    write_if_changed(
        target, "\n".join(["# Made by scripts/kernel_constants.py.", *lines, "    }", ""])
    )


def write_if_changed(target: Path, text: str) -> None:
    """Write a file unless it has this text already: Cython compares times of files."""
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
