"""docs/reference.md is complete, and its made parts are those of the parser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import build_parser
from ocgdedup.errors import ExitStatus
from ocgdedup.matching.evidence import STATUS_OF_KIND
from ocgdedup.wording import ROTATED, SWAPPED, TRANSPOSED
from scripts.doclib.reference import PARTS, with_parts

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference.md"
TEXT = REFERENCE.read_text(encoding="utf-8")
COMMANDS = commands_of(build_parser())


def section(heading: str) -> str:
    """Return what stands below a heading, up to the next one."""
    assert f"# {heading}\n" in TEXT, f"no section {heading}: run scripts/update_docs"
    return re.split(r"^#+ .*\n", TEXT.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def cells(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    return [[cell.strip() for cell in row] for row in rows]


def test_made_parts_are_up_to_date() -> None:
    assert with_parts(TEXT) == TEXT, "run scripts/update_docs docs/reference.md"
    assert re.findall(r"<!-- made: (\w+) -->", TEXT) == list(PARTS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_and_option_is_named(name: str) -> None:
    named = " ".join(row[0] for row in cells(section(name)))
    for action in arguments_of(COMMANDS[name]):
        for option in set(action.option_strings) - {"-h", "--help"}:
            assert re.search(rf"`{option}[ `]", named), option


def test_options_of_the_program_are_named() -> None:
    for option in ("--help", "--version", "--print-completion"):
        assert re.search(rf"`{option}[ `]", section("Commands"))


def test_each_exit_status_is_named() -> None:
    statuses = [row[0] for row in cells(section("Exit status"))]
    assert statuses == ["status", *(str(int(status)) for status in ExitStatus)]


def test_each_kind_of_duplicate_is_named() -> None:
    rows = {
        (row[0].strip("`"), row[1].strip("`"))
        for row in cells(section("Duplicate status and reason"))
    }
    expected = {(status, reason or "") for status, reason in STATUS_OF_KIND.values()}
    assert rows == {
        *expected,
        ("exact", SWAPPED),
        ("any", ROTATED),
        ("any", "by KEY"),
        ("join", TRANSPOSED),
        ("NULL", ""),
        ("DuplicateStatus", "DuplicateReason"),
    }
