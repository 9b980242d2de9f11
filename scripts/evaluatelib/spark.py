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

from ocgdedup.pipeline.lossless import LosslessReader
from ocgdedup.store.duplicates import stored_flags
from ocgdedup.store.merged_headers import merged_ids, merged_tags
from ocgdedup.tables.columns import LOSSLESS_GAMES

_NOTE = ("Ply", "Position", "Comment", "NAG", "Variation")
_TAGS = ("Tag", "Before", "After", "FromGameID", "Reason")

Rows = dict[Any, Any]


def differences(
    inputs: Sequence[Path], folder: Path, partitions: Iterable[int], options: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a line for each kind of result and number of partitions: rows, and how many differ."""
    database = folder / "games.db3"
    names = list(map(str, inputs))
    _run("create", str(database), *names, "-q")
    _run("dedup", str(database), "-q", *options)
    expected = _of_database(database)
    for count in partitions:
        output = folder / f"spark-{count}"
        spark = ("--master", "local[2]", "--partitions", str(count), "-q")
        _run("distributed", *names, "-o", str(output), *spark, *options)
        found = _of_folder(output)
        for name, rows in expected.items():
            other = found[name]
            wrong = [key for key in rows.keys() | other.keys() if rows.get(key) != other.get(key)]
            line = f"{name:20} {count:4} partitions {len(rows):8} rows {len(wrong):6} differ"
            values = ((key, rows.get(key), other.get(key)) for key in wrong[:3])
            shown = (f"\n  {key}: {one} <> {two}"[:400] for key, one, two in values)
            yield line + "".join(shown)
        text = b"".join(path.read_bytes() for path in sorted((output / "clean").iterdir()))
        clean = _clean_text(database)
        line = f"{'clean text':20} {count:4} partitions {len(clean):8} bytes"
        yield f"{line} {text != clean:6} differ"


def _run(*words: str) -> None:
    command = [sys.executable, "-m", "ocgdedup", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise ValueError(f"ocgdedup {words[0]} failed:\n{done.stderr}")


def _clean_text(database: Path) -> bytes:
    command = [sys.executable, "-m", "ocgdedup", "export", str(database), "-o", "-", "-q"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def _of_database(database: Path) -> dict[str, Rows]:
    with closing(sqlite3.connect(database)) as plain:
        suspects = plain.execute("SELECT GameID1, GameID2, Class, Score, Evidence FROM Suspects")
        possible = {row[:2]: row[2:] for row in suspects}
    with closing(apsw.Connection(str(database))) as connection:
        tags: Rows = {}
        for game_id, *tag in merged_tags(connection):
            tags.setdefault(game_id, []).append(tuple(tag))
        merged: Rows = {}
        for columns in LosslessReader(connection).games([merged_ids(connection)]):
            for values in zip(*columns, strict=True):
                game = dict(zip(LOSSLESS_GAMES.column_names, values, strict=True))
                del game["Faults"]
                game_id = game.pop("ID")
                merged[game_id] = _record(game)
        flags = {game_id: tuple(values) for game_id, values in stored_flags(connection).items()}
        return {
            "duplicates": flags,
            "possible duplicates": possible,
            "merged tags": {game_id: sorted(rows) for game_id, rows in tags.items()},
            "merged records": merged,
        }


def _of_folder(folder: Path) -> dict[str, Rows]:
    import pyarrow.parquet

    duplicates = pyarrow.parquet.read_table(folder / "duplicates").to_pylist()
    possible = pyarrow.parquet.read_table(folder / "possible").to_pylist()
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
        "merged records": {
            row["ID"]: _record(row["Merged"]) for row in duplicates if row["Merged"]
        },
    }


def _record(game: Mapping[str, Any]) -> dict[str, Any]:
    notes = [tuple(note.get(name) for name in _NOTE) for note in game["Annotations"] or ()]
    return {**game, "Annotations": notes}
