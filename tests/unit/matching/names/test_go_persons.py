"""Names of Go players to persons: what is joined, what stays apart, what stays open."""

import random

import pytest

from ocgdedup.matching.names.consolidate import NameUse
from ocgdedup.matching.names.go_persons import GamesOfNames, GoConsolidation, GoList
from ocgdedup.matching.names.go_spelling import spelling
from ocgdedup.model import AliasGroup


def group(name, *aliases):
    return AliasGroup(name, aliases, "", "", None, None, None)


def use(number, name, games=1):
    return NameUse(number, name, games, {}, frozenset())


def persons_by_name(names, listed=(), *, met=(), shared_games=None, days=None, shuffle=None):
    """Return the person's name of each name, None if it is open; nobody is left out."""
    uses = [use(number, name, 100 - number) for number, name in enumerate(names)]
    if shuffle is not None:
        random.Random(shuffle).shuffle(uses)
    places = {name: number for number, name in enumerate(names)}
    pairs = {tuple(sorted(map(places.get, pair))) for pair in met}
    counts = {tuple(sorted(map(places.get, pair))): n for pair, n in (shared_games or {}).items()}
    played = {places[name]: days_of_name for name, days_of_name in (days or {}).items()}
    games = GamesOfNames(
        pairs,
        counts,
        lambda asked: {days_of_name: played.get(days_of_name, {}) for days_of_name in asked},
    )
    result = GoConsolidation(GoList(listed)).run(uses, games)
    return {
        names[number]: None
        if days_of_name.person is None
        else result.persons[days_of_name.person].name
        for number, days_of_name in result.identities.items()
    }


def stages(names, listed=()):
    uses = [use(number, name, 100 - number) for number, name in enumerate(names)]
    result = GoConsolidation(GoList(listed)).run(uses)
    return [result.identities[number].stage for number in range(len(names))]


def test_each_full_name_is_a_person():
    names = ["O Meien", "柯潔", "이창호", "Michael Redmond"]
    assert persons_by_name(names) == {name: name for name in names}


def test_spellings_are_one_person_under_the_name_of_most_games():
    names = ["Lee Changho", "Yi Ch'ang-ho", "이창호", "Lee Chang-ho 9p"]
    assert set(persons_by_name(names).values()) == {"Lee Changho"}


def test_stages():
    names = ["Lee Changho", "Lee Changho 9p", "Lee Chang-ho", "Changho Lee", "Yi Ch'ang-ho"]
    assert stages(names) == ["exact", "exact", "variant", "order", "phonetic"]


def test_unknown_players_have_no_identity():
    assert persons_by_name(["?", "NN", "Black", "Cho U"]) == {"Cho U": "Cho U"}


def test_names_that_say_too_little_stay_unresolved():
    assert persons_by_name(["Shuwa", "T. Ishikawa", "Honinbo Shuwa", "Honinbo Shuwa & ?"]) == {
        "Shuwa": None,
        "Honinbo Shuwa & ?": None,
        "T. Ishikawa": None,
        "Honinbo Shuwa": "Honinbo Shuwa",
    }


def test_a_name_that_fits_two_different_persons_is_not_joined():
    # "Sung" may be 성 or 숭, "Jung" 정 or 중.
    names = ["Kim Jung", "Kim Jeong", "Kim Joong"]
    assert persons_by_name(names) == {name: name for name in names}
    assert len(set(persons_by_name(names[:2]).values())) == 1


def test_beside_marked_namesakes_no_spelling_is_joined():
    names = ["Lee Sanghun", "Lee Sanghoon"]
    assert len(set(persons_by_name(names).values())) == 1
    assert len(set(persons_by_name([*names, "Lee Sanghun (b)"]).values())) == 3


def test_opponents_are_two_persons():
    names = ["Lee Changho", "Yi Ch'ang-ho"]
    assert len(set(persons_by_name(names, met=[names]).values())) == 2


@pytest.mark.parametrize(("game", "persons"), [(1, 1), (2, 2)])
def test_players_of_different_games_on_one_day_are_two_persons(game, persons):
    days = {"Lee Changho": {"1990.01.02": {1}}, "Yi Ch'ang-ho": {"1990.01.02": {game}}}
    assert len(set(persons_by_name([*days], days=days).values())) == persons


def test_games_under_both_names_speak_against_days():
    names = ["Fujisawa Hideyuki", "Fujisawa Shuko"]
    days = {name: {"1968.11.07": {name}, "1969.11.07": {name}} for name in names}
    for games, persons in ((5, 1), (1, 2)):
        assert (
            len(set(persons_by_name(names, days=days, shared_games={tuple(names): games}).values()))
            == persons
        )
    days = {name: {f"1968.11.{day:02}": {name} for day in range(1, 8)} for name in names}
    assert len(set(persons_by_name(names, days=days, shared_games={tuple(names): 6}).values())) == 2


def test_players_on_different_days_may_be_one_person():
    days = {"Lee Changho": {"1990.01.02": {1}}, "Yi Ch'ang-ho": {"1990.01.03": {2}}}
    assert len(set(persons_by_name([*days], days=days).values())) == 1


@pytest.mark.parametrize(
    ("left", "right", "games"),
    [
        ("Kim Sonjin", "Kim Sungjin", 1),
        ("Alexandre Dinerchtein", "Alexander Dinerstein", 1),
        ("Hayashi Hakuei", "Hayashi Hakuei Monnyu", 2),
        ("Fujisawa Hideyuki", "Fujisawa Shuko", 5),
    ],
)
def test_games_under_both_names(left, right, games):
    assert (
        len(set(persons_by_name([left, right], shared_games={(left, right): games}).values())) == 1
    )
    too_few = {(left, right): games - 1} if games > 1 else {}
    assert len(set(persons_by_name([left, right], shared_games=too_few).values())) == 2


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Nakamura Yutaro", "Takagawa Shukaku"),  # a wrong name in the records
        ("Sakaguchi Sentoku", "Sakaguchi Sentoku II"),
        ("Cho Chikun", "Cho Chikun & Kobayashi Izumi"),
    ],
)
def test_games_do_not_join_all(left, right):
    assert len(set(persons_by_name([left, right], shared_games={(left, right): 50}).values())) == 2


LISTED = [
    group("Lee Changho", "이창호", "李昌鎬", "李昌镐"),
    group("Kim Seongjae", "김승재"),
    group("Rin Kaiho", "林海峰"),
    group("Choi Minseo", "최민서"),
    group("Choi Minseo (f)", "최민서"),
]


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Lee Changho", "Lee Changho"),
        ("Yi Ch'ang-ho 9p", "Lee Changho"),
        ("李昌鎬", "Lee Changho"),
        ("李昌镐", "Lee Changho"),
        ("이창호", "Lee Changho"),
        ("Kim Seung Jae", "Kim Seongjae"),  # Hangul says how it is read
        ("林海峰", "Rin Kaiho"),
        ("Kaiho Rin", "Rin Kaiho"),
        ("최민서", None),
    ],
)
def test_list(name, person):
    assert persons_by_name([name], LISTED) == {name: person}


def test_hangul_of_a_player_who_is_no_korean_says_nothing_of_other_names():
    listed = [group("Jiang Min", "장민")]
    assert persons_by_name(["장민"], listed) == {"장민": "Jiang Min"}
    assert persons_by_name(["Jang Min"], listed) == {"Jang Min": "Jang Min"}


def test_a_spelling_that_hangul_contradicts_is_found_by_either():
    listed = [AliasGroup("Park Geunho", ("박건호",), "", "KOR", None, None, None)]
    for name in ("Park Kun-ho", "Park Geon-ho", "박건호", "Pak Keunho"):
        assert persons_by_name([name], listed) == {
            name: "Park Geunho" if name != "Park Kun-ho" else name
        }


def test_scripts_are_joined_by_the_list_alone():
    names = ["Rin Kaiho", "林海峰"]
    assert len(set(persons_by_name(names).values())) == 2
    assert set(persons_by_name(names, LISTED).values()) == {"Rin Kaiho"}


def test_a_list_may_have_rows_that_name_nobody():
    listed = GoList([group("?"), group("Cho U")])
    assert [person.name for person in listed.persons] == ["Cho U"]
    assert listed.alike(spelling("Cho U")) == [0]


def test_two_listed_players_are_never_one_person():
    listed = [group("Kim Jeong", "김정"), group("Kim Jung", "김중")]
    names = ["Kim Jeong", "Kim Jung"]
    assert persons_by_name(names, listed) == {name: name for name in names}
    assert len(set(persons_by_name(names, shared_games={tuple(names): 9}).values())) == 1
    assert len(set(persons_by_name(names, listed, shared_games={tuple(names): 9}).values())) == 2


@pytest.mark.parametrize("seed", range(5))
def test_order_does_not_matter(seed):
    names = [
        "Kim Jung", "Kim Jeong", "Kim Joong", "Lee Changho", "Yi Ch'ang-ho", "이창호", "Yu Bin",
        "Cho Chikun & Cho U", "Cho U & Cho Chikun", "Otake Hideo", "Ohtake Hideo", "O Rissei",
    ]  # fmt: skip
    assert persons_by_name(names, LISTED, shuffle=seed) == persons_by_name(names, LISTED)
