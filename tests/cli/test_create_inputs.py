"""create: every kind of input, whole or damaged."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import importlib
import io
import lzma
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from ocgdedup.files.inputs import SourceStream
from tests.support.command_line import Command
from tests.support.databases import dump, query, value
from tests.support.pgn_text import ILLEGAL_GAME, NO_GAME, THREE_GAMES, game, many_games

ROOT = Path(__file__).resolve().parents[2]
FAULT_LINE = ILLEGAL_GAME[: ILLEGAL_GAME.index("Ke5")].count("\n") + 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    return tmp_path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"in.pgn"}


def games(path: str) -> int:
    return int(value(path, "SELECT count(*) FROM Games"))


def zipped(*texts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, text in enumerate(texts, 1):
            archive.writestr(f"folder/part{number}.pgn", text)
        archive.writestr("readme.txt", NO_GAME)
    return buffer.getvalue()


def zstandard(text: bytes) -> bytes:
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    packed: bytes = importlib.import_module(module).compress(text)
    return packed


PACKED = {
    "x.pgn.gz": gzip.compress(THREE_GAMES.encode()),
    "x.pgn.bz2": bz2.compress(THREE_GAMES.encode()),
    "x.pgn.xz": lzma.compress(THREE_GAMES.encode()),
    "x.pgn.zst": zstandard(THREE_GAMES.encode()),
    "x.zip": zipped(THREE_GAMES),
}


@pytest.mark.parametrize("name", PACKED)
def test_compressed(command: Command, folder: Path, name: str) -> None:
    Path(name).write_bytes(PACKED[name])
    assert command("create", "a.db3", name).status == 0
    command("create", "plain.db3", "in.pgn")
    packed, plain = dump("a.db3"), dump("plain.db3")
    source, size, *rest = packed.pop("Sources")[0][1:]
    assert source == ("x.zip/folder/part1.pgn" if name == "x.zip" else name)
    assert (size, *rest) == plain.pop("Sources")[0][2:]  # of the text, not of the packed bytes
    assert packed == plain


def test_zip_of_several_files(command: Command, folder: Path) -> None:
    Path("x.zip").write_bytes(zipped(THREE_GAMES, ILLEGAL_GAME))
    status, _, err = command("create", "a.db3", "x.zip")
    assert status == 1
    assert err.startswith(f"x.zip/folder/part2.pgn:{FAULT_LINE}: game 1, after ply 2: ")
    assert query("a.db3", "SELECT SourceID, SourceNumber FROM Games") == [
        (1, 1), (1, 2), (1, 3), (2, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("packed", [THREE_GAMES.encode(), *PACKED.values()], ids=["", *PACKED])
def test_standard_input(command: Command, folder: Path, packed: bytes) -> None:
    assert command("create", "a.db3", "-", stdin=packed).status == 0
    assert games("a.db3") == 3
    assert value("a.db3", "SELECT Name FROM Sources").startswith("-")


def test_standard_input_only_once(command: Command, folder: Path) -> None:
    status, _, err = command("create", "a.db3", "-", "-", stdin=b"")
    assert status == 2
    assert "twice" in err


def test_folder(command: Command, folder: Path) -> None:
    (folder / "sub" / "deep").mkdir(parents=True)
    Path("sub/b.pgn").write_text(THREE_GAMES)
    Path("sub/deep/a.PGN.gz").write_bytes(PACKED["x.pgn.gz"])
    Path("sub/notes.txt").write_text(NO_GAME)
    assert command("create", "a.db3", "sub").status == 0
    assert games("a.db3") == 6
    names = query("a.db3", "SELECT Name FROM Sources ORDER BY ID")
    assert names == [("sub/b.pgn",), ("sub/deep/a.PGN.gz",)]


def test_files_of_a_folder_by_their_content(command: Command, folder: Path) -> None:
    """Games are read whatever the name; other files are named, with the advice for one of them."""
    (folder / "sub" / ".hidden").mkdir(parents=True)
    texts = {
        "a.pgn": THREE_GAMES.encode(),
        "b.txt": b"\xef\xbb\xbf% a remark\n\n" + THREE_GAMES.encode(),
        "c": THREE_GAMES.encode("utf-16"),
        "d.txt.gz": gzip.compress(THREE_GAMES.encode()),
    }
    other = {
        "mega.cbh": b"", "mega.cbg": b"\0", "my.si3": b"\0", "config": b'[core]\n\ta = "b"\n',
        "readme.md": b'Such as\n\n[Event "x"]\n\n1. e4 *\n', "e.docx": zipped("no game"),
        "f.gz": gzip.compress(b"text")[:9], ".hidden/g": b"", ".h": b"",
    }  # fmt: skip
    for name, content in (texts | other).items():
        Path("sub", name).write_bytes(content)
    os.mkfifo("sub/pipe")
    status, _, err = command("create", "a.db3", "sub", "--again")
    assert status == 0, err
    names = query("a.db3", "SELECT Name FROM Sources ORDER BY ID")
    assert names == [(f"sub/{name}",) for name in sorted(texts)]
    assert games("a.db3") == 12
    warning = next(line for line in err.splitlines() if "not read" in line)
    assert warning.startswith(
        "ocgdedup: warning: sub: not read, since not PGN or SGF: mega.cbg, mega.cbh, my.si3, "
        "config, e.docx, and 3 more; "
    )
    for name in ("mega.cbh", "my.si3"):
        single = command("create", "b.db3", f"sub/{name}")
        assert single.status == 2
        advice = single.err.partition(f"{name}: ")[2].rstrip()
        assert f"is {advice}" in warning
    assert "not read" not in command("create", "c.db3", "sub", "-q").err


def test_lists_in_a_folder_are_read(command: Command, folder: Path) -> None:
    (folder / "sub").mkdir()
    Path("sub/a.pgn").write_text(THREE_GAMES)
    shutil.copy(ROOT / "scripts" / "demo_games" / "spelling.ssp", "sub/spelling.ssp")
    words = ("run", "sub", "-o", "clean.pgn")
    assert "not read" not in command(*words, "--aliases", "sub/spelling.ssp").err
    Path("clean.db3").unlink()
    assert "sub: not read, since not PGN or SGF: spelling.ssp\n" in command(*words, "--force").err


def test_folder_without_pgn(command: Command, folder: Path) -> None:
    (folder / "sub").mkdir()
    status, _, err = command("create", "a.db3", "sub")
    assert status == 2
    assert "sub: no PGN or SGF file" in err
    assert "not read" not in err
    Path("sub/my.si3").touch()
    assert (
        "not PGN or SGF: my.si3; my.si3 is a database of an old version"
        in command("create", "a.db3", "sub").err
    )
    Path("sub/my.si3").unlink()
    assert files(folder) == {"sub"}


def test_inputs_keep_their_order(command: Command, folder: Path) -> None:
    Path("first.pgn").write_text(game("1. c4 *", Event="First"))
    Path("again.pgn").write_text(THREE_GAMES * 2)
    command("create", "a.db3", "in.pgn", "first.pgn", "again.pgn")
    assert query("a.db3", "SELECT Name FROM Sources ORDER BY ID") == [
        ("in.pgn",), ("first.pgn",), ("again.pgn",),
    ]  # fmt: skip
    assert value("a.db3", "SELECT SourceID FROM Games WHERE ID = 4") == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_truncated_gzip_keeps_the_games_before(command: Command, folder: Path, jobs: int) -> None:
    packed = gzip.compress(many_games(2000))
    Path("cut.pgn.gz").write_bytes(packed[: len(packed) * 2 // 3])
    status, _, err = command("create", "a.db3", "cut.pgn.gz", "in.pgn", "--jobs", jobs)
    assert status == 1
    assert err.startswith("ocgdedup: warning: cut.pgn.gz: ends in the middle")
    from_cut = value("a.db3", "SELECT count(*) FROM Games WHERE SourceID = 1")
    assert 500 < from_cut < 2000
    assert value("a.db3", "SELECT count(*) FROM Games WHERE SourceID = 2") == 3
    whole = query("a.db3", "SELECT DISTINCT PlyCount FROM Games WHERE ID < ?", from_cut)
    assert len(whole) == 1  # none but the last one is cut


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.pgn.gz", b"\x1f\x8b\x08"), ("x.pgn.xz", b"\0\1\2\3" * 9), ("x.zip", b"PK\x03\x04")],
)
def test_nothing_readable(command: Command, folder: Path, name: str, content: bytes) -> None:
    Path(name).write_bytes(content)
    status, out, err = command("create", "a.db3", name)
    assert (status, out) == (2, "")
    assert f"{name}: " in err
    assert files(folder) == {name}


def test_absent_input_is_found_before_any_work(command: Command, folder: Path) -> None:
    Path("a.db3").write_bytes(b"dear")
    status, out, err = command("create", "a.db3", "in.pgn", "absent.pgn", "--force")
    assert (status, out) == (2, "")
    assert "absent.pgn: cannot be opened: No such file or directory" in err
    assert Path("a.db3").read_bytes() == b"dear"


def test_absent_folder(command: Command, folder: Path) -> None:
    status, _, err = command("create", "absent/a.db3", "in.pgn")
    assert status == 2
    assert "absent/a.db3: " in err
    assert "no such folder" in err or "no folder" in err


def test_empty_file_is_a_database_without_games(command: Command, folder: Path) -> None:
    Path("empty.pgn").touch()
    status, out, _ = command("create", "a.db3", "empty.pgn")
    assert status == 0
    assert out.startswith("games: 0, read up to an error: 0, rejected texts: 0\nelapsed: ")


def test_names_that_are_no_utf8(command: Command, folder: Path) -> None:
    name = os.fsdecode(b"d\xe9j\xe0.pgn")
    Path(name).write_text(ILLEGAL_GAME)
    assert command("create", "a.db3", name, "-q").status == 1
    assert value("a.db3", "SELECT Name FROM Sources") == "d\ufffdj\ufffd.pgn"


def test_only_new_passes_over_what_was_loaded(command: Command, folder: Path) -> None:
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    Path("renamed.pgn.gz").write_bytes(gzip.compress(THREE_GAMES.encode()))
    Path("more.zip").write_bytes(zipped(THREE_GAMES, game("1. d4 d5 *")))
    before = games("a.db3")
    done = command("create", "--append", "--only-new", "a.db3", "renamed.pgn.gz", "more.zip")
    assert done.status == 0
    assert done.err == ""
    assert done.out.startswith("skipped 2 files: already imported\ngames: 1,")
    assert games("a.db3") == before + 1
    # Also the same bytes within one load.
    done = command("create", "b.db3", "--only-new", "in.pgn", "renamed.pgn.gz")
    assert games("b.db3") == before


def test_only_new_and_a_damaged_file(command: Command, folder: Path) -> None:
    packed = gzip.compress(THREE_GAMES.encode())
    Path("cut.pgn.gz").write_bytes(packed[: len(packed) * 2 // 3])
    arguments = ("create", "a.db3", "in.pgn", "cut.pgn.gz", "--only-new")
    assert command(*arguments).status == 1
    before = dump("a.db3")
    status, out, err = command(*arguments, "--append")
    assert status == 1
    assert out.startswith("skipped 2 files: already imported\n")
    assert err.startswith("ocgdedup: warning: cut.pgn.gz: ends in the middle")
    assert err.endswith("; the games before it were imported before\n")
    assert err.count("\n") == 1
    assert dump("a.db3") == before


def test_only_new_and_an_archive_damaged_between_its_members(
    command: Command, folder: Path
) -> None:
    packed = bytearray(zipped(THREE_GAMES, game("1. d4 d5 *"), game("1. c4 *")))
    second = packed.index(b"PK\3\4", 1)
    packed[second : second + 4] = b"oops"
    Path("bad.zip").write_bytes(packed)
    plain = command("create", "plain.db3", "bad.zip", "-q")
    done = command("create", "a.db3", "--only-new", "bad.zip", "-q")
    assert done.status == 1
    assert done.err == plain.err
    assert games("a.db3") == games("plain.db3") > 0
    again = command("create", "--append", "a.db3", "--only-new", "bad.zip", "-q")
    assert (again.status, again.err) == (1, done.err.replace("file: 3", "file: 0"))
    assert games("a.db3") == games("plain.db3")


def test_a_database_of_a_name_that_is_no_utf8(command: Command, folder: Path) -> None:
    name = os.fsdecode(b"odd\xe4.db3")
    message = (
        "ocgdedup: error: odd\ufffd.db3: SQLite cannot open a file whose path is not UTF-8; rename "
        "it, or the folder\n"
    )
    assert command("create", name, "in.pgn") == (2, "", message)
    assert files(folder) == set()
    Path(name).write_bytes(b"SQLite format 3\0")
    assert command("info", name) == (2, "", message)


def test_a_folder_of_a_name_that_is_not_utf8(command: Command, folder: Path) -> None:
    inner = folder / os.fsdecode(b"odd\xe4")
    inner.mkdir()
    os.chdir(inner)
    done = command("create", "a.db3", "../in.pgn")
    assert done.status == 2
    assert "a.db3: SQLite cannot open a file whose path is not UTF-8" in done.err
    assert list(inner.iterdir()) == []


def test_append_behind_the_last_number(command: Command, folder: Path) -> None:
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    with contextlib.closing(apsw.Connection("a.db3")) as connection:
        connection.execute("UPDATE Games SET ID = ? WHERE ID = 3", (2**63 - 1,))
    before = dump("a.db3")
    status, out, err = command("create", "--append", "--again", "a.db3", "in.pgn", "-q")
    assert (status, out) == (2, "")
    assert "no more rows can be added to Games, whose last ID is 9223372036854775807" in err
    assert dump("a.db3") == before


def test_what_cannot_be_read_in_a_folder_or_archive_is_told(command: Command, folder: Path) -> None:
    Path("some").mkdir()
    Path("some/gone.pgn").symlink_to("nowhere")
    inner = zipped(THREE_GAMES)
    with zipfile.ZipFile("some/z.zip", "w") as archive:
        archive.writestr("a.pgn", THREE_GAMES)
        archive.writestr("inner.zip", inner)
    status, _, err = command("create", "a.db3", "some")
    assert status == 1
    assert games("a.db3") == 3
    assert "gone.pgn: cannot be opened" in err
    assert "z.zip: holds archives, which were not read: inner.zip" in err


def test_a_device_is_not_overwritten(command: Command, folder: Path) -> None:
    os.mkfifo("pipe")
    assert "is not a regular file" in command("create", "pipe", "in.pgn", "--force").err
    assert Path("pipe").is_fifo()


@pytest.mark.parametrize("text", ["", "no game", "(;GM[2])"])
def test_rejects_of_sgf_without_a_game(command: Command, folder: Path, text: str) -> None:
    Path("a.sgf").write_text(text)
    command("create", "a.db3", "a.sgf")
    assert files(folder) == {"a.db3", "a.sgf"} | ({"a.rejects.sgf"} if text else set())


@pytest.mark.parametrize(
    "end", ["1-0", "1-0\n", "*", "1/2-1/2", "0-1 {a comment}", "1-0\r\n\r\n", ""]
)
def test_a_pgn_file_that_ends_as_one_does(command: Command, folder: Path, end: str) -> None:
    Path("end.pgn").write_text(f'{THREE_GAMES}[White "A"]\n\n1. e4 e5 {end}', newline="")
    assert "ends in the middle" not in command("create", "a.db3", "end.pgn").err


@pytest.mark.parametrize(
    "end", ["1. e4 e", "1. e4 e5 2. Nf3", '[Event "a', "1. e4 {a comm", "1. e4 e5 1-"]
)
def test_a_pgn_file_that_is_cut_is_told(command: Command, folder: Path, end: str) -> None:
    Path("cut.pgn").write_text(THREE_GAMES + '\n[White "A"]\n\n' + end)
    done = command("create", "a.db3", "cut.pgn")
    assert (
        "cut.pgn: ends in the middle of a line that has no result; if the file was cut" in done.err
    )
    assert value("a.db3", "SELECT count(*) FROM Games WHERE PlyCount > 2") >= 3 or done.status == 1


def append_to(path: Path) -> None:
    with path.open("a") as handle:
        handle.write(THREE_GAMES)


def replace(path: Path) -> None:
    Path("new").write_text(THREE_GAMES)
    os.replace("new", path)


@pytest.mark.parametrize("change", [append_to, lambda path: os.truncate(path, 1000), replace])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_changes_while_it_is_read(
    command: Command,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Path], None],
    jobs: int,
) -> None:
    """The database never has the hash of bytes that were not read, so the next run reads more."""
    read = b""
    path = Path("big.pgn")
    path.write_bytes(many_games(5000))
    size = path.stat().st_size
    real = SourceStream.read

    def read_and_change(self: SourceStream, size_bytes: int) -> bytes:
        nonlocal read
        block = real(self, size_bytes)
        if not read:
            change(path)
        read += block
        return block

    with monkeypatch.context() as patch:
        patch.setattr(SourceStream, "read", read_and_change)
        done = command("create", "a.db3", "big.pgn", "--jobs", jobs)
    assert done.status == 1
    assert done.err.count("big.pgn: changed while it was read; some of its games may be") == 1
    expected = [(len(read), hashlib.sha256(read).hexdigest())]
    assert query("a.db3", "SELECT Size, SHA256 FROM Sources") == expected
    assert command("check", "a.db3").status == 0
    again = command("create", "a.db3", "big.pgn", "--append", "--only-new", "-q")
    assert again.status == 0
    skipped = hashlib.sha256(path.read_bytes()).hexdigest() == expected[0][1]
    assert value("a.db3", "SELECT count(*) FROM Sources") == (1 if skipped else 2)
    assert len(read) == size or change is not replace
