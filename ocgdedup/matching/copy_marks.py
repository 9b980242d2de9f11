"""The mark of a copy in files that are written for other programs: "[exact copy of 8] Linares".

Such files are read in again: then the mark says nothing of the game.
"""

from __future__ import annotations

import re

from ocgdedup.model import GameHeader

# Tags that say the same, where the record was read, and which game is kept; of SGF in capitals.
TAGS_OF_COPIES = "Duplicate(Status|Group|Source|Of)|DUP(STATUS|GROUP|SOURCE|OF)"
_MARK = r"\[[a-z]+ copy of \d+\] ?"


def marked_name(status: str, group: int, name: str) -> str:
    """Return the name of an event or a site with the mark of a copy before it."""
    return f"[{status} copy of {group}]{' ' if name else ''}{name}"


def without_marks(header: GameHeader) -> GameHeader:
    """Return a header whose event and site have no marks."""
    event, site = _unmarked(header.event), _unmarked(header.site)
    if (event, site) == (header.event, header.site):
        return header
    return header._replace(event=event, site=site)


def _unmarked(name: str | None) -> str | None:
    if name is None or not name.startswith("["):
        return name
    return re.sub(_MARK, "", name, count=1) or None
