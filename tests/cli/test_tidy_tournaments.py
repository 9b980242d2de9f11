"""tidy --events, --sites, --rounds, --dates: by the games of tournaments."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import dump, query
from tests.support.pgn_text import game

PLAYERS = ("Alpha, A", "Beta, B", "Gamma, C", "Delta, D", "Epsilon, E", "Zeta, F")
OTHERS = tuple(f"{letter * 3}ov, {letter}" for letter in "GHIJKL")
MOVES = ("e4 e5", "d4 d5", "c4 c5", "Nf3 Nf6", "f4 f5", "b3 b6")
FIRST_DAY = datetime.date(2001, 3, 5)
ALL = ("--events", "--sites", "--rounds", "--dates")


def pairings(players: tuple[str, ...]) -> list[list[tuple[str, str]]]:
    """Return the rounds of a round robin."""
    fixed, *rest = players
    rounds = []
    for _ in rest:
        table = [fixed, *rest]
        rounds.append([(table[i], table[-1 - i]) for i in range(len(table) // 2)])
        rest = [rest[-1], *rest[:-1]]
    return rounds


def moves_of(white: str, black: str) -> str:
    """Return moves of 24 plies that no other pair of players has."""
    draw = random.Random(f"{white} {black}")
    import chess

    board = chess.Board()
    for _ in range(24):
        board.push(draw.choice(sorted(board.legal_moves, key=chess.Move.uci)))
    return chess.Board().variation_san(board.move_stack)


def tournament(
    event: str, site: str, players: tuple[str, ...] = PLAYERS, *,
    first_day: datetime.date = FIRST_DAY, rounds: range = range(5), **tags: str,
) -> str:  # fmt: skip
    """Return PGN of the games of some rounds; `tags`: of every game."""
    texts = []
    for number, games in enumerate(pairings(players)):
        if number not in rounds:
            continue
        day = first_day + datetime.timedelta(days=number)
        for white, black in games:
            values = {
                "Event": event, "Site": site, "Date": f"{day:%Y.%m.%d}", "Round": str(number + 1),
                "White": white, "Black": black, "Result": "1/2-1/2", **tags,
            }  # fmt: skip
            texts.append(game(f"{moves_of(white, black)} 1/2-1/2", **values))
    return "".join(texts)


class Tidy:
    """Makes a database of texts, searches it, and tidies it."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command, self._folder = command, folder
        self.database = str(folder / "a.db3")

    def make(self, *texts: str) -> None:
        paths = []
        for number, text in enumerate(texts):
            path = self._folder / f"{number}.pgn"
            path.write_text(text)
            paths.append(str(path))
        assert self.run("create", *paths) == 0
        assert self.run("dedup") == 0

    def run(self, name: str, *options: str) -> int:
        return self._command(name, self.database, *options, "-q").status

    def tidy(self, *options: str) -> list[dict[str, object]]:
        status, out, err = self._command("tidy", self.database, *options, "--json")
        assert status == 0, err
        tidied: list[dict[str, object]] = json.loads(out)["tidied"]
        return tidied

    def names(self, column: str = "Event") -> set[str]:
        """Return the events, or sites, of the games that are not duplicates."""
        rows = query(
            self.database,
            f"SELECT DISTINCT Name FROM {column}s JOIN FlaggedGames ON {column}s.ID = {column}ID "
            "WHERE DuplicateStatus IS NULL",
        )
        return {row[0] for row in rows}

    def values(self, column: str) -> list[str | None]:
        return [row[0] for row in query(self.database, f"SELECT {column} FROM Games ORDER BY ID")]


@pytest.fixture
def tidy(command: Command, tmp_path: Path) -> Tidy:
    return Tidy(command, tmp_path)


# --- events and sites -----------------------------------------------------------------------------


def test_names_of_one_tournament_become_one(tidy: Tidy) -> None:
    """Two sources share rounds 1 to 4, and each has a round of its own."""
    tidy.make(
        tournament("It (cat.12)", "Wijk aan Zee", rounds=range(1, 5)),
        tournament("Hoogovens", "Wijk aan Zee NED", rounds=range(4)),
    )
    step, sites = tidy.tidy("--events", "--sites")
    assert (tidy.names(), tidy.names("Site")) == ({"Hoogovens"}, {"Wijk aan Zee NED"})
    assert step["values"] == [{"before": "It (cat.12)", "after": "Hoogovens", "games": 3}]
    assert [list(change.values())[:2] for change in sites["values"]] == [
        ["Wijk aan Zee", "Wijk aan Zee NED"]
    ]


def test_names_of_one_tournament_without_common_games(tidy: Tidy) -> None:
    """The players and the days show it, though each source has other rounds."""
    tidy.make(
        tournament("Wijk open 2001", "Wijk aan Zee", rounds=range(0, 5, 2)),
        tournament("Wijk op", "Wijk aan Zee NED", rounds=range(1, 5, 2)),
    )
    tidy.tidy("--events", "--sites")
    # The periods meet, so the rounds of one lie between those of the other.
    assert (tidy.names(), tidy.names("Site")) == ({"Wijk open 2001"}, {"Wijk aan Zee NED"})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Other years, other groups, other players, other games of a festival.
        (("Hanza", "Wijk aan Zee", PLAYERS, {}), ("Hanza A", "Wijk aan Zee", OTHERS, {})),
        (("Hanza A", "Wijk aan Zee", PLAYERS, {}), ("Hanza B", "Wijk aan Zee NED", OTHERS, {})),
        (
            ("Open", "Wijk aan Zee", PLAYERS, {}),
            ("Spring Open", "Wijk aan Zee", PLAYERS, {"first_day": datetime.date(2001, 10, 5)}),
        ),
        (
            ("It", "Wijk aan Zee", PLAYERS, {}),
            ("Hanza", "Wijk aan Zee", PLAYERS, {"first_day": datetime.date(2002, 3, 5)}),
        ),
        (
            ("Hanza", "Wijk aan Zee", PLAYERS, {}),
            ("Hanza blitz", "Wijk aan Zee", PLAYERS, {"rounds": range(1, 5)}),
        ),
        (("Hanza", "Wijk aan Zee", PLAYERS, {}), ("Hanza Women", "Wijk aan Zee", OTHERS, {})),
        # The same players on the same days, but other opponents.
        (("It", "Wijk aan Zee", PLAYERS, {}), ("Hanza", "Wijk aan Zee", PLAYERS[::-1], {})),
    ],
)  # fmt: skip
def test_two_tournaments_stay_two(tidy: Tidy, first: tuple, second: tuple) -> None:  # type: ignore[type-arg]
    texts = []
    for event, site, players, options in (first, second):
        shuffled = random.Random(site).sample(players, len(players))
        chosen = players if players is not PLAYERS[::-1] else tuple(shuffled)
        texts.append(tournament(event, site, chosen, **options))
    tidy.make(*texts)
    before = tidy.names()
    tidy.tidy("--events")
    assert tidy.names() == before


def test_a_name_that_may_mean_two_tournaments_stays(tidy: Tidy) -> None:
    """A source gives one generic name to the games of two tournaments of a festival."""
    tidy.make(
        tournament("It", "Biel SUI") + tournament("It", "Biel SUI", OTHERS),
        tournament("SKA Grandmasters", "Biel SUI"),
        tournament("Credit Masters", "Biel SUI", OTHERS),
    )
    tidy.tidy("--events")
    rows = query(tidy.database, "SELECT Before FROM MergedTags WHERE Reason = 'tidied'")
    assert ("It",) not in rows


@pytest.mark.parametrize(
    ("site", "after"),
    [
        ("London (ENG)", "London ENG"), ("Baden-Baden, DEU", "Baden-Baden GER"),
        ("Utrecht HOL", "Utrecht NED"), ("New York, NY, USA", "New York, NY, USA"),
        ("Elista RUS", "Elista RUS"), ("Room 12 XYZ", "Room 12 XYZ"), ("ENG", "ENG"),
        ("https://lichess.org/abcdefgh", "https://lichess.org/abcdefgh"), ("URS", "URS"),
    ],
)  # fmt: skip
def test_codes_of_countries(tidy: Tidy, site: str, after: str) -> None:
    tidy.make(tournament("It", site))
    tidy.tidy("--sites")
    assert tidy.names("Site") == {after}


def test_a_merged_country_stays(tidy: Tidy) -> None:
    """One game in common does not make two names one, but the merge has its country."""
    common = {"rounds": range(1), "first_day": FIRST_DAY}
    tidy.make(
        tournament("Frisian ch", "Assen", rounds=range(5)),
        without(tournament("Drents op", "Assen NED", **common), "Round", "?", 1),
    )  # fmt: skip
    before = query(
        tidy.database, "SELECT Name, count(*) FROM Games, Sites ON SiteID = Sites.ID GROUP BY 1"
    )
    tidy.tidy("--sites")
    after = query(
        tidy.database, "SELECT Name, count(*) FROM Games, Sites ON SiteID = Sites.ID GROUP BY 1"
    )
    assert after == before


def test_towns_of_one_name_in_two_countries_stay(tidy: Tidy) -> None:
    tidy.make(
        tournament("Open", "Cambridge ENG", rounds=range(2)),
        tournament("Open", "Cambridge", rounds=range(2, 4)),
        tournament("Open", "Cambridge USA", rounds=range(4, 5)),
    )
    before = tidy.names("Site")
    tidy.tidy("--sites")
    assert tidy.names("Site") == before


def test_spelling_files(tidy: Tidy, tmp_path: Path) -> None:
    tidy.make(tournament("Hanza", "Wijk a/Zee", Round="r 1"))
    (tmp_path / "s.ssp").write_text(
        '@PLAYER\nAlpha, A\n= Alfa, A\n@SITE\n%Suffix "a/Zee" "aan Zee"\n'
        "@EVENT\nTata Steel\n= hanza\n@ROUND\n1\n= r 1\n"
    )
    assert tidy.run("players", "--aliases", str(tmp_path / "s.ssp")) == 0
    tidy.tidy(*ALL)
    assert (tidy.names(), tidy.names("Site")) == ({"Tata Steel"}, {"Wijk aan Zee"})
    assert set(tidy.values("Round")) == {"1"}


# --- rounds and dates -----------------------------------------------------------------------------


def without(text: str, tag: str, value: str, number: int) -> str:
    """Return PGN with another value of a tag in one game."""
    games = text.split("[Event ")
    before = games[number].split(f"[{tag} ")
    games[number] = f'{before[0]}[{tag} "{value}"]\n' + before[1].split("\n", 1)[1]
    return "[Event ".join(games)


def test_a_missing_round(tidy: Tidy) -> None:
    tidy.make(without(tournament("Hanza", "Wijk aan Zee"), "Round", "?", 5))
    (step,) = tidy.tidy("--rounds")
    assert tidy.values("Round")[4] == "2"
    assert (step["filled"], step["replaced"]) == (1, 0)


def test_a_missing_round_is_not_guessed(tidy: Tidy) -> None:
    """The source gives round 1 to all games."""
    text = tournament("Hanza", "Wijk aan Zee", Round="1")
    tidy.make(without(text, "Round", "?", 5))
    tidy.tidy("--rounds")
    assert tidy.values("Round")[4] in (None, "?", "")


@pytest.mark.parametrize(
    ("partial", "tags", "after"),
    [
        ("2001.??.??", {}, "2001.03.06"),
        ("2001.03.??", {}, "2001.03.06"),
        ("2001.04.??", {}, "2001.04.??"),  # another month
        ("2001.??.??", {"Round": "?"}, "2001.??.??"),
        ("2001.??.??", {"Round": "?", "EventDate": "2001.03.05"}, "2001.03.??"),
        ("2001.??.??", {"Round": "?", "EventDate": "2001.02.05"}, "2001.??.??"),
        ("2001.??.??", {"Round": "?", "EventDate": "2000.03.05"}, "2001.??.??"),
        ("2001.??.??", {"UTCDate": "2001.03.06"}, "2001.03.06"),
        ("2001.??.??", {"UTCDate": "2001.03.07"}, "2001.??.??"),  # two days
    ],
)
def test_dates(tidy: Tidy, partial: str, tags: dict[str, str], after: str) -> None:
    text = tournament("Hanza", "Wijk aan Zee", **tags)
    tidy.make(without(text, "Date", partial, 5))
    tidy.tidy("--dates")
    assert tidy.values("Date")[4] == after
    quality = {"2001.03.06": 31, "2001.03.??": 21}.get(after)
    if after != partial and quality:
        assert tidy.values("DateQuality")[4] == quality


# --- laws -----------------------------------------------------------------------------------------


@pytest.fixture
def mixed(tidy: Tidy) -> Tidy:
    first = tournament("It (cat.12)", "Wijk aan Zee", rounds=range(1, 5))
    second = tournament("Hoogovens", "Wijk aan Zee NED", rounds=range(4))
    tidy.make(without(first, "Round", "?", 10), without(second, "Date", "2001.??.??", 2))
    return tidy


def test_a_second_run_changes_nothing(mixed: Tidy) -> None:
    mixed.tidy(*ALL)
    before = dump(mixed.database)
    for step in mixed.tidy(*ALL):
        assert (step["filled"], step["replaced"]) == (0, 0)
    assert dump(mixed.database) == before


def test_steps_one_by_one_give_the_same(mixed: Tidy) -> None:
    for option in ALL:
        (step,) = mixed.tidy(option)
        assert step["filled"] or step["replaced"]
    one_by_one = [mixed.values(column) for column in ("EventID", "SiteID", "Round", "Date")]
    for _ in ALL:
        assert mixed.run("undo") == 0
    mixed.tidy(*ALL)
    together = [mixed.values(column) for column in ("EventID", "SiteID", "Round", "Date")]
    assert together == one_by_one


def test_undo_brings_all_back(mixed: Tidy) -> None:
    tables = ("Games", "MergedTags", "UnmergedHeaders", "Events", "Sites")
    before = [query(mixed.database, f"SELECT * FROM {table}") for table in tables]
    mixed.tidy(*ALL)
    assert mixed.run("undo") == 0
    assert [query(mixed.database, f"SELECT * FROM {table}") for table in tables] == before


def test_a_search_after_it_finds_the_same_groups(mixed: Tidy) -> None:
    flags = "SELECT GameID, DuplicateStatus, DuplicateGroup FROM DuplicateFlags"
    before = query(mixed.database, flags)
    mixed.tidy(*ALL)
    assert mixed.run("dedup", "--full") == 0
    assert query(mixed.database, flags) == before


def test_later_games_are_found_as_without_it(mixed: Tidy, tmp_path: Path) -> None:
    flags = "SELECT GameID, DuplicateStatus, DuplicateGroup FROM DuplicateFlags"
    Path(tmp_path / "later.pgn").write_text(tournament("It", "Wijk"))
    found = []
    for is_tidied in (False, True):
        if is_tidied:
            assert mixed.run("undo") == mixed.run("undo") == 0
            mixed.tidy(*ALL)
        assert mixed.run("create", "--append", str(tmp_path / "later.pgn")) == 0
        assert mixed.run("dedup") == 0
        found.append(query(mixed.database, flags))
    assert found[0] == found[1]
    mixed.tidy(*ALL)
    assert mixed.names() == {"Hoogovens"}


def test_a_correction_of_the_user_stays(mixed: Tidy) -> None:
    (game_id,) = query(
        mixed.database,
        "SELECT max(FlaggedGames.ID) FROM FlaggedGames JOIN Events ON Events.ID = EventID "
        "WHERE DuplicateStatus IS NULL AND Name LIKE 'It%'",
    )[0]
    assert mixed.run("edit", str(game_id), "--set", "Event=My event") == 0
    mixed.tidy(*ALL)
    assert "My event" in mixed.names()


def test_go_games_have_no_tournaments(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in.sgf").write_text("(;GM[1]SZ[19]EV[Meijin];B[pd];W[dd])")
    database = str(tmp_path / "go.db3")
    command("create", database, str(tmp_path / "in.sgf"), "-q")
    status, _, err = command("tidy", database, "--events")
    assert status == 2
    assert "only tags of chess games can be tidied" in err


def test_run_tidies_tournaments(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(tournament("It", "Wijk aan Zee"))
    (tmp_path / "b.pgn").write_text(tournament("Hoogovens", "Wijk aan Zee NED"))
    out = tmp_path / "out.pgn"
    done = command(
        "run", str(tmp_path / "a.pgn"), str(tmp_path / "b.pgn"), "-o", str(out),
        "--tidy", "events,sites", "-q",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert out.read_text().count('[Event "Hoogovens"]\n[Site "Wijk aan Zee NED"]') == 15
