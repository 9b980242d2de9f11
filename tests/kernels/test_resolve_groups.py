"""The kernel resolve_groups chooses kept games as the rules of matching/ do."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels import search as search_kernel
from ocgdedup._kernels.search import COLOURS, HEADERS, NOTES, OPEN
from ocgdedup.errors import SqliteError, StoreError
from ocgdedup.matching import header_merge
from ocgdedup.matching.go_tags import TAG_POINTS
from ocgdedup.matching.header_score import POINTS
from ocgdedup.model import GameHeader, KeptGames
from ocgdedup.pipeline.search.consensus import Consensus
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.resolve import NAME_RULES, name_rules
from ocgdedup.store.connection import column_names
from ocgdedup.store.database import create_database
from ocgdedup.store.games import current_headers, load_kernel
from ocgdedup.store.merges import (
    GroupHeaders,
    games_as_merged,
    merged_tags,
    read_headers,
    write_kernel_merges,
)
from tests.reference.headers.header_merge import merge_headers
from tests.reference.kept_games import plain_group

NAMES = [None, "", "?", "-", "??", "????.??.??", "Linares", "NN", "N.N.", "unknown", "Kasparov, G",
         "Kasparov, Garry", "Карпов", "no", "x", "Kasparov,Garry", "Kasparov, Garry K",
         "Kasparov, Dr", "Kasparov, Garry Dr", "Kasparov", "Garry Kasparov", "KASPAROV, GARRY",
         "Karpov, Anatoly", "Karpov, A", "Kasparov-Weinstein, Garry", "Li, X", "Linares MNC",
         "Linares MNC open", "Lin", "linares", "LINARES", "Linares [A", "[exact copy of 7] Linares",
         "Linares\n", "2. Linares", "1", "(x)", "Linares 1999", "Kasparov, G.", "Mueller, Jan-Ole",
         "Mueller, J-O", "Mueller, Jan Ole", "Mueller, J",
         "Kaspraov, Garry", "Kasparof, G", "Karpov, Anatoli", "Linaers", "Linares MNC RUS",
         "Linares RUS", "003. Linares (E.V.)", "The golden coins game",
         "Kasparov, Garry Drago", "Kasparov, Van De", "Kasparov, Van Der"]  # fmt: skip
DATES = [None, "", "????.??.??", "19??.??.??", "1999.??.??", "1999.02.??", "1999.02.28", "2020?",
         "199", "1999.0?.01", "1999.0é.??"]  # fmt: skip
TAGS = [None, "{}", '{"WhiteFideId":"7"}', '{"BlackFideId":"0","WhiteFideId":"12"}',
        '{"EventDate":"1999.02.01"}', '{"X":"\\"WhiteFideId\\":\\"1"}', '{"WhiteFideId":12}',
        '{"BR":"9p","WR":"1d","KM":"6.5"}', '{"XBR":"9p"}', '{"HA":"2","RU":"x","RE":"B+R"}',
        '{"BlackFideId":"x","BlackFideId":"5"}']  # fmt: skip
ECOS = [None, "", "A0", "A00", "F00", "E99/2", "B3x", "C\u0663\u0664", "a00"]
ROWS = st.fixed_dictionaries(
    {
        "EventID": st.sampled_from([None, *range(1, 18), 999]),
        "SiteID": st.sampled_from([None, *range(1, 18)]),
        "WhiteID": st.sampled_from([None, *range(1, 18), 999]),
        "BlackID": st.sampled_from([None, *range(1, 18)]),
        "WhitePersonID": st.sampled_from([None, 1, 2, 3]),
        "BlackPersonID": st.sampled_from([None, 1, 2, 3]),
        "WhiteElo": st.sampled_from([None, 0, 99, 100, 2500, 3999, 4000, -5]),
        "BlackElo": st.sampled_from([None, 2500]),
        "DateQuality": st.sampled_from([None, 0, 11]),
        "Date": st.sampled_from(DATES),
        "Round": st.sampled_from([None, "1", "1.2"]),
        "Result": st.sampled_from([None, "*", "1-0"]),
        "TimeControl": st.sampled_from([None, "", "?", "-", "90+30", "??", "???", "1"]),
        "ECO": st.sampled_from(
            [None, "", "A0", "A00", "F00", "E99/2", "B3x", "C\u0663\u0664", "a00"]
        ),
        "ExtraTags": st.sampled_from(TAGS),
        "PlyCount": st.sampled_from([None, 0, 19, 20, 99, 100, 300]),
        "HasComments": st.sampled_from([None, 0, 1]),
        "HasVariations": st.sampled_from([None, 0, 1]),
    }
)

# Two records of one game, more alike than above, and without what is left to Python.
LIKE_ROWS = st.fixed_dictionaries(
    {
        "EventID": st.sampled_from([None, *range(1, len(NAMES) + 1)]),
        "SiteID": st.sampled_from([None, *range(1, len(NAMES) + 1)]),
        "WhiteID": st.sampled_from([None, *range(7, len(NAMES) + 1)]),
        "BlackID": st.sampled_from([None, *range(7, len(NAMES) + 1)]),
        "WhitePersonID": st.sampled_from([None, None, None, 1, 3]),
        "CoreHash": st.sampled_from([None, None, None, 5]),
        "WhiteElo": st.sampled_from([None, 2500, 2510, 4000]),
        "BlackElo": st.sampled_from([None, 0, 2500, 2510]),
        "DateQuality": st.sampled_from([None, 0, 11, 22, -1]),
        "Date": st.sampled_from([*DATES[:7], "1999.02.27", "1999.??.28"]),
        "Round": st.sampled_from([None, "", "?", "1", "01", "1.2", "1(2)", "3", "3.?", "0", "?.2"]),
        "Result": st.sampled_from([None, "*", "1-0", "0-1", ""]),
        "TimeControl": st.sampled_from([None, "", "?", "90+30", "60"]),
        "ECO": st.sampled_from([None, "", "A00", "A01", "A00/2", "B33/09", "F00", "é00"]),
        "ExtraTags": st.sampled_from(
            [None, None, None, "", '{"X":"y"}', '{"X":"?"}', '{"MovetextResult":"1-0"}',
             '{"EventDate":"1999.02.01"}', '{"WhiteElo":"x"}']
        ),
        "PlyCount": st.sampled_from([40, 40, 44, 45]),
    }
)  # fmt: skip
FIELD_TAGS = search_kernel.FIELD_TAGS
LIKE_COLUMNS = (
    "EventID", "SiteID", "WhiteID", "BlackID", "WhiteElo", "BlackElo", "DateQuality", "Date",
    "Round", "Result", "TimeControl", "ECO", "PlyCount", "ExtraTags", "CoreHash",
)  # fmt: skip


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    opened = create_database(str(tmp_path_factory.mktemp("headers") / "a.db3"))
    for table in ("Events", "Sites", "Players"):
        for number, name in enumerate(NAMES, 1):
            opened.execute(
                f"INSERT OR IGNORE INTO {table} (ID, Name) VALUES (?, ?)", (number, name)
            )
    rows = [(1, "K", 41), (2, "L", None), (3, "M", 0)]
    opened.executemany("INSERT INTO Persons (ID, Name, FideID) VALUES (?, ?, ?)", rows)
    yield opened
    opened.close()


def insert(connection: apsw.Connection, rows: Sequence[dict[str, object]]) -> list[int]:
    """Replace all games by these rows."""
    connection.execute("DELETE FROM Games")
    connection.execute("DELETE FROM UnmergedHeaders")
    connection.execute("DELETE FROM MergedTags")
    for number, row in enumerate(rows, 1):
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        values = (number, *row.values())
        connection.execute(f"INSERT INTO Games (ID, {names}) VALUES (?, {marks})", values)
    return list(range(1, len(rows) + 1))


def resolved(
    connection: apsw.Connection,
    ids: Sequence[int],
    *,
    closed: int = 0,
    has_swapped: Callable[[int, int], bool] | None = None,
    is_merging: bool = False,
    merges_again: bool = False,
    consensus: Consensus | None = None,
) -> KeptGames:
    counts = None if consensus is None else consensus.counts
    headers = GroupHeaders(connection, POINTS, TAG_POINTS, name_rules(consensus), counts)
    lines, ends = array("I", [7] * len(ids)), array("Q", [len(ids)])
    return headers.kept_games(
        array("q", ids), lines, ends, bytes([closed]), has_swapped, is_merging=is_merging,
        merges_again=merges_again,
    )  # fmt: skip


def fields_of(header: GameHeader) -> dict[str, object]:
    """Return the values of a header by tag."""
    row = header._asdict()
    names = {"WhiteElo": "white_elo", "BlackElo": "black_elo", "TimeControl": "time_control"}
    fields = {tag: row[names.get(tag, tag.lower())] for tag in FIELD_TAGS}
    return {**fields, "DateQuality": header.date_quality}


def plain_row(**columns: object) -> dict[str, object]:
    return {"EventID": 7, "WhiteID": 11, "BlackID": 13, "PlyCount": 40, **columns}


@given(st.lists(ROWS, min_size=2, max_size=4))
def test_kernel_resolves_as_the_rules_do(
    connection: apsw.Connection, rows: list[dict[str, object]]
) -> None:
    ids = insert(connection, rows)
    actual, expected = resolved(connection, ids), plain_group(read_headers(connection, ids))
    assert not actual.kinds[0] & OPEN
    assert (actual.kept_ids[0], actual.scores.tolist()) == (expected.kept, expected.scores)
    assert list(actual.notes) == expected.notes
    assert bool(actual.kinds[0] & NOTES) == expected.needs_notes
    assert not expected.needs_merge or actual.kinds[0] & HEADERS
    assert not expected.may_have_colours or actual.kinds[0] & COLOURS
    assert actual.plies[0] == (rows[actual.kept_ids[0] - 1]["PlyCount"] or 0)


def differing(row: dict[str, object], other: dict[str, object], fields: set[str]) -> None:
    """Return two rows that differ only in some fields."""
    for field in other.keys() - fields:
        other[field] = row[field]


@given(LIKE_ROWS, LIKE_ROWS, st.sets(st.sampled_from(LIKE_COLUMNS), max_size=5))
def test_two_records_are_merged_as_by_the_rules(
    connection: apsw.Connection,
    row: dict[str, object],
    other: dict[str, object],
    fields: set[str],
) -> None:
    differing(row, other, fields)
    assert_merged_by_the_rules(connection, insert(connection, [row, other]), None)


# Names of which some are near each other, and how many other games have each.
FILLERS = st.lists(
    st.tuples(
        st.sampled_from(sorted({*range(7, len(NAMES) + 1)})),
        st.sampled_from([1, 3, 12, 30]),
        st.booleans(),  # at the event of the first record
        st.sampled_from(
            [
                None,
                ("1", "1999.02.28"),
                ("1", "1999.03.01"),
                ("2", "1999.03.01"),
                ("3", "1999.03.02"),
            ]
        ),  # round and date
    ),
    max_size=6,
)


def filler_rows(
    row: dict[str, object], fillers: list[tuple[int, int, bool, tuple[str, str] | None]]
) -> list[dict[str, object]]:
    """Return rows of other games; `row`: the first record."""
    return [
        {
            "EventID": row["EventID"] if is_at_event else name,
            "SiteID": name,
            "WhiteID": name,
            "PlyCount": 1,
            "Round": played[0] if played else None,
            "Date": played[1] if played else None,
        }
        for name, count, is_at_event, played in fillers
        for _ in range(count)
    ]


@given(LIKE_ROWS, LIKE_ROWS, st.sets(st.sampled_from(LIKE_COLUMNS[:4]), max_size=3), FILLERS)
def test_two_records_are_merged_by_all_records(
    connection: apsw.Connection,
    row: dict[str, object],
    other: dict[str, object],
    fields: set[str],
    fillers: list[tuple[int, int, bool, tuple[str, str] | None]],
) -> None:
    differing(row, other, fields)
    insert(connection, [row, other, *filler_rows(row, fillers)])
    consensus = Consensus(connection, find_duplicates(connection, SearchOptions()))
    consensus.counts.collect_events(array("q", [1, 2]), array("Q", [2]))
    assert_merged_by_the_rules(connection, [1, 2], consensus)


def ids_of(*names: str) -> st.SearchStrategy[int]:
    return st.sampled_from([NAMES.index(name) + 1 for name in names])


# Values that only spellings make different, and a few others.
_PLACES = ids_of("Linares", "Linares MNC", "Linares MNC open", "Lin", "LINARES", "Linares [A",
                 "Linares RUS", "Linares MNC RUS", "Linaers", "Linares 1999", "?", "x")  # fmt: skip
NEAR_VALUES = st.fixed_dictionaries(
    {
        "EventID": _PLACES,
        "SiteID": _PLACES,
        "WhiteID": ids_of("Kasparov, G", "Kasparov, Garry", "Kasparov,Garry", "Kasparov, Garry K",
                          "Kasparov, Garry Dr", "Kasparov, Garry Drago", "Kasparov, Van De",
                          "Kasparov, Van Der", "Kaspraov, Garry", "Garry Kasparov", "?", "Карпов"),
        "BlackID": ids_of("Karpov, A", "Karpov, Anatoly", "Karpov, Anatoli", "Kasparov, G"),
        "ECO": st.sampled_from([None, "A00", "A01", "A00/2", "B33/09", "F00"]),
        "Date": st.sampled_from([None, "1999.02.28", "1999.03.01", "1999.03.02", "1999.03.??"]),
    }
)  # fmt: skip
SIMILAR_ROWS = st.lists(NEAR_VALUES, min_size=3, max_size=5)
FEW_COLUMNS = st.sets(
    st.sampled_from(["EventID", "SiteID", "WhiteID", "BlackID", "ECO", "Date"]),
    min_size=1,
    max_size=2,
)


@given(
    st.sampled_from([None, None, None, "", '{"X":"y"}', '{"EventDate":"1999.02.01"}']),
    FEW_COLUMNS,
    SIMILAR_ROWS,
    st.one_of(st.none(), FILLERS),
)
def test_several_records_are_merged_as_by_the_rules(
    connection: apsw.Connection,
    tags: str | None,
    columns: set[str],
    values: list[dict[str, object]],
    fillers: list[tuple[int, int, bool, tuple[str, str] | None]] | None,
) -> None:
    row = plain_row(BlackID=24, SiteID=7, ExtraTags=tags, Round="1", Date="1999.02.28")
    rows = [{**row, **{column: own[column] for column in columns}} for own in values]
    insert(connection, [*rows, *filler_rows(row, fillers or [])])
    ids = list(range(1, len(rows) + 1))
    consensus = None
    if fillers is not None:
        consensus = Consensus(connection, find_duplicates(connection, SearchOptions()))
        consensus.counts.collect_events(array("q", ids), array("Q", [len(ids)]))
    assert_merged_by_the_rules(connection, ids, consensus)


PLACE, WITH_COUNTRY = NAMES.index("Linares") + 1, NAMES.index("Linares RUS") + 1


@pytest.mark.parametrize("own", [PLACE, WITH_COUNTRY])
@pytest.mark.parametrize(
    ("without_country", "with_country", "other_event"),
    [(2, 0, 7), (1, 0, 7), (2, 1, 7), (2, 0, 11), (1, 1, 11), (0, 0, 7)],
)
def test_country_that_no_other_game_of_the_event_has(
    connection: apsw.Connection, own: int, without_country: int, with_country: int, other_event: int
) -> None:
    """The two records are of events 7 and `other_event`, the other games of 7 or elsewhere."""
    sites = [own, PLACE + WITH_COUNTRY - own, *[PLACE] * 20, *[WITH_COUNTRY] * 5]
    events = [7, other_event, *[7] * without_country, *[13] * (20 - without_country)]
    events += [*[7] * with_country, *[13] * (5 - with_country)]
    rows = [
        plain_row(EventID=event, SiteID=site) for event, site in zip(events, sites, strict=True)
    ]
    insert(connection, [{**row, "PlyCount": 40 if n < 2 else 1} for n, row in enumerate(rows)])
    consensus = Consensus(connection, find_duplicates(connection, SearchOptions()))
    consensus.counts.collect_events(array("q", [1, 2]), array("Q", [2]))
    assert_merged_by_the_rules(connection, [1, 2], consensus)
    kept, other = read_headers(connection, [1, 2])
    merged = header_merge.merge_headers(kept, [kept, other], database=consensus).values
    loses = without_country > 1 and not with_country
    assert merged.get("Site", kept.site) == ("Linares" if loses else "Linares RUS")


def number_of(name: str) -> int:
    return NAMES.index(name) + 1


TIDY, SLIP, PLAIN = map(number_of, ("Kasparov, Garry", "Kaspraov, Garry", "Garry Kasparov"))


@pytest.mark.parametrize(
    ("column", "own", "others", "merged"),
    [
        ("WhiteID", [SLIP, TIDY], {TIDY: 30}, {"White": "Kasparov, Garry"}),
        ("WhiteID", [TIDY, SLIP], {TIDY: 30}, {}),
        # Two records have the slip, which all others outweigh.
        ("WhiteID", [SLIP, SLIP, TIDY], {TIDY: 30}, {"White": "Kasparov, Garry"}),
        ("WhiteID", [PLAIN, TIDY, SLIP], {}, {"White": "Kasparov, Garry"}),
        ("WhiteID", [None, PLAIN, TIDY], {}, {"White": "Kasparov, Garry"}),
        ("EventID", [SLIP, TIDY], {TIDY: 30}, {"Event": "Kasparov, Garry"}),
        # The name of the site does not replace an event.
        ("EventID", [number_of("The golden coins game"), 7], {7: 100}, {}),
        ("SiteID", [number_of("Linaers"), 7], {7: 30}, {"Site": "Linares"}),
        ("Date", ["1999.02.27", "1999.02.28"], {"1999.02.28": 3}, {"Date": "1999.02.28"}),
        ("Date", ["1999.02.27"] * 2 + ["1999.02.28"], {"1999.02.28": 3}, {"Date": "1999.02.28"}),
        ("Date", ["1999.02.28", "1999.02.27"], {"1999.02.28": 3}, {}),
    ],
)  # fmt: skip
def test_values_that_all_records_outweigh(
    connection: apsw.Connection,
    column: str,
    own: list[object],
    others: dict[object, int],
    merged: dict[str, object],
) -> None:
    """The kernel merges the group itself, as the rules do; `others`: games with each value."""
    row = plain_row(SiteID=7, Round="1", Date="1999.02.28")
    filling = [value for value, count in others.items() for _ in range(count)]
    rows = [{**row, column: value} for value in (*own, *filling)]
    for number, filler in enumerate(rows[len(own) :]):
        filler.update(PlyCount=1, BlackID=20 + number % 2)
    insert(connection, rows)
    ids = list(range(1, len(own) + 1))
    consensus = Consensus(connection, find_duplicates(connection, SearchOptions()))
    consensus.counts.collect_events(array("q", ids), array("Q", [len(ids)]))
    answers = resolved(connection, ids, is_merging=True, consensus=consensus)
    assert not answers.kinds[0] & (OPEN | HEADERS)
    assert_merged_by_the_rules(connection, ids, consensus)
    kept = read_headers(connection, [answers.kept_ids[0]])[0]
    expected = header_merge.merge_headers(
        kept, read_headers(connection, ids), database=consensus
    ).values
    assert {tag: value for tag, value in expected.items() if tag != "DateQuality"} == merged


def assert_merged_by_the_rules(
    connection: apsw.Connection, ids: Sequence[int], consensus: Consensus | None
) -> None:
    headers = read_headers(connection, ids)
    answers = resolved(
        connection, ids, has_swapped=lambda left, right: False, is_merging=True, consensus=consensus
    )
    if answers.kinds[0] & (OPEN | HEADERS):
        assert not answers.merges.rows
        return
    assert not answers.kinds[0] & COLOURS
    kept = headers[list(ids).index(answers.kept_ids[0])]
    expected = merge_headers(kept, headers, database=consensus)
    written = write_kernel_merges(connection, answers.merges, are_first=True)
    assert written == bool(expected.values)
    (now,) = current_headers(connection, [kept.game_id])
    target = {**fields_of(kept), **expected.values}
    assert fields_of(now) == target
    assert list(merged_tags(connection)) == [
        (kept.game_id, *change) for change in sorted(expected.changes)
    ]
    assert now.extra_tags == kept.extra_tags
    assert read_headers(connection, ids) == headers
    assert_found_as_merged(connection, ids, consensus)


def assert_found_as_merged(
    connection: apsw.Connection, ids: Sequence[int], consensus: Consensus | None
) -> None:
    """A merge that was written is found, unless any part of it is another one."""

    def is_found() -> bool:
        again = resolved(
            connection, ids, has_swapped=lambda left, right: False, is_merging=True,
            merges_again=True, consensus=consensus,
        )  # fmt: skip
        kept = again.kept_ids[0]
        assert not again.kinds[0] & (OPEN | HEADERS)
        return games_as_merged(connection, [kept], again.merges) == {kept}

    assert is_found()
    changes = list(merged_tags(connection))
    for column, value in (
        ("Before", "changed"),
        ("After", "changed"),
        ("FromGameID", 99),
        ("Reason", "x"),
    ):
        connection.execute(f"UPDATE MergedTags SET {column} = ?", (value,))
        assert is_found() == (not changes)
        connection.execute("DELETE FROM MergedTags")
        connection.executemany("INSERT INTO MergedTags VALUES (?, ?, ?, ?, ?, ?)", changes)
    connection.execute("INSERT INTO MergedTags SELECT ID, 'Mode', '?', 'x', 2, 'x' FROM Games")
    assert not is_found()
    connection.execute("DELETE FROM MergedTags WHERE Tag = 'Mode'")


@pytest.mark.parametrize(
    ("column", "own", "other"),
    [("WhiteID", 11, 12), ("BlackID", 11, 20), ("EventID", 7, 28), ("SiteID", 7, 27),
     ("Date", "1999.02.??", "1999.02.28"), ("Round", "1", "1.2"), ("ECO", "A00", "A00/2"),
     ("WhiteElo", None, 2500), ("Result", "*", "1-0"), ("TimeControl", "?", "90+30")],
)  # fmt: skip
def test_simple_merges_never_need_python(
    connection: apsw.Connection, column: str, own: object, other: object
) -> None:
    rows = [
        plain_row(**{"Date": "1999.02.01", column: own}),
        plain_row(**{"Date": "1999.02.01", column: other}),
    ]
    answers = resolved(connection, insert(connection, rows), is_merging=True)
    assert not answers.kinds[0] & (OPEN | HEADERS)


@pytest.mark.parametrize(
    ("column", "own", "others"),
    [("WhiteID", 11, (11, 12)), ("WhiteID", 11, (12, 12)), ("BlackID", 24, (23, 23)),
     ("EventID", 7, (28, 28)), ("SiteID", 7, (27, 7)), ("ECO", "A00", ("A00/2", "A00")),
     ("ECO", "A00", ("B33", "B33/09"))],
)  # fmt: skip
def test_simple_merges_of_three_records_never_need_python(
    connection: apsw.Connection, column: str, own: object, others: tuple[object, object]
) -> None:
    rows = [plain_row(**{"Date": "1999.02.01", column: value}) for value in (own, *others)]
    ids = insert(connection, rows)
    assert not resolved(connection, ids, is_merging=True).kinds[0] & (OPEN | HEADERS)
    assert_merged_by_the_rules(connection, ids, None)


@pytest.mark.parametrize(
    ("column", "own", "others"),
    [("EventID", 7, (7, 33)),  # the mark of a duplicate
     ("WhiteID", 11, (12, 13)),  # another player
     ("WhitePersonID", None, (None, 1)), ("ExtraTags", None, (None, '{"X":"y"}'))],
)  # fmt: skip
def test_merges_of_tags_and_players_are_left_to_python(
    connection: apsw.Connection, column: str, own: object, others: tuple[object, ...]
) -> None:
    rows = [plain_row(**{"Date": "1999.02.01", column: value}) for value in (own, *others)]
    answers = resolved(connection, insert(connection, rows), is_merging=True)
    assert answers.kinds[0] & (OPEN | HEADERS)
    assert not answers.merges.rows


@pytest.mark.parametrize(
    ("column", "own", "others"),
    [("Round", "1", ("1", "1.2")), ("WhiteElo", 2500, (2500, 2510)),
     ("WhiteElo", None, (2500, 2510, 2510)), ("Result", "1-0", ("1-0", "*")),
     ("Result", "1-0", ("0-1", "0-1")), ("Date", "1999.02.01", ("1999.02.01", "1999.02.02")),
     ("Date", "1999.??.??", ("1999.02.01", "1999.02.02", "1999.02.02")),
     ("ECO", "A00", ("A01", "A02")), ("ECO", "A00", ("A00", "é00")),
     ("EventID", 7, (28,) * 8), ("EventID", 7, (28, 29, 30) * 20)],
)  # fmt: skip
def test_several_records_that_differ_in_one_field(
    connection: apsw.Connection, column: str, own: object, others: tuple[object, ...]
) -> None:
    rows = [plain_row(**{"Date": "1999.02.01", column: value}) for value in (own, *others)]
    ids = insert(connection, rows)
    answers = resolved(connection, ids, is_merging=True)
    assert not answers.kinds[0] & (OPEN | HEADERS)
    assert_merged_by_the_rules(connection, ids, None)


def test_groups_of_any_size_are_merged_one_after_another(connection: apsw.Connection) -> None:
    sizes = (2, 17, 3, 40, 1, 60)
    codes = [f"A{n:02}" for n in range(60)]
    rows = [plain_row(ECO=code) for size in sizes for code in codes[:size]]
    ids = insert(connection, rows)
    ends = list(accumulate(sizes))
    answers = GroupHeaders(connection, POINTS, TAG_POINTS, NAME_RULES, None).kept_games(
        array("q", ids), array("I", [7] * len(ids)), array("Q", ends), bytes(len(sizes)),
        lambda left, right: False, is_merging=True,
    )  # fmt: skip
    assert list(answers.kinds) == [0] * len(sizes)
    for start, end in pairwise([0, *ends]):
        assert_merged_by_the_rules(connection, ids[start:end], None)


SEVERAL_LIKE_ROWS = st.lists(LIKE_ROWS, min_size=3, max_size=6)


@given(SEVERAL_LIKE_ROWS, st.sets(st.sampled_from(LIKE_COLUMNS), max_size=5))
def test_several_records_that_differ_in_some_fields(
    connection: apsw.Connection, rows: list[dict[str, object]], fields: set[str]
) -> None:
    for other in rows[1:]:
        differing(rows[0], other, fields - {"WhiteID", "BlackID", "CoreHash", "ExtraTags"})
    assert_merged_by_the_rules(connection, insert(connection, rows), None)


def test_a_group_of_one_record_is_left_to_the_rules(connection: apsw.Connection) -> None:
    rows = [plain_row(Date="1999.??.??", ExtraTags='{"EventDate":"1999.02.01"}')]
    expected = resolved(connection, insert(connection, rows))
    answers = resolved(connection, [1], is_merging=True)
    assert answers.kinds == expected.kinds


@pytest.mark.parametrize("games", [1, 20])
@pytest.mark.parametrize("table", ["Games", "MergedTags"])
def test_errors_of_a_merge_keep_their_message(
    connection: apsw.Connection, table: str, games: int
) -> None:
    """With many games, changes are logged in groups of rows."""
    insert(connection, [plain_row(Round=number) for _ in range(games) for number in ("1", "1.2")])
    headers = GroupHeaders(connection, POINTS, TAG_POINTS, NAME_RULES)
    ids, ends = array("q", range(1, 2 * games + 1)), array("Q", range(2, 2 * games + 1, 2))
    lines = array("I", [7] * (2 * games))
    merges = headers.kept_games(ids, lines, ends, bytes(games), is_merging=True).merges
    event = "UPDATE" if table == "Games" else "INSERT"
    with connection:
        connection.execute(
            f"CREATE TRIGGER no_change BEFORE {event} ON {table} BEGIN "
            "SELECT raise(ABORT, 'nothing may change'); END"
        )
    try:
        with pytest.raises(StoreError, match="headers cannot be written: nothing may change"):
            write_kernel_merges(connection, merges, are_first=True)
    finally:
        connection.execute("DROP TRIGGER no_change")


def test_tags_of_a_merge_that_was_made_final_are_replaced(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(WhiteElo=2500), plain_row(Round="3")])
    connection.execute("INSERT INTO MergedTags VALUES (1, 'Round', '?', '2', 9, 'missing')")
    merges = resolved(connection, ids, is_merging=True).merges
    with pytest.raises(StoreError):
        write_kernel_merges(connection, merges, are_first=True)
    assert write_kernel_merges(connection, merges) == 1
    assert list(merged_tags(connection)) == [(1, "Round", "?", "3", 2, "missing")]


def test_exchanged_players_are_left_to_the_rules(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(), plain_row(WhiteID=13, BlackID=11, ECO="A00")])
    answers = resolved(connection, ids, has_swapped=lambda left, right: True, is_merging=True)
    assert answers.kinds[0] == HEADERS | COLOURS


def test_game_with_a_merge_is_left_to_the_rules(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(ECO="A00", Round="1"), plain_row(Round="1.2")])
    assert not resolved(connection, ids, is_merging=True).kinds[0] & HEADERS
    connection.execute(
        "INSERT INTO UnmergedHeaders (GameID, EventID, WhiteID, BlackID, ECO) "
        "VALUES (1, 7, 11, 13, 'A00')"
    )
    assert resolved(connection, ids, is_merging=True).kinds[0] & HEADERS


def test_equal_headers_need_nothing(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(ExtraTags='{"X":"y"}', Date="1999.01.02")] * 3)
    answers = resolved(connection, ids)
    assert (answers.kinds[0], answers.kept_ids[0]) == (0, 1)


@pytest.mark.parametrize("column", ["Date", "Round", "Result", "TimeControl", "ECO", "ExtraTags"])
def test_texts_are_compared_one_by_one(connection: apsw.Connection, column: str) -> None:
    """Even if the concatenated texts are equal."""
    texts = ["Date", "Round", "Result", "TimeControl", "ECO", "ExtraTags"]
    other = texts[texts.index(column) - 1]
    ids = insert(
        connection,
        [plain_row(**{column: "12", other: "1"}), plain_row(**{column: "2", other: "11"})],
    )
    assert resolved(connection, ids).kinds[0] & HEADERS


@pytest.mark.parametrize(
    "odd",
    [{"PlyCount": "x"}, {"PlyCount": -1}, {"Date": b"1999"}, {"WhiteElo": 2.5},
     {"EventID": "x"}, {"HasComments": 0.5}],
)  # fmt: skip
def test_odd_values_leave_a_group_open(connection: apsw.Connection, odd: dict[str, object]) -> None:
    ids = insert(connection, [plain_row(), plain_row(**odd)])
    assert resolved(connection, ids).kinds[0] == OPEN


def test_tags_that_end_before_the_number_of_a_player_have_none(
    connection: apsw.Connection,
) -> None:
    ids = insert(connection, [plain_row(), plain_row(ExtraTags='{"WhiteFideId":"')])
    answers = resolved(connection, ids)
    assert answers.kinds[0] == HEADERS
    assert answers.scores[0] == answers.scores[1]


def test_other_mainlines_and_closed_groups_are_left_open(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(), plain_row()])
    assert resolved(connection, ids, closed=1).kinds[0] == OPEN
    headers = GroupHeaders(connection, POINTS, TAG_POINTS, NAME_RULES)
    kept = headers.kept_games(array("q", ids), array("I", [1, 2]), array("Q", [2]), b"\0")
    assert kept.kinds[0] == OPEN


def test_original_headers_are_read_not_merged_ones(connection: apsw.Connection) -> None:
    ids = insert(connection, [plain_row(ECO="A00"), plain_row(Date="1999.01.02")])
    connection.execute("INSERT INTO UnmergedHeaders (GameID, Date) VALUES (1, '2001.02.03')")
    assert resolved(connection, ids).scores.tolist() == [3 + 10 - 10 - 10 - 5, 3 + 8 + 10 - 5]


def test_many_groups_are_resolved_like_each_group_alone(connection: apsw.Connection) -> None:
    insert(connection, [])
    groups = 12_000  # the kernel reads 16,384 headers at a time
    connection.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO Games (ID, EventID, WhiteID, BlackID, PlyCount, Date, WhiteElo) "
        "SELECT 2 * i - i % 3, 7, 11, 13, i % 90, "
        "CASE WHEN i % 7 THEN '1999.01.02' ELSE '1999.??.??' END, i % 3000 FROM n",
        (3 * groups,),
    )
    connection.execute(
        "INSERT INTO UnmergedHeaders (GameID, Date) SELECT ID, '2001' FROM Games WHERE ID % 11 = 0"
    )
    games = [row[0] for row in connection.execute("SELECT ID FROM Games ORDER BY ID % 4, ID")]
    ends = [2 * number if number % 5 else 2 * number - 1 for number in range(1, groups + 1)]
    ids = games[: ends[-1]]
    closed = bytes(number % 17 == 3 for number in range(groups))
    headers = GroupHeaders(connection, POINTS, TAG_POINTS, NAME_RULES)
    lines = array("I", [1] * len(ids))
    kept = headers.kept_games(
        array("q", ids), lines, array("Q", ends), closed, None, is_merging=False
    )
    for place in [*range(0, groups, 997), *range(8_150, 8_250)]:
        start, end = (ends[place - 1] if place else 0), ends[place]
        alone = resolved(connection, ids[start:end], closed=closed[place])
        assert kept.kinds[place] == alone.kinds[0]
        if not closed[place]:
            assert kept.scores[start:end] == alone.scores
            assert kept.notes[start:end] == alone.notes
            assert (kept.kept_ids[place], kept.plies[place]) == (alone.kept_ids[0], alone.plies[0])


def test_missing_game_is_an_error(connection: apsw.Connection) -> None:
    insert(connection, [plain_row()])
    with pytest.raises(KeyError):
        resolved(connection, [1, 2])


def test_columns_are_those_of_games(connection: apsw.Connection) -> None:
    assert len(set(search_kernel.HEADER_COLUMNS)) == len(search_kernel.HEADER_COLUMNS)
    assert {*search_kernel.HEADER_COLUMNS} <= {*column_names(connection, "Games")}


def test_group_without_games_is_left_open(connection: apsw.Connection) -> None:
    insert(connection, [plain_row()])
    load_kernel(connection, search_kernel)
    resolver = search_kernel.GroupResolver(connection, POINTS, TAG_POINTS, NAME_RULES)
    resolution = resolver.resolve(
        array("q"), array("I"), array("Q", [0]), b"\0", ["SELECT 1"], ["SELECT 1"] * 4
    )
    assert [*resolution[0]] == [OPEN]


def test_refused_statement_is_an_error(connection: apsw.Connection) -> None:
    load_kernel(connection, search_kernel)
    resolver = search_kernel.GroupResolver(connection, POINTS, TAG_POINTS, NAME_RULES)
    with pytest.raises(SqliteError):
        resolver.resolve(
            array("q", [1]), array("I", [1]), array("Q", [1]), b"\0", ["SELECT x"], ["SELECT 1"] * 4
        )


def test_connection_must_have_loaded_the_kernel(connection: apsw.Connection) -> None:
    with pytest.raises(ValueError, match="not just loaded"):
        search_kernel.GroupResolver(connection, POINTS, TAG_POINTS, NAME_RULES)
    with pytest.raises(ValueError, match="points"):
        search_kernel.GroupResolver(connection, POINTS[:-1], TAG_POINTS, NAME_RULES)
