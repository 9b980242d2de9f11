"""find: results equal those of a slow scan of all games."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import chess
import pytest

from ocgdedup.game_kind import GO
from ocgdedup.pipeline.find.query import read_alternatives
from ocgdedup.store.database import open_database
from ocgdedup.store.find import Conditions, find_statement
from ocgdedup.store.named_players import PlayerKeys
from ocgdedup.store.selection import Criteria, Selection
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, dump, query, value
from tests.support.found_games import LONG, found_games, ids
from tests.support.pgn_text import game
from tests.support.signed_games import (
    all_forms,
    games_with,
    md5,
    move_texts,
    rotated,
    sign_games,
)

FEN = "k7/8/8/8/8/8/p7/7K w - - 0 1"

# --- moves and signatures -----------------------------------------------------------------------


@pytest.mark.parametrize("has_signatures", [True, False])
@pytest.mark.parametrize(
    ("options", "wished"),
    [
        (["--move", f"20={LONG[19]}"], {20: LONG[19]}),
        (["--move", f"40={LONG[39]}"], {40: LONG[39]}),
        (["--move", f"40={LONG[39]}", "--move", f"31={LONG[30]}"], {40: LONG[39], 31: LONG[30]}),
        (["--move", f"7={LONG[6]}"], {7: LONG[6]}),
        (["--move", f"7={LONG[6]}", "--move", f"51={LONG[50]}"], {7: LONG[6], 51: LONG[50]}),
        (["--move", "30=?d"], {30: "?d"}),
        (["--move", "60=p*"], {60: "p?"}),
        (["--move", "60=--", "--move", "40=d_"], {60: "--", 40: "d?"}),
        (["--move", "33=TT"], {33: "tt"}),
        (["--move", "33=pass"], {33: "tt"}),
        (["--signature-a", f"{LONG[19]}{LONG[39]}--"], {20: LONG[19], 40: LONG[39], 60: "--"}),
        (["--signature-a", f"{LONG[19]}____"], {20: LONG[19]}),
        (["--signature-a", f"{LONG[19]}{LONG[39]}??"], {20: LONG[19], 40: LONG[39], 60: "--"}),
        (["--signature-a", f"{LONG[19]}??**"], {20: LONG[19]}),
        (["--signature-a", f"{LONG[19]}??--"], {20: LONG[19], 60: "--"}),
        (["--signature-b", f"??{LONG[50]}__"], {51: LONG[50]}),
        (["--signature-b", f"??{LONG[50]}??"], {51: LONG[50], 71: "--"}),
        (["--signature-b", "??????"], {31: "--"}),
        (["--signature-a", "c?p?--", "--signature-b", "?????p"], {20: "c?", 40: "p?", 60: "--",
                                                                 71: "?p"}),
    ],
)  # fmt: skip
def test_moves_of_go(
    command: Command, go: str, options: list[str], wished: dict[int, str], has_signatures: bool
) -> None:
    if not has_signatures:
        change(go, "DELETE FROM Signatures")
    expected = games_with(go, wished, is_go=True)
    assert ids(command, go, *options) == expected
    assert expected or set(wished) & {33, 71}  # else it shows little


@pytest.mark.parametrize("has_signatures", [True, False])
def test_printed_signatures_paste_back(
    command: Command, go: str, signed: str, has_signatures: bool
) -> None:
    """The output of `signatures` finds exactly the games with the same signatures."""
    for path in (go, signed):
        rows = query(path, "SELECT GameID, SignatureA, SignatureB FROM Signatures ORDER BY GameID")
        rows = [row for row in rows if value(path, "SELECT 1 FROM Games WHERE ID = ?", row[0])]
        if not has_signatures:
            change(path, "DELETE FROM Signatures")
        for place, option in ((1, "--signature-a"), (2, "--signature-b")):
            printed = {row[place] for row in rows}
            assert any(text.endswith("??") and text[0] != "?" for text in printed)
            for text in sorted(printed)[:: 1 if path == go else 7]:
                expected = [row[0] for row in rows if row[place] == text]
                assert ids(command, path, option, text) == expected


@pytest.mark.parametrize("numbers", [(20,), (20, 40), (51,), (31, 51, 40), (9,), (9, 20), (33, 51)])
@pytest.mark.parametrize("has_signatures", [True, False])
def test_moves_rotated_together(
    command: Command, go: str, numbers: tuple[int, ...], has_signatures: bool
) -> None:
    if not has_signatures:
        change(go, "DELETE FROM Signatures")
    wished = {number: LONG[number - 1] for number in numbers}
    expected = {
        game_id for form in all_forms(wished) for game_id in games_with(go, form, is_go=True)
    }
    small = set(query(go, "SELECT ID FROM Games WHERE FEN IS NOT NULL")[0])
    options = [word for n, point in wished.items() for word in ("--move", f"{n}={point}")]
    assert ids(command, go, *options, "--symmetric") == sorted(expected - small)
    assert {1, 2} <= expected


@pytest.mark.parametrize("has_signatures", [True, False])
def test_moves_of_chess(command: Command, signed: str, has_signatures: bool) -> None:
    if not has_signatures:
        change(signed, "DELETE FROM Signatures")
    blob = value(signed, "SELECT Moves2 FROM Games WHERE PlyCount = 70 LIMIT 1")
    moves = move_texts(blob, is_go=False)
    for wished in (
        {20: moves[19], 40: moves[39]},
        {20: "??" + moves[19][2:]},
        {31: moves[30][:2] + "??"},
        {9: moves[8]},
        {70: "----"},
        {60: "----", 2: "e7e5"},
    ):
        options = [word for n, move in wished.items() for word in ("--move", f"{n}={move}")]
        expected = games_with(signed, wished, is_go=False)
        assert ids(command, signed, *options) == expected
        assert expected
    assert ids(command, signed, "--move", f"10b={moves[19]}") == games_with(
        signed, {20: moves[19]}, is_go=False
    )
    assert ids(command, signed, "--move", f"10w={moves[18]}", "--move", f"19={moves[18][2:]}") == (
        games_with(signed, {19: moves[18]}, is_go=False)
    )
    letters = "".join(moves[number - 1] for number in (20, 40, 60))
    expected = games_with(signed, {n: moves[n - 1] for n in (20, 40, 60)}, is_go=False)
    assert ids(command, signed, "--signature-a", letters.upper()) == expected


def test_promotion_and_castling(command: Command, odd: str) -> None:
    sign_games(odd)
    assert ids(command, odd, "--move", "3=e2e1") == ids(command, odd, "--move", "3=e2e1q") == [3]
    assert ids(command, odd, "--move", "3=e2e1n") == []
    (king,) = query(odd, "SELECT substr(Moves2, 1, 2) FROM Games WHERE ID = 4")
    number = int.from_bytes(king[0], "little")
    assert number & 0x8000
    start, target = number & 63, number >> 6 & 63
    move = chess.square_name(start) + chess.square_name(target)
    assert ids(command, odd, "--move", f"1={move}") == [4]


def test_a_promotion_that_is_a_move_of_a_signature(command: Command, tmp_path: Path) -> None:
    """The signature has its squares, but not what the pawn became."""
    shuffle = " ".join(f"{2 * n + 1}. Kg1 Kb8 {2 * n + 2}. Kh1 Ka8" for n in range(4))
    text = "".join(
        game(f"{shuffle} 9. Kg1 Kb8 10. Kf2 a1={piece} *", SetUp="1", FEN=FEN, Round=piece)
        for piece in "QN"
    )
    (tmp_path / "in.pgn").write_text(text, encoding="utf-8")
    path = str(tmp_path / "a.db3")
    assert command("create", path, tmp_path / "in.pgn", "--signatures", "-q").status == 0
    assert ids(command, path, "--move", "20=a2a1") == [1, 2]
    assert ids(command, path, "--move", "20=a2a1n") == [2]
    assert ids(command, path, "--move", "20=a1", "--move", "20=a2a1q") == [1]


def test_lookups_use_indexes(go: str) -> None:
    """A scan of all games must not happen by accident."""

    def plan(options: dict[str, str], *moves: str, **more: object) -> str:
        criteria = Criteria()
        lines = 19 if more.pop("symmetric", False) else None
        expected = read_alternatives(options, moves, GO, lines=lines)
        conditions = Conditions(criteria, expected, **more)  # type: ignore[arg-type]
        statement = find_statement(database.connection, conditions, has_signatures=True)
        rows = database.connection.execute(
            f"EXPLAIN QUERY PLAN {statement.sql}", tuple(statement.values)
        )
        return "; ".join(row[3] for row in rows)

    database = open_database(go)
    with contextlib.closing(database):
        change(go, "INSERT INTO Info VALUES ('x', 'y')")
        for signature in ("qoqghn", "qo????", "qo??hn"):
            for symmetric in (True, False):
                steps = plan({"SignatureA": signature}, symmetric=symmetric)
                assert "SEARCH Signatures USING COVERING INDEX SignaturesA (SignatureA>" in steps
                assert "SEARCH Games USING INTEGER PRIMARY KEY" in steps
                assert "SCAN Games" not in steps
                assert "SCAN Signatures" not in steps
        steps = plan({"SignatureB": "qo????"}, "3=dd")
        assert "SEARCH Signatures USING COVERING INDEX SignaturesB (SignatureB>" in steps
        assert "SCAN Games" not in steps
        steps = plan({}, "40=qo", symmetric=True)
        assert "SCAN Signatures USING COVERING INDEX SignaturesA" in steps
        assert "SCAN Games" not in steps
        assert "SCAN Games" not in plan({}, ids=[1, 2])
        players = PlayerKeys(frozenset([2]), frozenset())
        criteria = Criteria(Selection(years=(1990, None)), {"players": players})
        statement = find_statement(
            database.connection,
            Conditions(criteria, read_alternatives({"SignatureA": "qoqghn"}, [], GO)),
            has_signatures=True,
        )
        rows = database.connection.execute(
            f"EXPLAIN QUERY PLAN {statement.sql}", tuple(statement.values)
        )
        assert not any("SCAN Games" in row[3] for row in rows)


def test_games_without_signatures_are_found_all_the_same(command: Command, go: str) -> None:
    change(go, "DELETE FROM Signatures WHERE GameID = 3")
    assert 3 in ids(command, go, "--move", f"20={LONG[19]}")
    _, _, err = command("find", go, "--like", "1")
    assert "1 games have no signature, which this search needs; 'ocgdedup signatures g.db3'" in err


# --- likeness -----------------------------------------------------------------------------------


def test_like_says_what_is_equal_the_most_alike_first(command: Command, go: str) -> None:
    games = found_games(command, go, "--like", 1)
    assert [(game["id"], game["similarity"]) for game in games] == [
        (2, "same, turned"),
        (3, "first 100"),
        (47, "A and B"),
        (48, "A and B, turned"),
        (4, "first 50"),
        (5, "first 50"),
    ]
    assert [(g["id"], g["similarity"]) for g in found_games(command, go, "--like", 5)] == [
        (1, "first 50"),
        (3, "first 50"),
        (4, "first 50"),
    ]
    assert ids(command, go, "--like", 1, "--year", "1934") == [3]
    assert ids(command, go, "--like", 1, "--limit", 1) == [2]


def test_short_games_are_not_alike_by_their_signatures(command: Command, go: str) -> None:
    assert value(go, "SELECT count(*) FROM Signatures WHERE SignatureB = '??????'") > 1
    assert ids(command, go, "--like", 7) == []


def test_like_in_a_chess_collection(command: Command, signed: str) -> None:
    game_id = value(signed, "SELECT ID FROM FlaggedGames WHERE DuplicateStatus = 'exact' LIMIT 1")
    blob = value(signed, "SELECT Moves2 FROM Games WHERE ID = ?", game_id)
    equal = "SELECT ID FROM Games WHERE Moves2 = ? AND ID <> ? ORDER BY ID"
    same = [row[0] for row in query(signed, equal, blob, game_id)]
    assert same
    games = found_games(command, signed, "--like", game_id)
    assert [game["id"] for game in games if game["similarity"] == "same moves"] == same
    assert [game["id"] for game in games[: len(same)]] == same


def test_like_a_missing_game(command: Command, go: str) -> None:
    status, out, err = command("find", go, "--like", 999)
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: g.db3: there is no game with ID 999\n"
    change(go, "DELETE FROM Signatures WHERE GameID = 2")
    status, _, err = command("find", go, "--like", 2, "-q")
    assert status == 2
    assert "game 2 has no signature; run 'ocgdedup signatures g.db3'" in err


def test_md5(command: Command, go: str) -> None:
    digest = md5(LONG).hex()
    games = found_games(command, go, "--md5", digest.upper())
    assert (games[0]["id"], games[0]["similarity"]) == (1, "all moves")
    games = found_games(command, go, "--md5", md5(LONG[:50]).hex())
    assert [game["similarity"] for game in games] == ["first 50"] * 4
    assert ids(command, go, "--md5", md5(LONG[:100]).hex()) == [1, 3]
    canonical = min(md5([rotated(point, turn) for point in LONG]) for turn in range(8))
    assert ids(command, go, "--md5", canonical.hex()) == [1, 2]
    assert ids(command, go, "--md5", canonical.hex(), "--like", 1) == [2]
    assert ids(command, go, "--md5", "0" * 32) == []


# --- players, years, copies ---------------------------------------------------------------------


def test_players_and_years(command: Command, go: str) -> None:
    assert ids(command, go, "--player", "Go Seigen") == [1, 3]
    assert ids(command, go, "--player", "Go Seigen", "--year", "1934-") == [3]
    assert ids(command, go, "--player", "呉清源", "--player", "cat") == [2, 6, 7]
    assert ids(command, go, "--year", "1933") == [1, 2]
    status, _, err = command("find", go, "--player", "Go Seigem")
    assert status == 2
    assert "there is no player 'Go Seigem'; near names: Go Seigen" in err


def test_duplicates_are_marked_and_deleted_ones_omitted(command: Command, signed: str) -> None:
    copies = "SELECT ID, DuplicateGroup, DuplicateStatus FROM FlaggedGames"
    game_id, group, status = query(signed, f"{copies} WHERE DuplicateStatus NOTNULL")[0]
    games = {game["id"]: game for game in found_games(command, signed, "--year", "1900-")}
    assert (games[game_id]["duplicate_status"], games[game_id]["duplicate_of"]) == (status, group)
    assert games[group]["duplicate_of"] is None
    out = command("find", signed, "--year", "1900-").out
    assert f"duplicate of {group}" in next(
        line for line in out.splitlines() if line.split()[0] == str(game_id)
    )
    assert command("dedup", signed, "--delete", "-q").status in (0, 1)
    left = {row[0] for row in query(signed, "SELECT ID FROM Games")}
    assert game_id not in left
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert set(ids(command, signed, "--position", board)) <= left
    assert set(ids(command, signed, "--like", group)) <= left
    # Rows of deleted games do not stand in for those that a game lacks.
    change(signed, "DELETE FROM Signatures WHERE GameID = ?", group)
    blob = value(signed, "SELECT Moves2 FROM Games WHERE ID = ?", group)
    twentieth = move_texts(blob, is_go=False)[19]
    assert group in ids(command, signed, "--move", f"20={twentieth}")


# --- what is printed ----------------------------------------------------------------------------


def test_table(command: Command, go: str) -> None:
    _, out, err = command("find", go, "--player", "Go Seigen", "--player", "木谷實")
    assert err == "g.db3: 3 games found\n"
    assert out.splitlines() == [
        "      ID Black     White         Date       Result   moves Event",
        "       1 Go Seigen Kitani Minoru 1933.01.05 B+3.5      120 Jigo Cup",
        "       2 呉清源    木谷實        1933.??.?? *          120 ?",
        "       3 Go Seigen Kitani Minoru 1934.01.05 *          120 ?",
    ]
    _, out, _ = command("find", go, "--like", 1)
    assert out.splitlines()[0].split() == [
        "ID", "Black", "White", "Date", "Result", "moves", "Event", "fits",
    ]  # fmt: skip
    assert out.splitlines()[1].endswith(" same, turned")


def test_chess_has_white_first(command: Command, signed: str) -> None:
    out = command("find", signed, "--year", "1900-", "--limit", 1).out
    assert out.split()[:5] == ["ID", "White", "Black", "Date", "Result"]


def test_nothing_found_is_no_failure(command: Command, go: str) -> None:
    assert command("find", go, "--year", "2200") == (0, "", "g.db3: no game found\n")
    assert command("find", go, "--year", "2200", "-q") == (0, "", "")


def test_how_many_are_found(command: Command, go: str) -> None:
    for options in ([], ["--json"]):
        count = len(command("find", go, "--year", "1933-1934", "--json").out.splitlines())
        assert command("find", go, "--year", "1933-1934", *options).err == (
            f"g.db3: {count} games found\n"
        )
        assert command("find", go, "--size", 9, *options).err == "g.db3: 1 game found\n"
        _, _, err = command("find", go, "--year", "1900-", "--limit", 2, *options)
        assert err == "g.db3: 2 games found (--limit 2)\n"
        assert command("find", go, "--year", "1933", "-q", *options).err == ""


def test_limit(command: Command, go: str) -> None:
    assert ids(command, go, "--year", "1900-", "--limit", 3) == [1, 2, 3]


def test_the_database_is_not_changed(command: Command, go: str) -> None:
    before = dump(go)
    for options in (["--like", "1"], ["--move", "3=dd"], ["--position", "AB[dd]"]):
        assert command("find", go, *options).status == 0
    assert dump(go) == before


def test_a_database_of_ocgdb_can_be_searched(command: Command, tmp_path: Path) -> None:
    path = str(tmp_path / "o.db3")
    games = [OcgdbGame("Anna", "Bea", "e4 e5 Nf3"), OcgdbGame("Cora", "Anna", "d4 d5"),
             OcgdbGame("Cora", "Dora", "")]  # fmt: skip
    write_ocgdb(path, games)
    assert ids(command, path, "--move", "1=e4") == [1]
    assert ids(command, path, "--move", "3=--", "--player", "anna") == [2]
    assert ids(command, path, "--move", "1=--") == [3]
    status, _, err = command("find", path, "--like", "1")
    assert status == 2
    assert "has no signatures, which this search needs; add them with 'ocgdedup sig" in err


def test_games_that_have_a_move(command: Command, go: str, made: str) -> None:
    """Only unknown letters require a move; "--" requires no move."""
    for database, unknown, absent, number in ((go, "__", "--", 60), (made, "____", "--", 40)):
        some = ids(command, database, "--move", f"{number}={unknown}")
        none = ids(command, database, "--move", f"{number}={absent}")
        assert sorted([*some, *none]) == [
            row[0] for row in query(database, "SELECT ID FROM Games ORDER BY ID")
        ]
        assert some == [
            row[0]
            for row in query(
                database, f"SELECT ID FROM Games WHERE PlyCount >= {number} ORDER BY ID"
            )
        ]


# --- what cannot be meant -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "find: say what the games have"),
        ([], "or, for Go games, --size ('ocgdedup find --help'"),
        (["--symmetric"], "--symmetric turns --signature-a"),
        (["--like", "1", "--symmetric"], "--symmetric turns --signature-a"),
        (["--signature-a", "qoqg"], "'qoqg' has 4 letters, a signature has 6, such as qoqghn"),
        (["--signature-b", "qoqg1n"], "--signature-b: 'qoqg1n': '1n' is not a move: two letters"),
        (["--signature-a", "qo-?hn"], "'-?' is not a move"),
        (["--move", "qo"], "--move: 'qo' is not a number and a move, such as 20=qo"),
        (["--move", "000000=qo"], "moves are counted from 1"),
        (["--move", "0=qo"], "moves are counted from 1"),
        (["--move", "10w=qo"], "Go moves are given by a number alone"),
        (["--move", "10=qz"], "'qz' is not a move"),
        (["--move", "10=qop"], "'qop' is not a move"),
        (["--move", "999999=pd"], "'999999=pd': no game has so many moves"),
        (["--move", "10=tp", "--symmetric"], "'tp' is not a point of a board of 19 lines"),
        (["--move", "10=pp", "--symmetric", "--size", "9"], "is not a point of a board of 9 lines"),
        (["--md5", "xyz"], "--md5: 'xyz' is not an MD5; it has 32 digits"),
        (["--position", "pd dp"], "is not a list of stones, such as 'AB[pd][dp]AW[dd]'"),
        (["--position", "AB[pd]LB[pd:1]"], "is not a list of stones"),
        (["--position", "AB[pd]AW[pd]"], "pd has both a black and a white stone"),
        (["--position", "SZ[9]AB[pd]"], "'pd' is not a point of a board of 9 lines"),
        (["--position", "SZ[99]AB[aa]"], "SZ is one number from 1 to 25"),
        (["--size", "26"], "--size 26: boards have 1 to 25 lines"),
        (["--size", "0"], "--size 0: boards have 1 to 25 lines"),
        (["--move", "1=uu"], "move 1: 'uu' is not a point of a board of 19 lines; g.db3 has no"),
        (["--move", "1=?y"], "move 1: '?y' is not a point of a board of 19 lines; g.db3 has no"),
        (["--signature-b", "qoqgua"], "move 71: 'ua' is not a point of a board of 19 lines"),
        (
            ["--move", "1=ab", "--move", "3=ta", "--size", "19"],
            "move 3: 'ta' is not a point of a board",
        ),
        (
            ["--move", "1=jj", "--size", "9"],
            "'jj' is not a point of a board of 9 lines; name another",
        ),
        (["--move", "1=jj", "--position", "SZ[9]AB[aa]"], "is not a point of a board of 9 lines"),
        (["--position", "SZ[9]AB[aa]", "--size", "13"], "has 9 lines, --size 13"),
        (["--position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"], "is not a list of stones"),
    ],
)
def test_bad_arguments_of_go(command: Command, go: str, options: list[str], message: str) -> None:
    status, out, err = command("find", go, *options)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--symmetric", "--move", "1=e4"], "--symmetric is for Go"),
        (["--size", "9", "--move", "1=e4"], "--size is for Go"),
        (["--move", "1=e2"], None),
        (["--move", "1=e9"], "'e9' is not a move: two squares, such as e2e4, or the second"),
        (["--move", "1=e2e4x"], "'e2e4x' is not a move"),
        (["--move", "1=O-O"], "'O-O' is not a move: two squares"),
        (["--position", "8/8/8/8/8/8/K1k5 w - -"], "do not stand on 8 ranks of 8 squares"),
        (["--like", "99999999999999999999"], "there is no game with ID 99999999999999999999"),
        (["--limit", "99999999999"], "99999999999 is too large a number"),
        (["--signature-a", "qoqghn"], "a signature has 12, such as g8f6d2d4e7e5"),
        (["--position", "AB[dd]"], "is not a FEN"),
        (["--position", "8/8/8/8/8/8/8/8"], "is not a legal position"),
        (["--position", "8/8/8/8/8/8/8/K1k5 x"], "is not a FEN"),
        (["--position", ""], "is not a FEN"),
        (["--md5", "é" * 32], "is not an MD5"),
        (["--limit", "0"], "must be 1 or more"),
    ],
)
def test_bad_arguments_of_chess(
    command: Command, made: str, options: list[str], message: str | None
) -> None:
    status, out, err = command("find", made, *options)
    if message is None:
        assert (status, out, err) == (0, "", "a.db3: no game found\n")
        return
    assert (status, out) == (2, "")
    assert message in err


def test_names_without_games_are_refused_alike(command: Command, made: str) -> None:
    """Unknown or known, in find and export: exit status 2, with the name."""
    command("players", made, "-q")
    change(made, "INSERT INTO Persons (ID, Name) VALUES (999999, 'Idle, Ivan')")
    change(made, "INSERT INTO Players (ID, Name) VALUES (999999, 'Lost, Lea')")
    change(made, "INSERT INTO Events (ID, Name) VALUES (999999, 'No such open')")
    for option, name in (
        ("--event", "zzz"), ("--event", "No such open"), ("--player", "zzz"),
        ("--player", "Idle, Ivan"), ("--player", "Lost, Lea"),
    ):  # fmt: skip
        for words in (("find", made), ("export", made, "-o", "x.pgn")):
            status, out, err = command(*words, option, name)
            assert (status, out) == (2, ""), (words, option, name)
            errors = [line for line in err.splitlines() if "error" in line]
            assert len(errors) == 1
            assert re.match(rf"ocgdedup: error: {made}: .*{option[2:]}.*'{name}'", errors[0])
    assert not Path("x.pgn").exists()


@pytest.mark.parametrize("folder", ["there/", "there", "new/"])
def test_folders_are_neither_databases_nor_outputs(
    command: Command, made: str, folder: str
) -> None:
    Path("there").mkdir()
    Path("a.pgn").write_text("1. e4 *")
    commands: list[tuple[str, ...]] = [
        ("export", made, "-o", folder), ("export", made, "--duplicates", folder),
        ("create", folder, "a.pgn"), ("run", "a.pgn", "-o", folder),
        ("run", "a.pgn", "-o", "b.pgn", "--db", folder),
    ]  # fmt: skip
    if folder != "new/":
        commands += [
            ("export", folder, "-o", "x.pgn"), ("info", folder), ("find", folder, "--event", "x"),
            ("dedup", folder), ("players", folder), ("check", folder), ("review", folder),
            ("printpgn", folder, "1"), ("signatures", folder),
        ]  # fmt: skip
    before = sorted(path.name for path in Path().rglob("*"))
    for words in commands:
        status, out, err = command(*words)
        assert (status, out) == (2, ""), words
        assert f"error: {folder}: is a folder" in err, (words, err)
    assert sorted(path.name for path in Path().rglob("*")) == before
