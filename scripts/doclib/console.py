"""Blocks of console in documents: commands with what they print.

A block begins with ```console. A line that begins with "$ " is a command; lines after it belong to
it while it ends with a backslash or a quote is open; the rest, up to the next one, is its output,
standard error included. A line of three dots alone stands for any lines.

Comments before a block tell what to do with it:

    <!-- first: COMMAND -->     run this before, without showing it; may be given several times
    <!-- status: 2 -->          its last command ends with this status; others must with 0 or 1
    <!-- not run: REASON -->    leave it alone
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

DIRECTIVE = re.compile(r"<!-- (first|status|not run): (.+) -->")
ANY_LINES = "..."

# What differs from run to run, and what stands for it while outputs are compared.
VOLATILE = (
    (re.compile(r"elapsed: [\d.]+ ?m?s( \d\d:\d\d)?"), "elapsed: TIME"),
    (re.compile(r"\b[\d,.]+ games/s"), "N games/s"),
    (re.compile(r"\b\d{8}-\d{6}\b"), "STAMP"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?( ?UTC|Z)?"), "TIME"),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "DATE"),  # dates of games have dots
    (re.compile(r"\btime +[\d.]+ s\b( \([^)]*\))?"), "time TIME"),
    (re.compile(r"\b[\d.,]+ [kMG]B\b"), "SIZE"),  # of a database: it depends on the SQLite
    (re.compile(r"\bocgdedup \d+\.\d+\.\d+\b"), "ocgdedup VERSION"),
)


class Step(NamedTuple):
    """A command and its output, which is the lines `begin` to `end` of the document, from 0."""

    command: str
    output: tuple[str, ...]
    begin: int
    end: int


class Block(NamedTuple):
    """A block of console, with what its comments ask for."""

    steps: tuple[Step, ...]
    first: tuple[str, ...]
    last_status: int | None
    reason_not_run: str | None


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a document in order; ValueError if one has no command."""
    lines = text.splitlines()
    blocks = []
    number = 0
    while number < len(lines):
        fence = re.match(r"(```+)(\w*)", lines[number])
        if fence is None:
            number += 1
            continue
        end = lines.index(fence[1], number + 1)
        if fence[2] == "console":
            steps = tuple(_steps(lines, number + 1, end))
            blocks.append(_block(steps, dict(_directives(lines, number))))
        number = end + 1
    return blocks


def matches(expected: tuple[str, ...], output: list[str]) -> bool:
    """Return whether a document shows what a command printed, but for times and the like."""
    pattern = "".join(
        r"(.*\n)*?" if line == ANY_LINES else re.escape(line) + r"\n"
        for line in normalised(expected)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in normalised(output))) is not None


def normalised(lines: tuple[str, ...] | list[str]) -> list[str]:
    """Return lines without what differs from run to run, and blanks and empty lines at an end."""
    text = "\n".join(line.rstrip() for line in lines).rstrip()
    for pattern, name in VOLATILE:
        text = pattern.sub(name, text)
    return text.splitlines()


def _block(steps: tuple[Step, ...], directives: dict[str, list[str]]) -> Block:
    status = directives.get("status")
    reason = directives.get("not run")
    return Block(
        steps,
        tuple(directives.get("first", ())),
        int(status[0]) if status else None,
        reason[0] if reason else None,
    )


def _directives(lines: list[str], fence: int) -> Iterator[tuple[str, list[str]]]:
    """Yield what the comments right above a block say, by their kind."""
    begin = fence
    while begin and (not lines[begin - 1] or DIRECTIVE.fullmatch(lines[begin - 1])):
        begin -= 1
    directives = [match for line in lines[begin:fence] if (match := DIRECTIVE.fullmatch(line))]
    for kind in {match[1] for match in directives}:
        yield kind, [match[2] for match in directives if match[1] == kind]


def _steps(lines: list[str], begin: int, end: int) -> Iterator[Step]:
    number = begin
    while number < end:
        if not lines[number].startswith("$ "):
            raise ValueError(f"line {number + 1}: a block of console begins with a command")
        command = lines[number][2:]
        number += 1
        while number < end and not _is_whole(command):
            command += "\n" + lines[number]
            number += 1
        first = number
        while number < end and not lines[number].startswith("$ "):
            number += 1
        yield Step(command, tuple(lines[first:number]), first, number)


def _is_whole(command: str) -> bool:
    """Return whether a shell would not ask for a further line; here-documents are not known."""
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:  # a quote is open
        return False
    return True
