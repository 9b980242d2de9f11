"""Escape codes and formulas in tags and file names: neither reach terminals nor spreadsheets."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import query

ESCAPES = "\x1b]0;title\x07\x1b[31m\u202e"
NAME = f"{ESCAPES}Evil, Eve"
FORMULA = "=cmd|' /C calc'!A0"
GAME = """[Event "{event}"]
[Site "-2+3"]
[Date "2001.02.{day:02}"]
[Round "@1"]
[White "{white}"]
[Black "+49"]
[Result "1-0"]
[Od{escapes} "x"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8
10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 {last} 1-0

"""


def pgn(*whites: str) -> str:
    """Return records of one game, some of which differ in the last move."""
    return "".join(
        GAME.format(white=white, event=FORMULA, escapes="", last="17. dxe5" * (number % 2), day=3)
        for number, white in enumerate(whites)
    )


def unsafe(text: str) -> list[str]:
    return [sign for sign in text if sign in ESCAPES[:1] + "\x07\u202e\r\0"]


@pytest.fixture
def odd_folder(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a database of such games, loaded from files of such names."""
    monkeypatch.chdir(tmp_path)
    name = "in\x1b[2J\n.pgn"
    Path(name).write_text(pgn(NAME, NAME, NAME) + "rubbish\x1b[31m" + pgn(FORMULA, FORMULA))
    done = command("create", "a.db3", name, "--report", "faults.tsv")
    assert not unsafe(done.out + done.err)
    assert command("dedup", "a.db3", "-q").status == 0
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "info a.db3",
        "check a.db3",
        "find a.db3 --player Evil",
        "find a.db3 --move 1=e4",
        "dedup a.db3 --full",
        "dedup a.db3 --explain 1 2",
        "dedup a.db3 --delete",
        "printpgn a.db3 --diff 1 2",
        "printpgn a.db3 --group 1",
        "review a.db3 --list",
        "review a.db3 --all",
        "players a.db3",
        "export a.db3 -o x.pgn --player Nobody",
    ],
)
def test_no_escape_code_is_printed(command: Command, odd_folder: Path, line: str) -> None:
    done = command(*line.split(), stdin=b"")
    assert not unsafe(done.out + done.err)


def test_names_of_missing_files_and_members(command: Command, odd_folder: Path) -> None:
    done = command("info", "\x1b[2J\n\udce4.db3")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "\\x1b[2J\\n" in done.err
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.writestr("a\x1b[2J.pgn", "1. e4 e5 2. Ke3 *")
        archive.writestr("b\x1b[2J.zip", "")
    done = command("create", "b.db3", "in.zip")
    assert not unsafe(done.out + done.err)
    assert "a\\x1b[2J.pgn" in done.err
    assert "b\\x1b[2J.zip" in done.err


def test_games_and_json_are_as_they_are(command: Command, odd_folder: Path) -> None:
    assert ESCAPES in command("printpgn", "a.db3", "-g", "1").out
    assert ESCAPES in command("export", "a.db3", "-o", "-").out
    assert "\\u001b]0;title" in command("find", "a.db3", "--move", "1=e4", "--json").out


NUMBER = re.compile(r"-?[0-9]+\.[0-9]+")


def cells(path: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(Path(path).read_text(encoding="utf-8"))))


def test_reports_hold_no_formula(command: Command, odd_folder: Path) -> None:
    assert command("dedup", "a.db3", "--full", "--report", "pairs.csv", "-q").status == 0
    assert command("players", "a.db3", "--report", "names.csv", "-q").status == 0
    rows = cells("pairs.csv")
    for row in [*rows, *cells("names.csv")]:
        texts = [cell for cell in row if not NUMBER.fullmatch(cell)]
        assert not any(cell.startswith(("=", "+", "@", "-")) and cell != "-" for cell in texts)
    assert any(f"'{FORMULA}" in row for row in rows)


def test_a_report_with_formulas_is_read_again(command: Command, odd_folder: Path) -> None:
    """The players of a report are compared with the current players of the games."""
    assert command("dedup", "a.db3", "--full", "--report", "pairs.csv", "-q").status == 0
    done = command("printpgn", "a.db3", "--pairs", "pairs.csv")
    assert (done.status, done.err) == (0, "")
    listed = command("review", "a.db3", "--list").out
    Path("list.tsv").write_text(listed.replace("\t\t\t", "\tsame\t\t"))
    assert command("review", "a.db3", "--decide", "list.tsv").status in (0, 2)


def test_export_is_exact_unless_it_is_asked_to_be_safe(command: Command, odd_folder: Path) -> None:
    assert command("export", "a.db3", "--all", "-o", "exact.csv").status == 0
    assert command("export", "a.db3", "--all", "-o", "safe.csv", "--safe-csv").status == 0
    exact, safe = cells("exact.csv"), cells("safe.csv")
    assert any(FORMULA in row for row in exact)
    assert not any(FORMULA in row for row in safe)
    assert any(f"'{FORMULA}" in row for row in safe)
    assert [[cell.removeprefix("'") for cell in row] for row in safe] == exact
    whites = query("a.db3", "SELECT Name FROM Players WHERE Name = ?", FORMULA)
    assert whites == [(FORMULA,)]


def test_safe_csv_is_for_csv(command: Command, odd_folder: Path) -> None:
    for line in ("-o x.pgn --safe-csv", "-o t --format jsonl --safe-csv"):
        done = command("export", "a.db3", *line.split())
        assert done.status == 2
        assert "--safe-csv goes with CSV" in done.err
