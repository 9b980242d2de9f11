"""The campaign of mutated inputs: its cases repeat, and it sees games and rejects that vanish."""

from __future__ import annotations

import random
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a case with its folders, scripts/ being importable."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from torturelib.model import Case

    folders = tmp_path / "folder", tmp_path / "kept"
    for folder in folders:
        folder.mkdir()
    return Case("mutations", 3, *folders, (sys.executable, "-P", "-m", "ocgdedup"))


@pytest.mark.parametrize(
    "name", ["mutated_pgn", "mutated_sgf", "mutated_archive", "mutated_list", "resolved_names"]
)
def test_kinds_of_inputs(case: Any, name: str) -> None:
    """Bytes that are not changed at all pass."""
    from torturelib import mutations

    attack = getattr(mutations, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mutations, "mutate_often", lambda rng, text, *rest, **options: text)
        patch.setattr(mutations, "damaged", lambda rng, text: text)
        assert attack(case, random.Random(5)) is None


def test_equal_seeds_make_equal_inputs(case: Any) -> None:
    from fuzzlib.mutating import mutate_often

    tokens, donors = (b"(", b"{"), (b"1. e4 e5 *",)
    made = [
        mutate_often(random.Random(seed), b"1. d4 d5 2. c4 *", tokens, donors) for seed in (1, 1, 2)
    ]
    assert made[0] == made[1] != made[2]


def test_a_lost_game_is_seen(case: Any) -> None:
    from torturelib import mutations
    from torturelib.seed_texts import chess_games

    games = chess_games()[:3]
    (case.folder / "in.pgn").write_bytes(b"".join(game.text for game in games[:2]))
    expected = {game.moves for game in games}
    problem = mutations.load_and_check(case, random.Random(1), "in.pgn", expected, None)
    assert problem is not None
    assert "1 of 3 readable games are missing" in problem


def test_a_lost_reject_is_seen(case: Any) -> None:
    from torturelib import mutations

    text = b'[Event "E"]\n\n1. Qh9 *\n'
    with sqlite3.connect(case.folder / "a.db3") as connection:
        connection.execute("CREATE TABLE Rejects (SourceOffset)")
        connection.execute("INSERT INTO Rejects VALUES (0)")
    (case.folder / "a.rejects.pgn").write_bytes(b"% in.pgn line 1\n" + text)
    assert mutations.lost_rejects(case.folder, text, ".pgn") is None
    (case.folder / "a.rejects.pgn").write_bytes(b"% in.pgn line 1\n")
    assert "at byte 0 is not in the reject file" in mutations.lost_rejects(
        case.folder, text, ".pgn"
    )


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_readable_part_of_a_cut_file(case: Any, suffix: str) -> None:
    from torturelib.seed_texts import PACKED, readable_part

    text = random.Random(1).randbytes(300_000)
    packed = PACKED[suffix](text)
    assert readable_part(suffix, packed) == text
    part = readable_part(suffix, packed[: len(packed) // 2])
    assert text.startswith(part)
    assert part or suffix == ".xz"  # random bytes are one block there


def test_a_fork_ends_as_a_process(case: Any) -> None:
    from torturelib.forked import run_forked

    assert run_forked(case, "info", "absent.db3").status == 2
    assert "absent.db3" in run_forked(case, "info", "absent.db3").err
    assert run_forked(case, "--version").status == 0
    assert run_forked(case, "no-such-command").status == 2
