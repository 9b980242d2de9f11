"""What operating systems do not have in common: locks, flags and owners of files, memory, forks.

No other module names what only some systems have. Where a system lacks something that is only a
precaution (the sync of a folder, the owner of a file), nothing is done.
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

# Of files of ours: never through a symbolic link, and not for the programs that this one starts.
OWN_FILE = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", getattr(os, "O_NOINHERIT", 0))
    | getattr(os, "O_BINARY", 0)
)
_UNINTERRUPTED: set[CodeType] = set()
_LATER_S = 0.01
_ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
CAN_FORK = sys.platform == "linux"  # libraries of macOS do not survive it
_MOVES_OPEN_FILES = sys.platform != "win32"
# Windows locks bytes for reading too; no file of ours is that long.
_LOCKED_BYTE = 1 << 43
_USUAL_MEMORY_BYTES = 8 << 30  # where the system does not say
_seeking = threading.Lock()


def uninterrupted(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Mark a function that ends in a moment: signals wait for that, as it leaves no work half done.

    Only ending_signals() knows the mark.
    """
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

    Ignored signals stay ignored: shells ignore SIGINT for the background jobs of scripts, nohup
    ignores SIGHUP. Handlers belong to the main thread, others get no signals.
    """
    numbers = _ENDING_SIGNALS if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.getsignal(number) for number in numbers}
    came: list[int] = []

    def handle_or_wait(number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code in _UNINTERRUPTED:
                repeat_signal(number)
                return
            frame = frame.f_back
        came.append(number)
        handle(number)

    taken = [number for number in numbers if handlers[number] is not signal.SIG_IGN]
    try:
        for number in taken:
            signal.signal(number, handle_or_wait)
        yield
    finally:
        for number in taken:
            if not came or handlers[number] is not signal.SIG_DFL:
                signal.signal(number, handlers[number])
            else:
                # The process is ending, and another signal is not to end it before. Python resets
                # handlers at its end, but not what is ignored.
                atexit.register(signal.signal, number, signal.SIG_IGN)


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed; raise BlockingIOError if another one has locked it."""
    if _HAS_FLOCK:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt  # Windows only

    with _seeking:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)


def read_at(descriptor: int, size: int, start: int) -> bytes:
    """Read up to `size` bytes from a place of a file; its position stays. Threads may do so."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, start)
    with _at(descriptor, start):
        return os.read(descriptor, size)


def write_at(descriptor: int, data: bytes, start: int) -> int:
    """Write bytes at a place of a file, in one call; return how many were written."""
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, data, start)
    with _at(descriptor, start):
        return os.write(descriptor, data)


@contextlib.contextmanager
def _at(descriptor: int, start: int):  # type: ignore[no-untyped-def]
    with _seeking:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, start, os.SEEK_SET)
        try:
            yield
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)


def close_before_move(descriptor: int) -> int | None:
    """Close a file where open ones cannot get another name; return it if it is still open."""
    if _MOVES_OPEN_FILES:
        return descriptor
    os.close(descriptor)
    return None


def remove_locked(path: str, descriptor: int) -> None:
    """Remove and close a file; no other run can lock it in between, where the system allows that.

    A file that is gone already, or that cannot be removed, is only closed.
    """
    still_open = close_before_move(descriptor)
    with contextlib.suppress(OSError):
        os.remove(path)
    if still_open is not None:
        os.close(still_open)


def sync_folder(path: str) -> None:
    """Bring the names in a folder to the disk."""
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
    """Return the number of the user whom the program works for, 0 where users have none."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def is_private(status: os.stat_result) -> bool:
    """Tell if this user alone may write to a file or folder, as far as its status says."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def physical_memory_bytes() -> int:
    """Return how much memory the machine has."""
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _USUAL_MEMORY_BYTES


def processors() -> int:
    """Return on how many processors this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
