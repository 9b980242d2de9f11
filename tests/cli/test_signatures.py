"""signatures: written, printed and counted; kept complete by create and check."""

from __future__ import annotations

import hashlib
import json
import random
from itertools import combinations, product
from pathlib import Path

import pytest

from ocgdedup.pipeline.ingest import signatures as pipeline
from ocgdedup.store.database import open_database
from tests.reference import signatures as slow
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound, query, tables, value
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import THREE_GAMES, many_games

ALL = "SELECT * FROM Signatures ORDER BY GameID"
INDEXES = {
    "SignaturesA", "SignaturesB", "SignaturesSymmetric", "SignaturesMD5", "SignaturesMD5First50",
    "SignaturesMD5First100", "SignaturesCanonicalMD5",
}  # fmt: skip


def go_line(seed: int, plies: int, lines: int = 19) -> str:
    letters = "abcdefghijklmnopqrstuvwxy"[:lines]
    points = [x + y for x in letters for y in letters]
    played = random.Random(seed).sample(points, plies)
    return " ".join(f"{'BW'[i % 2]}{point}" for i, point in enumerate(played))


GO_GAMES = [
    GoGame(go_line(1, 120), white="A", black="B"),
    GoGame(go_line(2, 75), start="SZ[19]AB[dd][pp]AW[dp]"),
    GoGame(go_line(3, 30, 9), start="SZ[9]"),
    GoGame("Bpd W Bdd"),
    GoGame(""),
]


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_go_database("go.db3", GO_GAMES)
    return "go.db3"


@pytest.fixture
def chess_database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def slow_rows(path: str, *, is_go: bool) -> list[tuple[object, ...]]:
    played = query(path, "SELECT ID, FEN, Moves2 FROM Games ORDER BY ID")
    return [slow.go_row(*row) if is_go else slow.chess_row(*row) for row in played]


def test_go_games_are_signed(command: Command, go: str) -> None:
    done = command("signatures", go)
    assert (done.status, done.out) == (0, "games: 5, signatures written: 5\n")
    assert query(go, ALL) == slow_rows(go, is_go=True)
    assert tables(go, "index") >= INDEXES
    assert is_sound(go)


def test_a_second_run_changes_nothing(command: Command, go: str) -> None:
    command("signatures", go)
    before = dump(go)
    assert command("signatures", go).out == "games: 5, signatures written: 0\n"
    assert dump(go) == before


def test_only_what_is_missing_is_written(command: Command, go: str) -> None:
    command("signatures", go)
    before = dump(go)
    change(go, "DELETE FROM Signatures WHERE GameID IN (2, 5)")
    assert json.loads(command("signatures", go, "--json").out) == {
        "games": 5, "written": 2, "unreadable": 0,
    }  # fmt: skip
    assert dump(go) == before


def test_a_row_without_a_game_hides_no_unsigned_game(command: Command, go: str) -> None:
    command("signatures", go)
    move = go_line(2, 75).split()[19][1:]
    change(go, "UPDATE Signatures SET GameID = 99 WHERE GameID = 2")
    assert json.loads(command("find", go, "--move", f"20={move}", "--json").out)["id"] == 2
    assert json.loads(command("signatures", go, "--report", "--json").out)["unreadable"] == 0


def test_a_run_that_dies_leaves_nothing(
    command: Command, go: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(go)

    def die(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline.store, "build_signature_indexes", die)
    assert command("signatures", go).status == 130
    assert dump(go) == before


def test_chess_games_are_signed_if_asked_for(command: Command, chess_database: str) -> None:
    assert value(chess_database, "SELECT count(*) FROM Signatures") == 0
    assert not INDEXES & tables(chess_database, "index")
    assert command("signatures", chess_database).status == 0
    assert query(chess_database, ALL) == slow_rows(chess_database, is_go=False)


def test_create_signs_and_append_keeps_it_whole(command: Command, chess_database: str) -> None:
    Path("more.pgn").write_bytes(many_games(40))
    assert command("create", "s.db3", "in.pgn", "--signatures", "-q").status == 0
    assert len(query("s.db3", ALL)) == 3
    assert tables("s.db3", "index") >= INDEXES
    assert command("create", "s.db3", "more.pgn", "--append", "-q").status == 0
    assert query("s.db3", ALL) == slow_rows("s.db3", is_go=False)
    assert command("check", "s.db3").status == 0
    # Without signatures in it, an added game gets none, until they are asked for: then all do.
    assert command("create", chess_database, "more.pgn", "--append", "-q").status == 0
    assert query(chess_database, ALL) == []
    Path("last.pgn").write_bytes(many_games(41)[-2000:])
    command("create", chess_database, "last.pgn", "--append", "--signatures", "-q")
    assert query(chess_database, ALL) == slow_rows(chess_database, is_go=False)


def test_run_keeps_it_whole(command: Command, chess_database: str) -> None:
    command("signatures", chess_database, "-q")
    Path("more.pgn").write_bytes(many_games(20))
    done = command("run", "more.pgn", "-o", "out.pgn", "--db", chess_database, "-q")
    assert done.status == 0, done.err
    assert len(query(chess_database, ALL)) == 23
    assert command("check", chess_database).status == 0


def test_go_games_that_were_added_are_signed_unasked(go: str) -> None:
    """The function that create calls, without reading SGF."""
    database = open_database(go)
    assert pipeline.wants_signatures(database.connection)
    database.close()


def test_games_are_printed_a_line_each(command: Command, go: str) -> None:
    before = Path(go).read_bytes()
    lines = command("signatures", go, "2", "1", "2").out.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "1", "2"]
    row = slow_rows(go, is_go=True)[0]
    fields = dict(part.split("=") for part in lines[1].split()[1:])
    assert (fields["A"], fields["B"], fields["symmetric"]) == row[1:4]
    assert [fields[name] for name in ("md5", "first50", "first100", "canonical")] == [
        digest.hex() for digest in row[4:]
    ]
    texts = [slow.picked(slow.go_texts(moves_of(go, 1), 19, s), slow.A, "??") for s in range(8)]
    assert fields["symmetric-A"] == min(texts)
    assert Path(go).read_bytes() == before


def moves_of(path: str, game_id: int) -> bytes:
    blob: bytes = value(path, "SELECT Moves2 FROM Games WHERE ID = ?", game_id)
    return blob


def test_json_of_games(command: Command, go: str, chess_database: str) -> None:
    first, second = map(json.loads, command("signatures", go, 4, 5, "--json").out.splitlines())
    assert first["game_id"] == 4
    assert first["md5"] == hashlib.md5(b"pdttdd\n", usedforsecurity=False).hexdigest()
    assert second["a"] == "??????"
    played = json.loads(command("signatures", chess_database, 1, "--json").out)
    assert "canonical_md5" not in played
    assert "symmetric" not in played


def test_any_list_of_moves(command: Command, go: str) -> None:
    texts = slow.go_texts(moves_of(go, 3), 9)
    numbers = (10, 13, 16, 19, 40)
    expected = slow.picked(texts, numbers, "??")
    out = command("signatures", go, 3, "--moves", "10,13,16,19,40").out
    assert out.startswith(f"3 moves={expected} symmetric=")
    whole = command("signatures", go, "--moves", "10, 13,16,19,40").out.splitlines()
    assert len(whole) == 5
    assert whole[2] + "\n" == out
    assert whole[3] == "4 moves=?????????? symmetric=??????????"


def test_ids_behind_a_list_of_moves(command: Command, go: str) -> None:
    expected = command("signatures", go, 3, 1, "--moves", "10,13").out
    assert len(expected.splitlines()) == 2
    assert command("signatures", go, "--moves", "10,13", "-g", 3, 1).out == expected
    assert command("signatures", go, 3, "--moves", "10,13", "--game", 1).out == expected
    assert command("signatures", go, "-g", 3, "-g", 1).out == command("signatures", go, 3, 1).out
    assert command("signatures", go, "--report", "-g", 1).status == 2


def test_large_groups_are_told(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "go.db3"
    line = go_line(5, 120).split()
    games = [[*line[: 72 + n], "B", *line[73 + n :]] for n in range(3)]
    games += [[*line[:80], *["W", "B"] * n] for n in range(60)]
    write_go_database(path, [GoGame(" ".join(moves)) for moves in games])
    out = command("signatures", path, "--report").out
    (note,) = [line for line in out.splitlines() if "over 50 games: lowest ID only" in line]
    assert note.split()[-1] == "1"
    assert json.loads(command("signatures", path, "--report", "--json").out)["large_groups"] == 1
    assert sum(line.split()[1:2] == ["1"] for line in out.splitlines()) == 62


@pytest.mark.parametrize("text", ["0", "", "1,,2", "x", "1;2", "-3"])
def test_lists_that_are_none(command: Command, go: str, text: str) -> None:
    done = command("signatures", go, f"--moves={text}")
    assert done.status == 2
    assert "no list of moves such as 10,13,16" in done.err


def test_unknown_games(command: Command, go: str) -> None:
    done = command("signatures", go, 1, 77, 78)
    assert (done.status, done.out) == (2, "")
    assert "there is no game with ID 77, 78" in done.err
    assert "no game with ID 77" in command("signatures", go, 77, "--moves", "1").err


def test_printpgn_prints_them_in_place_of_games(
    command: Command, go: str, chess_database: str
) -> None:
    for path in (go, chess_database):
        printed = command("printpgn", path, "-g", 2, 1, "--signature")
        assert printed.status == 0
        assert printed.out == command("signatures", path, 2, 1).out
    wrong = command("printpgn", chess_database, "--pairs", "--signature")
    assert wrong.status == 2
    assert "--signature goes with IDs" in wrong.err


def test_the_report(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = go_line(7, 90).split()
    used = {move[1:] for move in line}
    free = next(x + y for x in "abc" for y in "abcdefghij" if x + y not in used)
    slip = [*line[:61], f"W{free}", *line[62:]]
    write_go_database("r.db3", [GoGame(" ".join(moves)) for moves in (line, slip, line)])
    before = Path("r.db3").read_bytes()
    out = command("signatures", "r.db3", "--report").out
    counted = dict(row.rsplit(maxsplit=1) for row in out.splitlines()[:-1])
    assert counted["different A and B together"] == "1"
    assert counted["different MD5"] == "2"
    assert counted["  slips: the moves agree again after them"] == "1"
    difference = f"{line[61][0]}[{line[61][1:]}] - W[{free}]"
    assert out.splitlines()[-1] == f"slip 1 2 moves 90 90 alike 61: move 62: {difference}"
    assert Path("r.db3").read_bytes() == before
    # What was written is counted as what was made for the report.
    command("signatures", "r.db3", "-q")
    assert command("signatures", "r.db3", "--report").out == out
    output = json.loads(command("signatures", "r.db3", "--report", "--json").out)
    assert (output["games"], output["kinds"]["slip"], output["pairs"][0]["shared"]) == (3, 1, 61)


def test_the_report_of_chess(command: Command, made: str) -> None:
    out = command("signatures", made, "--report").out
    counted = dict(row.rsplit(maxsplit=1) for row in out.splitlines() if "different" in row)
    rows = slow_rows(made, is_go=False)
    assert counted["different A"] == str(len({row[1] for row in rows}))
    assert counted["different B"] == str(len({row[2] for row in rows}))
    assert counted["different MD5"] == str(len({row[4] for row in rows}))
    assert "turned" not in out
    output = json.loads(command("signatures", made, "--report", "--json").out)
    sequences = {(row[1], row[2], row[4]) for row in rows if row[1][4] != "?"}
    pairs = [
        (left[0] == right[0], left[1] == right[1]) for left, right in combinations(sequences, 2)
    ]
    assert output["only_a"] == pairs.count((True, False)) > 0
    assert output["only_b"] == pairs.count((False, True))
    assert all(f"{sentence}\n" in out for sentence in output["sentences"])
    assert f"share A alone in {output['only_a']:,} pairs" in output["sentences"][1]


def test_the_report_lists_pairs_with_one_equal_signature(command: Command, made: str) -> None:
    """Those that a slow comparison of all pairs finds; up to a limit, which is said."""
    firsts: dict[tuple[str, str, str], int] = {}  # the lowest ID of each sequence of moves
    for row in slow_rows(made, is_go=False):
        if row[1][4] != "?":
            firsts.setdefault((row[1], row[2], row[4]), row[0])
    expected: dict[str, set[tuple[int, int]]] = {"A": set(), "B": set()}
    for (left, left_id), (right, right_id) in combinations(firsts.items(), 2):
        if (left[0] == right[0]) != (left[1] == right[1]):
            name = "A" if left[0] == right[0] else "B"
            expected[name].add((min(left_id, right_id), max(left_id, right_id)))
    assert expected["A"]
    output = json.loads(command("signatures", made, "--report", "--json").out)
    out = command("signatures", made, "--report").out
    for name, pairs in expected.items():
        listed = [(row["left"], row["right"]) for row in output[f"pairs_{name.lower()}"]]
        assert sorted(listed) == sorted(pairs)
        lines = [line.split() for line in out.splitlines() if line.startswith(f"only {name}: ")]
        assert [(int(words[3]), int(words[4])) for words in lines] == listed


def test_the_report_has_a_limit(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ocgdedup.pipeline.find.signature_report.MOST_ALONE", 0)
    out = command("signatures", made, "--report").out
    count = json.loads(command("signatures", made, "--report", "--json").out)["only_a"]
    more = "more pair" if count == 1 else "more pairs"
    assert f"only A: and {count} {more}\n" in out


def test_the_report_of_other_moves(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a small board, A and B are too late."""
    monkeypatch.chdir(tmp_path)
    line = [f"{'BW'[ply % 2]}{x}{y}" for ply, (x, y) in enumerate(product("abcde", "abcde"))]
    slip = [*line[:17], "Wii", *line[18:]]  # not among the moves
    other = [*line[:15], "Whh", *line[16:]]  # move 16
    short = line[:12]
    games = [" ".join(moves) for moves in (line, slip, other, line, short)]
    write_go_database("r.db3", [GoGame(moves, start="SZ[9]") for moves in games])
    assert "left out: fewer than 40 moves" in command("signatures", "r.db3", "--report").out
    words = ("signatures", "r.db3", "--report", "--moves", "22,10,13,16,19")
    out = command(*words).out
    counted = dict(row.rsplit(maxsplit=1) for row in out.splitlines()[:8])
    assert (counted["games"], counted["different moves"], counted["different MD5"]) == (
        "5", "3", "4",
    )  # fmt: skip
    assert counted["pairs with equal moves, different MD5"] == "1"
    assert "left out: fewer than 13 moves" in out
    assert "share moves 10, 13, 16, 19 and 22 in 1 pair." in out
    assert out.splitlines()[-1].startswith("slip 1 2 moves 25 25 alike 17: move 18: ")
    assert "only A" not in out
    assert " A " not in out
    output = json.loads(command(*words, "--json").out)
    assert (output["moves"], output["a"]) == ([10, 13, 16, 19, 22], 3)
    assert [(row["left"], row["right"]) for row in output["pairs"]] == [(1, 2)]


def test_the_report_is_about_all_games(command: Command, go: str) -> None:
    done = command("signatures", go, 1, "--report")
    assert done.status == 2
    assert "leave out the IDs" in done.err


def test_a_database_of_ocgdb_is_read_and_not_written(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "o.db3"
    write_ocgdb(path, [OcgdbGame("A", "B", "e4 e5")])
    before = path.read_bytes()
    done = command("signatures", path)
    assert done.status == 2
    assert "dedup --upgrade" in done.err
    assert " A=???????????? " in command("signatures", path, 1).out
    assert command("signatures", path, "--moves", "1,2").out == "1 moves=e2e4e7e5\n"
    assert "different MD5" in command("signatures", path, "--report").out
    assert path.read_bytes() == before


def test_games_that_cannot_be_read(command: Command, go: str) -> None:
    change(go, "UPDATE Games SET Moves2 = x'1E00' WHERE ID = 2")
    done = command("signatures", go)
    assert (done.status, done.out) == (1, "games: 5, signatures written: 4\n")
    assert "moves of 1 game cannot be read; " in done.err
    done = command("signatures", go, 1, 2)
    assert (done.status, done.out) == (2, "")
    assert "cannot be read: ID 2" in done.err
    assert "game 2: " in command("signatures", go, 2, "--moves", "1").err
    assert "games that cannot be read" in command("signatures", go, "--report").out


WRONG = [
    "UPDATE Signatures SET SignatureA = 'xxxxxxxxxxxx' WHERE GameID = 2",
    "UPDATE Signatures SET SignatureB = CAST(x'FF' AS TEXT) WHERE GameID = 2",
    "UPDATE Signatures SET SymmetricSignature = '' WHERE GameID = 2",
    "UPDATE Signatures SET MovesMD5 = x'00' WHERE GameID = 2",
    "UPDATE Signatures SET MovesMD5First50 = x'00' WHERE GameID = 2",
    "UPDATE Signatures SET MovesMD5First100 = x'00' WHERE GameID = 2",
    "UPDATE Signatures SET CanonicalMD5 = x'00' WHERE GameID = 2",
    "DELETE FROM Signatures WHERE GameID = 2",
    "UPDATE Signatures SET GameID = 99 WHERE GameID = 2",
]


@pytest.mark.parametrize("statement", WRONG)
def test_check_mends_signatures(command: Command, chess_database: str, statement: str) -> None:
    command("signatures", chess_database, "-q")
    before = dump(chess_database)
    change(chess_database, statement)
    output = json.loads(command("check", chess_database, "--json").out)
    kinds = ["text", "signatures"] if "CAST" in statement else ["signatures"]
    assert [finding["kind"] for finding in output["faults"]] == kinds
    assert output["faults"][-1]["count"] == (2 if "GameID = 99" in statement else 1)
    assert command("check", chess_database, "--repair").status == 1
    assert dump(chess_database) == before
    assert command("check", chess_database).status == 0


def test_check_builds_an_index_that_is_missing(command: Command, chess_database: str) -> None:
    command("signatures", chess_database, "-q")
    change(chess_database, "DROP INDEX SignaturesMD5")
    output = json.loads(command("check", chess_database, "--json").out)
    assert [finding["kind"] for finding in output["faults"]] == ["indexes"]
    command("check", chess_database, "--repair")
    assert "SignaturesMD5" in tables(chess_database, "index")


def test_check_keeps_signatures_of_moves_that_were_changed(
    command: Command, chess_database: str
) -> None:
    """They may be the only remains of the right moves."""
    command("signatures", chess_database, "-q")
    before = query(chess_database, ALL)
    change(chess_database, "UPDATE Games SET Moves2 = x'0C07' WHERE ID = 1")
    command("check", chess_database, "--repair")
    assert query(chess_database, ALL) == before
    change(chess_database, "UPDATE Games SET MoveHash = NULL WHERE ID = 1")
    command("check", chess_database, "--repair")
    assert query(chess_database, ALL) == slow_rows(chess_database, is_go=False)


def test_signatures_stay_when_a_game_is_removed_and_go_with_a_purge(
    command: Command, judged: str
) -> None:
    command("signatures", judged, "-q")
    before = query(judged, ALL)
    assert command("dedup", judged, "--delete", "-q").status in (0, 1)
    assert value(judged, "SELECT count(*) FROM RemovedGames") > 0
    assert query(judged, ALL) == before
    assert command("check", judged).status == 0
    change(judged, "DELETE FROM Signatures")
    command("signatures", judged, "-q")
    assert query(judged, ALL) == before
    assert command("dedup", judged, "--purge", "-q").status in (0, 1)
    assert query(judged, "SELECT GameID FROM Signatures ORDER BY 1") == query(
        judged, "SELECT ID FROM Games ORDER BY 1"
    )
