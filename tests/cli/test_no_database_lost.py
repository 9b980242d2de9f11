"""No command writes a file over a database, not even with --force."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.pgn_text import THREE_GAMES


@pytest.mark.parametrize(
    "arguments",
    [
        ("dedup", "a.db3", "--report", "other.html"),
        ("run", "--db", "a.db3", "-o", "out.pgn", "--report", "other.html"),
        ("run", "--db", "a.db3", "in.pgn", "-o", "other.html"),
        ("players", "a.db3", "--report", "other.html"),
        ("export", "a.db3", "-o", "other.html", "--format", "pgn"),
        ("create", "new.db3", "in.pgn", "--report", "other.html"),
        ("create", "new.db3", "in.pgn", "--rejects", "other.html"),
    ],
)
def test_no_output_takes_the_place_of_a_database(
    command: Command, made: str, arguments: tuple[str, ...]
) -> None:
    Path("in.pgn").write_text(THREE_GAMES, encoding="utf-8")
    Path("other.html").write_bytes(Path(made).read_bytes())
    status, out, err = command(*arguments, "--force")
    assert (status, out) == (2, "")
    assert "other.html: is a database; nothing else is written over it" in err
    assert Path("other.html").read_bytes() == Path(made).read_bytes()
    assert set(os.listdir()) == {"a.db3", "in.pgn", "other.html"}


def test_the_database_itself_may_be_one(command: Command, made: str) -> None:
    Path("in.pgn").write_text(THREE_GAMES, encoding="utf-8")
    assert command("run", "--db", made, "in.pgn", "-o", "out.pgn").status == 0
    assert command("create", made, "in.pgn", "--append", "-q").status == 0
    assert command("create", made, "in.pgn", "--force", "-q").status == 0
