"""Web addresses of games: effects of equal and of different addresses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ocgdedup._kernels.search import CONSTANTS
from ocgdedup.matching.addresses import TAGS, address_of
from ocgdedup.matching.evidence import (
    MATCH,
    NON_MATCH,
    RULE_NONE,
)
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from tests.support.copy_games import Record, database, line, search, somebody

FIRST, SECOND = "https://lichess.org/abcd1234", "https://lichess.org/wxyz9876"
GAME = Record(line(1, 60), site=FIRST, round="-", event="Rated Blitz game")
SHORT = GAME._replace(moves=line(1, 6))
LATER = {"date": "1954.01.02", "event": "Another event"}


def linked(record: Record, tag: str, value: str, **fields: Any) -> Record:
    return record._replace(site="Chess.com", tags=((tag, value),), **fields)


def groups(*records: Record) -> list[list[int]]:
    return search(list(records)).groups


# --- the same address --------------------------------------------------------------------------


def test_short_games_of_one_address_are_duplicates() -> None:
    """Without the address, six plies in other years are no evidence."""
    apart = SHORT._replace(**LATER)
    assert groups(SHORT._replace(site="?"), apart._replace(site="?")) == []
    assert groups(SHORT, apart) == [[0, 1]]
    verdict = search([SHORT, apart]).compare()
    assert (verdict.verdict, verdict.rule) == (MATCH, CONSTANTS["RULE_SAME_ADDRESS"])


@pytest.mark.parametrize(
    "text", [f"{FIRST}/black", f"{FIRST}#12", f"{FIRST}wxyz", "http://en.lichess.org/abcd1234"]
)
def test_an_address_has_many_forms(text: str) -> None:
    assert groups(SHORT, SHORT._replace(site=text, **LATER)) == [[0, 1]]


def test_a_truncated_record_of_one_address() -> None:
    assert groups(GAME, SHORT._replace(**LATER)) == [[0, 1]]


def test_a_record_with_differing_moves_of_one_address() -> None:
    moves = (*line(1, 29), *line(7, 3), *line(1, 60)[32:])
    assert groups(GAME, GAME._replace(moves=moves, **LATER)) == [[0, 1]]


def test_a_record_without_moves_of_one_address() -> None:
    empty = GAME._replace(moves=())
    assert groups(empty, empty._replace(**LATER)) == [[0, 1]]


def test_other_players_contradict_an_address() -> None:
    other = SHORT._replace(**somebody(3), **LATER)
    assert groups(SHORT, other) == []
    assert search([SHORT, other]).compare().verdict == NON_MATCH


def test_other_moves_contradict_an_address() -> None:
    assert groups(GAME, GAME._replace(moves=line(2, 60))) == []


def test_a_sufficient_score_needs_no_rule() -> None:
    verdict = search([GAME, GAME]).compare()
    assert (verdict.verdict, verdict.rule) == (MATCH, RULE_NONE)


def test_forty_records_of_one_address() -> None:
    records = [SHORT._replace(date=f"19{number:02}.01.02") for number in range(40)]
    assert groups(*records) == [list(range(40))]


# --- different addresses -----------------------------------------------------------------------


def test_different_addresses_are_different_games() -> None:
    result = search([GAME, GAME._replace(site=SECOND)])
    assert (result.groups, result.suspects) == ([], [])
    verdict = result.compare()
    assert (verdict.verdict, verdict.rule) == (NON_MATCH, CONSTANTS["RULE_OTHER_ADDRESS"])


def test_addresses_of_different_sites_are_different_games() -> None:
    other = linked(GAME, "Link", "https://www.chess.com/game/live/1")
    assert groups(GAME, other) == []


def test_a_record_without_an_address_does_not_join_two_addresses() -> None:
    both = [GAME, GAME._replace(site=SECOND), GAME._replace(site="?")]
    assert not any({0, 1} <= set(group) for group in groups(*both))


def test_a_record_without_an_address_joins_its_equal_record() -> None:
    """Even if other records match too."""
    apart = SHORT._replace(**LATER)
    plain = SHORT._replace(site="?", **LATER)
    assert [0, 1] in [sorted({0, 1} & set(group)) for group in groups(SHORT, apart, plain)]


@pytest.mark.parametrize(
    "sites",
    [
        [f"https://www.chessgames.com/perl/chessgame?gid={n}" for n in (1, 2)],
        [f"https://lichess.org/broadcast/open/round-{n}/abcd123{n}/wxyz987{n}" for n in (1, 2)],
        [f"https://lichess.org/study/abcd123{n}/wxyz987{n}" for n in (1, 2)],
        [f"https://lichess.org/tournament/abcd123{n}" for n in (1, 2)],
        ["https://lichess.org", "https://www.chess.com"],
        [FIRST, "https://www.chessgames.com/perl/chessgame?gid=1"],
        [FIRST, "https://lichess.org/study/abcd1234/wxyz9876"],
    ],
)
def test_addresses_of_other_sites_may_differ_for_one_game(sites: list[str]) -> None:
    assert groups(*(GAME._replace(site=site) for site in sites)) == [[0, 1]]


def test_user_decisions_override_addresses() -> None:
    connection = database([GAME, GAME._replace(site=SECOND)])
    result = find_duplicates(connection, SearchOptions(), [(1, 2, True)])
    assert [group.ids for group in result.groups] == [[1, 2]]


# --- other tags --------------------------------------------------------------------------------

VALUES = {"FICSGamesDBGameNo": ("347574120", "347574121"), "GameId": ("17a", "18b")}
VALUES["GameID"] = VALUES["GameId"]
LINKS = ("https://www.chess.com/game/live/1", "https://www.chess.com/live/game/2")


@pytest.mark.parametrize("tag", TAGS)
def test_an_address_in_another_tag(tag: str) -> None:
    value, _ = VALUES.get(tag, LINKS)
    records = [linked(SHORT, tag, value), linked(SHORT, tag, value, **LATER)]
    assert groups(*records) == [[0, 1]]


@pytest.mark.parametrize("tag", TAGS)
def test_a_different_address_in_another_tag(tag: str) -> None:
    result = search([linked(GAME, tag, value) for value in VALUES.get(tag, LINKS)])
    is_one_game = tag in ("GameId", "GameID")  # which may be the number of anything
    assert result.groups == ([[0, 1]] if is_one_game else [])


@pytest.mark.parametrize(
    ("site", "sources", "expected"),
    [
        ("Chess.com", (1, 2), [[0, 1]]),
        ("London", (1, 1), []),  # the dates contradict it
        ("London", (1, 2), []),
        (None, (1, 2), []),
    ],
)
def test_a_game_id_counts_only_with_its_site_or_source(
    site: str | None, sources: tuple[int, int], expected: list[list[int]]
) -> None:
    left, right = (
        SHORT._replace(site=site, source=source, tags=(("GameId", "17"),)) for source in sources
    )
    assert groups(left, right._replace(**LATER)) == expected


@pytest.mark.parametrize("number", ["17", "0", "?", "-"])
def test_a_number_of_a_source(number: str) -> None:
    """It identifies the game unless contradicted, since a source may restart numbers per event."""
    first = SHORT._replace(site="London", tags=(("GameId", number),), event="Cup")
    again = first._replace(date="????.??.??", result="*", moves=line(1, 5))
    expected = [[0, 1]] if number == "17" else []
    assert groups(first, again) == expected
    assert groups(first, again._replace(date="1954.01.02")) == []
    assert groups(first, again._replace(event="Another event")) == []


def test_games_with_other_addresses_are_in_no_group_however_large() -> None:
    """Not even if the group has many equal records without an address."""
    unlinked = [GAME._replace(site="lichess.org", source=source) for source in range(3, 10)]
    result = search([*unlinked, GAME, GAME._replace(site=SECOND, source=2)])
    addressed = {len(unlinked), len(unlinked) + 1}
    assert not any(addressed <= set(group) for group in result.groups)


@pytest.mark.parametrize("page", ["variants", "analysis", "Training", "calendar"])
def test_a_page_is_not_the_address_of_a_game(page: str) -> None:
    assert address_of(f"https://www.pychess.org/{page}") is None
    assert address_of(f"https://lichess.org/{page}") is None


def test_a_game_id_of_lichess_is_the_same_as_its_address() -> None:
    other = SHORT._replace(site="https://lichess.org", tags=(("GameId", "abcd1234"),), **LATER)
    assert groups(SHORT, other) == [[0, 1]]


def test_an_address_is_read_from_the_original_header() -> None:
    first, second = (linked(GAME, "Link", link) for link in LINKS)
    connection = database([first, second])
    same = json.dumps(dict(first.tags))
    names = ", ".join(
        ("EventID", "SiteID", "Date", "Round", "WhiteID", "WhiteElo", "BlackID", "BlackElo",
         "Result", "ExtraTags", "WhitePersonID", "BlackPersonID", "CoreHash")
    )  # fmt: skip
    connection.execute(
        f"INSERT INTO UnmergedHeaders (GameID, {names}) SELECT ID, {names} FROM Games WHERE ID = 2"
    )
    connection.execute("UPDATE Games SET ExtraTags = ? WHERE ID = 2", (same,))
    assert not find_duplicates(connection, SearchOptions()).groups
    connection.execute("DELETE FROM UnmergedHeaders")
    assert len(find_duplicates(connection, SearchOptions()).groups) == 1
