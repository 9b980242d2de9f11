"""Files at paths and URLs: on this machine, in S3, Google Cloud Storage, Azure or HDFS.

Owns which file system has a URL, and reads, lists, writes and deletes its files through pyarrow;
the same functions serve local paths. Must not know the content of a file.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast
from urllib.parse import unquote

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.decompress import DOWNLOADED, open_unbuffered, refuse_address, scheme_of

if TYPE_CHECKING:
    import pyarrow.fs

# What pyarrow calls the schemes of URLs.
_SCHEMES = {
    "s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "gcs": "gs", "abfs": "abfs",
    "abfss": "abfss", "hdfs": "hdfs", "viewfs": "viewfs",
}  # fmt: skip
_OF_HADOOP = ("hdfs", "viewfs")
_READ_BYTES = 1 << 22  # at least, with each request
_TIMEOUT_S = 60.0  # by default, S3 has 1 s to connect and 3 s to answer, Google's store 15 min
_S3_ATTEMPTS = 5
_REMEDY = (
    "check the address, and that this machine and all workers have its credentials and endpoint "
    "in their environment"
)


class ListedFile(NamedTuple):
    """A file at a URL."""

    url: str
    size_bytes: int
    changed_ns: int


def located(path: str) -> str:
    """Return the absolute path of a path or file: URL, or another URL as it is.

    Raises UsageError for the address of a web page.
    """
    scheme = scheme_of(path)
    if scheme is None:
        return os.path.abspath(path)
    if scheme in DOWNLOADED:
        refuse_address(path)
    if scheme != "file":
        return path.rstrip("/")
    rest = path.partition(":")[2]
    if rest.startswith("//"):
        machine, _, rest = rest[2:].partition("/")
        if machine not in ("", "localhost"):
            raise UsageError(f"{path}: names the machine {machine!r}; write file:///{rest}")
    return os.path.abspath("/" + unquote(rest.lstrip("/")))


def can_open(path: str) -> bool:
    """Return whether open_file() opens a path or URL: pyarrow may have no file system for it."""
    if scheme_of(path) is None:
        return True
    scheme, authority = _scheme_and_authority(path)
    name = _SCHEMES.get(scheme)
    return _has_libhdfs(scheme, authority) if name in _OF_HADOOP else name is not None


@cache
def _has_libhdfs(scheme: str, authority: str) -> bool:
    try:
        _file_system(scheme, authority)
    except UsageError:
        return False
    return True


def open_file(path: str) -> BinaryIO:
    """Open a file for reading; OSError without it, PgnReadError for a local one.

    An error of a store has an errno, unlike damage in a file.
    """
    if scheme_of(path) is None:
        return cast(BinaryIO, open_unbuffered(path))
    system, key = _resolved(path)
    with _errors(path):
        return cast(BinaryIO, io.BufferedReader(_RemoteFile(path, system, key), _READ_BYTES))


class _RemoteFile(io.RawIOBase):
    """A file at a URL, for a buffer around it."""

    def __init__(self, url: str, system: pyarrow.fs.FileSystem, key: str) -> None:
        self._url = url
        self._handle = system.open_input_file(key)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        with _errors(self._url):
            return int(self._handle.readinto(buffer))

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return int(self._handle.seek(offset, whence))

    def tell(self) -> int:
        return int(self._handle.tell())

    def close(self) -> None:
        if not self.closed:
            self._handle.close()
        super().close()


def list_url(url: str) -> tuple[bool, list[ListedFile]]:
    """Return whether a URL names a folder, and its files or those below it, sorted by URL.

    Raises PgnReadError without such a file or folder, and if the store cannot be reached.
    """
    from pyarrow.fs import FileSelector, FileType  # 30 ms

    system, key = _resolved(url)
    try:
        with _errors(url):
            found = system.get_file_info(key)
            is_folder = found.type == FileType.Directory
            below = (
                system.get_file_info(FileSelector(key, recursive=True)) if is_folder else [found]
            )
    except OSError as error:
        raise PgnReadError(f"{url}: cannot be read: {error.strerror}; {_REMEDY}") from error
    files = [
        ListedFile(url + one.path.removeprefix(key), one.size, one.mtime_ns or 0)
        for one in below
        if one.type == FileType.File
    ]
    if not is_folder and not files:
        raise PgnReadError(
            f"{url}: there is no such file or folder; name files and folders without patterns "
            "(*), and check the credentials if it exists"
        )
    return is_folder, sorted(files)


# --- outputs -------------------------------------------------------------------------------------


@contextlib.contextmanager
def new_file(path: str, attempt: int = 0) -> Iterator[BinaryIO]:
    """Open a file, at a path or URL, that gets its name when it is complete.

    `attempt`: a number of its own for each process that writes the file.
    """
    temporary = f"{path}.{attempt}.tmp"
    try:
        if scheme_of(path) is None:
            with open(temporary, "wb") as handle:
                yield handle
                handle.flush()
                os.fsync(handle.fileno())
            os.replace(temporary, path)
        else:
            yield from _new_remote_file(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            delete_file(temporary)
        raise


def _new_remote_file(temporary: str, url: str) -> Iterator[BinaryIO]:
    # A store may complete a file that is closed after an error: so only the rename publishes it.
    system, key = _resolved(temporary)
    with _errors(url):
        stream = system.open_output_stream(key)
    with stream:
        yield stream
    target = _resolved(url)[1]
    with _errors(url):
        if system.type_name == "hdfs":  # its rename replaces no file
            with contextlib.suppress(FileNotFoundError):
                system.delete_file(target)
        system.move(key, target)


def check_output(folder: str) -> None:
    """Make a folder for files; raise UsageError if its store cannot be reached.

    Stores make folders with the files in them.
    """
    if scheme_of(folder) is None:
        os.makedirs(folder, exist_ok=True)
        return
    try:
        names_in(folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}; {_REMEDY}") from error


def names_in(folder: str) -> list[str]:
    """Return the names in a folder; none if it does not exist."""
    if scheme_of(folder) is None:
        return os.listdir(folder) if os.path.isdir(folder) else []
    from pyarrow.fs import FileSelector  # 30 ms

    system, key = _resolved(folder)
    with _errors(folder):
        found = system.get_file_info(FileSelector(key, allow_not_found=True))
    return [one.base_name for one in found]


def delete_file(path: str) -> None:
    if scheme_of(path) is None:
        os.unlink(path)
        return
    system, key = _resolved(path)
    with _errors(path):
        system.delete_file(key)


def delete_folder(path: str) -> None:
    """Delete a folder with all files in it, if it exists."""
    if scheme_of(path) is None:
        shutil.rmtree(path, ignore_errors=True)
        return
    system, key = _resolved(path)
    with contextlib.suppress(FileNotFoundError), _errors(path):
        system.delete_dir(key)


# --- file systems --------------------------------------------------------------------------------


def _resolved(url: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """Return the file system of a URL, and the file's path in it."""
    scheme, authority = _scheme_and_authority(url)
    system, root = _file_system(scheme, authority)
    key = url.partition(":")[2].removeprefix(f"//{authority}").lstrip("/")
    return system, f"{root.rstrip('/')}/{key}" if key else root


def _scheme_and_authority(url: str) -> tuple[str, str]:
    scheme, _, rest = url.partition(":")
    return scheme.lower(), rest[2:].partition("/")[0] if rest.startswith("//") else ""


@cache
def _file_system(scheme: str, authority: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """Return a file system, and the path of its bucket, container or root in it."""
    url = f"{scheme}://{authority}/"
    try:
        from pyarrow import ArrowException  # 150 ms
        from pyarrow.fs import FileSystem  # 180 ms
    except ImportError as error:
        raise UsageError(
            f"{url}: URLs need pyarrow, which is not installed; install it with "
            "\"pip install 'ocgdedup[spark]'\""
        ) from error
    name = _SCHEMES.get(scheme)
    if name is None:
        raise UsageError(
            f"{url}: pyarrow has no file system for {scheme}://; it has s3, gs, abfss and hdfs"
        )
    if name == "s3" and "@" in authority:  # names of inputs are written into the results
        raise UsageError(f"{scheme}://: the address has a password; name it in the environment")
    try:
        limit = f"?retry_limit_seconds={_TIMEOUT_S:.0f}" if name == "gs" else ""
        system, root = FileSystem.from_uri(f"{name}://{authority}/{limit}")
        if name == "s3":
            system = _patient_s3(system.region)
    except (OSError, ValueError, ArrowException) as error:
        reason = str(error).splitlines()[0]
        remedy = _REMEDY
        if name in _OF_HADOOP:
            remedy = (
                "install Hadoop's libhdfs on this machine and all workers, and set HADOOP_HOME, "
                "JAVA_HOME and CLASSPATH (of 'hadoop classpath --glob')"
            )
        raise UsageError(f"{url}: cannot be used: {reason}; {remedy}") from error
    return system, root


def _patient_s3(region: str) -> pyarrow.fs.FileSystem:
    from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem  # 12 ms

    endpoints = map(os.environ.get, ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"))
    return S3FileSystem(
        region=region or None,
        endpoint_override=next(filter(None, endpoints), None),
        connect_timeout=_TIMEOUT_S,
        request_timeout=_TIMEOUT_S,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=_S3_ATTEMPTS),
    )


@contextlib.contextmanager
def _errors(url: str) -> Iterator[None]:
    """Give each error of a store an errno and the URL."""
    from pyarrow import ArrowException  # 150 ms

    try:
        yield
    except (OSError, ValueError, ArrowException) as error:
        number = getattr(error, "errno", None) or errno.EIO
        reason = getattr(error, "strerror", None) or str(error)
        raise OSError(number, reason, url) from error
