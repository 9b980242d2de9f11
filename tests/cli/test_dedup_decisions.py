"""User decisions about pairs: dedup applies them, notices changes, and undoes them."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from ocgdedup.errors import UsageError
from ocgdedup.pipeline.search.detect import SearchResult, find_duplicates
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.database import open_database
from ocgdedup.store.history import DECISION, transaction
from ocgdedup.store.possible_duplicates import DIFFERENT, SAME, carry_decisions, write_decision
from tests.support.command_line import Command, Outcome
from tests.support.databases import Row, query, value
from tests.support.dedup_results import content as whole_content
from tests.support.dedup_results import differences, groups, ids, statuses
from tests.support.pgn_text import OPERA, game

# Of the made collection: a master, a whole copy of it, one cut short; and two suspects.
MASTER, AGAIN, CUT = "16", "16 again", "16 cut"
LEFT, RIGHT = "33", "35"


@contextlib.contextmanager
def opened(path: str) -> Iterator[apsw.Connection]:
    database = open_database(path, writable=True)
    try:
        yield database.connection
    finally:
        database.close()


def content(path: str) -> dict[str, list[Row]]:
    return whole_content(path, note_ids=False)


def decide(
    path: str, first: str, second: str, decision: str | None, stays: str | None = None
) -> None:
    of = ids(path)
    with opened(path) as connection, transaction(connection, DECISION):
        master = None if stays is None else of[stays]
        write_decision(connection, of[first], of[second], decision, master)


def master_of(path: str, label: str) -> str:
    result = statuses(path).get(label)
    return label if result is None else result[2]


def as_if_anew(command: Command, path: str) -> dict[str, list[Row]]:
    """Return the result of a full run on the current database."""
    shutil.copy(path, "anew.db3")
    assert command("dedup", "anew.db3", "--full").status == 0
    return content("anew.db3")


def run(command: Command, path: str) -> str:
    """Run dedup; check that a full run gives the same result."""
    outcome = command("dedup", path)
    assert outcome.status == 0
    assert not differences(content(path), as_if_anew(command, path))
    return outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("stays", [AGAIN, CUT])
@pytest.mark.parametrize("keep", ["best-header", "longest", "annotated"])
def test_the_game_that_was_chosen_stays(command: Command, made: str, stays: str, keep: str) -> None:
    """In spite of the rules; the other games of its group are its duplicates."""
    command("dedup", made, "--keep", keep)
    before = content(made)
    members = next(group for group in groups(made) if MASTER in group)
    assert master_of(made, stays) != stays
    decide(made, MASTER, stays, SAME, stays)
    command("dedup", made, "--keep", keep)
    assert groups(made) >= {members}
    assert {master_of(made, label) for label in members} == {stays}
    assert "nothing changed since" in command("dedup", made, "--keep", keep).err
    decide(made, MASTER, stays, None)
    command("dedup", made, "--keep", keep)
    assert content(made) == before


@pytest.mark.slow
def test_the_header_of_the_one_chosen_is_merged(command: Command, made: str) -> None:
    """The chosen game gets merged values like any kept game."""
    command("dedup", made)
    of = ids(made)
    time_control = value(made, "SELECT TimeControl FROM Games WHERE ID = ?", of[MASTER])
    assert time_control is not None
    decide(made, MASTER, AGAIN, SAME, AGAIN)
    run(command, made)
    assert value(made, "SELECT TimeControl FROM Games WHERE ID = ?", of[AGAIN]) == time_control
    merged = query(made, "SELECT GameID FROM UnmergedHeaders")
    assert (of[AGAIN],) in merged
    assert (of[MASTER],) not in merged


def test_suspects_that_are_one_game(command: Command, made: str) -> None:
    command("dedup", made)
    for stays in (LEFT, RIGHT):
        decide(made, LEFT, RIGHT, SAME, stays)
        run(command, made)
        assert frozenset((LEFT, RIGHT)) in groups(made)
        assert master_of(made, LEFT) == master_of(made, RIGHT) == stays


@pytest.mark.slow
def test_a_join_that_is_not_believed(command: Command, made: str) -> None:
    command("dedup", made)
    before = content(made)
    decide(made, "13", "13 wrong move", DIFFERENT)
    run(command, made)
    assert not any({"13", "13 wrong move"} <= group for group in groups(made))
    decide(made, "13", "13 wrong move", None)
    run(command, made)
    assert content(made) == before


def test_a_second_choice_goes_on_from_the_first(command: Command, made: str) -> None:
    command("dedup", made)
    decide(made, MASTER, AGAIN, SAME, AGAIN)
    decide(made, AGAIN, CUT, SAME, CUT)
    run(command, made)
    assert master_of(made, MASTER) == CUT


def test_a_choice_that_changes_nothing_leaves_the_last_run_to_be_undone(
    command: Command, made: str
) -> None:
    command("dedup", made)
    decide(made, MASTER, AGAIN, SAME, MASTER)
    assert "undo with" not in run(command, made)
    assert command("dedup", "--undo", made).out != "undone: 0 games changed back\n"
    assert groups(made) == set()


@pytest.mark.slow
def test_undo_of_a_run_that_changed_a_master(command: Command, made: str) -> None:
    """The decision stays, so the next run gives the same result."""
    command("dedup", made)
    before = content(made)
    decide(made, MASTER, AGAIN, SAME, AGAIN)
    run(command, made)
    after = content(made)
    assert command("dedup", made, "--undo").status == 0
    assert master_of(made, AGAIN) == MASTER
    decisions = "SELECT Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL"
    assert query(made, decisions) == [(SAME, ids(made)[AGAIN])]
    assert {**content(made), "Suspects": ()} == {**before, "Suspects": ()}
    assert "nothing changed since" not in run(command, made)
    assert content(made) == after


def test_a_deleted_game_does_not_stay(command: Command, made: str) -> None:
    """A deleted game chosen by the user becomes the kept game once restored."""
    of = ids(made)
    command("dedup", made, "--delete")
    with opened(made) as connection:
        write_decision(connection, of[MASTER], of[AGAIN], SAME, of[AGAIN])
    run(command, made)
    assert query(made, "SELECT 1 FROM Games WHERE ID = ?", of[AGAIN]) == []
    assert query(made, "SELECT 1 FROM Games WHERE ID = ?", of[MASTER]) == [(1,)]
    command("dedup", made, "--restore")
    run(command, made)
    assert master_of(made, MASTER) == AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_any_decisions_in_any_order(command: Command, made: str, seed: int) -> None:
    """Each run equals a full run, and at the end the database is as at the start."""
    chance = random.Random(seed)
    command("dedup", made)
    before = content(made)
    asked = set()
    for _ in range(4):
        for _ in range(chance.randrange(1, 5)):
            group = sorted(chance.choice(sorted(map(sorted, groups(made)))))
            pair = tuple(chance.sample(group, 2))
            asked.add(pair)
            decision = chance.choice([SAME, SAME, SAME, DIFFERENT, None])
            stays = chance.choice([*pair, None]) if decision == SAME else None
            decide(made, *pair, decision, stays)
        run(command, made)
    for pair in asked:
        decide(made, *pair, None)
    run(command, made)
    assert not differences(content(made), before)


@pytest.mark.slow
def test_a_deleted_game_that_is_another_one_comes_back(command: Command, made: str) -> None:
    """`different` means that both stay, even if one was deleted as a duplicate before."""
    command("dedup", made, "--delete")
    of = ids(made)
    removed = "SELECT ID FROM FlaggedRemovedGames WHERE DuplicateGroup = ? ORDER BY ID"
    (again,), *others = query(made, removed, of[MASTER])
    with opened(made) as connection:
        for (other,) in [*others, (of[MASTER],)]:
            write_decision(connection, again, other, DIFFERENT)
    done = command("dedup", made)
    assert f"restored 1 deleted game, no longer a duplicate (ID {again})" in done.err
    stays = "SELECT count(*) FROM FlaggedGames WHERE ID = ? AND DuplicateGroup IS NULL"
    assert value(made, stays, again) == 1
    assert "restored " not in command("dedup", made, "--full").err
    assert command("check", made).status == 0
    assert command("dedup", made, "--purge").status == 0
    assert value(made, stays, again) == 1
    assert query(made, removed, of[MASTER]) == []


@pytest.mark.slow
def test_the_return_of_a_deleted_game_can_be_undone(command: Command, made: str) -> None:
    command("dedup", made, "--delete")
    of = ids(made)
    others = query(
        made, "SELECT ID FROM FlaggedRemovedGames WHERE DuplicateGroup = ? ORDER BY ID", of[MASTER]
    )
    before = whole_content(made)
    with opened(made) as connection:
        for (other_id,) in others:
            write_decision(connection, of[MASTER], other_id, DIFFERENT)
    decided = whole_content(made)
    assert "restored " in command("dedup", made).err
    assert command("dedup", "--undo", made).status == 0
    assert differences(whole_content(made), decided) == {}
    assert before["Games"] == decided["Games"]


# --- decisions and games that are deleted or purged ----------------------------------------------

TAGS = {
    "Event": "Brilliancy",
    "Site": "Paris",
    "Date": "1858.10.21",
    "Round": "3",
    "White": "Morphy, Paul",
    "Black": "Karl, Duke",
    "Result": "1-0",
}
MOVES = OPERA.replace("*", "1-0")
PAIRS = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects ORDER BY 1, 2"
IDS = "SELECT ID FROM Games ORDER BY ID"
GROUPED = "SELECT GameID, DuplicateGroup FROM DuplicateFlags ORDER BY 1"


@pytest.fixture
def three(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Games 1 and 2 are equal records; 3 is near-identical to them, and a possible duplicate."""
    monkeypatch.chdir(tmp_path)
    record = game(MOVES, **TAGS)
    Path("one.pgn").write_text(record)
    Path("two.pgn").write_text(record)
    slip = MOVES.replace("8. Nc3 c6", "8. Nc3 a6")
    Path("slip.pgn").write_text(game(slip, **TAGS | {"Event": "Opera"}))
    command("create", "three.db3", "one.pgn", "two.pgn", "slip.pgn")
    return "three.db3"


def decide_pairs(command: Command, path: str, *lines: str) -> Outcome:
    rows = ["GameID1,GameID2,Decision,Master", *lines]
    Path("decisions.csv").write_text("".join(f"{row}\n" for row in rows))
    return command("review", path, "--decide", "decisions.csv")


def test_purge_applies_decisions_first(command: Command, three: str) -> None:
    decide_pairs(command, three, "1,3,same,3", "2,3,same,3")
    command("dedup", three, "--delete")
    assert query(three, IDS) == [(3,)]
    decide_pairs(command, three, "1,3,different,", "2,3,different,")
    outcome = command("dedup", three, "--purge")
    assert outcome.status == 0
    assert query(three, IDS) == [(1,), (2,), (3,)]
    assert query(three, GROUPED) == [(1, 1), (2, 1)]
    assert "\npurged nothing; restored 2 deleted games\n" in outcome.err


def test_purge_heeds_a_decision_that_was_taken_back(command: Command, three: str) -> None:
    decide_pairs(command, three, "1,3,same,1")
    command("dedup", three, "--delete")
    assert query(three, IDS) == [(1,)]
    decide_pairs(command, three, "1,3,none,")
    outcome = command("dedup", three, "--purge")
    assert query(three, IDS) == [(1,), (3,)]
    assert "purged 1 deleted game; restored 1 deleted game\n" in outcome.err


def test_purge_after_an_undo_heeds_decisions(command: Command, three: str) -> None:
    """The restored flags are older than the decision."""
    decide_pairs(command, three, "1,3,same,1")
    command("dedup", three, "--delete")
    decide_pairs(command, three, "1,3,different,")
    command("dedup", three)
    assert query(three, IDS) == [(1,), (3,)]
    command("dedup", three, "--undo")
    assert query(three, IDS) == [(1,)]
    command("dedup", three, "--purge")
    assert query(three, IDS) == [(1,), (3,)]


def test_purge_after_a_search_by_key_asks_for_that_search(command: Command, three: str) -> None:
    command("dedup", three, "--by", "moves", "--delete")
    decide_pairs(command, three, "1,2,different,")
    outcome = command("dedup", three, "--purge")
    assert outcome.status == 2
    assert "run 'ocgdedup dedup --by moves three.db3' before --purge" in outcome.err
    assert value(three, "SELECT count(*) FROM RemovedGames") == 1
    command("dedup", three, "--by", "moves", "--include-shorter", "--plycount", "9")
    decide_pairs(command, three, "1,2,none,", "1,3,different,")
    options = "--by moves --plycount 9 --include-shorter"
    assert f"dedup {options} three.db3' before" in command("dedup", three, "--purge").err


def test_a_purge_by_key_leaves_no_decision_to_be_applied(command: Command, three: str) -> None:
    """Decisions that have passed to other games are not new ones."""
    command("dedup", three, "--by", "moves", "--delete")
    decide_pairs(command, three, "2,3,different,")
    command("dedup", three, "--by", "moves", "--delete", "--purge")
    assert query(three, PAIRS) == [(1, 3, "different", None)]
    assert command("dedup", three, "--purge").status == 0
    assert "decisions" not in command("export", three, "-o", "out.pgn").err


def test_search_by_key_heeds_what_is_the_same_by_decisions(command: Command, three: str) -> None:
    """1 and 2 have equal moves, but 2 is 3, which is not 1."""
    decide_pairs(command, three, "2,3,same,", "1,3,different,")
    command("dedup", three, "--by", "moves", "--delete", "--purge")
    assert query(three, IDS) == [(1,), (2,), (3,)]


@pytest.fixture
def shortened(command: Command, three: str) -> str:
    """Game 4 is truncated, a duplicate of 1, and deleted; so is 2."""
    Path("short.pgn").write_text(game(MOVES.partition("10. ")[0] + "1-0", **TAGS))
    command("create", three, "short.pgn", "--append")
    decide_pairs(command, three, "1,3,different,", "1,2,same,1")
    command("dedup", three, "--delete")
    assert query(three, IDS) == [(1,), (3,)]
    return three


SEARCHES = [("--plycount", "25"), ("--by", "moves", "--plycount", "25")]


@pytest.mark.slow
@pytest.mark.parametrize("options", SEARCHES)
@pytest.mark.parametrize("other", [1, 2, 5])
def test_deleted_games_that_were_not_searched_are_restored(
    command: Command, shortened: str, options: tuple[str, ...], other: int
) -> None:
    """They name the kept game of their old group, which has new records."""
    Path("again.pgn").write_text(Path("one.pgn").read_text())
    command("create", shortened, "again.pgn", "--append", "--again")
    command("dedup", shortened, *options)
    assert (4,) not in query(shortened, IDS)
    decide_pairs(command, shortened, f"4,{other},different,")
    outcome = command("dedup", shortened, *options)
    assert "restored 1 deleted game, no longer a duplicate (ID 4)" in outcome.err
    assert (4,) in query(shortened, IDS)
    command("dedup", shortened, *options, "--delete", "--purge")
    assert (4,) in query(shortened, IDS)


def test_a_truncated_game_that_was_chosen_stays_in_a_search_by_key(
    command: Command, shortened: str
) -> None:
    command("dedup", shortened, "--restore")
    decide_pairs(command, shortened, "1,4,same,4", "1,2,same,", "1,3,none,")
    options = ("--by", "moves", "--include-shorter")
    command("dedup", shortened, *options, "--delete")
    assert query(shortened, IDS) == [(3,), (4,)]
    assert "restored" not in command("dedup", shortened, *options, "--full").err
    assert query(shortened, IDS) == [(3,), (4,)]


def test_of_two_games_that_were_not_searched_one_is_restored(
    command: Command, shortened: str
) -> None:
    Path("shorter.pgn").write_text(game(MOVES.partition("9. ")[0] + "1-0", **TAGS))
    command("create", shortened, "shorter.pgn", "--append")
    command("dedup", shortened, "--delete")
    assert query(shortened, IDS) == [(1,), (3,)]
    decide_pairs(command, shortened, "4,5,different,")
    command("dedup", shortened, "--plycount", "25")
    assert query(shortened, IDS) == [(1,), (3,), (5,)]


def test_a_decision_that_is_taken_back_leaves_no_pair_of_a_deleted_game(
    command: Command, three: str
) -> None:
    command("dedup", three)
    assert (1, 3, None, None) in query(three, PAIRS)
    decide_pairs(command, three, "1,3,same,1")
    command("dedup", three, "--delete")
    decide_pairs(command, three, "1,3,none,")
    assert query(three, PAIRS) == []


@pytest.mark.slow
def test_no_record_stands_for_two_different_games(command: Command, three: str) -> None:
    """By decisions that no search has applied: SQL may have written them."""
    command("dedup", three, "--by", "moves", "--delete")
    with opened(three) as connection:
        write_decision(connection, 1, 2, DIFFERENT)
        connection.execute("DELETE FROM Info WHERE Name = 'Duplicates searched in'")
    before = whole_content(three)
    outcome = command("export", three, "--lossless", "-o", "tables")
    assert outcome.status == 2
    with opened(three) as connection, pytest.raises(UsageError, match=r"games 1 and 2 are differ"):
        carry_decisions(connection, {2: 1})
    assert whole_content(three) == before


@pytest.mark.parametrize("purged", [1, 2])
def test_a_decision_outlives_the_purged_record(command: Command, three: str, purged: int) -> None:
    """Whichever record was shown: the decision is about the game."""
    kept = 3 - purged
    decide_pairs(command, three, f"{purged},3,different,", f"1,2,same,{kept}")
    for options in ([], ["--delete"], ["--purge"], []):
        assert command("dedup", three, *options).status == 0
    assert query(three, IDS) == [(kept,), (3,)]
    assert query(three, PAIRS) == [(kept, 3, "different", None)]
    Path("again.pgn").write_text(Path("one.pgn").read_text())
    command("create", three, "again.pgn", "--append", "--again")
    command("dedup", three)
    assert query(three, GROUPED) == [(kept, kept), (4, kept)]
    command("dedup", three, "--delete", "--purge")
    assert query(three, IDS) == [(kept,), (3,)]


def test_a_choice_passes_to_the_kept_game(command: Command, three: str) -> None:
    """Game 2 is purged; that 3 is the same game and is to be kept stays decided."""
    decide_pairs(command, three, "1,2,same,1")
    command("dedup", three, "--delete")
    decide_pairs(command, three, "2,3,same,3")
    command("dedup", three, "--purge")
    assert query(three, PAIRS) == [(1, 3, "same", 3)]
    command("dedup", three)
    assert query(three, GROUPED) == [(1, 3), (3, 3)]


def test_a_decision_within_a_group_goes_with_the_purged_game(command: Command, three: str) -> None:
    decide_pairs(command, three, "1,2,same,1", "1,3,same,1")
    command("dedup", three, "--delete", "--purge")
    assert query(three, IDS) == [(1,)]
    assert query(three, PAIRS) == []


def test_equal_records_that_stay_inherit_a_decision(command: Command, made: str) -> None:
    """Not only the kept game: the group may be another one tomorrow."""
    command("dedup", made, "--delete")
    of = ids(made)
    with opened(made) as connection:
        deleted = connection.execute(
            "SELECT ID, DuplicateGroup FROM FlaggedRemovedGames WHERE DuplicateStatus = 'exact'"
        ).fetchall()
        purged, kept = deleted[0]
        other = next(game_id for game_id in of.values() if game_id != kept)
        write_decision(connection, purged, other, DIFFERENT)
    command("dedup", made, "--purge")
    expected = (*sorted((kept, other)), DIFFERENT, None)
    assert expected in query(made, PAIRS)


def test_possible_duplicates_name_games_that_are_there(command: Command, three: str) -> None:
    """After a deletion as a new search would, and again after its undo."""
    decide_pairs(command, three, "1,2,same,2")
    command("dedup", three)
    before = query(three, PAIRS)
    assert (1, 3, None, None) in before
    command("dedup", three, "--delete")
    after = query(three, "SELECT * FROM Suspects ORDER BY 1, 2")
    assert (2, 3, None, None) in query(three, PAIRS)
    assert (1, 3, None, None) not in query(three, PAIRS)
    command("dedup", three, "--full")
    assert query(three, "SELECT * FROM Suspects ORDER BY 1, 2") == after
    command("dedup", three, "--purge")
    assert query(three, PAIRS) == [(2, 3, None, None)]


def test_the_search_after_a_deletion_uses_what_a_search_may(
    command: Command, three: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Resources] = []

    def search(*arguments: Any, **options: Any) -> SearchResult:
        given.append(arguments[4])
        return find_duplicates(*arguments, **options)

    monkeypatch.setattr("ocgdedup.pipeline.search.detect.find_duplicates", search)
    decide_pairs(command, three, "1,2,same,2")
    command("dedup", three, "--delete", "--memory", "300M", "--temp-dir", ".", "--jobs", "2")
    assert given == [Resources(2, 300_000_000, ".")]


def test_undo_of_a_deletion_restores_possible_duplicates(command: Command, three: str) -> None:
    decide_pairs(command, three, "1,2,same,2")
    command("dedup", three)
    before = query(three, "SELECT * FROM Suspects ORDER BY 1, 2")
    command("dedup", three, "--delete")
    command("dedup", three, "--undo")
    assert query(three, "SELECT * FROM Suspects ORDER BY 1, 2") == before


@pytest.mark.parametrize(
    ("earlier", "later", "games", "chain"),
    [
        (["1,2,same,", "2,3,same,"], "1,3,different,", "1 and 3", "1 = 2 = 3"),
        (["1,3,different,", "2,3,same,"], "1,2,same,", "1 and 3", "1 = 2 = 3"),
    ],
)
def test_a_contradiction_is_refused(
    command: Command, three: str, earlier: list[str], later: str, games: str, chain: str
) -> None:
    assert decide_pairs(command, three, *earlier).status == 0
    before = query(three, PAIRS)
    outcome = decide_pairs(command, three, later)
    assert outcome.status == 2
    assert outcome.err == (
        f"ocgdedup: error: decisions.csv:2: games {games} cannot be different and the same game "
        f"({chain}) by your decisions; take one of these decisions back first\n"
    )
    assert query(three, PAIRS) == before


def test_decisions_of_one_file_may_replace_each_other(command: Command, three: str) -> None:
    """Only what all of them together come to counts."""
    decide_pairs(command, three, "1,2,same,", "2,3,same,")
    assert decide_pairs(command, three, "1,3,different,", "1,2,different,").status == 0


def test_the_dialogue_refuses_a_contradiction_and_asks_again(command: Command, three: str) -> None:
    decide_pairs(command, three, "1,2,same,", "2,3,same,")
    outcome = command("review", three, "--pair", "1", "3", stdin=b"d\ns\n")
    assert outcome.status == 0
    assert "cannot be different and the same game (1 = 2 = 3)" in outcome.err
    assert (1, 3, "same", None) in query(three, PAIRS)


def test_export_warns_of_decisions_that_are_not_applied(command: Command, three: str) -> None:
    command("dedup", three)
    assert "decisions" not in command("export", three, "-o", "before.pgn").err
    decide_pairs(command, three, "1,2,different,")
    outcome = command("export", three, "-o", "pending.pgn")
    assert outcome.status == 0
    assert "decisions since the last search are not applied yet; run 'ocgdedup dedup" in outcome.err
    assert "decisions" not in command("export", three, "--all", "-o", "all.pgn").err
    refused = command("export", three, "--lossless", "-o", "tables")
    assert refused.status == 2
    assert (
        "games 1 and 2 are different by your decisions, which game 1 in their place cannot be; run "
        "'ocgdedup dedup' first, which applies your decisions"
    ) in refused.err
    assert "not applied yet; run" in command("export", three, "-o", "pending.csv").err
    command("dedup", three)
    assert "decisions" not in command("export", three, "-o", "applied.pgn").err
    assert "decisions" not in command("export", three, "-o", "applied.csv").err
