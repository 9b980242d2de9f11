"""Read the players of FIDE's XML list as a stream, in constant memory.

Owns the tag names and the defences against hostile XML. Must not know how the file was opened or
compressed.

The file is not trusted: entities are not replaced, nothing is fetched, no DTD is loaded, libxml2's
limits stay on, and a list that declares entities is refused. FIDE's lists have no DOCTYPE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ocgdedup.errors import RatingListError
from ocgdedup.fide.fields import (
    best_title,
    parse_birth_year,
    parse_fide_id,
    parse_name,
    parse_rating,
)
from ocgdedup.fide.list_file import ListFile
from ocgdedup.model import FidePlayer

if TYPE_CHECKING:
    from lxml import etree

_ROOT_TAG = "playerslist"
_OPENINGS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe", b"\xfe\xff")
_HEAD_BYTES = 1 << 14
_LIMITS = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


def is_xml(head: bytes) -> bool:
    """Return whether the first bytes of a file are XML."""
    return head.lstrip(b" \t\r\n").startswith(_OPENINGS)


def read_xml_players(
    file: ListFile,
    *,
    rating_field: str,
    skip: Callable[[str], None],
    note_period: Callable[[str], None],
) -> Iterator[FidePlayer]:
    """Yield the players of a list; call `skip` with the location of each invalid player.

    `note_period` is called with each <period>. `rating_field` ("rating", "rapid" or "blitz"):
    which rating <rating> has in a list with one rating. Raise RatingListError for other XML, and at
    damage or a missing end, after the players before it.
    """
    from lxml import etree  # 14 ms

    _require_rating_list(file)
    number = 0
    try:
        for _, element in etree.iterparse(file, tag="player", **_LIMITS):
            number += 1
            fields = {child.tag: child.text for child in element}
            if period := fields.get("period"):
                note_period(period)
            try:
                yield _make_player(fields, rating_field)
            except (KeyError, TypeError, ValueError):
                skip(f"player {number}")
            _forget(element)
    except etree.XMLSyntaxError as cause:
        raise _broken(file, cause) from cause
    if not number:
        raise RatingListError(f"{file.name}: is not a FIDE list: it has no <player>; give another")


def _make_player(fields: dict[str, str | None], rating_field: str) -> FidePlayer:
    """Return a player; raise KeyError, TypeError or ValueError if ID or name is missing."""
    get = fields.get
    name = parse_name(fields["name"] or "")
    fide_id = parse_fide_id(fields["fideid"] or "")
    flag = (get("flag") or "").strip()
    title = get("title")
    woman_title = get("w_title")
    ratings = {
        "rating": parse_rating(get("rating") or ""),
        "rapid": parse_rating(get("rapid_rating") or ""),
        "blitz": parse_rating(get("blitz_rating") or ""),
    }
    if rating_field != "rating" and "rapid_rating" not in fields and "blitz_rating" not in fields:
        ratings[rating_field], ratings["rating"] = ratings["rating"], None
    return FidePlayer(
        fide_id,
        name,
        (get("country") or "").strip(),
        (get("sex") or "").strip() or ("F" if "w" in flag else ""),
        best_title((title or "", woman_title or "")) if title or woman_title else "",
        ratings["rating"],
        ratings["rapid"],
        ratings["blitz"],
        parse_birth_year(get("birthday") or ""),
        flag,
    )


def _forget(element: etree._Element) -> None:
    """Free an element that was read, and all elements before it.

    The element itself stays until the next one, since the parser still appends text to it.
    """
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _require_rating_list(file: ListFile) -> None:
    """Raise RatingListError unless the file begins with the root element of a rating list."""
    from lxml import etree  # 14 ms

    parser = etree.XMLPullParser(events=("start",), **_LIMITS)
    try:
        parser.feed(file.peek(_HEAD_BYTES))
        _, root = next(parser.read_events(), (None, None))
    except etree.XMLSyntaxError as cause:
        raise _broken(file, cause) from cause
    if root is None or root.tag != _ROOT_TAG:
        root_name = "no element" if root is None else f"<{root.tag}>"
        raise RatingListError(
            f"{file.name}: is not a FIDE list: it begins with {root_name}, not <{_ROOT_TAG}>; "
            "give players_list_xml_foa.xml or another list from ratings.fide.com"
        )
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise RatingListError(
            f"{file.name}: declares entities, which no FIDE list does and which can hide an "
            "attack; download the list from ratings.fide.com"
        )


def _broken(file: ListFile, cause: etree.XMLSyntaxError) -> RatingListError:
    line = cause.lineno or 1
    reason = " ".join(str(cause.msg).split())  # some messages of libxml2 end with a line break
    return file.error(line, f"is damaged or truncated ({reason}); download it again")
