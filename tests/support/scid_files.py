"""Scid databases for tests: those of tests/corpus/scid, changed or written as si5."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Sequence
from pathlib import Path

from ocgdedup.files.scid import _si4_names

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "scid"
HEADER_BYTES, ENTRY_BYTES = 182, 47


def copy_si4(folder: Path, name: str = "my") -> Path:
    """Copy the database of the corpus; return its index."""
    for ending in ("si4", "sn4", "sg4"):
        shutil.copy(CORPUS / f"annotated.{ending}", folder / f"{name}.{ending}")
    return folder / f"{name}.si4"


def write_si5(index: Path, chess960: Sequence[int] = ()) -> Path:
    """Write a database si4 as si5, by the description in Scid's src/codec_scid5.h.

    `chess960`: the numbers of games, from 0, that get that flag.
    """
    entries = index.read_bytes()[HEADER_BYTES:]
    words = [
        _si5_entry(entries[at : at + ENTRY_BYTES], at // ENTRY_BYTES in chess960)
        for at in range(0, len(entries), ENTRY_BYTES)
    ]
    result = index.with_suffix(".si5")
    result.write_bytes(b"".join(words))
    names_path = index.with_suffix(".sn4")
    names = bytearray(_name(4, b"descriptionof the database"))
    for kind, table in enumerate(_si4_names(str(names_path), names_path.read_bytes())):
        for name in table:
            assert name is not None
            names += _name(kind, name)
    index.with_suffix(".sn5").write_bytes(names)
    shutil.copy(index.with_suffix(".sg4"), index.with_suffix(".sg5"))
    return result


def _name(kind: int, text: bytes) -> bytes:
    number = len(text) * 8 + kind
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number]) + text


def _si5_entry(entry: bytes, chess960: bool) -> bytes:
    """Pack the fields of an entry of si4 anew: each is a number of bits of a 32-bit word."""
    offset, low_length, extra, flags = struct.unpack_from(">IHBH", entry)
    high, white, black, more, event, site, site_round = struct.unpack_from(">BHHBHHH", entry, 9)
    counts, eco, dates, *elos = struct.unpack_from(">HHIHH", entry, 21)
    (material,) = struct.unpack_from(">I", entry, 33)
    date, near = dates & 0xFFFFF, dates >> 20
    event_date = (near + (((date >> 9) - 4) << 9)) if near >> 9 else 0
    ratings = [elo >> 12 for elo in elos]
    words = [
        (counts >> 4 & 15) << 28 | (high >> 4) << 16 | white,
        (counts & 15) << 28 | (high & 15) << 16 | black,
        (counts >> 8 & 15) << 28 | (more >> 5) << 16 | event,
        (more >> 2 & 7) << 16 | site,
        int(chess960) << 31 | (more & 3) << 16 | site_round,
        (elos[0] & 0xFFF) << 20 | date,
        (elos[1] & 0xFFF) << 20 | event_date,
        (entry[37] | (entry[38] >> 6) << 8) << 22 | (extra & 0x3F) << 16 | flags,
        ((extra >> 7) << 16 | low_length) << 15,
        offset,
        material,
        (entry[38] & 0x3F) << 24 | (ratings[0] << 5 | ratings[1] << 2 | counts >> 12) << 16 | eco,
    ]
    return struct.pack("<12I", *words) + entry[39:]
