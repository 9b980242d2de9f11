"""From groups to kept games: written results, and unchanged ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.matching.kept_game import Length
from ocgdedup.pipeline.search import resolve as module
from ocgdedup.pipeline.search.detect import SearchOptions, find_duplicates
from ocgdedup.pipeline.search.groups import GroupBatch, Resolved, ResolveOptions
from ocgdedup.pipeline.search.kept_games import _with_mates
from ocgdedup.pipeline.search.resolve import (
    Plan,
    count_group_duplicates,
    count_groups_found,
    plan_groups,
    resolve,
)
from ocgdedup.store.database import open_database
from ocgdedup.store.deleted_games import remove_games
from ocgdedup.store.duplicates import Flags, stored_flags
from ocgdedup.store.history import transaction
from ocgdedup.store.merges import merged_ids, merged_tags
from tests.support.databases import Silent
from tests.support.played_games import (
    EXPECTED_COPIES,
    Record,
    collection,
    copy_of,
    expected_groups,
    game,
    game_of,
    mainline,
    pgn_text,
    variation,
    with_wrong_move,
)

Labels = dict[int, str]
DEFAULTS = ResolveOptions()


class Database:
    """A database of records that is searched and resolved in this process."""

    def __init__(self, folder: Path, *records: Record) -> None:
        self.path = folder / "a.db3"
        self._load(records, append=False)
        self.connection = open_database(str(self.path), writable=True).connection

    def append(self, *records: Record) -> None:
        self.connection.close()
        self._load(records, append=True)
        self.connection = open_database(str(self.path), writable=True).connection

    def _load(self, records: tuple[Record, ...], *, append: bool) -> None:
        source = self.path.with_suffix(".pgn")
        source.write_text("".join(map(pgn_text, records)), encoding="utf-8")
        create(CreateRequest(str(self.path), [str(source)], append=append), Silent())

    def plan(self, *, rewrites_all: bool = False) -> Plan:
        result = find_duplicates(self.connection, SearchOptions())
        return plan_groups(self.connection, result, DEFAULTS, rewrites_all=rewrites_all)

    def resolve(
        self, options: ResolveOptions = DEFAULTS, *, rewrites_all: bool = False
    ) -> Resolved:
        with transaction(self.connection):
            result = find_duplicates(self.connection, SearchOptions())
            plan = plan_groups(self.connection, result, options, rewrites_all=rewrites_all)
            return resolve(self.connection, result, plan, options, Silent())

    def remove(self, *labels: str) -> None:
        with transaction(self.connection):
            remove_games(self.connection, [self.ids[label] for label in labels])

    @property
    def labels(self) -> Labels:
        sql = "SELECT ID, ExtraTags ->> 'Label' FROM {}"
        rows: Labels = {}
        for table in ("Games", "RemovedGames"):
            rows |= dict(self.connection.execute(sql.format(table)))
        return rows

    @property
    def ids(self) -> dict[str, int]:
        return {label: game_id for game_id, label in self.labels.items()}

    @property
    def flags(self) -> dict[str, tuple[str | None, str, str | None]]:
        of = self.labels
        return {
            of[game_id]: (row.status, of[row.group], row.reason)
            for game_id, row in stored_flags(self.connection).items()
        }

    def value(self, label: str, column: str) -> object:
        sql = f"SELECT {column} FROM FlaggedGames WHERE ID = ?"
        return self.connection.execute(sql, (self.ids[label],)).get


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path, *collection())
    yield database
    database.connection.close()


def groups_of(plan: Plan, of: Labels) -> set[frozenset[str]]:
    return {frozenset(of[game_id] for game_id in group.ids) for group in plan.changed}


# --- flags -----------------------------------------------------------------------------------


def test_flags_of_every_kind(made: Database) -> None:
    resolved = made.resolve()
    expected = {
        label: (status, game_of(label), reason)
        for label, (status, reason) in EXPECTED_COPIES.items()
    }
    expected |= {game_of(label): (None, game_of(label), None) for label in EXPECTED_COPIES}
    assert made.flags == expected
    assert resolved.groups == resolved.changed_groups == len(expected_groups())
    assert sum(resolved.duplicates.values()) == len(EXPECTED_COPIES)


def test_scores_are_those_of_the_headers_as_they_came(made: Database) -> None:
    made.resolve()
    before = {row[0]: row[1] for row in scores(made.connection)}
    assert made.value("3", "HeaderOptimized") == 1
    made.resolve(rewrites_all=True)
    assert {row[0]: row[1] for row in scores(made.connection)} == before
    made.resolve(ResolveOptions(merge=False))
    assert {row[0]: row[1] for row in scores(made.connection)} == before


def scores(connection: apsw.Connection) -> list[tuple[int, int]]:
    return connection.execute("SELECT ID, HeaderScore FROM FlaggedGames").fetchall()


def test_a_record_from_a_position_is_never_the_kept_game(made: Database) -> None:
    """Not even with a better header."""
    made.connection.execute(
        "UPDATE Games SET ExtraTags = json_set(ExtraTags, '$.WhiteFideId', '12', "
        "'$.BlackFideId', '13') WHERE ExtraTags ->> 'Label' IN ('11 from position', '8 cut')"
    )
    made.resolve()
    assert made.flags["11 from position"][:2] == ("subsumption", "11")
    assert made.flags["8 cut"][:2] == ("subsumption", "8")
    assert made.value("8 cut", "HeaderScore") > made.value("8", "HeaderScore")
    assert made.value("8", "ExtraTags ->> 'WhiteFideId'") == "12"  # but the master gets it


def test_swapped_colours_of_equal_moves_are_flagged(tmp_path: Path) -> None:
    """Only names that differ on both sides are compared."""
    tags = game(5).tags
    swapped = copy_of(game(5), "swapped", White=tags["Black"], Black=tags["White"], ECO=None)
    white, black = (tags[side].partition(",")[0] for side in ("White", "Black"))
    other = copy_of(game(5), "surnames", White=white, Black=black, ECO=None)
    database = Database(tmp_path, game(5), swapped, other)
    database.resolve()
    assert database.flags["5 swapped"] == ("exact", "5", "colours swapped")
    assert database.flags["5 surnames"] == ("exact", "5", None)
    database.connection.close()


# --- what has not changed --------------------------------------------------------------------


def test_the_plan_of_the_first_run_has_all_groups(made: Database) -> None:
    plan = made.plan()
    assert groups_of(plan, made.labels) == expected_groups()
    assert (len(plan.stored), plan.has_changes) == (0, True)


def test_a_second_run_changes_nothing(made: Database) -> None:
    first = made.resolve()
    plan = made.plan()
    assert (plan.changed, plan.has_changes) == (GroupBatch(), False)
    assert plan.stored.all_unchanged
    assert len(plan.stored) > 0
    before = made.connection.total_changes()
    second = made.resolve()
    assert second == first._replace(
        changed_groups=0, merged=0, annotations_merged=0, annotations_left=0
    )
    # But for when it was: three rows of Info.
    assert made.connection.total_changes() - before < 5


def test_only_groups_of_new_games_are_resolved_again(made: Database) -> None:
    made.resolve()
    tags = list(merged_tags(made.connection))
    made.append(
        copy_of(game(1), "once more", TimeControl="40/7200", ECO=None),
        game(40),
        copy_of(game(17), "new", Date="????.??.??"),
    )
    plan = made.plan()
    assert groups_of(plan, made.labels) == {
        frozenset(("1", "1 again", "1 once more")),
        frozenset(("17", "17 new")),
    }
    assert plan.has_changes
    resolved = made.resolve()
    assert (resolved.changed_groups, resolved.groups) == (2, len(expected_groups()) + 1)
    assert [row for row in merged_tags(made.connection) if row not in tags] == [
        (made.ids["1"], "TimeControl", "?", "40/7200", made.ids["1 once more"], "missing")
    ]


def test_a_better_record_becomes_the_kept_game(made: Database) -> None:
    """Merges into the previous kept game are undone."""
    made.resolve()
    assert made.value("3", "TimeControl") == "40/7200"
    made.append(copy_of(game(3), "rich", WhiteFideId="12", BlackFideId="13"))
    made.resolve()
    assert made.flags["3"] == ("exact", "3 rich", None)
    assert made.value("3", "TimeControl") is None
    assert made.value("3", "HeaderOptimized") is None
    assert made.value("3 rich", "TimeControl") == "40/7200"


def test_a_removed_game_changes_only_its_group(made: Database) -> None:
    made.resolve()
    made.connection.execute("DELETE FROM Games WHERE ID = ?", (made.ids["16"],))
    plan = made.plan()
    assert groups_of(plan, made.labels) == {frozenset(("16 again", "16 wrong move", "16 cut"))}
    made.connection.execute("DELETE FROM Games WHERE ExtraTags ->> 'Label' = '16 wrong move'")
    made.connection.execute("DELETE FROM Games WHERE ExtraTags ->> 'Label' = '16 cut'")
    plan = made.plan()  # one is left, flagged as a copy of nothing
    assert (plan.changed, plan.has_changes) == (GroupBatch(), True)
    made.resolve()
    assert not any(game_of(label) == "16" for label in made.flags)


def test_flags_of_another_group(made: Database) -> None:
    made.resolve()
    sql = "UPDATE DuplicateFlags SET DuplicateGroup = ? WHERE GameID = ?"
    made.connection.execute(sql, (made.ids["2"], made.ids["1 again"]))
    assert groups_of(made.plan(), made.labels) == {
        frozenset(("1", "1 again")),
        frozenset(("2", "2 poor", "2 no result")),
    }
    made.resolve()
    assert made.flags["1 again"] == ("exact", "1", None)


def test_everything_resolves_unchanged_groups_too(made: Database) -> None:
    """Even groups that seem unchanged."""
    made.resolve()
    made.connection.execute(
        "UPDATE DuplicateFlags SET DuplicateReason = 'odd' WHERE DuplicateGroup = GameID"
    )
    assert not made.plan().has_changes
    plan = made.plan(rewrites_all=True)
    assert groups_of(plan, made.labels) == expected_groups()
    assert not any(plan.stored.is_unchanged(game_id) for game_id in made.ids.values())
    made.resolve(rewrites_all=True)
    assert made.flags["1"] == (None, "1", None)


# --- merging ---------------------------------------------------------------------------------


def test_summary_counts(made: Database) -> None:
    resolved = made.resolve()
    assert resolved.merged == len({row[0] for row in merged_tags(made.connection)}) == 4
    assert (resolved.annotations_merged, resolved.annotations_left) == (3, 1)
    assert len(merged_ids(made.connection)) == 6  # game 16 has got both
    without = made.resolve(ResolveOptions(merge=False), rewrites_all=True)
    assert (without.merged, without.annotations_merged, without.annotations_left) == (0, 0, 4)
    assert merged_ids(made.connection) == []


def test_groups_are_resolved_in_parts(made: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = made.resolve(ResolveOptions(merge_variations=True))
    flags, tags = made.flags, list(merged_tags(made.connection))
    monkeypatch.setattr(module, "_GROUPS_AT_ONCE", 3)
    in_parts = made.resolve(ResolveOptions(merge_variations=True), rewrites_all=True)
    assert in_parts == at_once
    assert (made.flags, list(merged_tags(made.connection))) == (flags, tags)


def test_a_swapped_header_gives_each_player_his_own_values(tmp_path: Path) -> None:
    tags = game(5).tags
    swapped = {
        **tags, "White": tags["Black"], "Black": tags["White"], "WhiteElo": "2222",
        "BlackElo": "2333", "ECO": "?", "Date": "????.??.??", "TimeControl": "40/7200",
    }  # fmt: skip
    own = {name: text for name, text in tags.items() if name != "WhiteElo"}
    records = Record("5", own, mainline(5)), Record("5 swapped", swapped, mainline(5))
    database = Database(tmp_path, *records)
    database.resolve()
    assert database.flags["5 swapped"] == ("exact", "5", "colours swapped")
    assert database.value("5", "WhiteElo") == 2333
    assert database.value("5", "BlackElo") == int(tags["BlackElo"])
    assert database.value("5", "TimeControl") == "40/7200"
    names = "SELECT (SELECT Name FROM Players WHERE ID = WhiteID) FROM Games WHERE ID = ?"
    assert database.connection.execute(names, (database.ids["5"],)).get == tags["White"]
    database.connection.close()


def test_annotations_after_a_slip_stay_with_the_duplicate(tmp_path: Path) -> None:
    moves = with_wrong_move(mainline(1))
    slip = next(ply for ply, pair in enumerate(zip(moves, mainline(1), strict=True))
                if pair[0] != pair[1])  # fmt: skip
    own, behind = variation(moves, slip), variation(moves, slip + 1)
    notes = {slip - 1: "{before}", slip: f"{{at}} {own}", slip + 1: f"{{behind}} {behind}"}
    copy = copy_of(game(1), "wrong move", moves=moves, ECO=None)._replace(notes=notes)
    database = Database(tmp_path, game(1), copy)
    resolved = database.resolve()
    assert (resolved.annotations_merged, resolved.annotations_left) == (1, 1)
    sql = "SELECT Comment FROM Comments WHERE GameID = ?"
    assert database.connection.execute(sql, (database.ids["1"],)).fetchall() == [("before",)]
    sql = "SELECT Ply, Variation FROM Annotations WHERE GameID = ?"
    rows = database.connection.execute(sql, (database.ids["1"],)).fetchall()
    assert rows == [(slip, own[1:-1])]  # in place of the move that differs
    database.connection.close()


def test_variations_come_from_near_identical_duplicates_only(made: Database) -> None:
    made.resolve(ResolveOptions(merge_variations=True))
    sql = "SELECT GameID FROM Annotations WHERE Variation IS NOT NULL"
    of = made.labels
    merged = {of[game_id] for (game_id,) in made.connection.execute(sql)} - {"6 annotated too"}
    assert merged == {"6", "13", "14", "15", "16"}  # the first one was in the copy


# --- removed games ---------------------------------------------------------------------------


def test_a_kept_game_keeps_values_merged_from_removed_duplicates(made: Database) -> None:
    made.resolve()
    made.remove("16 again", "16 wrong move", "16 cut", "3 nameless")
    assert not made.plan().has_changes
    made.resolve(rewrites_all=True)
    assert made.value("16", "TimeControl") == made.value("3", "TimeControl") == "40/7200"
    assert made.flags["16"] == (None, "16", None)
    assert "16 again" not in made.flags
    # It passes on to a better record of the game.
    made.append(copy_of(game(3), "rich", WhiteFideId="12", BlackFideId="13"))
    made.resolve()
    assert made.flags["3"] == ("exact", "3 rich", None)
    assert made.value("3 rich", "TimeControl") == "40/7200"


def test_removed_duplicates_are_not_counted(made: Database) -> None:
    first = made.resolve()
    made.remove("16 again", "13 wrong move")
    again = made.resolve(rewrites_all=True)
    assert again.groups == first.groups - 1  # game 13 is alone
    assert again.duplicates == {
        **first.duplicates,
        "exact": first.duplicates["exact"] - 1,
        "join": first.duplicates["join"] - 1,
    }  # fmt: skip


def test_a_removed_game_is_never_the_kept_game(made: Database) -> None:
    made.resolve()
    made.remove("2")
    made.resolve()
    assert made.flags["2 no result"] == (None, "2 no result", None)
    assert made.flags["2 poor"] == ("exact", "2 no result", None)


# --- counting --------------------------------------------------------------------------------


def test_count_copies() -> None:
    rows = [
        Flags(None, 1, None, 5), Flags("exact", 1, None, 4), Flags("join", 1, None, 3),
        Flags(None, 7, None, 5), Flags("exact", 7, "colours swapped", 5), Flags(None, 9, None, 1),
    ]  # fmt: skip
    assert count_group_duplicates(rows) == (2, {"exact": 2, "join": 1})
    assert count_group_duplicates([]) == (0, {})


def test_count_found(made: Database) -> None:
    """The numbers equal those of a run, by class, also with removed games."""
    result = find_duplicates(made.connection, SearchOptions())
    counted = count_groups_found(made.connection, result, ResolveOptions())
    resolved = made.resolve()
    assert (counted.groups, counted.duplicates) == (resolved.groups, resolved.duplicates)
    assert sum(counted.duplicates.values()) == len(EXPECTED_COPIES)
    made.remove("1", "2", "16 again")
    result = find_duplicates(made.connection, SearchOptions())
    counted = count_groups_found(made.connection, result, ResolveOptions())
    assert sum(counted.duplicates.values()) == len(EXPECTED_COPIES) - 3


def test_a_record_that_ends_in_mate_is_complete() -> None:
    mate = encode("f2f3 e7e5 g2g4 d8h4")
    shorter = mate[:-2]
    assert _with_mates([shorter, mate], [Length(), Length(has_tail=True)]) == [
        Length(is_truncated=True),
        Length(),
    ]
    others = [Length(), Length(has_tail=True)]
    assert _with_mates([mate[:2], mate[:4]], others) == others


def encode(moves: str) -> bytes:
    """Encode UCI moves without promotions."""
    squares = [(move[:2], move[2:]) for move in moves.split()]
    numbers = [_square(start) | _square(target) << 6 for start, target in squares]
    return b"".join(number.to_bytes(2, "little") for number in numbers)


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
