"""The kernel decides the sides of games as the reference does, in one part or in several."""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import apsw
import pytest

from ocgdedup._kernels.names import GameJudge, GameRows, ListedPersons, PlayerCareers
from ocgdedup.cli.terminal import PlainReporter
from ocgdedup.errors import SqliteError
from ocgdedup.matching.names.consolidate import (
    FIDE_ID_STAGE,
    GIVEN_SPELLING,
    Consolidated,
    Identity,
    NameUse,
    WeighedPersons,
)
from ocgdedup.matching.names.evidence import GAME_WEIGHTS, NO_CLAIM, Claim, TagSummary
from ocgdedup.matching.names.likelihood import WEIGHTS
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.matching.names.resolve import Persons
from ocgdedup.model import Person
from ocgdedup.pipeline.players.by_game import GamePlayers, judge_of, listed_persons, players_by_game
from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.store.database import create_database
from ocgdedup.store.fide_players import RatingList, record_list
from ocgdedup.store.players import reading_games
from tests.reference import game_players as reference
from tests.reference.played_games import Claims, played_games

TITLES = ("", "", "GM", "IM", "FM", "WIM", "HGM")
COUNTRIES = ("", "ARM", "URS", "RUS", "FRA", "GER")
YEARS = (0, 1935, 1958, 1960, 1963, 1990, 1996, 2009, 2013, 2014)
IDS = (0, 101, 102, 103, 104, 105, 106, 999)
NAMES = (
    "Petrosian, T", "Petrosian, Tigran (2)", "tigran99", "Novak", "Novak, Jan", "?", "Li, Wei",
    "Li, W 3", "Chen", "A Tal", "Tal, M", "Smith,J",
)  # fmt: skip
EVENTS = ("", "Open", "World Youth U12", "rated blitz game lichess.org", "Cup", "League")
SITES = ("", "Paris", "https://lichess.org/abcd1234", "World Youth")
TITLES = "GM", "im", "FM", "HGM", "Dr", "\u00c9", "G\\M", '"GM'
LINKS = (
    {}, {}, {}, {"Link": "https://www.chess.com/live/game/5"}, {"Link": "somewhere"},
    {"FICSGamesDBGameNo": "17"},
)  # fmt: skip


def drawn_persons(draw: random.Random) -> Persons:
    def person(number: int) -> Person:
        return Person(
            f"Person {number}", draw.choice((None, 100 + number)), draw.choice(TITLES),
            draw.choice(COUNTRIES), draw.choice((None, 1929, 1950, 1984, 2001)),
            draw.choice((None, None, 1984, 2010)), draw.choice((None, 1500, 2100, 2400, 2600)),
            is_active=draw.random() < 0.7,
        )  # fmt: skip

    listed = PersonTable(person(number) for number in range(7))
    return Persons(listed, PersonTable(person(number) for number in range(7, 10)))


def drawn_use(draw: random.Random, player: int, name: str) -> NameUse:
    years = sorted(draw.choice(YEARS) for _ in range(2))
    elos = sorted(draw.choice((0, 1900, 2400, 2900)) for _ in range(2))
    tags = TagSummary(
        draw.choice(TITLES), *elos, frozenset(draw.sample(COUNTRIES[1:], draw.choice((0, 0, 1)))),
        draw.random() < 0.1,
    )  # fmt: skip
    highest = draw.choice((NO_CLAIM, NO_CLAIM, Claim("GM", 0), Claim("", 2800)))
    fide_ids = dict.fromkeys(draw.sample(IDS[1:], draw.choice((0, 0, 0, 1, 2))), 2)
    return NameUse(player, name, 9, fide_ids, (), *years, tags, highest=highest)


def weighed_persons(pairs: Sequence[tuple[int, float]]) -> WeighedPersons | tuple[()]:
    numbers, evidence = array("I", (n for n, _ in pairs)), array("d", (e for _, e in pairs))
    return WeighedPersons(numbers.tobytes() + evidence.tobytes()) if pairs else ()


def drawn_identity(draw: random.Random, player: int) -> Identity:
    numbers = draw.sample(range(10), draw.choice((0, 1, 2, 4)))
    candidates = [(number, draw.uniform(0, 18)) for number in numbers]
    person = draw.choice((None, *(numbers or range(10))))
    tagged = tuple((number, 3.0) for number in draw.sample(range(10), draw.choice((0, 0, 2))))
    return Identity(
        player, person, draw.choice(("exact", "similarity", FIDE_ID_STAGE)), 1.0,
        draw.choice(("", "", GIVEN_SPELLING)), draw.choice((0.0, 0.85, 0.97, 0.9999)) or 0.81,
        weighed_persons(candidates), tagged,
    )  # fmt: skip


def drawn_names(
    draw: random.Random, ids: list[int]
) -> tuple[dict[int, NameUse], dict[int, Identity]]:
    uses = {player: drawn_use(draw, player, name) for player, name in zip(ids, NAMES, strict=True)}
    known = [player for player, use in uses.items() if use.name != "?"]
    return uses, {player: drawn_identity(draw, player) for player in known}


def drawn_collection(draw: random.Random, ids: list[int], games: int) -> apsw.Connection:
    """Return a database of games of these names, and of no name."""
    connection = create_database(":memory:")
    for table, texts in (("Events", EVENTS), ("Sites", SITES)):
        rows = [(number, text) for number, text in enumerate(texts, 1)]
        connection.executemany(f"INSERT OR REPLACE INTO {table} (ID, Name) VALUES (?, ?)", rows)
    record_list(connection, RatingList("list", "fide", None, None, "2014-06", 0))
    for number in range(1, games + 1):
        connection.execute(
            "INSERT INTO Games (ID, EventID, SiteID, Date, WhiteID, BlackID, WhiteElo, BlackElo, "
            "PlyCount, MoveHash, SourceID, ExtraTags, BackFilled) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number, draw.randint(1, len(EVENTS)), draw.randint(1, len(SITES)), drawn_date(draw),
                draw.choice((*ids, None)), draw.choice((*ids, None)),
                draw.choice((None, 0, 1700, 2380, 2610)), draw.choice((None, 2100, 2420)),
                draw.choice((10, 60)), draw.choice((0, 7, -8, 2**62, None)), draw.choice((1, 2)),
                drawn_tags(draw), draw.choice((None, None, None, 1, 8, 16, 63)),
            ),
        )  # fmt: skip
    return connection


def drawn_date(draw: random.Random) -> str:
    year = draw.choice(YEARS)
    return f"{year}.{draw.choice(('??', '05', '12'))}.??" if year else "????.??.??"


def drawn_tags(draw: random.Random) -> str | None:
    tags: dict[str, object] = dict(draw.choice(LINKS))
    for side in ("White", "Black"):
        if draw.random() < 0.4:
            tags[f"{side}FideId"] = draw.choice((" 101", "102 ", 103, "x", "105", "12345678901"))
        if draw.random() < 0.4:
            tags[f"{side}Title"] = draw.choice(TITLES)
        if draw.random() < 0.4:
            tags[f"{side}Country"] = draw.choice((*COUNTRIES, "XYZ"))
    return json.dumps(tags) if tags else None


@contextmanager
def drawn(seed: int, games: int = 150) -> Iterator[tuple[apsw.Connection, dict, Consolidated]]:
    draw = random.Random(seed)
    ids = sorted(draw.sample((*range(1, 40), -5, 2**40, 2**62), len(NAMES)))
    persons = drawn_persons(draw)
    uses, identities = drawn_names(draw, ids)
    connection = drawn_collection(draw, ids, games)
    yield connection, uses, Consolidated(persons, identities)
    connection.close()


@pytest.mark.parametrize("seed", range(60))
def test_games_are_decided_as_by_the_reference(seed: int) -> None:
    with drawn(seed) as (connection, uses, consolidated):
        claims = claim_rules(connection)
        slow = reference.Judge(uses, consolidated, Claims(connection))
        expected = reference.players_by_game(list(played_games(connection)), slow)
        judge = judge_of(uses, consolidated)
        assert list(players_by_game(connection, judge, claims, PlainReporter())) == expected
        assert set(filter(judge.is_doubtful, uses)) == slow.doubtful_names
        assert set(judge.judged_names()) == slow.judged_names
        assert set(judge.open_names()) == set(slow.open_names())
        assert set(judge.names_of_candidates()) == set(slow.names_of_candidates())


@pytest.mark.parametrize("seed", range(20))
def test_parts_of_the_games_are_decided_as_the_whole(seed: int) -> None:
    with drawn(seed) as (connection, uses, consolidated):
        claims = claim_rules(connection)
        whole = list(
            players_by_game(connection, judge_of(uses, consolidated), claims, PlainReporter())
        )
        careers, decided = PlayerCareers(len(consolidated.persons)), GamePlayers()
        open_ids: set[int] = set()
        sure = array("q")
        for part in range(3):
            judge = judge_of(uses, consolidated)
            judge.set_claims(claims)
            with part_of(connection, f"ID % 3 = {part}") as rows:
                judge.split(rows)
            careers.load(judge.careers.dump())
            decided.extend(judge.take_decided())
            sure.frombytes(judge.take_sure())
            open_ids.update(array("q", judge.take_open())[::2])
        judge = judge_of(uses, consolidated)
        judge.set_claims(claims)
        judge.careers.load(careers.dump())
        judge.add_sure(sure[::3], sure[2::3], sure[1::3])
        with part_of(connection, f"ID IN ({','.join(map(str, open_ids))})") as rows:
            assert judge.decide(rows, 10_000) == len(open_ids)
        decided.extend(judge.take_decided())
        assert sorted(decided, key=lambda row: row[:2]) == whole


@contextmanager
def part_of(connection: apsw.Connection, condition: str) -> Iterator[GameRows]:
    """Read a part of the games of a database."""
    connection.execute(f"CREATE TEMP VIEW Games AS SELECT * FROM main.Games WHERE {condition}")
    with reading_games(connection) as games:
        yield games.all_games()
    connection.execute("DROP VIEW temp.Games")


def test_many_games_of_one_person_are_sorted_while_they_grow() -> None:
    """With more events, opponents and Elos than a part of the careers holds unsorted."""
    with drawn(3, games=6000) as (connection, uses, consolidated):
        claims = claim_rules(connection)
        connection.execute("UPDATE Games SET EventID = 1000 + ID % 2500, WhiteElo = 2000 + ID % 99")
        slow = reference.Judge(uses, consolidated, Claims(connection))
        expected = reference.players_by_game(list(played_games(connection)), slow)
        judge = judge_of(uses, consolidated)
        assert list(players_by_game(connection, judge, claims, PlainReporter())) == expected


def test_wrong_arguments_are_refused() -> None:
    persons = listed_persons(Persons(PersonTable([Person("A")]), PersonTable([])))
    arguments = persons, bool, str
    with pytest.raises(ValueError, match="names 7 and 7 are not in rising order"):
        GameJudge(GAME_WEIGHTS._asdict(), array("q", [7, 7]), *arguments)
    judge = GameJudge(GAME_WEIGHTS._asdict(), array("q", [7]), *arguments)
    use, options = NameUse(8, "A", 1, {}, ()), {"is_given": False, "is_by_fide_id": False}
    with pytest.raises(ValueError, match="name 8 is not among the names"):
        judge.add(use, Identity(8, None, "", 0.0, ""), **options)
    with pytest.raises(ValueError, match="person 1 of 1"):
        judge.add(use._replace(player_id=7), Identity(7, 1, "", 0.0, ""), **options)
    with pytest.raises(ValueError, match="different lengths"):
        judge.add_sure(array("q", [1]), array("q"), array("q", [0]))
    with pytest.raises(ValueError, match="no rows of"):
        PlayerCareers(1).load((b"x", b"", b"", b""))
    dumped = PlayerCareers(3)
    dumped.load((b"\2\0\0\0\0\0\0\0\1", b"", b"", b""))
    with pytest.raises(ValueError, match="career of person 2 of 2"):
        PlayerCareers(2).load(dumped.dump())
    tables = [(PersonTable([Person("A")]).columns(array("I")), array("H"), array("H"))]
    with pytest.raises(ValueError, match="titles: 0 values, not 1"):
        ListedPersons(WEIGHTS._asdict(), tables, [], [], array("d"))


def test_a_query_with_other_columns_is_refused() -> None:
    with drawn(0, games=1) as (connection, uses, consolidated), reading_games(connection) as games:
        judge = judge_of(uses, consolidated)
        with pytest.raises(ValueError, match="the query has 12 columns, not 1"):
            judge.add_keys(games.all_games())
        with pytest.raises(ValueError, match="the query has 1 columns, not 12"):
            judge.collect(games.keys_of_names([]), 1)
    with pytest.raises((SqliteError, ValueError)):
        GameRows(apsw.Connection(":memory:"), "SELECT 1")
