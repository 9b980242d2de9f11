"""Read Scid's spelling files (.ssp) as groups of spellings of one player.

Owns that format. Must not know which spelling is right, or the games.

A file has sections such as "@PLAYER", followed by the characters that Scid does not compare. In a
section, a line with a name begins a group and "= name" adds a spelling to it; "#" begins a comment.
The comment of a player is "gm+w HUN [2735] 1976.07.23--2021.01.01": title, federations (the last
one counts), highest rating, birth and death, each of which may be absent. "%Bio FIDEID 4100018"
gives the FIDE ID; other lines with "%" or ">" (biography, ratings, corrections for parts of names)
are skipped. Source: Scid's src/spellchk.h and its class PlayerInfo.

Accepted beyond that: a file without sections, and "%FIDEID 4100018".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ocgdedup.fide.fields import best_title, parse_birth_year, parse_fide_id, parse_name
from ocgdedup.fide.list_file import ListFile
from ocgdedup.model import AliasGroup

_SECTIONS = ("PLAYER", "SITE", "EVENT", "ROUND")
_HEAD_BYTES = 1 << 16
_SPELLING_MARK = r"\s*(?:=|@(?:PLAYER|SITE|EVENT|ROUND)\b)"
# XML, PGN, JSON, and control characters
_FOREIGN_START = r"[<\[{\x00-\x08\x0e-\x1f\x7f]"
_FIDE_ID = r"%(?:bio\s+)?fideid[\s:=]+(\d+)"
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


def read_spelling_file(file: ListFile) -> Iterator[AliasGroup]:
    """Return the players of a spelling file, in its order; the iterator closes the file at the end.

    Titles in correspondence chess are left out. Raise RatingListError for a file of another format;
    the iterator raises it at damage and at invalid lines.
    """
    try:
        _require_spelling_file(file)
    except BaseException:
        file.close()
        raise
    return _read_groups(file)


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


def _read_groups(file: ListFile) -> Iterator[AliasGroup]:
    section = "PLAYER"
    group: _OpenGroup | None = None
    with file:
        for line, content, comment in _read_contents(file):
            mark = content[0]
            if mark == "@":
                section = _read_section(file, line, content)
            elif section != "PLAYER":
                continue
            elif mark in "=%>":
                _add_to_group(file, line, content, group)
                continue
            if group:
                yield group.finish()
            if mark != "@":
                require_name(file, line, content)
            group = _OpenGroup(content, comment) if mark != "@" else None
    if group:
        yield group.finish()


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
    name = content[1:].split('"')[0].strip().upper()
    if name not in _SECTIONS:
        raise file.error(
            line,
            f"no section is called @{name[:20]}, only "
            f"{', '.join('@' + section for section in _SECTIONS)}; correct the line",
        )
    return name


def _add_to_group(file: ListFile, line: int, content: str, group: _OpenGroup | None) -> None:
    """Add the spelling or the FIDE ID in a line to the player above it."""
    fide_id = re.match(_FIDE_ID, content, re.IGNORECASE) if content[0] == "%" else None
    if content[0] != "=" and not fide_id:
        return
    if not group:
        raise file.error(
            line,
            "comes before the first name, but describes a "
            "player above it; add the name, or remove the line",
        )
    if fide_id:
        group.fide_id = group.fide_id or _fide_id(file, line, fide_id[1])
        return
    alias = content[1:].strip()
    if alias:
        require_name(file, line, alias)
    if alias and alias != group.name:
        group.aliases[alias] = None
