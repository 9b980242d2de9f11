"""dedup on Go databases: flags, reasons, reported slips, headers, branches, deletion."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.go_symmetries import rotated
from tests.support.command_line import Command
from tests.support.databases import is_sound, query, value
from tests.support.dedup_results import content
from tests.support.go_copies import game, go_line
from tests.support.go_games import GoGame, write_go_database

LINE = go_line(1, 160)
FLAGS = "SELECT ID, DuplicateStatus, DuplicateReason FROM FlaggedGames ORDER BY ID"
TAGS = "SELECT ExtraTags ->> '{}' FROM Games WHERE ID = 1"


def slip(place: int = 106, point: str = "zz") -> list[str]:
    """Return the line with one wrong move: another point, or two letters swapped."""
    own = LINE[place]
    wrong = own[0] + (own[2] + own[1] if point == "zz" else point)
    return [*LINE[:place], wrong, *LINE[place + 1 :]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(*games: GoGame) -> str:
    write_go_database("a.db3", games)
    return "a.db3"


def test_flagged_duplicates(command: Command, folder: Path) -> None:
    """A full record; equal, rotated, truncated and with a slip; and another game."""
    full = game(LINE, site="Busan")
    database = written(
        full, game(LINE), game(rotated(LINE, 2)), game(LINE[:60]), game(rotated(LINE[:70], 5)),
        game(slip()), game(rotated(slip(), 6)), game(go_line(2, 160)),
    )  # fmt: skip
    status, out, err = command("dedup", database)
    assert status == 0
    assert out.endswith("#duplicates: 6\n")
    assert "2 exact, 2 truncated, 2 near-identical\npossible duplicates: 0 pairs\n" in err
    assert query(database, FLAGS) == [
        (1, None, None), (2, "exact", None), (3, "exact", "rotated"), (4, "subsumption", None),
        (5, "subsumption", "rotated"), (6, "join", None), (7, "join", "rotated"),
        (8, None, None),
    ]  # fmt: skip
    assert is_sound(database)


def test_a_second_run_and_undo(command: Command, folder: Path) -> None:
    database = written(game(LINE), game(rotated(slip(), 3), site="Busan"))
    before = content(database)
    command("dedup", database)
    flagged = content(database)
    assert flagged != before
    assert "nothing changed since" in command("dedup", database).err
    assert content(database) == flagged
    assert command("dedup", database, "--undo").status == 0
    assert query(database, FLAGS) == [(1, None, None), (2, None, None)]


@pytest.mark.parametrize("symmetry", range(8))
def test_slips_are_told(command: Command, folder: Path, symmetry: int) -> None:
    """In the orientation of the first game, for each rotation of the second."""
    other = rotated(slip(), symmetry)
    database = written(game(LINE), game(other))
    out = command("dedup", database, "--explain", 1, 2).out
    own, wrong = LINE[106], slip()[106]
    assert f"\n  move 107: {own[0]}[{own[1:]}] - {wrong[0]}[{wrong[1:]}]\n" in out
    assert out.count("\n  move ") == 1
    assert ("board of the second game: " in out) == bool(symmetry)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([*LINE[:50], *LINE[52:]], "move 51: {50} {51} - no move"),
        ([*LINE[:50], "B", "W", *LINE[50:]], "move 51: no move - B[] W[]"),
        ([*LINE[:50], LINE[52], LINE[51], LINE[50], *LINE[53:]], "move 51: "),
    ],
)
def test_moves_lost_added_and_exchanged_are_told(
    command: Command, folder: Path, moves: list[str], text: str
) -> None:
    database = written(game(LINE), game(moves))
    out = command("dedup", database, "--explain", 1, 2).out
    assert f"\n  {text.format(*(f'{move[0]}[{move[1:]}]' for move in LINE))}" in out


def test_many_slips_are_cut(command: Command, folder: Path) -> None:
    moves = list(LINE)
    for place in range(20, 160, 8):
        moves[place] = moves[place][0] + "ss"
    database = written(game(LINE), game(moves))
    out = command("dedup", database, "--explain", 1, 2).out
    assert out.count("\n  move ") == 12
    assert "\n  and in 6 more places\n" in out


def test_missing_moves_at_the_end_are_no_slips(command: Command, folder: Path) -> None:
    database = written(game(LINE), game(slip()[:120]))
    out = command("dedup", database, "--explain", 1, 2).out
    assert out.count("\n  move ") == 1
    assert "after the common part, a game has 40 moves of its own" in out


# --- which stays --------------------------------------------------------------------------------


def test_passes_at_the_end_are_none_of_the_game(command: Command, folder: Path) -> None:
    """The record with the better header is kept, although another has passes at the end."""
    passes = [*LINE, "B", "W", "B", "W", "B", "W"]
    database = written(game(passes, event=""), game(LINE))
    command("dedup", database)
    assert query(database, FLAGS)[1] == (2, None, None)


def test_a_truncated_record_is_not_kept(command: Command, folder: Path) -> None:
    database = written(game(LINE[:150], site="Busan"), game(LINE, event=""))
    command("dedup", database)
    assert query(database, FLAGS)[0] == (1, "subsumption", None)


def test_tags_of_go_make_a_header(command: Command, folder: Path) -> None:
    database = written(game(LINE), game(LINE, tags={"KM": "5.5", "BR": "9p", "RE": "B+R"}))
    command("dedup", database)
    assert query(database, FLAGS)[0] == (1, "exact", None)


# --- headers ------------------------------------------------------------------------------------


def merged(command: Command, master: GoGame, copy: GoGame) -> str:
    """Merge a duplicate into the first record, which is kept since it is first."""
    database = written(master, copy)
    assert command("dedup", database, "--keep", "first").status == 0
    assert value(database, "SELECT DuplicateGroup FROM FlaggedGames WHERE ID = 2") == 1
    return database


def test_a_better_date_brings_its_own_words(command: Command, folder: Path) -> None:
    database = merged(
        command,
        game(LINE, date="1996.??.??", tags={"DT": "spring of 1996"}),
        game(LINE, date="1996.05.06", tags={"DT": "1996-05-06,07"}),
    )
    assert value(database, "SELECT Date FROM Games WHERE ID = 1") == "1996.05.06"
    assert value(database, TAGS.format("DT")) == "1996-05-06,07"


def test_words_of_a_date_that_is_no_longer_there_go(command: Command, folder: Path) -> None:
    database = merged(
        command,
        game(LINE, date="1996.??.??", tags={"DT": "spring of 1996", "KM": "5.5"}),
        game(LINE, date="1996.05.06"),
    )
    assert value(database, TAGS.format("DT")) is None
    assert value(database, TAGS.format("KM")) == "5.5"
    assert query(database, "SELECT Before, After FROM MergedTags WHERE Tag = 'DT'") == [
        ("spring of 1996", "?")
    ]
    command("dedup", database, "--undo")
    assert value(database, TAGS.format("DT")) == "spring of 1996"


def test_words_of_another_date_are_not_taken(command: Command, folder: Path) -> None:
    database = merged(
        command,
        game(LINE, date="1996.05.06"),
        game(LINE, date="1996.??.??", tags={"DT": "1996, spring", "RE": "B+R", "CA": "EUC-KR"}),
    )
    assert value(database, TAGS.format("DT")) is None
    assert value(database, TAGS.format("RE")) == "B+R"  # says more of the same result
    assert value(database, TAGS.format("CA")) is None  # is of the file


def test_the_words_of_the_masters_own_day_stay(command: Command, folder: Path) -> None:
    """The duplicate, by other players, has the fuller header."""
    database = merged(
        command,
        game(LINE, black="Qi Zengju", date="1960.06.07", tags={"DT": "1960-06-07,08"}),
        game(LINE, black="Guo Tisheng", date="1960.06.06", round="Game 1", site="Busan"),
    )
    assert value(database, TAGS.format("DT")) == "1960-06-07,08"
    assert query(database, "SELECT Tag FROM MergedTags") == [("Round",), ("Site",)]


def test_a_result_brings_its_own_words(command: Command, folder: Path) -> None:
    database = merged(
        command,
        game(LINE, result="*", tags={"RE": "?"}),
        game(LINE, result="1-0", tags={"RE": "W+2.5"}),
    )
    assert value(database, TAGS.format("RE")) == "W+2.5"


def test_ranks_follow_exchanged_colours(command: Command, folder: Path) -> None:
    database = merged(
        command,
        game(LINE),
        game(LINE, black="Kim Min", white="Ito Jun", tags={"BR": "9p", "WR": "1p", "WT": "Japan"}),
    )
    tags = [value(database, TAGS.format(tag)) for tag in ("BR", "WR", "BT", "WT")]
    assert tags == ["1p", "9p", "Japan", None]


def test_handicap_stones_are_not_lost(command: Command, folder: Path) -> None:
    """The record without them has the better header."""
    moves = go_line(3, 120)
    full = {"event": "Kisei", "site": "Edo", "tags": {"KM": "0", "RU": "Japanese", "RE": "B+R"}}
    start = "SZ[19]AB[dp][pd]"
    bare = [move for move in moves if move[1:] not in ("dp", "pd")]
    database = written(game(bare, **full), game(bare, start=start, tags={"HA": "2"}))
    assert command("dedup", database, "--delete").status == 0
    assert query(database, "SELECT ID, FEN FROM Games") == [(2, start)]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_record_that_starts_from_a_position_is_not_the_whole_game(
    command: Command, folder: Path, count: int
) -> None:
    """Its setup stones are the first moves of the other record, which has the better header."""
    first = {colour: sorted(m[1:] for m in LINE[:count] if m[0] == colour) for colour in "BW"}
    start = "SZ[19]" + "".join(
        f"A{colour}[{']['.join(points)}]" for colour, points in first.items() if points
    )
    database = written(game(LINE, site="Busan"), game(LINE[count:], start=start))
    command("dedup", database, "--delete")
    assert query(database, "SELECT ID, PlyCount FROM Games") == [(1, 160)]


def test_a_start_turned_is_turned_though_no_move_tells(command: Command, folder: Path) -> None:
    """Moves at the centre and passes are the same in every orientation; the stones are not."""
    own, other = "SZ[9]AB[aa][ba]AW[cc]", "SZ[9]AB[ha][ia]AW[gc]"
    names = {"event": "Kisei final", "site": "Seoul", "round": "1"}
    database = written(
        game(["Bee", "W", "B"], start=own, **names),
        game(["Bee", "W", "B"], start=other, comments=((0, 0, "See gc."),), **names),
    )
    command("dedup", database, "--keep", "first")
    assert query(database, FLAGS) == [(1, None, None), (2, "exact", "rotated")]
    assert value(database, "SELECT count(*) FROM Comments WHERE GameID = 1") == 0


@pytest.mark.parametrize(
    ("notes", "is_copy"),
    [
        (((40, 0, ";AE[dd]AB[ee]"),), False),
        (((40, 0, "AW[dd]"),), False),
        (((40, 0, "LB[dd:1]"),), True),
        (((40, 0, "(;AB[dd];W[ee])"),), True),
        (((159, 0, ";AE[dd]TB[ee]"),), True),  # dead stones, taken off after the last move
    ],
)
def test_stones_set_up_between_moves_make_another_game(
    command: Command, folder: Path, notes: tuple[tuple[int, int, str], ...], is_copy: bool
) -> None:
    database = written(game(LINE), game(LINE, notes=notes), game(LINE, notes=notes))
    command("dedup", database, "--keep", "first")
    stored = query(database, "SELECT DuplicateGroup FROM FlaggedGames ORDER BY ID")
    groups = [row[0] for row in stored]
    assert groups == ([1, 1, 1] if is_copy else [None, 2, 2])
    command("dedup", database, "--delete")
    assert value(database, "SELECT count(*) FROM Games") == (1 if is_copy else 2)
    command("dedup", database, "--full")
    assert value(database, "SELECT count(*) FROM RemovedGames") == (2 if is_copy else 1)


# --- annotations --------------------------------------------------------------------------------

NOTES = {"comments": ((0, 0, "A good move."),), "notes": ((1, 0, "LB[dd:1]"), (2, 0, "(;B[aa])"))}


def test_annotations_are_merged_unless_the_board_is_rotated(command: Command, folder: Path) -> None:
    database = merged(command, game(LINE), game(LINE, **NOTES))
    assert value(database, "SELECT count(*) FROM Annotations WHERE GameID = 1") == 2
    assert query(database, "SELECT HasComments, HasVariations FROM Games WHERE ID = 1") == [(1, 1)]
    Path("a.db3").unlink()
    database = merged(command, game(LINE), game(rotated(LINE, 4), **NOTES))
    assert value(database, "SELECT count(*) FROM Annotations WHERE GameID = 1") == 0


def test_properties_are_no_variations(command: Command, folder: Path) -> None:
    database = merged(command, game(LINE), game(LINE, **NOTES | {"notes": ((1, 0, "LB[dd:1]"),)}))
    assert query(database, "SELECT HasComments, HasVariations FROM Games WHERE ID = 1") == [(1, 0)]


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize(("place", "ply"), [(106, 105), (0, -1)])
def test_differing_moves_become_branches(
    command: Command, folder: Path, place: int, ply: int, symmetry: int
) -> None:
    """They are stored at the previous node, in the orientation of the kept game."""
    database = written(game(LINE), game(rotated(slip(place, "ss"), symmetry)))
    command("dedup", database, "--keep", "first", "--merge-variations")
    wrong = f"(;{LINE[place][0]}[ss])"
    stored = query(database, "SELECT GameID, Ply, Variation FROM Annotations")
    assert stored == [(1, ply, wrong)]
    assert value(database, "SELECT HasVariations FROM Games WHERE ID = 1") == 1


# --- the rest -----------------------------------------------------------------------------------


def test_deleted_games_go_to_an_sgf_file(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ocgdedup.commands.removal.pgn_of_games", lambda _database, ids, _form: [b"x" for _ in ids]
    )
    database = written(game(LINE), game(LINE))
    assert command("dedup", database, "--delete").status == 0
    (path,) = Path().glob("a.removed-*")
    assert path.suffix == ".sgf"
    assert value(database, "SELECT count(*) FROM Games") == 1


def test_methods(command: Command, folder: Path) -> None:
    """Keys ignore rotations; starts are not FENs."""
    start = "SZ[19]AB[dp][pd]"
    database = written(
        game(LINE, start=start), game(LINE, start=start), game(LINE), game(rotated(LINE, 2))
    )
    out = command("dedup", database, "--method", "all").out
    assert len(out.splitlines()) == 7
    moves = next(line for line in out.splitlines() if line.startswith("moves "))
    assert moves.split()[1:4] == ["1", "1", "0"]


def test_a_database_of_chess_is_none_of_go(command: Command, made: str) -> None:
    assert command("dedup", made).status == 0
    assert value(made, "SELECT count(*) FROM FlaggedGames WHERE DuplicateReason = 'rotated'") == 0
