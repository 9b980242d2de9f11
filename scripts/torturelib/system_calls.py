"""Count the calls by which the program changes files, and kill it, or fail one, at the n-th.

call_shim.c, compiled when first needed, is preloaded into the program: no rights are needed.
"""

from __future__ import annotations

import errno
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torturelib.model import Case, Outcome, TortureError
from torturelib.running import Words, run

SOURCE = Path(__file__).with_name("call_shim.c")
WRITING_CALLS = (
    "open",
    "write",
    "fsync",
    "ftruncate",
    "rename",
    "link",
    "unlink",
    "rmdir",
    "mkdir",
)
ALL_CALLS = (*WRITING_CALLS, "openread", "read", "chmod")
PAGE = struct.Struct("=QQ24s4096s")


@dataclass(frozen=True)
class Hit:
    """The call that was hit, if any, and how many calls there were."""

    calls: int
    number: int
    call: str
    path: str

    def __str__(self) -> str:
        where = Path(self.path).name
        return f"{self.call} of {where} (call {self.number})" if self.number else "no call"


def shim(case: Case) -> Path:
    """Return the compiled shim; raise TortureError where there is no C compiler."""
    built = case.kept / "call_shim.so"
    if built.exists():
        return built
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise TortureError("no C compiler (gcc or cc): kills and faults cannot be injected")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", f"{built}.new", SOURCE, "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TortureError(f"{SOURCE.name} does not compile: {done.stderr}")
    Path(f"{built}.new").rename(built)
    return built


def run_hit(
    case: Case,
    *arguments: Words,
    at: int,
    number: int = 0,
    calls: Sequence[str] = WRITING_CALLS,
    on: bool = False,
    torn: bool = False,
) -> tuple[Outcome, Hit]:
    """Run a command that is killed at its n-th call, or whose call fails with that error number.

    at=0 only counts.
    """
    counter = case.folder.parent / "counter"
    counter.write_bytes(bytes(PAGE.size))
    outcome = run(
        case,
        *arguments,
        environment={
            "LD_PRELOAD": str(shim(case)),
            "TORTURE_COUNTER": str(counter),
            "TORTURE_FOLDER": f"{case.folder}/",
            "TORTURE_CALLS": f",{','.join(calls)},",
            "TORTURE_AT": str(at),
            "TORTURE_ERRNO": str(number),
            "TORTURE_ON": str(int(on)),
            "TORTURE_TORN": str(int(torn)),
        },
    )
    count, hit, call, path = PAGE.unpack(counter.read_bytes())
    texts = [text.split(b"\0")[0].decode("utf-8", "replace") for text in (call, path)]
    return outcome, Hit(count, hit, *texts)


ERRORS = {
    "ENOSPC": (errno.ENOSPC, ("open", "write", "ftruncate", "fsync", "mkdir", "link", "rename")),
    "EIO": (errno.EIO, ALL_CALLS),
    "EMFILE": (errno.EMFILE, ("open", "openread")),
    "ENOMEM": (errno.ENOMEM, ("open", "openread", "mkdir", "rename", "read")),
    "EACCES": (errno.EACCES, ("open", "openread", "rename", "unlink", "mkdir", "link")),
}
