"""One case for each serious defect of earlier versions, so that none comes back unseen."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import re
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Callable

from torturelib.commands import WRITING
from torturelib.kills import after_repetition, undisturbed
from torturelib.model import Case
from torturelib.running import DONE, FAILED, REJECTED, crash, finish, refused, run, start
from torturelib.sequences import replay
from torturelib.snapshots import dump
from torturelib.starting_points import inputs, many_games, start_folder
from torturelib.system_calls import ERRORS, run_hit

LISTS = "--fide-xml players_2013-01.xml --aliases spelling.ssp"
GAMES = "club_library.pgn magazine_archive.pgn web_download.pgn"
MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5"
LONG_GAME = (
    f"{MOVES} 9. exd5 Nxd5 10. Nxe5 Nxe5 11. Rxe5 c6 12. d4 Bd6 13. Re1 Qh4 14. g3 Qh3 15. Be3 Bg4 "
    "16. Qd3 Rae8 17. Nd2 Re6 18. a4 f5 1/2-1/2"
)
# In seconds of CPU; what is not stuck takes a small part of it on any machine.
STUCK_S = 40


def game(moves: str = f"{MOVES} 1/2-1/2", **tags: str) -> str:
    whole = {"Event": "Open", "Site": "Riga", "Date": "1999.03.01", "Round": "?"}
    whole |= {"White": "Alpha, A", "Black": "Beta, B", "Result": "1/2-1/2"} | tags
    head = "".join(f'[{name} "{text}"]\n' for name, text in whole.items())
    return f"{head}\n{moves}\n\n"


def done(case: Case, *words: str, cpu_limit_s: int = STUCK_S) -> str | None:
    """Run a command that must be done, within its CPU time."""
    outcome = run(case, *words, cpu_limit_s=cpu_limit_s)
    problem = crash(outcome)
    if problem is None and outcome.status not in (DONE, REJECTED):
        problem = f"`{outcome.command()}`: exit status {outcome.status}: {outcome.err}"
    return problem


def all_done(case: Case, *lines: str) -> str | None:
    return next((problem for line in lines if (problem := done(case, *line.split()))), None)


def wrong_persons(case: Case) -> str | None:
    """Persons of removed games keep their meaning when names are resolved anew."""
    return replay(
        case,
        (
            f"create g.db3 {GAMES}",
            "players g.db3",
            "dedup g.db3 --delete",
            "players g.db3 --undo",
            f"players g.db3 {LISTS}",
            "dedup g.db3",
        ),
    )


def dangling_persons(case: Case) -> str | None:
    """Resolve names anew after deletions and appends, without an undo."""
    return replay(
        case,
        (
            "create g.db3 club_library.pgn magazine_archive.pgn",
            "dedup g.db3 --delete",
            "players g.db3",
            "create g.db3 web_download.pgn --append",
            "dedup g.db3 --delete",
            f"players g.db3 {LISTS}",
            "create g.db3 more.pgn --append",
            "dedup g.db3",
            "dedup g.db3 --restore",
        ),
    )


def temporary_names(case: Case) -> str | None:
    """Files that happen to have names of temporary files are inputs like others."""
    for number, words in enumerate(COLLISIONS):
        start_folder(case, "loaded", case.folder)
        folder = case.folder
        shutil.copyfile(folder / "club_library.pgn", folder / "g.pgn.partial")
        shutil.copyfile(folder / "club_library.pgn", folder / "n.db3.partial")
        shutil.copyfile(folder / "g.db3", folder / "e.pgn.partial")
        (folder / "victim").write_text("keep me")
        (folder / "o.pgn.partial").symlink_to("victim")
        protected = {
            path.name: path.read_bytes()
            for path in folder.iterdir()
            if path.is_file() and path.name != "g.db3-journal"
        }
        outcome = run(case, *words.split())
        for name, data in protected.items():
            if not (folder / name).exists() or (folder / name).read_bytes() != data:
                return f"`{words}` (exit status {outcome.status}) changed {name}"
        if (folder / "g.db3-journal").exists():
            return f"`{words}` (exit status {outcome.status}) wrote a file named as a journal"
        database = folder / "n.db3"
        if (
            outcome.status in (DONE, REJECTED)
            and database.exists()
            and isinstance(dump(database), str)
        ):
            return f"`{words}`: n.db3 {dump(database)}"
        problem = crash(outcome)
        if problem:
            return f"collision {number}: {problem}"
        shutil.rmtree(folder)
        folder.mkdir()
    return None


COLLISIONS = (
    "create n.db3 n.db3.partial",
    "export e.pgn.partial -o e.pgn",
    "create m.db3 web_download.pgn --rejects m.db3.partial",
    "export g.db3 -o o.pgn",
    "export g.db3 -o g.db3-journal",
)


def many_equal_games(case: Case) -> str | None:
    """Merge the headers of tens of thousands of equal games with two sites."""
    text = "".join(game(Site=("Riga", "Rom")[number % 2]) for number in range(66_000))
    (case.folder / "in.pgn").write_text(text)
    return all_done(case, "create g.db3 in.pgn") or done(case, "dedup", "g.db3", cpu_limit_s=300)


def huge_archive_member(case: Case) -> str | None:
    """Read a small archive whose member claims more bytes than there are."""
    member = tarfile.TarInfo("games.pgn")
    member.size = 2**60
    archive = member.tobuf(tarfile.GNU_FORMAT) + game().encode() + bytes(512)
    (case.folder / "in.tar").write_bytes(archive)
    outcome = run(case, "create", "g.db3", "in.tar", cpu_limit_s=STUCK_S)
    return crash(outcome)


def long_name(case: Case) -> str | None:
    """Resolve a name of 20 kB, and one of thousands of words."""
    (case.folder / "in.pgn").write_text(game(White="a " * 10_000, Black="xy" * 10_000))
    return all_done(case, "create g.db3 in.pgn") or done(case, "players", "g.db3")


def names_that_sound_alike(case: Case) -> str | None:
    """Resolve thousands of names that differ in their vowels alone."""
    vowels = ("a", "e", "i", "o", "u", "y", "ee", "oo")
    names = (
        "K{}z{}r{}v{}v, N{}k{}l{}s".format(*sounds)
        for sounds in itertools.product(vowels, repeat=7)
    )
    text = "".join(game(White=name) for name in itertools.islice(names, 16_000))
    (case.folder / "in.pgn").write_text(text)
    return all_done(case, "create g.db3 in.pgn") or done(case, "players", "g.db3", cpu_limit_s=30)


def one_large_group(case: Case) -> str | None:
    """Eight thousand equal games under different names."""
    text = "".join(
        game(White=f"Name{number}, A", Black=f"Other{number}, B") for number in range(8_000)
    )
    (case.folder / "in.pgn").write_text(text)
    return all_done(case, "create g.db3 in.pgn") or done(case, "dedup", "g.db3")


def failing_vacuum(case: Case) -> str | None:
    """Compare what --purge says with what it did when the disk is full."""
    number, _ = ERRORS["ENOSPC"]
    for at in range(1, 12):
        start_folder(case, "deleted", case.folder)
        before = dump(case.folder / "g.db3")
        outcome, hit = run_hit(
            case, "dedup", "g.db3", "--purge", at=at, number=number, calls=("open",), on=True
        )
        if not hit.number:
            break
        changed = dump(case.folder / "g.db3") != before
        if changed and re.search("nothing was changed", outcome.err):
            return f"ENOSPC at {hit}: the games are gone, but it says {outcome.err!r}"
        problem = crash(outcome)
        if problem:
            return f"ENOSPC at {hit}: {problem}"
        shutil.rmtree(case.folder)
        case.folder.mkdir()
    return None


def short_draws_days_apart(case: Case) -> str | None:
    """Two draws of one pair on two days of one event are two games."""
    others = "".join(
        game(White=f"N{at}, A", Black=f"M{at}, B", Date="1990.??.??") for at in range(9)
    )
    (case.folder / "in.pgn").write_text(game() + game(Date="1999.03.03") + others)
    problem = all_done(case, "create g.db3 in.pgn", "dedup g.db3")
    if problem:
        return problem
    with contextlib.closing(sqlite3.connect(case.folder / "g.db3")) as connection:
        sql = "SELECT count(DuplicateStatus) FROM FlaggedGames WHERE ID IN (1, 2)"
        flagged = connection.execute(sql).fetchone()[0]
    return "the draws of 1999.03.01 and 1999.03.03 are one group" if flagged else None


def repetition_after_renames(case: Case) -> str | None:
    """Killed between two renames, or after the commit, a load is repeated without trouble."""
    for name in ("create-reports", "append-reports", "run"):
        writing = next(each for each in WRITING if each.name == name)
        at = 0
        while True:
            expected = undisturbed(case, writing)
            if isinstance(expected, str):
                return expected
            at += 1
            _, hit = run_hit(case, *writing.words, at=at, calls=("rename", "unlink"))
            if not hit.number:
                break
            problem = after_repetition(case.folder, writing, expected, run(case, *writing.words))
            if problem:
                return f"{name}, killed at {hit}: {problem}"
    return None


def closed_standard_error(case: Case) -> str | None:
    """Run commands with a closed stream: they do their work, without a traceback."""
    inputs(case, case.folder)
    for words in (f"create g.db3 {GAMES}", "dedup g.db3", "export g.db3 -o o.pgn"):
        outcome = run(case, *words.split(), prepare=lambda: os.close(2))
        if outcome.status not in (DONE, REJECTED):
            return f"`{words}`: exit status {outcome.status}, with standard error closed"
    for name in ("g.db3", "o.pgn"):
        if not (case.folder / name).exists():
            return f"{name} is missing, with standard error closed"
    outcome = run(case, "export", "g.db3", "-o", "-", prepare=lambda: os.close(1))
    return crash(outcome) or refused(outcome)


def numbers_of_twenty_digits(case: Case) -> str | None:
    """Read lists of names with absurd numbers."""
    digits = "12345678901234567890"
    player = (
        "<player><fideid>{}</fideid><name>Tal, Mihail</name><country>LAT</country><sex>M</sex>"
        "<title>GM</title><rating>{}</rating><birthday>{}</birthday></player>"
    )
    start_folder(case, "loaded", case.folder)
    for fields in ((digits, "2500", "1936"), ("7", digits, "1936"), ("7", "2500", digits)):
        text = f"<playerslist>{player.format(*fields)}</playerslist>"
        (case.folder / "list.xml").write_text(text)
        problem = crash(run(case, "players", "g.db3", "--fide-xml", "list.xml"))
        if problem:
            return problem
    for line in (f"Tal, Mihail #GM LAT [{digits}]", f"Tal, Mihail\n%Bio FIDEID {digits}"):
        (case.folder / "names.ssp").write_text(f"@PLAYER\n\n{line}\n  = Tal, M\n")
        problem = crash(run(case, "players", "g.db3", "--aliases", "names.ssp"))
        if problem:
            return problem
    return None


ODD_CONTENT = (
    "UPDATE Players SET Name = CAST(x'4b4fe4' AS TEXT) WHERE ID = 3",
    "DELETE FROM Players WHERE ID = 3",
    "UPDATE Games SET Moves2 = 'text' WHERE ID = 5",
    "UPDATE Games SET PlyCount = 'many' WHERE ID = 5",
    "UPDATE Games SET WhiteElo = 'high' WHERE ID = 5",
    "UPDATE Games SET EventID = 'none' WHERE ID = 5",
    "UPDATE Annotations SET NAG = 'good' WHERE NAG IS NOT NULL",
    "UPDATE Players SET Name = x'00ff' WHERE ID = 4",
    "UPDATE Players SET Name = NULL WHERE ID = 4",
    "UPDATE Games SET ExtraTags = CAST(x'7b2261223a22e4227d' AS TEXT) WHERE ID = 5",
    "UPDATE Games SET ExtraTags = '{\"a\":' || replace(hex(zeroblob(1500)), '0', '[') WHERE ID = 5",
)


def odd_content(case: Case) -> str | None:
    """Databases with values that no program of ours writes."""
    for change in ODD_CONTENT:
        start_folder(case, "flagged", case.folder)
        with contextlib.closing(sqlite3.connect(case.folder / "g.db3")) as connection, connection:
            connection.execute(change)
        for words in (
            "info g.db3",
            "check g.db3",
            "export g.db3 -o - --all",
            "find g.db3 --year 1900-",
            "printpgn g.db3 -g 5",
            "players g.db3",
            "dedup g.db3 --full",
        ):
            problem = crash(run(case, *words.split()))
            if problem:
                return f"after {change}: {problem}"
        shutil.rmtree(case.folder)
        case.folder.mkdir()
    return None


def cut_archive(case: Case) -> str | None:
    """All games before the cut of an archive are kept."""
    rng = case.random()
    inputs(case, case.folder)
    source = (case.folder / "club_library.pgn").read_text("utf-8")
    for ending in ("tar", "tar.gz"):
        members = [many_games(source, 300, rng).encode() for _ in range(3)]
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz" if ending == "tar.gz" else "w") as archive:
            for number, text in enumerate(members):
                member = tarfile.TarInfo(f"{number}.pgn")
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text))
        whole = packed.getvalue()
        cut = whole[: int(len(whole) * 0.62)]
        (case.folder / f"in.{ending}").write_bytes(cut)
        readable = unpacked(cut) if ending == "tar.gz" else cut
        expected = readable.count(b"\n[Event ") - 1  # the last one may be cut
        database = case.folder / f"{ending}.db3"
        outcome = run(case, "create", database.name, f"in.{ending}")
        if crash(outcome) or outcome.status == FAILED:
            return crash(outcome) or f"`{outcome.command()}`: {outcome.err}"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            actual = connection.execute("SELECT count(*) FROM Games").fetchone()[0]
        if actual < expected:
            return f"in.{ending}, cut: {actual} games were read, {expected} are whole"
    return None


def unpacked(packed: bytes) -> bytes:
    return zlib.decompressobj(wbits=31).decompress(packed)


CHAINS = (
    (
        f"create g.db3 {GAMES}",
        "dedup g.db3 --delete",
        "signatures g.db3",
        "dedup g.db3 --undo",
    ),
    (
        "create g.db3 poor.pgn",
        "dedup g.db3 --delete",
        "create g.db3 better.pgn --append",
        "dedup g.db3 --delete",
        "create g.db3 best.pgn --append",
        "dedup g.db3 --delete",
        "export g.db3 -o o.pgn --duplicates c.pgn",
        "dedup g.db3 --restore",
    ),
    (
        "create g.db3 magazine_archive.pgn web_download.pgn",
        "dedup g.db3 --delete --no-merge",
        "create g.db3 club_library.pgn --append",
        "dedup g.db3 --merge-variations",
        "dedup g.db3 --undo",
        "dedup g.db3 --full --merge-variations --keep first",
        "signatures g.db3",
        "check g.db3 --repair",
        "dedup g.db3 --delete",
        "dedup g.db3 --restore",
    ),
)
RECORDS = {
    "poor.pgn": {"Event": "?", "Site": "?", "Date": "1999.??.??"},
    "better.pgn": {"Date": "1999.03.??", "Round": "3"},
    "best.pgn": {"Site": "Riga LAT", "Round": "3", "WhiteElo": "2500", "ECO": "C89"},
}


def chains(case: Case) -> str | None:
    """Delete, load better records, undo and restore one after another."""
    for lines in CHAINS:
        for name, tags in RECORDS.items():
            (case.folder / name).write_text(game(LONG_GAME, **tags) * (1 + (name == "poor.pgn")))
        problem = replay(case, lines)
        if problem:
            return problem
        shutil.rmtree(case.folder)
        case.folder.mkdir()
    return None


def escape_codes(case: Case) -> str | None:
    """Control characters reach no terminal, formulas no spreadsheet."""
    start_folder(case, "inputs", case.folder)
    odd = game(White="\x1b[31mRed\x07", Event="=cmd|'/c calc'!A1") * 2
    (case.folder / "in\x1b[2J.pgn").write_text(odd + game("1. e4 e5 2. Ke3", White="\x1b[1mX"))
    commands = (
        ("create", "g.db3", "in\x1b[2J.pgn"),
        ("dedup", "g.db3", "--report", "r.csv"),
        ("find", "g.db3", "--year", "1999"),
        ("printpgn", "g.db3", "--diff", "1", "2"),
        ("info", "g.db3"),
    )
    for words in commands:
        outcome = run_on_terminal(case, *words)
        if outcome is not None:
            return outcome
    cells = (case.folder / "r.csv").read_text().split(",")
    if any(cell.strip('"').startswith("=") for cell in cells):
        return "r.csv has a cell that starts with ="
    return None


def run_on_terminal(case: Case, *words: str) -> str | None:
    """Run a command whose streams are a terminal; return what it should not have printed there."""
    mine, theirs = os.openpty()
    try:
        process = start(case, *words, stdin=theirs, stdout=theirs, stderr=theirs)
    finally:
        os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the terminal is closed at the other end
        while block := os.read(mine, 65536):
            shown += block
    os.close(mine)
    outcome = finish(process, words)
    for code in (b"\x1b[31mRed", b"\x07", b"\x1b[2J", b"\x1b[1mX"):
        if code in shown:
            return f"`{outcome.command()}` printed {code!r} on a terminal"
    return crash(outcome)


def renamed_folder(case: Case) -> str | None:
    """Run knows its own outputs after the folder was renamed."""
    start_folder(case, "inputs", case.folder)
    words = ("run", "-o", "u.pgn", "--db", "g.db3", "--duplicates", "c.pgn")
    problem = done(case, *words, *GAMES.split())
    if problem:
        return problem
    new = case.folder.with_name("renamed")
    case.folder.rename(new)
    outcome = run(case, *words, "more.pgn", folder=new)
    case.folder.mkdir()
    if outcome.status not in (DONE, REJECTED):
        return f"`{outcome.command()}`: exit status {outcome.status}: {outcome.err}"
    return None


# Seed, and number in docs/reliability.md: the order of both.
CASES: tuple[Callable[[Case], str | None], ...] = (
    wrong_persons,
    dangling_persons,
    temporary_names,
    many_equal_games,
    huge_archive_member,
    long_name,
    names_that_sound_alike,
    one_large_group,
    failing_vacuum,
    short_draws_days_apart,
    repetition_after_renames,
    closed_standard_error,
    numbers_of_twenty_digits,
    odd_content,
    cut_archive,
    chains,
    escape_codes,
    renamed_folder,
)


def run_case(case: Case) -> str | None:
    defect = CASES[case.seed % len(CASES)]
    problem = defect(case)
    return f"{defect.__name__.replace('_', ' ')}: {problem}" if problem else None
