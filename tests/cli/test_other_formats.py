"""7-Zip and RAR archives, and formats that are named with advice instead of being read."""

from __future__ import annotations

import sys
import zipfile
import zlib
from pathlib import Path

import pytest

from ocgdedup.errors import UsageError
from ocgdedup.files.library_archives import require_library
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.pgn_text import THREE_GAMES, game

POSITION = "r3k2r/1P6/8/8/8/8/p6P/R3K2R b KQkq - 4 17"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    return tmp_path


def _number(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _block(content: bytes) -> bytes:
    sized = _number(len(content)) + content
    return zlib.crc32(sized).to_bytes(4, "little") + sized


def rar(**members: bytes) -> bytes:
    """Return a RAR archive (version 5) of members that are not compressed."""
    out = b"Rar!\x1a\x07\x01\x00" + _block(b"\1\0\0")
    for name, text in members.items():
        size, crc = _number(len(text)), zlib.crc32(text).to_bytes(4, "little")
        path = f"{name}.pgn".encode()
        mode = _number(0o100644)
        file = b"\2\2" + size + b"\4" + size + mode + crc + b"\0\1" + _number(len(path)) + path
        out += _block(file) + text
    return out + _block(b"\5\0\0")


def need_library() -> None:
    try:
        require_library("x.7z")
    except UsageError:
        pytest.skip("no libarchive; on Debian: apt-get install libarchive13")


def seven_zip(path: str, **members: bytes) -> bytes:
    import libarchive

    with libarchive.file_writer(path, "7zip") as archive:
        for name, text in members.items():
            archive.add_file_from_memory(f"{name}.pgn", len(text), text)
    return Path(path).read_bytes()


def packed(kind: str, **members: bytes) -> bytes:
    need_library()
    return rar(**members) if kind == "rar" else seven_zip("made.7z", **members)


@pytest.mark.parametrize("kind", ["7z", "rar"])
def test_members_are_read(command: Command, folder: Path, kind: str) -> None:
    second = game("1. d4 d5 *").encode("utf-16")
    text = packed(kind, a=THREE_GAMES.encode(), b=second)
    Path(f"sub/x.{kind}").write_bytes(text)
    for name in (f"sub/x.{kind}", "sub"):
        status, _, err = command("create", "a.db3", name, "--force")
        assert (status, err) == (0, "")
        names = query("a.db3", "SELECT Name FROM Sources ORDER BY ID")
        assert names == [(f"sub/x.{kind}/a.pgn",), (f"sub/x.{kind}/b.pgn",)]
        assert value("a.db3", "SELECT count(*) FROM Games") == 4


@pytest.mark.parametrize("kind", ["7z", "rar"])
def test_content_not_the_name(command: Command, folder: Path, kind: str) -> None:
    Path("x.pgn").write_bytes(packed(kind, a=THREE_GAMES.encode()))
    assert command("create", "a.db3", "x.pgn").status == 0
    Path(f"y.{kind}").write_text(THREE_GAMES)
    assert command("create", "b.db3", f"y.{kind}").status == 0
    assert value("b.db3", "SELECT count(*) FROM Games") == 3


def test_a_truncated_archive_keeps_what_is_there(command: Command, folder: Path) -> None:
    text = packed("rar", a=THREE_GAMES.encode(), b=THREE_GAMES.encode())
    Path("x.rar").write_bytes(text[: -len(THREE_GAMES) // 2])
    status, _, err = command("create", "a.db3", "x.rar")
    assert status == 1
    assert "x.rar/b.pgn: the RAR archive cannot be read from here on" in err
    assert value("a.db3", "SELECT count(*) FROM Games WHERE SourceID = 1") == 3
    Path("x.7z").write_bytes(packed("7z", a=THREE_GAMES.encode())[:-9])
    status, _, err = command("create", "b.db3", "x.7z")
    assert status == 2
    assert "x.7z: the 7-Zip archive cannot be read from here on" in err


def test_archives_need_a_file_and_games(command: Command, folder: Path) -> None:
    text = packed("rar", a=THREE_GAMES.encode())
    status, _, err = command("create", "a.db3", "-", stdin=text)
    assert status == 2
    assert "is a RAR archive; give a file, not a pipe" in err
    Path("x.rar").write_bytes(rar())
    status, _, err = command("create", "a.db3", "x.rar")
    assert "no member of this RAR archive ends in .pgn" in err


def test_without_the_extra(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libarchive", None)
    advice = (
        "7-Zip and RAR archives need the extra 'archives': pip install 'ocgdedup[archives]', and "
        "the library libarchive of your system; or unpack it and give the files"
    )
    Path("sub/x.rar").write_bytes(rar(a=THREE_GAMES.encode()))
    Path("sub/a.pgn").write_text(THREE_GAMES)
    done = command("create", "a.db3", "sub/x.rar")
    assert done == (2, "", f"ocgdedup: error: sub/x.rar: {advice}\n")
    status, _, err = command("create", "a.db3", "sub")
    assert status == 1
    assert err.count("\n") == 1
    assert f"sub/x.rar: {advice}" in err
    assert value("a.db3", "SELECT count(*) FROM Games") == 3


# --- formats that are not read --------------------------------------------------------------------

BINARY = {
    "mega.cbh": (b"\0\0\x2c\0\x2e\1", "a ChessBase database; export it"),
    "mega.cbv": (b"\1\2\3", "an archive of a ChessBase database"),
    "old.cbf": (b"\0", "a ChessBase database"),
    "old.si3": (b"Scid.si\0\1\x2c", "a database of an old version of Scid"),
    "book.ctg": (b"\0" * 32, "a book of ChessBase"),
    "book.bin": (b"\0\1\2\3" * 4, "a Polyglot book"),
    "book.abk": (b"\x03ABK" + b"\0" * 9, "a book of Arena"),
    "games.mdb": (b"\0\1\0\0Standard Jet DB\0", "a database of Microsoft Access"),
    "games.pgc": (b"\5\1\2", "a compressed form of PGN"),
    "test.epd": (f"{POSITION} bm Ra1;\n".encode(), "a list of positions, not of games"),
    "test.fen": (f"\ufeff{POSITION}\r\n".encode(), "a list of positions, not of games"),
    "any.dat": (b"\0\1\0\0Standard ACE DB\0", "a database of Microsoft Access"),
    "any.pgn": (b"Scid.si\0\1\x90", "the index of a Scid database"),
}


@pytest.mark.parametrize("name", BINARY)
def test_a_named_file(command: Command, folder: Path, name: str) -> None:
    content, advice = BINARY[name]
    Path(name).write_bytes(content)
    status, out, err = command("create", "a.db3", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"ocgdedup: error: {name}: {advice}")
    assert err.count("\n") == 1
    assert {path.name for path in folder.iterdir()} == {name, "sub"}


@pytest.mark.parametrize("name", [name for name in BINARY if not name.startswith("any")])
def test_in_a_folder_and_an_archive(command: Command, folder: Path, name: str) -> None:
    content, advice = BINARY[name]
    Path("sub/a.pgn").write_text(THREE_GAMES)
    Path("sub", name).write_bytes(content)
    status, _, err = command("create", "a.db3", "sub")
    assert status == 0
    assert err.startswith(f"ocgdedup: warning: sub: not read, since not PGN or SGF: {name}; {name}")
    assert err.count("\n") == 1
    assert advice.partition(" ")[2] in err
    with zipfile.ZipFile("x.zip", "w") as archive:
        archive.write("sub/a.pgn")
        archive.write(f"sub/{name}")
    status, _, err = command("create", "b.db3", "x.zip")
    assert status == 1
    assert f"x.zip: holds files that were not read; sub/{name} is " in err
    for database in ("a.db3", "b.db3"):
        assert value(database, "SELECT count(*) FROM Games") == 3


@pytest.mark.parametrize("name", BINARY)
def test_games_count_more_than_the_name(command: Command, folder: Path, name: str) -> None:
    Path(name).write_text(THREE_GAMES)
    assert command("create", "a.db3", name).status == 0
    assert value("a.db3", "SELECT count(*) FROM Games") == 3
