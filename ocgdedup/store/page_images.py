"""Pages of a database as they were before a transaction, kept in a file of SQLite's journal format.

SQLite writes the old content of each page that a transaction overwrites to a rollback journal, and
deletes the journal after the commit. A journal that is kept undoes the transaction: SQLite rolls it
back like that of a killed program, in one step that survives a crash. Pages that a transaction
frees are in it only with secure_delete, which connections that write turn on. Source of the format:
https://www.sqlite.org/fileformat2.html#the_rollback_journal. Must not know tables.
"""

from __future__ import annotations

import mmap
import os
import secrets
import struct
from collections.abc import Iterable

import apsw

from ocgdedup.errors import StoreError

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_HEADER = struct.Struct(">8sIIIII")  # magic, records, nonce, pages before, sector and page size
_NUMBER = struct.Struct(">I")
_SECTOR_BYTES = 512
_UNCOUNTED = 0xFFFFFFFF  # records up to the end of the file: written without syncs
_RECORD_EXTRA = 8  # page number and checksum
_CHECKSUM_STEP = 200  # bytes between those that a checksum adds
_LOCK_BYTE = 1 << 30  # SQLite never stores data on the page that has it
_COUNTER_OFFSETS = (24, 92)  # file change counter, version-valid-for number


class Journal:
    """The old pages in a rollback journal; `pages`: the size of the database before, in pages."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as handle:
            if os.fstat(handle.fileno()).st_size < _HEADER.size:
                raise StoreError(f"{path}: is damaged: shorter than the header of a journal")
            self._data = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        magic, _, _, self.pages, _, self.page_size = _HEADER.unpack_from(self._data)
        if magic != _MAGIC:
            raise StoreError(f"{path}: is damaged: has no header of a journal")
        self._offsets: dict[int, int] = {}
        offset = 0
        while offset + _HEADER.size <= len(self._data):  # one header for each part written at once
            magic, records, nonce, _, sector_bytes, _ = _HEADER.unpack_from(self._data, offset)
            if magic != _MAGIC:
                break
            offset = self._read_records(path, offset + sector_bytes, records, nonce)
            offset = -(-offset // sector_bytes) * sector_bytes

    def __contains__(self, number: int) -> bool:
        return number in self._offsets

    def numbers(self) -> set[int]:
        """Return the numbers of the pages."""
        return set(self._offsets)

    def page(self, number: int) -> bytes:
        """Return the old content of a page."""
        offset = self._offsets[number]
        return self._data[offset : offset + self.page_size]

    def _read_records(self, path: str, offset: int, records: int, nonce: int) -> int:
        """Note the pages from an offset on; return the offset after the last one."""
        record_bytes = self.page_size + _RECORD_EXTRA
        possible = (len(self._data) - offset) // record_bytes
        if records != _UNCOUNTED and records > possible:
            raise StoreError(f"{path}: is damaged: ends after {possible} of {records} pages")
        for _ in range(min(records, possible)):
            (number,) = _NUMBER.unpack_from(self._data, offset)
            self._offsets.setdefault(number, offset + _NUMBER.size)
            offset += record_bytes
            (stored,) = _NUMBER.unpack_from(self._data, offset - _NUMBER.size)
            if stored != _checksum(nonce, self.page(number)):
                raise StoreError(f"{path}: is damaged: page {number} has a wrong checksum")
        return offset


class PageView:
    """All pages of a database in one state: as the file is, or before transactions with journals.

    The connection holds a lock and has changed nothing. It reads the file, since opening and
    closing it here would drop SQLite's locks.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.page_size = int(connection.pragma("page_size"))
        self.pages = int(connection.pragma("page_count"))
        self._journals: dict[int, Journal] = {}  # by the number of a page that differs

    def page(self, number: int) -> bytes:
        """Return the content of a page."""
        if number in self._journals:
            return self._journals[number].page(number)
        offset = (number - 1) * self.page_size
        is_read, data = self._connection.read("main", 0, offset, self.page_size)
        if not is_read:
            raise StoreError(f"{self._connection.filename}: page {number} cannot be read")
        return data

    def copy(self) -> PageView:
        """Return another view of the same state."""
        copy = PageView(self._connection)
        copy.pages, copy._journals = self.pages, dict(self._journals)
        return copy

    def go_back(self, journal: Journal) -> set[int]:
        """Go to the state before the transaction of a journal; return the pages that change."""
        if journal.page_size != self.page_size:
            raise StoreError(f"{self._connection.filename}: has pages of another size than before")
        changed = journal.numbers() | set(range(journal.pages + 1, self.pages + 1))
        self._journals.update(dict.fromkeys(journal.numbers(), journal))
        self.pages = journal.pages
        return changed - {_LOCK_BYTE // self.page_size + 1}

    def write_copy(self, path: str) -> None:
        """Write a database in this state to a new file."""
        with open(path, "wb") as handle:
            for number in range(1, self.pages + 1):
                handle.write(self.page(number))


def write_journal(path: str, view: PageView, numbers: Iterable[int], counter: int = 0) -> None:
    """Write a journal whose rollback gives these pages, and the size, of a view.

    `counter`: file change counter of the database after the rollback, 0 to leave that of the view.
    A counter that was used before would make other connections believe that their caches are
    current.
    """
    chosen = sorted(number for number in numbers if number <= view.pages)
    nonce = secrets.randbits(32)
    with open(path, "wb") as handle:
        header = _HEADER.pack(_MAGIC, len(chosen), nonce, view.pages, _SECTOR_BYTES, view.page_size)
        handle.write(header.ljust(_SECTOR_BYTES, b"\0"))
        for number in chosen:
            data = view.page(number)
            if counter and number == 1:
                data = _with_counter(data, counter)
            handle.write(_NUMBER.pack(number) + data + _NUMBER.pack(_checksum(nonce, data)))
        handle.flush()
        os.fsync(handle.fileno())


def _with_counter(first_page: bytes, counter: int) -> bytes:
    data = bytearray(first_page)
    for offset in _COUNTER_OFFSETS:
        _NUMBER.pack_into(data, offset, counter)
    return bytes(data)


def _checksum(nonce: int, data: bytes) -> int:
    return (nonce + sum(data[len(data) - _CHECKSUM_STEP :: -_CHECKSUM_STEP])) & 0xFFFFFFFF
