"""Formats that are not read, by content or by the ending of a name: what each is, what to do.

Must not know how an input is opened.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

FORMAT_BYTES = 4096  # of a file whose content shows what it is
# The first tag of a PGN file, the root of an SGF file, or the header of GIB or UGF, after remarks.
_GAME_START = re.compile(
    rb"(?:\xEF\xBB\xBF)?\s*(?:[%;][^\r\n]*\s+)*"
    rb"(?:\[(?:Event|Site|Date|Round|White|Black|Result|FEN|SetUp)\s+\""
    rb"|\(\s*(?:;\s*)?(?:GM|FF|SZ|CA|TE|EV|P[BW])\[|\\HS\s|\[Header\]\s*Ver=)"
)
_POSITION = re.compile(
    rb"(?:\xEF\xBB\xBF)?\s*(?:[pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8} "
)
_TEXT = re.compile(rb"[^\0-\x08\x0E-\x1F]*")


class _Format(NamedTuple):
    """`magics`: the first bytes; `is_text`: named so only if it begins with a position."""

    endings: tuple[str, ...]
    advice: str
    magics: tuple[bytes, ...] = ()
    is_text: bool = False


_CHESSBASE = (
    "a ChessBase database; export it to PGN first: in ChessBase make a new database of type PGN "
    "(Files > New > Database), and copy all games into it (Ctrl+A, Ctrl+C, Ctrl+V); if you do not "
    "have ChessBase, see docs/how-to/migrate-from-chessbase.md"
)
_BOOK = "an opening book, which has moves and counts but no games; give files of games"
_FORMATS = (
    _Format(
        (".cbh", ".cbf", ".cba", ".cbg", ".cbi", ".cbp", ".cbt", ".cbc", ".cbs", ".cbn", ".cbone"),
        _CHESSBASE,
    ),
    _Format(
        (".cbv", ".cbz"),
        "an archive of a ChessBase database; open it in ChessBase, which unpacks it to a .cbh "
        "file, and export that to PGN",
    ),
    _Format(
        (".sn4", ".sg4", ".sn5", ".sg5"),
        "a part of a Scid database; give the file .si4 or .si5 of the same name, with the other "
        "two beside it",
        (b"Scid.sn\0",),
    ),
    _Format(
        (".si3", ".sn3", ".sg3"),
        "a database of an old version of Scid; open it in Scid, which converts it to .si4",
    ),
    _Format(
        (".si4", ".si5"),
        "the index of a Scid database, which has two more files (.sn4 and .sg4, or .sn5 and .sg5); "
        "give the three unpacked, in one folder, and name the index",
        (b"Scid.si\0",),
    ),
    _Format((".ugz",), "a Go record packed with LHA; unpack it to .ugf, for example with lha"),
    _Format((".ctg", ".cto", ".ctb"), f"a book of ChessBase: {_BOOK}"),
    _Format((".bin",), f"a Polyglot book: {_BOOK}"),
    _Format((".abk",), f"a book of Arena: {_BOOK}", (b"\x03ABK",)),
    _Format(
        (".mdb", ".accdb"),
        "a database of Microsoft Access; export its games from the program that made it as PGN",
        (b"\0\1\0\0Standard Jet DB", b"\0\1\0\0Standard ACE DB"),
    ),
    _Format(
        (".pgc",),
        "a compressed form of PGN that today's programs do not write; convert it to PGN with the "
        "program that made it",
    ),
    _Format(
        (".epd", ".fen"),
        "a list of positions, not of games; give files of games",
        is_text=True,
    ),
    _Format((".sci",), "a database of Scidb; export it to PGN in Scidb"),
)  # fmt: skip


def begins_game(head: bytes) -> bool:
    """Return whether text begins as PGN or SGF."""
    return _GAME_START.match(head) is not None


def advice_on(name: str, head: bytes | None = None) -> str | None:
    """Return what a file is that is not read, and what to do; None for all others.

    `head`: its first bytes, if they are known; games count more than the name.
    """
    ending = os.path.splitext(name.lower())[1]
    for form in _FORMATS:
        if ending in form.endings and (head is None or _fits(form, head)):
            return form.advice
    for form in _FORMATS:
        if head is not None and form.magics and head.startswith(form.magics):
            return form.advice
    return None


def _fits(form: _Format, head: bytes) -> bool:
    """Return whether a file with the ending of a format may have it: text is read otherwise."""
    if form.is_text:
        return _POSITION.match(head) is not None
    return not head or _TEXT.fullmatch(head) is None
