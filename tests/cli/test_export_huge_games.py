"""export, printpgn: games whose annotations are written a part at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.store import games
from tests.support.command_line import Command
from tests.support.databases import change, query
from tests.support.pgn_text import game

GAMES = [
    game(
        "{start} 1. e4 $1 {a {b} c} $3 (1. d4 {x} d5 (1... Nf6 $6)) (1. c4) $2 1... e5 ;c } d\n ! *"
    ),
    game("1. e4 {a} {b} {c} e5 {d} $9 $8 2. Nf3 {[%clk 0:10:00] e} (2. f4 exf4 +=) Nc6 {f} *"),
    game("1. d4 d5 *"),
    game("1. d4 ;one } two\n {three { four} d5 {{five} six} *"),
    game("1. d4 {one { two} (1. c4 } c5) d5 (1... f5 {three { four}) (1... e5 {x}) 2. c4 {y} *"),
]
FORMS = ([], ["--strip", "clocks,nags"], ["--width", "0"], ["--strip", "variations"])


def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "NOTES_BYTES", 1)
    monkeypatch.setattr(games, "_PART_NOTES", 2)


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text("".join(GAMES))
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_parts_are_the_same_text(
    command: Command, database: str, form: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = command("export", database, "-o", "-", *form).out
    one = command("printpgn", database, "-g", "1").out
    assert whole.count("[Event ") == len(GAMES)
    in_parts(monkeypatch)
    assert command("export", database, "-o", "-", *form).out == whole
    assert command("printpgn", database, "-g", "1").out == one


def test_parts_of_merged_annotations(
    command: Command, judged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert query(judged, "SELECT count(*) FROM MergedNotes")[0][0] > 0
    whole, copies = Path("whole.pgn"), Path("copies.pgn")
    assert command("export", judged, "-o", whole, "--duplicates", copies).status == 0
    texts = whole.read_text(), copies.read_text()
    in_parts(monkeypatch)
    assert command("export", judged, "-o", whole, "--duplicates", copies, "--force").status == 0
    assert (whole.read_text(), copies.read_text()) == texts


def test_parts_of_go_games(command: Command, go: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = command("export", go, "-o", "-").out
    in_parts(monkeypatch)
    assert command("export", go, "-o", "-").out == whole


def test_many_tags_are_written_one_at_a_time(command: Command, database: str) -> None:
    tags = ",".join(f'"Tag{i}":"{i}"' for i in range(10_000))
    change(database, "UPDATE Games SET ExtraTags = ? WHERE ID = 3", f"{{{tags}}}")
    text = command("printpgn", database, "-g", "3").out
    assert [line for line in text.splitlines() if line.startswith("[Tag")] == [
        f'[Tag{i} "{i}"]' for i in range(10_000)
    ]


@pytest.mark.parametrize("end", ["", "}x", ",}", ',"a"}', ',"a":}', "]"])
def test_many_damaged_tags_are_refused(command: Command, database: str, end: str) -> None:
    tags = ",".join(f'"Tag{i}":"{i}"' for i in range(10_000))
    change(database, "UPDATE Games SET ExtraTags = ? WHERE ID = 3", f"{{{tags}{end}")
    status, _, err = command("printpgn", database, "-g", "3")
    assert status == 2
    assert "game 3: its ExtraTags are not a JSON object" in err
