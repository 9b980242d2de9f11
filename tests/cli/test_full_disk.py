"""export when files cannot grow: status 2, one line, and no incomplete file."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import command_line

FORMS = ("x.pgn", "x.pgn.gz", "x.pgn.zst", "x.csv", "x.jsonl", "x.parquet")


def export_with_limit(most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run export with a limit on the size of files, beyond which writing fails."""
    return subprocess.run(
        command_line("export", "a.db3", "-q", *arguments),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("most_bytes", [0, 1000, 4096])
@pytest.mark.parametrize("name", FORMS)
def test_no_file_is_published_in_part(judged: str, name: str, most_bytes: int) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    before = set(os.listdir())
    done = export_with_limit(most_bytes, "-o", name, "--all")
    if done.returncode == 0:  # it was small enough
        assert 0 < Path(name).stat().st_size <= most_bytes
        return
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{name}: cannot be written: File too large" in done.stderr
    assert set(os.listdir()) <= {*before, ".local"}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_no_folder_of_tables_in_part(judged: str, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    done = export_with_limit(3000, "-o", "tables", "--format", form, "--all")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not Path("tables").exists()


def test_no_part_of_many_files(judged: str) -> None:
    done = export_with_limit(2000, "-o", "x.pgn", "--split", "15", "--all")
    assert done.returncode == 2
    assert not list(Path().glob("x-*.pgn"))
