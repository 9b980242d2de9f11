"""The mark of a duplicate in exported files: "[exact copy of 8] Linares".

It shows users of other programs that the record is a duplicate. When such a file is imported again,
the mark is not part of the event.
"""

from __future__ import annotations

import re

from ocgdedup.model import GameHeader

# Tags for the class of the duplicate, its source and its kept game; SGF has capitals.
DUPLICATE_TAGS = "Duplicate(Status|Group|Source|Of)|DUP(STATUS|GROUP|SOURCE|OF)"
_MARK = r"\[[a-z]+ copy of \d+\] ?"


def marked_name(status: str, group: int, name: str) -> str:
    """Return the name of an event or a site, preceded by the mark of a duplicate."""
    return f"[{status} copy of {group}]{' ' if name else ''}{name}"


def without_marks(header: GameHeader) -> GameHeader:
    """Return a header without marks in its event and site."""
    event, site = unmarked(header.event), unmarked(header.site)
    if (event, site) == (header.event, header.site):
        return header
    return header._replace(event=event, site=site)


def unmarked(name: str | None) -> str | None:
    """Return the name of an event or a site without the mark of an exported duplicate."""
    if name is None or not name.startswith("["):
        return name
    return re.sub(_MARK, "", name, count=1) or None
