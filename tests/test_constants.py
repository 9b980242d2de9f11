"""A number has one value under one name, in kernels and in Python."""

from __future__ import annotations

import ast
import operator
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_ENUM = re.compile(r"^cdef enum\b.*:\n((?:(?: .*)?\n)+)", re.MULTILINE)
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.BitOr: operator.or_,
    ast.Pow: operator.pow,
}

Number = int | float


def _value(node: ast.expr, known: Mapping[str, Number]) -> Number:
    """Compute a number from literals and known names; raise ValueError for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, known)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        compute = _OPERATORS[type(node.op)]
        return compute(_value(node.left, known), _value(node.right, known))  # type: ignore[no-any-return]
    raise ValueError(ast.unparse(node))


def _of_python(text: str) -> dict[str, Number]:
    """Return the numbers that a module names, also those of `A, B = 1, 2`."""
    found: dict[str, Number] = {}
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[-1] if isinstance(node, ast.Assign) else node.target
        several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        names = target.elts if several else [target]  # type: ignore[union-attr]
        values = node.value.elts if several else [node.value]  # type: ignore[attr-defined]
        for name, value in zip(names, values, strict=False):  # "*others" has none
            try:
                number = _value(value, found)
            except ValueError:
                continue
            if isinstance(name, ast.Name) and name.id.isupper():
                found[name.id] = number
    return found


def _of_kernel(text: str) -> Iterator[tuple[str, Number | str]]:
    """Yield the members of enums; a value that other files decide is a text."""
    known: dict[str, Number] = {}
    for body in _ENUM.findall(text):
        after: Number | str = 0
        code = re.sub(r"#.*", "", body)
        for member in filter(None, (part.strip() for part in re.split(r"[,\n]", code))):
            name, is_set, value = (part.strip() for part in member.partition("="))
            number = after
            if is_set:
                try:
                    number = _value(ast.parse(value, mode="eval").body, known)
                except ValueError:
                    number = value
            if not isinstance(number, str):
                known[name] = number
            after = f"{number} + 1" if isinstance(number, str) else number + 1
            yield name, number


def conflicts(root: Path) -> dict[str, dict[str, Number | str]]:
    """Return the names that have several values, with the value in each file.

    A private name of one module may have another value in another module, since neither sees the
    other, but not one that a kernel or an importable name has.
    """
    values: dict[str, dict[str, Number | str]] = defaultdict(dict)
    shown = set()
    for path in sorted((root / "ocgdedup").rglob("*.py")):
        for name, number in _of_python(path.read_text(encoding="utf-8")).items():
            values[name.lstrip("_")][str(path.relative_to(root))] = number
            shown.update([] if name.startswith("_") else [name])
    for path in sorted((root / "kernels").rglob("*.p[xy][dix]")):
        for name, value in _of_kernel(path.read_text(encoding="utf-8")):
            values[name][str(path.relative_to(root))] = value
            shown.add(name)
    return {name: of for name, of in values.items() if name in shown and len({*of.values()}) > 1}


def test_each_number_has_one_value() -> None:
    assert conflicts(ROOT) == {}


@pytest.mark.parametrize(
    ("module", "kernel", "expected"),
    [
        ("NEAR = 4\n", "    NEAR = 4\n", {}),
        ("NEAR = 4\n", "    NEAR = 5  # plies\n", {"NEAR": (4, 5)}),
        ("_NEAR = 1 << 2\n", "    FIRST = 7\n    NEAR\n", {"NEAR": (4, 8)}),
        ("FAR, NEAR = 9, -4\n", "    NEAR = sizeof(int)\n", {"NEAR": (-4, "sizeof(int)")}),
        ("NEAR = 'near'\n", "    NEAR = 5\n", {}),
    ],
)
def test_a_second_value_is_found(
    module: str, kernel: str, expected: dict[str, tuple[Number | str, ...]], tmp_path: Path
) -> None:
    (tmp_path / "ocgdedup").mkdir()
    (tmp_path / "kernels").mkdir()
    (tmp_path / "ocgdedup/a.py").write_text(module, encoding="utf-8")
    (tmp_path / "ocgdedup/b.py").write_text("_OTHER = 1\n", encoding="utf-8")
    (tmp_path / "kernels/c.pxd").write_text(f"cdef enum:\n{kernel}", encoding="utf-8")
    assert {name: tuple(of.values()) for name, of in conflicts(tmp_path).items()} == expected
