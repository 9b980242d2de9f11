"""Small texts share chunks: games, sources, numbers and problems are those of `create`."""

from __future__ import annotations

import bz2
import gzip
import random
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the search on Spark needs pyspark")

from ocgdedup.errors import UsageError
from ocgdedup.files.inputs import list_shared_inputs
from ocgdedup.files.storage import open_file
from ocgdedup.spark import chunks, pgn
from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.pgn_text import game

FAULT = game("1. e4 e5 2. Ke3 Qh4 1-0", Event="Fault")
REJECTED = "not a game\n\n[Broken\n\n"


def write_texts(folder: Path, seed: int) -> None:
    """Write small texts, some with faults or without games, compressed, damaged, or in archives."""
    rng = random.Random(seed)

    def text() -> str:
        games = [game("1. e4 e5 *", Round=n) for n in range(rng.choice((0, 1, 1, 1, 5, 40)))]
        games += rng.choice(([], [], [FAULT], [REJECTED], [REJECTED, FAULT, game("1. d4 *")]))
        rng.shuffle(games)
        return "".join(games)

    for number in range(30):
        name = folder / f"{number:02}.pgn"
        content = text().encode()
        form = rng.choice(("plain", "plain", "plain", "gz", "damaged", "zip", "cut zip"))
        if form == "plain":
            name.write_bytes(content)
        elif form == "gz":
            name.with_suffix(".pgn.gz").write_bytes(gzip.compress(content))
        elif form == "damaged":
            streams = [bz2.compress(content), bz2.compress(text().encode() or b"a")]
            name.with_suffix(".pgn.bz2").write_bytes(b"".join(streams)[:-9])
        else:
            path = name.with_suffix(".zip")
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for member in "abc":
                    archive.writestr(f"{member}.pgn", text())
            if form == "cut zip":
                data = bytearray(path.read_bytes())
                data[45] ^= 0xFF  # in the first member
                path.write_bytes(data)


def read(paths: list[str]) -> tuple[list[Any], list[Any], list[tuple[int, str]], int]:
    """Return games, problems and sources as a run on Spark has them, and the number of chunks."""
    splits = pgn._splits(list_shared_inputs(paths))
    batches = list(pgn._chunks_of_splits((split, open_file(split.path)) for split in splits))
    rows = [SimpleNamespace(**row) for batch in batches for row in batch.to_pylist()]
    assert [row.Chunk for row in rows] == sorted(row.Chunk for row in rows)
    offsets = pgn._offsets(splits, rows)  # type: ignore[arg-type]
    games = [
        row for table in chunks.games_of_batches(offsets, batches) for row in table.to_pylist()
    ]
    problems = [
        problem
        for row in rows
        if row.Problems
        for batch in chunks._problems(
            chunks.from_bytes(memoryview(row.Problems)), offsets[row.Chunk]
        )
        for problem in batch.to_pylist()
    ]
    names = (enumerate(offset.names, offset.source_id) for offset in offsets.values())
    return games, problems, sorted({text for texts in names for text in texts}), len(rows)


@pytest.mark.parametrize("chunk_bytes", [1 << 24, 3000, 500])
@pytest.mark.parametrize("seed", range(8))
def test_small_texts_are_read_as_create_reads_them(
    seed: int, chunk_bytes: int, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn, "_CHUNK_BYTES", chunk_bytes)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    write_texts(tmp_path / "in", seed)
    assert command("create", "a.db3", "in", "-q").status in (0, 1)
    games, problems, sources, count = read(["in"])
    assert sources == query("a.db3", "SELECT ID, Name FROM Sources")
    columns = "ID", "SourceID", "SourceNumber", "SourceOffset"
    expected = query("a.db3", f"SELECT {', '.join(columns)} FROM Games")
    assert [tuple(row[name] for name in columns) for row in games] == expected
    faults = [(row["ID"], row["Line"], row["Ply"]) for row in problems if row["ID"]]
    assert sorted(faults) == query("a.db3", "SELECT GameID, Line, Ply FROM Faults ORDER BY 1")
    of_games = [(row["ID"], fault["Line"]) for row in games for fault in row["Faults"] or ()]
    assert of_games == [fault[:2] for fault in sorted(faults)]
    places = "SourceID", "SourceNumber", "Line"
    rejects = [tuple(row[name] for name in places) for row in problems if not row["ID"]]
    assert sorted(rejects) == query(
        "a.db3", f"SELECT {', '.join(places)} FROM Rejects ORDER BY 1, 2, 3"
    )
    names = dict(sources)
    assert all(row["Name"] == names[row["SourceID"]] for row in problems)
    if chunk_bytes == 1 << 24:
        assert count < len(sources)


def test_go_games_have_a_chunk_of_their_own(tmp_path: Path) -> None:
    texts = {"a.pgn": "no game\n", "b.sgf": "(;GM[1])", "c.sgf": "(;GM[1]SZ[19];B[pd])",
             "d.pgn": game("1. e4 *"), "e.pgn": "no game\n"}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    splits = pgn._splits(list_shared_inputs([str(tmp_path)]))
    batches = list(pgn._chunks_of_splits((split, open_file(split.path)) for split in splits))
    rows = [SimpleNamespace(**row) for batch in batches for row in batch.to_pylist()]
    assert [[Path(name).name for name in row.Sources] for row in rows] == [
        ["a.pgn"], ["b.sgf", "c.sgf"], ["d.pgn", "e.pgn"],
    ]  # fmt: skip
    assert rows[1].First in (0, 1)
    texts_of_kinds = ((row.Sources[row.First], pgn.kind_of(row.IsGo)) for row in rows if row.Games)
    with pytest.raises(UsageError, match=r"d\.pgn: holds chess, but the games before it are Go"):
        pgn._only_kind(texts_of_kinds)


def test_texts_that_are_not_neighbours_do_not_share_a_chunk(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.pgn").write_text(game("1. e4 *", Event=name), encoding="utf-8")
    splits = pgn._splits(list_shared_inputs([str(tmp_path)]))
    mixed = [splits[number] for number in (0, 2, 3, 1)]
    batches = list(pgn._chunks_of_splits((split, open_file(split.path)) for split in mixed))
    assert [len(batch["Sources"][0]) for batch in batches] == [1, 2, 1]
