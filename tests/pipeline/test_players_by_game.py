"""Players game by game: evidence of a game where names are ambiguous; order and steps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from ocgdedup.model import Person
from tests.support.databases import Collection, query, whites_of
from tests.support.persons import fide_id, living, write_list
from tests.support.pgn_text import OPERA, played

ALEXANDROS, ANDREAS = "Chilov, Alexandros", "Chilov, Andreas"
OPEN = "Chilov, A"
PAST, PRESENT = "Petrosian, Tigran Vartanovich", "Petrosian, Tigran L"

pytestmark = pytest.mark.usefixtures("codes_from_memory")


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), living())


# --- dates -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Petrosian, T", "Petrosian,T."])
def test_two_men_of_one_name(tmp_path: Path, fide: Path, name: str) -> None:
    games = [played(1, name, Date="1960.01.01"), played(2, name, Date="2010.01.01")]
    assert whites_of(tmp_path, fide, *games) == [PAST, PRESENT]


def test_two_men_of_one_name_without_a_comma(tmp_path: Path, fide: Path) -> None:
    """It has less evidence, so the older game may stay unresolved; the living one did not play."""
    name = "T. Petrosian"
    games = [played(1, name, Date="1960.01.01"), played(2, name, Date="2010.01.01")]
    first, second = whites_of(tmp_path, fide, *games)
    assert first in (PAST, None)
    assert second == PRESENT


def test_a_full_name_of_two_men(tmp_path: Path, fide: Path) -> None:
    """The name fits both; only one of them can have played the older game."""
    name = "Petrosian, Tigran"
    games = [played(1, name, Date="1960.01.01"), played(2, name, Date="2010.01.01")]
    assert whites_of(tmp_path, fide, *games) == [PAST, PRESENT]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("1980.01.01", None),  # before he was born
        ("1998.12.31", None),  # a small child
        ("1999.01.01", "Carlsen, Magnus"),
        ("2025.01.01", "Carlsen, Magnus"),
        ("????.01.01", "Carlsen, Magnus"),
    ],
)
def test_the_date_excludes_a_person_not_yet_born(
    tmp_path: Path, fide: Path, date: str, expected: str | None
) -> None:
    games = [
        played(1, "Carlsen, Magnus", Date="2020.01.01"),
        played(2, "Carlsen, Magnus", Date=date),
    ]
    assert whites_of(tmp_path, fide, *games) == ["Carlsen, Magnus", expected]


@pytest.mark.parametrize(
    ("date", "expected"),
    [("1992.01.01", "Tal, Mikhail"), ("1993.01.01", "Tal, Mikhail"), ("1994.01.01", None)],
)
def test_the_date_excludes_a_person_who_has_died(
    tmp_path: Path, fide: Path, date: str, expected: str | None
) -> None:
    games = [played(1, "Tal, Mikhail", Date="1960.05.07"), played(2, "Tal, Mikhail", Date=date)]
    assert whites_of(tmp_path, fide, *games) == ["Tal, Mikhail", expected]


def test_a_fide_id_does_not_override_the_year_of_birth(tmp_path: Path, fide: Path) -> None:
    wrong = {"WhiteFideId": str(fide_id("Carlsen, Magnus"))}
    games = [
        played(1, "Carlsen, Magnus", Date="2020.01.01"),
        played(2, "Carlsen, Magnus", Date="1950.01.01", **wrong),
    ]
    assert whites_of(tmp_path, fide, *games) == ["Carlsen, Magnus", None]


def test_a_fide_id_of_a_namesake_who_is_not_born(tmp_path: Path, fide: Path) -> None:
    son = {"WhiteFideId": str(fide_id("Horvath, Peter jr"))}
    games = [
        played(1, "Horvath, Peter", Date="1970.01.01", **son),
        played(2, "Horvath, Peter", Date="2005.01.01", **son),
        played(3, "Horvath, Peter", Date="2005.01.01"),
        played(4, "Horvath, Peter", WhiteFideId=str(fide_id("Horvath, Peter sr"))),
    ]
    first, second, _, last = whites_of(tmp_path, fide, *games)
    assert first != "Horvath, Peter jr"
    assert (second, last) == ("Horvath, Peter jr", "Horvath, Peter sr")


# --- FIDE IDs --------------------------------------------------------------------------------


def test_a_fide_id_decides_between_namesakes(tmp_path: Path, fide: Path) -> None:
    ids = [fide_id(ANDREAS), fide_id(ALEXANDROS), fide_id("Carlsen, Magnus"), 99_999_999]
    games = [played(n, OPEN, WhiteFideId=str(number)) for n, number in enumerate(ids)]
    whites = whites_of(tmp_path, fide, *games, played(9, OPEN))
    assert whites == [ANDREAS, ALEXANDROS, None, None, None]


def test_a_fide_id_is_of_its_side_only(tmp_path: Path, fide: Path) -> None:
    """Two relatives may meet: the player of Black is not also White."""
    tags = {"Black": OPEN, "BlackFideId": str(fide_id(ANDREAS))}
    collection = Collection(tmp_path, played(1, OPEN, **tags))
    collection.consolidate(fide)
    [(white, black)] = collection.persons().values()
    assert black == ANDREAS
    assert white != ANDREAS


def test_a_fide_id_beside_a_full_name_of_two(tmp_path: Path, fide: Path) -> None:
    father, son = "Horvath, Peter sr", "Horvath, Peter jr"
    games = [
        played(n, "Horvath, Peter", WhiteFideId=str(fide_id(name)))
        for n, name in enumerate((father, son, father))
    ]
    assert whites_of(tmp_path, fide, *games, played(9, "Horvath, Peter")) == [
        father, son, father, None,
    ]  # fmt: skip


@pytest.mark.parametrize("number", [fide_id("Shirov, Alexei"), 99_999_999, 0])
def test_a_fide_id_that_does_not_fit_the_name_is_ignored(
    tmp_path: Path, fide: Path, number: int
) -> None:
    games = [
        played(1, "Carlsen, Magnus", WhiteFideId=str(number)),
        played(2, "Carlsen, Magnus"),
        played(3, "Shirov, Alexei"),
    ]
    whites = whites_of(tmp_path, fide, *games)
    assert whites == ["Carlsen, Magnus", "Carlsen, Magnus", "Shirov, Alexei"]


@pytest.mark.parametrize("text", ["", "-", "n/a", "12a", "99999999999999999999", "-5", "1.5", "²"])
def test_a_fide_id_that_is_none(tmp_path: Path, fide: Path, text: str) -> None:
    whites = whites_of(tmp_path, fide, played(1, "Carlsen, Magnus", WhiteFideId=text))
    assert whites == ["Carlsen, Magnus"]


# --- other evidence --------------------------------------------------------------------------


def test_without_evidence_a_name_stays_open(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, played(1, OPEN, Date="2015.01.01"))
    collection.consolidate(fide)
    assert collection.column("WhitePersonID") == [None]
    assert query(collection.path, "SELECT * FROM Persons") == []


def test_the_same_moves_under_the_full_name(tmp_path: Path, fide: Path) -> None:
    games = [played(1, OPEN, OPERA), played(2, ANDREAS, OPERA), played(3, OPEN)]
    assert whites_of(tmp_path, fide, *games) == [ANDREAS, ANDREAS, None]


@pytest.mark.parametrize(("cut", "expected"), [("17. Rd8# ", None), ("Nxb8 17. Rd8# ", None)])
def test_moves_must_be_the_same(tmp_path: Path, fide: Path, cut: str, expected: str | None) -> None:
    games = [played(1, OPEN, OPERA.replace(cut, "")), played(2, ANDREAS, OPERA)]
    assert whites_of(tmp_path, fide, *games) == [expected, ANDREAS]


@pytest.mark.parametrize(("plies", "expected"), [(29, None), (30, ANDREAS)])
def test_short_games_may_have_the_same_moves(
    tmp_path: Path, fide: Path, plies: int, expected: str | None
) -> None:
    rest = {29: "Nxd7 16. Qb8+ Nxb8 17. Rd8# ", 30: "16. Qb8+ Nxb8 17. Rd8# "}
    movetext = OPERA.replace(rest[plies], "")
    games = [played(1, OPEN, movetext), played(2, ANDREAS, movetext)]
    assert whites_of(tmp_path, fide, *games) == [expected, ANDREAS]


def test_the_same_moves_with_the_other_colour_say_nothing(tmp_path: Path, fide: Path) -> None:
    games = [played(1, OPEN, OPERA), played(2, "Opponent, B", OPERA, Black=ANDREAS)]
    assert whites_of(tmp_path, fide, *games)[0] is None


def test_the_same_moves_under_both_names_say_nothing(tmp_path: Path, fide: Path) -> None:
    games = [played(1, OPEN, OPERA), played(2, ANDREAS, OPERA), played(3, ALEXANDROS, OPERA)]
    assert whites_of(tmp_path, fide, *games)[0] is None


EVENT = {"Event": "Zonal", "Date": "2015.03.03"}


def test_the_event(tmp_path: Path, fide: Path) -> None:
    """Another source has the event with his full name; a source uses one name per event."""
    games = [
        played(1, OPEN, **EVENT),
        played(3, OPEN, Date="2015.03.03"),
        played(4, OPEN, Event="Zonal", Date="2035.03.03"),
    ]
    collection = Collection(tmp_path, played(2, ANDREAS, **EVENT), "".join(games))
    collection.consolidate(fide)
    assert collection.white() == [ANDREAS, ANDREAS, None, None]
    one_source = Collection(tmp_path, "".join([*games, played(2, ANDREAS, **EVENT)]), name="b")
    one_source.consolidate(fide)
    assert one_source.white()[0] is None


def test_an_event_of_both(tmp_path: Path, fide: Path) -> None:
    games = [played(n, name, **EVENT) for n, name in enumerate((OPEN, ANDREAS, ALEXANDROS))]
    assert whites_of(tmp_path, fide, *games)[0] is None


@pytest.mark.parametrize("event", ["", "?"])
def test_no_event_is_no_event(tmp_path: Path, fide: Path, event: str) -> None:
    games = [
        played(n, name, Event=event, Date="2015.03.03") for n, name in enumerate((OPEN, ANDREAS))
    ]
    assert whites_of(tmp_path, fide, *games) == [None, ANDREAS]


@pytest.mark.parametrize("elo", ["1965", "1410", "0", ""])
def test_a_rating_between_or_far_from_all_says_nothing(
    tmp_path: Path, fide: Path, elo: str
) -> None:
    games = [
        played(1, OPEN, WhiteElo=elo, Date="2015.01.01"),
        played(2, ALEXANDROS, WhiteElo="2040", Date="2015.01.01"),
        played(3, ANDREAS, WhiteElo="1890", Date="2015.01.01"),
    ]
    assert whites_of(tmp_path, fide, *games) == [None, ALEXANDROS, ANDREAS]


def test_the_rating_far_from_the_other_ones(tmp_path: Path, fide: Path) -> None:
    games = [
        played(1, OPEN, WhiteElo="2040", Date="2015.01.01"),
        played(2, OPEN, WhiteElo="1410", Date="2015.01.01"),
        played(3, ALEXANDROS, WhiteElo="2030", Date="2015.01.01"),
        played(4, ANDREAS, WhiteElo="1400", Date="2015.01.01"),
        played(5, OPEN, Date="2015.01.01"),
    ]
    expected = [ALEXANDROS, ANDREAS, ALEXANDROS, ANDREAS, None]
    assert whites_of(tmp_path, fide, *games) == expected


def test_what_a_game_decides_is_no_evidence_for_another(tmp_path: Path, fide: Path) -> None:
    """Else the order of the games would matter."""
    games = [
        played(1, ANDREAS, Event="First", Date="2015.01.01"),
        played(2, OPEN, OPERA, Event="First", Date="2015.01.01"),
        played(3, OPEN, OPERA, Event="Second"),
        played(4, OPEN, OPERA, Event="Third"),
    ]
    collection = Collection(tmp_path, games[0], "".join(games[1:]))
    collection.consolidate(fide)
    assert collection.white() == [ANDREAS, ANDREAS, None, None]


def test_what_is_stored_of_a_decision(tmp_path: Path, fide: Path) -> None:
    ids = [fide_id(ANDREAS)] * 3 + [fide_id(ALEXANDROS)]
    games = [played(n, OPEN, WhiteFideId=str(number)) for n, number in enumerate(ids)]
    collection = Collection(tmp_path, "".join(games) + played(9, ALEXANDROS))
    summary = collection.consolidate(fide)
    sql = (
        "SELECT Players.Name, Persons.Name, Scope, Stage, Reason, Probability FROM Resolutions "
        "JOIN Players ON Players.ID = PlayerID JOIN Persons ON Persons.ID = PersonID ORDER BY 1"
    )
    rows = query(collection.path, sql)
    assert (OPEN, ANDREAS, "game", "games", "in 3 games", 1.0) in rows
    assert (OPEN, ALEXANDROS, "game", "games", "in 1 games", 1.0) in rows
    assert (ALEXANDROS, ALEXANDROS, "name", "exact") in [row[:4] for row in rows]
    assert summary.games_by_evidence == 4


# --- order and steps -------------------------------------------------------------------------

GAMES = [
    played(10, "Carlsen, Magnus", Date="2025.02.03"),
    played(11, "Magnus Carlsen", Black="Zwischenfeld, Kunibert", Event="Open", Date="2014.01.01"),
    played(12, "Kunibert Zwischenfeld", Black="NN", Date="2014.??.??"),
    played(13, "Petrosian, T", Black="Tal, M", Date="1960.01.01"),
    played(14, "Petrosian, T", Black=OPEN, Date="2010.01.01", BlackElo="2041"),
    played(15, ALEXANDROS, Black="Shirov, Alexei", Date="2010.06.01", WhiteElo="2035"),
    played(16, "Shirow, Alexej", Black="Lemos, N", WhiteElo="0"),
    played(17, OPEN, OPERA, Event="Zonal", Date="2015.01.01"),
    played(18, ANDREAS, OPERA, Event="Another name of it"),
    played(19, OPEN, WhiteFideId=str(fide_id(ALEXANDROS)), Date="2011.01.01"),
    played(20, "Zwischenfeld, K", Black="Quendler, Josef", Event="Open", Date="2013.01.01"),
    played(21, "Quendler, Joseph", Black="Obermoser, Vitus jr", Date="2012.01.01"),
    played(22, "Obermoser, Vitus", Black="Obermoser, Vitus sr", Date="1975.01.01"),
    played(23, "Horvath, Peter", Black="Horvath, P", Date="1975.01.01"),
    played(24, "Horvath, Peter", Black="Polgar, S", Date="2005.01.01"),
    played(25, "Carlsen, Magnus", Black="Tal, Mikhail", Date="1950.01.01"),
    played(26, "Lemos, N", Black="Lemos, Natalia", Event="Open", Date="2019.01.01"),
    played(27, "Lemos, Nicolas", Black="Mueller, K", Event="Open", Date="2018.01.01"),
    played(28, "Tal, Mihail", Black="Müller, Karsten", Date="1990.01.01"),
]  # fmt: skip


def one_step(folder: Path, fide: Path | None, games: Sequence[str] = GAMES) -> Collection:
    collection = Collection(folder, "".join(games), name="whole")
    collection.consolidate(fide)
    return collection


def content_by_game(collection: Collection) -> list[tuple[object, ...]]:
    """Return persons, hashes and filled-in fields, by the round of the game."""
    names = ("CoreHash", "ExtraTags", "WhiteElo", "BlackElo", "BackFilled")
    persons = [result for _, result in sorted(collection.persons().items())]
    return list(zip(persons, *map(collection.column, names), strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("has_list", [True, False])
def test_the_order_of_the_games_does_not_matter(
    tmp_path: Path, fide: Path, seed: int, has_list: bool
) -> None:
    expected = one_step(tmp_path, fide if has_list else None)
    assert len({*expected.persons().values()}) > 12
    games = random.Random(seed).sample(GAMES, len(GAMES))
    cut = seed * 5 + 1
    shuffled = Collection(tmp_path, "".join(games[:cut]), "".join(games[cut:]), name="shuffled")
    shuffled.consolidate(fide if has_list else None)
    assert content_by_game(shuffled) == content_by_game(expected)


@pytest.mark.parametrize("cut", [3, 4, 8, 12, 17])
@pytest.mark.parametrize("has_list", [True, False])
def test_two_steps_find_the_same_persons(
    tmp_path: Path, fide: Path, cut: int, has_list: bool
) -> None:
    expected = one_step(tmp_path, fide if has_list else None)
    steps = Collection(tmp_path, "".join(GAMES[:cut]), name="steps")
    steps.consolidate(fide if has_list else None)
    steps.append("".join(GAMES[cut:]))
    assert not steps.consolidate().is_unchanged
    assert steps.persons() == expected.persons()
    assert steps.column("CoreHash") == expected.column("CoreHash")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([14], [13]),  # the living Petrosian first
        ([13], [14]),
        ([18, 17], [19]),
        ([24], [23]),
        ([25], [10]),
        ([20], [11, 12]),
        ([21], [20]),
        ([22], [21]),
        ([28], [13, 25]),
    ],
)
def test_steps_of_single_games(
    tmp_path: Path, fide: Path, first: list[int], second: list[int]
) -> None:
    chosen = [GAMES[number - 10] for number in (*first, *second)]
    expected = one_step(tmp_path, fide, chosen)
    steps = Collection(tmp_path, "".join(chosen[: len(first)]), name="steps")
    steps.consolidate(fide)
    steps.append("".join(chosen[len(first) :]))
    steps.consolidate()
    assert steps.persons() == expected.persons()
    assert steps.column("CoreHash") == expected.column("CoreHash")


def test_a_game_of_the_other_namesake_stays_his_through_steps(tmp_path: Path) -> None:
    grandmaster = Person("Quorten, Zeno", fide_id=1, title="GM", birth_year=1980, rating=2650)
    elder = Person("Quorten, Zeno", fide_id=2, birth_year=1900)
    listed = write_list(tmp_path, [*living(), grandmaster, elder])
    games = [
        played(n, "Quorten, Zeno", Date=f"{year}.01.01") for n, year in enumerate((1950, 2010))
    ]
    collection = Collection(tmp_path, "".join(games))
    collection.consolidate(listed)
    born = "SELECT BirthYear FROM Games JOIN Persons ON Persons.ID = WhitePersonID ORDER BY Round"
    before = query(collection.path, born)
    assert before == [(1900,), (1980,)]
    collection.append(played(5, "Somebody, Else"))
    collection.consolidate()
    assert query(collection.path, born)[:2] == before


def test_persons_keep_their_ids_through_steps(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, "".join(GAMES[:9]))
    collection.consolidate(fide)
    sql = "SELECT Name, ID FROM Persons"
    before: dict[str, int] = dict(query(collection.path, sql))
    collection.append("".join(GAMES[9:]))
    collection.consolidate()
    after: dict[str, int] = dict(query(collection.path, sql))
    assert {name: after.get(name) for name in before} == before
    assert len(after) > len(before)
