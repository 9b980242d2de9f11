"""If records of a game have different ECO codes, the merge takes the code that fits the moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.pgn_text import game

FRENCH = (
    "1. e4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 Be7 5. e5 Nfd7 6. Bxe7 Qxe7 7. f4 O-O 8. Nf3 c5"  # C14
)
TAGS = {"Date": "2001.02.03", "Round": "1", "White": "Morphy, Paul", "Black": "Duke Karl"}


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (("C14", "D35"), "C14"),
        (("D35", "C14"), "C14"),
        (("D35", "C14", "D35"), "C14"),  # against the majority
        (("C14", "C14b", "D35"), "C14b"),  # the longer one
        (("", "D35", "C14b"), "C14b"),
        (("A40", "D35", "D35"), "D35"),  # none is confirmed: the majority
    ],
)
@pytest.mark.parametrize("month", ["02", "??"])  # the second is decided in Python
def test_code_of_the_moves(
    command: Command, tmp_path: Path, codes: tuple[str, ...], expected: str, month: str
) -> None:
    games = [
        game(
            f"{FRENCH} *", **TAGS | {"Date": f"2001.{month if i else '02'}.03"}
            | {"Site": f"Paris {i}"} | ({"ECO": code} if code else {}),
        )
        for i, code in enumerate(codes)
    ]  # fmt: skip
    path = tmp_path / "in.pgn"
    path.write_text("".join(games))
    database = tmp_path / "a.db3"
    assert command("create", database, path, "-q").status == 0
    assert command("dedup", database).status == 0
    kept = "SELECT ECO FROM FlaggedGames WHERE DuplicateGroup = ID"
    assert query(database, kept) == [(expected,)]
    assert command("dedup", database, "--full").status == 0  # merged again, with the same result
    assert query(database, kept) == [(expected,)]


def test_reason(command: Command, tmp_path: Path) -> None:
    path, database = tmp_path / "in.pgn", tmp_path / "a.db3"
    path.write_text(
        game(f"{FRENCH} *", **TAGS, ECO="D35", Site="Rome") + game(f"{FRENCH} *", **TAGS, ECO="C14")
    )
    command("create", database, path, "-q")
    command("dedup", database)
    assert ("ECO", "D35", "C14", "moves") in query(
        database, "SELECT Tag, Before, After, Reason FROM MergedTags"
    )
