"""Odd surroundings: closed or full streams, missing folders, unusual names, colliding outputs."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from torturelib.model import Case
from torturelib.running import DONE, FAILED, REJECTED, crash, refused, run
from torturelib.snapshots import dump
from torturelib.starting_points import start_folder


def run_case(case: Case) -> str | None:
    if case.seed < len(DIRECTED):
        return DIRECTED[case.seed](case)
    return case.random().choices(DIRECTED, WEIGHTS)[0](case)


def closed_streams(case: Case) -> str | None:
    """Every command does its work with any of its three streams closed."""
    rng = case.random()
    streams = rng.choice([those for size in (1, 2, 3) for those in combinations(range(3), size)])
    if case.seed < len(DIRECTED):
        streams = (2,)

    def close() -> None:
        for stream in streams:
            os.close(stream)

    steps = (
        ("create", "a.db3", case.games),
        ("players", "a.db3"),
        ("dedup", "a.db3"),
        ("export", "a.db3", "-o", "a.pgn"),
        ("check", "a.db3"),
    )
    for words in steps:
        outcome = run(case, *words, prepare=close)
        allowed = (DONE, REJECTED) if words[0] == "create" else (DONE,)
        if 1 in streams:
            allowed += (FAILED,)  # results cannot be printed
        problem = crash(outcome)
        if problem is None and outcome.status not in allowed:
            problem = f"`{outcome.command()}`: exit status {outcome.status}"
        if problem:
            return f"{problem}, with streams {streams} closed"
    missing = [name for name in ("a.db3", "a.pgn") if not (case.folder / name).exists()]
    return f"{', '.join(missing)} not written, with streams {streams} closed" if missing else None


def results_to_a_closed_stream(case: Case) -> str | None:
    """Results that cannot be written are one line and status 2."""
    run(case, "create", "a.db3", case.games)
    for words in (
        ("export", "a.db3", "-o", "-"),
        ("info", "a.db3"),
        ("printpgn", "a.db3", "-g", "1"),
    ):
        outcome = run(case, *words, prepare=lambda: os.close(1))
        problem = crash(outcome)
        if problem is None and outcome.status != FAILED:
            problem = f"`{outcome.command()}`: exit status {outcome.status}, not 2"
        if problem:
            return f"{problem}, with standard output closed"
    return None


def full_device(case: Case) -> str | None:
    """Results written to a device without room are one line and status 2."""
    run(case, "create", "a.db3", case.games)
    with open("/dev/full", "wb") as full:
        for words in (("export", "a.db3", "-o", "-"), ("info", "a.db3"), ("find", "a.db3")):
            outcome = run(case, *words, stdout=full.fileno(), stderr=subprocess.PIPE)
            problem = crash(outcome)
            if problem is None and outcome.status != FAILED:
                problem = f"`{outcome.command()}`: exit status {outcome.status}, not 2"
            if problem:
                return f"{problem}, with standard output on /dev/full"
    return None


def colliding_names(case: Case) -> str | None:
    """No output harms an input, a database, a journal or what a link leads to."""
    start_folder(case, "loaded", case.folder)
    rng = case.random()
    plant(case.folder, rng)
    words = colliding_command(case.folder, rng)
    changeable = may_change(case.folder, words)
    before = contents(case.folder)
    games = count_games(case.folder / "g.db3")
    outcome = run(case, *words)
    problem = crash(outcome)
    if problem:
        return problem
    after = contents(case.folder)
    for name, data in before.items():
        if after.get(name) != data and name not in changeable:
            what = "is gone" if name not in after else "was changed"
            return f"`{outcome.command()}` (exit status {outcome.status}): {name!r} {what}"
    if "create" not in words and count_games(case.folder / "g.db3") < games:
        return f"`{outcome.command()}`: games of g.db3 are lost"
    new = [
        name for name in after.keys() - before.keys() if os.fsencode(name) not in words_of(words)
    ]
    odd = [name for name in new if JOURNAL.search(name) or OURS.search(name)]
    return f"`{outcome.command()}`: {odd[0]!r} is left over" if odd else None


JOURNAL = re.compile(r"-(journal|wal|shm)$|\.(partial|lock)$")
OURS = re.compile(r"^\..*\.ocgdedup-[0-9a-f]{16}\.tmp$")
VICTIM = "keep me"


def words_of(words: list[str]) -> set[bytes]:
    return {os.fsencode(word.partition("=")[2] or word) for word in words}


def plant(folder: Path, rng: random.Random) -> None:
    """Put files and links where a careless program would write."""
    shutil.copyfile(folder / "g.db3", folder / "other.db3")
    for name in (*TEMPORARY, *ODD_NAMES):
        if rng.random() < 0.6:
            kind = rng.choice(("text", "games", "database", "link", "hard link"))
            path = folder / name
            if kind == "text":
                path.write_text(VICTIM)
            elif kind == "link":
                path.symlink_to(rng.choice(("g.db3", "club_library.pgn", "victim", "other.db3")))
            else:
                source = "other.db3" if kind == "database" else "club_library.pgn"
                copy = os.link if kind == "hard link" else shutil.copyfile
                copy(folder / source, path)
    (folder / "victim").write_text(VICTIM)


TEMPORARY = (
    "o.pgn.partial", "o.pgn.partial.lock", "n.db3.partial", "n.db3.partial.lock", "g.db3.partial",
    ".o.pgn.ocgdedup-0123456789abcdef.tmp", ".n.db3.ocgdedup-0123456789abcdef.tmp",
    ".g.db3.ocgdedup-0000000000000000.tmp", "j.partial", "r.csv.partial",
)  # fmt: skip
ODD_NAMES = (
    "two words.pgn",
    "line\nend.pgn",
    os.fsdecode(b"latin-\xe4.pgn"),
    "-dash.pgn",
    "100%.pgn",
)


def colliding_command(folder: Path, rng: random.Random) -> list[str]:
    names = [path.name for path in folder.iterdir() if path.name != "g.db3"]
    name = rng.choice(
        (*names, *names, "g.db3", "g.db3-journal", "g.db3-wal", "g.db3-shm", "new.pgn")
    )
    name = f"./{name}"
    other = f"./{rng.choice(names)}"
    force = rng.choice([[], ["--force"]])
    return rng.choice(
        (
            ["export", "g.db3", f"--output={name}", *force],
            ["export", "g.db3", "-o", "o.pgn", f"--duplicates={name}", *force],
            ["export", other, "-o", name, *force],
            [
                "create",
                "n.db3",
                "club_library.pgn",
                "web_download.pgn",
                f"--rejects={name}",
                *force,
            ],
            ["create", "n.db3", other, f"--report={name}", *force],
            ["create", name, "web_download.pgn"],
            ["create", "g.db3", other, "--append", f"--rejects={name}", *force],
            ["dedup", "g.db3", f"--report={name.removesuffix('.pgn')}.csv", *force],
            ["players", "g.db3", f"--report={name}", *force],
            ["run", other, "-o", "o.pgn", "--db", "n.db3", f"--duplicates={name}", *force],
        )
    )


def may_change(folder: Path, words: list[str]) -> set[str]:
    """Return the files that the command is told to write.

    With --force that is an output that is there already, if it is no input, database or journal.
    """
    changeable = set()
    if words[0] in ("dedup", "players") or "--append" in words:
        changeable.add("g.db3")
    protected = [
        folder / word for word in words if "=" not in word and word not in ("o.pgn", "n.db3")
    ]
    for path in (
        folder / "o.pgn",
        *(folder / word.partition("=")[2] for word in words if "=" in word),
    ):
        is_input = any(same_file(path, each) for each in protected)
        is_database = path.is_file() and path.read_bytes().startswith(b"SQLite format 3")
        if "--force" in words and not is_input and not is_database:
            changeable |= {path.name, path.resolve().name}
    # All hard links of a database are that database.
    return changeable | {
        path.name
        for path in folder.iterdir()
        for name in changeable & {"g.db3"}
        if same_file(path, folder / name)
    }


def same_file(left: Path, right: Path) -> bool:
    return left.exists() and right.exists() and left.samefile(right)


def contents(folder: Path) -> dict[str, object]:
    """Return what each name leads to, links as links."""
    return {
        path.name: path.readlink() if path.is_symlink() else path.read_bytes()
        for path in folder.iterdir()
        if path.is_symlink() or path.is_file()
    }


def count_games(database: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM Games").fetchone()[0])


def modes_kept(case: Case) -> str | None:
    """Replace files of mode 600: they keep it."""
    start_folder(case, "exported", case.folder)
    for name in ("o.pgn", "r.csv", "g.db3"):
        (case.folder / name).chmod(0o600)
    for words in (
        ("export", "g.db3", "-o", "o.pgn", "--force"),
        ("dedup", "g.db3", "--full", "--report", "r.csv", "--force"),
        ("create", "g.db3", "web_download.pgn", "--append"),
        ("create", "g.db3", "club_library.pgn", "--force"),
    ):
        problem = crash(run(case, *words))
        if problem:
            return problem
    for name in ("o.pgn", "r.csv", "g.db3"):
        mode = (case.folder / name).stat().st_mode & 0o777
        if mode != 0o600:
            return f"{name} had mode 600 and has {mode:o}"
    return None


def odd_places(case: Case) -> str | None:
    """Commands work without a home, without a folder for temporary files, by any folder's name."""
    rng = case.random()
    folder = case.folder / rng.choice(
        ("two words", "line\nend", os.fsdecode(b"latin-\xe4"), "-dash")
    )
    folder.mkdir()
    start_folder(case, "inputs", folder)
    places = {"HOME": "/nonexistent", "TMPDIR": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"}
    chosen = {name: places[name] for name in rng.sample(sorted(places), rng.randint(1, 3))}
    if rng.random() < 0.5:
        chosen["LC_ALL"] = "C"
    for words in (
        ("create", "g.db3", "club_library.pgn", "web_download.pgn"),
        ("players", "g.db3", "--fide-xml", "players_2013-01.xml"),
        ("dedup", "g.db3", "--delete", "--report", "r.html"),
        ("export", "g.db3", "-o", "o.pgn.gz"),
        ("signatures", "g.db3"),
        ("dedup", "g.db3", "--undo"),
        ("check", "g.db3"),
    ):
        outcome = run(case, *words, folder=folder, environment=chosen)
        problem = crash(outcome)
        if problem is None and outcome.status == FAILED:
            # SQLite opens only files whose path is UTF-8, and the program says so.
            if not folder.name.isprintable() and "not UTF-8" in outcome.err:
                return refused(outcome)
            problem = f"`{outcome.command()}`: exit status 2: {outcome.err}"
        if problem:
            return f"in {folder.name!r}, with {chosen}: {problem}"
    return None


def little_memory(case: Case) -> str | None:
    """Too little memory is one line and status 2, and changes nothing."""
    start_folder(case, "flagged", case.folder)
    before = dump(case.folder / "g.db3")
    limit = 2**20 * case.random().randint(4, 40)

    def less() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    outcome = run(case, "dedup", "g.db3", "--full", "--keep", "first", prepare=less)
    started = "Error: in loader" not in outcome.err and "ImportError" not in outcome.err
    if outcome.status == FAILED and dump(case.folder / "g.db3") != before:
        return f"with {limit >> 20} MB: exit status 2, but the database was changed"
    # Python itself cannot begin with less than some 20 MB.
    if started and limit > 30 * 2**20 and crash(outcome):
        return f"with {limit >> 20} MB: {crash(outcome)}"
    return None


def file_size_limit(case: Case) -> str | None:
    """Append where a file may not grow: one line and status 2, and nothing is lost."""
    start_folder(case, "loaded", case.folder)
    before = dump(case.folder / "g.db3")
    limit = (case.folder / "g.db3").stat().st_size + case.random().randint(0, 20_000)

    def smaller() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    outcome = run(case, "create", "g.db3", "more.pgn", "--append", prepare=smaller)
    problem = crash(outcome)
    if problem:
        return f"with files of {limit} bytes: {problem}"
    if outcome.status == FAILED and dump(case.folder / "g.db3") != before:
        return f"with files of {limit} bytes: exit status 2, but the database was changed"
    return None


def read_only_places(case: Case) -> str | None:
    """In a folder that cannot be written to, readers work; others say so in one line."""
    start_folder(case, "flagged", case.folder)
    before = contents(case.folder)
    case.folder.chmod(0o555)
    (case.folder / "g.db3").chmod(case.random().choice((0o444, 0o666)))
    try:
        for line in ("info g.db3", "check g.db3", "find g.db3 --year 1900-", "export g.db3 -o -"):
            outcome = run(case, *line.split(), prepare=without_override)
            problem = crash(outcome)
            if problem is None and outcome.status != DONE:
                problem = f"`{outcome.command()}`: exit status {outcome.status}: {outcome.err}"
            if problem:
                return problem
        for line in WRITERS:
            problem = refused(run(case, *line.split(), prepare=without_override))
            if problem:
                return problem
    finally:
        case.folder.chmod(0o755)
    return None if contents(case.folder) == before else "the folder has changed"


WRITERS = (
    "create g.db3 more.pgn --append",
    "create n.db3 more.pgn",
    "dedup g.db3 --full --keep first",
    "signatures g.db3",
    "export g.db3 -o o.pgn",
    "export g.db3 -o tables --format csv",
    "run more.pgn -o u.pgn",
)
# <linux/prctl.h>, <linux/capability.h>: what lets root write and read everywhere.
PR_CAPBSET_DROP, OVERRIDES = 24, (1, 2, 3)


def without_override() -> None:
    """Make permissions count for root, too."""
    libc = ctypes.CDLL(None)
    for capability in OVERRIDES:
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def changing_input(case: Case) -> str | None:
    """Change an input while it is read: there is a warning, and no wrong hash."""
    start_folder(case, "inputs", case.folder)
    rng = case.random()
    path, other = case.folder / "big.pgn", case.folder / "other"
    first = (case.folder / "more.pgn").read_bytes() * rng.randint(5, 60)
    path.write_bytes(first)
    other.write_bytes((case.folder / "web_download.pgn").read_bytes())
    change = rng.choice(
        (
            lambda: path.write_bytes(first + other.read_bytes()),
            lambda: os.truncate(path, rng.randrange(len(first))),
            lambda: other.rename(path),
            path.unlink,
        )
    )
    changer = threading.Timer(rng.uniform(0, 0.5), change)
    changer.start()
    outcome = run(case, "create", "g.db3", "big.pgn", "--no-index")
    changer.join()
    problem = crash(outcome)
    if problem or outcome.status == FAILED:  # gone before it was read
        return problem or refused(outcome)
    with contextlib.closing(sqlite3.connect(case.folder / "g.db3")) as connection:
        (stored,) = connection.execute("SELECT SHA256 FROM Sources").fetchone()
    texts = [first, path.read_bytes()] if path.exists() else [first]
    is_told = "changed while it was read" in outcome.err
    if not is_told and stored not in [hashlib.sha256(text).hexdigest() for text in texts]:
        return f"`{outcome.command()}`: no word of a change, but the hash is of neither content"
    checked = run(case, "check", "g.db3")
    return crash(checked) or (None if checked.status == DONE else checked.out)


DIRECTED: tuple[Callable[[Case], str | None], ...] = (
    closed_streams,
    results_to_a_closed_stream,
    full_device,
    colliding_names,
    modes_kept,
    odd_places,
    little_memory,
    file_size_limit,
    read_only_places,
    changing_input,
)
# Names have more to try than the others.
WEIGHTS = (3, 1, 1, 12, 1, 3, 2, 2, 1, 4)
