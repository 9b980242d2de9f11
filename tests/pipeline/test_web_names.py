"""Nicknames of players on the web, and title and Elo as evidence against a listed player."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.model import Person
from tests.support.databases import Collection, whites_of
from tests.support.persons import crowd, write_list
from tests.support.pgn_text import played

HARRIET, STRONG = "Quendel, Harriet", "Brandauer, Kunibert"
LISTED = [
    Person(HARRIET, 990001, title="WFM", country="AUS", rating=1899, sex="F"),
    Person(STRONG, 990002, title="IM", country="AUT", rating=2400),
    Person("Ding, Walram", 990003, country="GER", rating=2000),
]
LICHESS = {"Event": "Rated Bullet game", "Site": "https://lichess.org/abcd1234"}

pytestmark = pytest.mark.usefixtures("codes_from_memory")


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("list")
    return write_list(folder, [*LISTED, *crowd()], "standard_mar25_xml.xml")


def of_the_list(names: list[str | None]) -> list[str | None]:
    """Return the names of listed persons; None for all others."""
    listed = {person.name for person in LISTED}
    return [name if name in listed else None for name in names]


# --- nicknames ---------------------------------------------------------------------------------

ONLINE = [
    LICHESS,
    {"Site": "Chess.com", "Link": "https://www.chess.com/game/live/1"},
    {"Site": "FICS freechess.org", "FICSGamesDBGameNo": "347574120"},
    {"Event": "Casual Blitz game"},
    {"Site": "?", "Link": "https://www.chess.com/live/game/1"},
    {"Site": "?", "FICSGamesDBGameNo": "347574120"},
    {"Site": "chess24.com INT"},
    {"Event": "Rated Blitz tournament https://lichess.org/tournament/itNsomLI"},
]


@pytest.mark.slow
@pytest.mark.parametrize("tags", ONLINE)
@pytest.mark.parametrize("name", ["HarrietQuendel", "Quendel_Harriet", "Quendel", "Quendel, H"])
def test_a_nickname_is_no_listed_player(
    tmp_path: Path, fide: Path, name: str, tags: dict[str, str]
) -> None:
    assert of_the_list(whites_of(tmp_path, fide, played(1, name, **tags))) == [None]


@pytest.mark.parametrize(
    "tags",
    [
        {},
        {"Site": "https://lichess.org/broadcast/some-open/round-1/abcd1234/efgh5678"},
        {"Site": "https://lichess.org/study/abcd1234/efgh5678"},
        {"Event": "FIDE Chess.com Grand Swiss"},
    ],
)
def test_at_the_board_such_a_name_is_its_players(
    tmp_path: Path, fide: Path, tags: dict[str, str]
) -> None:
    assert whites_of(tmp_path, fide, played(1, "HarrietQuendel", **tags)) == [HARRIET]


@pytest.mark.parametrize("name", [HARRIET, "Quendel,Harriet", "Harriet Quendel"])
@pytest.mark.parametrize("tags", ONLINE[:2])
def test_a_full_name_is_its_players_on_the_web_too(
    tmp_path: Path, fide: Path, name: str, tags: dict[str, str]
) -> None:
    assert whites_of(tmp_path, fide, played(1, name, **tags)) == [HARRIET]


@pytest.mark.parametrize("name", ["HarrietQuendel", "DrMoth", "moth99"])
def test_a_fide_id_says_who_has_a_nickname(tmp_path: Path, fide: Path, name: str) -> None:
    games = [played(n, name, WhiteFideId="990001", **LICHESS) for n in range(2)]
    whites = whites_of(tmp_path, fide, *games, played(3, name, **LICHESS))
    assert whites == [HARRIET] * 3


def test_an_abbreviated_name_of_the_board_is_the_same_on_the_web(
    tmp_path: Path, fide: Path
) -> None:
    games = [played(1, "Quendel, H"), played(2, "Quendel, H", **LICHESS)]
    assert whites_of(tmp_path, fide, *games) == [HARRIET, HARRIET]


def test_a_nickname_stays_one_though_it_stands_in_other_games_too(
    tmp_path: Path, fide: Path
) -> None:
    games = [played(1, "HarrietQuendel"), played(2, "HarrietQuendel", **LICHESS)]
    assert whites_of(tmp_path, fide, *games) == [HARRIET, None]


def test_a_nickname_does_not_resolve_to_another_name(tmp_path: Path, fide: Path) -> None:
    games = [played(1, "OdoVielander", **LICHESS)]
    games += [played(2, "Vielander, Odo"), played(3, "Vielander, O")]
    whites = whites_of(tmp_path, fide, *games)
    assert whites == ["OdoVielander", "Vielander, Odo", "Vielander, Odo"]


# --- titles and Elos ---------------------------------------------------------------------------

AT_ONCE, LATER = {"Date": "2025.01.02"}, {"Date": "2021.01.02"}


@pytest.mark.parametrize(
    ("name", "tags", "expected"),
    [
        (HARRIET, {"WhiteTitle": "GM"} | AT_ONCE, None),
        (HARRIET, {"WhiteTitle": "GM"} | LATER, HARRIET),
        (HARRIET, {"WhiteTitle": "GM"}, HARRIET),
        (HARRIET, {"WhiteTitle": "GM"} | LICHESS, None),
        (HARRIET, {"WhiteTitle": "WFM"} | LICHESS, HARRIET),
        (HARRIET, {"WhiteTitle": "WCM"} | LICHESS, HARRIET),
        (HARRIET, {"WhiteElo": "2299"} | AT_ONCE, HARRIET),
        (HARRIET, {"WhiteElo": "2300"} | AT_ONCE, None),
        (HARRIET, {"WhiteElo": "2300"} | LATER, HARRIET),
        (HARRIET, {"WhiteElo": "2300"} | LICHESS | LATER, None),
        (HARRIET, {"WhiteElo": "2300", "WhiteFideId": "990001"} | LICHESS, HARRIET),
        (STRONG, {"WhiteTitle": "WGM"} | AT_ONCE, STRONG),
        (STRONG, {"WhiteTitle": "GM"} | AT_ONCE, None),
        (STRONG, {"WhiteTitle": "GM", "Date": "2025.??.??"}, None),
        (STRONG, {"WhiteTitle": "GM", "Date": "2024.??.??"}, STRONG),
        (STRONG, {"WhiteTitle": "GM", "Date": "2024.03.??"}, None),
        (STRONG, {"WhiteTitle": "GM", "Date": "2024.02.28"}, STRONG),
        (STRONG, {"WhiteTitle": "GM", "Date": "2026.03.01"}, None),
        (STRONG, {"WhiteTitle": "GM", "Date": "2026.04.01"}, STRONG),
    ],
)
def test_a_higher_title_or_a_far_higher_elo_excludes_a_person(
    tmp_path: Path, fide: Path, name: str, tags: dict[str, str], expected: str | None
) -> None:
    collection = Collection(tmp_path, played(1, name, **tags))
    collection.consolidate(fide)
    ids = collection.column("(SELECT FideID FROM Persons WHERE ID = WhitePersonID)")
    assert ids == [next((person.fide_id for person in LISTED if person.name == expected), None)]


def test_one_impossible_game_does_not_affect_the_others(tmp_path: Path, fide: Path) -> None:
    games = [
        played(1, STRONG, WhiteTitle="GM", **AT_ONCE),
        played(2, STRONG, WhiteTitle="IM", **AT_ONCE),
        played(3, STRONG, WhiteTitle="GM", **LATER),
    ]
    assert whites_of(tmp_path, fide, *games) == [None, STRONG, STRONG]
