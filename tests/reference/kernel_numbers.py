"""Constants of the kernels, read from the source: numbers stand there, and tests follow them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

KERNELS = Path(__file__).parents[2] / "kernels"

_ENUM = re.compile(r"^cdef enum:\n((?:(?: .*)?\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"([A-Z]\w*)(?: = (.+))?")


@cache
def enums(name: str) -> tuple[dict[str, int], ...]:
    """Return the enums of a file of kernels/, in their order."""
    text = (KERNELS / name).read_text(encoding="utf-8")
    return tuple(_members(found) for found in _ENUM.findall(text))


def constants(name: str) -> dict[str, int]:
    """Return the members of all enums of a file."""
    return {member: value for found in enums(name) for member, value in found.items()}


def _members(block: str) -> dict[str, int]:
    found: dict[str, int] = {}
    following = 0
    for written in block.splitlines():
        code = written.split("#")[0].strip()
        if not code:
            continue
        member = _MEMBER.fullmatch(code)
        if member is None:
            raise ValueError(f"no member of an enum: {code!r}")
        value = _value(member[2]) if member[2] else following
        found[member[1]] = value
        following = value + 1
    return found


def _value(text: str) -> int:
    """Read "12", "0x1F" and "1 << 26"."""
    number, _, shift = text.replace(" ", "").partition("<<")
    return int(number, 0) << int(shift or "0", 0)
