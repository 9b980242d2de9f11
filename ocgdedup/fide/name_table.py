"""Read tables of players with their names in several scripts, as groups of spellings.

Owns that format. Must not know which spelling is right, or the games.

Each row is a player. Columns are separated by tabs; the first line has their names: "id country en
ko ja zh". Columns named after a language or a script, or "name", have names of players; others,
except for the country, are skipped. The first of these columns has the canonical name. Several
spellings in one cell are separated by semicolons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ocgdedup.fide.list_file import ListFile
from ocgdedup.fide.spelling_file import read_spelling_file, require_name
from ocgdedup.model import AliasGroup, SpellingLine

_SUFFIXES = (".tsv", ".txt", ".ssp")
_HEAD_BYTES = 1 << 16
_NAME_COLUMN = re.compile(
    "names?|eng?|english|latin|romaji|pinyin|ko|kr|kor|korean|hangul|hanja|ja|jp|jpn|japanese|kanji"
    "|kana|zh|cn|chi|chinese|hanzi|zh-han[st]|simplified|traditional|alias(?:es)?|spellings?|other"
)
_COUNTRY_COLUMNS = frozenset(("country", "nation", "federation", "fed"))
# Codes of ISO 3166 that stand for a code of three letters of another kind.
_COUNTRIES = {"KR": "KOR", "CN": "CHN", "JP": "JPN", "TW": "TPE", "US": "USA", "DE": "GER"}


class _Columns(NamedTuple):
    """The indexes of columns; `country` is -1 if the table has none; `width`: number of columns."""

    names: tuple[int, ...]
    country: int
    width: int


def read_alias_file(
    path: str, keep: Callable[[SpellingLine], object] | None = None
) -> Iterator[AliasGroup]:
    """Return the players of `path`, a table of names or a spelling file.

    `keep`: see read_spelling_file(). Raise RatingListError for a file that is absent or of another
    format; the iterator raises it at damage.
    """
    file = ListFile(path, suffixes=_SUFFIXES)
    try:
        columns = _find_columns(file)
    except BaseException:
        file.close()
        raise
    return read_spelling_file(file, keep) if columns is None else _read_table(file, columns)


def _find_columns(file: ListFile) -> _Columns | None:
    """Return the columns by the first line, None if it is not the head of a table."""
    lines = file.peek_lines(_HEAD_BYTES)
    first = next((line for line in lines if line.strip()), "")
    titles = [_title(cell) for cell in first.split("\t")]
    if len(titles) < 2 or first.lstrip()[:1] in "@=%#<[{":
        return None
    names = tuple(index for index, title in enumerate(titles) if _NAME_COLUMN.fullmatch(title))
    if not names and any(line.lstrip().startswith("=") for line in lines):
        return None  # a spelling file with a tab before the comment of the first name
    if not names:
        raise file.error(
            1, "is a table, but no column is one of names; call them en, ko, ja, zh or name"
        )
    country = next((index for index, title in enumerate(titles) if title in _COUNTRY_COLUMNS), -1)
    return _Columns(names, country, len(titles))


def _title(cell: str) -> str:
    """Return the normal form of a column's name: "en" of "name_en" and of " EN "."""
    text = cell.strip().strip('"').lower()
    return re.sub(r"^name[s]?[_ -]|[_ -]name[s]?$", "", text)


def _read_table(file: ListFile, columns: _Columns) -> Iterator[AliasGroup]:
    with file:
        rows = [row for row in _rows(file, columns) if row[0]]
    repeated = Counter(names[0] for names, _ in rows)
    for names, country in rows:
        name = names[0]
        if repeated[name] > 1 and len(names) > 1:
            # Names in another script distinguish namesakes.
            name = f"{name} ({names[-1]})"
        aliases = tuple(alias for alias in dict.fromkeys(names) if alias != name)
        yield AliasGroup(name, aliases, "", country, None, None, None)


def _rows(file: ListFile, columns: _Columns) -> Iterator[tuple[list[str], str]]:
    """Yield the names and the country of each row after the head."""
    is_head = True
    for block in file.read_lines():
        for line, text in enumerate(block.lines(), block.first_line):
            if not text.strip():
                continue
            if is_head:
                is_head = False
                continue
            if "\0" in text:
                raise file.error(line, "is not text; give another file")
            cells = [cell.strip().strip('"').strip() for cell in text.rstrip("\r").split("\t")]
            if len(cells) > columns.width:
                raise file.error(
                    line,
                    f"has {len(cells)} columns, the first line has "
                    f"{columns.width}; correct the line",
                )
            names = _names(cells, columns)
            for name in names:
                require_name(file, line, name)
            code = cells[columns.country].upper() if 0 <= columns.country < len(cells) else ""
            yield names, _COUNTRIES.get(code, code if re.fullmatch("[A-Z]{3}", code) else "")


def _names(cells: list[str], columns: _Columns) -> list[str]:
    named_cells = (cells[index] for index in columns.names if index < len(cells))
    spellings = (spelling.strip() for cell in named_cells for spelling in cell.split(";"))
    return list(dict.fromkeys(filter(None, spellings)))
