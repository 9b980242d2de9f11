"""Read the players of FIDE's XML list as a stream, in constant memory.

Owns the tag names and the defences against hostile XML. Must not know how the file was opened or
compressed.

A kernel scans the form that FIDE writes: elements without attributes, text without line ends. lxml
reads a player whose fields are in another form, and the rest of a list from a place that is not in
FIDE's form, or damaged.

The file is not trusted: entities are not replaced, nothing is fetched, no DTD is loaded, libxml2's
limits stay on, and a list that declares entities is refused. FIDE's lists have no DOCTYPE.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from ocgdedup._kernels.names import ListedPlayers
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

# What surrounds the players of a list that the kernel scans.
_SPACE = rb"(?:[ \t\n]|\r\n)*"
_DECLARATION = rb'<\?xml version="1\.0"(?: encoding="(?:utf|UTF)-8")?(?: standalone="yes")? ?\?>'
_PLAIN_HEAD = rb"(?:%b)?%b<playerslist>" % (_DECLARATION, _SPACE)
_PLAIN_END = rb"%b</playerslist>%b" % (_SPACE, _SPACE)
_PLAYER_END = b"</player>"
_BLOCK_BYTES = 1 << 18
_MOST_PLAYER_BYTES = 1 << 16
_MOST_XML_COLUMNS = 1 << 16
_LINES_TOGETHER = 1 << 16  # libxml2 refuses a text of ten million


def is_xml(head: bytes) -> bool:
    """Return whether the first bytes of a file are XML."""
    return head.lstrip(b" \t\r\n").startswith(_OPENINGS)


class XmlReader:
    """Reads the players of a list; calls `skip` with the location of each invalid player.

    `note_period` is called with each <period>, once or more. `rating_field` ("rating", "rapid" or
    "blitz"): which rating <rating> has in a list with one rating.
    """

    def __init__(
        self,
        file: ListFile,
        *,
        rating_field: str,
        skip: Callable[[str], None],
        note_period: Callable[[str], None],
    ) -> None:
        self._file = file
        self._rating_field = rating_field
        self._skip = skip
        self._note_period = note_period
        self._number = 0  # of the last player

    def add_to(self, players: ListedPlayers) -> Iterator[None]:
        """Add the players of the list block by block; a block ends at each step.

        Raise RatingListError for other XML, and at damage or a missing end, after the players
        before it.
        """
        head = re.match(_PLAIN_HEAD, self._file.peek(_HEAD_BYTES))
        if head is None:
            _require_rating_list(self._file)
            yield from self._parse(players, self._file)
        else:
            yield from self._scan(players, self._file.read(head.end()))
        if not self._number:
            raise RatingListError(
                f"{self._file.name}: is not a FIDE list: it has no <player>; give another"
            )

    def _scan(self, players: ListedPlayers, head: bytes) -> Iterator[None]:
        """Add the players behind the root tag; lxml goes on where the XML is not plain."""
        rest = last_line = b""  # `last_line`: the line before `rest`, on which `rest` begins
        lines = 0  # line ends before `rest`
        while block := self._file.read(_BLOCK_BYTES):
            text = rest + block
            end = text.rfind(_PLAYER_END) + 1
            end += len(_PLAYER_END) - 1 if end else 0
            position, passed = self._scan_block(players, text, end)
            yield
            lines += passed
            last_line = text[:position] if passed else last_line + text[:position]
            last_line = last_line[last_line.rfind(b"\n") + 1 :][-_MOST_XML_COLUMNS:]
            rest = text[position:]
            if position < end or len(rest) > _MOST_PLAYER_BYTES:
                break
        else:
            if self._number and re.fullmatch(_PLAIN_END, rest):
                return
        columns = b" " * len(last_line.decode("utf-8", "replace"))
        pieces = chain([head], _line_ends(lines), [columns, rest])
        yield from self._parse(players, _Rejoined(pieces, self._file))

    def _scan_block(self, players: ListedPlayers, text: bytes, end: int) -> tuple[int, int]:
        """Add the players of text[:end]; return where plain XML ends, and the lines before it."""
        begin = stop = lines = 0
        while stop < end:
            before = players.added
            begin, stop, passed = players.add_xml(
                text,
                stop,
                end,
                rating_field=tuple(_RATING_TAGS).index(self._rating_field),
                title_of=_title_of,
                note_period=self._note_period,
            )
            self._number += players.added - before
            lines += passed
            if begin == stop or not self._add_alone(players, text[begin:stop]):
                break
            lines += text.count(b"\n", begin, stop)
            begin = stop
        return begin, lines

    def _add_alone(self, players: ListedPlayers, record: bytes) -> bool:
        """Add a player by its text; return False if lxml refuses it."""
        from lxml import etree  # 14 ms

        try:
            element = etree.fromstring(record, etree.XMLParser(**_LIMITS))
        except etree.XMLSyntaxError:
            return False
        self._add_element(players, element)
        return True

    def _parse(self, players: ListedPlayers, source: ListFile | _Rejoined) -> Iterator[None]:
        """Add the players of XML in any form; `_number` are left out, as they were scanned."""
        from lxml import etree  # 14 ms

        try:
            for _, element in etree.iterparse(source, tag="player", **_LIMITS):
                self._add_element(players, element)
                yield
                _forget(element)
        except etree.XMLSyntaxError as cause:
            raise _broken(self._file, cause) from cause

    def _add_element(self, players: ListedPlayers, element: etree._Element) -> None:
        self._number += 1
        texts = {child.tag: child.text or "" for child in element}
        if period := texts.get("period"):
            self._note_period(period)
        try:
            player = _make_player(texts, self._rating_field)
        except (KeyError, TypeError, ValueError):
            self._skip(f"player {self._number}")
        else:
            players.add(player)


class _Rejoined:
    """Pieces of text, and the rest of a file, as a file for lxml."""

    def __init__(self, pieces: Iterator[bytes], file: ListFile) -> None:
        self._pieces = pieces
        self._file = file
        self._taken = b""

    def read(self, size_bytes: int) -> bytes:
        text = self._taken
        while len(text) < size_bytes and (piece := next(self._pieces, None)) is not None:
            text += piece
        self._taken = text[size_bytes:]
        text = text[:size_bytes]
        return text + self._file.read(size_bytes - len(text)) if len(text) < size_bytes else text


def _line_ends(count: int) -> Iterator[bytes]:
    """Yield line ends instead of the players that were scanned, so that lxml counts lines."""
    many, few = divmod(count, _LINES_TOGETHER)
    for _ in range(many):
        yield b"\n" * _LINES_TOGETHER + b"<!-- -->"
    yield b"\n" * few


def _title_of(titles: str) -> str:
    return fields.best_title(titles.split("\0"))


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
