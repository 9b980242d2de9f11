"""Lists of players: read once, kept, replaced; aliases; phonetic codes kept; damage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from ocgdedup.errors import RatingListError, UsageError
from ocgdedup.matching.names.past_masters import past_masters, past_spellings
from ocgdedup.matching.names.resolve import Resolver
from ocgdedup.model import AliasGroup, FidePlayer, Person
from ocgdedup.pipeline.players import name_lists
from ocgdedup.pipeline.players.name_lists import (
    CodeCache,
    ImportedList,
    encode,
    import_aliases,
    import_fide_list,
    name_list,
    stored_name_list,
)
from ocgdedup.store.connection import transaction
from ocgdedup.store.database import create_database, open_database
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
    assert import_aliases(connection, str(spellings), Silent()) == 4
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
    assert import_aliases(connection, str(spellings), Silent()) == 4
    assert rows(connection, "SELECT count(*) FROM NameAliases") == count
    spellings.write_text("@PLAYER\nKarpov, Anatoly\n= Tolja\n")
    assert import_aliases(connection, str(spellings), Silent()) == 1
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
    assert len(name_list([], []).persons) == 0
    groups = [AliasGroup("Zwischenfeld, Kunibert", (), "", "", None, None, None)]
    assert len(name_list([], groups).persons) == 1


def test_masters_of_the_past_and_their_spellings() -> None:
    listed = name_list([player("Carlsen, Magnus")], [])
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
    listed = name_list([player("Petrosian, Tigran V", 77, 1929)], [])
    assert len(listed.persons) == 1 + sum(1 for _ in past_masters()) - 1
    resolver = Resolver(listed)
    assert meant("Petrosian, Tigran V", by=resolver) == "Petrosian, Tigran V"
    other = name_list([player("Petrosian, Tigran L", 77, 1984)], [])
    assert len(other.persons) == 1 + sum(1 for _ in past_masters())


def test_stored_fields_of_a_listed_player() -> None:
    players = [
        FidePlayer(7, "Alpha, Anna", "GER", "F", "WGM", 2301, 2200, None, 1980, "wi"),
        FidePlayer(8, "Beta, Boris", "", "", "", None, None, None, None, ""),
    ]
    first, second = list(name_list(players, []).persons)[:2]
    assert first == Person("Alpha, Anna", 7, "WGM", "GER", 1980, None, 2301, "F", False)
    assert second == Person("Beta, Boris", 8)


# --- codes -----------------------------------------------------------------------------------

WORDS = sorted({person.name.partition(",")[0].lower() for person in crowd()})[:1000]


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of encoded words per call; the codes are not real."""
    calls: list[int] = []

    def count(words: Sequence[str]) -> list[bytes]:
        calls.append(len(words))
        return [word.encode() for word in words]

    monkeypatch.setattr(name_lists, "encode", count)
    return calls


def test_codes_are_kept(connection: apsw.Connection, encoded: list[int]) -> None:
    assert len(WORDS) == 1000
    expected = [word.encode() for word in WORDS]
    assert CodeCache(connection)(WORDS) == expected
    assert CodeCache(connection)(WORDS[::-1]) == expected[::-1]
    assert CodeCache(connection)([*WORDS, "new", "words"]) == [*expected, b"new", b"words"]
    assert [count for count in encoded if count] == [1000, 2]
    stored = rows(connection, "SELECT Part, Codes FROM NameParts")
    assert stored == sorted((word, word.encode()) for word in [*WORDS, "new", "words"])


def test_kept_codes_are_used(connection: apsw.Connection, encoded: list[int]) -> None:
    CodeCache(connection)(WORDS)
    connection.execute("UPDATE NameParts SET Codes = x'0102' WHERE Part = ?", (WORDS[5],))
    assert CodeCache(connection)(WORDS)[5] == b"\1\2"


def test_codes_of_another_encoder_are_discarded(
    connection: apsw.Connection, encoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    CodeCache(connection)([*WORDS, "old"])
    monkeypatch.setattr(name_lists, "ENCODER_VERSION", 4711)
    connection.execute("UPDATE NameParts SET Codes = x'0102'")
    assert CodeCache(connection)(WORDS) == [word.encode() for word in WORDS]
    assert [count for count in encoded if count] == [1001, 1000]
    assert {part for (part,) in rows(connection, "SELECT Part FROM NameParts")} == {*WORDS}


def test_few_words_are_not_kept(connection: apsw.Connection, encoded: list[int]) -> None:
    assert CodeCache(connection)(WORDS[1:]) == [word.encode() for word in WORDS[1:]]
    assert rows(connection, "SELECT * FROM NameParts") == []


def test_a_database_that_is_only_read(tmp_path: Path, encoded: list[int]) -> None:
    create_database(str(tmp_path / "b.db3")).close()
    database = open_database(str(tmp_path / "b.db3"))
    try:
        assert CodeCache(database.connection)(WORDS) == [word.encode() for word in WORDS]
    finally:
        database.close()
    assert query(tmp_path / "b.db3", "SELECT * FROM NameParts") == []


def test_stored_codes_do_not_change_the_resolution(connection: apsw.Connection) -> None:
    persons = [*living(), *crowd()[200:2000]]
    with transaction(connection):
        for person in persons:
            connection.execute(
                "INSERT INTO FidePlayers (FideID, Name, BirthYear) VALUES (?, ?, ?)",
                (person.fide_id, person.name, person.birth_year),
            )
    names = ["Shirow, Alexej", "Tchekhov, Valeri", "Nabokow, Sergej", "Czech, Pavel"]
    first, second = (Resolver(stored_name_list(connection)) for _ in range(2))
    meanings = [meant(name, by=first) for name in names]
    assert meanings[:2] == ["Shirov, Alexei", "Chekhov, Valery"]
    assert rows(connection, "SELECT count(*) > 1000 FROM NameParts") == [(1,)]
    assert [meant(name, by=second) for name in names] == meanings
    [(word, codes)] = rows(connection, "SELECT Part, Codes FROM NameParts LIMIT 1")
    assert encode([word]) == [codes]
