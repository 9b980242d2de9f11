"""Filled-in fields of games: the kernel against plain Python."""

from __future__ import annotations

import contextlib
import json
from collections import Counter

import apsw
from hypothesis import example, given
from hypothesis import strategies as st

from ocgdedup._kernels import names as name_kernel
from ocgdedup.store.database import create_database
from ocgdedup.store.players import Filling, GamePersons, PersonFacts, write_players
from tests.reference import filled_fields as reference
from tests.reference.filled_fields import Facts, Fields

KEYS = st.sampled_from(
    ["WhiteFideId", "BlackFideId", "whiteFIDEid", "WhiteTitle", "BlackTitle", "BLACKTITLE",
     "WhiteElo", "BlackElo", "Opening", "X", ',"WhiteFideId":"5"', "Été"]
)  # fmt: skip
VALUES = st.sampled_from(
    ["501", "GM", "", "IM", '"', "\\", "a,b", '{"WhiteTitle":"GM"}', ',"WhiteFideId":"501"', "é"]
)
TAGS = st.one_of(
    st.none(),
    st.builds(
        lambda members, colon, comma, end: json.dumps(
            members, separators=(comma, colon), ensure_ascii=False
        ) + end,
        st.dictionaries(KEYS, VALUES, max_size=5),
        st.sampled_from([":", ": ", " : "]), st.sampled_from([",", ", "]),
        st.sampled_from(["", " ", "\n"]),
    ),
)  # fmt: skip
DATES = st.sampled_from(
    [None, "", "????.??.??", "2020", "2020.??.??", "2020.04.30", "2020.05.??", "2020.06.01",
     "2020.07.01", "2019.12.31", "2020-05", "2o20.05.05", "2020.5.05"]
)  # fmt: skip
ELOS = st.sampled_from([None, 0, 2100])
FACTS = st.builds(
    Facts, st.sampled_from([None, 501, 77]), st.sampled_from([None, "GM", "IM"]),
    st.sampled_from([None, 0, 2600]), st.one_of(st.none(), DATES),
)  # fmt: skip
MONTHS = st.sampled_from([None, "2020-05", "2020-01", "2030-01"])


def in_kernel(game: Fields, *steps: tuple[str, tuple[object, ...]]) -> Fields:
    fields = name_kernel.OneGame(*game)
    for name, arguments in steps:
        getattr(fields, name)(*arguments)
    return Fields(game.date, *fields.columns())


@given(st.builds(Fields, DATES, TAGS, ELOS, ELOS, st.just(0)), FACTS, FACTS, MONTHS)
@example(
    Fields("2020.05.01", "{}", None, None, 0),
    Facts(5, None, None, None), Facts(None, "GM", 2600, None), "2020-05",
)  # fmt: skip
def test_fill_and_withdraw(game: Fields, white: Facts, black: Facts, month: str | None) -> None:
    expected, steps = game, []
    for side, facts in enumerate((white, black)):
        fide_id, title, rating, since = facts
        expected = reference.fill(expected, side, facts, month)
        steps.append(("fill", (side, fide_id, title, rating, since, month)))
    assert in_kernel(game, *steps) == expected
    for bits in (0, 1, 2, 4 | 8, 16 | 64, 32, 85, 170, 255, ~1):
        withdrawn = in_kernel(expected, ("withdraw", (bits,)))
        assert withdrawn == reference.withdraw(expected, bits)


@given(DATES, st.one_of(st.none(), DATES), MONTHS)
def test_titles_by_date(date: str | None, since: str | None, month: str | None) -> None:
    expected = reference.bears_title(date, since, month)
    assert name_kernel.bears_title(date, since, month) == expected


@given(
    st.lists(st.builds(Fields, DATES, TAGS, ELOS, ELOS, st.just(0)), min_size=1, max_size=4),
    FACTS, FACTS, MONTHS,
)  # fmt: skip
def test_games_of_a_database(
    games: list[Fields], first: Facts, second: Facts, month: str | None
) -> None:
    """A run withdraws what an earlier one filled in."""
    with contextlib.closing(create_database(":memory:")) as connection:
        connection.execute("INSERT INTO Players (ID, Name) VALUES (7, 'Alpha'), (9, 'Beta')")
        connection.executemany(
            "INSERT INTO Games (Date, ExtraTags, WhiteElo, BlackElo, WhiteID, BlackID) "
            "VALUES (?, ?, ?, ?, 7, 9)",
            (game[:4] for game in games),
        )
        before = games
        for facts in (first, second):
            counted = write(connection, facts, month)
            bare = [reference.withdraw(game, 255) for game in before]
            after = [reference.fill(game, 1, facts, month) for game in bare]
            assert stored(connection) == after
            pairs = list(zip(before, after, strict=True))
            assert counted == Counter(
                name for pair in pairs for name in reference.newly_filled(*pair)
            )
            before = after


def write(connection: apsw.Connection, facts: Facts, month: str | None) -> Counter[str]:
    """Give Black to a player of a list."""
    who = GamePersons({7: None, 9: 3}, (), {7: "alpha"}, {3: "F3"})
    titles = {} if facts.since is None else {(3, facts.title or ""): facts.since}
    return write_players(connection, who, Filling({3: PersonFacts(*facts[:3])}, month, (), titles))[
        1
    ]


def stored(connection: apsw.Connection) -> list[Fields]:
    sql = "SELECT Date, ExtraTags, WhiteElo, BlackElo, coalesce(BackFilled, 0) FROM Games"
    return [Fields(*row) for row in connection.execute(sql)]
