"""Resolving names as a whole: results, filled-in fields, unchanged fields, undo."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from ocgdedup.model import Person
from ocgdedup.pipeline.players.persons import name_key, person_key
from ocgdedup.store.database import open_database
from ocgdedup.store.games import core_hash
from ocgdedup.store.history import DEDUP, transaction
from ocgdedup.store.names import write_time
from tests.support.databases import Collection, query
from tests.support.persons import fide_id, living, write_list
from tests.support.pgn_text import game

CARLSEN, ANAND = map(fide_id, ("Carlsen, Magnus", "Anand, Viswanathan"))

pytestmark = pytest.mark.usefixtures("codes_from_memory")


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_list(tmp_path_factory.mktemp("list"), living())


def played(number: int, white: str, black: str = "Beta, B", **tags: str) -> str:
    """Return a game with its own round and event."""
    given = {"Event": f"Match {number}", "Round": f"{number:02}", **tags}
    return game("1. e4 e5 *", White=white, Black=black, **given)


def whites(*names: str, **tags: str) -> str:
    return "".join(played(number, name, **tags) for number, name in enumerate(names))


def key_hash(white: str, black: str) -> int:
    digest = hashlib.sha256(f"{white}:{black}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def tags_of(collection: Collection, name: str) -> list[str | None]:
    return collection.column(f"ExtraTags ->> '$.{name}'")


# --- listed persons --------------------------------------------------------------------------

SPELLINGS = {
    "Carlsen, Magnus": [
        "Carlsen, Magnus", "Carlsen,Magnus", "Magnus Carlsen", "CARLSEN, MAGNUS", "carlsen, magnus",
        "Carlsen, Magnus (NOR)", "GM Carlsen, Magnus", "Карлсен, Магнус", "Carlsen, M",
    ],
    "Mueller, Karsten": ["Mueller, Karsten", "Müller, Karsten", "Muller, Karsten"],
    "Ding, Liren": ["Ding, Liren", "Ding Liren", "Liren Ding", "Ding, Li Ren"],
    "Shirov, Alexei": ["Shirov, Alexei", "Shirow, Alexej", "Širovs, Aleksejs"],
}  # fmt: skip


@pytest.mark.parametrize("person", SPELLINGS)
def test_all_spellings_are_one_person(tmp_path: Path, fide: Path, person: str) -> None:
    names = SPELLINGS[person]
    text = "".join(played(n, name, "Viswanathan Anand") for n, name in enumerate(names))
    collection = Collection(tmp_path, text)
    summary = collection.consolidate(fide)
    assert collection.white() == [person] * len(names)
    for column in ("WhitePersonID", "BlackPersonID", "CoreHash"):
        assert len({*collection.column(column)}) == 1
    assert collection.column("CoreHash")[0] == key_hash(f"F{fide_id(person)}", f"F{ANAND}")
    assert summary[:9] == (len(names) + 1, len(names) + 1, 2, 2, 0, 0, len(names), len(names), 0)


def test_colours_and_other_players_have_another_hash(tmp_path: Path, fide: Path) -> None:
    pairs = [("Carlsen, Magnus", "Anand, Viswanathan"), ("Anand, Viswanathan", "Carlsen, Magnus")]
    pairs += [("Carlsen, Magnus", "Shirov, Alexei")]
    collection = Collection(tmp_path, "".join(played(n, *pair) for n, pair in enumerate(pairs)))
    collection.consolidate(fide)
    assert len({*collection.column("CoreHash")}) == 3


def test_keys_of_persons_without_a_fide_id_and_of_open_names(tmp_path: Path, fide: Path) -> None:
    names = ["Tal, Mikhail", "Quendelmayr, Ödön", "Horvath, Peter", "Beta, B.", "Horváth, P", "?"]
    collection = Collection(tmp_path, whites(*names))
    collection.consolidate(fide)
    assert collection.white() == ["Tal, Mikhail", "Quendelmayr, Ödön", None, None, None, None]
    keys = [
        "tal, mikhail 1936",
        "quendelmayr, odon",
        "horvath, peter",
        "beta, b",
        "horvath, p",
        "?",
    ]
    assert collection.column("CoreHash") == [key_hash(key, "beta, b") for key in keys]


# docs/file-format.md promises these.
@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        (Person("Karpov, Anatoly", 1503014), Person("X", 5000017), 6486934299985867391),
        (Person("Anderssen, Adolf"), Person("Kieseritzky, Lionel"), 2438832605892404033),
        (Person("Karpov, Anatoly", 1503014), "?", 8572997197165838937),
        ("NN", "", 6263997834348860698),
    ],
)
def test_documented_hashes(white: Person | str, black: Person | str, expected: int) -> None:
    keys = [
        name_key(player) if isinstance(player, str) else person_key(player)
        for player in (white, black)
    ]
    assert core_hash(*keys) == expected
    assert key_hash(*keys) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anderssen, Adolf", "anderssen, adolf"),
        ("Müller, J.P.", "muller, j p"),
        ("Dongen, Jan van", "van dongen, jan"),
        ("GM Karpov, Anatoly (RUS)", "karpov, anatoly"),
        ("Garry Kasparov", "garry kasparov"),
        ("N.N.", "?"),
    ],
)
def test_documented_keys_of_names(name: str, expected: str) -> None:
    assert name_key(name) == expected


def test_names_never_change(tmp_path: Path, fide: Path) -> None:
    names = [name for spellings in SPELLINGS.values() for name in spellings]
    collection = Collection(tmp_path, whites(*names))
    before = query(collection.path, "SELECT * FROM Players")
    collection.consolidate(fide)
    collection.consolidate(again=True)
    assert query(collection.path, "SELECT * FROM Players") == before
    white = "(SELECT Name FROM Players WHERE ID = WhiteID)"
    assert collection.column(white) == names


UNKNOWN = ["?", "", "NN", "N.N.", "Unknown", "NN (GER)", "unknown, ?"]


def test_unknown_names_are_nobody_even_with_a_fide_id(tmp_path: Path, fide: Path) -> None:
    ids = {"WhiteFideId": str(CARLSEN), "WhiteTitle": "GM", "WhiteElo": "2840"}
    collection = Collection(tmp_path, whites(*UNKNOWN, "Carlsen, Magnus", **ids))
    summary = collection.consolidate(fide)
    assert collection.white() == [None] * len(UNKNOWN) + ["Carlsen, Magnus"]
    expected = [key_hash("?", "beta, b")] * len(UNKNOWN)
    assert collection.column("CoreHash") == [*expected, key_hash(f"F{CARLSEN}", "beta, b")]
    stored = {name for (name,) in query(collection.path, "SELECT Name FROM Players")}
    assert summary.unknown_names == len(stored - {"Carlsen, Magnus", "Beta, B"})
    assert summary.names == 2


@pytest.mark.parametrize("letters", ["a ", "a, ", "9dan ", "Ж "])
def test_long_names_are_kept_and_not_matched(tmp_path: Path, fide: Path, letters: str) -> None:
    names = [(letters * 5000)[:count].strip() for count in (3001, 7001)]
    collection = Collection(tmp_path, whites(*names, names[0], "Carlsen, Magnus"))
    summary = collection.consolidate(fide)
    assert collection.white() == [None] * 3 + ["Carlsen, Magnus"]
    assert (summary.names, summary.unresolved_names) == (4, 3)
    first, second, third, _ = collection.column("CoreHash")
    assert first == third == key_hash(names[0], "beta, b") != second


def test_both_sides_unknown(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, played(1, "NN", "?"))
    collection.consolidate(fide)
    assert collection.column("CoreHash") == [key_hash("?", "?")]


def test_what_is_stored_of_persons(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, whites("Carlsen, M", "Lemos, Nicolas", "Tal, Mikhail"))
    collection.consolidate(fide)
    sql = "SELECT Name, FideID, Title, Country, BirthYear FROM Persons ORDER BY Name"
    assert query(collection.path, sql) == [
        ("Carlsen, Magnus", CARLSEN, "GM", "NOR", 1990),
        ("Lemos, Nicolas", fide_id("Lemos, Nicolas"), None, "ARG", 1995),
        ("Tal, Mikhail", None, "GM", "LAT", 1936),
    ]


# --- without a list, or beside it ------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("Zwischenfeld, Kunibert", "Zwischenfeld,Kunibert", "Kunibert Zwischenfeld"),
        ("Zwischenfeld, Kunibert", "Zwischenfeld, K", "ZWISCHENFELD, KUNIBERT"),
        ("Quendelmayr, Ödön", "Quendelmayr, Odon", "Quendelmayr, Oedoen"),
        ("Quendler, Josef", "Quendler, Joseph"),
        ("Tal, Mikhail", "Tal, Mihail", "Tal, Michail"),
    ],
)
@pytest.mark.parametrize("has_list", [False, True])
def test_spellings_of_one_unlisted_player(
    tmp_path: Path, fide: Path, names: tuple[str, ...], has_list: bool
) -> None:
    collection = Collection(tmp_path, whites(*names))
    collection.consolidate(fide if has_list else None)
    assert len({*collection.white()}) == 1
    assert None not in collection.white()
    assert query(collection.path, "SELECT DISTINCT FideID FROM Persons") == [(None,)]


DIFFERENT = [
    ("Zwischenfeld, Anna", "Zwischenfeld, Maria"),
    ("Zwischenfeld, Anna", "Zwischenfeld, Anton"),
    ("Zwischenfeld, Kunibert sr", "Zwischenfeld, Kunibert jr"),
    ("Zwischenfeld, Kunibert 1950", "Zwischenfeld, Kunibert 1980"),
    ("Zwischenfeld, Kunibert", "Zwischenfeld, Kunigunde"),
    ("Obermoser, Vitus", "Untermoser, Vitus"),
    ("Stockfish 12", "Stockfish 13"),
    ("shadowfox12", "shadowfox13"),
    ("Zwischenfeld, Kunibert (1)", "Zwischenfeld, Kunibert (2)"),
]


@pytest.mark.parametrize("names", DIFFERENT, ids=" and ".join)
@pytest.mark.parametrize("has_list", [False, True])
def test_two_unlisted_players_stay_two(
    tmp_path: Path, fide: Path, names: tuple[str, str], has_list: bool
) -> None:
    collection = Collection(tmp_path, whites(*names))
    collection.consolidate(fide if has_list else None)
    assert len({*collection.column("WhitePersonID")}) == 2


@pytest.mark.parametrize(
    "names",
    [("Quendler, Josef", "Quendler, Joseph"), ("Zwischenfeld, Anna", "Zwischenfeld, Anja")],
    ids=" and ".join,
)
def test_two_names_in_one_event_are_two_persons(tmp_path: Path, names: tuple[str, str]) -> None:
    text = whites(*names, Event="Club championship", Date="2015.01.01")
    collection = Collection(tmp_path, text)
    collection.consolidate()
    assert len({*collection.column("WhitePersonID")}) == 2


@pytest.mark.parametrize(
    "names",
    [("Quendler, Josef", "Quendler, Joseph"), ("Zwischenfeld, Anna", "Zwischenfeld, Anja")],
    ids=" and ".join,
)
def test_nobody_plays_against_himself(tmp_path: Path, names: tuple[str, str]) -> None:
    """Without a date there is no event that both played; the game itself shows it."""
    collection = Collection(tmp_path, played(1, *names))
    collection.consolidate()
    [(white, black)] = query(collection.path, "SELECT WhitePersonID, BlackPersonID FROM Games")
    assert white is None or white != black


def test_nicknames_are_not_unknown(tmp_path: Path) -> None:
    collection = Collection(tmp_path, played(1, "player123", "player124"))
    collection.consolidate()
    assert collection.column("CoreHash") != [key_hash("?", "?")]


def test_two_unlisted_players_with_one_fide_id(tmp_path: Path) -> None:
    names = ("Zwischenfeld, Kunibert", "Obermoser, Vitus")
    collection = Collection(tmp_path, whites(*names, WhiteFideId="77777777"))
    collection.consolidate()
    assert len({*collection.column("WhitePersonID")}) == 2


def test_an_unlisted_player_with_the_fide_id_of_a_listed_one(tmp_path: Path, fide: Path) -> None:
    names = ("Zwischenfeld, Kunibert", "Carlsen, Magnus")
    collection = Collection(tmp_path, whites(*names, WhiteFideId=str(CARLSEN)))
    collection.consolidate(fide)
    assert collection.white()[1] == "Carlsen, Magnus"
    assert collection.white()[0] != "Carlsen, Magnus"
    sql = "SELECT Name FROM Persons WHERE FideID = ?"
    assert query(collection.path, sql, CARLSEN) == [("Carlsen, Magnus",)]


# --- again -----------------------------------------------------------------------------------

MIXED = (
    played(10, "Carlsen, Magnus", "Anand, V", Date="2025.02.03")
    + played(11, "Magnus Carlsen", "Zwischenfeld, Kunibert")
    + played(12, "Kunibert Zwischenfeld", "NN", Date="2014.??.??")
    + played(13, "Petrosian, T", "Tal, M", Date="1960.01.01")
    + played(14, "Petrosian, T", "Chilov, A", Date="2010.01.01", BlackElo="2041")
    + played(15, "Chilov, Alexandros", "Shirov, Alexei", Date="2010.06.01", WhiteElo="2035")
    + played(16, "Shirow, Alexej", "Lemos, N", WhiteElo="0", BlackFideId=str(ANAND))
)


def test_nothing_new(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, MIXED)
    first = collection.consolidate(fide)
    content = collection.path.read_bytes()
    second = collection.consolidate(fide)
    assert (first.is_unchanged, second.is_unchanged) == (False, True)
    assert collection.path.read_bytes() == content
    assert second[:8] == first[:8]


def test_a_second_run_finds_the_same_persons(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, MIXED)
    collection.consolidate(fide)
    before = collection.content()
    assert not collection.consolidate(again=True).is_unchanged
    assert collection.content() == before


def test_namesakes_without_a_fide_id_keep_their_ids(tmp_path: Path, fide: Path) -> None:
    """The past master, and a current player of the same name."""
    text = played(1, "Adolf Anderssen", Date="1860.01.01")
    text += played(2, "Anderssen, Adolf", Date="2015.01.01")
    collection = Collection(tmp_path, text)
    collection.consolidate(fide)
    before = collection.column("WhitePersonID")
    assert len({*before}) == 2
    collection.consolidate(again=True)
    assert collection.column("WhitePersonID") == before


def test_another_list_is_used(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, MIXED)
    collection.consolidate()
    assert None in {fide for (fide,) in query(collection.path, "SELECT FideID FROM Persons")}
    assert not collection.consolidate(fide).is_unchanged
    other = Collection(tmp_path, MIXED, name="b")
    other.consolidate(fide)
    assert collection.persons() == other.persons()
    assert collection.column("CoreHash") == other.column("CoreHash")


# --- undo ------------------------------------------------------------------------------------


@pytest.mark.parametrize("back_fill", [True, False])
def test_undo_restores_all(tmp_path: Path, fide: Path, back_fill: bool) -> None:
    collection = Collection(tmp_path, MIXED)
    collection.read_lists(fide)
    before = collection.content()
    assert before["FideAliases"] == []
    assert (sum(collection.consolidate(back_fill=back_fill).filled.values()) > 5) == back_fill
    assert collection.content() != before
    before["FideAliases"] = collection.content()["FideAliases"]  # they belong to the list
    assert before["FideAliases"]
    assert collection.undo() == 7
    assert collection.content() == before
    assert collection.undo() == 0
    assert collection.content() == before
    assert not collection.consolidate().is_unchanged


def test_undo_of_a_second_run_restores_the_first(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, MIXED)
    collection.consolidate(fide)
    collection.append(
        whites("Carlsen, Magnus", "Chilov, Andreas", "Petrosian, T", Date="2025.01.09")
    )
    before = collection.content()
    games = before["Games"]
    collection.consolidate()
    assert collection.content()["Games"][7:] != games[7:]
    after = collection.persons(), collection.column("CoreHash"), collection.column("ExtraTags")
    collection.undo()
    assert collection.content() == before
    collection.consolidate()  # finds the same, but gives no ID a second time
    assert after == (
        collection.persons(),
        collection.column("CoreHash"),
        collection.column("ExtraTags"),
    )


def test_undo_of_a_run_with_another_list(tmp_path: Path, fide: Path) -> None:
    """Persons and filled-in fields of the first run are restored."""
    collection = Collection(tmp_path, MIXED)
    collection.consolidate(fide)
    first = collection.content()
    others = [
        player._replace(fide_id=(player.fide_id or 0) + 500, title="FM") for player in living()
    ]
    other = write_list(tmp_path, others, "standard_mar25_xml.xml")
    collection.consolidate(other)
    assert collection.content()["Games"] != first["Games"]
    collection.undo()
    again = collection.content()
    for table in ("Games", "Persons", "Resolutions"):
        assert again[table] == first[table]


@pytest.mark.parametrize("was_searched", [True, False])
def test_undo_makes_flags_stale(tmp_path: Path, fide: Path, was_searched: bool) -> None:
    collection = Collection(tmp_path, MIXED)
    collection.consolidate(fide)
    if was_searched:
        with (
            open_database(str(collection.path), writable=True) as database,
            transaction(database.connection, DEDUP),
        ):
            write_time(database.connection, "Duplicates flagged")
    collection.undo()
    sql = "SELECT Value FROM Info WHERE Name = 'Duplicates stale'"
    assert query(collection.path, sql) == ([("yes",)] if was_searched else [])


# --- back-fill -------------------------------------------------------------------------------


def test_fide_ids_are_filled_in_where_there_is_none(tmp_path: Path, fide: Path) -> None:
    text = played(1, "Carlsen, Magnus", "Anand, Viswanathan")
    text += played(2, "Carlsen, Magnus", "Anand, Viswanathan", WhiteFideId="55", Annotator="Me")
    text += played(3, "Carlsen, Magnus", "Zwischenfeld, Kunibert", whitefideid="")
    collection = Collection(tmp_path, text)
    before = collection.column("ExtraTags")
    filled = collection.consolidate(fide).filled
    assert filled == {"WhiteFideId": 1, "BlackFideId": 2}
    assert tags_of(collection, "WhiteFideId") == [str(CARLSEN), "55", None]
    assert tags_of(collection, "BlackFideId") == [str(ANAND), str(ANAND), None]
    assert tags_of(collection, "Annotator") == [None, "Me", None]
    assert collection.column("ExtraTags")[2] == before[2]
    assert collection.white() == ["Carlsen, Magnus"] * 3


def months(dates: Iterable[str], **tags: str) -> str:
    return "".join(
        played(number, "Carlsen, Magnus", Date=date, **tags) for number, date in enumerate(dates)
    )


DATES = ["2024.12.31", "2025.01.01", "2025.02.??", "2025.03.31", "2025.04.01", "2025.??.??", "????"]
NEAR = [False, True, True, True, False, False, False]
SINCE = [False, True, True, True, True, False, False]


def test_elo_is_filled_in_within_a_month_and_titles_from_then_on(
    tmp_path: Path, fide: Path
) -> None:
    collection = Collection(tmp_path, months(DATES))
    collection.consolidate(fide)
    assert collection.column("WhiteElo") == [2840 if near else None for near in NEAR]
    assert tags_of(collection, "WhiteTitle") == ["GM" if since else None for since in SINCE]
    assert tags_of(collection, "WhiteFideId") == [str(CARLSEN)] * len(DATES)


def test_the_month_can_be_given(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, months(["2014.08.31", "2014.09.15", "2025.02.01"]))
    collection.consolidate(fide, list_month="2014-10")
    assert collection.column("WhiteElo") == [None, 2840, None]
    assert tags_of(collection, "WhiteTitle") == [None, "GM", "GM"]


def test_without_a_month_neither_is_filled_in(tmp_path: Path) -> None:
    collection = Collection(tmp_path, months(DATES))
    collection.consolidate(write_list(tmp_path, living(), "players.xml"))
    assert {*collection.column("WhiteElo")} == {None}
    assert {*tags_of(collection, "WhiteTitle")} == {None}
    assert tags_of(collection, "WhiteFideId") == [str(CARLSEN)] * len(DATES)


def test_a_title_that_stands_in_a_game_is_had_from_then_on(tmp_path: Path, fide: Path) -> None:
    text = months(["2001.05.05", "2006.07.08"])
    text += played(5, "Magnus Carlsen", Date="2004.04.26", WhiteTitle="GM")
    text += played(6, "Magnus Carlsen", Date="2000.01.01", WhiteTitle="IM")
    collection = Collection(tmp_path, text)
    collection.consolidate(fide)
    assert tags_of(collection, "WhiteTitle") == [None, "GM", "GM", "IM"]


def test_existing_values_are_never_overwritten(tmp_path: Path, fide: Path) -> None:
    tags = {"WhiteElo": "2700", "WhiteTitle": "IM", "WhiteFideId": str(CARLSEN)}
    collection = Collection(tmp_path, months(DATES, **tags))
    before = collection.column("ExtraTags")
    assert sum(collection.consolidate(fide).filled.values()) == 0
    assert collection.column("ExtraTags") == before
    assert {*collection.column("WhiteElo")} == {2700}
    assert {*collection.column("BackFilled")} == {None}


def test_names_that_are_not_sure_fill_nothing(tmp_path: Path, fide: Path) -> None:
    """There may be a second Jan van der Berg; the year tells which Petrosian played."""
    text = played(1, "Van der Berg, Jan", Date="2025.02.01")
    text += played(2, "Petrosian, T", Date="2025.02.01") + played(3, "Petrosian, T", Date="1960")
    collection = Collection(tmp_path, text)
    before = collection.column("ExtraTags"), collection.column("WhiteElo")
    collection.consolidate(fide)
    assert collection.white()[:2] == ["Van der Berg, Jan", "Petrosian, Tigran L"]
    after = collection.column("ExtraTags"), collection.column("WhiteElo")
    assert [values[::2] for values in after] == [values[::2] for values in before]
    assert str(fide_id("Petrosian, Tigran L")) in after[0][1]


def test_filled_in_values_are_no_evidence(tmp_path: Path) -> None:
    """Else a mistake of one run would be evidence in the next."""
    both = [player for player in living() if player.name.startswith("Chilov")]
    others = [player for player in living() if player not in both]
    collection = Collection(tmp_path, whites("Chilov, A", Date="2025.02.01"))
    collection.consolidate(write_list(tmp_path, [*others, both[0]]))
    assert collection.white() == ["Chilov, Alexandros"]
    assert tags_of(collection, "WhiteFideId") == [str(both[0].fide_id)]
    assert collection.column("WhiteElo") == [2040]
    collection.consolidate(write_list(tmp_path, [*others, *both], "standard_mar25_xml.xml"))
    assert collection.white() == [None]
    for column in ("ExtraTags", "WhiteElo", "BackFilled"):
        assert collection.column(column) == [None]


def test_filled_in_values_follow_the_person(tmp_path: Path, fide: Path) -> None:
    collection = Collection(tmp_path, months(["2025.02.01"]))
    collection.consolidate(fide)
    assert tags_of(collection, "WhiteFideId") == [str(CARLSEN)]
    renumbered = [
        player._replace(fide_id=(player.fide_id or 0) + 500, title="IM") for player in living()
    ]
    collection.consolidate(write_list(tmp_path, renumbered, "standard_mar25_xml.xml"))
    assert tags_of(collection, "WhiteFideId") == [str(CARLSEN + 500)]
    assert tags_of(collection, "WhiteTitle") == ["IM"]
    assert query(collection.path, "SELECT FideID FROM Persons") == [(CARLSEN + 500,)]
