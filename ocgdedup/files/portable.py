"""Differences between operating systems: signals, locks, flags and owners of files, memory, forks.

No other module uses a function that only some systems have. A system that lacks a mere precaution
(the sync of a folder, the owner of a file) goes without it.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import ParamSpec, TypeVar

try:
    import fcntl
except ImportError:  # Windows
    _HAS_FLOCK = False
else:
    _HAS_FLOCK = True

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

# For files that ocgdedup makes: no symbolic links, and not inherited by child processes.
PRIVATE_FLAGS = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", getattr(os, "O_NOINHERIT", 0))
    | getattr(os, "O_BINARY", 0)
)
_UNINTERRUPTED: set[CodeType] = set()
_LATER_S = 0.01
_ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
HISTORY_SUFFIX = "-history"  # of the folder beside a database with what undoes its steps
SEARCH_SUFFIX = "-search"  # of the folder with what the last search of a database left
_MOVES_OPEN_FILES = sys.platform != "win32"
# On Windows a locked byte cannot be read either; ocgdedup writes no file of this size.
_LOCKED_BYTE = 1 << 43
_DEFAULT_MEMORY_BYTES = 8 << 30  # if the system does not tell its memory
_seeking = threading.Lock()


def uninterrupted(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Mark a short function that must not be interrupted: ending_signals() waits for its end."""
    _UNINTERRUPTED.add(function.__code__)
    return function


@uninterrupted
def repeat_signal(number: int) -> None:
    """Send a signal to this process a little later."""

    def send() -> None:
        time.sleep(_LATER_S)
        os.kill(os.getpid(), number)

    _thread.start_new_thread(send, ())  # unlike a Timer, does not wait until the thread runs


@contextlib.contextmanager
def ending_signals(handle: Callable[[int], object]) -> Iterator[None]:
    """Call a function on signals that ask the process to end.

    Ignored signals stay ignored: shells ignore SIGINT for background jobs of scripts, nohup ignores
    SIGHUP. Only the main thread can have handlers; in others this does nothing.
    """
    numbers = _ENDING_SIGNALS if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.getsignal(number) for number in numbers}
    received: list[int] = []

    def handle_or_wait(number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code in _UNINTERRUPTED:
                repeat_signal(number)
                return
            frame = frame.f_back
        received.append(number)
        handle(number)

    handled = [number for number in numbers if handlers[number] is not signal.SIG_IGN]
    try:
        for number in handled:
            signal.signal(number, handle_or_wait)
        yield
    finally:
        for number in handled:
            if not received or handlers[number] is not signal.SIG_DFL:
                signal.signal(number, handlers[number])
            else:
                # The process is ending: ignore more signals. At exit, Python resets handlers, but
                # keeps ignored signals ignored.
                atexit.register(signal.signal, number, signal.SIG_IGN)


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed; raise BlockingIOError if it is locked already."""
    if _HAS_FLOCK:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt  # Windows only

    with _at(descriptor, _LOCKED_BYTE):
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Read up to `size` bytes at an offset; the position of the file stays. Thread-safe."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    with _at(descriptor, offset):
        return os.read(descriptor, size)


def write_at(descriptor: int, data: bytes, offset: int) -> int:
    """Write bytes at an offset in one call; return how many were written."""
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, data, offset)
    with _at(descriptor, offset):
        return os.write(descriptor, data)


@contextlib.contextmanager
def _at(descriptor: int, offset: int):  # type: ignore[no-untyped-def]
    with _seeking:
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, offset, os.SEEK_SET)
        try:
            yield
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)


def close_before_move(descriptor: int) -> int | None:
    """Close a file on systems that cannot rename open files; return it if it is still open."""
    if _MOVES_OPEN_FILES:
        return descriptor
    os.close(descriptor)
    return None


def sync_folder(path: str) -> None:
    """Sync the directory entries of a folder to the disk."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def take_access(descriptor: int, replaced: os.stat_result) -> None:
    """Give a file the owner and permissions of the file that it will replace."""
    if not hasattr(os, "fchmod") or not hasattr(os, "fchown"):
        return
    if (replaced.st_uid, replaced.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, replaced.st_uid, replaced.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(replaced.st_mode))


def user_id() -> int:
    """Return the effective user ID, 0 on systems without IDs."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def is_private(status: os.stat_result) -> bool:
    """Return whether only this user may write to a file or folder, by its mode."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def physical_memory_bytes() -> int:
    """Return the size of the machine's memory."""
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _DEFAULT_MEMORY_BYTES


def processors() -> int:
    """Return the number of processors on which this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
