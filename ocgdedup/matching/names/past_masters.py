"""Masters of the past who have no ID in a rating list, with years of birth and death.

Reads `past_masters.txt`. The resolver uses the years to choose between namesakes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ocgdedup.matching.names.name_words import read_table
from ocgdedup.model import Person

_FIELD_COUNT = 6


def past_masters() -> Iterator[Person]:
    """Yield the masters of the table, men first, each part sorted by name.

    They have no ID and no rating; a year is None if it is not certain.
    """
    for sex, (name, country, title, born, died, _) in _rows():
        yield Person(
            name=name,
            title=title,
            country=country,
            birth_year=int(born) if born else None,
            death_year=int(died) if died else None,
            sex=sex,
            is_active=False,
        )


def past_spellings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield name and other spellings of each master who has any."""
    for _, row in _rows():
        if row[-1]:
            yield row[0], tuple(row[-1].split(";"))


def _rows() -> Iterator[tuple[str, list[str]]]:
    """Yield sex and fields of each line, "" for missing fields at its end."""
    table = read_table("past_masters")
    for sex, section in (("M", "men"), ("F", "women")):
        for line in table[section].splitlines():
            fields = line.split("|")
            yield sex, fields + [""] * (_FIELD_COUNT - len(fields))
