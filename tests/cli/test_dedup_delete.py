"""dedup --delete, --min-header-quality, --purge and --undo: nothing is lost unasked."""

from __future__ import annotations

import re
from pathlib import Path

import apsw
import pytest

from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound, query, value
from tests.support.dedup_results import (
    content,
    content_hash,
    differences,
    groups,
    ids,
    labels,
    statuses,
    suspects,
)
from tests.support.game_content import contents
from tests.support.pgn_text import game as played
from tests.support.played_games import (
    EXPECTED_COPIES,
    EXPECTED_SUSPECTS,
    collection,
    collection_text,
    copy_of,
    expected_groups,
    game,
    game_of,
    pgn_text,
)

REMOVED = re.compile(r"^deleted: (\d+) games?; backup: (\S+)$", re.MULTILINE)
COUNT = len(EXPECTED_COPIES)
NOTHING_NEW = "nothing changed since the last search"


def backups() -> list[Path]:
    return sorted(Path().glob("*.removed-*.pgn"))


def deleted(err: str) -> tuple[int, str]:
    result = REMOVED.search(err)
    assert result, err
    return int(result[1]), result[2]


def append(command: Command, database: str, text: str) -> None:
    Path("more.pgn").write_text(text, encoding="utf-8")
    assert command("create", database, "more.pgn", "--append", "-q").status == 0


# --- --delete --------------------------------------------------------------------------------


def test_duplicates_are_deleted_and_kept_games_stay(command: Command, made: str) -> None:
    status, out, err = command("dedup", made, "--delete")
    assert status == 0
    assert deleted(err)[0] == COUNT
    assert out.startswith(f"#games: {len(collection())},")
    left = {record.label for record in collection()} - EXPECTED_COPIES.keys()
    assert set(labels(made).values()) == left
    assert value(made, "SELECT count(*) FROM RemovedGames") == COUNT
    assert value(made, "SELECT Value FROM Info WHERE Name = 'GameCount'") == str(len(left))
    assert suspects(made) == EXPECTED_SUSPECTS  # are never deleted
    assert is_sound(made)
    command("export", made, "-o", "out.pgn")
    assert Path("out.pgn").read_text(encoding="utf-8").count("[Label ") == len(left)


def test_deleted_games_are_written_to_a_file(command: Command, made: str) -> None:
    """It is read back unchanged, with annotations."""
    of = labels(made)
    before = [record for record, label in zip(contents(made), of.values(), strict=True)
              if label in EXPECTED_COPIES]  # fmt: skip
    err = command("dedup", made, "--delete").err
    _, path = deleted(err)
    assert [str(record) for record in backups()] == [path]
    assert path.startswith("a.removed-")
    assert command("create", "back.db3", path).status == 0
    assert contents("back.db3") == before
    assert any("Comments" in record for record in before)


def test_the_file_is_beside_the_database(command: Command, made: str) -> None:
    Path("folder.v1").mkdir()
    Path(made).rename("folder.v1/base")
    err = command("dedup", "folder.v1/base", "--delete").err
    assert deleted(err)[1].startswith("folder.v1/base.removed-")
    assert Path(deleted(err)[1]).exists()


def test_two_files_of_one_second(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocgdedup.commands.removal.time.strftime", lambda _: "now")
    command("dedup", made, "--delete")
    first = Path("a.removed-now.pgn").read_bytes()
    append(command, made, pgn_text(copy_of(game(1), "once more")))
    assert deleted(command("dedup", made, "--delete").err) == (1, "a.removed-now-2.pgn")
    assert Path("a.removed-now.pgn").read_bytes() == first
    assert Path("a.removed-now-2.pgn").read_text().count("[Event ") == 1


def test_nothing_to_delete(command: Command, made: str) -> None:
    change(made, "DELETE FROM Games WHERE ExtraTags ->> 'Label' LIKE '% %'")
    status, _, err = command("dedup", made, "--delete")
    assert status == 0
    assert "\ndeleted: nothing\n" in err
    assert not backups()


@pytest.mark.parametrize("earlier", [[], ["--delete"]])
def test_a_second_run_deletes_nothing_more(command: Command, made: str, earlier: list[str]) -> None:
    command("dedup", made, *earlier)
    command("dedup", made, "--delete")
    before = Path(made).read_bytes()
    status, _, err = command("dedup", made, "--delete")
    assert status == 0
    assert NOTHING_NEW in err
    assert "\ndeleted: nothing\n" in err
    assert "undo with" not in err
    assert Path(made).read_bytes() == before
    assert len(backups()) == 1


def test_merged_values_stay_after_duplicates_are_deleted(command: Command, made: str) -> None:
    """Runs after the deletion once undid the merged headers."""
    command("dedup", made, "--merge-variations")
    masters = query(made, "SELECT * FROM FlaggedGames WHERE DuplicateGroup = ID ORDER BY ID")
    tags = query(made, "SELECT * FROM MergedTags")
    command("dedup", made, "--merge-variations", "--delete")
    for options in ([], ["--full"]):
        command("dedup", made, "--merge-variations", *options)
        assert (
            query(made, "SELECT * FROM FlaggedGames WHERE DuplicateGroup = ID ORDER BY ID")
            == masters
        )
        assert query(made, "SELECT * FROM MergedTags") == tags


def test_deleted_copies_that_come_again(command: Command, made: str) -> None:
    """The same file again: duplicates of the kept games, which get no new values."""
    command("dedup", made)
    tags = query(made, "SELECT GameID, Tag, Before, After FROM MergedTags")
    command("dedup", made, "--delete")
    append(command, made, collection_text())
    command("dedup", made)
    # Suspects are no copies, but the second record of one is.
    assert value(made, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL") >= 50
    assert groups(made) >= expected_groups()
    assert query(made, "SELECT GameID, Tag, Before, After FROM MergedTags") == tags
    masters = query(made, "SELECT max(ID) FROM FlaggedGames WHERE DuplicateGroup = ID")
    assert masters[0][0] <= len(collection())


@pytest.mark.parametrize(
    ("points", "stay"), [(0, set()), (51, set()), (52, {"12 again"}), (10**6, set(EXPECTED_COPIES))]
)
def test_min_header_quality(command: Command, made: str, points: int, stay: set[str]) -> None:
    """Game 12 has no moves: 51 points, the others 54."""
    err = command("dedup", made, "--delete", "--min-header-quality", points).err
    assert set(statuses(made)) == stay
    assert value(made, "SELECT count(*) FROM RemovedGames") == COUNT - len(stay)
    assert ("deleted: nothing" in err) == (stay == set(EXPECTED_COPIES))


def test_a_file_that_cannot_be_written_keeps_all_games(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it fails halfway, or at the sync."""
    before = dump(made)
    files_before = set(Path().iterdir())

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fail)
        status, out, err = command("dedup", made, "--delete")
    assert (status, out) == (2, "")
    assert "No space left on device" in err
    assert dump(made) == before
    assert set(Path().iterdir()) == files_before


def test_a_file_that_cannot_be_renamed_is_finished_by_the_next_run(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", fail)
        status, out, err = command("dedup", made, "--delete")
    assert (status, out) == (2, "")
    assert "Input/output error; a.db3 was changed: repeat the command" in err
    assert backups() == []
    assert command("dedup", made, "--delete").status == 0
    assert len(backups()) == 1
    removed = query(made, "SELECT count(*) FROM RemovedGames")[0][0]
    assert backups()[0].read_text().count("[Event ") == removed > 0
    assert not list(Path().glob(".*"))


# --- --undo ----------------------------------------------------------------------------------

RUNS = (
    [],
    ["--no-merge"],
    ["--merge-variations"],
    ["--keep", "first"],
    ["--plycount", "65", "--merge-variations"],
    ["--full"],
    ["--delete"],
    ["--delete", "--min-header-quality", "52", "--merge-variations"],
    ["--delete", "--keep", "longest", "--no-merge"],
)
each_run = pytest.mark.parametrize("options", RUNS, ids=" ".join)


@pytest.mark.slow
@each_run
def test_undo_of_the_first_run(command: Command, made: str, options: list[str]) -> None:
    before = content_hash(made)
    err = command("dedup", made, *options).err
    assert err.endswith("undo with: ocgdedup dedup --undo a.db3\n")
    assert content_hash(made) != before
    status, out, err = command("dedup", made, "--undo")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"undone: [1-9]\d* games? changed back\n", out)
    assert content_hash(made) == before
    assert is_sound(made)
    assert (
        command("dedup", made, "--undo").out
        == "nothing to undo: no run of dedup can be undone (to remove all flags, use --reset)\n"
    )
    command("dedup", made, *options)
    assert content_hash(made) != before


@pytest.mark.slow
@pytest.mark.parametrize("first", [[], ["--merge-variations"], ["--delete"]], ids=" ".join)
@each_run
def test_undo_of_a_later_run(
    command: Command, made: str, first: list[str], options: list[str]
) -> None:
    """Of a run after an earlier run, with and without new games."""
    command("dedup", made, *first)
    append(command, made, pgn_text(copy_of(game(17), "new", TimeControl="40/7200")))
    append(command, made, pgn_text(copy_of(game(1), "once more", ECO="A00")))
    before = content(made)
    command("dedup", made, *options)
    assert content(made) != before
    assert command("dedup", made, "--undo").status == 0
    after = content(made)
    assert differences(before, after) == {}
    assert is_sound(made)


@pytest.mark.slow
@each_run
@pytest.mark.parametrize("between", [[], ["dedup"]], ids=["", "a search"])
def test_undo_of_a_run_after_a_purge(
    command: Command, made: str, between: list[str], options: list[str]
) -> None:
    """Merges that a purge made final stay marked, and cannot be undone."""
    command("dedup", made, "--merge-variations", "--delete", "--purge")
    for name in between:
        command(name, made)
    for number in (1, 3, 16):
        append(command, made, pgn_text(copy_of(game(number), "new", Annotator="somebody")))
    before = content(made)
    command("dedup", made, *options)
    assert content(made) != before
    assert command("dedup", made, "--undo").status == 0
    assert differences(before, content(made)) == {}
    assert is_sound(made)


def test_undo_of_a_deletion_alone(command: Command, made: str) -> None:
    """Of two runs, the first is not undone."""
    command("dedup", made)
    flagged = content_hash(made)
    err = command("dedup", made, "--delete").err
    assert NOTHING_NEW in err
    assert err.endswith("undo with: ocgdedup dedup --undo a.db3\n")
    assert content_hash(made) != flagged
    command("dedup", made, "--undo")
    assert content_hash(made) == flagged
    assert groups(made) == expected_groups()
    assert NOTHING_NEW in command("dedup", made).err


def test_a_run_with_nothing_to_do_leaves_the_last_one_to_be_undone(
    command: Command, made: str
) -> None:
    before = content(made)
    command("dedup", made, "--delete")
    assert "undo with" not in command("dedup", made).err
    append(command, made, pgn_text(game(40)))  # new, and no copy
    assert "undo with" not in command("dedup", made).err
    command("dedup", made, "--undo")
    change(made, "DELETE FROM Games WHERE ExtraTags ->> 'Label' = '40'")
    after = content(made)
    for table in ("Games", "RemovedGames", "Comments", "Annotations", "MergedTags", "Suspects"):
        assert after[table] == before[table]


def test_undo_of_nothing(command: Command, made: str) -> None:
    before = Path(made).read_bytes()
    assert command("dedup", made, "--undo") == (
        0,
        "nothing to undo: no run of dedup can be undone (to remove all flags, use --reset)\n",
        "",
    )
    assert Path(made).read_bytes() == before


def test_undo_keeps_what_was_loaded_and_decided_since(command: Command, made: str) -> None:
    command("dedup", made)
    number = ids(made)["35"]
    pair = query(
        made, f"SELECT GameID1, GameID2 FROM Suspects WHERE {number} IN (GameID1, GameID2)"
    )
    Path("decided.csv").write_text("GameID1,GameID2,Decision\n{},{},different\n".format(*pair[0]))
    assert command("review", made, "--decide", "decided.csv").status == 0
    append(command, made, pgn_text(game(40)))
    command("dedup", made, "--undo")
    assert "40" in ids(made)
    assert groups(made) == set()
    assert query(made, "SELECT DISTINCT Decision FROM Suspects") == [("different",)]
    command("dedup", made)
    assert groups(made) >= expected_groups()


def test_undo_of_a_full_deletion_restores_annotations(command: Command, made: str) -> None:
    """--full merges them anew, under other IDs."""
    command("dedup", made)
    assert value(made, "SELECT count(*) FROM MergedNotes") > 0
    before = dump(made)
    command("dedup", made, "--full", "--delete")
    command("dedup", made, "--undo")
    after = dump(made)
    for table in ("Games", "Comments", "Annotations", "MergedNotes", "MergedTags"):
        assert after[table] == before[table]


# --- --purge ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_purge(command: Command, made: str) -> None:
    """The file shrinks, the deleted games are gone, and the other games are unchanged."""
    Path("big.pgn").write_text(
        "".join(pgn_text(copy_of(game(1), f"number {number}")) for number in range(400)),
    )
    command("create", made, "big.pgn", "--append", "-q")
    command("dedup", made, "--delete")
    size = Path(made).stat().st_size
    command("export", made, "-o", "before.pgn")
    status, _, err = command("dedup", made, "--purge")
    assert status == 0
    assert err.endswith("purged 421 deleted games\n")
    assert Path(made).stat().st_size < 0.75 * size
    assert value(made, "SELECT count(*) FROM RemovedGames") == 0
    status, _, err = command("dedup", made, "--undo")
    assert (status, "cannot be undone" in err) == (2, True)
    for table in ("Comments", "Annotations"):
        of_games = f"SELECT count(*) FROM {table} WHERE GameID NOT IN (SELECT ID FROM Games)"
        assert value(made, of_games) == 0
    command("export", made, "-o", "after.pgn")
    assert Path("after.pgn").read_bytes() == Path("before.pgn").read_bytes()
    assert is_sound(made)


def test_delete_and_purge_in_one(command: Command, made: str) -> None:
    """Only the file of deleted games is left."""
    status, _, err = command("dedup", made, "--delete", "--purge")
    assert status == 0
    assert deleted(err)[0] == COUNT
    assert "undo with" not in err
    assert value(made, "SELECT count(*) FROM RemovedGames") == 0
    assert command("create", "back.db3", backups()[0]).status == 0
    assert set(labels("back.db3").values()) == EXPECTED_COPIES.keys()


def test_merged_values_stay_after_a_purge(command: Command, made: str) -> None:
    command("dedup", made, "--merge-variations")
    number = ids(made)
    command("dedup", made, "--merge-variations", "--delete", "--purge")
    kept = {record["ExtraTags"][0][1]: record for record in contents(made)}
    for options in ([], ["--full"], ["--no-merge"]):
        command("dedup", made, "--merge-variations" if not options else "--full", *options)
        sql = "SELECT TimeControl FROM Games WHERE ID = ?"
        assert value(made, sql, number["16"]) == "40/7200"
        sql = "SELECT count(*) FROM Comments WHERE GameID = ?"
        assert value(made, sql, number["7"]) == 2
    assert {record["ExtraTags"][0][1]: record for record in contents(made)} == kept


def test_a_run_after_a_purge_has_nothing_to_do(command: Command, made: str) -> None:
    command("dedup", made, "--delete", "--purge")
    command("dedup", made)
    before = Path(made).read_bytes()
    assert NOTHING_NEW in command("dedup", made).err
    assert Path(made).read_bytes() == before


def test_a_kept_game_without_duplicates_has_no_flags(command: Command, made: str) -> None:
    """So repeating a run that was killed right after its commit changes nothing."""
    command("dedup", made, "--delete", "--purge")
    before = dump(made)
    assert before["DuplicateFlags"] == []
    command("dedup", made, "--delete", "--purge")
    after = dump(made)
    assert after["DuplicateFlags"] == []
    assert after["Games"] == before["Games"]


def test_purge_says_if_there_was_nothing(command: Command, made: str) -> None:
    nothing = "purged nothing: there are no deleted games\n"
    # All headers are too poor for a deletion: the flags can still be taken back.
    err = command("dedup", made, "--delete", "--min-header-quality", 89, "--purge").err
    assert err.endswith(f"{nothing}undo with: ocgdedup dedup --undo {made}\n")
    done = command("dedup", made, "--purge")
    assert (done.status, done.err.endswith(nothing)) == (0, True)
    assert command("dedup", made, "--undo").out.startswith("undone: ")
    command("dedup", made, "--delete", "--purge")
    assert command("dedup", made, "--purge").err.endswith(nothing)


def test_a_purge_without_a_search_tells_of_none(command: Command, made: str) -> None:
    assert command("dedup", made, "--purge").err == "purged nothing: there are no deleted games\n"


def test_a_file_that_cannot_be_shrunk_is_a_warning(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message once said that nothing was changed, although the games were gone."""

    def fail(_: apsw.Connection) -> None:
        raise apsw.FullError("database or disk is full")

    command("dedup", made, "--delete")
    change(  # more than a page, so that there is something to shrink
        made,
        "INSERT INTO Comments (GameID, Ply, Position, Comment) "
        "SELECT ID, 0, 9, hex(zeroblob(5000)) FROM RemovedGames",
    )
    with monkeypatch.context() as patch:
        patch.setattr("ocgdedup.commands.removal.deleted_games.vacuum", fail)
        status, _, err = command("dedup", made, "--purge")
    assert status == 0
    assert (
        f"ocgdedup: warning: {made}: {COUNT} games were purged, but the file could not be shrunk: "
        in err
    )
    assert "the disk is full; make room" in err
    assert "run 'ocgdedup dedup --purge' again to shrink it" in err
    assert "nothing was changed" not in err
    assert value(made, "SELECT count(*) FROM RemovedGames") == 0
    size = Path(made).stat().st_size
    assert command("dedup", made, "--purge").status == 0
    assert Path(made).stat().st_size < size


def test_a_purge_that_fails_undoes_the_deletion_of_its_run(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: apsw.Connection) -> int:
        raise apsw.IOError("disk I/O error")

    before = dump(made)
    with monkeypatch.context() as patch:
        patch.setattr("ocgdedup.commands.dedup.purge", fail)
        done = command("dedup", made, "--delete", "--purge")
    assert done.status == 2
    assert "nothing was changed" in done.err
    assert dump(made) == before


def test_copies_that_come_after_a_purge(command: Command, made: str) -> None:
    command("dedup", made, "--delete", "--purge")
    append(command, made, collection_text())
    command("dedup", made)
    assert {game_of(label) for group in groups(made) for label in group} >= {
        game_of(label) for label in EXPECTED_COPIES
    }
    assert all(len({game_of(label) for label in group}) == 1 for group in groups(made))


def test_restore(command: Command, made: str) -> None:
    """Deleted games are restored in spite of later changes; the next search finds them again."""
    command("dedup", made)
    before = value(made, "SELECT count(*) FROM Games")
    command("dedup", made, "--delete")
    assert value(made, "SELECT count(*) FROM Games") < before
    status, out, _ = command("dedup", made, "--restore")
    assert (status, out) == (0, f"restored: {len(EXPECTED_COPIES)} games\n")
    assert value(made, "SELECT count(*) FROM Games") == before
    assert command("dedup", made, "--restore").out == "restored: 0 games\n"
    assert command("dedup", made).out.endswith(f"#duplicates: {len(EXPECTED_COPIES)}\n")
    assert command("dedup", made, "--restore", "--delete").status == 2


def test_restored_games_are_no_change_of_names(command: Command, made: str) -> None:
    for option in ("--delete", "--restore"):
        command("dedup", made, "--no-players", option)
    assert "purged nothing" in command("dedup", made, "--purge").err
    command("dedup", made, "--no-players", "--delete")
    undone = command("dedup", made, "--undo")
    assert (undone.status, undone.err) == (0, "")
    for option in ("--delete", "--restore"):
        command("dedup", made, "--no-players", option)
    change(made, "UPDATE Info SET Value = 'yes' WHERE Name = 'Duplicates stale'")
    assert "run 'ocgdedup dedup' before --purge" in command("dedup", made, "--purge").err


def test_options_are_not_cut_short(command: Command, made: str) -> None:
    assert command("dedup", made, "--delet").status == 2
    assert value(made, "SELECT count(*) FROM RemovedGames") == 0


@pytest.mark.parametrize("option", ["--undo", "--restore", "--purge", "--reset"])
def test_own_changes_are_not_taken_for_those_of_another_program(
    command: Command, made: str, option: str
) -> None:
    command("dedup", made)
    command("dedup", made, "--delete")
    command("dedup", made, option)
    assert "another program" not in command("dedup", made).err


def test_signatures_are_no_change_by_another_program(command: Command, made: str) -> None:
    command("dedup", made)
    command("signatures", made)
    assert "another program" not in command("dedup", made).err


def test_a_change_by_another_program_is_still_reported_after_an_undo(
    command: Command, made: str
) -> None:
    command("dedup", made)
    command("dedup", made, "--delete")
    change(made, "UPDATE Games SET Round = '9' WHERE ID = (SELECT min(ID) FROM Games)")
    command("dedup", made, "--undo")
    assert "another program" in command("dedup", made).err


OF_TAL = ("Tal, M", "Tal, Mihail")
TAL_MOVES = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Qb6 8. Qd2 1-0"
NAMES = """SELECT w.Name, b.Name FROM Games
    JOIN Players AS w ON w.ID = WhiteID JOIN Players AS b ON b.ID = BlackID"""


@pytest.mark.parametrize("with_players", [False, True])
def test_the_hash_of_players_follows_names_that_become_final(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_players: bool
) -> None:
    """As if the game had been written so: also after its next merge, and after players --undo."""
    monkeypatch.chdir(tmp_path)
    tags = {"Date": "1961.03.05", "Round": "2", "Black": "Gligoric, S", "Result": "1-0"}
    short, full = (played(TAL_MOVES, White=name, **tags) for name in OF_TAL)
    Path("in.pgn").write_text(short.replace("[Black", '[Site "Bled"]\n[ECO "B97"]\n[Black') + full)
    command("create", "g.db3", "in.pgn")
    if with_players:
        command("players", "g.db3")
    command("dedup", "g.db3", "--delete", "--purge")
    assert query("g.db3", NAMES) == [(OF_TAL[1], "Gligoric, S")]
    append(command, "g.db3", short.replace("[Black", '[BlackElo "2580"]\n[Black'))
    for words in (
        ["dedup"],
        ["dedup", "--reset"],
        ["players", "--again"],
        ["players", "--undo"],
        ["dedup"],
    ):
        assert command(words[0], "g.db3", *words[1:]).status == 0
        assert command("check", "g.db3").out == "g.db3: no problems in 2 games\n", words


def test_what_a_purge_made_final_stays_listed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MergedTags keeps a final value: no other table has the value before the merge."""
    monkeypatch.chdir(tmp_path)
    tags = {"Date": "1961.03.05", "Round": "2", "Black": "Gligoric, S", "Result": "1-0"}
    kept, other = (played(TAL_MOVES, White=name, **tags) for name in OF_TAL)
    kept = kept.replace("[Black", '[ECO "B97"]\n[Site "Bled"]\n[Black')
    other = other.replace("[Black", '[Annotator "Baturinsky"]\n[Black')
    Path("in.pgn").write_text(kept + other)
    command("create", "g.db3", "in.pgn")
    command("dedup", "g.db3", "--delete", "--purge")
    final = [("Annotator", "?", "Baturinsky"), ("White", *OF_TAL)]
    rows = "SELECT Tag, Before, After FROM MergedTags ORDER BY 1"
    assert query("g.db3", rows) == final
    append(command, "g.db3", kept.replace("[Black", '[BlackElo "2580"]\n[Black'))
    merged = sorted([*final, ("BlackElo", "?", "2580")])
    for words in (
        ["--keep", "first"], ["--full"], ["--no-merge"], ["--undo"], ["--by", "moves"], ["--undo"],
    ):  # fmt: skip
        assert command("dedup", "g.db3", *words).status == 0
        is_merged = words not in (["--no-merge"], ["--by", "moves"])
        assert query("g.db3", rows) == (merged if is_merged else final), words
    assert "nothing changed since" in command("dedup", "g.db3").err
    command("dedup", "g.db3", "--reset")
    assert query("g.db3", rows) == final
    # Another program may have stored any text as the name of a tag.
    command("dedup", "g.db3", "--keep", "first")
    change("g.db3", "UPDATE MergedTags SET Tag = 'Annotator\"]' WHERE Tag = 'Annotator'")
    assert command("dedup", "g.db3", "--full").status == 0
