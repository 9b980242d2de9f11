"""Two runs that write one output, what a killed run left, and what is a device."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from ocgdedup.commands.outputs import is_special, new_file, new_files, new_folder
from ocgdedup.errors import UsageError


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_second_run_is_refused_while_a_file_is_written() -> None:
    with new_file("x.pgn") as first:
        first.write(b"first")
        with pytest.raises(UsageError, match=r"x\.pgn: another run is writing it"):
            new_file("x.pgn").__enter__()
        first.write(b" whole")
    assert Path("x.pgn").read_bytes() == b"first whole"
    assert os.listdir() == ["x.pgn"]


def test_a_second_run_is_refused_until_all_files_have_their_names() -> None:
    with new_files() as files:
        with files.opened("x.pgn") as first:
            first.write(b"first")
        with pytest.raises(UsageError, match="another run"), new_file("x.pgn"):
            pass
        (unpublished,) = Path().glob(".x.pgn.*.tmp")
        assert unpublished.read_bytes() == b"first"
    assert Path("x.pgn").read_bytes() == b"first"
    with new_file("x.pgn") as second:
        second.write(b"2")
    assert Path("x.pgn").read_bytes() == b"2"


@pytest.mark.parametrize("exists", [True, False])
def test_a_second_run_is_refused_while_a_folder_is_written(exists: bool) -> None:
    if exists:
        Path("out").mkdir()
    with new_folder("out", ["a"]) as opened, opened("a") as first:
        first.write(b"first")
        with (
            pytest.raises(UsageError, match=r"out(/a)?: another run is writing it"),
            new_folder("out", ["a"]) as again,
        ):
            again("a").__enter__()
    assert Path("out/a").read_bytes() == b"first"
    assert os.listdir() == ["out"]
    assert os.listdir("out") == ["a"]


def test_a_plain_file_in_memory_is_no_device() -> None:
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as plain:
        assert not is_special(plain.name)
    assert not is_special("/dev/shm/there-is-none")


@pytest.mark.parametrize(
    "path", ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1"]
)
def test_devices_and_streams_are_special(path: str) -> None:
    assert is_special(path)
