"""Temporary files: their names, locks and permissions, and what is removed of a killed run."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.errors import UsageError
from ocgdedup.files.records import is_temporary_name, remove_leftovers, was_left_published
from ocgdedup.files.temporary import TemporaryFile, temporary_name

ROOT = os.getcwd()  # where Python finds the package, also from a source tree
NAME = re.compile(r"\.x\.pgn\.ocgdedup-[0-9a-f]{16}\.tmp")


pytestmark = pytest.mark.usefixtures("work_folder")


def records(folder: Path) -> list[str]:
    place = folder.parent / "state" / "ocgdedup" / "temporary"
    return os.listdir(place) if place.exists() else []


def die_while(code: str) -> None:
    """Run Python code in a process that then ends itself as by kill -9."""
    code = (
        "import os, signal\n"
        "from ocgdedup.files.temporary import TemporaryFile, TemporaryFolder\n"
        f"{code}\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    place = os.getcwd()
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.chdir({place!r})\n{code}"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr


def test_the_name(work_folder: Path) -> None:
    file = TemporaryFile("x.pgn")
    (name,) = os.listdir()
    assert NAME.fullmatch(name)
    assert len(records(work_folder)) == 1
    file.publish()
    file.release()
    assert os.listdir() == ["x.pgn"]
    assert records(work_folder) == []


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1))
def test_names_are_temporary_and_fit(output: str) -> None:
    name = temporary_name(output)
    assert is_temporary_name(name)
    assert len(os.fsencode(name)) <= 255
    assert not is_temporary_name(output) or output.startswith(".")


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "\udcff" * 255, "a\nb", " ", "-", "x.tmp"])
def test_odd_names(work_folder: Path, name: str) -> None:
    file = TemporaryFile(os.path.join(work_folder, name))
    with file.open() as handle:
        handle.write(b"text")
    file.publish()
    file.release()
    assert os.listdir() == [name]
    assert Path(name).read_bytes() == b"text"


def test_the_permissions_of_the_old_file_are_kept() -> None:
    Path("x.pgn").write_text("old")
    os.chmod("x.pgn", 0o600)
    file = TemporaryFile("x.pgn")
    assert stat.S_IMODE(os.stat(file.name).st_mode) == 0o600
    file.publish()
    file.release()
    assert stat.S_IMODE(os.stat("x.pgn").st_mode) == 0o600


def test_a_new_file_has_the_usual_permissions() -> None:
    before = os.umask(0o027)
    try:
        file = TemporaryFile("x.pgn")
        file.publish()
        file.release()
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("x.pgn").st_mode) == 0o640


def test_a_link_is_written_behind(work_folder: Path) -> None:
    (work_folder / "elsewhere").mkdir()
    Path("x.pgn").symlink_to("elsewhere/real.pgn")
    file = TemporaryFile("x.pgn")
    assert os.path.dirname(file.name) == os.path.realpath("elsewhere")
    file.publish()
    file.release()
    assert Path("x.pgn").is_symlink()


def test_what_a_killed_run_left_is_removed(work_folder: Path) -> None:
    die_while("file = TemporaryFile('x.pgn')")
    assert NAME.fullmatch(os.listdir()[0])
    remove_leftovers(str(work_folder))
    assert os.listdir() == []
    assert records(work_folder) == []


def test_the_next_file_of_the_same_name_removes_it_too(work_folder: Path) -> None:
    die_while("file = TemporaryFile('x.pgn')")
    file = TemporaryFile("x.pgn")
    assert os.listdir() == [os.path.basename(file.name)]
    file.discard()
    assert os.listdir() == []


def test_it_is_found_when_the_folder_was_renamed(work_folder: Path) -> None:
    die_while("file = TemporaryFile('x.pgn')")
    renamed = work_folder.with_name("renamed")
    work_folder.rename(renamed)
    remove_leftovers(str(renamed))
    assert list(renamed.iterdir()) == []


def test_a_folder_that_a_killed_run_left(work_folder: Path) -> None:
    die_while(
        "folder = TemporaryFolder('out', ['a', 'b'])\n"
        "with folder.opened('a') as handle: handle.write(b'half')"
    )
    assert len(os.listdir()) == 1
    remove_leftovers(str(work_folder))
    assert os.listdir() == []


def test_a_file_of_the_users_in_such_a_folder_is_kept(work_folder: Path) -> None:
    die_while("folder = TemporaryFolder('out', ['a'])")
    (left,) = work_folder.iterdir()
    (left / "mine").write_text("dear")
    remove_leftovers(str(work_folder))
    assert (left / "mine").read_text() == "dear"


def test_what_is_in_use_is_left(work_folder: Path) -> None:
    file = TemporaryFile("x.pgn")
    remove_leftovers(str(work_folder))
    assert os.path.exists(file.name)
    file.discard()


def test_files_without_a_record_are_left(work_folder: Path) -> None:
    names = [".x.pgn.ocgdedup-0123456789abcdef.tmp", "x.pgn.partial", "x.pgn.partial.lock"]
    for name in names:
        Path(name).write_text("mine")
    file = TemporaryFile("x.pgn")
    file.publish()
    file.release()
    remove_leftovers(str(work_folder))
    assert set(os.listdir()) == {"x.pgn", *names}


def test_a_link_in_place_of_the_file_is_left(work_folder: Path) -> None:
    die_while("file = TemporaryFile('x.pgn')")
    (left,) = work_folder.iterdir()
    left.unlink()
    Path("mine").write_text("dear")
    left.symlink_to("mine")
    remove_leftovers(str(work_folder))
    assert Path("mine").read_text() == "dear"


def test_a_second_run_is_refused() -> None:
    file = TemporaryFile("x.pgn")
    with pytest.raises(UsageError, match=r"x\.pgn: another run is writing it"):
        TemporaryFile("x.pgn")
    file.discard()
    TemporaryFile("x.pgn").discard()
    assert os.listdir() == []


def test_no_file_is_replaced_unless_that_is_meant() -> None:
    file = TemporaryFile("x.pgn")
    Path("x.pgn").write_text("mine")
    with pytest.raises(FileExistsError):
        file.publish(replace=False)
    file.discard()
    assert Path("x.pgn").read_text() == "mine"
    assert os.listdir() == ["x.pgn"]


def test_what_a_killed_run_published(work_folder: Path) -> None:
    die_while("file = TemporaryFile('x.pgn'); file.publish(is_noted=True)")
    assert was_left_published("x.pgn")
    remove_leftovers(str(work_folder))
    assert was_left_published("x.pgn")
    Path("x.pgn").write_text("changed")
    assert not was_left_published("x.pgn")
    remove_leftovers(str(work_folder))
    assert records(work_folder) == []


def test_without_a_place_for_records(work_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    monkeypatch.setenv("TMPDIR", "/proc/none")
    file = TemporaryFile("x.pgn")
    file.publish()
    file.release()
    assert os.listdir() == ["x.pgn"]


def test_records_go_to_the_temporary_folder_of_the_user_instead(
    work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    monkeypatch.setenv("TMPDIR", str(work_folder.parent))
    place = work_folder.parent / f"ocgdedup-{os.geteuid()}"
    file = TemporaryFile("x.pgn")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert len(list(place.iterdir())) == 1
    file.discard()


def test_a_file_that_cannot_be_removed_is_left_to_the_next_run(
    work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The destructor tries again, in silence; the record stays."""
    file = TemporaryFile("x.pgn")
    with monkeypatch.context() as patch:
        patch.setattr(os, "remove", lambda name: os.rmdir(f"{name}/missing"))
        with pytest.raises(OSError, match="missing"):
            file.discard()
        file.__del__()
    assert any(map(is_temporary_name, os.listdir(work_folder)))
    file.leave()
    remove_leftovers(str(work_folder))
    assert os.listdir(work_folder) == []
