"""The inputs of `create`: find the files of each argument, and open them as decompressed text.

Owns which files an argument means, the checks before any work, and the streams for the reader. Must
not know games, tags or where a game ends.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from io import FileIO
from typing import BinaryIO, NamedTuple, NoReturn

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files import archives, decompress, library_archives, scid, storage
from ocgdedup.files.decompress import ByteSource, RawFile
from ocgdedup.files.manifest import NAME as MANIFEST
from ocgdedup.files.manifest import Manifest, manifest_of
from ocgdedup.files.other_formats import FORMAT_BYTES, advice_on, begins_game
from ocgdedup.files.portable import HISTORY_SUFFIX
from ocgdedup.files.records import Stamp
from ocgdedup.files.storage import ListedFile

STDIN_ARGUMENT = "-"
_READ_BYTES = 1 << 20
_TEXT_ENDINGS = (".pgn", ".sgf", ".gib", ".ngf", ".ugf", ".ugi")
_INPUT_ENDINGS = (
    *archives.packed_endings(_TEXT_ENDINGS), *archives.ARCHIVE_ENDINGS, *scid.ENDINGS,
)  # fmt: skip
_UNREAD_SHOWN = 5  # names in one message
_UTF16_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# "(;" and "[E" in UTF-16 without a byte order mark.
_UTF16_STARTS = {
    b"(\0;\0": "utf-16-le", b"\0(\0;": "utf-16-be", b"[\0E\0": "utf-16-le", b"\0[\0E": "utf-16-be",
}  # fmt: skip


class InputFile(NamedTuple):
    """One file to read, or a folder of lossless tables if it has a `manifest`.

    `size_bytes`: on disk, None for a pipe. `stamp`: of the file when it was listed. `database`: of
    a database, the file from which its games are copied, which may be a temporary copy.
    """

    path_as_given: str
    size_bytes: int | None
    manifest: Manifest | None = None
    stamp: Stamp | None = None
    database: str | None = None

    def sha256_hex(self) -> str:
        """Return the SHA-256 of a database and of the log beside it."""
        digest = hashlib.sha256()
        for path in filter(os.path.exists, (self.path_as_given, f"{self.path_as_given}-wal")):
            with open(path, "rb") as handle:
                while block := handle.read(_READ_BYTES):
                    digest.update(block)
        return digest.hexdigest()

    def has_changed(self) -> bool:
        """Return whether the file was replaced or changed since it was listed."""
        return self.stamp is not None and self.stamp.has_changed(self.path_as_given)


class SourceStream:
    """One decompressed PGN or SGF text, which the reader reads in parts.

    `raw_position` returns how many bytes of the file on disk, compressed or not, were read.
    """

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
        self.raw_position = raw_position
        self._sha256 = hashlib.sha256()
        self._failure: PgnReadError | None = None

    def read(self, size_bytes: int) -> bytes:
        """Return exactly `size_bytes` bytes, or fewer before the end or damage, then b"".

        Raise PgnReadError after all bytes before the damage were returned.
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
        block = b"".join(parts)  # no copy if there is one part, as usual for a plain file
        self._sha256.update(block)
        self.size_bytes += len(block)
        return block

    def sha256_hex(self) -> str:
        """Return the SHA-256 of all bytes that read() has returned."""
        return self._sha256.hexdigest()


class _Utf8FromUtf16(ByteSource):
    """UTF-16 text, without its byte order mark, as UTF-8."""

    def __init__(self, source: ByteSource, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._ready = b""
        self._is_finished = False

    def read_some(self, limit: int) -> bytes:
        while not self._ready and not self._is_finished:
            block = self._source.read_some(limit)
            self._is_finished = not block
            self._ready = self._decoder.decode(block, self._is_finished).encode()
        part, self._ready = self._ready[:limit], self._ready[limit:]
        return part


def list_inputs(arguments: Sequence[str]) -> list[InputFile]:
    """Return the files of the arguments, in order, each checked to be readable.

    Raise UsageError for a folder without games or a second "-", PgnReadError for a missing or
    unreadable file that was named itself.
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
                files.extend(map(_check_member, _list_folder(argument)))
            else:
                files.append(InputFile(argument, manifest.size_bytes, manifest))
        else:
            files.append(_check_named(argument))
    return files


def list_shared_inputs(
    arguments: Sequence[str],
    list_other: Callable[[str], tuple[bool, list[ListedFile]]] = storage.list_url,
    warn: Callable[[str], None] = lambda _: None,
) -> list[InputFile]:
    """Return the files of the arguments, which may be URLs: files that other machines open too.

    `list_other`: storage.list_url() for URLs for which pyarrow has no file system. `warn` is called
    for each folder at a URL with files that are not read. Raises errors as
    list_inputs(), and UsageError for pipes, lossless tables, and Scid databases at URLs.
    """
    files: list[InputFile] = []
    for argument in arguments:
        path = storage.located(argument)
        if decompress.scheme_of(path) is None:
            files += list_inputs([argument if decompress.scheme_of(argument) is None else path])
        else:
            list_files = storage.list_url if storage.can_open(path) else list_other
            files += _files_of_url(path, *list_files(path), warn)
    for file in files:
        name = file.path_as_given
        if file.manifest is not None:
            _refuse_tables(name)
        if file.size_bytes is None:
            raise UsageError(f"{name}: is a pipe, or cannot be read; name files that can be read")
        if scid.is_index(name) and decompress.scheme_of(name) is not None:
            raise UsageError(f"{name}: Scid databases are read from disks only; copy its 3 files")
    return files


def _refuse_tables(folder: str) -> NoReturn:
    raise UsageError(
        f"{folder}: is a folder of lossless tables; read them with Spark, as DataFrames: "
        f"spark.read.parquet('{folder}/games')"
    )


def _files_of_url(
    url: str, is_folder: bool, listed: Sequence[ListedFile], warn: Callable[[str], None]
) -> list[InputFile]:
    files = [
        InputFile(file.url, file.size_bytes, stamp=Stamp(0, file.size_bytes, file.changed_ns))
        for file in listed
        if "/." not in file.url.removeprefix(url)
    ]
    if not is_folder:
        return files
    read = [
        file
        for file in files
        if file.path_as_given.lower().endswith(_INPUT_ENDINGS)
        or (storage.can_open(file.path_as_given) and _has_games(file.path_as_given))
    ]
    if any(file.url == f"{url}/{MANIFEST}" for file in listed):
        _refuse_tables(url)
    if not read:
        raise UsageError(f"{url}: no PGN or SGF file in this folder or below it")
    names = {file.path_as_given for file in read}
    unread = _unread_text(url, sorted({file.path_as_given for file in files} - names))
    if unread:
        warn(f"{url}: {unread}")
    return read


def open_shared(path: str) -> Iterator[SourceStream]:
    """Yield the texts of a file at a path or URL, as open_sources() does."""
    with storage.open_file(path) as handle:
        yield from open_texts(RawFile(handle, path, can_seek=True))


def open_sources(file: InputFile) -> Iterator[SourceStream]:
    """Yield the text of a file, or of each PGN or SGF member of a zip or tar.

    A stream can be read until the next one is requested. Raise PgnReadError if the file cannot be
    opened or holds no text; SourceStream.read() raises it at later damage.
    """
    name = file.path_as_given
    handle = _open_handle(name)
    try:
        can_seek = name != STDIN_ARGUMENT and handle.seekable()
        yield from open_texts(RawFile(handle, name, can_seek=can_seek))
    finally:
        if name != STDIN_ARGUMENT:
            handle.close()


def is_plain_text(path: str, head: bytes) -> bool:
    """Return whether a file is text that is not packed, UTF-16 or of Scid, by its first bytes.

    `head`: at least TAR_HEAD_BYTES.
    """
    return not (
        head.startswith((*archives.ZIP_MAGICS, *library_archives.MAGICS))
        or head.startswith((*_UTF16_BOMS, *_UTF16_STARTS))
        or scid.is_index(path)
        or archives.is_tar(head)
        or decompress.sniff_codec(head[: decompress.MAGIC_BYTES], path)
    )


def _check_named(path: str) -> InputFile:
    """Check a file that was named itself; raise UsageError for a format that is not read."""
    if scid.is_index(path):
        file = _check_file(path)
        scid.require_companions(path)
        return file
    head = _head_of(path)
    advice = advice_on(path, head)
    if advice is not None:
        raise UsageError(f"{path}: {advice}")
    if head is not None and head.startswith(library_archives.MAGICS):
        library_archives.require_library(path)
    return _check_file(path)


def _head_of(path: str) -> bytes | None:
    """Return the first bytes of a file; None if it cannot be read, or only once, as a pipe."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as handle:
                return handle.read(FORMAT_BYTES)
    except OSError:
        pass
    return None


def _check_file(path: str) -> InputFile:
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            with open(path, "rb", buffering=0):
                return InputFile(path, status.st_size, stamp=Stamp.of(path))
    except (OSError, ValueError) as cause:
        raise decompress.cannot_open(path, cause) from cause
    # Opening a named pipe or the /dev/fd/63 of a shell's <(...) here would lose its text.
    if not os.access(path, os.R_OK):
        raise PgnReadError(f"{path}: permission denied; check its permissions")
    return InputFile(path, None)


def _check_member(path: str) -> InputFile:
    """Check a file of a folder; if it cannot be opened, fail only when it is read."""
    try:
        return _check_file(path)
    except PgnReadError:
        return InputFile(path, None)


def _list_folder(folder: str) -> list[str]:
    """Return the files of a folder with games; raise UsageError if there is none."""
    paths, unread = _walk(folder)
    if not paths:
        raise UsageError(
            f"{folder}: no PGN or SGF file in this folder or below it"
            + "".join(f"; {text}" for text in [_unread_text(folder, unread)] if text)
        )
    return paths


def _walk(folder: str) -> tuple[list[str], list[str]]:
    """Return the visible files of a folder, sorted: those with games by name or content; others."""

    def raise_unreadable(cause: OSError) -> None:
        raise decompress.cannot_open(str(cause.filename), cause) from cause

    paths: list[str] = []
    for parent, folder_names, file_names in os.walk(folder, onerror=raise_unreadable):
        histories = {f"{name}{HISTORY_SUFFIX}" for name in file_names}
        folder_names[:] = [
            name for name in folder_names if not name.startswith(".") and name not in histories
        ]
        paths += [os.path.join(parent, name) for name in file_names if not name.startswith(".")]
    read = {path for path in paths if path.lower().endswith(_INPUT_ENDINGS) or _has_games(path)}
    beside = {other for path in filter(scid.is_index, read) for other in scid.companions(path)}
    return sorted(read), sorted(set(paths) - read - beside)


def _has_games(path: str) -> bool:
    """Return whether a file of any name begins as PGN or SGF; False if it cannot be read."""
    try:
        # A pipe would block.
        is_file = decompress.scheme_of(path) is not None or os.path.isfile(path)
        for text in open_shared(path) if is_file else ():
            return begins_game(text.read(FORMAT_BYTES))
    except (PgnReadError, OSError):
        pass
    return False


def unread_messages(arguments: Sequence[str], used: Sequence[str] = ()) -> Iterator[str]:
    """Yield a message for each folder of the arguments with files that are not read.

    `used`: files that the command uses for something else.
    """
    known = {os.path.realpath(path) for path in used}
    for folder in arguments:
        if folder != STDIN_ARGUMENT and os.path.isdir(folder) and manifest_of(folder) is None:
            unread = [path for path in _walk(folder)[1] if os.path.realpath(path) not in known]
            text = _unread_text(folder, unread)
            if text:
                yield f"{folder}: {text}"


def _unread_text(folder: str, paths: Sequence[str]) -> str:
    """Return which files of a folder have no games, with what to do about them; "" for none."""
    formats = {path: advice_on(path, _head_of(path)) for path in paths}
    ordered = sorted(paths, key=lambda path: formats[path] is None)
    names = [os.path.relpath(path, folder) for path in ordered[:_UNREAD_SHOWN]]
    if len(paths) > len(names):
        names.append(f"and {len(paths) - len(names):,} more")
    advice = {text: path for path, text in reversed(formats.items()) if text is not None}
    texts = [f"{os.path.relpath(path, folder)} is {text}" for text, path in advice.items()]
    return "; ".join([f"not read, since not PGN or SGF: {', '.join(names)}", *texts] * bool(paths))


def _open_handle(name: str) -> BinaryIO | FileIO:
    return sys.stdin.buffer if name == STDIN_ARGUMENT else decompress.open_unbuffered(name)


def open_texts(raw: RawFile) -> Iterator[SourceStream]:
    """Yield the texts of an open file, as open_sources() does."""
    if scid.is_index(raw.name):
        yield SourceStream(raw.name, scid.ScidSource(raw), raw.position, transcoded_from=None)
        return
    head = decompress.peek(raw, decompress.MAGIC_BYTES)
    if head.startswith(archives.ZIP_MAGICS):
        members = archives.open_zip_members(raw, _TEXT_ENDINGS)
    elif head.startswith(library_archives.MAGICS):
        members = library_archives.open_members(raw, head, _TEXT_ENDINGS)
    else:
        if raw.name.lower().endswith(".zip"):
            decompress.require_readable_head(head, raw.name, archives.ZIP_MAGICS)
        head, source = decompress.decompressed(raw.name, raw, archives.TAR_HEAD_BYTES)
        if not archives.is_tar(head):
            advice = advice_on(raw.name, head)
            if advice is not None:
                raise PgnReadError(f"{raw.name}: {advice}")
            yield _as_text(raw.name, source, head, raw)
            return
        members = archives.open_tar_members(source, raw.name, _TEXT_ENDINGS)
    for name, member in members:
        head, source = decompress.decompressed(name, member)
        yield _as_text(name, source, head, raw)


def _as_text(name: str, source: ByteSource, head: bytes, raw: RawFile) -> SourceStream:
    """Return the text of a file or member as UTF-8; `head`: its first bytes."""
    encoding = _UTF16_BOMS.get(head[:2])
    if encoding:
        decompress.read_up_to(source.read_some, 2)  # the byte order mark
    encoding = encoding or _UTF16_STARTS.get(head[:4])
    if encoding:
        source = _Utf8FromUtf16(source, encoding)
    return SourceStream(name, source, raw.position, transcoded_from=encoding)
