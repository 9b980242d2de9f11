"""Folders in which commands start: inputs, and databases in every state that commands know."""

from __future__ import annotations

import contextlib
import gzip
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from torturelib.model import Case, PreparationError, TortureError
from torturelib.running import run

ROOT = Path(__file__).resolve().parents[2]
OLD_DATABASES = ROOT / "tests" / "schema"
OLD_VERSIONS = (1, 2, 3, 4, 5)  # of the schema
NO_GAME = "this text is no game\n\n"


def start_folder(case: Case, name: str, target: Path) -> None:
    """Copy a starting point into an empty folder, made first if need be."""
    kept = case.kept / f"start-{name}"
    if not kept.exists():
        new = case.kept / f"new-{name}"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        STARTS[name](case, new)
        new.rename(kept)
    shutil.copytree(kept, target, dirs_exist_ok=True, symlinks=True)


def must(case: Case, folder: Path, *words: str) -> None:
    """Run a command that prepares a case."""
    outcome = run(case, *words, folder=folder)
    if outcome.status not in (0, 1):
        raise PreparationError(f"`{outcome.command()}`: exit {outcome.status}: {outcome.err}")


def inputs(case: Case, folder: Path) -> None:
    for path in case.games.iterdir():
        if path.suffix != ".md":
            shutil.copyfile(path, folder / path.name)
    for path in case.go_games.glob("*.sgf"):
        shutil.copyfile(path, folder / path.name)
    text = "".join(path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.pgn")))
    (folder / "more.pgn").write_text(NO_GAME + many_games(text, 150, random.Random(1)), "utf-8")


SURNAMES = ("Abel", "Bruno", "Carla", "Dora", "Emil", "Frida", "Georg", "Hanna", "Ida", "Jakob")


def many_games(text: str, count: int, rng: random.Random) -> str:
    """Return games made of others: other names, days and lengths, some of them duplicates."""
    games = [game for game in re.split(r"\n(?=\[Event )", text) if "[White " in game]
    made = []
    for number in range(count):
        game = rng.choice(games).strip()
        if rng.random() < 0.7:
            name = rng.choice(SURNAMES)
            game = re.sub(r'\[White "[^"]*"\]', f'[White "{name}, {number % 17}"]', game)
            game = re.sub(r'\[Date "[^"]*"\]', f'[Date "19{number % 90 + 10}.05.17"]', game)
        if rng.random() < 0.3:
            game = cut(game, rng)
        made.append(game + "\n\n")
    return "".join(made)


def cut(game: str, rng: random.Random) -> str:
    """Leave out the last moves."""
    tags, _, moves = game.partition("\n\n")
    words = moves.split()
    return f"{tags}\n\n{' '.join(words[: rng.randint(len(words) // 2, len(words))])}"


GAME_FILES = ("club_library.pgn", "magazine_archive.pgn", "web_download.pgn")
LISTS = ("--fide-xml", "players_2013-01.xml", "--aliases", "spelling.ssp")


def loaded(case: Case, folder: Path) -> None:
    inputs(case, folder)
    must(case, folder, "create", "g.db3", *GAME_FILES)


def flagged(case: Case, folder: Path) -> None:
    loaded(case, folder)
    must(case, folder, "dedup", "g.db3")


def listed(case: Case, folder: Path) -> None:
    loaded(case, folder)
    must(case, folder, "players", "g.db3", *LISTS)
    must(case, folder, "dedup", "g.db3")


def deleted(case: Case, folder: Path) -> None:
    loaded(case, folder)
    must(case, folder, "players", "g.db3")
    must(case, folder, "dedup", "g.db3", "--delete")


def signed(case: Case, folder: Path) -> None:
    flagged(case, folder)
    must(case, folder, "signatures", "g.db3")


def decided(case: Case, folder: Path) -> None:
    """Write a file of decisions about possible duplicates."""
    flagged(case, folder)
    (folder / "decisions.csv").write_text(
        "GameID1,GameID2,Decision,Master\n3,26,same,26\n1,2,different,\n8,45,different,\n"
    )


def damaged(case: Case, folder: Path) -> None:
    flagged(case, folder)
    with contextlib.closing(sqlite3.connect(folder / "g.db3")) as connection, connection:
        connection.execute("UPDATE Games SET PlyCount = 1, SampledKey = 1, DateQuality = 13")
        connection.execute("INSERT INTO Comments (GameID, Ply, Comment) VALUES (9999, 0, 'lost')")


def produced(case: Case, folder: Path) -> None:
    """Make all that `run` writes, and then more input."""
    inputs(case, folder)
    must(case, folder, "run", *GAME_FILES, *RUN_OUTPUTS)


RUN_OUTPUTS = ("-o", "u.pgn", "--db", "g.db3", "--duplicates", "c.pgn", "--report", "r.html")


def exported(case: Case, folder: Path) -> None:
    """Make outputs that --force overwrites."""
    flagged(case, folder)
    must(case, folder, "export", "g.db3", "-o", "o.pgn", "--all")
    must(case, folder, "export", "g.db3", "-o", "part.pgn", "--all", "--split", "10")
    must(case, folder, "export", "g.db3", "-o", "tables", "--all", "--format", "csv")
    must(case, folder, "dedup", "g.db3", "--full", "--report", "r.csv")


def go(case: Case, folder: Path) -> None:
    inputs(case, folder)
    must(case, folder, "create", "go.db3", "club.sgf")


def from_ocgdb(case: Case, folder: Path) -> None:
    """Make a database as OCGDB writes it, of games of ours."""
    loaded(case, folder)
    ours, theirs = folder / "g.db3", folder / "o.db3"
    with contextlib.closing(sqlite3.connect(theirs)) as connection, connection:
        connection.executescript(OCGDB_SCHEMA)
        connection.execute("ATTACH ? AS ours", (str(ours),))
        for table, columns in OCGDB_COLUMNS.items():
            chosen = f"INSERT INTO {table} ({columns}) SELECT {columns} FROM ours.{table}"
            connection.execute(chosen + (" WHERE PlyCount > 0" if table == "Games" else ""))
        connection.execute("UPDATE Games SET Date = replace(replace(Date, '.', '-'), '?', '1')")
    ours.unlink()


OCGDB_COLUMNS = {
    "Events": "ID, Name",
    "Sites": "ID, Name",
    "Players": "ID, Name, Elo",
    "Games": "ID, EventID, SiteID, Date, Round, WhiteID, WhiteElo, BlackID, BlackElo, Result, "
    "TimeControl, ECO, PlyCount, FEN, Moves2",
    "Comments": "ID, GameID, Ply, Comment",
}
OCGDB_SCHEMA = """
CREATE TABLE Info (Name TEXT UNIQUE NOT NULL, Value TEXT);
CREATE TABLE Events (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Sites (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Players (ID INTEGER PRIMARY KEY, Name TEXT UNIQUE, Elo INTEGER);
CREATE TABLE Games (ID INTEGER PRIMARY KEY AUTOINCREMENT, EventID INTEGER, SiteID INTEGER,
    Date TEXT, Round TEXT, WhiteID INTEGER, WhiteElo INTEGER, BlackID INTEGER, BlackElo INTEGER,
    Result TEXT, TimeControl TEXT, ECO TEXT, PlyCount INTEGER, FEN TEXT,
    Moves2 BLOB DEFAULT NULL,
    FOREIGN KEY(EventID) REFERENCES Events, FOREIGN KEY(SiteID) REFERENCES Sites,
    FOREIGN KEY(WhiteID) REFERENCES Players, FOREIGN KEY(BlackID) REFERENCES Players);
CREATE TABLE Comments (ID INTEGER PRIMARY KEY AUTOINCREMENT, GameID INTEGER, Ply INTEGER,
    Comment TEXT);
INSERT INTO Info VALUES ('Data Structure Version', '0.6'), ('Version', '0.1'),
    ('Variant', 'standard'), ('License', 'free'), ('Description', '');
"""


def old_version(version: int) -> Callable[[Case, Path], None]:
    """Return what unpacks a database of an older schema version."""

    def unpack(case: Case, folder: Path) -> None:
        inputs(case, folder)
        packed = OLD_DATABASES / f"version-{version}.db3.gz"
        if not packed.exists():
            raise TortureError(f"{packed}: is missing; run this from a checkout")
        (folder / "g.db3").write_bytes(gzip.decompress(packed.read_bytes()))

    return unpack


STARTS: dict[str, Callable[[Case, Path], None]] = {
    "inputs": inputs,
    "loaded": loaded,
    "flagged": flagged,
    "listed": listed,
    "deleted": deleted,
    "signed": signed,
    "decided": decided,
    "damaged": damaged,
    "produced": produced,
    "exported": exported,
    "go": go,
    "ocgdb": from_ocgdb,
    **{f"old-{version}": old_version(version) for version in OLD_VERSIONS},
}
