"""export --duplicates: exactly the duplicates, with marks."""

from __future__ import annotations

import io
import re
import subprocess
from collections import Counter
from pathlib import Path

import chess.pgn
import pytest

from tests.support.command_line import Command
from tests.support.databases import Row, dump, flag, query, value
from tests.support.game_content import contents
from tests.support.go_games import GoGame, write_go_database
from tests.support.go_moves_text import made_moves
from tests.support.pgn_text import game

MARK = re.compile(r"^\[([a-z]+) copy of (\d+)\] ")
ORDER = ("exact", "subsumption", "join")


@pytest.fixture
def searched(command: Command, made: str) -> str:
    command("dedup", made, "-q")
    return made


def read(path: str) -> list[chess.pgn.Headers]:
    handle = io.StringIO(Path(path).read_text(encoding="utf-8"))
    headers = []
    for parsed in iter(lambda: chess.pgn.read_game(handle), None):
        assert parsed.errors == []
        headers.append(parsed.headers)
    return headers


def copies(database: str, table: str = "FlaggedGames") -> list[Row]:
    """Return (status, group, ID, label) in the expected order."""
    rows = query(
        database,
        "SELECT DuplicateStatus, DuplicateGroup, ID, ExtraTags ->> 'Label' "
        f"FROM {table} WHERE DuplicateStatus IS NOT NULL",
    )
    return sorted(rows, key=lambda row: (ORDER.index(row[0]), *row[1:3]))


def test_marks_and_order(command: Command, searched: str) -> None:
    before = dump(searched)
    expected = copies(searched)
    assert {row[0] for row in expected} == set(ORDER)
    out = command("export", searched, "--duplicates", "d.pgn").out
    assert out == f"wrote {len(expected)} duplicates to d.pgn\n"
    reading = read("d.pgn")
    assert [
        (h["DuplicateStatus"], int(h["DuplicateGroup"]), h["Label"]) for h in reading
    ] == [(status, group, label) for status, group, _, label in expected]  # fmt: skip
    for headers in reading:
        for tag in ("Event", "Site"):
            mark = MARK.match(headers[tag])
            assert mark is not None
            assert mark.groups() == (headers["DuplicateStatus"], headers["DuplicateGroup"])
    assert dump(searched) == before  # the marks are in the file alone


def test_duplicates_say_where_they_are_and_what_is_kept(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    games = Path(__file__).parents[2] / "scripts" / "demo_games"
    command("create", "a.db3", games, "-q")
    command("dedup", "a.db3", "-q")
    for deletion in ([], ["--delete"]):
        command("dedup", "a.db3", "-q", *deletion)
        command("export", "a.db3", "--duplicates", "copies.pgn", "-q", "--force")
        text = Path("copies.pgn").read_text()
        (record,) = (block for block in text.split("\n\n") if "The golden coins game" in block)
        assert f'[DuplicateSource "{games / "web_download.pgn"}, game 6"]\n' in record
        kept = "Levitsky, Stepan - Marshall, Frank James, 1912.07.20, DSB Congress"
        assert f'[DuplicateOf "{kept}"]' in record


def test_marks_of_go_come_off_as_the_document_says(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of docs/duplicates.md, run unchanged."""
    monkeypatch.chdir(tmp_path)
    moves = " ".join(made_moves(5, 150))
    names = [("[x] Cup", "Seoul"), ("[x] Cup", ""), ("", "[a-z] \\ copy of 3] Busan")]
    named = [
        GoGame(moves, None, "Yi", "Cho", event, site, "1991.02.03", "3", "1-0", {"KM": "5.5"})
        for event, site in names
    ]
    note = ((-1, 0, "DUPSTATUS\nEV[[exact copy of 8] is no mark"),)
    write_go_database(Path("go.db3"), [named[0], *(game._replace(comments=note) for game in named)])
    assert command("dedup", "go.db3", "-q", "--no-merge", "--keep", "first").status == 0
    copies = "SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NOT NULL ORDER BY ID"
    ids = [str(row[0]) for row in query("go.db3", copies)]
    assert len(ids) == 3
    assert command("export", "go.db3", "--duplicates", "copies.sgf", "-q").status == 0
    assert Path("copies.sgf").read_text().count(" copy of 1\\]") == 6
    document = Path(__file__).parents[2] / "docs" / "duplicates.md"
    (line,) = re.findall("^sed .* copies.sgf$", document.read_text(encoding="utf-8"), re.MULTILINE)
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    printed = command("printpgn", "go.db3", "-g", *ids).out
    printed = re.sub("^% game .*\n", "", printed, flags=re.MULTILINE)
    assert re.sub(r"(EV|PC)\[\]\n", "", done.stdout) == printed


def test_marks_come_off_again(command: Command, searched: str) -> None:
    sql = (
        "SELECT Events.Name, Sites.Name FROM FlaggedGames JOIN Events ON Events.ID = EventID "
        "JOIN Sites ON Sites.ID = SiteID WHERE DuplicateStatus IS NOT NULL"
    )
    expected = Counter((event or "?", site or "?") for event, site in query(searched, sql))
    command("export", searched, "--duplicates", "d.pgn")
    actual = Counter((MARK.sub("", h["Event"]), MARK.sub("", h["Site"])) for h in read("d.pgn"))
    assert actual == expected


def labels(path: str) -> Counter[str]:
    return Counter(headers["Label"] for headers in read(path))


@pytest.mark.parametrize("options", [[], ["--sort", "date"]])
def test_together_all_games_once(command: Command, searched: str, options: list[str]) -> None:
    status, out, err = command("export", searched, "-o", "g.pgn", "--duplicates", "d.pgn", *options)
    assert (status, err) == (0, "")
    every = value(searched, "SELECT count(*) FROM Games")
    number = len(copies(searched))
    assert out.splitlines() == [
        f"wrote {every - number} games to g.pgn; left out {number} duplicates",
        f"wrote {number} duplicates to d.pgn",
    ]
    expected = Counter(dict(content["ExtraTags"])["Label"] for content in contents(searched))
    assert labels("g.pgn") + labels("d.pgn") == expected


def test_deleted_copies_are_written_too(command: Command, searched: str) -> None:
    command("export", searched, "--duplicates", "before.pgn")
    command("dedup", searched, "--delete", "-q")
    number = value(searched, "SELECT count(*) FROM RemovedGames")
    assert number > 0
    out = command("export", searched, "-o", "g.pgn", "--duplicates", "d.pgn").out
    assert out.splitlines()[1] == (
        f"wrote {number} duplicates ({number} of them deleted earlier) to d.pgn"
    )
    assert Path("d.pgn").read_bytes() == Path("before.pgn").read_bytes()
    command("dedup", searched, "--purge", "-q")
    out = command("export", searched, "--duplicates", "d.pgn", "--force").out
    assert out == "wrote 0 duplicates to d.pgn\n"


def test_a_selection_holds_for_copies(command: Command, searched: str) -> None:
    condition = "DuplicateStatus = 'join' AND PlyCount > 20"
    number = value(searched, f"SELECT count(*) FROM FlaggedGames WHERE {condition}")
    assert 0 < number < len(copies(searched))
    out = command("export", searched, "--duplicates", "d.pgn", "--where", condition).out
    assert out == f"wrote {number} duplicates to d.pgn\n"


def test_annotations_and_form(command: Command, searched: str) -> None:
    command("export", searched, "--duplicates", "d.pgn")
    command("export", searched, "--duplicates", "bare.pgn", "--strip", "comments,variations,nags")
    assert "{" in Path("d.pgn").read_text(encoding="utf-8")
    assert "{" not in Path("bare.pgn").read_text(encoding="utf-8")


def test_marks_of_another_database(command: Command, searched: str) -> None:
    """Tags from an imported file of duplicates are replaced, since a game has each tag once."""
    tags = {"DuplicateStatus": "join", "DuplicateGroup": "99999"}
    Path("more.pgn").write_text(game("1. e4 e5 *", **tags) * 2)
    command("create", "b.db3", "more.pgn", "-q")
    flag("b.db3", 2, "exact", 1)
    out = command("export", "b.db3", "--duplicates", "-", "-q").out
    assert out.count("[DuplicateStatus ") == 1
    assert '[DuplicateStatus "exact"]\n[DuplicateGroup "1"]' in out
    assert '[Site "[exact copy of 1] ?"]' in out


def test_to_standard_output(command: Command, searched: str) -> None:
    command("export", searched, "--duplicates", "d.pgn")
    _, out, err = command("export", searched, "-o", "g.pgn", "--duplicates", "-")
    assert out == Path("d.pgn").read_text(encoding="utf-8")
    assert "wrote " in err


def test_nothing_is_overwritten(command: Command, searched: str) -> None:
    Path("d.pgn").write_bytes(b"dear")
    status, _, err = command("export", searched, "-o", "g.pgn", "--duplicates", "d.pgn")
    assert status == 2
    assert "d.pgn: already exists" in err
    assert not Path("g.pgn").exists()
    assert Path("d.pgn").read_bytes() == b"dear"
