"""A whole run where the system has neither POSIX locks nor the calls that Windows lacks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ocgdedup.files import portable
from tests.support.databases import dump, is_sound
from tests.support.pgn_text import RUY_LOPEZ, game

# What Windows has instead of flock(); it locks bytes, against other programs too.
_LACKING = """
import importlib, os, sys, types

held = {}

def locking(descriptor, mode, count):
    status = os.fstat(descriptor)
    place = status.st_ino, os.lseek(descriptor, 0, os.SEEK_CUR), count
    if held.setdefault(place, descriptor) != descriptor:
        raise PermissionError(13, "Permission denied")

def close(descriptor, close=os.close):
    for place, holder in list(held.items()):
        if holder == descriptor:
            del held[place]
    close(descriptor)

sys.modules["fcntl"] = None
sys.modules["termios"] = None
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
os.close = close
for name in (
    "O_NOFOLLOW O_CLOEXEC O_DIRECTORY fork pread pwrite fchmod fchown geteuid getegid sysconf "
    "sched_getaffinity"
).split():
    delattr(os, name)
from ocgdedup.files import portable
portable._MOVES_OPEN_FILES = False
from ocgdedup.cli.main import run as main
"""


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _LACKING + code], capture_output=True, text=True, check=False
    )


def test_a_run_without_posix(tmp_path: Path) -> None:
    """The same files come out, and nothing temporary stays."""
    source = tmp_path / "in.pgn"
    source.write_text(game(f"{RUY_LOPEZ} 1-0") * 2 + game("1. e4 e5 *", White="Tal, Mikhail"))
    command = ["run", str(source), "-o"]
    (tmp_path / "posix").mkdir()
    expected = tmp_path / "posix" / "out.pgn"
    subprocess.run([sys.executable, "-m", "ocgdedup", *command, str(expected), "-q"], check=True)
    output = tmp_path / "out.pgn"
    outcome = _run(f"sys.exit(main({[*command, str(output), '-q']!r}))")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert output.read_bytes() == expected.read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir() if each.name != "posix") == sorted(
        ["in.pgn", *(each.name for each in expected.parent.iterdir())]
    )
    assert is_sound(tmp_path / "out.db3")
    games = dump(expected.with_suffix(".db3"))["Games"]
    assert dump(tmp_path / "out.db3")["Games"] == games


def test_locks_without_posix(tmp_path: Path) -> None:
    """One file is locked once, its position stays, and closing it ends the lock."""
    path = tmp_path / "file"
    path.write_bytes(b"abcdef")
    code = f"""
first, second = (os.open({str(path)!r}, os.O_RDWR) for _ in range(2))
os.lseek(first, 2, os.SEEK_SET)
portable.lock(first)
try:
    portable.lock(second)
except BlockingIOError:
    print("locked")
os.close(first)
portable.lock(second)
print(portable.read_at(second, 2, 3), portable.write_at(second, b"X", 1), os.read(second, 9))
"""
    outcome = _run(code)
    assert (outcome.stdout, outcome.stderr) == ("locked\nb'de' 1 b'aXcdef'\n", "")


def test_no_other_module_names_what_only_posix_has() -> None:
    names = re.compile(
        r"\b(fcntl|os\.(O_NOFOLLOW|O_CLOEXEC|O_DIRECTORY|fork|pread|pwrite|fchmod|fchown|geteuid"
        r"|getegid|sysconf|sched_getaffinity))\b"
    )
    package = Path(portable.__file__).parents[1]
    naming = {path.name for path in package.rglob("*.py") if names.search(path.read_text("utf-8"))}
    assert naming == {"portable.py"}


@pytest.mark.parametrize("name", ["__builtin_", "__attribute__", "__declspec", "__thread"])
def test_no_other_kernel_names_what_only_one_compiler_has(name: str) -> None:
    folder = Path(__file__).parents[3] / "kernels"
    sources = [path for path in folder.glob("*/*") if path.suffix in (".h", ".pxd", ".pxi")]
    naming = {path.name for path in sources if name in path.read_text("utf-8")}
    assert naming <= {"compiler.h", "sha256_ni.h"}
