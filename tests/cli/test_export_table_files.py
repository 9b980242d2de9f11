"""export --format: where tables are written; all of them or none, and nothing is lost."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import pytest

from ocgdedup.tables.columns import TABLES
from tests.support.command_line import Command
from tests.support.tables import export, read

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree


def test_folder_is_made(command: Command, odd: str, form: str) -> None:
    assert command("export", odd, "--format", form, "-o", "out/") == (
        0,
        "wrote 6 rows of games, 0 rows of players, 4 rows of player_names, 0 rows of aliases to "
        "out/\n",
        "",
    )  # fmt: skip
    assert set(os.listdir("out")) == {f"{table.name}.{form}" for table in TABLES}
    assert set(os.listdir()) == {"a.db3", "in.pgn", "out"}


def test_empty_folder_is_used(command: Command, odd: str) -> None:
    Path("out").mkdir(mode=0o700)
    export(command, odd, "--format", "csv", "-o", "out")
    names = {"games.csv", "players.csv", "player_names.csv", "aliases.csv"}
    assert set(os.listdir("out")) == names
    assert Path("out").stat().st_mode & 0o777 == 0o700


def test_folder_with_files_needs_force(command: Command, odd: str) -> None:
    Path("out").mkdir()
    Path("out/games.csv").write_bytes(b"dear")
    Path("out/other.txt").write_bytes(b"dear")
    status, out, err = command("export", odd, "--format", "csv", "-o", "out")
    assert (status, out) == (2, "")
    assert "--force" in err
    assert Path("out/games.csv").read_bytes() == b"dear"
    export(command, odd, "--format", "csv", "-o", "out", "--force")
    assert Path("out/games.csv").read_bytes().startswith(b"ID,Event,")
    assert Path("out/other.txt").read_bytes() == b"dear"
    assert len(os.listdir("out")) == 5


@pytest.mark.parametrize("exists", [True, False])
def test_all_files_or_none(
    command: Command, odd: str, exists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if exists:
        Path("out").mkdir()
        Path("out/games.csv").write_bytes(b"dear")
    monkeypatch.setattr("ocgdedup.pipeline.export.tables.TableReader.player_names", fail)
    assert command("export", odd, "--format", "csv", "-o", "out", "--force").status == 2
    assert set(os.listdir()) == {"a.db3", "in.pgn"} | ({"out"} if exists else set())
    if exists:
        assert os.listdir("out") == ["games.csv"]
        assert Path("out/games.csv").read_bytes() == b"dear"


def test_file_of_games_alone(command: Command, odd: str, form: str) -> None:
    assert command("export", odd, "-o", f"Some.{form}") == (
        0, f"wrote 6 rows of games to Some.{form}\n", "",
    )  # fmt: skip
    assert len(read(f"Some.{form}")) == 6
    export(command, odd, "-o", f"CAPITALS.{form.upper()}")
    assert Path(f"CAPITALS.{form.upper()}").read_bytes() == Path(f"Some.{form}").read_bytes()
    assert command("export", odd, "-o", f"Some.{form}").status == 2
    assert command("export", odd, "--format", form, "-o", f"Some.{form}", "--force").status == 0


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_standard_output(command: Command, odd: str, form: str) -> None:
    export(command, odd, "-o", f"games.{form}")
    status, out, err = command("export", odd, "--format", form, "-o", "-")
    assert (status, err) == (0, "")
    assert out.encode() == Path(f"games.{form}").read_bytes()


def test_quiet(command: Command, odd: str) -> None:
    assert command("export", odd, "--format", "csv", "-o", "out", "-q") == (0, "", "")


def test_pgn_stays_the_default(command: Command, odd: str) -> None:
    export(command, odd, "-o", "games.pgn")
    export(command, odd, "--format", "pgn", "-o", "games.txt")
    assert Path("games.txt").read_bytes() == Path("games.pgn").read_bytes()
    assert Path("games.txt").read_bytes().startswith(b"[Event ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "parquet", "-o", "-"], "not written to standard output"),
        (["--format", "csv", "-o", "x.parquet"], "cannot be written as"),
        (["--format", "csv", "-o", "x.pgn"], "cannot be written as"),
        (["--format", "csv", "-o", "x.csv.gz"], "compress"),
        (["-o", "x.CSV.zst"], "is not compressed by ocgdedup"),
        (["--format", "csv", "-o", "a.db3"], "a.db3: cannot be written as .db3"),
        (["--format", "csv", "-o", "absent/out"], "absent/out: its parent folder does not exist"),
        (["--format", "csv", "-o", ""], "empty name"),
        (["--format", "xml", "-o", "out"], "invalid choice"),
        (["-o", "folder.csv"], "folder.csv: is a folder"),
        (["--format", "csv", "-o", "folder.csv/deep/er"], "its parent folder does not exist"),
    ],
)
def test_usage(command: Command, odd: str, arguments: list[str], message: str) -> None:
    Path("folder.csv").mkdir()
    before = Path(odd).read_bytes()
    status, out, err = command("export", odd, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert set(os.listdir()) == {"a.db3", "in.pgn", "folder.csv"}
    assert Path(odd).read_bytes() == before


def test_no_database_is_written_over(command: Command, odd: str) -> None:
    Path("out").mkdir()
    for name in ("games.csv", "out/players.csv", "out/games.csv"):
        Path(name).write_bytes(Path(odd).read_bytes())
    before = Path(odd).read_bytes()
    for database, output in (("games.csv", "games.csv"), (odd, "games.csv"), (odd, "out"),
                             ("out/games.csv", "out")):  # fmt: skip
        status, _, err = command("export", database, "--format", "csv", "-o", output, "--force")
        assert status == 2
        assert "overwritten" in err or "is a database" in err
    for name in ("games.csv", "out/players.csv", "out/games.csv"):
        assert Path(name).read_bytes() == before


def test_no_folder_is_written_over(command: Command, odd: str) -> None:
    Path("out/games.csv").mkdir(parents=True)
    status, _, err = command("export", odd, "--format", "csv", "-o", "out", "--force")
    assert status == 2
    assert "out/games.csv: is a folder" in err
    assert os.listdir("out") == ["games.csv"]


def test_full_disk_behind_standard_output(odd: str, spawn) -> None:
    with open("/dev/full", "wb") as full:
        path = Path(odd).absolute()
        process = spawn("export", path, "--format", "csv", "-o", "-", stdout=full, cwd=ROOT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert b"No space left on device" in err
    assert b"Traceback" not in err


@pytest.mark.parametrize("name", ["out", "games"])
def test_full_disk_behind_files(odd: str, form: str, name: str, spawn) -> None:
    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    path = Path(odd).absolute()
    out = path.parent / (name if name == "out" else f"games.{form}")
    process = spawn("export", path, "--format", form, "-o", out, cwd=ROOT, preexec_fn=limit_files)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert b"cannot be written" in err
    assert err.count(b"\n") == 1
    assert set(os.listdir()) == {"a.db3", "in.pgn"}


def test_without_pyarrow(command: Command, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, out, err = command("export", odd, "-o", "games.parquet")
    assert (status, out) == (2, "")
    assert "pip install 'ocgdedup[parquet]'" in err
    assert set(os.listdir()) == {"a.db3", "in.pgn"}
    export(command, odd, "-o", "games.csv")


def test_files_are_synced_before_they_get_their_names(
    command: Command, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    for name in ("fsync", "rename"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *places, name=name, real=real: (steps.append(name), real(*places))[1]
        )
    export(command, odd, "--format", "csv", "-o", "out")
    # Four files, their folder, the name of the folder, the folder around it.
    assert steps == ["fsync"] * 5 + ["rename", "fsync"]
