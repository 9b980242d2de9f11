"""Masters of the past: the table is sound, and holds who it must."""

import re

import pytest

from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_words import FEDERATIONS, read_table
from ocgdedup.matching.names.past_masters import past_masters, past_spellings
from ocgdedup.model import Person

PERSONS = list(past_masters())
BY_NAME = {person.name: person for person in PERSONS}
SPELLINGS = dict(past_spellings())

# "O'Kelly de Galway, Alberic", "Vidmar, Milan jr.": words, one comma, words.
NAME = re.compile(r"[A-Za-z.'-]+( [A-Za-z.'-]+)*, [A-Z][A-Za-z.'-]*( [A-Za-z.'-]+)*")
LONGEST_LIFE = 103
TITLES_BEGIN = 1950  # the year of the first ones
LONGEST_TABLE = 1000


def test_past_masters_are_listed_once():
    assert 300 <= len(PERSONS) <= LONGEST_TABLE
    assert len(BY_NAME) == len(PERSONS)


@pytest.mark.parametrize("section", ["men", "women"])
def test_lines_are_sorted_by_name_and_plain(section):
    table = read_table("past_masters")[section]
    names = [line.split("|")[0] for line in table.splitlines()]
    assert names == sorted(names)
    assert table.isascii()
    for line in table.splitlines():
        assert line.count("|") in (4, 5), line
        assert not line.endswith("|") or line.count("|") == 4, line
        assert line == line.strip(), line
        assert len(line) <= 100, line


def test_names_are_surname_comma_given_names():
    for name in [*BY_NAME, *(other for others in SPELLINGS.values() for other in others)]:
        assert NAME.fullmatch(name), name
        form = name_form(name)
        assert form.is_ordered, name
        assert form.given, name
        assert not form.country, name


def test_federations_and_titles_are_known():
    for person in PERSONS:
        assert person.country in FEDERATIONS, person
        titles = ("", "GM", "IM") if person.sex == "M" else ("", "GM", "IM", "WGM", "WIM")
        assert person.title in titles, person


def test_years_are_plausible():
    for person in PERSONS:
        born, died = person.birth_year, person.death_year
        assert born is None or 1600 <= born <= 1960, person
        assert died is None or 1650 <= died <= 2015, person
        if born is not None and died is not None:
            assert 15 <= died - born <= LONGEST_LIFE, person


def test_almost_all_have_both_years():
    missing = [p.name for p in PERSONS if p.birth_year is None or p.death_year is None]
    assert len(missing) * 20 < len(PERSONS), missing


def test_who_died_before_there_were_titles_has_none():
    for person in PERSONS:
        if person.title and person.death_year is not None:
            assert person.death_year >= TITLES_BEGIN, person


def test_nobody_has_an_id_or_is_active():
    for person in PERSONS:
        assert person.fide_id is None
        assert person.rating is None
        assert not person.is_active


def test_a_spelling_belongs_to_one_master():
    owner = {name: name for name in BY_NAME}
    for name, others in SPELLINGS.items():
        assert others
        for other in others:
            # The two McDonnells are spelt either way; the given names tell them apart.
            assert owner.setdefault(other, name) == name, other


def test_spellings_are_of_masters():
    assert SPELLINGS
    assert SPELLINGS.keys() <= BY_NAME.keys()


@pytest.mark.parametrize(
    "person",
    [
        Person("Lasker, Emanuel", None, "", "GER", 1868, 1941, None, "M", False),
        Person("Lasker, Edward", None, "IM", "USA", 1885, 1981, None, "M", False),
        Person("Capablanca, Jose Raul", None, "", "CUB", 1888, 1942, None, "M", False),
        Person("Botvinnik, Mikhail", None, "GM", "RUS", 1911, 1995, None, "M", False),
        Person("Petrosian, Tigran Vartanovich", None, "GM", "ARM", 1929, 1984, None, "M", False),
        Person("Bernstein, Jacob", None, "", "USA", None, None, None, "M", False),
        Person("Menchik, Vera", None, "", "ENG", 1906, 1944, None, "F", False),
        Person("Menchik, Olga", None, "", "ENG", None, 1944, None, "F", False),
        Person("Rubtsova, Olga", None, "WGM", "RUS", 1909, 1994, None, "F", False),
    ],
    ids=lambda person: person.name,
)
def test_known_masters(person):
    assert BY_NAME[person.name] == person


@pytest.mark.parametrize(
    ("surname", "given"),
    [
        ("Lasker", {"Emanuel", "Berthold", "Edward"}),
        ("Morphy", {"Paul", "Alonzo", "Ernest"}),
        ("Paulsen", {"Louis", "Wilfried"}),
        ("Steiner", {"Endre", "Lajos", "Herman"}),
        ("Johner", {"Hans", "Paul"}),
        ("Cohn", {"Erich", "Wilhelm"}),
        ("Schwarz", {"Adolf", "Jacques"}),
        ("Fleissig", {"Bernhard", "Maximilian"}),
        ("Wolf", {"Heinrich", "Siegfried Reginald"}),
        ("Bernstein", {"Ossip", "Sidney Norman", "Jacob"}),
        ("Alekhine", {"Alexander", "Alexey"}),
        ("Vidmar", {"Milan", "Milan jr."}),
        ("Bolbochan", {"Julio", "Jacobo"}),
        ("Menchik", {"Vera", "Olga"}),
    ],
)
def test_namesakes_stand_side_by_side(surname, given):
    start = f"{surname}, "
    assert {name.removeprefix(start) for name in BY_NAME if name.startswith(start)} == given


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Alekhine, Alexander", "Aljechin, Alexander"),
        ("Torre Repetto, Carlos", "Torre, Carlos"),
        ("Forgacs, Leo", "Fleischmann, Leo"),
        ("Porath, Yosef", "Foerder, Heinz"),
        ("Menchik, Vera", "Stevenson, Vera"),
    ],
)
def test_known_spellings(name, other):
    assert other in SPELLINGS[name]


def test_a_master_without_spellings_is_not_among_them():
    assert "Lasker, Emanuel" in BY_NAME
    assert "Lasker, Emanuel" not in SPELLINGS
