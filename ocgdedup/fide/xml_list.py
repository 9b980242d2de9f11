"""Read the players of FIDE's XML list as a stream, in constant memory.

Owns the tag names and the defences against hostile XML. Must not know how the file was opened or
compressed.

The file is not trusted: entities are not replaced, nothing is fetched, no DTD is loaded, libxml2's
limits stay on, and a list that declares entities is refused. FIDE's lists have no DOCTYPE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ocgdedup.errors import RatingListError
from ocgdedup.fide import fields
from ocgdedup.fide.list_file import ListFile
from ocgdedup.model import FidePlayer

if TYPE_CHECKING:
    from lxml import etree

_ROOT_TAG = "playerslist"
_OPENINGS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe", b"\xfe\xff")
_HEAD_BYTES = 1 << 14
_RATING_TAGS = {"rating": "rating", "rapid": "rapid_rating", "blitz": "blitz_rating"}
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
            texts = {child.tag: child.text or "" for child in element}
            if period := texts.get("period"):
                note_period(period)
            try:
                yield _make_player(texts, rating_field)
            except (KeyError, TypeError, ValueError):
                skip(f"player {number}")
            _forget(element)
    except etree.XMLSyntaxError as cause:
        raise _broken(file, cause) from cause
    if not number:
        raise RatingListError(f"{file.name}: is not a FIDE list: it has no <player>; give another")


def _make_player(texts: Mapping[str, str], rating_field: str) -> FidePlayer:
    """Return a player; raise KeyError or ValueError if ID or name is missing."""
    get = texts.get
    flag = get("flag", "").strip()
    titles = get("title", ""), get("w_title", "")
    ratings = {field: fields.parse_rating(get(tag, "")) for field, tag in _RATING_TAGS.items()}
    if rating_field != "rating" and texts.keys().isdisjoint(("rapid_rating", "blitz_rating")):
        ratings[rating_field], ratings["rating"] = ratings["rating"], None
    return FidePlayer(
        fields.parse_fide_id(texts["fideid"]),
        fields.parse_name(texts["name"]),
        get("country", "").strip(),
        get("sex", "").strip() or ("F" if "w" in flag else ""),
        fields.best_title(titles) if any(titles) else "",
        ratings["rating"],
        ratings["rapid"],
        ratings["blitz"],
        fields.parse_birth_year(get("birthday", "")),
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
