"""What a search of some games writes equals what a search of all games writes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.commands.review import decide_all
from ocgdedup.model import GivenDecision
from tests.support.databases import Silent, columns, query
from tests.support.dedup_results import content, differences
from tests.support.partial_search import PartialSearches
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
EVENTS = ("Kandidaten", "Kandidatem", "YUG Kandidaten", "?")
SITES = ("Bled", "Bled YUG", "Blde", "?")
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


@pytest.mark.parametrize("seed", range(6))
def test_some_games_or_all(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    partial, whole, new = paths = [tmp_path / f"{name}.db3" for name in ("partial", "all", "new")]
    searches = PartialSearches()
    for step in range(6):
        source = tmp_path / f"{step}.pgn"
        source.write_text("".join(texts(rng, rng.choice((1, 2, 9)) if step else 60)))
        for path in paths:
            create(CreateRequest(str(path), [str(source)], append=step > 0), Silent())
        with searches.used():
            counts = searched(partial, delete=step == 3)
        assert counts == searched(whole, full=True, delete=step == 3)
        assert counts == searched(new, delete=step == 3)
        for path in (partial, new):
            assert differences(rows(path), rows(whole)) == {}
            assert query(path, BASIS) == query(whole, BASIS)
        if rng.random() < 0.3 and step != 3:
            decide(paths, rng)
    assert min(scope / games for scope, games in searches.scopes) < MOST_IN_SCOPE
