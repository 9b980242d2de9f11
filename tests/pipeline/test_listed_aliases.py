"""Aliases of listed players in the database: filled, replaced, kept, reduced; names in games."""

from __future__ import annotations

from array import array
from math import exp
from pathlib import Path

import pytest

from ocgdedup.commands.players import PlayersRequest, consolidate_players
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.short_forms import LEAST_OF_ALIAS
from ocgdedup.model import FidePlayer, ListFiles, Person
from ocgdedup.pipeline.players.name_lists import name_list, persons_of
from tests.reference.prominence import prominence
from tests.reference.short_forms import Listed, short_form, short_forms
from tests.support.databases import Collection, Row, Silent, change, query
from tests.support.persons import crowd, fide_id, living, write_list
from tests.support.pgn_text import game

pytestmark = pytest.mark.usefixtures("codes_from_memory")

GAMES = game("1. e4 *", White="Carlsen, M", Black="Chilov, A", Round="1")
# Beside those whom tests/support/persons.py has.
OTHERS = [
    Person("Zyxberg, Jan Pieter van der", fide_id=1),
    Person("Wyqvist, Jan Pieter", fide_id=2),
    Person("Ryxdahl, Jan", fide_id=3),
    Person("Zyxqorr", fide_id=4),
    Person("Müller, Karl", fide_id=5),
    Person("Карлсен, Магнус", fide_id=6),
    Person("Qorr, Anna", fide_id=7),
    Person("Qorr, Arne", fide_id=8),
]
ROWS = "SELECT FideID, Alias, Probability FROM FideAliases ORDER BY FideID"


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), [*living(), *OTHERS])


def aliases(collection: Collection) -> dict[int, str]:
    return {number: alias for number, alias, _ in query(collection.path, ROWS)}


def run(
    collection: Collection, fide: Path | None = None, *, store_list: bool | None = None
) -> None:
    lists = ListFiles(None if fide is None else str(fide))
    request = PlayersRequest(str(collection.path), lists, store_list=store_list)
    consolidate_players(request, Silent())


def test_players_with_and_without_games_have_one(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    result = aliases(collection)
    assert {number: result.get(number) for number in range(1, 9)} == {
        1: "van der Zyxberg, JP", 2: "Wyqvist, JP", 3: "Ryxdahl, J", 4: None, 5: None,
        6: "Karlsen, M", 7: None, 8: None,
    }  # fmt: skip
    for name, alias in (
        ("Anand, Viswanathan", "Anand, V"), ("Carlsen, Magnus", "Carlsen, M"),
        ("Van der Berg, Jan", None), ("Van der Berg, Jan Pieter", "Van der Berg, JP"),
        ("Chilov, Andreas", None), ("Mueller, Karsten", None),
    ):  # fmt: skip
        assert result.get(fide_id(name)) == alias
    assert len(set(result.values())) == len(result)


@pytest.mark.slow
def test_aliases_of_a_list_equal_the_reference(tmp_path: Path, fide: Path) -> None:
    """All pairs of listed names, past masters included."""
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    stored = query(collection.path, ROWS)
    [entries] = query(collection.path, "SELECT count(*) FROM FidePlayers")
    players = (
        FidePlayer(*row)
        for row in query(
            collection.path,
            "SELECT FideID, Name, coalesce(Country, ''), '', coalesce(Title, ''), Rating, "
            "Rapid, Blitz, BirthYear, coalesce(Flag, '') FROM FidePlayers ORDER BY FideID",
        )
    )
    names = name_list(persons_of(players), ())
    assert len(names.persons) > entries[0]
    weights = array("d", (exp(prominence(names.persons[bearer])) for bearer in names.person_of))
    twins = [
        Listed(names.forms[entry], person, weights[entry])
        for entry, person in enumerate(names.person_of)
    ]
    actual = short_forms(twins, names, SHORT_FORM_COSTS)
    expected: dict[int, float] = {}
    for person in range(len(names.persons)):
        number = names.persons.fide_id(person)
        its = [entry for entry, bearer in enumerate(names.person_of) if bearer == person]
        forms = {short_form(names.forms[entry]) for entry in its}
        if (
            number is not None
            and actual.get(its[0], 0) >= LEAST_OF_ALIAS
            and forms <= {short_form(names.forms[entry]) for entry in actual}
        ):
            expected[number] = actual[its[0]]
    assert {number: value for number, _, value in stored} == pytest.approx(expected, rel=1e-9)
    assert len(stored) > 100


def test_a_past_master_has_the_short_form_too(tmp_path: Path) -> None:
    path = write_list(tmp_path, [*living(), Person("Tal, Moshe", fide_id=1)])
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(path)
    assert 1 not in aliases(collection)


def test_spelling_files_do_not_matter(tmp_path: Path, fide: Path) -> None:
    spelling = tmp_path / "names.ssp"
    spelling.write_text(
        "@PLAYER\nZyxberg, Jens #GER\n= Zyxberg, J\nAnand, Viswanathan\n= Qorr, A\n"
    )
    collection = Collection(tmp_path, GAMES)
    collection.read_lists(aliases=spelling)
    collection.consolidate(fide)
    other = Collection(tmp_path, GAMES, name="b")
    other.consolidate(fide)
    assert query(collection.path, ROWS) == query(other.path, ROWS)


def test_another_list_has_other_aliases(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    before = aliases(collection)
    later = [*living(), *OTHERS[2:], Person("Ryxdahl, Jo", fide_id=9)]
    collection.consolidate(write_list(tmp_path, later, "standard_mar25_xml.xml"))
    after = aliases(collection)
    assert before.keys() - after.keys() == {1, 2, 3}
    assert after.keys() < before.keys()


def test_without_changes_nothing_is_written(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    change(collection.path, "UPDATE FideAliases SET Alias = 'Kept, K' WHERE FideID = 3")
    collection.consolidate(fide)
    collection.consolidate(fide, again=True)
    assert aliases(collection)[3] == "Kept, K"


def test_a_list_of_an_older_version_gets_aliases(tmp_path: Path, fide: Path) -> None:
    """Although nothing else is new; all other data stay."""
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    before = collection.content()
    change(collection.path, "DELETE FROM FideAliases")
    assert collection.consolidate().is_unchanged
    assert collection.content() == before


def test_without_a_list_there_are_no_aliases(tmp_path: Path) -> None:
    collection = Collection(tmp_path, GAMES)
    collection.consolidate()
    assert aliases(collection) == {}
    assert collection.consolidate().is_unchanged


def test_undo_keeps_aliases(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    before = query(collection.path, ROWS)
    collection.undo()
    assert query(collection.path, ROWS) == before != []


def playing(collection: Collection, whole: list[Row]) -> list[Row]:
    """Return the aliases of players with games."""
    ids = {number for (number,) in query(collection.path, "SELECT FideID FROM Persons")}
    return [row for row in whole if row[0] in ids]


@pytest.mark.parametrize("has_whole_list_before", [False, True])
def test_only_players_of_games_get_aliases(
    tmp_path: Path, fide: Path, has_whole_list_before: bool
) -> None:
    """From the whole list, which has the other players with the same short form."""
    collection = Collection(tmp_path, game("*", White="Chilov, Andreas", Black="Carlsen, Magnus"))
    whole = Collection(tmp_path, GAMES, name="b")
    whole.consolidate(fide)
    stored = query(whole.path, ROWS)
    if has_whole_list_before:
        run(collection, fide)
        assert query(collection.path, ROWS) == stored
        run(collection, store_list=False)
    else:
        run(collection, fide, store_list=False)
    expected = playing(collection, stored)
    assert [row[1] for row in expected] == ["Carlsen, M"]
    assert query(collection.path, ROWS) == expected
    run(collection)  # nothing is new, and the list is not there
    assert query(collection.path, ROWS) == expected
    run(collection, fide, store_list=True)
    assert query(collection.path, ROWS) == stored


# --- names in games ------------------------------------------------------------------------------


def test_stored_aliases_do_not_change_resolutions(tmp_path: Path, fide: Path) -> None:
    """Names in games are resolved by evidence of the games, not by aliases."""
    collection = Collection(tmp_path, GAMES)
    collection.consolidate(fide)
    before = collection.content()
    change(
        collection.path,
        "UPDATE FideAliases SET Probability = 1, Alias = 'Chilov, A' WHERE FideID = 1",
    )
    collection.consolidate(again=True)
    after = collection.content()
    for table in ("Persons", "Resolutions", "Games"):
        assert after[table] == before[table]


def test_similarity_alone_stays_below_nine_tenths(tmp_path: Path) -> None:
    """ "Nabokow, Sergej" once was "Naboka, Sergey" with 0.996; his FIDE ID would say so."""
    naboka = Person(
        "Naboka, Sergey", fide_id=77, title="FM", country="UKR", birth_year=1993, rating=2334
    )
    fide = write_list(tmp_path, [naboka, *crowd()[:5000]])
    text = game("1. e4 *", White="Nabokow, Sergej", Black="Beta, B", Round="1")
    alone = Collection(tmp_path, text)
    alone.consolidate(fide)
    sql = (
        "SELECT Stage, Probability FROM Resolutions JOIN Persons ON Persons.ID = PersonID "
        "WHERE FideID = 77"
    )
    [(stage, probability)] = query(alone.path, sql)
    assert stage == "similarity"
    assert 0 < probability < 0.9
    assert alone.column("ExtraTags ->> '$.WhiteFideId'") == [None]
    text = text.replace("[Round", '[WhiteFideId "77"]\n[Round')
    tagged = Collection(tmp_path, text, name="b")
    tagged.consolidate(fide)
    [(_, probability)] = query(tagged.path, sql)
    assert probability > 0.9
