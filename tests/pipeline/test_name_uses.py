"""Facts about names: merged from parts of a collection, they equal the facts of the whole."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.pipeline.players.name_uses import (
    NameFacts,
    merged_facts,
    name_facts,
    name_use,
    names_with_text,
    read_games,
)
from ocgdedup.store.database import open_database
from ocgdedup.store.fide_players import RatingList, record_list
from tests.support.databases import Collection
from tests.support.pgn_text import game

NAMES = ("Alpha, A", "Beta, B", "gamma", "?")
DATES = ("2014.05.01", "2014.??.??", "2001.05.06", "????.??.??")
SITES = ("Paris", "https://lichess.org/abcd1234")


def texts() -> list[str]:
    draw = random.Random(7)
    games = []
    for number in range(60):
        white, black = draw.sample(NAMES, 2)
        tags = {"Date": draw.choice(DATES), "Site": draw.choice(SITES)}
        tags["WhiteElo"] = draw.choice(("2500", "2400", "0"))
        if number % 3 == 0:
            tags |= {"WhiteTitle": draw.choice(("GM", "IM")), "BlackFideId": str(number % 4)}
        games.append(game("1. e4 *", White=white, Black=black, Event=f"Open {number % 5}", **tags))
    near_list = {"White": "Delta, D", "Date": "2014.05.01"}
    on_web = {"Black": "somebody99", "Site": SITES[1]}
    games += [game("1. d4 *", **near_list, **on_web, WhiteElo=elo) for elo in ("2300", "2200")]
    return [*games, game("1. d4 *", **near_list, WhiteElo="2250", Site="Paris")]


def collected(folder: Path, some: Sequence[str]) -> list[NameFacts]:
    folder.mkdir()
    database = open_database(str(Collection(folder, "".join(some)).path), writable=True)
    connection = database.connection
    record_list(connection, RatingList("list", "fide", None, None, "2014-06", 0))
    played = read_games(connection, claim_rules(connection))
    result = list(name_facts(played, names_with_text(connection)))
    database.close()
    return result


def by_name(rows: Sequence[NameFacts]) -> dict[str, NameFacts]:
    return {row.name: row._replace(player_id=0) for row in rows}


def parts_of(some: Sequence[str], draw: random.Random) -> Iterator[list[str]]:
    shuffled = draw.sample(some, len(some))
    ends = sorted(draw.sample(range(1, len(some)), 3))
    for start, end in zip([0, *ends], [*ends, len(some)], strict=True):
        yield shuffled[start:end]


@pytest.mark.parametrize("seed", range(4))
def test_facts_of_parts_are_those_of_the_whole(tmp_path: Path, seed: int) -> None:
    whole = collected(tmp_path / "whole", texts())
    assert {row.claims is None for row in whole} == {True, False}
    assert {row.is_off_web for row in whole} == {True, False}
    by_parts: dict[str, list[NameFacts]] = {}
    for number, part in enumerate(parts_of(texts(), random.Random(seed))):
        for row in collected(tmp_path / str(number), part):
            by_parts.setdefault(row.name, []).append(row._replace(player_id=0))
    merged = {name: merged_facts(rows) for name, rows in by_parts.items()}
    assert merged == by_name(whole)
    uses = {name: name_use(row) for name, row in merged.items()}
    assert uses == {name: name_use(row) for name, row in by_name(whole).items()}


def test_names_on_the_web_alone_are_nicknames(tmp_path: Path) -> None:
    web = [text for text in texts() if SITES[1] in text]
    rows = collected(tmp_path / "web", web)
    nicknames = {row.name for row in rows if name_use(row).is_nickname}
    assert {row.is_off_web for row in rows} == {False}
    assert "gamma" in nicknames
    assert "Alpha, A" in {row.name for row in rows}
