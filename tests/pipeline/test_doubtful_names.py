"""Names that the list resolves, although their games may be another player's."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.model import Person
from tests.support.databases import Collection, query, whites_of
from tests.support.persons import fide_id, living, write_list
from tests.support.pgn_text import played

pytestmark = pytest.mark.usefixtures("codes_from_memory")

PERSONS = [
    # The list is of 2025. Each pair has names between which the name alone decides.
    Person("Wolkow, Gregor", 77000001, "GM", "RUS", 1988, None, 2740),
    Person("Wolkow, Gregoire", 77000002, "", "FRA", 1990, None, 1650),
    Person("Brandtner, Uli", 77000003, "GM", "AUT", 1970, None, 2600),
    Person("Brandtner, Uli", 77000004, "", "GER", 1972, None, 1600),
    Person("Kovarik, Hugo", 77000005, "IM", "CZE", 1970, None, 2440),
    Person("Kovarik, Hugo", 77000007, "", "SVK", 1980, None, 2140),
    Person("Zimbelmann, Arno", 77000006, "GM", "GER", 1975, None, 2580),
]


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), [*living(), *PERSONS])


def ids_of(folder: Path, fide: Path, *games: str) -> list[int | None]:
    """Return the FIDE ID of White's player in each game, by Round."""
    collection = Collection(folder, "".join(games))
    collection.consolidate(fide)
    sql = (
        "SELECT FideID FROM Games LEFT JOIN Persons ON Persons.ID = WhitePersonID ORDER BY "
        "Games.Round"
    )
    return [row[0] for row in query(collection.path, sql)]


def by(name: str, number: int, year: int = 2016, **tags: str) -> str:
    return played(number, name, Date=f"{year}.05.01", **tags)


WEAK = {"WhiteElo": "1630", "WhiteCountry": "GER"}
STRONG = {"WhiteElo": "2590", "WhiteTitle": "GM"}


def test_the_master_by_default(tmp_path: Path, fide: Path) -> None:
    assert ids_of(tmp_path, fide, by("Brandtner, Uli", 1)) == [77000003]


def test_games_of_a_weak_namesake(tmp_path: Path, fide: Path) -> None:
    games = [by("Brandtner, Uli", number, **WEAK) for number in (1, 2, 3)]
    assert ids_of(tmp_path, fide, *games) == [77000004] * 3


def test_games_of_both_namesakes(tmp_path: Path, fide: Path) -> None:
    """A game without an Elo stays with the master, whom other games of the name confirm."""
    games = [by("Brandtner, Uli", 1, **WEAK), by("Brandtner, Uli", 2, **STRONG)]
    games.append(by("Brandtner, Uli", 3))
    assert ids_of(tmp_path, fide, *games) == [77000004, 77000003, 77000003]


def test_other_games_of_a_refuted_name_stay_open(tmp_path: Path, fide: Path) -> None:
    games = [by("Brandtner, Uli", 1, **WEAK), by("Brandtner, Uli", 2)]
    assert ids_of(tmp_path, fide, *games) == [77000004, None]


def test_the_federation_in_a_game(tmp_path: Path, fide: Path) -> None:
    """It is not enough alone, but too much for the master."""
    games = [by("Brandtner, Uli", 1, WhiteCountry="GER")]
    assert ids_of(tmp_path, fide, *games) != [77000004]


def test_an_elo_far_below_the_masters(tmp_path: Path, fide: Path) -> None:
    """The namesake is more probable, but an unlisted player is possible, too."""
    assert ids_of(tmp_path, fide, by("Brandtner, Uli", 1, WhiteElo="1630")) == [None]


def test_the_spelling_of_a_namesake_in_games_of_a_master(tmp_path: Path, fide: Path) -> None:
    strong = {"WhiteElo": "2772", "WhiteTitle": "GM", "WhiteCountry": "RUS"}
    games = [by("Wolkow, Gregoir", 1), by("Wolkow, Gregoir", 2, **strong)]
    assert ids_of(tmp_path, fide, *games)[1] != 77000002


def test_a_young_master_was_weaker(tmp_path: Path, fide: Path) -> None:
    games = [by("Zimbelmann, Arno", 1, 1991, WhiteElo="2105"), by("Zimbelmann, Arno", 2)]
    assert ids_of(tmp_path, fide, *games) == [77000006] * 2


def test_agreeing_games_make_a_name_sure(tmp_path: Path, fide: Path) -> None:
    tags = {"WhiteElo": "2450", "WhiteTitle": "IM", "WhiteCountry": "CZE"}
    games = [by("Kovarik, Hugo", number, **tags) for number in (1, 2)]
    collection = Collection(tmp_path, "".join(games))
    collection.consolidate(fide)
    sql = "SELECT Scope, Stage, Probability > 0.99, Reason FROM Resolutions WHERE Probability < 1"
    assert query(collection.path, sql)[0] == ("name", "exact", 1, "all its games agree")
    before = query(collection.path, "SELECT * FROM Resolutions")
    collection.consolidate(fide, again=True)
    assert query(collection.path, "SELECT * FROM Resolutions") == before


# --- ages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("year", "tags", "is_he"),
    [
        (1995, {"Event": "World Youth U8"}, False),  # at the age of five
        (1996, {"Event": "World Youth U8"}, True),
        (1996, {"Event": "Wch U-10 boys"}, True),
        (1996, {"Site": "Kids Cup"}, True),
        (1998, {"Event": "Open"}, False),
        (1998, {"Event": "Open", "WhiteFideId": "1503014"}, True),
        (1999, {"Event": "Open"}, True),
    ],
)
def test_children_need_their_id_or_a_youth_event(
    tmp_path: Path, fide: Path, year: int, tags: dict[str, str], is_he: bool
) -> None:
    if "WhiteFideId" in tags:
        tags = {**tags, "WhiteFideId": str(fide_id("Carlsen, Magnus"))}
    games = [by("Carlsen, Magnus", 1), by("Carlsen, Magnus", 2, year, **tags)]
    assert whites_of(tmp_path, fide, *games)[1] == ("Carlsen, Magnus" if is_he else None)
