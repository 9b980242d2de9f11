"""Possible duplicates are replaced by each search; user decisions stay."""

from __future__ import annotations

import apsw
import pytest

from ocgdedup.store import possible_duplicates as store
from ocgdedup.store.possible_duplicates import DIFFERENT, SAME, Decision, PossiblePair
from tests.support.databases import DROP_VIEWS

FIRST = PossiblePair(1, 2, "join", 1.5, "the same event")
SECOND = PossiblePair(1, 7, "exact", 0.25, "12 plies")
THIRD = PossiblePair(3, 4, "subsumption (partial)", -1.0, "")


def stored(connection: apsw.Connection) -> list[PossiblePair]:
    return list(store.stored_possible_duplicates(connection))


def test_suspects_come_back_in_order(connection: apsw.Connection) -> None:
    assert stored(connection) == []
    store.write_possible_duplicates(connection, iter([THIRD, FIRST, SECOND]))
    assert stored(connection) == [FIRST, SECOND, THIRD]
    assert store.count_possible_duplicates(connection) == 3
    assert store.decisions(connection) == []


def test_possible_duplicates_are_replaced(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST, SECOND])
    changed = SECOND._replace(duplicate_class="join", score=2.0, evidence="more")
    store.write_possible_duplicates(connection, [THIRD, changed])
    assert stored(connection) == [changed, THIRD]


@pytest.mark.parametrize(
    "changed", [{"duplicate_class": "exact"}, {"score": 9.5}, {"evidence": "else"}]
)
def test_each_field_is_a_change(connection: apsw.Connection, changed: dict) -> None:
    store.write_possible_duplicates(connection, [FIRST])
    store.write_possible_duplicates(connection, [FIRST._replace(**changed)])
    assert stored(connection) == [FIRST._replace(**changed)]


def test_only_changes_are_written(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST, SECOND])
    before = connection.total_changes()
    store.write_possible_duplicates(connection, [FIRST, SECOND])
    assert connection.total_changes() == before
    store.write_possible_duplicates(connection, [FIRST, THIRD])
    assert connection.total_changes() == before + 2


def test_decisions_stay(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST, SECOND, THIRD])
    store.write_decision(connection, 2, 1, SAME)  # in either order
    store.write_decision(connection, 3, 4, DIFFERENT)
    assert store.decisions(connection) == [Decision(1, 2, SAME), Decision(3, 4, DIFFERENT)]
    assert store.count_possible_duplicates(connection) == 1
    # Also of a pair that is a suspect no more, and whatever a row says.
    store.write_possible_duplicates(connection, [FIRST._replace(score=7.0, decision=DIFFERENT)])
    assert stored(connection) == [
        FIRST._replace(score=7.0, decision=SAME), THIRD._replace(decision=DIFFERENT),
    ]  # fmt: skip


def test_a_decision_is_revoked(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST])
    store.write_decision(connection, 1, 2, SAME)
    store.write_decision(connection, 2, 1, None)
    assert stored(connection) == [FIRST]


def test_a_decision_about_a_pair_that_is_no_possible_duplicate(connection: apsw.Connection) -> None:
    store.write_decision(connection, 9, 5, SAME)
    assert store.decisions(connection) == [Decision(5, 9, SAME)]
    assert store.count_possible_duplicates(connection) == 0
    store.write_decision(connection, 9, 5, None)
    assert stored(connection) == []


def test_the_game_chosen_to_be_kept(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST])
    store.write_decision(connection, 2, 1, SAME, 2)
    store.write_decision(connection, 9, 5, SAME, 5)
    assert stored(connection)[0] == FIRST._replace(decision=SAME, kept_game=2)
    assert [row.choice for row in store.decisions(connection)] == [(2, 1), (5, 9)]
    store.write_possible_duplicates(connection, [FIRST._replace(score=7.0)])
    assert stored(connection)[0] == FIRST._replace(score=7.0, decision=SAME, kept_game=2)
    store.write_decision(connection, 1, 2, SAME)  # the choice is taken back, and that alone
    assert store.decisions(connection)[0] == Decision(1, 2, SAME)
    assert store.decisions(connection)[0].choice is None


def test_revoking_a_decision_revokes_the_choice(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST])
    store.write_decision(connection, 1, 2, SAME, 1)
    store.write_decision(connection, 1, 2, None)
    assert stored(connection) == [FIRST]


def test_a_choice_among_two_games_says_nothing(connection: apsw.Connection) -> None:
    """A user who decides by SQL may leave it."""
    store.write_decision(connection, 1, 2, SAME, 1)
    connection.execute("UPDATE Suspects SET Decision = 'different'")
    assert store.decisions(connection) == [Decision(1, 2, DIFFERENT)]


def test_only_one_of_the_two_can_stay(connection: apsw.Connection) -> None:
    with pytest.raises(apsw.ConstraintError):
        store.write_decision(connection, 1, 2, SAME, 3)


@pytest.mark.parametrize("pair", [(2, 1), (3, 3)])
def test_pairs_are_in_order(connection: apsw.Connection, pair: tuple[int, int]) -> None:
    with pytest.raises(apsw.ConstraintError):
        store.write_possible_duplicates(connection, [PossiblePair(*pair, "join", 1.0, "")])


def test_other_decisions_are_refused(connection: apsw.Connection) -> None:
    with pytest.raises(apsw.ConstraintError):
        store.write_decision(connection, 1, 2, "perhaps")


def test_a_database_of_version_3(connection: apsw.Connection) -> None:
    store.write_possible_duplicates(connection, [FIRST])
    store.write_decision(connection, 1, 2, SAME)
    connection.execute(DROP_VIEWS)
    connection.execute("CREATE TABLE Old AS SELECT * FROM Suspects; DROP TABLE Suspects")
    connection.execute("ALTER TABLE Old DROP COLUMN MasterID; ALTER TABLE Old RENAME TO Suspects")
    assert stored(connection) == [FIRST._replace(decision=SAME)]


def test_a_database_without_suspects(connection: apsw.Connection) -> None:
    connection.execute("DROP TABLE Suspects")  # as in an older version
    assert stored(connection) == []
    assert store.decisions(connection) == []
    assert store.count_possible_duplicates(connection) == 0
