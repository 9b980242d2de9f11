"""An update looks up only names with new games; the new games get the players of a full run."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest

from ocgdedup._kernels.names import GamePlayersWriter
from ocgdedup.pipeline.players import persons
from tests.cli.test_players_laws import rating_lists, records
from tests.support.databases import Collection, Row, query
from tests.support.persons import living, write_list
from tests.support.pgn_text import played

SIDES = """
    SELECT Games.ID, White.Name, White.FideID, Black.Name, Black.FideID, ExtraTags, WhiteElo,
        BlackElo, BackFilled, CoreHash
    FROM Games LEFT JOIN Persons AS White ON White.ID = WhitePersonID
    LEFT JOIN Persons AS Black ON Black.ID = BlackPersonID ORDER BY Games.ID
"""
NAMES = """
    SELECT Players.Name, Persons.Name, FideID, Scope, Stage, Score FROM Resolutions
    JOIN Players ON Players.ID = PlayerID JOIN Persons ON Persons.ID = PersonID
    WHERE Scope = 'name' ORDER BY 1, 2
"""

pytestmark = pytest.mark.usefixtures("codes_from_memory")


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), living())


def some_records(rng: random.Random) -> str:
    return "".join("".join(records(rng)) for _ in range(rng.randint(1, 4)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_new_games_have_the_players_of_a_full_run(tmp_path: Path, seed: int) -> None:
    """Old games of names that single games decide may have other players: careers grow."""
    rng = random.Random(seed)
    collection = Collection(tmp_path, some_records(rng))
    collection.consolidate(rng.choice(rating_lists(tmp_path)))
    for _ in range(rng.randint(1, 3)):
        [(last,)] = query(collection.path, "SELECT max(ID) FROM Games")
        collection.append(some_records(rng))
        collection.consolidate()
    updated = query(collection.path, SIDES)
    collection.consolidate(again=True)
    resolved = query(collection.path, SIDES)
    assert updated[last:] == resolved[last:]
    differing = sum(old != new for old, new in zip(updated, resolved, strict=True))
    assert differing <= len(updated) // 10


def updated_and_full(folder: Path, fide: Path, first: str, more: str) -> tuple[list[Row], ...]:
    """Return the sides of games after an update, and after a full run."""
    collection = Collection(folder, first)
    collection.consolidate(fide)
    collection.append(more)
    collection.consolidate()
    updated = query(collection.path, SIDES), query(collection.path, NAMES)
    collection.consolidate(again=True)
    assert updated == (query(collection.path, SIDES), query(collection.path, NAMES))
    return updated


def test_an_earlier_title_is_filled_into_old_games(tmp_path: Path, fide: Path) -> None:
    first = played(1, "Carlsen, Magnus", Date="2012.05.05")
    earlier = played(2, "Carlsen, Magnus", Date="2011.05.05", WhiteTitle="GM")
    sides, _ = updated_and_full(tmp_path, fide, first, earlier)
    assert '"WhiteTitle":"GM"' in sides[0][5]


def test_an_open_name_means_a_new_unlisted_player(tmp_path: Path, fide: Path) -> None:
    sides, names = updated_and_full(
        tmp_path, fide, played(1, "Quirrell, Z"), played(2, "Quirrell, Zebulon")
    )
    assert [row[1] for row in sides] == ["Quirrell, Zebulon", "Quirrell, Zebulon"]
    assert len(names) == 2


def test_single_games_keep_their_players(tmp_path: Path, fide: Path) -> None:
    """A name that is two men keeps both when others get new games."""
    name = "Petrosian, Tigran"
    first = [played(1, name, Date="1960.01.01"), played(2, name, Date="2010.01.01")]
    sides, _ = updated_and_full(tmp_path, fide, "".join(first), played(3, "Tal, Mikhail"))
    assert [row[1] for row in sides[:2]] == [
        "Petrosian, Tigran Vartanovich",
        "Petrosian, Tigran L",
    ]


def test_a_refused_game_stays_without_a_player(tmp_path: Path, fide: Path) -> None:
    name = "Carlsen, Magnus"
    first = [played(1, name, Date="2020.01.01"), played(2, name, Date="1980.01.01")]
    more = played(3, "Tal, Mikhail", Date="1980.01.01")
    sides, _ = updated_and_full(tmp_path, fide, "".join(first), more)
    assert [row[1] for row in sides] == [name, None, "Tal, Mikhail"]
    folder = tmp_path / "b"
    folder.mkdir()
    more = played(3, name, Date="2021.01.01")
    sides, _ = updated_and_full(folder, fide, "".join(first), more)
    assert [row[1] for row in sides] == [name, None, name]


def test_only_names_with_new_games_are_looked_up(
    tmp_path: Path, fide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    monkeypatch.setattr(
        persons, "_with_progress", lambda found, _: (_noted(row, looked_up) for row in found)
    )
    collection = Collection(
        tmp_path, played(1, "Carlsen, Magnus") + played(2, "Quirrell, Zebulon") + played(3, "Tal")
    )
    collection.consolidate(fide)
    assert len(looked_up) == 6
    looked_up.clear()
    collection.append(played(4, "Shirov, Alexei", Black="Tal"))
    collection.consolidate()
    names = dict(query(collection.path, "SELECT ID, Name FROM Players"))
    assert {names[player] for player in looked_up} == {"Shirov, Alexei", "Tal"}


def _noted(row: object, looked_up: list[object]) -> object:
    looked_up.append(row.player_id)  # type: ignore[attr-defined]
    return row


def test_kept_names_must_be_columns_of_one_length() -> None:
    ids = array("q", [1, 2])
    writer = GamePlayersWriter((ids, ids, [None, None]), (ids, ["a", "b"]), (ids, b"\0\0", ids))
    with pytest.raises(ValueError, match="kept names have different lengths"):
        writer.keep((ids, array("q")), (), 0)
    with pytest.raises(ValueError, match="not sorted"):
        writer.keep((array("q", [2, 1]), ids), (), 0)
    writer.keep((ids, array("q", [1, 9])), [7], 5)
    assert [writer.person(game, 0, 2, 2) for game in (5, 6)] == [2, 2]
    assert [writer.person(game, 0, 1, 2) for game in (5, 6)] == [2, 1]
