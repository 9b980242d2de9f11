"""Scid databases as inputs: read as what Scid itself exports, whole or damaged."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from ocgdedup.errors import PgnReadError
from ocgdedup.files.inputs import InputFile, SourceStream, open_sources
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.game_content import Content, contents, differences
from tests.support.pgn_text import THREE_GAMES
from tests.support.scid_files import CORPUS, ENTRY_BYTES, HEADER_BYTES, copy_si4, write_si5

TKSCID = shutil.which("tkscid", path=f"{os.environ.get('PATH', '')}:/usr/games")
DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo_games"
IMPORT = "set n [sc_base create SCID4 my]\nsc_base import $n in.pgn\nsc_base close $n\n"
EXPORT = """set n [sc_base open SCID4 my]
sc_base switch $n
for {set i 1} {$i <= [sc_base numGames $n]} {incr i} {
    sc_game load $i
    puts [sc_game pgn -tags 1 -comments 1 -var 1 -width 75]
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    copy_si4(tmp_path)
    return tmp_path


def _without_free_blanks(text: str) -> str:
    """Return a variation or comment without blanks that programs may or may not write."""
    return re.sub(r"(?<=\.) +| *([(){}]) *", r"\1", " ".join(text.split()))


def content(path: str) -> list[Content]:
    """Return the games but for blanks and the order of tags; Scid's export has no flags."""
    games = contents(path)
    for game in games:
        tags = dict(game["ExtraTags"] or ())
        tags.pop("ScidFlags", None)
        game["ExtraTags"] = sorted(tags.items())
        for notes in ("Comments", "Annotations"):
            game[notes] = sorted(
                repr((*row[:-1], _without_free_blanks(row[-1] or "")))
                for row in game.get(notes, ())
            )
    return games


def test_reads_what_scid_exports(command: Command, folder: Path) -> None:
    assert command("create", "a.db3", "my.si4").status == 0
    assert command("create", "b.db3", CORPUS / "export.pgn").status == 0
    assert differences(content("a.db3"), content("b.db3")) == []
    assert len(content("a.db3")) == 5
    assert query("a.db3", "SELECT Name FROM Sources") == [("my.si4",)]


def test_flags_of_scid(command: Command, folder: Path) -> None:
    command("create", "a.db3", "my.si4")
    sql = "SELECT ID, json_extract(ExtraTags, '$.ScidFlags') FROM Games"
    assert dict(query("a.db3", sql)) == {1: "DW!36", 2: None, 3: None, 4: None, 5: "D"}


def test_all_commands_read_them(command: Command, folder: Path) -> None:
    command("create", "a.db3", "my.si4")
    assert command("compare", "a.db3", "my.si4").status == 0
    assert command("compare", "my.si4", CORPUS / "export.pgn").status == 0
    assert command("run", "my.si4", "-o", "clean.pgn").status == 0
    again = command("create", "a.db3", "my.si4")
    assert again.status == 0
    assert "already" in again.out + again.err
    assert command("create", "--append", "a.db3", "my.si4", "--only-new").out.startswith("skipped")
    assert value("a.db3", "SELECT count(*) FROM Games") == 5


def run_tkscid(script: str) -> bytes:
    Path("script.tcl").write_text(script)
    assert TKSCID is not None
    done = subprocess.run([TKSCID, "script.tcl"], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(TKSCID is None, reason="tkscid of Debian's package scid is not installed")
@pytest.mark.parametrize("source", ["demo", "annotated"])
def test_equals_the_export_of_the_installed_scid(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = sorted(DEMO.glob("*.pgn")) if source == "demo" else [CORPUS / "annotated.pgn"]
    Path("in.pgn").write_bytes(b"\n\n".join(path.read_bytes() for path in paths))
    run_tkscid(IMPORT)
    Path("export.pgn").write_bytes(run_tkscid(EXPORT))
    command("create", "a.db3", "my.si4", "-q")
    command("create", "b.db3", "export.pgn", "-q")
    assert differences(content("a.db3"), content("b.db3")) == []
    assert content("a.db3")
    if source == "annotated":
        for ending in ("si4", "sn4", "sg4"):
            expected = (CORPUS / f"annotated.{ending}").read_bytes()
            assert Path(f"my.{ending}").read_bytes() == expected


def test_data_that_lie_apart(command: Command, folder: Path) -> None:
    """Scid appends the data of a changed game at the end of its file."""
    command("create", "a.db3", "my.si4", "-q")
    index, data = Path("my.si4").read_bytes(), Path("my.sg4").read_bytes()
    at = HEADER_BYTES + 2 * ENTRY_BYTES
    place = int.from_bytes(index[at : at + 4]) + (2 << 20)
    Path("my.si4").write_bytes(index[:at] + place.to_bytes(4) + index[at + 4 :])
    Path("my.sg4").write_bytes(data.ljust(2 << 20, b"\xff") + data)
    assert command("create", "b.db3", "my.si4").status == 0
    assert contents("b.db3") == contents("a.db3")


# --- si5 ------------------------------------------------------------------------------------------


def test_si5(command: Command, folder: Path) -> None:
    write_si5(folder / "my.si4")
    for name in ("my.si4", "my.si5"):
        assert command("create", f"{name}.db3", name).status == 0
    assert contents("my.si5.db3") == contents("my.si4.db3")


def test_chess960_of_si5(command: Command, folder: Path) -> None:
    """Castling names the side, whatever the squares; the flag becomes the Variant tag."""
    fen = b"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"
    # The numbers of a FEN: h2 has 7, h1 15; the king on f1 exchanges 13 with the a2 pawn's 0.
    moves = bytes([0x4F, 0xCF, 0xF7, 0x71, 0x0A, 0x0A, 15])
    first = bytearray((folder / "my.si4").read_bytes()[: HEADER_BYTES + ENTRY_BYTES])
    data = b"\0\1" + fen + b"\0" + moves
    first[HEADER_BYTES + 4 : HEADER_BYTES + 7] = bytes([0, len(data), 0])
    Path("my.si4").write_bytes(first)
    Path("my.sg4").write_bytes(data)
    write_si5(folder / "my.si4", chess960=[0])
    assert command("create", "a.db3", "my.si5").status == 0
    assert value("a.db3", "SELECT json_extract(ExtraTags, '$.Variant') FROM Games") == "Chess960"
    assert command("export", "a.db3", "-o", "out.pgn", "-q").status == 0
    movetext = Path("out.pgn").read_text().split("\n\n")[1].strip()
    assert movetext == "1. e4 e5 2. Ng3 Ng6 3. O-O O-O 1-0"


# --- damage ---------------------------------------------------------------------------------------


def _read_all(stream: SourceStream) -> None:
    while stream.read(1 << 20):
        pass


@pytest.mark.parametrize("ending", ["sn4", "sg4"])
def test_a_missing_file(command: Command, folder: Path, ending: str) -> None:
    Path(f"my.{ending}").unlink()
    status, _, err = command("create", "a.db3", "my.si4")
    assert status == 2
    assert err == (
        f"ocgdedup: error: my.si4: a Scid database has three files, but my.{ending} cannot be "
        "opened: No such file or directory; copy it to the same folder\n"
    )
    (folder / "sub").mkdir()
    Path("sub/a.pgn").write_text(THREE_GAMES)
    shutil.copy("my.si4", "sub")
    status, _, err = command("create", "a.db3", "sub")  # the others are read
    assert status == 1
    assert "sub/my.si4: a Scid database has three files" in err
    assert value("a.db3", "SELECT count(*) FROM Games") == 3


def test_another_file_of_the_database(command: Command, folder: Path) -> None:
    for name in ("my.sn4", "my.sg4"):
        status, _, err = command("create", "a.db3", name)
        assert status == 2
        assert f"{name}: a part of a Scid database; give the file .si4" in err


def test_upper_case(command: Command, folder: Path) -> None:
    for ending in ("si4", "sn4", "sg4"):
        Path(f"my.{ending}").rename(f"MY.{ending.upper()}")
    assert command("create", "a.db3", "MY.SI4").status == 0


def test_truncated_games_keep_what_is_there(command: Command, folder: Path) -> None:
    whole = Path("my.sg4").read_bytes()
    at = whole.index(b"Before the game") - 8  # within the moves of game 1
    Path("my.sg4").write_bytes(whole[:at])
    status, out, err = command("create", "a.db3", "my.si4")
    assert status == 1
    assert "games: 5, read up to an error: 5," in out
    assert "my.si4:" in err
    assert value("a.db3", "SELECT PlyCount FROM Games WHERE ID = 1") == 4
    names = "SELECT Name FROM Players JOIN Games ON Players.ID = BlackID ORDER BY Games.ID"
    assert query("a.db3", names) == [("Weiß, Otto",), ("B",), ("A",), ("D",), ("Y",)]


def test_a_truncated_index(command: Command, folder: Path) -> None:
    whole = Path("my.si4").read_bytes()
    Path("my.si4").write_bytes(whole[: HEADER_BYTES + 2 * ENTRY_BYTES + 20])
    status, out, err = command("create", "a.db3", "my.si4")
    assert status == 1
    assert "games: 2," in out
    assert "my.si4: has 2 of the 5 games that its header promises; copy the database again" in err


def test_damaged_names(command: Command, folder: Path) -> None:
    whole = Path("my.sn4").read_bytes()
    for text in (whole[:60], b"", b"x" * 100, whole[:12] + b"\xff" * 12 + whole[24:]):
        Path("my.sn4").write_bytes(text)
        status, _, err = command("create", "a.db3", "my.si4")
        assert status == 2
        assert "my.sn4: the names of the Scid database are damaged at byte" in err
    write_si5(copy_si4(folder))
    for text in (b"\x80" * 100, b"\xff\x01", b"\x07"):
        Path("my.sn5").write_bytes(text)
        assert "my.sn5: the names" in command("create", "a.db3", "my.si5").err


def test_a_name_that_is_not_there(command: Command, folder: Path) -> None:
    index = bytearray(Path("my.si4").read_bytes())
    index[HEADER_BYTES + 10 : HEADER_BYTES + 12] = b"\xff\xff"
    Path("my.si4").write_bytes(index)
    status, _, err = command("create", "a.db3", "my.si4")
    assert status == 1
    assert 'my.si4: 1 name of games are not in the file of names and were read as "?"' in err
    assert value("a.db3", "SELECT count(*) FROM Games") == 5


def _read_all(stream: SourceStream) -> None:
    while stream.read(1 << 20):
        pass


@pytest.mark.parametrize("ending", ["sn4", "sg4"])
@pytest.mark.parametrize("is_removed", [True, False])
def test_a_change_while_it_is_read(folder: Path, ending: str, is_removed: bool) -> None:
    streams = open_sources(InputFile("my.si4", None))
    stream = next(streams)
    path = Path(f"my.{ending}")
    if is_removed:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(PgnReadError, match=r"^my\.si4: changed while it was read; copy"):
        _read_all(stream)
    assert stream.size_bytes > 1000


def test_another_version_or_content(command: Command, folder: Path) -> None:
    index = bytearray(Path("my.si4").read_bytes())
    index[8:10] = (300).to_bytes(2)
    Path("my.si4").write_bytes(index)
    assert "my.si4: version 300 of Scid's format" in command("create", "a.db3", "my.si4").err
    Path("my.si4").write_bytes(b"no index")
    assert "is not the index of a Scid database" in command("create", "a.db3", "my.si4").err


def test_an_illegal_move_ends_the_moves(command: Command, folder: Path) -> None:
    data = bytearray(Path("my.sg4").read_bytes())
    at = data.index(bytes([0xCF, 0xBF]))  # game 4
    cases = {
        0x1B: "illegal move Ra1a4",
        0xDD: "unreadable move ???",  # a promotion on the third rank
        0x09: "illegal move O-O-O",
    }
    for byte, message in cases.items():
        data[at] = byte
        Path("my.sg4").write_bytes(data)
        status, out, err = command("create", "a.db3", "my.si4", "--force")
        assert status == 1
        assert "read up to an error: 1" in out
        assert f"game 4, after ply 0: {message}" in err


def test_comments_that_braces_cannot_hold(command: Command, folder: Path) -> None:
    texts = {
        b"Before the game": b"a } b { c [x]\0y",
        b"the end": b"\n[Event ",
    }
    data = Path("my.sg4").read_bytes()
    for old, new in texts.items():
        data = data.replace(old, new[: len(old)])
    Path("my.sg4").write_bytes(data)
    assert command("create", "a.db3", "my.si4").status == 0
    comments = [text for (text,) in query("a.db3", "SELECT Comment FROM Comments WHERE GameID = 1")]
    assert "a } b { c [x]" in comments
    assert value("a.db3", "SELECT count(*) FROM Games") == 5


@pytest.mark.parametrize("seed", range(3))
def test_any_bytes_are_read(command: Command, folder: Path, seed: int) -> None:
    """Whatever the data, each entry stays a game, with its names."""
    chance = random.Random(seed)
    whole = Path("my.sg4").read_bytes()
    for _ in range(20):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 5, 100])):
            data[chance.randrange(len(data))] = chance.choice([0, 11, 12, 13, 14, 15, 63, 255])
        Path("my.sg4").write_bytes(data)
        outcome = command("create", "a.db3", "my.si4", "--force", "-q")
        assert outcome.status in (0, 1), outcome
        assert value("a.db3", "SELECT count(*) FROM Games") == 5
        assert json.loads(command("info", "a.db3", "--json").out)


# --- folders and archives -------------------------------------------------------------------------


def test_a_folder_and_an_archive(command: Command, folder: Path) -> None:
    (folder / "sub").mkdir()
    copy_si4(folder / "sub")
    status, _, err = command("create", "a.db3", "sub")
    assert (status, err) == (0, "")
    with zipfile.ZipFile("x.zip", "w") as archive:
        archive.write("my.si4")
        archive.writestr("a.pgn", THREE_GAMES)
    status, _, err = command("create", "b.db3", "x.zip")
    assert status == 1
    assert "x.zip: holds files that were not read; my.si4 is the index of a Scid database" in err
    assert value("b.db3", "SELECT count(*) FROM Games") == 3
