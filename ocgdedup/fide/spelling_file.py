"""Read Scid's spelling files (.ssp): groups of spellings of one player, and the other lines.

Owns that format. Must not know which spelling is right, or the games.

A file has sections "@PLAYER", "@SITE", "@EVENT" and "@ROUND", followed by the characters that Scid
does not compare, which are skipped. In a section, a line with a name begins a group and "= name"
adds a spelling to it; "#" begins a comment. The comment of a player is
"gm+w HUN [2735] 1976.07.23--2021.01.01": title, federations (the last one counts), highest rating,
birth and death, each of which may be absent. "%Bio FIDEID 4100018" gives the FIDE ID; other lines
"%Bio" and ">" are about the life of the player, "%Elo" has ratings. %Prefix "wrong" "right", %Infix
and %Suffix correct parts of the names of a section. Source: Scid's src/spellchk.h and its class
PlayerInfo.

Accepted beyond that: a file without sections, and "%FIDEID 4100018".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from ocgdedup.fide.fields import best_title, parse_birth_year, parse_fide_id, parse_name
from ocgdedup.fide.list_file import ListFile
from ocgdedup.model import AliasGroup, SpellingLine

_PLAYER = "player"
_SECTIONS = (_PLAYER, "site", "event", "round")
_HEAD_BYTES = 1 << 16
_SPELLING_MARK = r"\s*(?:=|@(?:PLAYER|SITE|EVENT|ROUND)\b)"
# XML, PGN, JSON, and control characters
_FOREIGN_START = r"[<\[{\x00-\x08\x0e-\x1f\x7f]"
_FIDE_ID = r"%(?:bio\s+)?fideid[\s:=]+(\d+)"
_DIRECTIVE = r"%(\w+)(?!\w)\s*(.*)"
_OF_PLAYERS = {"bio": "biography", "elo": "rating"}
_OTHER = "other"  # a line that Scid skips or refuses
_CORRECTIONS = ("prefix", "infix", "suffix")
_CORRECTION = r'[^"]*"([^"]+)"[^"]*"([^"]*)"[^"]*'
# w: a woman; c, h: titles in correspondence chess and honorary ones.
_TITLE = r"(?i:[wch]?gm|[wc]?im|w?fm|w?cm|w)"
_COMMENT = (
    rf"\s*(?P<title>{_TITLE}(?:[+/,]{_TITLE})*(?![A-Za-z]))?"
    r"(?:\s*\b(?P<countries>[A-Z]{3}(?:[/,-][A-Z]{3})*)(?![A-Za-z]))?"
    r"\s*(?:\[[^\]]*\])?"
    r"\s*(?P<birth>[\d?]{4}(?:\.[\d?]{2}){0,2})?"
    r"\s*(?:--?\s*(?P<death>[\d?]{4}(?:\.[\d?]{2}){0,2}))?"
)
_BOARD_TITLES = frozenset(("GM", "HGM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"))


def read_spelling_file(
    file: ListFile, keep: Callable[[SpellingLine], object] | None = None
) -> Iterator[AliasGroup]:
    """Return the players of a spelling file, in its order; the iterator closes the file at the end.

    Titles in correspondence chess are left out. `keep` is called with each line that says more than
    a spelling of a player. Raise RatingListError for a file of another format; the iterator raises
    it at damage and at invalid lines.
    """
    try:
        _require_spelling_file(file)
    except BaseException:
        file.close()
        raise
    return _Reader(file, keep or (lambda _: None)).groups()


def _require_spelling_file(file: ListFile) -> None:
    """Raise RatingListError unless the head of the file has a section or a second spelling."""
    lines = file.peek_lines(_HEAD_BYTES)
    line, text = next((pair for pair in enumerate(lines, 1) if pair[1].strip()), (1, ""))
    is_foreign = re.match(_FOREIGN_START, text.strip())
    if is_foreign or not any(re.match(_SPELLING_MARK, text) for text in lines):
        raise file.error(
            line,
            "is not a spelling file: it has neither a section @PLAYER "
            'nor a line "= other spelling"; give a file like Scid\'s spelling.ssp',
        )


class _OpenGroup:
    """A group to which lines can be added."""

    def __init__(self, name: str, comment: str) -> None:
        self.name = name
        self.comment = comment
        self.aliases: dict[str, None] = {}  # keeps the order, without duplicates
        self.fide_id: int | None = None

    def finish(self) -> AliasGroup:
        """Return the group as a record."""
        match = re.match(_COMMENT, self.comment)
        title, countries, birth, death = match.groups() if match else (None,) * 4
        titles = re.split(r"[+/,]", (title or "").upper())
        return AliasGroup(
            self.name,
            tuple(self.aliases),
            best_title(code for code in titles if code in _BOARD_TITLES),
            (countries or "")[-3:],
            parse_birth_year(birth or ""),
            parse_birth_year(death or ""),
            self.fide_id,
        )


class _Reader:
    """Reads the lines of a file."""

    def __init__(self, file: ListFile, keep: Callable[[SpellingLine], object]) -> None:
        self._file = file
        self._keep = keep
        self._section = _PLAYER
        self._group: _OpenGroup | None = None

    def groups(self) -> Iterator[AliasGroup]:
        """Yield the players; pass the other lines on."""
        with self._file:
            for line, content, comment in _read_contents(self._file):
                if content[0] in "=%>":
                    self._add_line(line, content)
                    continue
                yield from self._finished()
                if content[0] == "@":
                    self._section = _read_section(self._file, line, content)
                else:
                    self._group = _OpenGroup(content, comment)
                    self._add_spelling(line, content)
        yield from self._finished()

    def _finished(self) -> Iterator[AliasGroup]:
        if self._group and self._section == _PLAYER:
            yield self._group.finish()
        self._group = None

    def _add_line(self, line: int, content: str) -> None:
        """Add what a line with a mark says about the name above it, or about the section."""
        if content[0] == "=":
            self._add_spelling(line, content[1:].strip())
            return
        fide_id = re.match(_FIDE_ID, content, re.IGNORECASE)
        if fide_id and self._section == _PLAYER:
            group = self._group or self._raise_no_name(line)
            group.fide_id = group.fide_id or _fide_id(self._file, line, fide_id[1])
            return
        directive = re.match(_DIRECTIVE, content)
        word, text = (
            (directive[1].lower(), directive[2]) if directive else ("", content[1:].strip())
        )
        correction = re.fullmatch(_CORRECTION, text) if word in _CORRECTIONS else None
        kind = "biography" if content[0] == ">" else _OF_PLAYERS.get(word)
        if correction:
            self._pass_on(line, word, correction[2], correction[1])
        elif kind and self._group:
            self._pass_on(line, kind, self._group.name, text)
        else:
            self._pass_on(line, _OTHER, "", content)

    def _add_spelling(self, line: int, spelling: str) -> None:
        if self._section == _PLAYER:
            group = self._group or self._raise_no_name(line)
            if spelling:
                require_name(self._file, line, spelling)
            if spelling and spelling != group.name:
                group.aliases[spelling] = None
        elif spelling and self._group:
            self._pass_on(line, self._section, self._group.name, spelling)
        elif spelling:
            self._pass_on(line, _OTHER, "", spelling)

    def _pass_on(self, line: int, kind: str, name: str, value: str) -> None:
        self._keep(SpellingLine(line, self._section, kind, name, value))

    def _raise_no_name(self, line: int) -> NoReturn:
        raise self._file.error(
            line,
            "comes before the first name, but describes a "
            "player above it; add the name, or remove the line",
        )


def _read_contents(file: ListFile) -> Iterator[tuple[int, str, str]]:
    """Yield number, content and comment of each line that has content."""
    for block in file.read_lines():
        for line, text in enumerate(block.lines(), block.first_line):
            content, _, comment = text.partition("#")
            content = content.strip()
            if "\0" in content:
                raise file.error(line, "is not text; give another file")
            if content:
                yield line, content, comment


def require_name(file: ListFile, line: int, text: str) -> None:
    """Raise RatingListError for a text that cannot be a name."""
    try:
        parse_name(text)
    except ValueError as cause:
        raise file.error(
            line, f"{text[:20]}... is too long for a name; correct the line"
        ) from cause


def _fide_id(file: ListFile, line: int, digits: str) -> int | None:
    try:
        return parse_fide_id(digits) if digits.strip("0") else None
    except ValueError as cause:
        raise file.error(line, f"{digits[:20]} is not a FIDE ID; correct the line") from cause


def _read_section(file: ListFile, line: int, content: str) -> str:
    name = content[1:].split('"')[0].strip()
    if name.lower() not in _SECTIONS:
        raise file.error(
            line,
            f"no section is called @{name[:20]}, only "
            f"{', '.join('@' + section.upper() for section in _SECTIONS)}; correct the line",
        )
    return name.lower()
