"""Decisions about names, and duplicates: groups, merged headers, deleted and purged games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ocgdedup.matching.names.name_decisions import DecidedNames, DecidedSide, deciding_side
from ocgdedup.model import DecidedName, NameDecision
from tests.cli.test_dedup_decisions import decide_pairs
from tests.cli.test_player_decisions import MAINLINE, names_in
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import QUEENS_GAMBIT, game

GROUPS = "SELECT GameID, DuplicateGroup FROM DuplicateFlags ORDER BY GameID"
SHORT = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8"
)


def made(command: Command, tmp_path: Path, *names: str, moves: str = MAINLINE) -> None:
    """Make a database with games that are equal but for the name of White."""
    text = "".join(
        game(f"{moves} 1-0", White=name, Black="Meier, Karl", Date="1931.02.03", Site=f"Rome{n}")
        for n, name in enumerate(names)
    )
    text += game(f"{QUEENS_GAMBIT} 1-0", White="Nagy, Lili", Black="Kovacs, Eva", Event="Third")
    Path("in.pgn").write_text(text)
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    assert command("players", "a.db3", "-q").status == 0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: Command, name: str, *options: object) -> str:
    outcome = command(name, "a.db3", *options)
    assert outcome.status == 0, outcome
    return outcome.out


# --- different names are evidence ---


@pytest.mark.parametrize(
    ("first", "second", "decided"),
    [
        ("Brandt, Otto", "Brandt, Otton", ("Brandt, Otto", "Brandt, Otton")),
        ("Brandt, Otto", "Brandt, O", ("Brandt, Otto", "Brandt, O")),  # the second is unresolved
        ("Brandt, Otto", "Brandt, Otto", ("Brandt, Otto@2", "Brandt, Otto")),
        ("Brandt, Otto", "Brandt, O", ("Brandt, O@2", "Brandt, Otto")),
        ("Brandt, O", "Brandt, O", ("Brandt, O@2", "Brandt, O@1")),
    ],
)
def test_different_names_are_evidence(
    command: Command, tmp_path: Path, first: str, second: str, decided: tuple[str, str]
) -> None:
    made(command, tmp_path, first, second, moves=SHORT)
    run(command, "dedup", "-q")
    assert len(query("a.db3", GROUPS)) == 2
    run(command, "players", "--different", *decided)
    assert "different players by your decision" in run(command, "dedup", "--explain", "1", "2")
    run(command, "dedup", "-q")
    assert query("a.db3", GROUPS) == []
    run(command, "players", "--forget", decided[0])
    run(command, "dedup", "-q")
    assert len(query("a.db3", GROUPS)) == 2


# --- decided players of kept games ---

PLAYER = "SELECT WhitePlayer FROM GamesNamed WHERE ID = 1"


def kept_first(command: Command) -> None:
    """Search for duplicates; game 1 is the kept game."""
    decide_pairs(command, "a.db3", "1,2,same,1")
    run(command, "dedup", "-q")
    assert query("a.db3", GROUPS)[0] == (1, 1)


def exported(command: Command) -> str:
    text = command("export", "a.db3", "-o", "-", "-q", "--names", "canonical").out
    return names_in(text)[0]


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "decided", "player"),
    [
        # The kept game's decision stays, although the other name is better.
        ("Brandt, O", "Brandt, Otto", ("Brandt, O@1", "Nagy, Lili"), "Nagy, Lili"),
        ("Brandt, O", "Brandt, Otto", ("Brandt, O", "Nagy, Lili"), "Nagy, Lili"),
        # What is decided for a copy counts for the kept game.
        ("Brandt, Otto", "Brandt, O", ("Brandt, O@2", "Nagy, Lili"), "Nagy, Lili"),
        ("Brandt, Otto", "Brandt, O", ("Brandt, O", "Nagy, Lili"), "Nagy, Lili"),
        ("Brandt, Otto", "Brandt, Otto", ("Brandt, Otto@2", "Nagy, Lili"), "Nagy, Lili"),
    ],
)
def test_a_decided_player_of_a_kept_game(
    command: Command,
    tmp_path: Path,
    first: str,
    second: str,
    decided: tuple[str, str],
    player: str,
    early: bool,
) -> None:
    made(command, tmp_path, first, second)
    before = value("a.db3", PLAYER)
    if not early:
        kept_first(command)
    run(command, "players", "--same", *decided)
    if early:
        kept_first(command)
    assert exported(command) == player
    assert value("a.db3", PLAYER) == player
    for again in ("dedup", "dedup --full", "players --again", "dedup", "dedup --delete"):
        run(command, *again.split(), "-q")
        assert command("check", "a.db3").status == 0, again
        assert exported(command) == player, again
    run(command, "dedup", "--restore", "-q")
    run(command, "dedup", "--reset", "-q")
    assert value("a.db3", PLAYER) == (before if decided[0].endswith("@2") else player)
    assert command("check", "a.db3").status == 0


# --- deleted and purged games ---

LISTED = "SELECT Name, GameID FROM NameDecisions ORDER BY ID"


@pytest.mark.parametrize("decided", ["same", "different"])
def test_a_decision_about_a_purged_game(command: Command, tmp_path: Path, decided: str) -> None:
    made(command, tmp_path, "Brandt, Otto", "Brandt, Otto")
    decide_pairs(command, "a.db3", "1,2,same,1")
    other = "Nagy, Lili" if decided == "same" else "Brandt, Otto"
    run(command, "players", f"--{decided}", "Brandt, Otto@2", other)
    run(command, "dedup", "--delete", "-q")
    player = query("a.db3", "SELECT WhitePersonID FROM Games WHERE ID = 1")
    assert player == query("a.db3", "SELECT WhitePersonID FROM RemovedGames WHERE ID = 2")
    run(command, "dedup", "--purge", "-q")
    assert query("a.db3", "SELECT ID FROM Games ORDER BY ID") == [(1,), (3,)]
    assert query("a.db3", LISTED) == [("Brandt, Otto", 1)]
    assert query("a.db3", "SELECT WhitePersonID FROM Games WHERE ID = 1") == player
    for again in ("dedup --full", "players --again", "dedup --reset"):
        run(command, *again.split(), "-q")
        assert query("a.db3", "SELECT WhitePersonID FROM Games WHERE ID = 1") == player
        assert command("check", "a.db3").status == 0
    run(command, "players", "--forget", "Brandt, Otto@1")
    assert value("a.db3", PLAYER) == "Brandt, Otto"


def test_a_purged_game_and_a_kept_game_decided_otherwise(command: Command, tmp_path: Path) -> None:
    made(command, tmp_path, "Brandt, Otto", "Brandt, Otto")
    decide_pairs(command, "a.db3", "1,2,same,1")
    run(command, "players", "--same", "Brandt, Otto@2", "Kovacs, Eva")
    run(command, "players", "--same", "Brandt, Otto@1", "Nagy, Lili")
    assert value("a.db3", PLAYER) == "Nagy, Lili"
    run(command, "dedup", "--delete", "-q")
    outcome = command("dedup", "a.db3", "--purge")
    assert "your decisions about Brandt, Otto@2 no longer apply: game 2 is purged" in outcome.err
    assert value("a.db3", PLAYER) == "Nagy, Lili"
    assert query("a.db3", LISTED) == [("Brandt, Otto", 2), ("Brandt, Otto", 1)]


def test_exported_decisions_about_purged_games(command: Command, tmp_path: Path) -> None:
    made(command, tmp_path, "Brandt, Otto", "Brandt, Otto")
    decide_pairs(command, "a.db3", "1,2,same,1")
    run(command, "players", "--same", "Brandt, Otto@2", "Nagy, Lili", "--name", "Meier, Karl", "K")
    run(command, "players", "--decisions", "-o", "names.tsv")
    run(command, "players", "--decide", "names.tsv")
    run(command, "dedup", "--delete", "-q")
    run(command, "players", "--decide", "names.tsv")
    run(command, "dedup", "--purge", "-q")
    run(command, "players", "--forget", "Meier, Karl")
    outcome = command("players", "a.db3", "--decide", "names.tsv")
    assert outcome.status == 1
    assert "names.tsv:2: --same 'Brandt, Otto@2' 'Nagy, Lili' is left out" in outcome.err
    assert "there is no game with ID 2 in a.db3" in outcome.err
    assert query("a.db3", LISTED) == [("Brandt, Otto", 1), ("Meier, Karl", None)]
    assert value("a.db3", PLAYER) == "Nagy, Lili"


# --- IDs of players ---


def test_namesakes_keep_their_ids(command: Command, tmp_path: Path) -> None:
    made(command, tmp_path, *["Brandt, Otto"] * 4)
    for number in (1, 2, 3):
        run(command, "players", "--different", f"Brandt, Otto@{number}", "Brandt, Otto")
    run(command, "players", "--different", "Brandt, Otto@1", "Brandt, Otto@2")
    run(command, "players", "--different", "Brandt, Otto@2", "Brandt, Otto@3")
    run(command, "players", "--different", "Brandt, Otto@1", "Brandt, Otto@3")
    sql = "SELECT WhitePersonID FROM Games WHERE ID <= 4 ORDER BY ID"
    ids = query("a.db3", sql)
    assert len(set(ids)) == 4
    for again in ("--again", "--name Brandt,@9 Xx,Y", "--again", "--undo", ""):
        if again.startswith("--name"):
            run(command, "players", "--name", "Meier, Karl", "Meier, Karl August")
        else:
            run(command, "players", *again.split())
        assert query("a.db3", sql) == ids, again
    run(command, "players", "--forget", "Brandt, Otto@1")
    assert query("a.db3", sql)[1:] == ids[1:]
    run(command, "players", "--again")
    assert query("a.db3", sql)[1:] == ids[1:]


# --- random commands ---

SPELLINGS = ("Brandt, Otto", "Brandt, O", "Nagy, Lili", "Nagy, L", "Kovacs, Eva")
STEPS = (
    "dedup", "dedup", "dedup --full", "dedup --undo", "dedup --delete", "dedup --delete --purge",
    "dedup --restore", "dedup --reset", "players --again", "players --undo", "players",
    "dedup --by moves",
)  # fmt: skip


def sides() -> dict[int, tuple[str, int | None]]:
    """Return White's name and player in each game as imported."""
    sql = """
        SELECT Game.{key}, Name, WhitePersonID FROM {table} AS Game
        JOIN Players ON Players.ID = WhiteID
    """
    tables = (("Games", "ID"), ("RemovedGames", "ID"), ("UnmergedHeaders", "GameID"))
    rows = [query("a.db3", sql.format(table=table, key=key)) for table, key in tables]
    return {game_id: (name, person) for part in rows for game_id, name, person in part}


def check_decisions(lines: list[str]) -> None:
    """Check that decisions hold in all games as imported, and that kept games follow them."""
    decisions = [
        NameDecision(decision, DecidedName(name, game_id), DecidedName(other, other_id))
        for decision, name, game_id, other, other_id in query(
            "a.db3", "SELECT Decision, Name, GameID, OtherName, OtherGameID FROM NameDecisions"
        )
    ]
    imported = sides()
    in_games = {name for row in decisions for name in (row.name, row.other) if name.game_id}

    def players(name: DecidedName) -> set[int | None]:
        return {
            person
            for game_id, (text, person) in imported.items()
            if text == name.name
            and (name.game_id == game_id if name.game_id else (text, game_id) not in in_games)
        }

    for row in decisions:
        both = players(row.name), players(row.other)
        if row.decision == "same" and all(both):
            assert both[0] == both[1], (row, lines)
            assert len(both[0] - {None}) == 1, (row, lines)
        if row.decision == "different":
            assert not (both[0] & both[1]) - {None}, (row, lines)
    current = dict(query("a.db3", "SELECT ID, WhitePersonID FROM Games"))
    levels = DecidedNames(decisions)
    groups: dict[int, list[DecidedSide]] = {}
    for game_id, kept_id in query("a.db3", GROUPS):
        name, person = imported.get(game_id, ("", None))
        side = DecidedSide(game_id, levels.level(name, game_id), person is not None)
        groups.setdefault(kept_id, []).append(side)
    for kept_id, records in groups.items():
        kept = next(record for record in records if record.game_id == kept_id)
        best = deciding_side(kept, [record for record in records if record is not kept])
        if best is not None and kept_id in current:
            assert current[kept_id] == imported[best.game_id][1], (kept_id, best, lines)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_decisions_hold_after_each_step(command: Command, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    made(command, tmp_path, *rng.choices(SPELLINGS, k=5))
    lines: list[str] = []

    def step(line: list[str]) -> None:
        outcome = command(line[0], "a.db3", *line[1:], "-q")
        lines.append(f"{' '.join(line)}: {outcome.status}")
        assert outcome.status in (0, 1, 2), (lines, outcome)
        check_decisions(lines)

    for number in range(14):
        ids = [row[0] for row in query("a.db3", "SELECT ID FROM Games ORDER BY ID")]
        names = [rng.choice(SPELLINGS) for _ in range(2)]
        named = sides()
        if rng.random() < 0.6:
            game_id = rng.choice(ids)
            names[0] = f"{named[game_id][0]}@{game_id}"
        kind = rng.random()
        if kind < 0.35:
            step(["players", rng.choice(["--same", "--same", "--different"]), *names])
        elif kind < 0.42 and (rows := query("a.db3", LISTED)):
            name, place = rng.choice(rows)
            step(["players", "--forget", name if place is None else f"{name}@{place}"])
        elif kind < 0.5:
            Path(f"{number}.pgn").write_text(
                game(f"{MAINLINE} 1-0", White=names[1], Black="Meier, Karl", Date="1931.02.03")
            )
            step(["create", f"{number}.pgn", "--append"])
        elif kind < 0.6 and len(ids) > 1:
            first, second = sorted(rng.sample(ids, 2))
            decide_pairs(command, "a.db3", f"{first},{second},same,{rng.choice([first, second])}")
        else:
            step(rng.choice(STEPS).split())
    assert command("check", "a.db3").status == 0, lines
