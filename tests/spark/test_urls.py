"""Games in a store: the results of paths, byte by byte, from inputs to outputs."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.commands import distributed
from ocgdedup.errors import PgnReadError, UsageError
from tests.support.command_line import Command, Outcome
from tests.support.object_store import ObjectStore, object_store
from tests.support.pgn_text import game
from tests.support.played_games import collection_text

pytest.importorskip("pyspark", reason="the search on Spark needs pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)

# Without Hadoop's connector for S3, Spark finds what it writes itself below a local folder, under
# the same URLs.
_MOUNTED = "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme"


@pytest.fixture(scope="module")
def s3() -> Iterator[ObjectStore]:
    with object_store() as store:
        yield store


def settings(mounted: Path, store: ObjectStore) -> dict[str, str]:
    mounts = {f"fs.{scheme}.impl": _MOUNTED for scheme in ("s3a", "cosn")}
    mounts["fs.viewfs.mounttable.games.linkFallback"] = mounted.as_uri()
    return {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        **{f"spark.hadoop.{name}": value for name, value in mounts.items()},
        **{f"spark.executorEnv.{name}": value for name, value in store.environment.items()},
    }


@pytest.fixture(scope="module")
def mounted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mounted")


@pytest.fixture(scope="module")
def spark(s3: ObjectStore, mounted: Path) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]")
    for name, value in settings(mounted, s3).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def texts() -> dict[str, bytes]:
    """Return files of several formats with games, a fault and rejected text."""
    games = [game(f"1. e4 e5 {n % 7 + 2}. Nf3 *", Round=str(n)) for n in range(90)]
    games[20] = game("1. e4 e5 2. Ke3 Qh4 1-0")
    games[41] = "not a game\n\n[Broken\n\n"
    text = "".join(games).encode()
    streams = b"".join(bz2.compress(text[at : at + 1500]) for at in range(0, len(text), 1500))
    return {
        "a b%20c.pgn": text,
        "b.pgn.gz": gzip.compress(collection_text().encode()),
        "deep/c.pgn.bz2": streams,
        "letter.txt": b"dear",
    }


def rows(frame: Any) -> list[Any]:
    return sorted(map(repr, frame.collect()))


def put(folder: Path, store: ObjectStore | None) -> None:
    for name, content in texts().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        if store is not None:
            store.put(f"in/{name}", content)


def test_games_at_urls_are_those_of_the_same_paths(
    spark: Any, s3: ObjectStore, mounted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In S3, through pyarrow; at file: URLs; and through a connector that only Spark has."""
    from ocgdedup.spark import pgn, read_pgn, write_pgn

    monkeypatch.setattr(pgn, "SPLIT_BYTES", 4000)
    folder = mounted / "texts"
    put(folder, s3)
    (folder / "deep" / "c.pgn.bz2").write_bytes(texts()["deep/c.pgn.bz2"])
    urls = [str(folder), folder.as_uri(), "s3://games/in", "s3a://games/in/", "cosn://games/texts"]
    results = []
    for number, url in enumerate(urls):
        work = str(tmp_path / f"work-{number}")
        games, problems = read_pgn(spark, [url], work_dir=work)
        results.append((rows(games), rows(problems.drop("Name"))))
        chunks = spark.read.parquet(f"{work}/read").collect()
        names = {name for row in chunks for name in row.Sources}
        start = str(folder) if url.startswith("file:") else url.rstrip("/")
        assert names == {f"{start}/{name}" for name in texts() if name != "letter.txt"}
        if number < 2:
            assert spark.read.parquet(f"{work}/read").count() > 6  # read in pieces
    assert len(results[0][0]) > 200
    assert len(results[0][1]) == 4
    assert all(result == results[0] for result in results)
    one, _ = read_pgn(spark, ["cosn://games/texts/b.pgn.gz"], work_dir=str(tmp_path / "one"))
    assert one.count() == len([row for row in results[0][0] if "SourceID=2," in row])

    ordered = read_pgn(spark, [str(folder)], work_dir=str(tmp_path / "w"))[0].limit(10_000)
    s3.put("clean/letter.txt", b"dear")
    for files in (3, 2):
        local = write_pgn(ordered, (tmp_path / "clean").as_uri(), ending=".pgn.gz", files=files)
        assert write_pgn(ordered, "s3a://games/clean", ending=".pgn.gz", files=files) == local
        assert s3.keys("clean") == ["letter.txt", *local]
        for name in local:
            assert s3.get(f"clean/{name}") == (tmp_path / "clean" / name).read_bytes()


def test_what_neither_pyarrow_nor_spark_opens_is_refused(
    spark: Any, s3: ObjectStore, tmp_path: Path
) -> None:
    from ocgdedup.spark import read_pgn, write_pgn

    work = str(tmp_path / "work")
    (tmp_path / "a.pgn").write_text(game("1. e4 *"), encoding="utf-8")
    cases = {
        "nowhere://games/a.pgn": "Spark has no connector for nowhere://; start it with one",
        "cosn://games/none.pgn": r"cosn://games/none\.pgn: cannot be read: .*PATH_NOT_FOUND",
        "s3://games/none.pgn": "there is no such file or folder",
    }
    for url, problem in cases.items():
        with pytest.raises((UsageError, PgnReadError), match=problem):
            read_pgn(spark, [url], work_dir=work)
    with pytest.raises(UsageError, match=r"no connector for gs://; .*gcs-connector"):
        read_pgn(spark, [str(tmp_path / "a.pgn")], work_dir="gs://bucket/work")
    with pytest.raises(UsageError, match="pyarrow has no file system for cosn://"):
        write_pgn(spark.range(1), "cosn://games/clean")


@pytest.fixture
def in_one_session(spark: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the command on the session of this module: a Java of its own takes 20 s of CPU time."""
    monkeypatch.setattr(distributed, "_session", lambda _: nullcontext(spark))
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", partitions)


def test_command_from_urls_to_urls(
    s3: ObjectStore,
    mounted: Path,
    tmp_path: Path,
    command: Command,
    in_one_session: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The output in S3 equals that in a folder; repeated, finished stages are not run again."""
    put(tmp_path / "in", s3)
    monkeypatch.chdir(tmp_path)

    def run(source: str, output: str) -> Outcome:
        return command("distributed", source, "-o", output, "--partitions", "2", "--json")

    done = [run("in", "out"), run("s3://games/in", "s3a://games/out")]
    for outcome in done:
        assert outcome.status in (0, 1), outcome.err
        assert "in: not read, since not PGN or SGF: letter.txt" in outcome.err
    local, remote = (json.loads(outcome.out) for outcome in done)
    assert local == remote
    assert remote["written"] == remote["games"] - sum(remote["duplicates"].values())
    written = {
        str(path.relative_to(tmp_path / "out"))
        for name in ("clean", "games")
        for path in (tmp_path / "out" / name).rglob("*.*")
    }
    assert set(s3.keys("out")) == written | {"run.json"}
    for name in written - {"games/sources.parquet", "games/manifest.json"}:
        assert s3.get(f"out/{name}") == (tmp_path / "out" / name).read_bytes(), name
    assert (mounted / "out" / "duplicates" / "_SUCCESS").exists()
    assert (tmp_path / "out" / "stages" / "search" / "facts-bytes").exists()
    s3.client.delete_object(Bucket="games", Key="out/clean/part-00000.pgn")
    stages = mounted / "out" / "stages" / "search"
    times = {path: path.stat().st_mtime_ns for path in stages.rglob("_SUCCESS")}
    assert json.loads(run("s3://games/in", "s3a://games/out").out) == remote
    assert times == {path: path.stat().st_mtime_ns for path in stages.rglob("_SUCCESS")}
    assert set(s3.keys("out")) == written | {"run.json"}
    other = run("s3://games/in/b.pgn.gz", "s3a://games/out")
    assert other.status == 2
    assert "s3a://games/out: has results of other inputs or options" in other.err
    s3.put("letters/dear.txt", b"dear")
    other = run("s3://games/in", "s3a://games/letters")
    assert "s3a://games/letters: is a folder with other files in it" in other.err
