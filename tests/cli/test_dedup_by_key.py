"""dedup --by: games with equal keys and any players: flagged, listed, deleted, undone."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ocgdedup.cli.dedup import KEY_CHOICES, METHOD_CHOICES
from ocgdedup.store.search_reader import KEYS, METHODS
from tests.support.command_line import Command
from tests.support.databases import change, dump, query, value
from tests.support.dedup_results import content
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import game

LINE = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"
SWAPPED = "1. Nf3 e5 2. e4 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"
BEGINNING = "1. e4 e5 2. Nf3 Nc6 3. Bb5"
OTHER = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7"
PEOPLE = {"White": "Gamma, C", "Black": "Delta, D", "Date": "1999.01.02"}
GAMES = (
    game(f"{LINE} *"),
    game(f"{LINE} 1-0", Result="1-0", WhiteElo="2500", **PEOPLE),
    game(f"{SWAPPED} *", White="Zeta, E", Black="Eta, F"),
    game(f"{BEGINNING} 1/2-1/2", White="Theta, G", Black="Iota, H", Result="1/2-1/2"),
    game(f"{OTHER} *"),
    game(f"{OTHER} *", Site="Elsewhere"),
)
# The kept game has the fuller header.
BY_MOVES = {
    1: ("exact", 2, "by moves"),
    2: (None, 2, None),
    5: ("exact", 6, "by moves"),
    6: (None, 6, None),
}


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text("".join(GAMES))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def flags(path: str) -> dict[int, tuple[str | None, int, str | None]]:
    sql = "SELECT ID, DuplicateStatus, DuplicateGroup, DuplicateReason FROM FlaggedGames"
    return {row[0]: row[1:] for row in query(path, sql + " WHERE DuplicateGroup IS NOT NULL")}


def headers(path: str) -> list[tuple[object, ...]]:
    return query(path, "SELECT ID, WhiteID, BlackID, EventID, SiteID, Date, Result FROM Games")


def test_the_command_line_has_the_same_keys() -> None:
    assert (METHOD_CHOICES, KEY_CHOICES) == (METHODS, KEYS)


@pytest.mark.parametrize("key", METHODS)
@pytest.mark.parametrize("options", [[], ["--include-shorter"]])
def test_a_check_finds_nothing_wrong(
    command: Command, games: str, key: str, options: list[str]
) -> None:
    command("dedup", games, "--by", key, *options)
    status, out, _ = command("check", games)
    assert (status, out) == (0, "a.db3: no problems in 6 games\n")


def test_an_explanation_names_the_key(command: Command, games: str) -> None:
    """The explanation is about evidence, unlike the flags."""
    command("dedup", games, "--by", "moves")
    out = command("dedup", games, "--explain", "1", "2").out
    assert out.endswith(
        "This is the verdict of a search by evidence. "
        "The flags in the database are those of 'dedup --by moves'.\n"
    )
    command("dedup", games)
    assert "by evidence" not in command("dedup", games, "--explain", "1", "2").out


def test_report_on_standard_output(command: Command, games: str) -> None:
    """As CSV, alone, with the non-matches of --explain marked."""
    status, out, err = command("dedup", games, "--by", "moves", "--report", "-")
    assert status == 0
    assert "#games: 6, " in err
    rows = list(csv.DictReader(out.splitlines()))
    marks = {(row["MasterID"], row["GameID"]): row["SuspectedFalse"] for row in rows}
    assert set(marks) == {("2", "1"), ("6", "5")}
    for pair, mark in marks.items():
        explained = json.loads(command("dedup", games, "--explain", *pair, "--json").out)
        assert mark == str(int(explained["verdict"] == "different games")), pair
    assert set(marks.values()) == {"0", "1"}
    command("dedup", games, "--by", "moves", "--report", "a.csv")
    assert Path("a.csv").read_text(encoding="utf-8-sig").splitlines() == out.splitlines()
    # By evidence nothing is marked.
    out = command("dedup", games, "--report", "-").out
    assert {row["SuspectedFalse"] for row in csv.DictReader(out.splitlines())} == {""}
    assert command("dedup", games, "--report", "-", "--json").status == 2
    assert command("dedup", games, "--report", "-", "--dry-run").status == 2


def test_whoever_played(command: Command, games: str) -> None:
    """No header is merged, since the players may be different."""
    before = headers(games)
    status, out, err = command("dedup", games, "--by", "moves")
    assert status == 0
    assert flags(games) == BY_MOVES
    assert headers(games) == before
    assert value(games, "SELECT count(*) FROM UnmergedHeaders") == 0
    assert out.endswith("#duplicates: 2\n")
    assert "2 groups: 2 exact, 0 truncated, 0 near-identical" in err


@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("last-position", "join"),
        ("last-position+length", "join"),
        ("all-positions", None),
        ("every-5", "join"),
        ("moves", None),
        ("moves+players", None),
    ],
)
def test_each_key(command: Command, games: str, key: str, status: str | None) -> None:
    """Equal keys are enough, even if moves differ."""
    assert command("dedup", games, "--by", key).status == 0
    result = flags(games)
    assert (2 in result) == (key != "moves+players")
    assert result.get(3) == (None if status is None else (status, 2, f"by {key}"))
    assert result[5] == ("exact", 6, f"by {key}")


def test_equal_records(command: Command, games: str) -> None:
    """From any source; a record with another tag or a comment is not equal."""
    Path("more.pgn").write_text(
        GAMES[1] + GAMES[1].replace("1-0\n", "{good} 1-0\n") + GAMES[1].replace("Gamma, C", "Gamma")
    )
    assert command("create", games, "more.pgn", "--append", "--index-records", "-q").status == 0
    assert value(games, "SELECT count(*) FROM sqlite_master WHERE name = 'GamesGameHash'") == 1
    assert command("dedup", games, "--by", "record").status == 0
    assert flags(games) == {2: (None, 2, None), 7: ("exact", 2, "by record")}
    assert command("check", games).status == 0


def test_equal_records_of_an_older_version(command: Command, games: str) -> None:
    """Records without a hash are not equal to each other."""
    change(games, "UPDATE Games SET GameHash = NULL WHERE ID > 4")
    status, _, err = command("dedup", games, "--by", "record")
    assert status == 2
    assert "record: 2 games have no GameHash" in err
    assert flags(games) == {}


def test_no_shorter_record_is_equal(command: Command, games: str) -> None:
    status, _, err = command("dedup", games, "--by", "record", "--include-shorter")
    assert (status, "use --by moves" in err) == (2, True)


def test_shorter_games(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves", "--include-shorter")
    assert flags(games) == {**BY_MOVES, 4: ("subsumption", 2, "by moves")}
    command("dedup", games, "--by", "moves", "--include-shorter", "--plycount", "6")
    assert flags(games) == BY_MOVES
    command("dedup", games, "--by", "moves+players", "--include-shorter")
    assert 4 not in flags(games)


def test_least_length(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves", "--plycount", "9")
    assert flags(games).keys() == {1, 2}
    command("dedup", games, "--by", "moves", "--plycount", "11")
    assert not flags(games)


def test_kept_game(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves", "--keep", "first")
    assert {row[1] for row in flags(games).values()} == {1, 5}


def test_report_and_pairs(command: Command, games: str) -> None:
    command("dedup", games, "--by", "last-position", "--report", "r.csv")
    with open("r.csv", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert [(row["GameID"], row["MasterID"], row["Status"], row["Reason"]) for row in rows] == [
        ("1", "2", "exact", "by last-position"),
        ("3", "2", "join", "by last-position"),
        ("5", "6", "exact", "by last-position"),
    ]
    status, out, err = command("printpgn", games, "--pairs", "r.csv")
    assert (status, err) == (0, "")
    assert "== pair 3 " in out
    assert "exact duplicate of 2, by" in out
    assert " last-position\n" in out
    assert command("dedup", games, "--by", "moves", "--report", "r.html").status == 0
    assert "by moves" in Path("r.html").read_text()


def test_delete_and_undo(command: Command, games: str) -> None:
    """Deleted games are in a file and in RemovedGames; undo restores them."""
    before = content(games)
    _, _, err = command("dedup", games, "--by", "moves", "--delete")
    assert "deleted: 2 games" in err
    (written,) = Path().glob("*.removed-*.pgn")
    assert written.read_text().count("[Event ") == 2
    assert query(games, "SELECT ID FROM Games ORDER BY ID") == [(2,), (3,), (4,), (6,)]
    assert query(games, "SELECT ID, DuplicateGroup, DuplicateReason FROM FlaggedRemovedGames") == [
        (1, 2, "by moves"), (5, 6, "by moves"),
    ]  # fmt: skip
    assert command("dedup", games, "--undo").status == 0
    assert content(games) == before


def test_deleted_games_count_still(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves", "--delete", "-q")
    Path("more.pgn").write_text(game(f"{OTHER} *", White="New, N"))
    command("create", games, "more.pgn", "--append", "-q")
    command("dedup", games, "--by", "moves")
    assert flags(games).keys() == {2, 6, 7}
    assert value(games, "SELECT count(*) FROM RemovedGames") == 2
    # By another key nothing represents a deleted game: it comes back.
    _, _, err = command("dedup", games, "--by", "moves+players")
    assert "restored 1 deleted game, no longer a duplicate (ID 1)" in err
    assert value(games, "SELECT count(*) FROM RemovedGames WHERE ID = 5") == 1
    command("dedup", games, "--by", "moves", "--plycount", "9")  # the other is not searched
    assert query(games, "SELECT ID, DuplicateGroup FROM FlaggedRemovedGames") == [(5, 6)]


def test_a_dry_run_counts(command: Command, games: str) -> None:
    before = dump(games)
    status, out, err = command("dedup", games, "--by", "moves", "--dry-run")
    assert (status, "#duplicates: 2\n" in out) == (0, True)
    assert (
        "duplicates: 2 in 2 groups: 2 exact, 0 truncated, 0 near-identical\npossible "
        "duplicates: 0 pairs\n" in err
    )
    assert dump(games) == before


def test_info_names_the_key(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves")
    assert (
        " by moves alone; options for the next search by evidence: " in command("info", games).out
    )
    assert json.loads(command("info", games, "--json").out)["duplicates"]["by"] == "moves"
    command("dedup", games)
    assert " alone; " not in command("info", games).out
    assert json.loads(command("info", games, "--json").out)["duplicates"]["by"] is None


@pytest.mark.slow
def test_nothing_new(command: Command, games: str) -> None:
    command("dedup", games, "--by", "moves")
    before = content(games)
    for arguments in ((), ("--full",)):
        _, out, err = command("dedup", games, "--by", "moves", *arguments)
        assert out.endswith("#duplicates: 2\n")
        assert ("nothing changed since the last search" in err) == (not arguments)
        assert content(games) == before
    change(games, "DELETE FROM DuplicateFlags WHERE GameID = 1")
    command("dedup", games, "--by", "moves")
    assert content(games) == before


@pytest.mark.slow
@pytest.mark.parametrize("first", ["--by=moves", "--by=last-position"])
def test_modes_replace_each_other(command: Command, made: str, first: str) -> None:
    """A search in another mode gives the same result as that search alone."""
    Path("b.db3").write_bytes(Path(made).read_bytes())
    command("dedup", made, "-q")
    by_evidence = content(made)
    command("dedup", made, first, "-q")
    command("dedup", "b.db3", first, "-q")
    by_key = content("b.db3")
    assert by_key != by_evidence
    assert content(made)["Games"] == by_key["Games"]
    assert value(made, "SELECT count(*) FROM UnmergedHeaders") == 0
    assert value(made, "SELECT count(*) FROM Suspects") == 0
    command("dedup", made, "--undo")
    assert content(made) == by_evidence
    command("dedup", made, first, "-q")
    command("dedup", made, "-q")
    assert content(made, note_ids=False)["Games"] == by_evidence["Games"]
    command("dedup", "b.db3", "-q")
    assert content("b.db3", note_ids=False) == content(made, note_ids=False)


def test_players_before_any_merge(command: Command, games: str) -> None:
    """A merge of headers does not change who played."""
    Path("two.pgn").write_text(
        game(f"{LINE} *", White="Carlsen, M", Date="2020.01.02", Round="1")
        + game(f"{LINE} *", White="Carlsen, Magnus", Date="2020.01.02", Round="1")
        + game(f"{LINE} *", White="Carlsen, M", Date="1990.01.02")
    )
    command("create", "two.db3", "two.pgn", "-q")
    command("dedup", "two.db3", "--keep", "first")
    assert value("two.db3", "SELECT count(*) FROM MergedTags WHERE Tag = 'White'") == 1
    _, out, _ = command("dedup", "two.db3", "--by", "moves+players", "--dry-run")
    assert out.endswith("#duplicates: 1\n")
    command("dedup", "two.db3", "--by", "moves+players")
    assert flags("two.db3").keys() == {1, 3}


def test_what_the_user_told_apart_stays_apart(command: Command, games: str) -> None:
    Path("mine.tsv").write_text("5\t6\tdifferent\n")
    command("review", games, "--decide", "mine.tsv", "-q")
    command("dedup", games, "--by", "moves")
    assert flags(games).keys() == {1, 2}


def test_go(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    moves = "Bpd Wdp Bpp Wdd Bfc Wcf"
    records = [
        GoGame(moves, None, "Yi", "Cho", "", "", "1991.02.03", "3", "1-0", {}),
        GoGame(moves, None, "Rin", "Otake", "", "", "1981.02.03", "1", "0-1", {}),
        GoGame(moves[:11], None, "Go", "Kitani", "", "", "1951.02.03", "1", "0-1", {}),
    ]
    write_go_database(Path("go.db3"), records)
    command("dedup", "go.db3", "--by", "moves", "--include-shorter")
    assert [row[0] for _, row in sorted(flags("go.db3").items())].count("exact") == 1
    assert flags("go.db3")[3][0] == "subsumption"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--include-shorter"], "--include-shorter goes with --by"),
        (["--by", "round"], "invalid choice: 'round'"),
        (["--by", "moves", "--gate-dynamic"], "--gate-dynamic does not go with --by"),
        (["--by", "moves", "--merge-variations"], "--merge-variations does not go with --by"),
        (["--by", "moves", "--undo"], "--by does not go with --undo"),
        (["--by", "moves", "--method", "moves"], "--by does not go with --method"),
    ],
)
def test_usage(command: Command, games: str, arguments: list[str], message: str) -> None:
    status, out, err = command("dedup", games, *arguments)
    assert (status, out) == (2, "")
    assert message in err
