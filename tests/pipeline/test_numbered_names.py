"""A number after a name means that its source knows several players of that name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.matching.names.resolve import NUMBERED_NAME, Resolver
from ocgdedup.model import Person
from tests.support.databases import whites_of
from tests.support.persons import crowd, list_of, write_list
from tests.support.pgn_text import played

NAME = "Brandauer, Kunibert"
LISTED = [Person(NAME, 990002, title="IM", country="AUT", rating=2400)]
MOVES = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 "
    "9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ "
    "Nxd7 16. Qb8+ Nxb8 17. Rd8# *"
)

pytestmark = pytest.mark.usefixtures("codes_from_memory")


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), [*LISTED, *crowd()])


@pytest.mark.parametrize(
    "name",
    ["Brandauer, Kunibert2", "Brandauer,Kunibert1", "Brandauer, Kunibert 2", "Brandauer,Ku1"],
)
def test_the_only_listed_namesake_is_not_taken(tmp_path: Path, fide: Path, name: str) -> None:
    resolution = Resolver(list_of([NAME])).resolve(name)
    assert (resolution.person, resolution.reason) == (None, NUMBERED_NAME)
    assert whites_of(tmp_path, fide, played(1, name), played(2, NAME)) == [None, NAME]


def test_a_year_of_birth_is_no_such_number(tmp_path: Path, fide: Path) -> None:
    assert whites_of(tmp_path, fide, played(1, f"{NAME} 1979")) == [NAME]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"WhiteFideId": "990002"}, NAME),
        ({"WhiteElo": "2410", "WhiteTitle": "IM"}, NAME),
        ({"WhiteElo": "2410", "WhiteCountry": "AUT"}, NAME),
        ({"WhiteElo": "2410"}, None),
        ({"WhiteElo": "1850", "WhiteTitle": "IM"}, None),
        ({}, None),
    ],
)
def test_the_game_says_that_he_is_meant(
    tmp_path: Path, fide: Path, tags: dict[str, str], expected: str | None
) -> None:
    assert whites_of(tmp_path, fide, played(1, f"{NAME}2", **tags)) == [expected]


def test_the_same_moves_under_his_name_say_so_too(tmp_path: Path, fide: Path) -> None:
    games = [played(1, f"{NAME}2", MOVES), played(2, NAME, MOVES), played(3, f"{NAME}2")]
    assert whites_of(tmp_path, fide, *games) == [NAME, NAME, None]


def test_his_other_games_in_the_collection_say_nothing(tmp_path: Path, fide: Path) -> None:
    """They are under the name without a number: the source has two players."""
    games = [played(n, NAME, Date=f"2010.01.{n:02}", WhiteElo="2300") for n in range(1, 9)]
    games.append(played(9, f"{NAME}2", Date="2010.02.01", WhiteElo="2300"))
    assert whites_of(tmp_path, fide, *games)[-1] is None


def test_a_spelling_file_that_has_the_number_says_who_is_meant() -> None:
    listed = Resolver(list_of([f"{NAME}1", f"{NAME}2"]))
    assert [listed.resolve(f"{NAME}{n}").person for n in (1, 2, 3)][2] is None
    first = listed.resolve(f"{NAME}1").person
    assert first is not None
    assert listed.persons[first].name == f"{NAME}1"
