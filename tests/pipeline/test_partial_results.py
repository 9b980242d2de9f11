"""What a search after new games writes equals what a search of all games writes."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.commands.review import decide_all
from ocgdedup.model import GivenDecision
from ocgdedup.pipeline.search import detect, search_files, spill
from ocgdedup.pipeline.search.delta import DeltaResult
from ocgdedup.pipeline.search.search_files import folder_of, size_on_disk
from ocgdedup.pipeline.search.spill import Resources
from tests.support.databases import Silent, columns, query
from tests.support.dedup_results import content, differences
from tests.support.played_games import mainline, san_of

# Shorter forms, slips, and spellings of which only other games tell which is likelier.
NAMES = (
    ("Tal, Mihail", "Tal, Mihail", "Tal, M", "Tal, Mihial", "Tal, Michail"),
    ("Keres, Paul", "Keres, Paul", "Keres, P", "Kerse, Paul", "Keres"),
    ("Petrosian, Tigran", "Petrosian, T", "Petrosjan, Tigran", "Petrosian, Tirgan"),
    ("Smyslov, Vasily", "Smyslow, Vasily", "Smyslov, Vassily", "Smyslov, V"),
    ("Geller, Efim", "Geller, Yefim", "Geler, Efim", "Geller, E"),
)
MOST_IN_SCOPE = 0.9  # else some games are all games
MOST_RUNS = 4
EVENTS = ("Kandidaten", "Kandidatem", "YUG Kandidaten", "?")
SITES = ("Bled", "Bled YUG", "Blde", "?")
NAMES_OF_FILES = (
    "order", "starts", "ids", "keys", "counts", "days", "days-new", "contests", "flags",
    "decisions", "dropped",
)  # fmt: skip
# Sums of flags and inputs of a search; not its time.
BASIS = (
    "SELECT Name, Value FROM Info WHERE Name IN ('Duplicates searched in', 'Duplicates left as', "
    "'Duplicates searched by', 'Duplicates choices') ORDER BY 1"
)


def texts(rng: random.Random, count: int) -> list[str]:
    """Return records of games of one event: several spellings, days and rounds, some truncated."""
    games = []
    for _ in range(count):
        number = rng.randrange(40)
        moves = mainline(number)
        length = rng.choice(
            (len(moves), len(moves), len(moves), rng.randrange(len(moves) // 2, len(moves)))
        )
        white, black = rng.choice(NAMES[number % 5]), rng.choice(NAMES[number % 4 - 4])
        if rng.random() < 0.1:
            white, black = black, white
        comment = " {a note}" if rng.random() < 0.2 else ""
        day = number % 28 + 1 if rng.random() < 0.8 else rng.randrange(1, 28)
        games.append(
            f'[Event "{EVENTS[0] if rng.random() < 0.7 else rng.choice(EVENTS)}"]\n'
            f'[Site "{SITES[0] if rng.random() < 0.7 else rng.choice(SITES)}"]\n'
            f'[Date "1959.09.{day:02}"]\n[Round "{number + 1}"]\n[White "{white}"]\n'
            f'[Black "{black}"]\n[Result "*"]\n\n{" ".join(san_of(moves[:length]))}{comment} *\n\n'
        )
    return games


def searched(path: Path, **request: object) -> dict[str, object]:
    result = dedup(
        DedupRequest(str(path), **request),  # type: ignore[arg-type]
        may_upgrade=lambda _: False,
        reporter=Silent(),
    )
    counts = result.resolved._asdict()
    for name in ("changed_groups", "merged", "annotations_merged", "annotations_left", "flag_sums"):
        del counts[name]
    return counts | {"games": result.games, "possible": result.possible_duplicates}


def rows(path: Path) -> dict[str, list[Any]]:
    """Return all rows without the times of runs."""
    removed_at = columns(path, "RemovedGames").index("RemovedAt")
    tables = content(path, note_ids=False)
    tables["RemovedGames"] = [
        row[:removed_at] + row[removed_at + 1 :] for row in tables["RemovedGames"]
    ]
    return tables


def decide(paths: list[Path], rng: random.Random) -> None:
    """Make, choose or clear a random decision in each database."""
    games = [row[0] for row in query(paths[0], "SELECT ID FROM Games")]
    pairs = query(paths[0], "SELECT DuplicateGroup, GameID FROM DuplicateFlags "
                            "WHERE GameID <> DuplicateGroup")  # fmt: skip
    first, second = rng.choice(pairs) if pairs and rng.random() < 0.6 else rng.sample(games, 2)
    decision = rng.choice(("same", "different", None))
    present = [game_id for game_id in (first, second) if game_id in games]
    kept = rng.choice((*present, None)) if decision == "same" else None
    for path in paths:
        decide_all(str(path), [GivenDecision("line 1", first, second, decision, kept)], Silent())


@pytest.fixture
def scopes(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The part of all games in the scope of each search after new games."""
    shares: list[float] = []
    search = detect.search_new_games

    def noted(*arguments: Any) -> DeltaResult:
        result = search(*arguments)
        shares.append(len(result.scope) / result.finder.games)
        return result

    monkeypatch.setattr(detect, "search_new_games", noted)
    return shares


@pytest.mark.parametrize("seed", range(6))
def test_new_games_or_all(tmp_path: Path, seed: int, scopes: list[float]) -> None:
    rng = random.Random(seed)
    partial, whole, new = paths = [tmp_path / f"{name}.db3" for name in ("partial", "all", "new")]
    no_files = Resources(keeps_search_files=False)
    for step in range(6):
        source = tmp_path / f"{step}.pgn"
        count = rng.choice((0, 1, 2, 9)) if step else 60
        source.write_text("".join(texts(rng, count)))
        for path in paths if count else ():
            create(CreateRequest(str(path), [str(source)], append=step > 0), Silent())
        counts = searched(partial, delete=step == 3)
        assert counts == searched(whole, full=True, delete=step == 3)
        assert counts == searched(new, delete=step == 3, resources=no_files)
        for path in (partial, new):
            assert differences(rows(path), rows(whole)) == {}
            assert query(path, BASIS) == query(whole, BASIS)
        if rng.random() < 0.5 and step != 3:
            decide(paths, rng)
    assert min(scopes, default=0) < MOST_IN_SCOPE


def _flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)


def _shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _write_other_version(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"0.', b'"9.'))


def _append(paths: list[Path], rng: random.Random, count: int) -> None:
    source = paths[0].with_suffix(".pgn")
    source.write_text("".join(texts(rng, count)))
    for path in paths:
        create(CreateRequest(str(path), [str(source)], append=path.exists()), Silent())


@pytest.mark.parametrize("harm", [_flip_a_byte, _shorten, Path.unlink, _write_other_version])
@pytest.mark.parametrize("name", [*NAMES_OF_FILES, "MANIFEST"])
def test_damaged_files(
    tmp_path: Path, scopes: list[float], name: str, harm: Callable[[Path], None]
) -> None:
    """Files that are not as they were written are made again; the result is the same."""
    rng = random.Random(name)
    partial, whole = paths = [tmp_path / "partial.db3", tmp_path / "whole.db3"]
    _append(paths, rng, 60)
    searched(partial)
    searched(whole)
    (file,) = Path(folder_of(str(partial))).glob(f"{name}*" if name == "MANIFEST" else f"{name}.*")
    if file.stat().st_size:
        harm(file)
    for count in (9, 2):
        scopes.clear()
        _append(paths, rng, count)
        assert searched(partial) == searched(whole, full=True)
        assert differences(rows(partial), rows(whole)) == {}
    assert scopes, "the last search found files that it can use"


def test_files_of_another_state(tmp_path: Path, scopes: list[float]) -> None:
    """Files from before a search that left none, as by an earlier version, are not used."""
    rng = random.Random(1)
    partial, whole = paths = [tmp_path / "partial.db3", tmp_path / "whole.db3"]
    folder = folder_of(str(partial))
    _append(paths, rng, 60)
    searched(partial)
    shutil.copytree(folder, tmp_path / "kept")
    _append(paths, rng, 9)
    searched(partial, resources=Resources(keeps_search_files=False))
    assert not os.path.exists(folder)
    shutil.copytree(tmp_path / "kept", folder)
    scopes.clear()
    _append(paths, rng, 9)
    assert searched(partial) == searched(whole, full=True)
    assert differences(rows(partial), rows(whole)) == {}
    assert not scopes


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS])
def test_files_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """A full disk or a medium that cannot be written is no error of the search."""
    rng = random.Random(2)
    partial, whole = paths = [tmp_path / "partial.db3", tmp_path / "whole.db3"]
    for count in (60, 9, 9):
        _append(paths, rng, count)
        with monkeypatch.context() as patch:
            if count == 9:
                patch.setattr(search_files.os, "fsync", fails_with(error))
            assert searched(partial) == searched(whole, full=True)
        assert differences(rows(partial), rows(whole)) == {}


def test_memory_decides_if_only_new_games_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scopes: list[float]
) -> None:
    """A large file of which little is new needs little memory."""
    rng = random.Random(4)
    partial, whole = paths = [tmp_path / "partial.db3", tmp_path / "whole.db3"]
    for file_bytes, memory, is_partial in (
        (100_000, 2_000_000_000, False),  # the first search
        (10_000_000_000, 2_000_000_000, True),
        (10_000_000_000, 200_000_000, False),
    ):
        scopes.clear()
        _append(paths, rng, 60 if file_bytes == 100_000 else 4)
        with monkeypatch.context() as patch:
            patch.setattr(spill, "file_bytes", lambda _, size=file_bytes: size)
            resources = Resources(memory_bytes=memory, temp_folder=str(tmp_path))
            assert searched(partial, resources=resources) == searched(whole, full=True)
        assert differences(rows(partial), rows(whole)) == {}
        assert bool(scopes) == is_partial


def fails_with(error: int) -> Callable[..., Any]:
    def fail(*_: Any) -> None:
        raise OSError(error, os.strerror(error))

    return fail


def test_size_of_the_files(tmp_path: Path) -> None:
    """A search of all games replaces the files; small runs of keys are merged."""
    rng = random.Random(3)
    path = tmp_path / "games.db3"
    _append([path], rng, 60)
    searched(path)
    size = size_on_disk(str(path))
    searched(path, full=True)
    assert size_on_disk(str(path)) == size
    for _ in range(12):
        _append([path], rng, 3)
        searched(path)
    assert len(list(Path(folder_of(str(path))).glob("keys.*"))) <= MOST_RUNS
