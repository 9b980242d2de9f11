"""Decisions about names, and duplicates: groups, merged headers, deleted and purged games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_player_decisions import MAINLINE, names_in
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import game

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
