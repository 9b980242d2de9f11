"""Sites as a town with a country code: "Wijk aan Zee NED"; knows codes, not the games."""

from __future__ import annotations

import re
from functools import lru_cache

from ocgdedup.data_files import read_lines
from ocgdedup.matching.field_choice import is_event_like, plain_alphanumerics
from ocgdedup.matching.names.name_words import FEDERATIONS

# Codes of FIDE by other codes for the same country.
_CODES: dict[str, str] = dict(line.split() for line in read_lines(__file__, "country_codes.txt"))
_SITE = re.compile(r"(.*[^\s,(\[])(?:\s*,\s*|\s+)(?:([A-Z]{3})|\(([A-Z]{3})\)|\[([A-Z]{3})\])")


@lru_cache(maxsize=1 << 14)
def town_and_country(site: str) -> tuple[str, str]:
    """Return the town of a site and FIDE's code of its country, "" if it has no known code."""
    match = _SITE.fullmatch(site)
    if match is None:
        return site, ""
    written = match[2] or match[3] or match[4]
    code = _CODES.get(written, written)
    return (match[1], code) if code in FEDERATIONS else (site, "")


def standard_site(site: str) -> str:
    """Return a site with its country as "Town CCC", if it is a town and a country's code.

    Sites with more parts, such as "New York, NY, USA", stay.
    """
    town, country = town_and_country(site)
    is_town = country and "," not in town and not is_event_like(town)
    return f"{town} {country}" if is_town else site


def town_key(site: str) -> str:
    """Return the letters and digits of the town, which are equal for most spellings."""
    return plain_alphanumerics(town_and_country(site)[0])
