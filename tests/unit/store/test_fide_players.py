"""Rating lists, aliases and phonetic codes in the database."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import apsw
import pytest

from ocgdedup._kernels.names import ListedPlayers
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.short_forms import alias_text
from ocgdedup.model import AliasGroup, FidePlayer, Person, PlayerColumns
from ocgdedup.store import fide_players as store
from ocgdedup.store.fide_players import RatingList
from tests.support.persons import spelling_codes

CARLSEN = FidePlayer(1503014, "Carlsen, Magnus", "NOR", "M", "GM", 2839, 2824, 2881, 1990, "")
POLGAR = FidePlayer(700070, "Polgar, Judit", "HUN", "F", "GM", 2675, 2646, 2736, 1976, "wi")
UNKNOWN = FidePlayer(5, "Nobody", "", "", "", None, None, None, None, "")


def rows(connection: apsw.Connection, sql: str) -> list[tuple]:
    return connection.execute(sql).fetchall()


def replace(connection: apsw.Connection, players: Iterable[FidePlayer]) -> int:
    rows = ListedPlayers()
    return store.replace_fide_players(connection, rows, map(rows.add, players))


def test_players_come_back_by_fide_id(connection: apsw.Connection) -> None:
    assert replace(connection, iter([CARLSEN, POLGAR, UNKNOWN])) == 0
    assert store.fide_players(connection) == PlayerColumns(
        b"NobodyPolgar, JuditCarlsen, Magnus", array("I", [6, 19, 34]),
        array("Q", [5, POLGAR.fide_id, CARLSEN.fide_id]), array("H", [0, 1976, 1990]),
        array("H", [0, 2675, 2839]), array("I", [0, 1, 2]),
        [("", "", "", True), ("GM", "HUN", "F", False), ("GM", "NOR", "M", True)],
    )  # fmt: skip
    assert store.fide_player_count(connection) == 3


def test_what_the_list_does_not_say_is_null(connection: apsw.Connection) -> None:
    replace(connection, [UNKNOWN])
    assert rows(connection, "SELECT * FROM FidePlayers") == [(5, "Nobody", *[None] * 8)]


def test_the_first_of_a_fide_id_counts(connection: apsw.Connection) -> None:
    again = [CARLSEN._replace(name="Second"), POLGAR, CARLSEN._replace(name="Third")]
    assert replace(connection, [CARLSEN, *again]) == 2
    assert store.fide_players(connection).names == b"Polgar, JuditCarlsen, Magnus"


def test_a_new_list_replaces_the_old_one(connection: apsw.Connection) -> None:
    replace(connection, [CARLSEN, UNKNOWN])
    assert replace(connection, [POLGAR]) == 0
    assert store.fide_players(connection).names == b"Polgar, Judit"
    assert replace(connection, []) == 0
    assert store.fide_players(connection).names == b""


def test_aliases_of_listed_players(connection: apsw.Connection) -> None:
    assert not store.lacks_listed_aliases(connection)  # there is no list
    replace(connection, [CARLSEN, POLGAR])
    assert store.lacks_listed_aliases(connection)
    names = NameList([Person("Carlsen, Magnus", CARLSEN.fide_id)], spelling_codes)
    rows = names.aliases(array("d", [0.75]), alias_text, 0.0)
    store.store_listed_aliases(connection, rows, names.persons.fide_ids())
    assert not store.lacks_listed_aliases(connection)
    assert store.listed_alias(connection, CARLSEN.fide_id) == ("Carlsen, M", 0.75)
    assert store.listed_alias(connection, POLGAR.fide_id) is None
    replace(connection, [CARLSEN])
    assert store.listed_alias(connection, CARLSEN.fide_id) is None
    assert store.lacks_listed_aliases(connection)


def test_aliases_of_an_older_version(connection: apsw.Connection) -> None:
    connection.execute("DROP TABLE FideAliases")
    assert store.listed_alias(connection, CARLSEN.fide_id) is None


def test_lists_are_recorded(connection: apsw.Connection) -> None:
    assert store.last_list(connection, "fide") is None
    first = RatingList("a.xml", "fide", 10, "ab", "2020-01", 3)
    spelling = RatingList("s.ssp", "aliases", None, None, None, 7)
    last = first._replace(name="b.xml", month="2019-12")
    for rating_list in (first, last, spelling):
        store.record_list(connection, rating_list)
    result = store.last_list(connection, "fide")
    assert result is not None
    assert result == last._replace(import_date=result.import_date)
    assert len(result.import_date) == len("2020-01-02T03:04:05Z")
    assert store.last_list(connection, "aliases")[:-1] == spelling[:-1]
    assert rows(connection, "SELECT count(*) FROM RatingLists") == [(3,)]


TAL = AliasGroup("Tal, Mikhail", ("Tahl, M", "Talj, Mihail"), "GM", "LAT", 1936, 1992, None)
OLDER = AliasGroup("Smith, John", ("Smith, J sr",), "", "ENG", 1900, 1960, None)
YOUNGER = AliasGroup("Smith, John", ("Smith, J jr",), "", "ENG", 1970, None, 12)
ALONE = AliasGroup("Alone", (), "", "", None, None, 77)


def test_aliases_come_back(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [TAL, ALONE])
    assert list(store.aliases(connection)) == [ALONE, TAL]
    assert rows(connection, "SELECT Title FROM NameAliases WHERE Alias = 'Alone'") == [(None,)]


def test_aliases_are_added_and_replaced(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [TAL])
    store.add_aliases(connection, [ALONE, TAL._replace(country="URS"), TAL._replace(country="RUS")])
    assert list(store.aliases(connection)) == [ALONE, TAL._replace(country="RUS")]


def test_one_alias_of_two_names(connection: apsw.Connection) -> None:
    groups = [
        AliasGroup("Smith, Adam", ("Smith, A",), "", "", 1900, None, None),
        AliasGroup("Smith, Anna", ("Smith, A",), "", "", 1950, None, None),
    ]
    store.add_aliases(connection, groups)
    assert list(store.aliases(connection)) == groups


def test_namesakes_stay_apart(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [OLDER, YOUNGER])
    assert list(store.aliases(connection)) == [OLDER, YOUNGER]


BARE = AliasGroup("Tal, Mikhail", ("Tal,Misha",), "", "", None, None, None)


def test_facts_that_a_later_file_lacks_stay(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [TAL])
    store.add_aliases(connection, [BARE])
    both = TAL._replace(aliases=("Tahl, M", "Tal,Misha", "Talj, Mihail"))
    assert list(store.aliases(connection)) == [both]
    store.add_aliases(connection, [BARE._replace(country="URS", fide_id=7, birth_year=1937)])
    assert list(store.aliases(connection)) == [
        both._replace(country="URS", fide_id=7, birth_year=1937)
    ]


def test_facts_that_an_earlier_file_lacks(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [BARE])
    store.add_aliases(connection, [TAL])
    assert list(store.aliases(connection)) == [
        TAL._replace(aliases=("Tahl, M", "Tal,Misha", "Talj, Mihail"))
    ]


def test_a_later_file_adds_to_the_right_namesake(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [OLDER, YOUNGER])
    store.add_aliases(connection, [YOUNGER._replace(aliases=("Jack",), fide_id=None, title="FM")])
    younger = YOUNGER._replace(aliases=("Jack", "Smith, J jr"), title="FM")
    assert list(store.aliases(connection)) == [OLDER, younger]


def test_a_later_file_that_fits_two_namesakes(connection: apsw.Connection) -> None:
    store.add_aliases(connection, [OLDER, YOUNGER])
    other = AliasGroup("Smith, John", ("Smith, J jr", "Jack"), "", "", None, None, None)
    store.add_aliases(connection, [other])
    assert list(store.aliases(connection)) == [other._replace(aliases=("Jack",)), OLDER, YOUNGER]


def test_a_later_namesake_does_not_replace_an_earlier_one(connection: apsw.Connection) -> None:
    alone = OLDER._replace(aliases=())
    store.add_aliases(connection, [alone])
    store.add_aliases(connection, [YOUNGER])
    assert list(store.aliases(connection)) == [alone, YOUNGER]


def test_the_index_of_other_lists_is_not_used(connection: apsw.Connection) -> None:
    state = store.lists_state(connection)
    with store.name_index(connection, state) as stored:
        assert stored is None
    store.store_name_index(connection, "old", [b"o", b"ld"])
    store.store_name_index(connection, state, [b"n", b"ew"])
    with store.name_index(connection, state) as stored:
        assert stored.read() == b"new"
    with store.name_index(connection, "old") as stored:
        assert stored is None
    replace(connection, [CARLSEN])
    assert store.lists_state(connection) != state
    assert rows(connection, "SELECT * FROM NameIndex") == []


def test_an_error_of_the_list_is_not_hidden(connection: apsw.Connection) -> None:
    def broken():
        yield CARLSEN
        raise EOFError("cut short")

    with pytest.raises(EOFError):
        replace(connection, broken())
