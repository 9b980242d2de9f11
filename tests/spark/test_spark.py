"""The search on Spark: the same results as without it, from text to text."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.decompress import load_zstd
from ocgdedup.files.inputs import InputFile
from ocgdedup.game_kind import CHESS, GO
from ocgdedup.model import Person
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.found_games import RECORDS
from tests.support.game_content import contents, differences
from tests.support.go_games import write_go_database
from tests.support.persons import fide_id, living, write_list
from tests.support.pgn_text import OPERA, game
from tests.support.pgn_text import played as played_game
from tests.support.played_games import collection_text
from tests.support.tables import ODD_GAMES

pyspark = pytest.importorskip("pyspark", reason="the search on Spark needs pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip(
        "Spark needs Java; install it with: apt-get install openjdk-17-jre-headless",
        allow_module_level=True,
    )

ROOT = Path(__file__).resolve().parents[2]
DEMO = sorted((ROOT / "scripts" / "demo_games").glob("*.pgn"))
RETRIED = "local[2,4]"  # a failed task is tried again, as on a cluster


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(RETRIED)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return lossless tables of the made collection."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "in.pgn").write_text(collection_text(), encoding="utf-8")
    for words in (("create", "a.db3", "in.pgn"), ("export", "a.db3", "--lossless", "-o", "tables")):
        run_in(folder, *words)
    return folder


def run_in(folder: Path, *words: str) -> None:
    command = [sys.executable, "-m", "ocgdedup", *words, "-q"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


FLAGGED = (
    "SELECT ID, DuplicateStatus, DuplicateGroup, DuplicateReason, HeaderScore FROM FlaggedGames "
    "WHERE DuplicateGroup IS NOT NULL ORDER BY ID"
)
SUSPECTS = "SELECT GameID1, GameID2, Class, Score, Evidence FROM Suspects ORDER BY 1, 2"


def rows(frame: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.select(*names).orderBy(*names[:2]).collect()]


def assert_equal(result: tuple[Any, Any], database: Path) -> None:
    """Compare the results of Spark with those in a database that was searched."""
    duplicates, possible = result
    flags = "ID", "DuplicateStatus", "DuplicateGroup", "DuplicateReason", "HeaderScore"
    assert rows(duplicates, *flags) == query(database, FLAGGED)
    pairs = "GameID1", "GameID2", "Class", "Score", "Evidence"
    assert rows(possible, *pairs) == query(database, SUSPECTS)


def assert_no_difference(*words: str, results: int) -> None:
    """Compare a search on Spark with one without it: a number of kinds of results, none empty."""
    command = [sys.executable, str(ROOT / "scripts" / "evaluate"), "spark", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert len(lines) == results
    assert all(line.endswith(" 0 differ") for line in lines), lines
    assert not any(" 0 rows" in line for line in lines)


# --- the same results ----------------------------------------------------------------------------


def test_demo_games_have_the_same_results_in_4_and_16_parts() -> None:
    assert_no_difference(*map(str, DEMO), results=12)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"keep": "longest", "no_merge": True},
        {"plycount": 20, "accuracy": "strict", "merge_variations": True},
    ],
)
def test_made_collection_has_the_same_results(
    spark: Any, played: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    from ocgdedup.pipeline.search.named_options import NamedOptions
    from ocgdedup.spark import find_duplicates

    named = NamedOptions(**options)
    database = tmp_path / "a.db3"
    shutil.copy(played / "a.db3", database)
    run_in(tmp_path, "dedup", "a.db3", *named.in_words().replace("defaults", "").split())
    games = spark.read.parquet(str(played / "tables" / "games.parquet"))
    work = tmp_path / "work"
    result = find_duplicates(games, work_dir=str(work), options=named, partitions=3)
    assert_equal(result, database)
    bytes_of_games = list((work / "facts-bytes").iterdir())
    assert bytes_of_games  # through files, not through Java
    assert not (work / "passing").exists()
    assert result[0].where("MergedTags IS NOT NULL").count() == value(
        database, "SELECT count(DISTINCT GameID) FROM MergedTags"
    )
    find_duplicates(games, work_dir=str(work), options=named, partitions=3)
    assert len(list((work / "facts-bytes").iterdir())) == len(bytes_of_games)


def test_decisions_count_as_they_do_without_spark(spark: Any, played: Path, tmp_path: Path) -> None:
    from ocgdedup.spark import find_duplicates

    shutil.copy(played / "a.db3", tmp_path / "a.db3")
    run_in(tmp_path, "dedup", "a.db3")
    ((first, second, *_), *_) = query(tmp_path / "a.db3", SUSPECTS)
    flagged = query(tmp_path / "a.db3", FLAGGED + " LIMIT 40")
    copy, kept = next((row[0], row[2]) for row in flagged if row[1] is not None)
    lines = [f"{first}\t{second}\tsame", f"{min(copy, kept)}\t{max(copy, kept)}\tdifferent"]
    (tmp_path / "decided.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_in(tmp_path, "review", "a.db3", "--decide", "decided.tsv")
    run_in(tmp_path, "dedup", "a.db3")
    decisions = spark.createDataFrame(
        [(first, second, True), (min(copy, kept), max(copy, kept), False)],
        "left long, right long, is_same boolean",
    )
    games = spark.read.parquet(str(played / "tables" / "games.parquet"))
    duplicates, _ = find_duplicates(
        games, work_dir=str(tmp_path / "work"), decisions=decisions, partitions=2
    )
    flags = "ID", "DuplicateStatus", "DuplicateGroup"
    expected = [row[:3] for row in query(tmp_path / "a.db3", FLAGGED)]
    assert rows(duplicates, *flags) == expected


def test_go_games_have_the_same_results(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.spark import find_duplicates

    write_go_database(tmp_path / "g.db3", RECORDS)
    run_in(tmp_path, "export", "g.db3", "--lossless", "-o", "tables")
    run_in(tmp_path, "dedup", "g.db3")
    games = spark.read.parquet(str(tmp_path / "tables" / "games.parquet"))
    result = find_duplicates(games, work_dir=str(tmp_path / "work"), is_go=True, partitions=2)
    assert_equal(result, tmp_path / "g.db3")


def test_a_worker_that_is_killed_changes_nothing(
    spark: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ocgdedup.spark import find_duplicates, search

    shutil.copy(played / "a.db3", tmp_path / "a.db3")
    run_in(tmp_path, "dedup", "a.db3")
    mark = str(tmp_path / "killed")
    judge = search._judged

    def die_once(*arguments: Any) -> Any:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return judge(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(search, "_judged", die_once)
    games = spark.read.parquet(str(played / "tables" / "games.parquet"))
    result = find_duplicates(games, work_dir=str(tmp_path / "work"), partitions=3)
    assert os.path.exists(mark)
    assert_equal(result, tmp_path / "a.db3")


def test_stages_that_are_there_are_not_computed_again(
    spark: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ocgdedup.spark import find_duplicates, search

    games = spark.read.parquet(str(played / "tables" / "games.parquet"))
    work = str(tmp_path / "work")
    first = find_duplicates(games, work_dir=work, partitions=3)
    expected = rows(first[0], "ID", "DuplicateGroup")
    shutil.rmtree(tmp_path / "work" / "groups")
    monkeypatch.delattr(search, "facts_of_parts")
    monkeypatch.delattr(search, "judged")
    again = find_duplicates(games, work_dir=work, partitions=3, resume=True)
    assert rows(again[0], "ID", "DuplicateGroup") == expected


def test_a_stage_that_is_computed_again_is_incomplete_until_then(
    spark: Any, tmp_path: Path
) -> None:
    from ocgdedup.spark.stages import Stages

    def fail(folder: str | None) -> Any:
        raise ZeroDivisionError(folder)

    stages = Stages(spark, str(tmp_path))
    assert stages.stage("a", lambda _: spark.range(3)).count() == 3
    with pytest.raises(ZeroDivisionError):
        stages.stage("a", fail)
    again = Stages(spark, str(tmp_path), resume=True)
    assert again.stage("a", lambda _: spark.range(5)).count() == 5
    assert again.stage("a", fail).count() == 5


def test_run_killed_while_it_deletes_other_results_is_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ocgdedup.commands import distributed

    folder = str(tmp_path / "out")
    assert not distributed._prepare(folder, "old", force=False)
    assert distributed._prepare(folder, "old", force=False)
    (tmp_path / "out" / "stages").mkdir()

    def killed(_: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(distributed.storage, "delete_folder", killed)
        with pytest.raises(KeyboardInterrupt):
            distributed._prepare(folder, "new", force=True)
    for identity in "old", "new":
        with pytest.raises(UsageError, match="has results of other inputs"):
            distributed._prepare(folder, identity, force=False)
    assert not distributed._prepare(folder, "new", force=True)
    assert distributed._prepare(folder, "new", force=False)


def test_short_games_are_left_out_wherever_they_start(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.pipeline.search.named_options import NamedOptions
    from ocgdedup.spark import find_duplicates

    (tmp_path / "in.pgn").write_text(ODD_GAMES * 3, encoding="utf-8")
    run_in(tmp_path, "create", "a.db3", "in.pgn")
    run_in(tmp_path, "export", "a.db3", "--lossless", "-o", "tables")
    run_in(tmp_path, "dedup", "a.db3", "--plycount", "3")
    games = spark.read.parquet(str(tmp_path / "tables" / "games.parquet"))
    named = NamedOptions(plycount=3)
    result = find_duplicates(games, work_dir=str(tmp_path / "work"), options=named, partitions=2)
    assert_equal(result, tmp_path / "a.db3")


def test_files_of_a_run_with_more_parts_do_not_stay(
    spark: Any, played: Path, tmp_path: Path
) -> None:
    from ocgdedup.spark import write_pgn

    games = spark.read.parquet(str(played / "tables" / "games.parquet"))
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    texts = []
    for files in (3, 1):
        names = write_pgn(games, str(tmp_path), files=files)
        assert {path.name for path in tmp_path.iterdir()} == {*names, "letter.txt"}
        texts.append(b"".join((tmp_path / name).read_bytes() for name in names))
    assert texts[0] == texts[1]


# --- players -------------------------------------------------------------------------------------

SHORT = "1. d4 d5 2. c4 e6 *"


def games_of_players() -> str:
    """Return games of namesakes, with FIDE IDs, web nicknames, spellings, unlisted players."""
    opens = {"Event": "Athens Open", "Site": "Athens GRE"}
    sons = {"WhiteFideId": str(fide_id("Horvath, Peter jr"))}
    texts = [
        played_game(n, name, SHORT, Date=f"{year}.05.{1 + n % 9:02}", **tags)
        for n, (name, year, tags) in enumerate(
            (
                ("Petrosian, T", 1960, {}),
                ("Petrosian, T", 2010, {"WhiteElo": "2610", "WhiteTitle": "GM"}),
                ("Petrosian, Tigran", 2010, {}),
                ("Chilov, A", 2015, {"WhiteFideId": str(fide_id("Chilov, Andreas")), **opens}),
                ("Chilov, Alexandros", 2015, opens | {"WhiteElo": "2035", "Black": "Chilov, A"}),
                ("Chilov, A", 2016, opens | {"WhiteElo": "2040"}),
                ("Wenzel, Carl", 2015, {}),
                ("Lemos, Nicolas", 2015, {"Black": "Rival, Rita"}),
                ("Lemos, N", 2015, {"Black": "Rival, Rita"}),
                ("Horvath, Peter", 1970, sons),
                ("Horvath, Peter", 2005, sons),
                ("Horvath, Peter", 2005, {}),
                ("CARLSEN, Magnus", 2025, {"WhiteTitle": "GM"}),
                ("Karlsen, Magnus", 1950, {}),
                ("DrNykterstein", 2025, {"Site": "https://lichess.org/abcd1234"}),
                ("Carlsen", 2025, {"Site": "https://lichess.org/abcd1235"}),
                ("Nobody, Known", 2001, opens),
                ("Nobody, Knowm", 2002, {}),
                ("?", 2002, {}),
                ("Mueller, K", 1999, {"WhiteElo": "2500"}),
                ("Müller, Karsten", 1999, {"WhiteTitle": "GM"}),
            )
        )
    ]
    same_moves = ("Van der Berg, J", "Van der Berg, Jan Pieter")
    texts += [played_game(n, name, OPERA) for n, name in enumerate(same_moves)]
    return "".join(texts * 2 + texts[::3] + [collection_text()])


def fide_list(folder: Path) -> Path:
    """Write a list with two namesakes, of whom the stronger one probably played."""
    namesakes = [
        Person("Wenzel, Carl", 800_001, "GM", "GER", 1970, rating=2500),
        Person("Wenzel, Carl", 800_002, "", "AUT", 1980, rating=2050),
    ]
    return write_list(folder, [*namesakes, *living()])


def test_players_are_those_that_are_found_without_spark(tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(games_of_players(), encoding="utf-8")
    fide = fide_list(tmp_path)
    words = (str(tmp_path / "in.pgn"), "--fide-xml", str(fide), "--partitions", "3")
    assert_no_difference(*words, results=7)


def test_players_from_python(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.spark import clean_games, find_duplicates, read_pgn, resolve_players, write_pgn

    (tmp_path / "in.pgn").write_text(games_of_players(), encoding="utf-8")
    fide = fide_list(tmp_path)
    words = (
        "run", "in.pgn", "-o", "out.pgn", "--db", "a.db3", "--fide-xml", str(fide), "--no-ids",
        "--tidy", "none",
    )  # fmt: skip
    run_in(tmp_path, *words)
    work = str(tmp_path / "work")
    games, _ = read_pgn(spark, [str(tmp_path / "in.pgn")], work_dir=work)
    persons = resolve_players(games, str(fide), work_dir=work, partitions=2)
    result = find_duplicates(games, persons=persons, work_dir=work, partitions=2, resume=True)
    assert_equal(result, tmp_path / "a.db3")
    clean = clean_games(games, result[0], persons=persons)
    names = write_pgn(clean, str(tmp_path / "clean"), persons=persons, files=2)
    text = b"".join((tmp_path / "clean" / name).read_bytes() for name in names)
    assert text == (tmp_path / "out.pgn").read_bytes()
    sides = value(tmp_path / "a.db3", "SELECT count(*) FROM Resolutions WHERE Scope = 'game'")
    assert sides > 0  # names that mean two players are among them


# --- parts of the search -------------------------------------------------------------------------


def test_stars_find_the_components_that_one_worker_finds(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.spark.groups import components
    from ocgdedup.spark.stages import Stages

    chain = [(number, number + 1) for number in range(100, 140)]
    others = [(7, 3), (3, 9), (9, 7), (500, 1), (501, 500), (2, 501), (600, 700), (700, 600)]
    pairs = spark.createDataFrame(chain + others, "first long, second long")
    stages = Stages(spark, str(tmp_path))
    expected = rows(components(pairs, stages), "id", "component")
    assert rows(components(pairs, stages, few=0), "id", "component") == expected
    assert dict(expected)[140] == 100
    assert dict(expected)[501] == 1


# --- text ----------------------------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """Return files that are read in many pieces, with faults, rejected text and comments."""
    games = [
        game(f'1. e4 {{a comment\n\n[Event "no"]}} e5 {number % 7 + 2}. Nf3 *', Round=str(number))
        for number in range(60)
    ]
    games[20] = game("1. e4 e5 2. Ke3 Qh4 1-0")
    games[41] = "not a game\n\n[Broken\n\n"
    (tmp_path / "a.pgn").write_text("".join(games), encoding="utf-8")
    (tmp_path / "b.pgn").write_text(game("1. d4 *", Date="12.3.1999"), encoding="utf-8")
    return [str(tmp_path / name) for name in ("a.pgn", "b.pgn")]


def in_streams(text: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Compress each 1,000 bytes for themselves, as pbzip2 and pzstd do with larger parts."""
    return b"".join(compress(text[at : at + 1000]) for at in range(0, len(text), 1000))


@pytest.mark.parametrize("ending", ["", ".bz2", ".zst"])
def test_text_in_pieces_is_read_as_create_reads_it(
    spark: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    from ocgdedup.spark import pgn, read_pgn
    from ocgdedup.tables.columns import LOSSLESS_GAMES

    compress = {".bz2": bz2.compress, ".zst": load_zstd().compress}.get(ending)
    if compress is not None:
        packed = in_streams(Path(texts[0]).read_bytes(), compress)
        texts[0] += ending
        Path(texts[0]).write_bytes(packed)
    monkeypatch.setattr(pgn, "SPLIT_BYTES", 3200 if ending else 1500)
    games, problems = read_pgn(spark, texts, work_dir=str(tmp_path / "work"))
    run_in(tmp_path, "create", "a.db3", *texts)
    run_in(tmp_path, "export", "a.db3", "--lossless", "-o", "tables")
    expected = spark.read.parquet(str(tmp_path / "tables" / "games.parquet"))
    names = LOSSLESS_GAMES.column_names
    assert rows(games, *names) == rows(expected, *names)
    chunks = spark.read.parquet(str(tmp_path / "work" / "read"))
    assert chunks.where("Games > 0").count() > 2
    assert not (tmp_path / "work" / "read-whole").exists()
    rejected = query(tmp_path / "a.db3", "SELECT SourceID, SourceNumber, Line, Reason FROM Rejects")
    actual = problems.where("ID IS NULL")
    assert rows(actual, "SourceID", "SourceNumber", "Line", "Reason") == rejected
    for (text,) in rows(actual.select("Text", "Name"), "Text"):
        assert bytes(text).startswith(b"not a game")
    faults = query(tmp_path / "a.db3", "SELECT GameID, Line, Ply, Reason FROM Faults")
    assert rows(problems.where("ID IS NOT NULL"), "ID", "Line", "Ply", "Reason") == faults


def test_damaged_pieces_are_read_as_create_reads_the_file(
    spark: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the file is not read, though other tasks could read it."""
    from ocgdedup.spark import pgn, read_pgn

    packed = bytearray(in_streams(Path(texts[0]).read_bytes(), bz2.compress))
    packed[len(packed) // 2] ^= 1
    Path(f"{texts[0]}.bz2").write_bytes(packed)
    monkeypatch.setattr(pgn, "SPLIT_BYTES", 4000)
    inputs = [texts[1], f"{texts[0]}.bz2", texts[0]]
    run_in(tmp_path, "create", "a.db3", *inputs)
    expected = query(tmp_path / "a.db3", "SELECT ID, SourceID, SourceNumber FROM Games")
    expected_problems = query(
        tmp_path / "a.db3", "SELECT SourceID, SourceNumber, Line FROM Rejects"
    )
    for resume in False, True:
        games, problems = read_pgn(spark, inputs, work_dir=str(tmp_path / "work"), resume=resume)
        assert rows(games, "ID", "SourceID", "SourceNumber") == expected
        rejected = problems.where("Ply IS NULL")
        assert rows(rejected, "SourceID", "SourceNumber", "Line") == expected_problems
    assert len({row[1] for row in expected}) == 3


def test_small_files_share_tasks(tmp_path: Path) -> None:
    from ocgdedup.spark import pgn

    files = [InputFile(str(tmp_path / f"{n}.pgn"), 1000) for n in range(100_000)]
    splits = pgn._splits(files)
    tasks = pgn._tasks(splits, 4)
    assert len(tasks) < 150
    assert [split for task in tasks for split in task] == splits
    assert len(pgn._tasks(splits[:16], 8)) == 16  # few files: each processor has work


def test_file_that_a_worker_does_not_reach_is_an_error(
    spark: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ocgdedup.spark import pgn, read_pgn

    splits = pgn._splits

    def elsewhere(files: Any, **_: Any) -> list[Any]:
        return [split._replace(path="/nowhere/a.pgn") for split in splits(files)]

    monkeypatch.setattr(pgn, "_splits", elsewhere)
    with pytest.raises(Exception, match="No such file or directory"):
        read_pgn(spark, texts, work_dir=str(tmp_path / "work"))


def test_inputs_keep_the_names_that_the_user_gave(
    spark: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ocgdedup.spark import pgn

    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("more.zip", "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of members of one name
        for name in ("b.pgn", "b.pgn", "none.pgn"):
            archive.write("b.pgn" if name == "b.pgn" else os.devnull, name)
    Path("none.pgn").touch()
    names = ["a.pgn", "none.pgn", "a.pgn", "a.pgn", "more.zip"]
    run_in(tmp_path, "create", "a.db3", *names)
    offsets = pgn.read_chunks(spark, names, work_dir="work").offsets
    texts = (enumerate(offset.names, offset.source_id) for offset in offsets.values())
    result = sorted({text for names in texts for text in names})
    assert len(result) == 7
    assert result == query("a.db3", "SELECT ID, Name FROM Sources")


def test_damaged_file_is_read_up_to_the_damage(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.spark import read_pgn

    packed = gzip.compress("".join(game("1. e4 e5 *", Round=str(n)) for n in range(900)).encode())
    (tmp_path / "cut.pgn.gz").write_bytes(packed[: len(packed) // 2])
    games, problems = read_pgn(spark, [str(tmp_path)], work_dir=str(tmp_path / "work"))
    run_in(tmp_path, "create", "a.db3", "cut.pgn.gz")
    assert games.count() == value(tmp_path / "a.db3", "SELECT count(*) FROM Games") > 100
    damage = problems.where("Ply IS NULL AND length(Text) = 0")
    ((reason,),) = rows(damage, "Reason")
    assert "cut.pgn.gz" in reason
    places = query(tmp_path / "a.db3", "SELECT SourceNumber, Line FROM Rejects")
    assert rows(damage, "SourceNumber", "Line") == places


def test_games_decide_which_kind_they_are_and_no_other_kind_is_among_them(
    spark: Any, tmp_path: Path
) -> None:
    from ocgdedup.spark.pgn import read_chunks

    texts = {
        "none.pgn": "no game\n", "go.sgf": "(;GM[1]SZ[19];B[pd];W[dd])",
        "chess.pgn": played_game(1, "Tal, M", SHORT),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def read(*names: str) -> Any:
        paths = [str(tmp_path / name) for name in names]
        return read_chunks(spark, paths, work_dir=str(tmp_path / "work"))

    assert read("none.pgn", "go.sgf").kind is GO
    assert read("none.pgn").kind is CHESS
    with pytest.raises(UsageError, match=r"go\.sgf: holds Go, but the games before it are chess"):
        read("chess.pgn", "go.sgf")
    with pytest.raises(UsageError, match=r"chess\.pgn: holds chess, but the games before it are"):
        read("go.sgf", "none.pgn", "chess.pgn")


def test_damage_to_all_files_is_an_error(spark: Any, tmp_path: Path) -> None:
    """As without Spark: no empty result of files that cannot be read."""
    from ocgdedup.spark import read_pgn

    packed = gzip.compress(collection_text().encode())
    (tmp_path / "in.pgn.gz").write_bytes(packed[:30] + b"damage" * 9)
    (tmp_path / "none.pgn").write_text("no game\n", encoding="utf-8")
    work = str(tmp_path / "work")
    with pytest.raises(PgnReadError, match=r"nothing could be read: .*in\.pgn\.gz: "):
        read_pgn(spark, [str(tmp_path)], work_dir=work)


def test_few_games_leave_parts_and_stages_empty(spark: Any, tmp_path: Path) -> None:
    from ocgdedup.spark import clean_games, find_duplicates, read_pgn, write_pgn

    (tmp_path / "one.pgn").write_text(game("1. e4 *"), encoding="utf-8")
    games, _ = read_pgn(spark, [str(tmp_path / "one.pgn")], work_dir=str(tmp_path / "work"))
    duplicates, possible = find_duplicates(games, work_dir=str(tmp_path / "work"), partitions=3)
    assert (duplicates.count(), possible.count()) == (0, 0)
    names = write_pgn(clean_games(games, duplicates), str(tmp_path / "clean"), files=2)
    text = b"".join((tmp_path / "clean" / name).read_bytes() for name in names)
    assert b"1. e4 *" in text


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--conf spark.ui.enabled=false pyspark-shell")
    shutil.copy(DEMO[0], "games.pgn")
    return tmp_path


ARGUMENTS = ("distributed", "games.pgn", "-o", "out", "--master", "local[1]", "--partitions", "2")


def test_command_writes_tables_that_create_reads(folder: Path) -> None:
    command = [sys.executable, "-m", "ocgdedup", *ARGUMENTS]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    result = json.loads(done.stdout)
    run_in(folder, "create", "plain.db3", "games.pgn")
    run_in(folder, "create", "tables.db3", "out/games")
    assert differences(contents("plain.db3"), contents("tables.db3")) == []
    assert result["games"] == value("plain.db3", "SELECT count(*) FROM Games")
    assert result["written"] == result["games"] - sum(result["duplicates"].values())
    # The same command takes the stages that are there.
    shutil.rmtree("out/clean")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"read        {result['games']:,} games" in done.stdout
    assert len(list(Path("out/clean").iterdir())) == len(result["files"])


def test_a_file_without_a_game_has_empty_tables(folder: Path) -> None:
    Path("games.pgn").write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-m", "ocgdedup", *ARGUMENTS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "read        0 games" in done.stdout
    run_in(folder, "create", "tables.db3", "out/games")
    assert value("tables.db3", "SELECT count(*) FROM Games") == 0


def test_errors_of_spark_are_told_in_a_line(folder: Path) -> None:
    command = [sys.executable, "-m", "ocgdedup", *ARGUMENTS[:4], "--master", "spark:/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ocgdedup: error: distributed: Spark failed: ")
    assert "Could not parse Master URL: 'spark:/nowhere'" in last
    assert not Path("out/clean").exists()


def test_interrupted_run_says_so_in_a_line(folder: Path) -> None:
    command = [sys.executable, "-m", "ocgdedup", *ARGUMENTS]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and not Path("out/stages").exists():
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate()
    assert run.returncode == 130, errors
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("ocgdedup: interrupted; ")


def test_folders_of_others_are_left_alone(command: Command, folder: Path) -> None:
    Path("out").mkdir()
    Path("out/letter.txt").write_text("dear", encoding="utf-8")
    outcome = command(*ARGUMENTS)
    assert outcome.status == 2
    assert "is a folder with other files in it" in outcome.err
    Path("out/run.json").write_text('{"identity": "another"}', encoding="utf-8")
    outcome = command(*ARGUMENTS)
    assert outcome.status == 2
    assert "has results of other inputs or options" in outcome.err
    assert Path("out/letter.txt").read_text(encoding="utf-8") == "dear"


def test_lists_that_cannot_be_used_are_refused_at_once(command: Command, folder: Path) -> None:
    Path("go.sgf").write_text("(;GM[1]SZ[19];B[pd];W[dd])", encoding="utf-8")
    fide = str(write_list(folder, living()[:3]))
    for words, problem in (
        ((*ARGUMENTS, "--list-month", "2025-02"), "--list-month: needs the rating list"),
        ((*ARGUMENTS, "--fide-xml", "nowhere.xml"), "nowhere.xml"),
        (("distributed", "go.sgf", "-o", "out", "--fide-xml", fide), "these are Go games"),
    ):
        outcome = command(*words)
        assert outcome.status == 2
        assert problem in outcome.err
        assert not Path("out").exists()
