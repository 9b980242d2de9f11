"""Pages and help texts are free of the phrases in forbidden_phrases.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ocgdedup.cli.command import commands_of
from ocgdedup.cli.parser import build_parser
from scripts.doclib.documents import documents
from scripts.doclib.man_pages import man_pages

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("forbidden_phrases.txt")
# The changelog keeps the words of old versions.
PAGES = [path for path in documents(ROOT) if path.name != "CHANGELOG.md"]
PAGES.append(ROOT / "schema" / "README.md")
PARSER = build_parser()
HELP = {"ocgdedup": PARSER, **commands_of(PARSER)}


class Phrase(NamedTuple):
    """A phrase to avoid; `allowed_next`: words that make it correct if they follow."""

    text: str
    replacement: str
    allowed_next: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        words = r"\s+".join(map(re.escape, self.text.split()))
        allowed = "|".join(map(re.escape, self.allowed_next))
        exception = rf"(?!\s+(?:{allowed})\b)" if allowed else ""
        return re.compile(rf"(?<!\w){words}(?!\w){exception}", re.IGNORECASE)


def listed_phrases() -> Iterator[Phrase]:
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            text, replacement, *allowed = line.split("\t")
            yield Phrase(text, replacement, tuple(allowed[0].split(", ")) if allowed else ())


PHRASES = tuple(listed_phrases())


def faults_in(name: str, text: str) -> list[str]:
    """Return a line for each forbidden phrase: place, phrase, replacement."""
    faults = [
        (text.count("\n", 0, match.start()) + 1, phrase)
        for phrase in PHRASES
        for match in phrase.pattern.finditer(text)
    ]
    return [
        f"{name}:{line}: write {phrase.replacement!r} instead of {phrase.text!r}"
        for line, phrase in sorted(faults)
    ]


def by_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_pages(page: Path) -> None:
    faults = faults_in(by_name(page), page.read_text(encoding="utf-8"))
    assert not faults, "\n".join(["", *faults])


@pytest.mark.parametrize("name", HELP)
def test_help(name: str) -> None:
    command = "ocgdedup --help" if name == "ocgdedup" else f"ocgdedup {name} --help"
    faults = faults_in(command, HELP[name].format_help())
    assert not faults, "\n".join(["", *faults])


def test_man_pages() -> None:
    faults = [
        fault for name, text in man_pages(build_parser).items() for fault in faults_in(name, text)
    ]
    assert not faults, "\n".join(["", *faults])


def test_list_is_sorted_and_complete() -> None:
    texts = [phrase.text.casefold() for phrase in PHRASES]
    assert texts == sorted(set(texts))
    assert all(phrase.replacement and " " in phrase.text for phrase in PHRASES)


def test_every_phrase_is_reported_with_its_line() -> None:
    for phrase in PHRASES:
        faults = faults_in("page.md", f"A title\n\nIt was {phrase.text}.\n")
        assert f"page.md:3: write {phrase.replacement!r} instead of {phrase.text!r}" in faults


def test_phrases_are_whole_words_in_any_case_across_lines() -> None:
    assert len(faults_in("page.md", "Passed over. It was passed\n  over.\n")) == 2
    assert faults_in("page.md", "`inputs_passed_over`, cut offline, names of Go players\n") == []
    assert len(faults_in("page.md", "names of Go\n")) == 1
