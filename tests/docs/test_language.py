"""Documents and help texts keep to the project's words: forbidden_phrases.txt says which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocgdedup.cli.command_tree import commands_of
from ocgdedup.cli.parser import build_parser

ROOT = Path(__file__).resolve().parents[2]
PHRASES = Path(__file__).with_name("forbidden_phrases.txt")
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "schema" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
# Names in code, such as `Suspects`, what programs print, and headings of one word are not prose.
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|\]\([^)\n]*\)|^#+ \w+$", re.MULTILINE | re.DOTALL)


def forbidden() -> dict[str, str]:
    """Return the phrases in small letters, each with what to write instead."""
    lines = PHRASES.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def pattern_of(phrases: dict[str, str]) -> re.Pattern[str]:
    words = (r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases)
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def without_code(text: str) -> str:
    """Blank out code; the lines keep their numbers."""
    return _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def found_in(name: str, text: str) -> Iterator[str]:
    """Yield a line for each forbidden phrase: where it is, and what to write instead."""
    phrases = forbidden()
    for match in pattern_of(phrases).finditer(text):
        phrase = " ".join(match[0].lower().split())
        line = text.count("\n", 0, match.start()) + 1
        yield f"{name}:{line}: {phrase!r}; write: {phrases[phrase]}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents(document: Path) -> None:
    text = without_code(document.read_text(encoding="utf-8"))
    assert list(found_in(str(document.relative_to(ROOT)), text)) == []


def test_help_texts() -> None:
    for name, command in commands_of(build_parser()).items():
        assert list(found_in(f"ocgdedup {name} --help", command.format_help())) == []


def test_phrases_are_found_over_line_breaks_but_not_in_code() -> None:
    code = "`passed over`\n```\npassed over\n```"
    text = f"It was passed\nover.\n{code}\nCut  off here, put backwards.\n"
    assert list(found_in("a", without_code(text))) == [
        "a:1: 'passed over'; write: skipped",
        "a:7: 'cut off'; write: truncated",
    ]
