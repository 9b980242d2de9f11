"""Facts of names from one pass over the games, against plain dicts and SQLite's JSON functions."""

from __future__ import annotations

import json
import random
from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.names import NameGames
from ocgdedup.matching.names.evidence import NO_CLAIM, Claim, TagSummary, required_rating
from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.pipeline.players.name_uses import NameFacts, name_facts, read_games
from ocgdedup.store.connection import column_names
from ocgdedup.store.database import create_database
from ocgdedup.store.players import reading_games
from tests.kernels.test_game_judge import drawn_collection
from tests.reference.played_games import Claims, PlayedGame, played_games

IDS = [-5, 1, 3, 8, 2**40, 2**62]


def expected_facts(games: list[PlayedGame], claims: Claims, player: int) -> NameFacts:
    sides = [(game, side) for game in games for side in (0, 1) if game.players[side] == player]
    years = [game.year for game, _ in sides if game.year]
    elos = [game.elos[side] for game, side in sides if game.elos[side]]
    titles = [listed(game.titles[side].upper()) for game, side in sides]
    of_games = [claims.claim(game, side) for game, side in sides]
    made = [Claim(listed(claim.title), claim.elo) for claim in of_games if claim is not None]
    least: dict[str, int] = {}
    highest = NO_CLAIM
    for claim in made:
        least[claim.title] = min(claim.elo, least.get(claim.title, claim.elo))
        highest = highest.joined_with(claim)
    tags = TagSummary(
        max(titles, key=lambda title: (required_rating(title), title)),
        min(elos, default=0),
        max(elos, default=0),
        frozenset(game.countries[side] for game, side in sides) - {""},
        any(game.event in claims.youth_events or game.site in claims.youth_sites
            for game, _ in sides),
    )  # fmt: skip
    return NameFacts(
        player, str(player), len(sides),
        Counter(game.fide_ids[side] for game, side in sides if game.fide_ids[side]),
        min(years, default=0), max(years, default=0), tags,
        least if len(made) == len(sides) else None, highest,
        not all(claims.is_on_web(game) for game, _ in sides),
    )  # fmt: skip


def listed(title: str) -> str:
    return title if required_rating(title) else ""


@pytest.mark.parametrize("seed", range(40))
def test_facts_are_those_of_the_reference(seed: int) -> None:
    draw = random.Random(seed)
    connection = drawn_collection(draw, IDS, draw.choice((4, 150)))
    if seed % 3 == 0:
        columns = ", ".join(column_names(connection, "Games"))
        connection.execute(
            f"INSERT INTO RemovedGames ({columns}, RemovedAt) "
            f"SELECT {columns}, '2026' FROM Games WHERE ID % 3 = 0"
        )
        connection.execute("DELETE FROM Games WHERE ID % 3 = 0")
    if seed % 4 == 0:  # all on the web or near the list
        connection.execute("UPDATE Games SET Date = '2014.05.??', SiteID = WhiteID % 4")
    for player in IDS:
        connection.execute("INSERT INTO Players (ID, Name) VALUES (?, ?)", (player, str(player)))
    names = {player: str(player) for player in IDS}
    played, newest = list(played_games(connection)), draw.choice((0, 2, 100))
    games = read_games(connection, claim_rules(connection), newest)
    claims = Claims(connection)
    with_games = sorted({player for game in played for player in game.players} & set(IDS))
    expected = [expected_facts(played, claims, player) for player in with_games]
    assert list(name_facts(games, names)) == expected
    new = {player for game in played if game.game_id > newest for player in game.players}
    assert games.names() == with_games
    assert games.names(is_new=True) == sorted(new & set(IDS))
    assert games.facts(12345) is None
    assert games.events_of(12345) == ()


def test_games_are_read_once() -> None:
    connection = create_database(":memory:")
    games = read_games(connection, claim_rules(connection))
    with reading_games(connection) as rows, pytest.raises(ValueError, match="were read before"):
        games.read(rows.all_games())


def test_wrong_arguments_are_refused() -> None:
    claims = claim_rules(create_database(":memory:"))
    with pytest.raises(ValueError, match="names 7 and 7 are not in rising order"):
        NameGames(array("q", [7, 7]), [], claims, newest=0, largest_event=9)
    with pytest.raises(ValueError, match="17 titles"):
        NameGames(array("q", [7]), [("", 0)] * 17, claims, newest=0, largest_event=9)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.integers(0, 10**7), TEXTS),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(TEXTS, values),
    max_leaves=5,
)
TAGS = ("WhiteCountry", "WhiteFideId", "Country", "x", 'a"b', "c\\")


@given(
    st.dictionaries(st.sampled_from(TAGS), JSON_VALUES),
    st.booleans(),
    st.sampled_from([None, 1]),
)
def test_tags_are_read_as_sqlite_reads_them(
    tags: dict[str, object], ensure_ascii: bool, indent: int | None
) -> None:
    connection = create_database(":memory:")
    connection.execute("INSERT INTO Players (ID, Name) VALUES (8, 'A')")
    text = json.dumps(tags, ensure_ascii=ensure_ascii, indent=indent)
    connection.execute("INSERT INTO Games (ID, WhiteID, ExtraTags) VALUES (1, 8, ?)", (text,))
    [game] = played_games(connection)
    facts = read_games(connection, claim_rules(connection)).facts(8)
    assert facts is not None
    assert facts[1] == ({game.fide_ids[0]: 1} if game.fide_ids[0] else None)
    if isinstance(tags.get("WhiteCountry"), str):
        assert facts[4][3] == {game.countries[0]} - {""}


def test_tags_that_are_no_json_are_ignored() -> None:
    connection = create_database(":memory:")
    connection.execute("INSERT INTO Players (ID, Name) VALUES (8, 'A')")
    for number, text in enumerate(
        ('{"WhiteFideId', '{"WhiteFideId":', '{"WhiteFideId":"12', "", '{"WhiteFideId":"1\\q2"}')
    ):
        connection.execute(
            "INSERT INTO Games (ID, WhiteID, ExtraTags) VALUES (?, 8, ?)", (number, text)
        )
    facts = read_games(connection, claim_rules(connection)).facts(8)
    assert facts is not None
    assert facts[:2] == (5, None)
