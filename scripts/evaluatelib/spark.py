"""Compare a search on Spark with one of the program itself, row by row."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from ocgdedup.pipeline.ingest.lossless import LosslessReader
from ocgdedup.store.duplicates import stored_flags
from ocgdedup.store.merges import merged_ids, merged_tags
from ocgdedup.tables.columns import LOSSLESS_GAMES

_NOTE = ("Ply", "Position", "Comment", "NAG", "Variation")
_TAGS = ("Tag", "Before", "After", "FromGameID", "Reason")

Rows = dict[Any, Any]


def differences(
    inputs: Sequence[Path],
    folder: Path,
    partitions: Iterable[int],
    options: Sequence[str] = (),
    fide_list: Path | None = None,
) -> Iterator[str]:
    """Yield a line for each kind of result and number of partitions: rows, and how many differ.

    With a FIDE list, players are looked up too.
    """
    database = folder / "games.db3"
    names = list(map(str, inputs))
    _run("create", str(database), *names, "-q")
    lists = () if fide_list is None else ("--fide-xml", str(fide_list))
    players: dict[str, Rows] = {}  # and games, as they are before duplicates are merged
    if lists:
        _run("players", str(database), "-q", *lists)
        players["players"] = _players_of_database(database)
    with closing(apsw.Connection(str(database))) as connection:
        ids = [game_id for (game_id,) in connection.execute("SELECT ID FROM Games ORDER BY ID")]
        players["games"] = _records_of_database(connection, ids)
    _run("dedup", str(database), "-q", *options)
    expected = _of_database(database) | players
    for count in partitions:
        output = folder / f"spark-{count}"
        spark = ("--master", "local[2]", "--partitions", str(count), "-q")
        _run("distributed", *names, "-o", str(output), *spark, *options, *lists)
        actual = _of_folder(output)
        if lists:
            actual["players"] = _players_of_folder(output)
        for name, rows in expected.items():
            other = actual[name]
            wrong = [key for key in rows.keys() | other.keys() if rows.get(key) != other.get(key)]
            line = f"{name:20} {count:4} partitions {len(rows):8} rows {len(wrong):6} differ"
            values = ((key, rows.get(key), other.get(key)) for key in wrong[:3])
            shown = (f"\n  {key}: {left} <> {two}"[:400] for key, left, two in values)
            yield line + "".join(shown)
        text = b"".join(path.read_bytes() for path in sorted((output / "clean").iterdir()))
        clean = _clean_text(database, "canonical" if lists else "merged")
        line = f"{'clean text':20} {count:4} partitions {len(clean):8} bytes"
        yield f"{line} {text != clean:6} differ"


def _run(*words: str) -> None:
    command = [sys.executable, "-m", "ocgdedup", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise ValueError(f"ocgdedup {words[0]} failed:\n{done.stderr}")


def _clean_text(database: Path, named: str) -> bytes:
    words = ("export", str(database), "-o", "-", "-q", "--names", named)
    command = [sys.executable, "-m", "ocgdedup", *words]
    return subprocess.run(command, capture_output=True, check=True).stdout


def _of_database(database: Path) -> dict[str, Rows]:
    with closing(sqlite3.connect(database)) as plain:
        suspects = plain.execute("SELECT GameID1, GameID2, Class, Score, Evidence FROM Suspects")
        possible = {row[:2]: row[2:] for row in suspects}
    with closing(apsw.Connection(str(database))) as connection:
        tags: Rows = {}
        for game_id, *tag in merged_tags(connection):
            tags.setdefault(game_id, []).append(tuple(tag))
        merged = _records_of_database(connection, merged_ids(connection))
        flags = {game_id: tuple(values) for game_id, values in stored_flags(connection).items()}
        return {
            "duplicates": flags,
            "possible duplicates": possible,
            "merged tags": {game_id: sorted(rows) for game_id, rows in tags.items()},
            "merged records": merged,
        }


def _records_of_database(connection: apsw.Connection, ids: list[int]) -> Rows:
    records: Rows = {}
    for columns in LosslessReader(connection).games([ids]):
        for values in zip(*columns, strict=True):
            game = dict(zip(LOSSLESS_GAMES.column_names, values, strict=True))
            records[game["ID"]] = _record(game)
    return records


def _players_of_database(database: Path) -> Rows:
    """Return what names mean, and who played each side of single games if the name does not say."""
    with closing(sqlite3.connect(database)) as plain:
        names = plain.execute(
            "SELECT Players.Name, Persons.ID, Persons.Name, FideID, Title, Country, BirthYear, "
            "Stage, Score, Reason, Probability FROM Resolutions "
            "JOIN Players ON Players.ID = PlayerID JOIN Persons ON Persons.ID = PersonID "
            "WHERE Scope = 'name'"
        )
        rows: Rows = {row[0]: row[1:] for row in names}
        for side in ("White", "Black"):
            games = plain.execute(
                f"SELECT Games.ID, {side}PersonID FROM Games LEFT JOIN Resolutions "
                f"ON PlayerID = {side}ID AND Scope = 'name' "
                f"WHERE {side}PersonID IS NOT PersonID"
            )
            rows.update({(game_id, side): person for game_id, person in games})
        return rows


def _players_of_folder(folder: Path) -> Rows:
    """Return the same of a folder."""
    import pyarrow.parquet

    columns = ("PersonID", "Person", "FideID", "Title", "Country", "BirthYear", "Stage", "Score",
               "Reason", "Probability")  # fmt: skip
    table = pyarrow.parquet.read_table(folder / "persons").to_pylist()
    of_names = [row for row in table if row["Scope"] == "name"]
    rows: Rows = {row["Name"]: tuple(row[name] for name in columns) for row in of_names}
    for row in table:
        by_name = rows.get(row["Name"], (None,))
        if row["Scope"] == "game" and row["PersonID"] != by_name[0]:
            rows[row["GameID"], row["Side"]] = row["PersonID"]
    return rows


def _of_folder(folder: Path) -> dict[str, Rows]:
    import pyarrow.parquet

    duplicates = pyarrow.parquet.read_table(folder / "duplicates").to_pylist()
    possible = pyarrow.parquet.read_table(folder / "possible").to_pylist()
    games = pyarrow.parquet.read_table(folder / "games" / "games").to_pylist()
    flags = ("DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore")
    return {
        "duplicates": {row["ID"]: tuple(row[name] for name in flags) for row in duplicates},
        "possible duplicates": {
            (row["GameID1"], row["GameID2"]): (row["Class"], row["Score"], row["Evidence"])
            for row in possible
        },
        "merged tags": {
            row["ID"]: sorted(tuple(tag[name] for name in _TAGS) for tag in row["MergedTags"])
            for row in duplicates
            if row["MergedTags"]
        },
        "games": {row["ID"]: _record(row) for row in games},
        "merged records": {
            row["ID"]: _record(row["Merged"]) for row in duplicates if row["Merged"]
        },
    }


def _record(game: Mapping[str, Any]) -> dict[str, Any]:
    notes = [tuple(note.get(name) for name in _NOTE) for note in game["Annotations"] or ()]
    names = set(LOSSLESS_GAMES.column_names).intersection(game) - {"ID", "Faults"}
    values = {name: game[name] for name in names}
    return {**values, "Annotations": notes}
