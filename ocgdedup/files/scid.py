"""Read a Scid database, GAMES.si4 or GAMES.si5 and the two files beside it, as PGN.

Owns the files and the names; the kernel writes the games (kernels/chess/scid_read.pxi). From
Scid's sources (src/codec_scid4.cpp, src/codec_scid5.h): the index (si4, si5) has an entry for each
game, with numbers of names and the place of its data; the names (sn4, sn5) are front-coded in si4
and each complete in si5; the data (sg4, sg5) has the other tags, moves and comments.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from io import FileIO

from ocgdedup._kernels.chess import ScidText
from ocgdedup.errors import PgnReadError
from ocgdedup.files import decompress
from ocgdedup.files.decompress import ByteSource, RawFile
from ocgdedup.files.records import Stamp
from ocgdedup.wording import counted

ENDINGS = (".si4", ".si5")
_SI4_MAGIC = b"Scid.si\0"
_SN4_MAGIC = b"Scid.sn\0"
_SI4_HEADER = struct.Struct(">8sH4x3s")  # magic, version, type, number of games
_SI4_HEADER_BYTES = 182
_SI4_VERSION = 400
_SN4_HEADER_BYTES = 36  # magic, time, four numbers of names, four greatest counts of games
_KINDS = ("players", "events", "sites", "rounds")
_BATCH_GAMES = 400
# Data between those of a batch's games that is read with them: a whole batch in one call.
_MOST_GAP_BYTES = 1 << 20
_TOP_SHIFT = 56  # of a number of 64 bits

Names = list[list[bytes | None]]


def is_index(path: str) -> bool:
    """Return whether a file is the index of a Scid database, by its name."""
    return path.lower().endswith(ENDINGS)


def companions(path: str) -> tuple[str, str]:
    """Return the files of names and of games of an index."""
    stem, letter, version = path[:-2], path[-2], path[-1]
    names, games = ("n", "g") if letter == "i" else ("N", "G")
    return f"{stem}{names}{version}", f"{stem}{games}{version}"


def require_companions(path: str) -> None:
    """Raise PgnReadError if one of the two files beside an index cannot be read."""
    for other in companions(path):
        try:
            with open(other, "rb"):
                pass
        except OSError as cause:
            decompress.refuse_shortage(other, cause)
            raise PgnReadError(
                f"{path}: a Scid database has three files, but {os.path.basename(other)} cannot be "
                f"opened: {cause.strerror}; copy it to the same folder"
            ) from cause


class ScidSource(ByteSource):
    """The games of a Scid database as PGN, in their order."""

    def __init__(self, raw: RawFile) -> None:
        """Open the database of an index; raise PgnReadError if its files do not fit."""
        self._raw = raw
        self._path = raw.name
        self._is_si5 = raw.name.endswith("5")
        require_companions(self._path)
        names_path, games_path = companions(self._path)
        self._stamps = {path: Stamp.of(path) for path in (names_path, games_path)}
        games = None if self._is_si5 else self._header_games()
        with decompress.open_unbuffered(names_path) as handle:
            text = _read_at(handle, 0, self._stamps[names_path].size_bytes)
        names = (_si5_names if self._is_si5 else _si4_names)(names_path, text)
        self._text = ScidText(names, self._is_si5)
        if games is None:
            games = -(-os.stat(self._path).st_size // self._text.entry_bytes)
        self._expected = games
        self._games = decompress.open_unbuffered(games_path)
        self._blocks = self._read_blocks()
        self._ready = b""
        from concurrent.futures import ThreadPoolExecutor  # 11 ms

        # The next block is written while the caller parses this one.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="scid")
        self._next = self._pool.submit(next, self._blocks, b"")

    def read_some(self, limit: int) -> bytes:
        if not self._ready:
            self._ready = self._next.result()
            if self._ready:
                self._next = self._pool.submit(next, self._blocks, b"")
            else:
                self._pool.shutdown(wait=False)
        part, self._ready = self._ready[:limit], self._ready[limit:]
        return part

    def _header_games(self) -> int:
        """Return the number of games in the header of an si4."""
        head = decompress.read_up_to(self._raw.read_some, _SI4_HEADER_BYTES)
        if len(head) < _SI4_HEADER_BYTES or not head.startswith(_SI4_MAGIC):
            raise PgnReadError(f"{self._path}: is not the index of a Scid database; copy it again")
        _, version, games = _SI4_HEADER.unpack_from(head)
        if version != _SI4_VERSION:
            raise PgnReadError(
                f"{self._path}: version {version} of Scid's format is not read, only "
                f"{_SI4_VERSION}; open it in Scid, which converts it"
            )
        return int.from_bytes(games)

    def _read_blocks(self) -> Iterator[bytes]:
        games = 0
        size = self._text.entry_bytes
        try:
            while block := decompress.read_up_to(self._raw.read_some, _BATCH_GAMES * size):
                games += len(block) // size
                if len(block) >= size:
                    yield self._convert(block[: len(block) // size * size])
            self._require_complete(games)
        finally:
            self._games.close()

    def _convert(self, entries: bytes) -> bytes:
        """Return the text of some games, whose data lie together or apart."""
        places = self._text.places(entries)
        start = min(offset for offset, _ in places)
        end = max(offset + length for offset, length in places)
        if end - start <= sum(length for _, length in places) + _MOST_GAP_BYTES:
            return self._text.write(entries, _read_at(self._games, start, end - start), start)
        size = self._text.entry_bytes
        return b"".join(
            self._text.write(
                entries[number * size : (number + 1) * size],
                _read_at(self._games, offset, length),
                offset,
            )
            for number, (offset, length) in enumerate(places)
        )

    def _require_complete(self, games: int) -> None:
        """Raise PgnReadError, after all games, if some are missing, or names of some."""
        problems = []
        if games != self._expected:
            problems.append(
                f"has {games:,} of the {counted(self._expected, 'game')} that its header promises"
            )
        if self._text.missing_names:
            count = counted(self._text.missing_names, "name")
            problems.append(f'{count} of games are not in the file of names and were read as "?"')
        if any(stamp.has_changed(path) for path, stamp in self._stamps.items()):
            problems.append("changed while it was read")
        if problems:
            raise PgnReadError(
                f"{self._path}: {'; '.join(problems)}; copy the database again, or repair it in "
                "Scid (File > Maintenance)"
            )


def _read_at(handle: FileIO, offset: int, size: int) -> bytes:
    """Return the bytes of a place, fewer at the end of the file."""
    try:
        handle.seek(offset)
        return decompress.read_up_to(lambda limit: handle.read(limit) or b"", size)
    except OSError as cause:
        raise decompress.cannot_open(str(handle.name), cause) from cause


def _si4_names(path: str, text: bytes) -> Names:
    """Return the names of a file sn4: sorted, each without the prefix of the name before it."""
    if len(text) < _SN4_HEADER_BYTES or not text.startswith(_SN4_MAGIC):
        raise _damage(path, 0)
    numbers = [int.from_bytes(text[at : at + 3]) for at in range(12, _SN4_HEADER_BYTES, 3)]
    at = _SN4_HEADER_BYTES
    tables: Names = []
    for count, most_games in zip(numbers[:4], numbers[4:], strict=True):
        id_bytes = 3 if count >= 1 << 16 else 2
        # The number of games of each name follows its ID.
        before = id_bytes + (3 if most_games >= 1 << 16 else 2 if most_games >= 1 << 8 else 1)
        if count * (before + 1) > len(text):
            raise _damage(path, at)
        table: list[bytes | None] = [None] * count
        name = b""
        for index in range(count):
            head = at + before + (2 if index else 1)
            if head > len(text):
                raise _damage(path, at)
            key, length = int.from_bytes(text[at : at + id_bytes]), text[at + before]
            shared = text[head - 1] if index else 0
            name = name[:shared] + text[head : head + length - shared]
            if len(name) != length or key >= count:
                raise _damage(path, at)
            table[key] = name
            at = head + length - shared
        tables.append(table)
    return tables


def _si5_names(path: str, text: bytes) -> Names:
    """Return the names of a file sn5: a number of 7 bits a byte (length * 8 + kind), the text."""
    tables: Names = [[] for _ in _KINDS]
    at = 0
    while at < len(text):
        start, number, shift = at, 0, 0
        while at < len(text) and text[at] & 0x80 and shift < _TOP_SHIFT:
            number |= (text[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
        if at == len(text) or text[at] & 0x80:
            raise _damage(path, start)
        number |= text[at] << shift
        kind, length = number & 7, number >> 3
        at += 1
        if kind > len(_KINDS) or at + length > len(text):
            raise _damage(path, start)
        if kind < len(_KINDS):  # others describe the database
            tables[kind].append(text[at : at + length])
        at += length
    return tables


def _damage(path: str, at: int) -> PgnReadError:
    return PgnReadError(
        f"{path}: the names of the Scid database are damaged at byte {at}; copy the database "
        "again, or repair it in Scid (File > Maintenance)"
    )
