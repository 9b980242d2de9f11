"""dedup --keep-annotations: annotations of the kept game, messages, and undo."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.dedup_results import content, differences
from tests.support.played_games import (
    Record,
    copy_of,
    from_position,
    game,
    pgn_text,
    san_of,
    with_wrong_move,
)

OWN = {0: "$1 {Best by test}", 9: "{own words}", 10: "$5"}
LONGEST = {0: "$2 {Best}", 3: "{" + "a long comment " * 9 + "}", 4: "(3. Nxb5 {a line})"}
TRUNCATED = {3: "$6", 9: "{other words}"}
BOTH = [
    (0, "$1"), (0, "$2"), (0, "Best by test"), (3, "$6"), (3, ("a long comment " * 9).strip()),
    (4, "(3. Nxb5 {a line})"), (9, "other words"), (9, "own words"), (10, "$5"),
]  # fmt: skip
RESULTS = {
    "merge": BOTH,
    "longest": [(0, "$2"), (0, "Best"), *BOTH[4:6]],
    "kept": [(0, "$1"), (0, "Best by test"), (9, "own words"), (10, "$5")],
}


def noted(record: Record, notes: dict[int, str]) -> Record:
    return record._replace(notes=notes)


def records() -> list[Record]:
    """Return records of game 1, which has annotations in each, and of game 2, in one of them."""
    cut = copy_of(game(1), "cut", moves=game(1).moves[:40], ECO=None, WhiteElo=None)
    return [
        noted(game(1), OWN),
        noted(copy_of(game(1), "again", ECO=None), LONGEST),
        noted(cut, TRUNCATED),
        game(2),
        noted(copy_of(game(2), "again", ECO=None), {7: "$14"}),
        game(3),
    ]


def write(path: str, *some: Record) -> str:
    Path(path).write_text("".join(map(pgn_text, some)), encoding="utf-8")
    return path


@pytest.fixture
def made(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    command("create", "a.db3", write("a.pgn", *records()))
    return "a.db3"


def read_back(command: Command, path: str, label: str = "1") -> list[tuple[int, str]]:
    """Return the annotations that python-chess reads: (ply, text), sorted; comments split."""
    logging.getLogger("chess.pgn").disabled = True
    game_id = value(path, f"SELECT ID FROM Games WHERE ExtraTags ->> 'Label' = '{label}'")
    text = command("printpgn", path, "-g", game_id).out.replace("} {", " | ").replace("}\n{", " | ")
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert read.errors == []
    annotations = []
    for ply, node in enumerate(read.mainline()):
        annotations += [(ply, f"${nag}") for nag in node.nags]
        comment = " ".join(str(node.comment).split())
        annotations += [(ply, text) for text in comment.split(" | ") if text]
        for variation in node.parent.variations[1:]:
            text = variation.accept(chess.pgn.StringExporter(headers=False, columns=None))
            annotations.append((ply, f"({text})".replace("{ ", "{").replace(" }", "}")))
    return sorted(annotations)


@pytest.mark.parametrize("option", RESULTS)
def test_which_annotations_the_kept_game_has(command: Command, made: str, option: str) -> None:
    before = own_rows(made)
    assert [len(rows) for rows in before] == [2, 2]
    command("dedup", made, "--keep-annotations", option)
    assert read_back(command, made) == sorted(RESULTS[option])
    assert own_rows(made) == before
    assert read_back(command, made, "2") == ([(7, "$14")] if option != "kept" else [])


def own_rows(path: str) -> list[list[tuple]]:
    """Return the first rows, which are those of the kept game as loaded."""
    tables = ("Comments", "Annotations")
    return [query(path, f"SELECT * FROM {table} WHERE ID <= 2 ORDER BY ID") for table in tables]


def test_merged_annotations_are_no_merged_headers(command: Command, made: str) -> None:
    """By SQL: no header value was merged, but annotations into two games."""
    command("dedup", made, "--no-players")
    assert value(made, "SELECT count(*) FROM MergedTags") == 0
    kept = value(made, "SELECT ID FROM Games WHERE ExtraTags ->> 'Label' = '1'")
    rows = query(
        made,
        "SELECT FromGameID, sum(NoteTable = 'Comments'), sum(NAG NOTNULL), sum(Variation NOTNULL) "
        "FROM MergedNotes LEFT JOIN Annotations AS A ON A.ID = NoteID AND NoteTable <> 'Comments' "
        "WHERE MergedNotes.GameID = ? GROUP BY 1",
        kept,
    )
    assert len(rows) == 2
    *_, no_values, first, second = command("dedup", made, "--explain", kept).out.splitlines()
    assert no_values == "Nothing was merged into its header."
    for line, (game_id, *counts) in zip((first, second), rows, strict=True):
        words = ("comment", "NAG", "variation")
        texts = [
            f"{count} {word}{'s' * (count > 1)}"
            for count, word in zip(counts, words, strict=True)
            if count
        ]
        assert line == f"Annotations merged from game {game_id}: {', '.join(texts)}."
    explained = json.loads(command("dedup", made, "--explain", kept, "--json").out)
    assert [tuple(row.values())[:4] for row in explained["annotations"]] == rows
    shown = command("printpgn", made, "--group", kept).out
    assert "kept game, annotations merged" in shown
    assert "headers merged" not in shown
    out = command("info", made).out
    assert "games with merged headers: 0\n" in out
    assert "games with merged annotations: 2\n" in out
    games = json.loads(command("info", made, "--json").out)["duplicates"]
    assert (games["merged_headers"], games["merged_annotations"]) == (0, 2)
    # The game with merged annotations is still known when the duplicates are not.
    command("dedup", made, "--delete", "--purge")
    assert "games with merged annotations: 2\n" in command("info", made).out
    line = command("dedup", made, "--explain", kept).out.splitlines()[-1]
    assert line == "Annotations merged from duplicates that were purged since."


def test_replaced_annotations_are_explained(command: Command, made: str) -> None:
    command("dedup", made, "--keep-annotations", "longest")
    kept = value(made, "SELECT ID FROM Games WHERE ExtraTags ->> 'Label' = '1'")
    lines = command("dedup", made, "--explain", kept).out.splitlines()
    assert "Annotations of its own that these replace: 2 comments, 2 NAGs." in lines


def test_merge_is_the_default(command: Command, made: str) -> None:
    command("dedup", made)
    merged = content(made, note_ids=False)
    command("dedup", made, "--full", "--keep-annotations", "merge")
    assert differences(merged, content(made, note_ids=False)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("option", RESULTS)
@pytest.mark.parametrize("other", RESULTS)
def test_a_changed_option_does_all_anew_and_is_undone(
    command: Command, made: str, option: str, other: str
) -> None:
    before = content(made, note_ids=False)
    command("dedup", made, "-q", "--keep-annotations", option)
    first = content(made, note_ids=False)
    command("dedup", made, "-q", "--keep-annotations", other)
    second = content(made, note_ids=False)
    assert (first == second) == (option == other)
    if option == other:
        return
    assert command("dedup", made, "--undo").status == 0
    assert differences(first, content(made, note_ids=False)) == {}
    command("dedup", made, "-q", "--keep-annotations", other)
    assert differences(second, content(made, note_ids=False)) == {}
    command("dedup", made, "--reset")
    assert differences(before, content(made, note_ids=False)) == {}
    assert command("check", made).status == 0


@pytest.mark.parametrize("option", RESULTS)
def test_the_option_is_kept_for_later_searches(command: Command, made: str, option: str) -> None:
    command("dedup", made, "-q", "--keep-annotations", option)
    output = json.loads(command("info", made, "--json").out)["duplicates"]["options"]
    assert output == {"keep-annotations": option}
    first = content(made, note_ids=False)
    command("dedup", made, "-q", "--full")
    assert differences(first, content(made, note_ids=False)) == {}
    command("dedup", made, "-q", "--no-merge")
    output = json.loads(command("info", made, "--json").out)["duplicates"]["options"]
    assert output == {"no-merge": True}
    command("dedup", made, "-q", "--keep-annotations", option)
    assert differences(first, content(made, note_ids=False)) == {}


@pytest.mark.parametrize("option", RESULTS)
def test_games_that_come_later_give_what_a_full_search_gives(
    command: Command, made: str, option: str
) -> None:
    command("dedup", made, "-q", "--keep-annotations", option)
    longer = noted(copy_of(game(1), "later", ECO=None), {5: "{" + "longer still " * 20 + "}"})
    better = noted(
        copy_of(game(2), "later", TimeControl="40/7200"), {7: "$15 {of the new kept game}"}
    )
    command("create", made, write("b.pgn", longer, better), "--append", "-q")
    command("dedup", made, "-q")
    after = content(made, note_ids=False)
    command("create", "b.db3", "a.pgn", "-q")
    command("create", "b.db3", "b.pgn", "--append", "-q")
    command("dedup", "b.db3", "-q", "--keep-annotations", option)
    whole = content("b.db3", note_ids=False)
    assert differences(after, whole) == {}
    assert command("check", made).status == 0


@pytest.mark.parametrize("option", RESULTS)
def test_deleted_games_and_purged_ones(command: Command, made: str, option: str) -> None:
    before = content(made, note_ids=False)
    command("dedup", made, "-q", "--keep-annotations", option, "--delete")
    printed = read_back(command, made)
    assert query(made, "SELECT count(*) FROM RemovedGames") == [(3,)]
    command("dedup", made, "--undo")
    assert differences(before, content(made, note_ids=False)) == {}
    command("dedup", made, "-q", "--keep-annotations", option, "--delete")
    own = own_rows(made)
    command("dedup", made, "-q", "--purge")
    assert read_back(command, made) == printed
    assert own_rows(made) == own  # nothing of the kept game is dropped
    assert command("check", made).status == 0
    assert command("check", made, "--repair").status == 0
    assert read_back(command, made) == printed
    command("dedup", made, "-q")
    assert read_back(command, made) == printed


def test_restored_games(command: Command, made: str) -> None:
    command("dedup", made, "-q", "--delete")
    printed = read_back(command, made)
    command("dedup", made, "-q", "--restore")
    command("dedup", made, "-q")
    assert read_back(command, made) == printed


@pytest.mark.parametrize("option", ["merge", "longest"])
def test_export_reads_back_to_the_same_annotations(
    command: Command, made: str, option: str
) -> None:
    command("dedup", made, "-q", "--keep-annotations", option)
    printed = read_back(command, made)
    command("export", made, "-o", "out.pgn", "-q")
    command("create", "again.db3", "out.pgn", "-q")
    assert read_back(command, "again.db3") == printed
    command("export", "again.db3", "-o", "again.pgn", "-q")
    assert Path("again.pgn").read_text() == Path("out.pgn").read_text()


def test_nags_are_written_behind_the_move(command: Command, made: str) -> None:
    command("dedup", made, "-q")
    text = " ".join(command("printpgn", made, "-g", 1).out.split())
    first = next(move for move in text.split("1. ")[1].split())
    assert f"1. {first} $1 $2 {{Best by test}}" in text


# --- what is said of it -------------------------------------------------------------------------


def test_summary(command: Command, made: str) -> None:
    err = command("dedup", made).err
    assert "annotations merged into 2 games\n" in err
    err = command("dedup", made, "--keep-annotations", "kept").err
    assert (
        "annotations merged into 0 games; 3 duplicates keep annotations of their own (see " in err
    )
    err = command("dedup", made, "--keep-annotations", "longest").err
    assert "annotations merged into 2 games; 1 duplicate keeps annotations of its own (see " in err


@pytest.mark.parametrize(("note", "late"), [("{a}", "{b}"), ("$3", "$4"), ("$3", "{b}")])
def test_what_is_behind_the_divergence_is_counted(
    command: Command, made: str, note: str, late: str
) -> None:
    moves = with_wrong_move(game(3).moves)
    other = noted(copy_of(game(3), "wrong move", moves=moves, ECO=None), {2: note, 60: late})
    command("create", made, write("b.pgn", other), "--append", "-q")
    err = command("dedup", made).err
    assert "annotations merged into 3 games; 1 duplicate keeps annotations of its own (see " in err
    assert read_back(command, made, "3") == [(2, note.strip("{}"))]


def test_a_kept_game_from_a_position_gets_what_is_behind_it(command: Command, made: str) -> None:
    part = copy_of(from_position(game(3), "from position", 24), "from position", ECO=None)
    whole = noted(copy_of(game(3), "again"), {5: "{before}", 24: "$3 {first}", 34: "{later}"})
    command("create", made, write("b.pgn", part, whole), "--append", "-q")
    change(made, "DELETE FROM Games WHERE ExtraTags ->> 'Label' = '3'")
    pair = (
        "SELECT min(ID), max(ID), 'subsumption', 1.0, '', 'same', min(ID), NULL "
        "FROM Games WHERE ID > 6"
    )
    change(made, f"INSERT INTO Suspects {pair}")
    err = command("dedup", made, "--full").err
    assert "annotations merged into 3 games; 1 duplicate keeps annotations of its own (see " in err
    assert read_back(command, made, "3 from position") == [(0, "$3"), (0, "first"), (10, "later")]


def test_a_record_from_a_position_gives_its_annotations(command: Command, made: str) -> None:
    part = copy_of(from_position(game(3), "from position", 24), "from position", ECO=None)
    part = noted(part, {0: "$3 {first}", 10: "{later}"})
    command("create", made, write("b.pgn", part), "--append", "-q")
    err = command("dedup", made).err
    assert "annotations merged into 3 games\n" in err
    assert read_back(command, made, "3") == [(24, "$3"), (24, "first"), (34, "later")]
    assert command("check", made).status == 0


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_annotations_behind_a_truncated_kept_game_are_a_variation(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plies: int
) -> None:
    """It replaces the last move, with which it begins, and replays."""
    monkeypatch.chdir(tmp_path)
    moves = game(5).moves
    sans = san_of(moves)
    kept = noted(copy_of(game(5), "kept", moves=moves[:-plies]), {2: "{own}"})
    last = len(moves) - plies - 1
    end = f"$2 {{the end}} ({san_of_other(moves)})"
    longer = copy_of(game(5), "longer", ECO=None, WhiteElo=None)
    between = {len(moves) - 2: "{between}"} if plies == 3 else {}
    longer = noted(longer, {last: "$4", **between, len(moves) - 1: end})
    path = "a.db3"
    command("create", path, write("a.pgn", kept, longer), "-q")
    assert "annotations merged into 1 game\n" in command("dedup", path).err
    statuses = query(path, "SELECT ID, DuplicateStatus FROM FlaggedGames")
    assert statuses == [(1, None), (2, "subsumption")]
    ((ply, text),) = query(path, "SELECT Ply, Variation FROM Annotations WHERE GameID = 1 "
                                 "AND Variation IS NOT NULL")  # fmt: skip
    assert ply == last
    words = [word for word in text.split() if not word[0].isdigit()]
    assert [word for word in words if word != "{between}"][: plies + 1] == sans[last:]
    assert text.endswith(f"{sans[-1]} {end}")
    number = f"{(len(moves) + 1) // 2}..."  # the last move is Black's
    assert (f"{number} {sans[-1]}" in text) == ("{between}" in text)
    result = read_back(command, path, "5 kept")
    assert (last, "$4") in result
    command("export", path, "-o", "out.pgn", "-q")
    assert command("create", "again.db3", "out.pgn").status == 0  # no fault
    assert read_back(command, "again.db3", "5 kept") == result


def san_of_other(moves: tuple[str, ...]) -> str:
    """Return another last move with its number."""
    board = chess.Board()
    for move in moves[:-1]:
        board.push_uci(move)
    other = next(move for move in board.legal_moves if move.uci() != moves[-1])
    return board.variation_san([other])


@pytest.mark.parametrize("comment", ["'a } brace'", "x'6162'"])
def test_a_comment_that_no_variation_can_hold_stays(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comment: str
) -> None:
    monkeypatch.chdir(tmp_path)
    moves = game(5).moves
    kept = copy_of(game(5), "kept", moves=moves[:-2])
    longer = copy_of(game(5), "longer", ECO=None, WhiteElo=None)
    longer = noted(longer, {len(moves) - 1: "{to be changed}"})
    command("create", "a.db3", write("a.pgn", kept, longer), "-q")
    change("a.db3", f"UPDATE Comments SET Comment = {comment}")
    err = command("dedup", "a.db3").err
    assert "merged into 0 games; 1 duplicate keeps annotations of its own (see " in err


def test_games_without_annotations_are_not_mentioned(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command("create", "a.db3", write("a.pgn", game(1), copy_of(game(1), "again", ECO=None)))
    assert "annotations" not in command("dedup", "a.db3").err


def test_summary_of_run(command: Command, made: str) -> None:
    outcome = command("run", "a.pgn", "-o", "out.pgn", "--duplicates", "more.pgn")
    assert "\nannotated   annotations merged into 2 games\n" in outcome.out
    again = ["run", "a.pgn", "-o", "out.pgn", "--duplicates", "more.pgn"]
    outcome = command(*again, "--keep-annotations", "kept")
    assert (
        "annotated annotations merged into 0 games; 3 duplicates keep annotations of their own "
        "(more.pgn)"
    ) in " ".join(outcome.out.split())
    outcome = command(*again, "--keep-annotations", "longest", "--json")
    summary = json.loads(outcome.out)
    assert (summary["annotations_merged"], summary["annotations_left"]) == (2, 1)
    assert "a long comment" in Path("out.pgn").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--no-merge --keep-annotations merge", "--keep-annotations does not go with --no-merge"),
        ("--by moves --keep-annotations kept", "--keep-annotations does not go with --by"),
        ("--undo --keep-annotations kept", "--keep-annotations does not go with --undo"),
        ("--dry-run --keep-annotations kept", "--keep-annotations does not go with --dry-run"),
        ("--purge --keep-annotations kept", "--keep-annotations does not go with --purge"),
        ("--keep-annotations all", "invalid choice: 'all'"),
    ],
)
def test_options_that_do_not_go_together(
    command: Command, made: str, options: str, message: str
) -> None:
    outcome = command("dedup", made, *options.split())
    assert outcome.status == 2
    assert message in outcome.err
