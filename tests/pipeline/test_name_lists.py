"""Lists of players: read once, kept, replaced; aliases; the stored index; damage."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import apsw
import pytest

from ocgdedup._kernels.names import ListedPlayers
from ocgdedup.errors import RatingListError, UsageError
from ocgdedup.matching.names import phonetic
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList, PersonTable
from ocgdedup.matching.names.past_masters import past_masters, past_spellings
from ocgdedup.matching.names.resolve import Resolver, weigh_each
from ocgdedup.model import AliasGroup, FidePlayer, Person
from ocgdedup.pipeline.players import name_lists
from ocgdedup.pipeline.players.name_lists import (
    ImportedList,
    import_aliases,
    import_fide_list,
    name_list,
    persons_of,
    stored_name_list,
)
from ocgdedup.store import fide_players
from ocgdedup.store.database import create_database, open_database
from ocgdedup.store.history import transaction
from tests.support.databases import Collection, Row, Silent, dump, query
from tests.support.persons import LIST_NAME, crowd, fide_id, living, meant, write_list, xml_list
from tests.support.pgn_text import game

KASPAROV = fide_id("Kasparov, Garry")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path / "a.db3"))
    yield opened
    opened.close()


@pytest.fixture
def fide(tmp_path: Path) -> Path:
    return write_list(tmp_path, living())


def rows(connection: apsw.Connection, sql: str) -> list[Row]:
    return connection.execute(sql).fetchall()


def read(connection: apsw.Connection, path: Path, *, may_be_older: bool = False) -> ImportedList:
    return import_fide_list(connection, str(path), Silent(), may_be_older=may_be_older)


# --- rating lists ----------------------------------------------------------------------------


def test_a_list_is_read(connection: apsw.Connection, fide: Path) -> None:
    assert read(connection, fide) == ImportedList(
        len(living()), 0, 0, "", "2025-02", "its file name"
    )
    stored = rows(connection, "SELECT FideID, Name FROM FidePlayers ORDER BY FideID")
    assert stored == sorted((person.fide_id, person.name) for person in living())
    [kept] = rows(connection, "SELECT Name, Kind, Size, Month, Entries FROM RatingLists")
    assert kept == (LIST_NAME, "fide", fide.stat().st_size, "2025-02", len(living()))


def test_the_same_file_is_not_read_again(connection: apsw.Connection, fide: Path) -> None:
    first = read(connection, fide)
    connection.execute(
        "UPDATE FidePlayers SET Name = 'Kept, As It Is' WHERE FideID = ?", (KASPAROV,)
    )
    other_name = fide.rename(fide.with_name("standard_mar25_xml.xml"))
    assert read(connection, other_name) == first._replace(month_source="already in the database")
    sql = f"SELECT Name FROM FidePlayers WHERE FideID = {KASPAROV}"
    assert rows(connection, sql) == [("Kept, As It Is",)]
    assert rows(connection, "SELECT Name FROM RatingLists") == [(LIST_NAME,)]


def test_another_list_takes_the_place_of_the_one_before(
    connection: apsw.Connection, fide: Path
) -> None:
    read(connection, fide)
    later = write_list(fide.parent, living()[:5], "standard_mar25_xml.xml")
    assert read(connection, later)[::4] == (5, "2025-03")
    assert rows(connection, "SELECT count(*) FROM FidePlayers") == [(5,)]
    with pytest.raises(UsageError, match="2025-02 is older than the one in the database"):
        read(connection, fide)
    again = read(connection, fide, may_be_older=True)
    assert again.entries == len(living())  # not the last one: it is read again
    assert rows(connection, "SELECT count(*) FROM FidePlayers") == [(len(living()),)]
    assert len(rows(connection, "SELECT ID FROM RatingLists")) == 3


def test_entries_that_are_left_out_are_counted(connection: apsw.Connection, fide: Path) -> None:
    text = xml_list([*living()[:3], living()[1]._replace(name="Somebody, Else")])
    bad = "<player><fideid>x</fideid><name>Nobody</name></player>\n</playerslist>"
    fide.write_text(text.replace("</playerslist>", bad))
    assert read(connection, fide) == ImportedList(3, 1, 1, "player 5", "2025-02", "its file name")
    names = {name for (name,) in rows(connection, "SELECT Name FROM FidePlayers")}
    assert names == {person.name for person in living()[:3]}


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("</playerslist>", ""),
        lambda text: text[: len(text) // 2] + "<&>" + text[len(text) // 2 :],
    ],
)
@pytest.mark.parametrize("had_one", [True, False])
def test_a_damaged_list_changes_nothing(
    tmp_path: Path, fide: Path, damage: Callable[[str], str], had_one: bool
) -> None:
    path = tmp_path / "b.db3"
    create_database(str(path)).close()
    if had_one:
        write(path, lambda connection: read(connection, fide))
    before = dump(path)
    damaged = tmp_path / "standard_mar25_xml.xml"
    damaged.write_text(damage(xml_list(living())))
    with pytest.raises(RatingListError, match=r"standard_mar25_xml\.xml"):
        write(path, lambda connection: read(connection, damaged))
    assert dump(path) == before


def write(path: Path, what: Callable[[apsw.Connection], object]) -> None:
    database = open_database(str(path), writable=True)
    try:
        with transaction(database.connection):
            what(database.connection)
    finally:
        database.close()


def test_a_list_that_is_absent(connection: apsw.Connection, tmp_path: Path) -> None:
    for function in (import_fide_list, import_aliases):
        with pytest.raises(RatingListError, match="absent: cannot be read: No such file"):
            function(connection, str(tmp_path / "absent"), Silent())


# --- spelling files --------------------------------------------------------------------------

SPELLINGS = """@PLAYER
Kasparov, Garry #GM RUS 1963.04.13
= Weinstein, Garik Kimovich
= Harry K.
Zwischenfeld, Kunibert #IM AUT 1901--1970
= Wiener Meister
Quendler, Josef
%Bio FIDEID {}
= Sepp vom Berg
Shirov, Alexei #LAT 1901
= Shiroff, Alexander
"""


@pytest.fixture
def spellings(tmp_path: Path) -> Path:
    path = tmp_path / "names.ssp"
    path.write_text(SPELLINGS.format(fide_id("Polgar, Judit")))
    return path


def test_aliases_find_their_player(
    connection: apsw.Connection, fide: Path, spellings: Path
) -> None:
    read(connection, fide)
    assert import_aliases(connection, str(spellings), Silent()).players == 4
    resolver = Resolver(stored_name_list(connection))
    assert meant("Weinstein, Garik Kimovich", by=resolver) == "Kasparov, Garry"
    assert meant("Kasparov, Garry", by=resolver) == "Kasparov, Garry"
    assert meant("Wiener Meister", by=resolver) == "Zwischenfeld, Kunibert"
    # The FIDE ID names Polgar, Judit; the file gives the player another name.
    assert meant("Sepp vom Berg", by=resolver) == "Quendler, Josef"
    assert meant("Polgar, Judit", by=resolver) == "Quendler, Josef"


def test_a_group_may_be_a_namesake_of_a_listed_player(
    connection: apsw.Connection, fide: Path, spellings: Path
) -> None:
    """The years contradict: it is not an alias of the listed Shirov."""
    read(connection, fide)
    import_aliases(connection, str(spellings), Silent())
    resolver = Resolver(stored_name_list(connection))
    number = resolver.resolve("Shiroff, Alexander").person
    assert number is not None
    person = resolver.persons[number]
    assert (person.name, person.fide_id, person.birth_year) == ("Shirov, Alexei", None, 1901)


def test_persons_of_a_spelling_file(connection: apsw.Connection, spellings: Path) -> None:
    import_aliases(connection, str(spellings), Silent())
    persons = {person.name: person for person in stored_name_list(connection).persons}
    assert len(persons) == 4
    assert persons["Zwischenfeld, Kunibert"] == Person(
        "Zwischenfeld, Kunibert", None, "IM", "AUT", 1901, 1970
    )


def test_the_same_spelling_file_is_not_read_again(
    connection: apsw.Connection, spellings: Path
) -> None:
    import_aliases(connection, str(spellings), Silent())
    connection.execute("DELETE FROM NameAliases WHERE Alias = 'Harry K.'")
    count = rows(connection, "SELECT count(*) FROM NameAliases")
    assert import_aliases(connection, str(spellings), Silent()).players == 4
    assert rows(connection, "SELECT count(*) FROM NameAliases") == count
    spellings.write_text("@PLAYER\nKarpov, Anatoly\n= Tolja\n")
    assert import_aliases(connection, str(spellings), Silent()).players == 1
    names = {name for (name,) in rows(connection, "SELECT DISTINCT Name FROM NameAliases")}
    assert {"Karpov, Anatoly", "Kasparov, Garry"} < names  # beside the others
    assert len(rows(connection, "SELECT ID FROM RatingLists WHERE Kind = 'aliases'")) == 2


def test_a_damaged_spelling_file_changes_nothing(tmp_path: Path, spellings: Path) -> None:
    path = tmp_path / "b.db3"
    create_database(str(path)).close()
    before = dump(path)
    spellings.write_text(f"{SPELLINGS}@NOSUCHSECTION\n")
    with pytest.raises(RatingListError, match="line 12: no section is called @NOSUCHSECTION"):
        write(path, lambda connection: import_aliases(connection, str(spellings), Silent()))
    assert dump(path) == before


def test_aliases_in_a_consolidation(tmp_path: Path, fide: Path, spellings: Path) -> None:
    names = ("Weinstein, Garik Kimovich", "Garry Kasparov", "Wiener Meister", "Zwischenfeld, K")
    games = (game("*", White=name, Round=str(number)) for number, name in enumerate(names))
    collection = Collection(tmp_path, "".join(games), name="b")
    collection.consolidate(fide)
    first = collection.white()
    assert first[1] == "Kasparov, Garry"
    assert first[0] != first[1]
    collection.read_lists(aliases=spellings)
    assert not collection.consolidate().is_unchanged
    assert collection.white() == ["Kasparov, Garry"] * 2 + ["Zwischenfeld, Kunibert"] * 2
    assert query(collection.path, "SELECT count(*) FROM Persons") == [(2,)]


# --- masters of the past ---------------------------------------------------------------------


def player(name: str, number: int = 1, born: int | None = None) -> FidePlayer:
    return FidePlayer(number, name, "RUS", "M", "GM", 2500, None, None, born, "")


def test_without_a_list_there_are_no_masters_of_the_past() -> None:
    assert len(name_list(PersonTable(), []).persons) == 0
    groups = [AliasGroup("Zwischenfeld, Kunibert", (), "", "", None, None, None)]
    assert len(name_list(PersonTable(), groups).persons) == 1


def group_of(name: str, *aliases: str, born: int | None = None) -> AliasGroup:
    return AliasGroup(name, aliases, "", "", born, None, None)


def test_a_listed_name_as_an_alias_renames_the_player() -> None:
    """A name by marriage: no list relates the two."""
    players = [player("Oyelaran, Folasade", 71, 1990), player("Tvedt, Ragnhild", 72)]
    group = group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade", "Sadek B", born=1990)
    persons = list(name_list(persons_of(players), [group]).persons)
    assert [row.fide_id for row in persons if row.name == group.name] == [71]
    assert "Oyelaran, Folasade" not in {row.name for row in persons}


@pytest.mark.parametrize(
    "groups",
    [
        [group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade", born=1971)],
        [group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade", "Tvedt, Ragnhild")],
        [group_of("Brandvold-Nkemelu, Sadek", "Ipsen, Bo")],
        [group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade")._replace(fide_id=9)],
        [
            group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade"),
            group_of("Zwischenfeld, Kuni", "Oyelaran, Folasade"),
        ],
        [
            group_of("Brandvold-Nkemelu, Sadek", "Oyelaran, Folasade"),
            group_of("Oyelaran, Folasade", "Oyelaran, F"),
        ],
    ],
    ids=["years", "two-players", "namesakes", "fide-id", "two-groups", "canonical-too"],
)
def test_an_alias_that_does_not_decide(groups: list[AliasGroup]) -> None:
    players = [
        player("Oyelaran, Folasade", 71, 1990), player("Tvedt, Ragnhild", 72),
        player("Ipsen, Bo", 73, 1980), player("Ipsen, Bo", 74, 1999),
    ]  # fmt: skip
    persons = list(name_list(persons_of(players), groups).persons)
    [sadek] = [row for row in persons if row.name == "Brandvold-Nkemelu, Sadek"]
    assert sadek.fide_id in (None, 9)
    assert {row.name for row in persons} >= {row.name for row in players}


def test_years_choose_between_listed_namesakes() -> None:
    players = [player("Ipsen, Bo", 73, 1980), player("Ipsen, Bo", 74, 1999)]
    group = group_of("Brandvold-Nkemelu, Sadek", "Ipsen, Bo", born=1999)
    persons = list(name_list(persons_of(players), [group]).persons)
    assert [row.fide_id for row in persons if row.name == group.name] == [74]


def test_masters_of_the_past_and_their_spellings() -> None:
    listed = name_list(persons_of([player("Carlsen, Magnus")]), [])
    names = [person.name for person in listed.persons]
    assert names == ["Carlsen, Magnus", *(person.name for person in past_masters())]
    resolver = Resolver(listed)
    for name, spellings in past_spellings():
        for spelling in spellings:
            assert name in (meant(spelling, by=resolver), None, *_namesakes(name, resolver))
    assert meant("Aljechin, Alexander", by=resolver) == "Alekhine, Alexander"


def _namesakes(name: str, resolver: Resolver) -> set[str]:
    resolution = resolver.resolve(name)
    return {resolver.persons[candidate.person].name for candidate in resolution.candidates}


def test_listed_players_are_not_added_twice() -> None:
    listed = name_list(persons_of([player("Petrosian, Tigran V", 77, 1929)]), [])
    assert len(listed.persons) == 1 + sum(1 for _ in past_masters()) - 1
    resolver = Resolver(listed)
    assert meant("Petrosian, Tigran V", by=resolver) == "Petrosian, Tigran V"
    other = name_list(persons_of([player("Petrosian, Tigran L", 77, 1984)]), [])
    assert len(other.persons) == 1 + sum(1 for _ in past_masters())


def test_stored_fields_of_a_listed_player(connection: apsw.Connection) -> None:
    players = [
        FidePlayer(7, "Alpha, Anna", "GER", "F", "WGM", 2301, 2200, None, 1980, "wi"),
        FidePlayer(8, "Beta, Boris", "", "", "", None, None, None, None, ""),
    ]
    added = ListedPlayers()
    fide_players.replace_fide_players(connection, added, map(added.add, players))
    for listed in (name_list(persons_of(players), []), stored_name_list(connection)):
        first, second = islice(listed.persons, 2)
        assert first == Person("Alpha, Anna", 7, "WGM", "GER", 1980, None, 2301, "F", False)
        assert second == Person("Beta, Boris", 8)


# --- the stored index ------------------------------------------------------------------------

WRITTEN = ["Shirow, Alexej", "Tchekhov, Valeri", "Nabokow, Sergej", "Lee Se-dol", "Garcia, C"]


@pytest.fixture
def listed(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> apsw.Connection:
    """Return a database with a list whose index is stored, and with masters of the past."""
    monkeypatch.setattr(name_lists, "_WORTH_STORING", 100)
    with transaction(connection):
        connection.executemany(
            "INSERT INTO FidePlayers (FideID, Name, Country, BirthYear) VALUES (?, ?, ?, ?)",
            [(p.fide_id, p.name, p.country, p.birth_year) for p in [*living(), *crowd()[200:2200]]],
        )
    return connection


def weights(names: NameList) -> list[object]:
    return [
        [(names.persons[match.person], *match[1:], names.forms[match.entry]) for match in fits]
        for fits in weigh_each(names, WRITTEN)
    ]


def test_a_stored_index_is_the_list(listed: apsw.Connection) -> None:
    first, second = stored_name_list(listed), stored_name_list(listed)
    assert rows(listed, "SELECT count(*) FROM NameIndex") == [(1,)]
    assert list(first.persons) == list(second.persons)
    assert weights(first) == weights(second) != []
    assert first.with_korean_key(name_form("Yi Se-tol")) == second.with_korean_key(
        name_form("Yi Se-tol")
    )


def test_the_stored_index_is_read(listed: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    stored_name_list(listed)
    monkeypatch.setattr(fide_players, "fide_players", None)  # cannot be called
    assert len(stored_name_list(listed).persons) > 2000


def test_a_spelling_added_later_is_found(listed: apsw.Connection) -> None:
    stored_name_list(listed)
    names = stored_name_list(listed)
    names.add_spelling(0, "Zzyzx, Quentin")
    [fits] = names.weigh([[name_form("Zzyzx, Quentin")]])
    assert [match.person for match in fits] == [0]


@pytest.mark.parametrize("place", [0, 40, 100, 1000, 10_000, -1])
def test_a_damaged_index_is_made_anew(listed: apsw.Connection, place: int) -> None:
    expected = weights(stored_name_list(listed))
    [(data,)] = rows(listed, "SELECT Data FROM NameIndex")
    damaged = bytearray(data)
    damaged[place] ^= 1
    for written in (bytes(damaged), data[: place if place > 0 else 20]):
        listed.execute("UPDATE NameIndex SET Data = ?", (written,))
        with pytest.raises(ValueError, match="list"):
            NameList.load(io.BytesIO(written).readinto, len(written), phonetic.encode)
        assert weights(stored_name_list(listed)) == expected
    assert rows(listed, "SELECT Data FROM NameIndex") == [(data,)]


def test_an_index_that_is_no_blob_is_made_anew(listed: apsw.Connection) -> None:
    expected = weights(stored_name_list(listed))
    for value in ("text", 5):
        listed.execute("UPDATE NameIndex SET Data = ?", (value,))
        assert weights(stored_name_list(listed)) == expected


def test_a_new_alias_makes_another_index(listed: apsw.Connection) -> None:
    stored_name_list(listed)
    group = AliasGroup("Shirov, Alexei", ("Fire on Board",), "", "", None, None, None)
    fide_players.add_aliases(listed, [group])
    names = stored_name_list(listed)
    assert names.with_surname("board") != []
    assert rows(listed, "SELECT count(*) FROM NameIndex") == [(1,)]


def test_a_database_that_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_lists, "_WORTH_STORING", 0)
    create_database(str(tmp_path / "b.db3")).close()
    database = open_database(str(tmp_path / "b.db3"))
    try:
        assert len(stored_name_list(database.connection).persons) == 0
    finally:
        database.close()
    assert query(tmp_path / "b.db3", "SELECT * FROM NameIndex") == []


def test_an_index_of_other_rules_is_made_anew(
    listed: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_name_list(listed)
    [(state,)] = rows(listed, "SELECT State FROM NameIndex")
    name_lists.index_rules.cache_clear()
    monkeypatch.setattr(name_lists, "__version__", "0.0.0")
    stored_name_list(listed)
    name_lists.index_rules.cache_clear()
    [(other,)] = rows(listed, "SELECT State FROM NameIndex")
    assert other != state
    assert other.partition(" ")[2] == state.partition(" ")[2]
