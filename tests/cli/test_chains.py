"""Chains of commands that once left an inconsistent database."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Command, run_lines
from tests.support.databases import change, query, value
from tests.support.played_games import Record, copy_of, game, mainline, pgn_text, with_wrong_move
from tests.support.sequences import Sequence, unsigned, without_kept_game

PATH = "a.db3"
GROUPS_OF_REMOVED = "SELECT DISTINCT DuplicateGroup FROM FlaggedRemovedGames"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, *records: Record) -> None:
    Path(name).write_text("".join(map(pgn_text, records)), encoding="utf-8")


def poor(what: str) -> Record:
    """Return a record of game 1 with a poorer header than the better ones."""
    return copy_of(game(1), what, Site="?", ECO=None, WhiteElo=None, BlackElo=None)


def better(what: str) -> Record:
    """Return a record of game 1 that is preferred to all others."""
    more = {"TimeControl": "40/7200", "Annotator": "somebody", "EventDate": "1990.01.01"}
    return copy_of(game(1), what, WhiteElo="2500", BlackElo="2510", **more)


@pytest.fixture
def replaced(command: Command) -> str:
    """Return a database whose kept game was also deleted, after a better record was imported."""
    write("one.pgn", poor("first"), poor("second"), game(2))
    write("two.pgn", better("best"))
    run_lines(command, f"create {PATH} one.pgn", f"dedup {PATH} --delete",
        f"create {PATH} two.pgn --append", f"dedup {PATH} --delete")  # fmt: skip
    sql = "SELECT count(*) FROM RemovedGames"
    assert value(PATH, sql) == 2
    return PATH


def kept_game() -> int:
    return int(value(PATH, "SELECT ID FROM Games WHERE ExtraTags ->> 'Label' = '1 best'"))


def test_delete_better_record_delete_export_duplicates(command: Command, replaced: str) -> None:
    """The kept game named in the file exists."""
    run_lines(command, f"export {replaced} --duplicates d.pgn")
    text = Path("d.pgn").read_text(encoding="utf-8")
    assert text.count(f'[DuplicateGroup "{kept_game()}"]') == 2
    assert query(replaced, GROUPS_OF_REMOVED) == [(kept_game(),)]


def test_delete_better_record_delete_purge(command: Command, replaced: str) -> None:
    assert "purged 2 deleted games" in command("dedup", replaced, "--purge").err
    assert value(replaced, "SELECT count(*) FROM RemovedGames") == 0


def test_delete_better_record_delete_restore(command: Command, replaced: str) -> None:
    assert command("dedup", "--restore", replaced).out == "restored: 2 games\n"
    assert without_kept_game(replaced) == []
    assert command("check", replaced).status == 0


def test_delete_better_record_undo(command: Command, replaced: str) -> None:
    """After each undo, the deleted game names the current kept game."""
    run_lines(command, f"dedup --undo {replaced}")
    assert without_kept_game(replaced) == []
    assert command("check", replaced).status == 0
    run_lines(command, f"dedup {replaced}")
    assert query(replaced, GROUPS_OF_REMOVED) == [(kept_game(),)]


def test_undo_of_a_better_record_alone(command: Command) -> None:
    write("one.pgn", poor("first"), poor("second"), game(2))
    write("two.pgn", better("best"))
    run_lines(command, f"create {PATH} one.pgn", f"dedup {PATH} --delete")
    flags = "SELECT ID, DuplicateStatus, DuplicateGroup FROM FlaggedRemovedGames"
    before = query(PATH, flags)
    run_lines(command, f"create {PATH} two.pgn --append", f"dedup {PATH}")
    assert query(PATH, flags) != before
    run_lines(command, f"dedup --undo {PATH}")
    assert query(PATH, flags) == before
    assert command("check", PATH).status == 0


def test_delete_signatures_undo(command: Command, made: str) -> None:
    """Games that were deleted when the others were signed have signatures, in either table."""
    run_lines(command, f"dedup {made} --delete", f"signatures {made}")
    assert unsigned(made) == {}
    signed = query(made, "SELECT * FROM Signatures"), query(made, "SELECT * FROM PositionFilters")
    run_lines(command, f"dedup --undo {made}")
    assert signed == (
        query(made, "SELECT * FROM Signatures"),
        query(made, "SELECT * FROM PositionFilters"),
    )
    assert command("check", made).status == 0


def test_no_merge_append_variations_undo_keep_first_repair_restore(command: Command) -> None:
    """It once left games flagged without a kept game."""
    moves = mainline(1)
    slip = with_wrong_move(moves)
    write("one.pgn", poor("first"), copy_of(game(1), "slip", moves=slip), game(2), game(3))
    write("two.pgn", better("best"), copy_of(game(2), "again"), copy_of(game(1), "late"))
    run_lines(
        command,
        f"create {PATH} one.pgn", f"dedup {PATH} --delete --no-merge",
        f"create {PATH} two.pgn --append", f"dedup {PATH} --merge-variations",
        f"dedup --undo {PATH}", f"dedup {PATH} --full --merge-variations --keep first",
        f"signatures {PATH}", f"check --repair {PATH}", f"dedup {PATH} --delete",
        f"dedup --restore {PATH}",
    )  # fmt: skip
    assert without_kept_game(PATH) == []
    assert command("check", PATH).status == 0


@pytest.mark.parametrize("damage", ["DuplicateStatus = 'alike'", "DuplicateGroup = 88888"])
def test_repair_unflags_deleted_games_of_a_dissolved_group(command: Command, damage: str) -> None:
    write("one.pgn", poor("first"), poor("second"))
    write("two.pgn", poor("third"))
    run_lines(command, f"create {PATH} one.pgn", f"dedup {PATH} --delete",
        f"create {PATH} two.pgn --append", f"dedup {PATH}")  # fmt: skip
    change(
        PATH,
        f"UPDATE DuplicateFlags SET {damage} "
        "WHERE DuplicateStatus IS NOT NULL AND GameID IN (SELECT ID FROM Games)",
    )
    run_lines(command, f"check --repair {PATH}")
    assert without_kept_game(PATH) == []
    run_lines(command, f"dedup --restore {PATH}")
    assert command("check", PATH).status == 0
    run_lines(command, f"dedup {PATH}")
    assert value(PATH, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus = 'exact'") == 2


def test_deleted_games_that_a_search_leaves_out(command: Command) -> None:
    """Their kept game is excluded too: they still name it, and a purge does not delete them."""
    write("one.pgn", poor("first"), poor("second"), game(2))
    run_lines(
        command, f"create {PATH} one.pgn", f"dedup {PATH} --delete", f"dedup {PATH} --plycount 999"
    )
    assert without_kept_game(PATH) == []
    assert (
        "wrote 1 duplicate (1 of them deleted earlier)"
        in command("export", PATH, "--duplicates", "d.pgn").out
    )
    Path("b.db3").write_bytes(Path(PATH).read_bytes())
    run_lines(command, "dedup --restore b.db3")
    assert without_kept_game("b.db3") == []
    assert command("check", "b.db3").status == 0
    done = command("dedup", PATH, "--purge")
    assert "purged nothing; 1 deleted game stays" in done.err
    run_lines(command, f"dedup {PATH} --plycount 0")
    assert "purged 1 deleted game\n" in command("dedup", PATH, "--purge").err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_any_chain(command: Command, seed: int) -> None:
    Sequence(command, seed).run(14)


def test_a_deleted_game_that_the_kept_game_does_not_represent_is_put_back(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was a duplicate of a game that is now replaced; undo deletes it again."""
    run_lines(command, f"dedup {made} --delete")
    removed = "SELECT ID FROM RemovedGames ORDER BY ID"
    before = query(made, removed)
    ((game_id,), *rest) = before
    answers = [[game_id]]
    monkeypatch.setattr(
        "ocgdedup.pipeline.search.resolve.deleted_without_kept_game",
        lambda *_: answers.pop() if answers else [],
    )
    err = command("dedup", made, "--full").err
    assert f"restored 1 deleted game, no longer a duplicate (ID {game_id})" in err
    assert query(made, removed) == rest
    assert command("check", made).status == 0
    run_lines(command, f"dedup --undo {made}")
    assert query(made, removed) == before
    assert command("check", made).status == 0
