"""create: options, protected files, threads, exit codes, signals, both streams."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import random
import re
import resource
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import dump, is_sound, query, tables, value
from tests.support.pgn_text import ILLEGAL_GAME, NO_GAME, THREE_GAMES, game, many_games

SUMMARY = re.compile(
    r"games: ([\d,]+), read up to an error: (\d+), rejected texts: (\d+)(?: \(see (.+)\))?\n"
    r"elapsed: \d+\.\d\d s, speed: [\d,]+ games/s\n"
)
FAULT_LINE = ILLEGAL_GAME[: ILLEGAL_GAME.index("Ke5")].count("\n") + 1
BROKEN = THREE_GAMES + ILLEGAL_GAME + NO_GAME + THREE_GAMES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    Path("broken.pgn").write_text(BROKEN)
    Path("prose.pgn").write_text(NO_GAME)
    return tmp_path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"in.pgn", "broken.pgn", "prose.pgn"}


def games(path: str) -> int:
    return int(value(path, "SELECT count(*) FROM Games"))


# --- streams and exit codes ------------------------------------------------------------------


def test_all_read(command: Command, folder: Path) -> None:
    status, out, err = command("create", "a.db3", "in.pgn")
    assert (status, err) == (0, "")
    assert SUMMARY.fullmatch(out).groups() == ("3", "0", "0", None)
    assert files(folder) == {"a.db3"}
    assert is_sound("a.db3")


def test_faults_and_rejects_exit_with_1(command: Command, folder: Path) -> None:
    status, out, err = command("create", "a.db3", "broken.pgn")
    assert status == 1
    assert SUMMARY.fullmatch(out).groups() == ("7", "1", "1", "a.rejects.pgn")
    line = BROKEN[: BROKEN.index("Ke5")].count("\n") + 1
    assert err == f"broken.pgn:{line}: game 4, after ply 2: illegal move Ke5\n"
    assert files(folder) == {"a.db3", "a.rejects.pgn"}
    faults = query("a.db3", "SELECT GameID, Line, Ply, Reason, Rest FROM Faults")
    assert faults == [(4, line, 2, "illegal move Ke5", "Ke5 Nc6 1-0")]
    assert query("a.db3", "SELECT SourceNumber, SourceOffset FROM Rejects") == [
        (5, BROKEN.index(NO_GAME))
    ]
    # A reject has a number in its file, so that the games behind it keep theirs.
    numbers = query("a.db3", "SELECT SourceNumber FROM Games ORDER BY ID")
    assert numbers == [(1,), (2,), (3,), (4,), (6,), (7,), (8,)]


def test_reject_file_has_the_text_as_it_was(command: Command, folder: Path) -> None:
    command("create", "a.db3", "broken.pgn")
    place, *text = Path("a.rejects.pgn").read_text().splitlines(keepends=True)
    assert place.startswith("% broken.pgn line ")
    assert NO_GAME.strip() in "".join(text)


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_prints_nothing(command: Command, folder: Path, option: str) -> None:
    assert command("create", "a.db3", "broken.pgn", option) == (1, "", "")
    assert games("a.db3") == 7


def test_quiet_still_tells_errors(command: Command, folder: Path) -> None:
    status, out, err = command("create", "-q", "a.db3", "absent.pgn")
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: absent.pgn: ")


def test_no_progress_bar_without_a_terminal(command: Command, folder: Path) -> None:
    Path("big.pgn").write_bytes(many_games(3000))
    assert command("create", "a.db3", "big.pgn").err == ""


def test_progress_on_a_terminal(command: Command, folder: Path, spawn) -> None:
    Path("big.pgn").write_bytes(many_games(9000))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    arguments = ("create", folder / "a.db3", folder / "big.pgn")
    process = spawn(*arguments, stderr=theirs, cwd=ROOT)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # a terminal whose other side is closed has no end
        while part := os.read(ours, 1 << 16):
            shown += part
    os.close(ours)
    assert SUMMARY.fullmatch(process.stdout.read().decode())
    assert b"reading " in shown
    assert re.search(rb"\d+%", shown)
    assert b"Traceback" not in shown
    assert process.wait(20) == 0


def test_no_more_than_twenty_faults_are_shown(command: Command, folder: Path) -> None:
    Path("bad.pgn").write_text(ILLEGAL_GAME * 23)
    _, _, err = command("create", "a.db3", "bad.pgn")
    lines = err.splitlines()
    assert len(lines) == 21
    assert lines[-1].startswith(
        "... and 3 more games read up to an error; --report FILE.tsv and the table Faults list "
        "all of them"
    )


def test_report_lists_every_fault(command: Command, folder: Path) -> None:
    Path("bad.pgn").write_text(ILLEGAL_GAME * 23)
    _, _, err = command("create", "a.db3", "bad.pgn", "--report", "r.tsv")
    assert (
        "... and 3 more games read up to an error; r.tsv and the table Faults list all of them"
        in err
    )
    head, *rows = Path("r.tsv").read_text().splitlines()
    assert head.split("\t") == ["file", "line", "game", "ply", "reason"]
    height = ILLEGAL_GAME.count("\n")
    assert [row.split("\t") for row in rows] == [
        ["bad.pgn", str(FAULT_LINE + height * number), str(number + 1), "2", "illegal move Ke5"]
        for number in range(23)
    ]


def test_report_without_faults_has_its_head_alone(command: Command, folder: Path) -> None:
    assert command("create", "a.db3", "in.pgn", "--report", "r.tsv").status == 0
    assert Path("r.tsv").read_text() == "file\tline\tgame\tply\treason\n"


# --- what is there is protected --------------------------------------------------------------


def test_database_is_not_overwritten(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn", "-q")
    before = Path("a.db3").read_bytes()
    status, out, err = command("create", "a.db3", "broken.pgn")
    assert (status, out) == (2, "")
    assert "a.db3: already exists" in err
    assert "--append" in err
    assert "--force" in err
    assert Path("a.db3").read_bytes() == before
    assert files(folder) == {"a.db3"}


# --- a finished load is not repeated ---------------------------------------------------------


@pytest.mark.parametrize("option", [[], ["--append"]])
def test_a_finished_load_is_recognised(command: Command, folder: Path, option: list[str]) -> None:
    assert command("create", "a.db3", "broken.pgn", "in.pgn", "--report", "r.tsv").status == 1
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    Path("r.tsv").unlink()
    arguments = ["create", "a.db3", "broken.pgn", "in.pgn", "--report", "r.tsv", *option]
    status, out, err = command(*arguments)
    assert (status, err) == (0, "")
    date = value("a.db3", "SELECT LoadDate FROM Loads")
    assert out == (
        f"a.db3: already loaded from these input files on {date}: 10 games; load them once more "
        "with --again\n"
    )
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.slow
def test_a_finished_load_of_a_pipe(command: Command, folder: Path) -> None:
    """Its bytes are known only when they have been read."""
    text = THREE_GAMES.encode()
    assert command("create", "a.db3", "-", stdin=text).status == 0
    before = dump("a.db3")
    for option in ([], ["--append"]):
        status, out, err = command("create", "a.db3", "-", *option, stdin=text)
        assert (status, out[:26], err) == (0, "a.db3: already loaded from", "")
        assert dump("a.db3") == before
    _, out, err = command("create", "a.db3", "-", "--append", "--only-new", stdin=text)
    assert (out.splitlines()[0], err) == ("skipped 1 file: already imported", "")
    assert command("create", "a.db3", "-", stdin=b"other").status == 2
    status, _, err = command("create", "a.db3", "-", "--append", "--again", stdin=text)
    assert (status, games("a.db3")) == (0, 6)
    assert err.endswith("-: has the same bytes as -; its games are now in the database twice\n")


@pytest.mark.parametrize(
    "other",
    [
        ["broken.pgn", "in.pgn"],
        ["copy.pgn"],
        ["in.pgn", "--signatures"],
        ["in.pgn", "--no-index"],
        ["in.pgn", "--again"],
    ],
    ids=" ".join,
)
def test_another_load_is_done(command: Command, folder: Path, other: list[str]) -> None:
    Path("copy.pgn").write_text(THREE_GAMES)
    assert command("create", "a.db3", "in.pgn").status == 0
    assert "already loaded" not in command("create", "a.db3", *other, "--append").out
    assert games("a.db3") > 3


def test_rejects_are_appended_to_a_file_changed_meanwhile(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after the commit, before the rejects file got its name."""
    assert command("create", "a.db3", "broken.pgn", "-q").status == 1
    first = Path("a.rejects.pgn").read_text()
    Path("more.pgn").write_text(NO_GAME)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ocgdedup.commands.publication._publish", die)
        done = command("create", "a.db3", "more.pgn", "--append")
    assert (done.status, done.out) == (130, "")
    assert "what was done before is kept; the same command" in done.err
    assert Path("a.rejects.pgn").read_text() == first
    Path("a.rejects.pgn").write_text("mended\n")
    assert "already loaded" in command("create", "a.db3", "more.pgn", "--append").out
    text = Path("a.rejects.pgn").read_text()
    assert text.startswith("mended\n% more.pgn line 1 game 1")
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("option", ["--quiet", "--force"])
def test_collection_named_first_is_not_overwritten(
    command: Command, folder: Path, option: str
) -> None:
    """`create *.pgn`, the database forgotten, once turned the first file into a database."""
    Path("a.pgn").write_bytes(b"dear")
    status, _, err = command("create", "a.pgn", "in.pgn", option)
    assert status == 2
    assert "the first argument is the database to create" in err
    assert Path("a.pgn").read_bytes() == b"dear"


def test_force_overwrites(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn", "-q")
    Path("a.rejects.pgn").write_bytes(b"% old rejects\n")
    assert command("create", "a.db3", "in.pgn", "--force").status == 0
    assert games("a.db3") == 3
    assert files(folder) == {"a.db3"}


def test_force_keeps_files_that_are_not_reject_files(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn", "-q")
    Path("a.rejects.pgn").write_bytes(b"my notes")
    assert command("create", "a.db3", "in.pgn", "--force").status == 0
    assert Path("a.rejects.pgn").read_bytes() == b"my notes"


def test_failed_force_keeps_what_was_there(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn")
    before = Path("a.db3").read_bytes()
    Path("bad.pgn.gz").write_bytes(b"\x1f\x8b\x08")
    assert command("create", "a.db3", "bad.pgn.gz", "--force").status == 2
    assert Path("a.db3").read_bytes() == before
    assert files(folder) == {"a.db3", "bad.pgn.gz"}


def test_reject_file_is_not_overwritten(command: Command, folder: Path) -> None:
    Path("a.rejects.pgn").write_bytes(b"dear")
    status, _, err = command("create", "a.db3", "broken.pgn")
    assert status == 2
    assert "a.rejects.pgn: already exists" in err
    assert "--rejects" in err
    assert Path("a.rejects.pgn").read_bytes() == b"dear"
    assert files(folder) == {"a.rejects.pgn"}


def test_rejects_to_another_file(command: Command, folder: Path) -> None:
    _, out, _ = command("create", "a.db3", "broken.pgn", "--rejects", "other.txt")
    assert SUMMARY.fullmatch(out).group(4) == "other.txt"
    assert files(folder) == {"a.db3", "other.txt"}


def test_no_rejects_no_file(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn", "--rejects", "other.txt")
    assert files(folder) == {"a.db3"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.db3", "broken.pgn", "--rejects", "broken.pgn"],
        ["a.db3", "broken.pgn", "--rejects", "./broken.pgn"],
        ["a.db3", "broken.pgn", "--report", "broken.pgn"],
        ["a.db3", "broken.pgn", "--report", "a.db3"],
        ["a.db3", "broken.pgn", "--rejects", "a.db3"],
        ["a.db3", "broken.pgn", "--rejects", "x", "--report", "x"],
        ["broken.pgn", "broken.pgn"],
        ["broken.pgn", "."],
        ["link.db3", "broken.pgn"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("option", [[], ["--force"], ["--append"]], ids=str)
def test_no_file_has_two_roles(
    command: Command, folder: Path, arguments: list[str], option: list[str]
) -> None:
    """--rejects or --report could once overwrite an input."""
    Path("link.db3").symlink_to("broken.pgn")
    status, out, err = command("create", *arguments, *option)
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup: error: ")
    assert Path("broken.pgn").read_text() == BROKEN
    assert files(folder) == {"link.db3"}


def test_a_database_is_no_input_for_itself(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn")
    before = Path("a.db3").read_bytes()
    for arguments in (["a.db3", "a.db3", "--force"], ["a.db3", "a.db3", "--append"]):
        status, _, err = command("create", *arguments)
        assert status == 2
        assert "a.db3: " in err
    assert Path("a.db3").read_bytes() == before
    assert files(folder) == {"a.db3"}


def test_report_is_not_overwritten(command: Command, folder: Path) -> None:
    Path("r.tsv").write_bytes(b"dear")
    status, _, err = command("create", "a.db3", "in.pgn", "--report", "r.tsv")
    assert status == 2
    assert "r.tsv: already exists" in err
    assert Path("r.tsv").read_bytes() == b"dear"
    assert command("create", "a.db3", "in.pgn", "--report", "r.tsv", "--force").status == 0
    assert b"dear" not in Path("r.tsv").read_bytes()


def test_failed_force_keeps_old_rejects(command: Command, folder: Path) -> None:
    command("create", "a.db3", "broken.pgn")
    before = Path("a.rejects.pgn").read_bytes()
    Path("bad.pgn.gz").write_bytes(b"\x1f\x8b\x08")
    assert command("create", "a.db3", "bad.pgn.gz", "--force").status == 2
    assert Path("a.rejects.pgn").read_bytes() == before


@pytest.mark.parametrize("option", ["--rejects", "--report"])
def test_folders_of_outputs_are_checked_before_any_work(
    command: Command, folder: Path, option: str
) -> None:
    status, out, err = command("create", "a.db3", "in.pgn", option, "absent/x")
    assert (status, out) == (2, "")
    assert "absent" in err
    assert ".tmp" not in err
    assert files(folder) == set()


def test_a_folder_is_no_database(command: Command, folder: Path) -> None:
    Path("d.db3").mkdir()
    status, out, err = command("create", "d.db3", "in.pgn", "--force")
    assert (status, out) == (2, "")
    assert "d.db3: " in err
    assert ".tmp" not in err
    assert files(folder) == {"d.db3"}


def test_a_link_is_followed(command: Command, folder: Path) -> None:
    command("create", "real.db3", "in.pgn")
    Path("link.db3").symlink_to("real.db3")
    assert command("create", "link.db3", "broken.pgn", "--force", "--rejects", "r.pgn").status == 1
    assert Path("link.db3").is_symlink()
    assert games("real.db3") == 7


def test_second_run_on_the_same_name_is_refused(command: Command, folder: Path, spawn) -> None:
    process = spawn("create", folder / "a.db3", "-", stdin=subprocess.PIPE, cwd=ROOT)
    wait_for(folder, ".a.db3.*.tmp")
    status, _, err = command("create", "a.db3", "in.pgn")
    assert status == 2
    assert "another run is writing it" in err
    _, err = process.communicate(THREE_GAMES.encode())
    assert (process.returncode, err) == (0, b"")
    assert games("a.db3") == 3
    assert files(folder) == {"a.db3"}


# --- append ----------------------------------------------------------------------------------


def test_append_equals_one_run(command: Command, folder: Path) -> None:
    Path("more.pgn").write_text(BROKEN.replace("Beta", "Omega"))
    assert command("create", "both.db3", "in.pgn", "more.pgn").status == 1
    assert command("create", "a.db3", "in.pgn").status == 0
    status, out, _ = command("create", "a.db3", "more.pgn", "--append")
    assert status == 1
    assert SUMMARY.fullmatch(out).groups() == ("7", "1", "1", "a.rejects.pgn")
    assert dump("a.db3") == dump("both.db3")
    assert Path("a.rejects.pgn").read_bytes() == Path("both.rejects.pgn").read_bytes()


def test_append_adds_to_the_reject_file(command: Command, folder: Path) -> None:
    command("create", "a.db3", "prose.pgn", "in.pgn")
    first = Path("a.rejects.pgn").read_bytes()
    assert command("create", "a.db3", "broken.pgn", "--append").status == 1
    both = Path("a.rejects.pgn").read_bytes()
    assert both.startswith(first)
    assert both.count(b"% broken.pgn line ") == 1


def test_append_needs_a_database(command: Command, folder: Path) -> None:
    status, _, err = command("create", "a.db3", "in.pgn", "--append")
    assert status == 2
    assert "a.db3: there is no such database" in err
    assert files(folder) == set()


def test_append_of_nothing_readable_changes_nothing(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn")
    before = dump("a.db3")
    Path("bad.pgn.gz").write_bytes(b"\x1f\x8b\x08")
    assert command("create", "a.db3", "bad.pgn.gz", "--append").status == 2
    assert dump("a.db3") == before


def test_append_warns_of_the_same_bytes(command: Command, folder: Path) -> None:
    command("create", "a.db3", "in.pgn")
    Path("copy.pgn").write_text(THREE_GAMES)
    status, _, err = command("create", "a.db3", "copy.pgn", "--append")
    assert status == 0
    assert err.startswith("ocgdedup: warning: copy.pgn: has the same bytes as in.pgn")
    assert games("a.db3") == 6


def test_append_raises_a_players_elo(command: Command, folder: Path) -> None:
    Path("new.pgn").write_text(game("1. c4 *", WhiteElo="2700"))
    command("create", "a.db3", "in.pgn")
    Path("old.pgn").write_text(game("1. c4 *", WhiteElo="2500"))
    command("create", "a.db3", "new.pgn", "--append")
    command("create", "a.db3", "old.pgn", "--append")  # the highest one stays
    rows = query("a.db3", "SELECT Name, Elo FROM Players WHERE Name LIKE 'Alpha%'")
    assert rows == [("Alpha, A", 2700)]
    assert value("a.db3", "SELECT Value FROM Info WHERE Name = 'GameCount'") == "5"


# --- the same result whatever the threads ----------------------------------------------------


@pytest.mark.slow
def test_jobs_do_not_change_the_database(command: Command, folder: Path) -> None:
    rng = random.Random(1)
    parts = [THREE_GAMES, ILLEGAL_GAME, NO_GAME, game("{ " + "long " * 9000 + "} 1. e4 *")]
    text = "".join(rng.choices(parts, [90, 4, 4, 2], k=4000))
    Path("big.pgn").write_text(text)
    assert len(text) > 5 << 18  # several blocks for each thread
    outcomes = []
    for jobs in (1, 2, 4):
        name = f"{jobs}.db3"
        assert command("create", name, "big.pgn", "in.pgn", "--jobs", jobs).status == 1
        outcomes.append((dump(name), Path(f"{jobs}.rejects.pgn").read_bytes()))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][0]["Games"][-1][0] == games("1.db3")


def test_no_index(command: Command, folder: Path) -> None:
    command("create", "with.db3", "in.pgn")
    command("create", "without.db3", "in.pgn", "--no-index")
    hashes = {"GamesMoveHash", "GamesFinalZobrist", "GamesPositionsKey", "GamesSampledKey"}
    assert tables("with.db3", "index") >= hashes
    assert not tables("without.db3", "index") & hashes
    assert query("with.db3", "SELECT * FROM Games") == query("without.db3", "SELECT * FROM Games")


@pytest.mark.slow
@pytest.mark.parametrize("append", [False, True])
def test_full_disk(command: Command, folder: Path, spawn, append: bool) -> None:
    """SQLite's own rollback once made ours fail, which hid the cause."""
    Path("big.pgn").write_bytes(many_games(6000))
    if append:
        command("create", "a.db3", "in.pgn", "-q")
    before = dump("a.db3") if append else None
    arguments = ["create", folder / "a.db3", folder / "big.pgn"] + ["--append"] * append

    limit = 300_000 + (Path("a.db3").stat().st_size if append else 0)

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    process = spawn(*arguments, cwd=ROOT, preexec_fn=limit_files)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"ocgdedup: error: ")
    assert err.count(b"\n") == 1
    assert b"a.db3: " in err
    assert b"rollback" not in err
    assert files(folder) - {"a.db3-history"} == {"big.pgn", *["a.db3"] * append}
    if append:
        assert dump("a.db3") == before
        assert is_sound("a.db3")


# --- usage errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "GAMES.db3, INPUT"),
        (["a.db3"], "INPUT"),
        (["a.db3", "in.pgn", "--jobs", "0"], "--jobs: must be 1 or more"),
        (["a.db3", "in.pgn", "--jobs", "two"], "--jobs: 'two' is no whole number"),
        (["a.db3", "in.pgn", "--nonsense"], "--nonsense"),
    ],
)
def test_usage(command: Command, folder: Path, arguments: list[str], message: str) -> None:
    status, out, err = command("create", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ocgdedup create: error: ")
    assert message in err
    assert files(folder) == set()


# --- signals ---------------------------------------------------------------------------------

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree


def wait_for(folder: Path, pattern: str) -> None:
    for _ in range(3000):
        if any(folder.glob(pattern)):
            return
        time.sleep(0.01)
    raise AssertionError(f"{pattern} was not made within 30 s")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("append", [False, True])
def test_signal(
    command: Command, folder: Path, spawn, number: int, jobs: int, append: bool
) -> None:
    """The process receives the signal while it waits for standard input."""
    before = None
    if append:
        command("create", "a.db3", "in.pgn")
        before = dump("a.db3")
    arguments = ["create", folder / "a.db3", "-", "--jobs", jobs] + ["--append"] * append
    process = spawn(*arguments, stdin=subprocess.PIPE, cwd=ROOT)
    process.stdin.write(NO_GAME.encode() + many_games(20_000))
    process.stdin.flush()
    wait_for(folder, ".a.rejects.pgn.*.tmp")
    process.send_signal(number)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert err == b"ocgdedup: interrupted; nothing was changed; the same command starts again\n"
    assert files(folder) == ({"a.db3"} if append else set())
    if append:
        assert dump("a.db3") == before
        assert is_sound("a.db3")


@pytest.mark.parametrize(
    ("date", "event_date", "expected"),
    [
        ("????.??.??", "2004.05.12", ("2004.05.??", 21)),
        ("????.??.??", "2004.??.??", ("2004.??.??", 11)),
        ("????.??.??", "2004.13.01", ("2004.??.??", 11)),
        ("????.??.??", "????.??.??", ("????.??.??", 0)),
        ("????.??.??", "May 2004", ("????.??.??", 0)),
        ("2003.??.??", "2004.05.12", ("2003.??.??", 13)),
        ("2004.05.14", "2004.05.12", ("2004.05.14", 33)),
    ],
)
def test_event_date_stands_in_for_an_unknown_date(
    command: Command, tmp_path: Path, date: str, event_date: str, expected: tuple[str, int]
) -> None:
    """The day is never used, since events last several days. DateQuality marks it as a guess."""
    tags = {"Event": "Open", "Date": date, "Result": "1-0", "EventDate": event_date}
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    (tmp_path / "in.pgn").write_text(f"{text}\n1. e4 1-0\n")
    database = str(tmp_path / "a.db3")
    assert command("create", database, str(tmp_path / "in.pgn"), "-q").status == 0
    assert query(database, "SELECT Date, DateQuality FROM Games") == [expected]
    assert command("check", database).status == 0
