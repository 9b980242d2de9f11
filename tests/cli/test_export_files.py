"""export: compressed files and files of N games; nothing is overwritten unasked."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import sys
from pathlib import Path

import pytest

from ocgdedup.commands import export, export_tables
from tests.support.command_line import Command
from tests.support.databases import change
from tests.support.pgn_text import game

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
GAMES = 7


@pytest.fixture
def database(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    texts = [game("1. e4 {Å} *", Round=str(number)) for number in range(GAMES)]
    Path("in.pgn").write_text("".join(texts), encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def files() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"in.pgn", "a.db3"}


@pytest.mark.parametrize(
    ("name", "decompress"),
    [
        ("x.pgn.gz", gzip.decompress),
        ("x.pgn.bz2", bz2.decompress),
        ("x.pgn.xz", lzma.decompress),
        ("X.PGN.ZST", lambda data: importlib.import_module(ZSTD).decompress(data)),
    ],
)
def test_compressed_by_name(command: Command, database: str, name: str, decompress) -> None:
    plain = command("export", database, "-o", "-").out
    assert command("export", database, "-o", name).out == f"wrote 7 games to {name}\n"
    assert decompress(Path(name).read_bytes()).decode() == plain
    assert files() == {name}
    first = Path(name).read_bytes()
    command("export", database, "-o", name, "--force")
    assert Path(name).read_bytes() == first  # no time of day in it
    command("create", "b.db3", name, "-q")
    assert command("export", "b.db3", "-o", "-").out == plain


def test_archives_are_not_written(command: Command, database: str) -> None:
    status, out, err = command("export", database, "-o", "out.pgn.zip")
    assert (status, out) == (2, "")
    assert ".gz, .bz2, .xz, .zst" in err
    assert files() == set()


@pytest.mark.parametrize(("size", "parts"), [(3, [3, 3, 1]), (7, [7]), (1, [1] * 7), (100, [7])])
def test_split(command: Command, database: str, size: int, parts: list[int]) -> None:
    plain = command("export", database, "-o", "-").out
    out = command("export", database, "-o", "x.y.pgn", "--split", size).out
    names = [f"x.y-{number:03}.pgn" for number in range(1, len(parts) + 1)]
    assert files() == set(names)
    texts = [Path(name).read_text(encoding="utf-8") for name in names]
    assert [text.count("[Event ") for text in texts] == parts
    assert "".join(texts) == plain
    if len(parts) > 1:
        assert out == f"wrote 7 games to {len(parts)} files, {names[0]} to {names[-1]}\n"
    else:
        assert out == f"wrote 7 games to {names[0]}\n"


def test_split_in_another_folder_compressed(command: Command, database: str) -> None:
    Path("sub").mkdir()
    command("export", database, "-o", "sub/x.pgn.gz", "--split", "4", "--sort", "date")
    names = sorted(path.name for path in Path("sub").iterdir())
    assert names == ["x-001.pgn.gz", "x-002.pgn.gz"]
    assert gzip.decompress(Path("sub", names[1]).read_bytes()).count(b"[Event ") == 3


def test_numbers_are_as_wide_as_needed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(game("1. e4 *") * 1001)
    command("create", "a.db3", "in.pgn", "-q")
    command("export", "a.db3", "-o", "x", "--split", "1")
    assert len(files()) == 1001
    assert {"x-0001", "x-1001"} <= files()


def test_no_games_are_one_empty_part(command: Command, database: str) -> None:
    command("export", database, "-o", "x.pgn", "--split", "5", "--where", "0")
    assert files() == {"x-001.pgn"}
    assert Path("x-001.pgn").read_bytes() == b""


@pytest.mark.parametrize("existing", ["x-001.pgn", "x-005.pgn", "x-1234.pgn"])
def test_existing_parts_are_not_overwritten(command: Command, database: str, existing: str) -> None:
    Path(existing).write_bytes(b"dear")
    status, out, err = command("export", database, "-o", "x.pgn", "--split", "3")
    assert (status, out) == (2, "")
    assert f"{existing}: already exists; overwrite it with --force" in err
    assert files() == {existing}
    assert Path(existing).read_bytes() == b"dear"


@pytest.mark.parametrize(
    "options", ["-o x.pgn --split 3", "-o x.pgn", "-o y.pgn --duplicates x.pgn", "-o x.csv"]
)
def test_a_file_made_meanwhile_is_not_replaced(
    command: Command, database: str, options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run may make the file between the first look and the writing."""
    for module in (export, export_tables):
        monkeypatch.setattr(module, "check_free", made_meanwhile)
    monkeypatch.setattr(export, "_check_parts", lambda *_: made_meanwhile("x-002.pgn"))
    status, out, err = command("export", database, *options.split())
    assert (status, out) == (2, "")
    assert "already exists; overwrite it with --force" in err
    assert {Path(name).read_bytes() for name in files()} == {b"dear"}


def made_meanwhile(path: str, **_: object) -> None:
    if path.startswith("x"):
        Path(path).write_bytes(b"dear")


def test_force_leaves_other_parts_and_says_so(command: Command, database: str) -> None:
    for number in range(1, 6):
        Path(f"x-{number:03}.pgn").write_bytes(b"dear")
    Path("x-12.pgn").write_bytes(b"no part")
    err = command("export", database, "-o", "x.pgn", "--split", "3", "--force").err
    assert "x-004.pgn: is left over from an earlier export, and 1 more such files" in err
    assert Path("x-003.pgn").read_bytes() != b"dear"
    assert Path("x-005.pgn").read_bytes() == b"dear"


def test_other_names_do_not_stop_a_split(command: Command, database: str) -> None:
    for name in ("x.pgn", "x-01.pgn", "x-001.pgn.gz", "xx-001.pgn", "x-001a.pgn"):
        Path(name).write_bytes(b"dear")
    assert command("export", database, "-o", "x.pgn", "--split", "7").status == 0
    assert Path("x.pgn").read_bytes() == b"dear"


def test_a_database_is_not_a_part(command: Command, database: str) -> None:
    Path("x-001.pgn").write_bytes(Path(database).read_bytes())
    status, _, err = command("export", database, "-o", "x.pgn", "--split", "3", "--force")
    assert status == 2
    assert "x-001.pgn: is a database" in err


def test_failure_in_the_last_part_leaves_none(command: Command, database: str) -> None:
    change(database, "UPDATE Games SET Moves2 = x'ffff' WHERE ID = 7")
    Path("x-001.pgn").write_bytes(b"dear")
    status, _, err = command(
        "export", database, "-o", "x.pgn", "--split", "2", "--force", "--duplicates", "d.pgn"
    )
    assert status == 2
    assert "game 7" in err
    assert files() == {"x-001.pgn"}
    assert Path("x-001.pgn").read_bytes() == b"dear"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "-", "--split", "3"], "--split writes files"),
        (["--duplicates", "d.pgn", "--split", "3"], "--split writes files"),
        (["-o", "x.pgn", "--split", "0"], "must be 1 or more"),
        (["-o", "/dev/null", "--split", "3"], "is not a file"),
        (["-o", "x.pgn", "--duplicates", "x.pgn"], "is named twice"),
        (["-o", "x.pgn", "--split", "3", "--duplicates", "./x-001.pgn"], "could be a part"),
        (["-o", "-", "--duplicates", "-"], "cannot both be standard output"),
        ([], "-o/--output"),
    ],
)
def test_usage(command: Command, database: str, options: list[str], message: str) -> None:
    status, out, err = command("export", database, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert files() == set()
