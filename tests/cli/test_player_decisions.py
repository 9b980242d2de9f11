"""players --same, --different, --name, --forget, --decisions and --decide."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ocgdedup.pipeline.players import spellings
from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.html_page import Page
from tests.support.pgn_text import QUEENS_GAMBIT, RUY_LOPEZ, game

MAINLINE = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 "
    "Nxd5 10. Nxe5 Nxe5 11. Rxe5 c6 12. d4 Bd6 13. Re1 Qh4 14. g3 Qh3 15. Be3 Bg4 16. Qd3 Rae8"
)
GAMES = (
    game(f"{MAINLINE} 1-0", White="Brandt, Otto", Black="Meier, Karl", Date="1931.02.03")
    + game(f"{MAINLINE} 1-0", White="Quist, Ulla", Black="Meier, Karl", Date="1931.02.??")
    + game(f"{QUEENS_GAMBIT} 1-0", White="Kovacs, Lili", Black="Brandt, Otto", Event="Third")
    + game(f"{QUEENS_GAMBIT} 0-1", White="Nagy, Lili", Black="mail@2020", Event="Fourth")
)
WHITE = "SELECT WhitePlayer FROM GamesNamed WHERE ID = {}"


@pytest.fixture
def folder(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(GAMES)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    assert command("players", "a.db3", "-q").status == 0
    return tmp_path


def decide(command: Command, *options: object) -> str:
    outcome = command("players", "a.db3", *options)
    assert outcome.status == 0, outcome
    return outcome.out


def refusal(command: Command, *options: object) -> str:
    outcome = command("players", "a.db3", *options)
    assert outcome.status == 2, outcome
    return outcome.err


def names_in(text: str) -> list[str]:
    return re.findall(r'\[(?:White|Black) "(.*)"\]', text)


def test_same_player_with_a_name_of_choice(command: Command, folder: Path) -> None:
    out = decide(command, "--same", "Quist, Ulla", "Brandt, Otto", "--as", "Brandt-Quist, Otto")
    assert "4 games" not in out
    assert "Quist, Ulla: Brandt-Quist, Otto, 1 game\n" in out
    assert "Brandt, Otto: Brandt-Quist, Otto, 2 games\n" in out
    text = command("export", "a.db3", "-o", "-", "-q", "--names", "canonical").out
    assert names_in(text)[:4] == ["Brandt-Quist, Otto", "Meier, Karl"] * 2
    shown = command("players", "a.db3", "--show", "Quist, Ulla").out
    assert "all games by Brandt-Quist, Otto (no FIDE ID); stage: decision" in shown
    assert "your decision: the same player as Brandt, Otto" in shown
    assert "your decision: canonical name Brandt-Quist, Otto" in shown


def test_spellings_are_chosen_once(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before and after each change of players in a run."""
    decide(command, "--same", "Quist, Ulla", "Brandt, Otto")
    runs: list[object] = []
    chosen = spellings.choose_spellings
    monkeypatch.setattr(
        spellings, "choose_spellings", lambda *args: runs.append(args) or chosen(*args)
    )
    decide(command, "--again")
    assert len(runs) == 1


def test_marriage_is_a_decision(command: Command, folder: Path) -> None:
    assert value("a.db3", WHITE.format(3)) != value("a.db3", WHITE.format(4))
    decide(command, "--same", "Kovacs, Lili", "Nagy, Lili")
    assert value("a.db3", WHITE.format(3)) == value("a.db3", WHITE.format(4)) is not None


def test_a_name_in_one_game(command: Command, folder: Path) -> None:
    decide(command, "--same", "Brandt, Otto@3", "Meier, Karl")
    players = query("a.db3", "SELECT ID, WhitePlayer, BlackPlayer FROM GamesNamed ORDER BY ID")
    assert players[0][1:] == ("Brandt, Otto", "Meier, Karl")
    assert players[2][2] == "Meier, Karl"
    decide(command, "--forget", "Brandt, Otto@3")
    assert query("a.db3", "SELECT BlackPlayer FROM GamesNamed WHERE ID = 3") == [("Brandt, Otto",)]


def test_one_game_is_by_somebody_else(command: Command, folder: Path) -> None:
    decide(command, "--different", "Brandt, Otto@3", "Brandt, Otto")
    persons = query("a.db3", "SELECT WhitePersonID FROM Games WHERE ID = 1")
    other = query("a.db3", "SELECT BlackPersonID FROM Games WHERE ID = 3")
    assert None not in (*persons, *other)
    assert persons != other


def test_a_name_with_an_at_sign(command: Command, folder: Path) -> None:
    decide(command, "--name", "mail@2020", "Post, Paul")
    assert value("a.db3", "SELECT BlackPlayer FROM GamesNamed WHERE ID = 4") == "Post, Paul"
    decide(command, "--name", "mail@2020@4", "Post, Paula")
    assert value("a.db3", "SELECT BlackPlayer FROM GamesNamed WHERE ID = 4") == "Post, Paula"
    rows = query("a.db3", "SELECT Name, GameID FROM NameDecisions ORDER BY ID")
    assert rows == [("mail@2020", None), ("mail@2020", 4)]


@pytest.mark.parametrize(
    ("first", "second", "earlier"),
    [
        (["--same", "A, Bb", "C, Dd"], ["--different", "C, Dd", "A, Bb"], "--same 'A, Bb' 'C, Dd'"),
        (["--different", "A, Bb", "C, Dd"], ["--same", "A, Bb", "E, Ff", "C, Dd"],
         "--different 'A, Bb' 'C, Dd'"),
        (["--same", "A, Bb", "E, Ff", "C, Dd"], ["--different", "E, Ff", "C, Dd"],
         "--same 'A, Bb' 'E, Ff' and --same 'A, Bb' 'C, Dd'"),
    ],
)  # fmt: skip
def test_contradictions_name_the_earlier_decision(
    command: Command, folder: Path, first: list[str], second: list[str], earlier: str
) -> None:
    decide(command, *first)
    before = query("a.db3", "SELECT * FROM NameDecisions")
    error = refusal(command, *second)
    assert f"earlier decision {earlier}" in error or f"earlier decisions {earlier}" in error
    remedy = re.search("--forget '(.*)'", error)
    assert remedy is not None
    assert query("a.db3", "SELECT * FROM NameDecisions") == before
    decide(command, "--forget", remedy[1])
    decide(command, *second)


def test_two_canonical_names_of_one_player(command: Command, folder: Path) -> None:
    decide(command, "--name", "Brandt, Otto", "Brandt, O.", "--name", "Meier, Karl", "Meier, K.")
    error = refusal(command, "--same", "Brandt, Otto", "Meier, Karl")
    assert "Brandt, Otto has the canonical name Brandt, O., and Meier, Karl Meier, K." in error
    decide(command, "--same", "Brandt, Otto", "Meier, Karl", "--as", "Both")
    assert value("a.db3", WHITE.format(1)) == "Both"


def test_a_later_canonical_name_replaces_the_earlier(command: Command, folder: Path) -> None:
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla", "--as", "First, Name")
    decide(command, "--name", "Quist, Ulla", "Second, Name")
    assert value("a.db3", WHITE.format(1)) == "Second, Name"


def test_forgetting_a_name_leaves_the_others_joined(command: Command, folder: Path) -> None:
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla", "Meier, Karl", "--as", "One, All")
    decide(command, "--forget", "Brandt, Otto")
    assert value("a.db3", WHITE.format(1)) == "Brandt, Otto"
    assert value("a.db3", WHITE.format(2)) == "One, All"
    assert value("a.db3", "SELECT BlackPlayer FROM GamesNamed WHERE ID = 1") == "One, All"


def test_forgetting_what_was_not_decided(command: Command, folder: Path) -> None:
    assert "--forget Brandt, Otto: there is no decision about this name" in refusal(
        command, "--forget", "Brandt, Otto"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--same", "Brandt, Otto"], "--same needs two names or more"),
        (["--as", "Brandt, Otto"], "--as names the player of one --same"),
        (["--same", "Brandt, Otto@4", "X, Yy"], "game 4 has no player called Brandt, Otto; it has"),
        (["--same", "Brandt, Otto@99", "X, Yy"], "there is no game with ID 99 in a.db3"),
        (["--same", "?", "Brandt, Otto"], "--same ?: is no name of a player"),
        (["--name", "Brandt, Otto", ""], "is no name of a player"),
        (["--same", "X, Yy", "X, Yy"], "names X, Yy twice"),
        (["--same", "X, Yy", "Z, Zz", "--again"], "--again does not go with a decision"),
        (["--forget", "X", "--undo"], "--forget does not go with --undo"),
        (["--decide", "absent.tsv"], "absent.tsv: cannot be read"),
    ],
)
def test_refusals(command: Command, folder: Path, options: list[str], message: str) -> None:
    assert message in refusal(command, *options)
    assert query("a.db3", "SELECT * FROM NameDecisions") == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.tsv", "Decision\tName\tOtherName\nsame\tNN\tBrandt, Otto\n"),
        ("a.tsv", "Decision\tName\tOtherName\nname\tBrandt, Otto\t?\n"),
        ("a.ssp", "@PLAYER\nBrandt, Otto\n= N.N.\n"),
    ],
)
def test_a_file_names_nobody(command: Command, folder: Path, file: str, text: str) -> None:
    Path(file).write_text(text, encoding="utf-8")
    message = refusal(command, "--decide", file)
    assert file in message
    assert "is no name of a player; name a player" in message
    assert query("a.db3", "SELECT * FROM NameDecisions") == []


def test_decisions_go_to_another_database(command: Command, folder: Path) -> None:
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla", "--as", "=Odd, Name")
    decide(command, "--different", "Kovacs, Lili", "Nagy, Lili@4")
    listed = command("players", "a.db3", "--decisions").out
    assert listed.splitlines()[0].split("\t") == [
        "Decision", "Name", "GameID", "OtherName", "OtherGameID",
    ]  # fmt: skip
    decide(command, "--decisions", "-o", "names.tsv")
    assert Path("names.tsv").read_text() == listed
    assert "already exists" in refusal(command, "--decisions", "-o", "names.tsv")
    command("create", "b.db3", "in.pgn", "-q")
    assert command("players", "b.db3", "--decide", "names.tsv", "-q").status == 0
    assert command("players", "b.db3", "--decisions").out == listed
    assert value("b.db3", WHITE.format(1)) == "=Odd, Name"
    rows = json.loads(command("players", "b.db3", "--decisions", "--json").out)
    assert rows[-1]["OtherGameID"] == 4
    command("players", "b.db3", "-q")
    sql = "SELECT ID, WhitePlayer, BlackPlayer FROM GamesNamed"
    assert query("b.db3", sql) == query("a.db3", sql)


def test_a_file_of_decisions_with_errors(command: Command, folder: Path) -> None:
    Path("d.csv").write_text("Name,Decision,OtherName\nA,same,B\nC,like,D\nE,same,\n")
    error = refusal(command, "--decide", "d.csv")
    assert "d.csv:3: 'like' is not a decision; write same, different or name" in error
    assert "d.csv:4: a decision needs Name and OtherName" in error
    Path("d.csv").write_text("Name,Decision,OtherName\nA,same,B\nB,different,A\n")
    assert "d.csv:3: --different 'B' 'A': contradicts" in refusal(command, "--decide", "d.csv")


def test_a_spelling_file_of_decisions(command: Command, folder: Path) -> None:
    Path("own.ssp").write_text("@PLAYER\nBrandt-Quist, Otto #gm\n= Brandt, Otto\n= Quist, Ulla\n")
    decide(command, "--decide", "own.ssp")
    assert (
        value("a.db3", WHITE.format(1)) == value("a.db3", WHITE.format(2)) == "Brandt-Quist, Otto"
    )


def test_decisions_hold_for_names_that_come_later(command: Command, folder: Path) -> None:
    outcome = command("players", "a.db3", "--same", "Meier, Karl", "Meyer, Carlo")
    assert outcome.status == 0
    assert "no game has the name Meyer, Carlo yet" in outcome.err
    Path("more.pgn").write_text(game(f"{RUY_LOPEZ} 1-0", White="Meyer, Carlo", Black="New, Man"))
    assert command("create", "a.db3", "more.pgn", "--append", "-q").status == 0
    assert value("a.db3", WHITE.format(5)) == "Meier, Karl"


def test_decisions_without_resolved_names(command: Command, folder: Path) -> None:
    command("create", "b.db3", "in.pgn", "-q")
    before = query("b.db3", "SELECT * FROM Games")
    assert command("players", "b.db3", "--same", "Brandt, Otto", "Quist, Ulla").status == 0
    assert value("b.db3", WHITE.format(1)) == value("b.db3", WHITE.format(2)) == "Brandt, Otto"
    assert command("check", "b.db3").status == 0
    assert command("players", "b.db3", "--forget", "Brandt, Otto").status == 0
    assert query("b.db3", "SELECT * FROM Games") == before
    assert query("b.db3", "SELECT * FROM Persons") == []


def test_a_decision_keeps_the_undo_of_dedup(command: Command, folder: Path) -> None:
    flags = "SELECT GameID, DuplicateStatus FROM DuplicateFlags"
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla")
    assert command("dedup", "a.db3", "-q").status == 0
    assert query("a.db3", flags) != []
    decide(command, "--forget", "Brandt, Otto")
    assert query("a.db3", flags) != []
    assert command("dedup", "a.db3", "--undo", "-q").status == 0
    assert query("a.db3", flags) == []
    assert command("check", "a.db3").status == 0
    assert value("a.db3", WHITE.format(2)) != "Brandt, Otto"


def test_dedup_applies_a_decision(command: Command, folder: Path) -> None:
    duplicates = "SELECT GameID FROM DuplicateFlags WHERE DuplicateStatus IS NOT NULL"
    command("dedup", "a.db3", "-q")
    assert query("a.db3", duplicates) == []
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla")
    command("dedup", "a.db3", "-q")
    assert query("a.db3", duplicates) in ([(1,)], [(2,)])


def test_undo_of_players_keeps_decisions(command: Command, folder: Path) -> None:
    decide(command, "--same", "Brandt, Otto", "Quist, Ulla")
    decide(command, "--undo")
    assert value("a.db3", "SELECT count(*) FROM NameDecisions") == 1
    assert value("a.db3", WHITE.format(1)) == value("a.db3", WHITE.format(2)) == "Brandt, Otto"
    assert value("a.db3", WHITE.format(3)) is None


def test_unresolved_names(command: Command, folder: Path) -> None:
    moves = f"{QUEENS_GAMBIT} *"
    Path("more.pgn").write_text(game(moves, White="Brandt, X", Black="?") * 2)
    command("create", "a.db3", "more.pgn", "--append", "-q")
    row = "Brandt, X\t2\t\tnot looked up yet\tplayers --again"
    assert command("players", "a.db3", "--unresolved").out.splitlines()[1:] == [row]
    command("players", "a.db3", "--report", "names.csv", "-q")
    lines = command("players", "a.db3", "--unresolved").out.splitlines()
    assert lines[0] == "Name\tGames\tCandidates\tReason\tDecidedBy"
    assert [line.split("\t")[:2] for line in lines[1:]] == [["Brandt, X", "2"]]
    assert '"Brandt, X",2,,,unresolved,' in Path("names.csv").read_text()
    assert command("players", "a.db3", "--unresolved", "-o", "open.tsv").status == 0
    assert Path("open.tsv").read_text().splitlines() == lines
    rows = json.loads(command("players", "a.db3", "--unresolved", "--json").out)
    assert rows[0]["games"] == 2
    decide(command, "--same", "Brandt, X", "Brandt, Otto")
    assert "Brandt, X" not in command("players", "a.db3", "--unresolved").out
    decide(command, "--forget", "Brandt, X")
    assert command("players", "a.db3", "--unresolved").out.splitlines() == lines


def test_candidates_of_unresolved_names(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are those of the last run, in all outputs; unlisted players are among them."""
    monkeypatch.chdir(tmp_path)
    players = ("Brandt, Otto", "Brandt, Olga", "Brandt, O")
    Path("in.pgn").write_text(
        "".join(game(f"{RUY_LOPEZ} *", White=name, Black="Meier, Karl") for name in players)
    )
    command("create", "a.db3", "in.pgn", "-q")
    command("players", "a.db3", "-q")
    (row,) = json.loads(command("players", "a.db3", "--unresolved", "--json").out)
    candidates = re.fullmatch(
        r"Brandt, O\w+ \((0\.\d+)\); Brandt, O\w+ \((0\.\d+)\)", row["candidates"]
    )
    assert candidates
    assert 0.9 < sum(map(float, candidates.groups())) <= 1
    command("players", "a.db3", "--again", "-q", "--report", "names.csv")
    assert f'unresolved,,,{row["reason"]},"{row["candidates"]}",' in Path("names.csv").read_text()
    command("dedup", "a.db3", "-q", "--report", "r.html")
    data = Page.of("r.html").data
    assert row["candidates"] in data["texts"]
    decide(command, "--different", "Brandt, Otto", "Brandt, O")
    assert command("players", "a.db3", "--unresolved", "--json").out.count("candidates") == 1


def test_a_name_that_a_decision_leaves_without_a_player(command: Command, folder: Path) -> None:
    Path("more.pgn").write_text(game(f"{QUEENS_GAMBIT} *", White="Kovacs, L"))
    command("create", "a.db3", "more.pgn", "--append", "-q")
    command("players", "a.db3", "-q")
    assert "Kovacs, L\t" not in command("players", "a.db3", "--unresolved").out
    decide(command, "--different", "Kovacs, Lili", "Kovacs, L")
    row = "Kovacs, L\t1\t\tyour decision\ta spelling file, or --same or --name"
    assert row in command("players", "a.db3", "--unresolved").out.splitlines()


# --- repairs of damaged players ------------------------------------------------------------------

STORED_DECISIONS = "SELECT * FROM NameDecisions ORDER BY ID"
DAMAGE = [
    "DELETE FROM Persons",
    "DELETE FROM Persons WHERE Name LIKE 'Brandt%'",
    "DELETE FROM Resolutions",
    "DELETE FROM Resolutions WHERE Stage = 'decision'",
    "UPDATE OR IGNORE Resolutions SET PersonID = 999",
    "UPDATE Games SET WhitePersonID = 77",
    "UPDATE Games SET BlackPersonID = 3",
    "UPDATE UndecidedSides SET PersonID = 555",
    "DELETE FROM Info WHERE Name = 'Applied name decisions'",
]
DAMAGE_OF_BASE = [  # with players that were found without the decisions
    "DELETE FROM UndecidedPersons",
    "DELETE FROM UndecidedResolutions",
    "UPDATE OR IGNORE UndecidedResolutions SET PersonID = 999",
    "DELETE FROM UndecidedPersons; DELETE FROM UndecidedResolutions; DELETE FROM UndecidedSides",
]


def decided_sides() -> list[tuple[object, ...]]:
    return query(
        "a.db3",
        "SELECT ID, iif(White IN ('Brandt, Otto', 'Quist, Ulla'), WhitePlayer, ''), "
        "iif(Black IN ('Brandt, Otto', 'Quist, Ulla'), BlackPlayer, '') FROM GamesNamed ORDER BY 1",
    )


@pytest.mark.parametrize("damage", [*DAMAGE, *DAMAGE_OF_BASE])
def test_a_repair_keeps_and_applies_decisions(command: Command, folder: Path, damage: str) -> None:
    decide(command, "--same", "Quist, Ulla", "Brandt, Otto", "--as", "Brandt-Quist, Otto")
    decide(command, "--different", "Brandt, Otto@3", "Brandt, Otto")
    decisions, sides = query("a.db3", STORED_DECISIONS), decided_sides()
    assert sides[2] == (3, "", "Brandt, Otto")
    for statement in damage.split("; "):
        change("a.db3", statement)
    outcome = command("check", "a.db3", "--repair")
    assert (outcome.status, "repaired" in outcome.out) == (1, True), outcome
    assert query("a.db3", STORED_DECISIONS) == decisions
    assert decided_sides() == sides
    assert command("check", "a.db3").status == 0
    assert command("players", "a.db3", "--again", "-q").status == 0
    assert query("a.db3", STORED_DECISIONS) == decisions
    assert decided_sides() == sides
    decide(command, "--forget", "Brandt, Otto", "--forget", "Quist, Ulla")
    found = query("a.db3", "SELECT WhitePlayer FROM GamesNamed WHERE ID < 3")
    assert found == [("Brandt, Otto",), ("Quist, Ulla",)]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_repair_applies_decisions_without_other_players(
    command: Command, folder: Path, damage: str
) -> None:
    """The next run of players would not, as nothing asks for one."""
    command("players", "a.db3", "--undo", "-q")
    decide(command, "--same", "Quist, Ulla", "Brandt, Otto", "--as", "Brandt-Quist, Otto")
    decisions, sides = query("a.db3", STORED_DECISIONS), decided_sides()
    assert sides[0] == (1, "Brandt-Quist, Otto", "")
    change("a.db3", damage)
    assert command("check", "a.db3", "--repair").status == 1
    assert query("a.db3", STORED_DECISIONS) == decisions
    assert decided_sides() == sides
    assert command("check", "a.db3").status == 0


def test_a_decision_after_the_loss_of_sides(command: Command, folder: Path) -> None:
    decide(command, "--same", "Quist, Ulla", "Brandt, Otto", "--as", "Brandt-Quist, Otto")
    change("a.db3", "DELETE FROM UndecidedSides")
    decide(command, "--name", "Meier, Karl", "Meier-Brandt, Karl")
    assert value("a.db3", "SELECT BlackPlayer FROM GamesNamed WHERE ID = 1") == "Meier-Brandt, Karl"
    assert value("a.db3", WHITE.format(2)) == "Brandt-Quist, Otto"
