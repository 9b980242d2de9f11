"""export: a file or standard output; nothing is overwritten or left incomplete."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
from pathlib import Path

import chess.pgn
import pytest

from tests.support.command_line import Command
from tests.support.databases import change, flag
from tests.support.pgn_text import THREE_GAMES, game, many_games

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES + game("1. c4 {Ålesund} *", Site="Ålesund"))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.fixture
def large(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database whose export does not fit into the buffer of a pipe."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_bytes(many_games(9000))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return tmp_path / "a.db3"


def files() -> set[str]:
    return set(os.listdir()) - {"in.pgn", "a.db3"}


def test_to_a_file(command: Command, database: str) -> None:
    assert command("export", database, "-o", "out.pgn") == (
        0, "wrote 4 games to out.pgn\n", "",
    )  # fmt: skip
    text = Path("out.pgn").read_text(encoding="utf-8")
    assert files() == {"out.pgn"}
    handle = io.StringIO(text)
    read = list(iter(lambda: chess.pgn.read_game(handle), None))
    assert [result.headers["White"] for result in read] == [
        "Alpha, A", "Gamma, G", "Alpha, A", "Alpha, A",
    ]  # fmt: skip
    assert read[3].headers["Site"] == "Ålesund"


def test_to_standard_output(command: Command, database: str) -> None:
    command("export", database, "--output", "out.pgn")
    status, out, err = command("export", database, "-o", "-")
    assert (status, err) == (0, "")
    assert out == Path("out.pgn").read_text(encoding="utf-8")  # no summary among the games


def test_quiet(command: Command, database: str) -> None:
    assert command("export", database, "-o", "out.pgn", "-q") == (0, "", "")
    assert Path("out.pgn").stat().st_size > 500


def test_nothing_is_overwritten(command: Command, database: str) -> None:
    Path("out.pgn").write_bytes(b"dear")
    status, out, err = command("export", database, "-o", "out.pgn")
    assert (status, out) == (2, "")
    assert "out.pgn: already exists" in err
    assert "--force" in err
    assert Path("out.pgn").read_bytes() == b"dear"


def test_force_overwrites(command: Command, database: str) -> None:
    Path("out.pgn").write_bytes(b"dear" * 5000)
    assert command("export", database, "-o", "out.pgn", "--force").status == 0
    assert b"dear" not in Path("out.pgn").read_bytes()
    assert files() == {"out.pgn"}


def test_pipe_is_written_into_not_replaced(command: Command, database: str, spawn) -> None:
    os.mkfifo("pipe")
    path = Path("pipe").absolute()
    process = spawn("export", Path(database).absolute(), "-o", path, cwd=ROOT)
    command("export", database, "-o", "out.pgn")
    assert path.read_bytes() == Path("out.pgn").read_bytes()
    assert process.wait(20) == 0
    assert path.is_fifo()


def test_link_is_followed(command: Command, database: str) -> None:
    Path("real.pgn").write_bytes(b"dear")
    Path("link.pgn").symlink_to("real.pgn")
    assert command("export", database, "-o", "link.pgn").status == 2
    assert command("export", database, "-o", "link.pgn", "--force").status == 0
    assert Path("link.pgn").is_symlink()
    assert Path("real.pgn").read_bytes().startswith(b"[Event ")


def test_database_is_not_its_own_output(command: Command, database: str) -> None:
    before = Path(database).read_bytes()
    assert command("export", database, "-o", database, "--force").status == 2
    assert Path(database).read_bytes() == before


def test_damaged_moves_leave_no_file(command: Command, database: str) -> None:
    change(database, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    status, out, err = command("export", database, "-o", "out.pgn")
    assert (status, out) == (2, "")
    assert "game 2" in err
    assert files() == set()


@pytest.mark.parametrize("tags", ["[1]", "{bad", "7"])
def test_tags_that_are_no_object_are_named(command: Command, database: str, tags: str) -> None:
    change(database, f"UPDATE Games SET ExtraTags = '{tags}' WHERE ID = 2")
    status, out, err = command("export", database, "-o", "out.pgn")
    assert (status, out) == (2, "")
    assert "game 2: its ExtraTags are not a JSON object; run 'ocgdedup check a.db3'" in err
    assert files() == set()
    flag(database, 2, "exact", 1)
    status, out, err = command("export", database, "--duplicates", "out.pgn")
    assert (status, out) == (2, "")
    assert "game 2: its ExtraTags are not a JSON object; run 'ocgdedup check a.db3'" in err
    assert command("printpgn", database, "2").status == 2


def test_tags_that_are_no_text_are_written_as_json(command: Command, database: str) -> None:
    change(database, 'UPDATE Games SET ExtraTags = \'{"a": {"b": 1}, "c": 2}\' WHERE ID = 2')
    assert command("export", database, "-o", "out.pgn").status == 0
    text = Path("out.pgn").read_text(encoding="utf-8")
    assert '[a "{\\"b\\": 1}"]\n[c "2"]\n' in text


def test_failure_keeps_what_was_there(command: Command, database: str) -> None:
    Path("out.pgn").write_bytes(b"dear")
    change(database, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 2")
    assert command("export", database, "-o", "out.pgn", "--force").status == 2
    assert Path("out.pgn").read_bytes() == b"dear"
    assert files() == {"out.pgn"}


def test_absent_folder(command: Command, database: str) -> None:
    status, _, err = command("export", database, "-o", "absent/out.pgn")
    assert status == 2
    assert "absent" in err
    assert err.count("\n") == 1


def test_empty_database(command: Command, database: str) -> None:
    Path("empty.pgn").touch()
    command("create", "e.db3", "empty.pgn")
    assert command("export", "e.db3", "-o", "out.pgn").status == 0
    assert Path("out.pgn").read_bytes() == b""


def test_export_leaves_the_database_alone(command: Command, database: str) -> None:
    before = Path(database).read_bytes()
    command("export", database, "-o", "out.pgn")
    command("export", database, "-o", "-")
    assert Path(database).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["a.db3"], "-o/--output"), (["-o", "x.pgn"], "GAMES.db3")],
)
def test_usage(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command("export", *arguments)
    assert (status, out) == (2, "")
    assert message in err


# --- as a process ----------------------------------------------------------------------------


def test_broken_pipe_is_silent(large: Path, spawn) -> None:
    process = spawn("export", large, "-o", "-", cwd=ROOT)
    assert process.stdout.readline() == b'[Event "Test"]\n'
    process.stdout.close()  # as `head -1` does
    assert process.stderr.read() == b""
    assert process.wait(20) == 0


def test_interrupted_on_the_way_to_a_pipe(large: Path, spawn) -> None:
    process = spawn("export", large, "-o", "-", cwd=ROOT)
    process.stdout.readline()  # it now waits for the pipe to be emptied
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.count(b"\n") == 1


def test_full_disk(large: Path, spawn) -> None:
    with open("/dev/full", "wb") as full:
        process = spawn("export", large, "-o", "-", stdout=full, cwd=ROOT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert b"No space left on device" in err
    assert b"Traceback" not in err


def test_full_disk_behind_a_file(large: Path, spawn) -> None:
    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    out = large.parent / "out.pgn"
    process = spawn("export", large, "-o", out, cwd=ROOT, preexec_fn=limit_files)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert b"out.pgn" in err
    assert files() == set()


def test_output_is_utf8_in_any_locale(database: str, spawn) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    path = Path(database).absolute()
    process = spawn("export", path, "-o", "-", cwd=ROOT, env=environment)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, b"")
    assert "{Ålesund}".encode() in out


def test_is_run_by_its_module_name(database: str, spawn) -> None:
    process: subprocess.Popen[bytes] = spawn("--version", cwd=ROOT)
    assert process.communicate(timeout=20)[0].startswith(b"ocgdedup ")
    assert process.returncode == 0
