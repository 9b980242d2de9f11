"""The inputs of `create`: arguments to files, files to streams of decompressed text.

Owns which files an argument means, the checks before any work, and the stream that the reader
pulls from. Must not know games, tags or where one game ends.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from io import FileIO
from typing import BinaryIO, NamedTuple

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files import archives, decompress
from ocgdedup.files.decompress import ByteSource, RawFile
from ocgdedup.files.manifest import Manifest, manifest_of
from ocgdedup.files.records import Stamp

STDIN_ARGUMENT = "-"
_TEXT_ENDINGS = (".pgn", ".sgf")
_INPUT_ENDINGS = (*archives.packed_endings(_TEXT_ENDINGS), *archives.ARCHIVE_ENDINGS)
_BY_CHESSBASE = (
    "a ChessBase database; export it to PGN first: in ChessBase make a new database of type PGN "
    "(Files > New > Database), and copy all games into it (Ctrl+A, Ctrl+C, Ctrl+V)"
)
_BY_SCID = (
    "a Scid database; export it to PGN first: in Scid, with no filter set, Tools > Export All "
    "Filter Games > Export Filter to PGN"
)
# By the ending of a name: what else people have, and how it becomes PGN.
_OTHER_PROGRAMS = {
    ".cbh": _BY_CHESSBASE, ".cbv": _BY_CHESSBASE, ".cbz": _BY_CHESSBASE, ".cbf": _BY_CHESSBASE,
    ".si4": _BY_SCID, ".sg4": _BY_SCID, ".sn4": _BY_SCID, ".si5": _BY_SCID, ".sg5": _BY_SCID,
    ".sn5": _BY_SCID, ".scid": _BY_SCID,
}  # fmt: skip
_UTF16_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class InputFile(NamedTuple):
    """One file to read; `size_bytes` is its size on disk, None for a pipe.

    With a `manifest` it is a folder of lossless tables. `stamp`: of the file when it was listed.
    """

    path_as_given: str
    size_bytes: int | None
    manifest: Manifest | None = None
    stamp: Stamp | None = None

    def has_changed(self) -> bool:
        """Return whether a file was replaced or written to since it was listed."""
        try:
            return self.stamp is not None and self.stamp != Stamp.of(self.path_as_given)
        except OSError:
            return True


class SourceStream:
    """One PGN or SGF text, decompressed, as the reader pulls it."""

    def __init__(
        self,
        name: str,
        source: ByteSource,
        raw_position: Callable[[], int],
        *,
        transcoded_from: str | None,
    ) -> None:
        self.name = name
        self.transcoded_from = transcoded_from
        self.size_bytes = 0
        self._source = source
        self._raw_position = raw_position
        self._sha256 = hashlib.sha256()
        self._failure: PgnReadError | None = None

    def read(self, size_bytes: int) -> bytes:
        """Return exactly `size_bytes` bytes, fewer only before the end or damage, then b"".

        Raise PgnReadError once all that is readable before the damage has been returned.
        """
        if size_bytes < 1:
            raise ValueError(f"cannot read {size_bytes} bytes")
        if self._failure:
            raise self._failure
        parts: list[bytes] = []
        missing_bytes = size_bytes
        try:
            while missing_bytes:
                part = self._source.read_some(missing_bytes)
                if not part:
                    break
                parts.append(part)
                missing_bytes -= len(part)
        except PgnReadError as failure:
            self._failure = failure
            if not parts:
                raise
        block = b"".join(parts)  # of one part, the usual case of a plain file, this is no copy
        self._sha256.update(block)
        self.size_bytes += len(block)
        return block

    def raw_position(self) -> int:
        """Return how many bytes of the file on disk, compressed or not, have been read."""
        return self._raw_position()

    def sha256_hex(self) -> str:
        """Return the SHA-256 of what read() has returned so far."""
        return self._sha256.hexdigest()


class _Utf8FromUtf16(ByteSource):
    """UTF-16 text, without its byte order mark, as UTF-8."""

    def __init__(self, source: ByteSource, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._ready = b""
        self._is_finished = False

    def read_some(self, limit: int) -> bytes:
        """Return 1 to `limit` bytes, or b"" at the end; raise PgnReadError at damage."""
        while not self._ready and not self._is_finished:
            block = self._source.read_some(limit)
            self._is_finished = not block
            self._ready = self._decoder.decode(block, self._is_finished).encode()
        part, self._ready = self._ready[:limit], self._ready[limit:]
        return part


def list_inputs(arguments: Sequence[str]) -> list[InputFile]:
    """Return the files that the arguments mean, in order, each checked to be readable.

    Raise UsageError for a folder without such files or a second "-", PgnReadError for a file
    that is absent or may not be read, unless it was found in a folder.
    """
    if list(arguments).count(STDIN_ARGUMENT) > 1:
        raise UsageError('"-" is given twice; standard input can be read only once')
    files: list[InputFile] = []
    for argument in arguments:
        decompress.refuse_address(argument)
        if argument == STDIN_ARGUMENT:
            if sys.stdin is None:
                reason = 'standard input ("-") is closed; pipe the PGN or SGF text into it'
                raise PgnReadError(reason)
            files.append(InputFile(STDIN_ARGUMENT, None))
        elif os.path.isdir(argument):
            manifest = manifest_of(argument)
            if manifest is None:
                files.extend(map(_check_found, _list_folder(argument)))
            else:
                files.append(InputFile(argument, manifest.size_bytes, manifest))
        else:
            program = _OTHER_PROGRAMS.get(os.path.splitext(argument.lower())[1])
            if program is not None:
                raise UsageError(f"{argument}: {program}")
            files.append(_check_file(argument))
    return files


def open_sources(file: InputFile) -> Iterator[SourceStream]:
    """Give each text of a file: one, or one for each PGN or SGF member of a zip or tar.

    A stream can be read until the next one is asked for. Raise PgnReadError if the file cannot
    be opened or holds none; damage further on is raised by SourceStream.read().
    """
    name = file.path_as_given
    handle = _open_handle(name)
    try:
        can_seek = name != STDIN_ARGUMENT and handle.seekable()
        yield from _open_texts(RawFile(handle, name, can_seek=can_seek))
    finally:
        if name != STDIN_ARGUMENT:
            handle.close()


def is_plain_text(path: str, head: bytes) -> bool:
    """Tell if a file that begins so holds its text as it is: not packed, and not in UTF-16.

    `head`: at least TAR_HEAD_BYTES of it.
    """
    return not (
        head.startswith((*archives.ZIP_MAGICS, *_UTF16_BOMS))
        or archives.is_tar(head)
        or decompress.sniff_codec(head[: decompress.MAGIC_BYTES], path)
    )


def _check_file(path: str) -> InputFile:
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            with open(path, "rb", buffering=0):
                return InputFile(path, status.st_size, stamp=Stamp.of(path))
    except (OSError, ValueError) as cause:
        raise decompress.cannot_open(path, cause) from cause
    # Opening a named pipe or the /dev/fd/63 of a shell's <(...) here would take its text.
    if not os.access(path, os.R_OK):
        raise PgnReadError(f"{path}: permission denied; check its permissions")
    return InputFile(path, None)


def _check_found(path: str) -> InputFile:
    """Check a file that stands in a folder; one that cannot be opened fails when it is read."""
    try:
        return _check_file(path)
    except PgnReadError:
        return InputFile(path, None)


def _list_folder(folder: str) -> list[str]:
    paths: list[str] = []
    for parent, folder_names, file_names in os.walk(folder, onerror=_raise_unreadable):
        folder_names[:] = [name for name in folder_names if not name.startswith(".")]
        paths.extend(
            os.path.join(parent, name)
            for name in file_names
            if name.lower().endswith(_INPUT_ENDINGS) and not name.startswith(".")
        )
    if not paths:
        raise UsageError(
            f"{folder}: no PGN or SGF file in this folder or below it; "
            f"it is searched for {', '.join('*' + ending for ending in _INPUT_ENDINGS)}"
        )
    return sorted(paths)


def _raise_unreadable(cause: OSError) -> None:
    raise decompress.cannot_open(str(cause.filename), cause) from cause


def _open_handle(name: str) -> BinaryIO | FileIO:
    return sys.stdin.buffer if name == STDIN_ARGUMENT else decompress.open_unbuffered(name)


def _open_texts(raw: RawFile) -> Iterator[SourceStream]:
    head = decompress.peek(raw, decompress.MAGIC_BYTES)
    if head.startswith(archives.ZIP_MAGICS):
        members = archives.open_zip_members(raw, _TEXT_ENDINGS)
    else:
        if raw.name.lower().endswith(".zip"):
            decompress.require_readable_head(head, raw.name, archives.ZIP_MAGICS)
        head, source = decompress.decompressed(raw.name, raw, archives.TAR_HEAD_BYTES)
        if not archives.is_tar(head):
            yield _as_text(raw.name, source, head, raw)
            return
        members = archives.open_tar_members(source, raw.name, _TEXT_ENDINGS)
    for name, member in members:
        head, source = decompress.decompressed(name, member)
        yield _as_text(name, source, head, raw)


def _as_text(name: str, source: ByteSource, head: bytes, raw: RawFile) -> SourceStream:
    """Return the text of one file or member as UTF-8; `head`: its first bytes."""
    encoding = _UTF16_BOMS.get(head[:2])
    if encoding:
        decompress.read_up_to(source.read_some, 2)  # the byte order mark
        source = _Utf8FromUtf16(source, encoding)
    return SourceStream(name, source, raw.position, transcoded_from=encoding)
