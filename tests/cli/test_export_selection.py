"""export: selections, compared with plain SQL."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ocgdedup.cli.options.selection import ORDER_CHOICES
from ocgdedup.model import Person
from ocgdedup.store.selection import ORDERS
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import Collection, change, dump, flag, query, value
from tests.support.persons import write_list
from tests.support.pgn_text import ILLEGAL_GAME, RUY_LOPEZ, game

FULL_HEADER = {
    "Site": "Riga", "Date": "1958.01.02", "WhiteElo": "2600", "BlackElo": "2500", "ECO": "B22",
}  # fmt: skip
# Number, which is the Round: tags. Each differs from the others in what a test selects by.
GAMES: dict[int, dict[str, str]] = {
    1: {"White": "Tal, Mihail", **FULL_HEADER},
    2: {"White": "tal, mihail", "Date": "1960.??.??", "ECO": "B29"},
    3: {"Black": "Tal, Mihail", "Date": "????.??.??", "ECO": "C42/b"},
    4: {"White": "Åberg, Öjvind", "Date": "19??.??.??", "ECO": "A00"},
    5: {"White": "Zukertort, J", "Date": "1883.05.01"},
    6: {"White": "?", "Date": "1960.02.??", "ECO": "b30"},
}


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    texts = [
        game(f"{RUY_LOPEZ} {'4. Ba4' if number > 3 else ''} *", Round=str(number), **tags)
        for number, tags in GAMES.items()
    ]
    Path("in.pgn").write_text("".join(texts), encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def rounds(command: Command, database: str, *options: str) -> list[int]:
    """Return the Rounds of the written games, in order."""
    status, out, err = command("export", database, "-o", "-", "-q", *options)
    assert (status, err) == (0, "")
    return [int(number) for number in re.findall(r'^\[Round "(\d+)"\]$', out, re.MULTILINE)]


def refusal(command: Command, database: str, *options: str) -> str:
    before = set(Path.cwd().iterdir())
    status, out, err = command("export", database, "-o", "out.pgn", *options)
    assert (status, out) == (2, "")
    assert set(Path.cwd().iterdir()) == before
    return err


# --- events, results, conditions ------------------------------------------------------------------


def found_ids(command: Command, database: str, *options: str) -> list[int]:
    """Return the IDs that `find` prints, flagged duplicates included."""
    status, out, err = command("find", database, "--json", "-q", *options)
    assert (status, err) == (0, "")
    return [json.loads(line)["id"] for line in out.splitlines()]


@pytest.mark.parametrize(
    ("options", "condition"),
    [
        (["--event", "interZONAL"], "Event LIKE '%interzonal%'"),
        (
            ["--event", "palma", "--event", "hastings"],
            "Event LIKE '%palma%' OR Event LIKE '%hastings%'",
        ),
        (["--result", "1-0"], "Result = '1-0'"),
        (["--result", "0-1", "--result", "*"], "Result IN ('0-1', '*')"),
        (["--where", "Year < 1965"], "substr(Date, 1, 4) < '1965' AND Date NOT LIKE '?%'"),
        (["--where", "Source LIKE '%in.pgn'"], "1"),
        (["--where", "Source IS NULL"], "0"),
        (["--min-plies", "60", "--result", "1-0"], "PlyCount >= 60 AND Result = '1-0'"),
    ],
)
def test_find_and_export_select_alike(
    command: Command, made: str, options: list[str], condition: str
) -> None:
    events = "(SELECT ID AS E, Name AS Event FROM Events)"
    sql = f"SELECT ID FROM Games JOIN {events} ON E = EventID WHERE {condition} ORDER BY ID"
    expected = [row[0] for row in query(made, sql)]
    assert found_ids(command, made, *options) == expected
    out = command("export", made, "--all", "-o", "-", "-q", "--format", "pgn", *options).out
    assert out.count("[Result ") == len(expected)


def test_find_with_all_kinds_of_conditions(command: Command, made: str) -> None:
    every = found_ids(command, made, "--where", "1")
    points = found_ids(command, made, "--min-header-quality", "30")
    assert 0 < len(points) < len(every)
    both = found_ids(command, made, "--min-header-quality", "30", "--where", "ID > 5")
    assert both == [game_id for game_id in points if game_id > 5]
    assert found_ids(command, made, "--where", "ID = 3", "--min-plies", "1000") == []
    position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert found_ids(command, made, "--position", position, "--where", "ID IN (2, 4)") == [2, 4]


def test_an_event_that_no_game_has(command: Command, database: str) -> None:
    err = refusal(command, database, "--event", "nowhere")
    assert "a.db3: no event of a game has 'nowhere' in its name" in err
    assert "invalid choice: '2-0'" in refusal(command, database, "--result", "2-0")


# --- copies ------------------------------------------------------------------------------------


def test_copies_are_left_out_and_counted(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    copies = value(made, "SELECT count(DuplicateStatus) FROM FlaggedGames")
    games = value(made, "SELECT count(*) FROM Games") - copies
    assert copies > 0
    assert command("export", made, "-o", "out.pgn") == (
        0,
        f"wrote {games} games to out.pgn; left out {copies} duplicates (--all writes them too)\n",
        "",
    )
    assert Path("out.pgn").read_text(encoding="utf-8").count("[Event ") == games


def test_copies_left_out_are_told_beside_standard_output(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    _, out, err = command("export", made, "-o", "-")
    assert "left out" not in out
    assert "to standard output; left out " in err
    assert command("export", made, "-o", "-", "-q").err == ""


def test_all_writes_copies(command: Command, made: str) -> None:
    before = command("export", made, "-o", "-", "--where", "1").out
    command("dedup", made, "-q", "--no-merge")
    assert command("export", made, "-o", "-", "--all").out == before


@pytest.mark.parametrize("condition", ["PlyCount > 20", "Label = 'no column'"])
def test_only_copies_that_fit_are_counted(command: Command, made: str, condition: str) -> None:
    command("dedup", made, "-q")
    if "Label" in condition:
        assert "no such column: Label" in refusal(command, made, "--where", condition)
        return
    sql = f"SELECT count(*), count(DuplicateStatus) FROM FlaggedGames WHERE {condition}"
    ((games, copies),) = query(made, sql)
    out = command("export", made, "-o", "out.pgn", "--where", condition).out
    assert out.startswith(f"wrote {games - copies} games to ")
    assert f"left out {copies} duplicates " in out


def test_no_copy_no_word_of_copies(command: Command, database: str) -> None:
    assert command("export", database, "-o", "o.pgn").out == "wrote 6 games to o.pgn\n"


# --- conditions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--year", "1960"], [2, 6]),
        (["--year", "1958-1960"], [1, 2, 6]),
        (["--year", "1959-"], [2, 6]),
        (["--year", "-1958"], [1, 5]),
        (["--year", "1900-1999"], [1, 2, 6]),
        (["--eco", "B22"], [1]),
        (["--eco", "B20-B29"], [1, 2]),
        (["--eco", "b2"], [1, 2]),
        (["--eco", "B"], [1, 2, 6]),
        (["--eco", "B3-C42"], [3, 6]),
        (["--eco", "A00,C42"], [3, 4]),
        (["--min-plies", "7"], [4, 5, 6]),
        (["--player", "TAL,  MIHAIL"], [1, 2, 3]),
        (["--player", "åberg, öjvind"], [4]),
        (["--player", "Zukertort, J", "--player", "Åberg, Öjvind"], [4, 5]),
        (["--player", "Tal, Mihail", "--year", "1960", "--eco", "B"], [2]),
        (["--min-header-quality", "46"], [1]),
        (["--min-header-quality", "10"], [1, 2, 5]),
        (["--where", "White = 'Tal, Mihail'"], [1]),
        (["--where", "White = 'x' OR Black LIKE 'TAL%' -- said"], [3]),
        (["--where", "Event = 'Test' AND Site = 'Riga'"], [1]),
        (["--where", "Games.ID IN (SELECT max(ID) FROM Games)"], [6]),
        (["--where", "1 OR 0", "--year", "1960"], [2, 6]),
        (["--where", "0"], []),
    ],
)
def test_conditions(
    command: Command, database: str, options: list[str], expected: list[int]
) -> None:
    assert rounds(command, database, *options) == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("id", [1, 2, 3, 4, 5, 6]),
        ("date", [5, 1, 6, 2, 4, 3]),
        ("eco", [4, 1, 2, 6, 3, 5]),
        ("white", [3, 1, 2, 5, 4, 6]),
    ],
)
def test_order(command: Command, database: str, order: str, expected: list[int]) -> None:
    assert rounds(command, database, "--sort", order) == expected


def test_games_alike_stay_by_id(command: Command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    dates = ("2000.01.01", "1999.01.01") * 1500  # more than one list of IDs
    texts = (game("1. e4 *", Round=str(i), Date=date) for i, date in enumerate(dates))
    Path("in.pgn").write_text("".join(texts))
    command("create", "a.db3", "in.pgn", "-q")
    expected = [*range(1, 3000, 2), *range(0, 3000, 2)]
    assert rounds(command, "a.db3", "--sort", "date") == expected


def test_orders_of_the_command_line_are_those_of_the_store() -> None:
    assert ORDER_CHOICES == ORDERS


@pytest.mark.parametrize("option", ["1990-1980", "90", "-", "1990-91", "1990--1991", "x"])
def test_years_that_are_none(command: Command, database: str, option: str) -> None:
    assert "are no years" in refusal(command, database, f"--year={option}")


@pytest.mark.parametrize("option", ["F00", "B2-B1", "B200", "B20-", "", "B20-B2x"])
def test_codes_that_are_none(command: Command, database: str, option: str) -> None:
    assert "are no codes" in refusal(command, database, "--eco", option)


def test_header_quality_is_that_of_now(command: Command, database: str) -> None:
    """A merge or the user may have filled in fields after the points were stored."""
    flagged = "INSERT INTO DuplicateFlags SELECT ID, NULL, ID, NULL, 88 FROM Games"
    change(database, flagged)
    assert rounds(command, database, "--min-header-quality", "46") == [1]


# --- players -----------------------------------------------------------------------------------


@pytest.fixture
def persons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database in which "Kasparow, Garri" is Kasparov, and "Polgar, J." is open."""
    monkeypatch.chdir(tmp_path)
    listed = write_list(
        tmp_path, [Person("Kasparov, Garry", 4100018, "GM", "RUS", 1963, None, 2812, "M")]
    )
    collection = Collection(
        tmp_path,
        game("1. e4 *", White="Kasparov, Garry", Black="Short, N", Round="1")
        + game("1. d4 *", White="Short, N", Black="Kasparow, Garry", Round="2")
        + game("1. c4 *", White="Short, N", Black="Timman, J", Round="3"),
    )
    collection.consolidate(listed)
    return str(collection.path)


@pytest.mark.parametrize("name", ["Kasparov, Garry", "kasparow, garry", "4100018"])
def test_all_names_of_a_person(command: Command, persons: str, name: str) -> None:
    assert len(query(persons, "SELECT * FROM Resolutions WHERE PersonID IN (SELECT ID FROM "
                     "Persons WHERE FideID = 4100018)")) == 2  # fmt: skip
    assert rounds(command, persons, "--player", name) == [1, 2]


def test_unknown_player(command: Command, persons: str) -> None:
    message = refusal(command, persons, "--player", "Kasparof, Gary")
    assert "there is no player 'Kasparof, Gary'" in message
    assert "near names: Kaspar" in message
    assert "near names: Timman, J\n" in refusal(command, persons, "--player", "timann")
    assert "near" not in refusal(command, persons, "--player", "Xyzzy")
    assert "FIDE ID" in refusal(command, persons, "--player", "99")


def test_a_name_of_several_people_is_that_name_alone(command: Command, persons: str) -> None:
    change(persons, "UPDATE Resolutions SET Scope = 'game'")
    assert rounds(command, persons, "--player", "Kasparow, Garry") == [2]


# --- a condition of the user's -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("1); DROP TABLE Games; --", 'near ";"'),
        ("1) UNION SELECT (1, 2, 3", 'near "UNION"'),
        ("1; DELETE FROM Games", 'near ";"'),
        ("Nonsense = 1", "no such column: Nonsense"),
        ('White = "Tal"', "no such column"),
        ("ID = ?", "bindings"),
        ("count(*) > 1", "misuse of aggregate"),
        ("load_extension('x')", "not authorized"),
        ("(SELECT writefile('x', 'y'))", "no such function"),
        ("", "syntax error"),
        ("1 /*", "incomplete"),
        ("ID IN (SELECT name FROM pragma_database_list)", "not authorized"),
    ],
)
def test_wrong_conditions(command: Command, database: str, condition: str, message: str) -> None:
    before = dump(database)
    err = refusal(command, database, "--where", condition)
    assert err.startswith("ocgdedup: error: --where: SQLite refuses the condition: ")
    assert message in err
    assert dump(database) == before


# --- databases of OCGDB ------------------------------------------------------------------------


def test_database_of_ocgdb(command: Command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_ocgdb(
        "o.db3",
        [
            OcgdbGame("Tal, Mihail", "B", "e4 e5", date="1960-01-01", comments=[(0, "{one")]),
            OcgdbGame("A", "Tal, Mihail", "d4", date="1958-01-01", white_elo=2600),
            OcgdbGame("A", "B", "c4", date="1959-01-01"),
        ],
    )
    out = command("export", "o.db3", "-o", "-", "--sort", "date", "--player", "tal, mihail").out
    assert re.findall(r'\[Date "(.*)"', out) == ["1958.01.01", "1960.01.01"]
    assert "one" in out
    for options in (["--year", "1959"], ["--where", "White = 'A' AND PlyCount = 1 AND ID = 3"]):
        out = command("export", "o.db3", "-o", "-", *options).out
        assert re.findall(r'\[Date "(.*)"', out) == ["1959.01.01"]
    for options in ([], ["--all"], ["--min-header-quality", "2"], ["--min-plies", "1"]):
        assert command("export", "o.db3", "-o", "-", *options).out.count("[Event ") == 3
    assert command("export", "o.db3", "-o", "-", "--min-header-quality", "25").out.count("2600")
    assert command("export", "o.db3", "--duplicates", "-").out == ""


def test_only_cut_games_that_are_wanted_are_told(command: Command, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(ILLEGAL_GAME * 2 + game("1. e4 *", White="Whole, W"))
    command("create", "a.db3", "in.pgn", "-q")
    for options, number in (
        (["--all"], 2), ([], 2), (["--where", "ID > 1"], 1), (["--player", "Whole, W"], 0),
    ):  # fmt: skip
        err = command("export", "a.db3", "-o", "-", *options).err
        words = f"{number} game{'s are' if number == 2 else ' is'} read only up to an error; "
        assert (words in err) == (number > 0)
        assert bool(err) == (number > 0)
    flag("a.db3", 2, "exact", 1)
    assert "1 game is read only up to an error; " in command("export", "a.db3", "-o", "x.pgn").err
