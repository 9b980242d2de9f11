"""No output is an input, a database, its journal or a temporary file, whatever the names are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, dump, is_sound, value
from tests.support.persons import living, write_list
from tests.support.pgn_text import NO_GAME, THREE_GAMES


def unchanged(path: str, before: bytes) -> bool:
    return Path(path).read_bytes() == before


def test_a_database_of_a_name_as_temporary_files_once_had(command: Command, made: str) -> None:
    os.rename(made, "e.pgn.partial")
    before = Path("e.pgn.partial").read_bytes()
    assert command("export", "e.pgn.partial", "-o", "e.pgn").status == 0
    assert unchanged("e.pgn.partial", before)
    assert Path("e.pgn").stat().st_size > 0


def test_an_input_of_such_a_name(command: Command, made: str) -> None:
    Path("g.db3.partial").write_text(THREE_GAMES)
    Path("g.db3.partial.lock").write_text("mine")
    assert command("create", "g.db3", "g.db3.partial").status == 0
    assert Path("g.db3.partial").read_text() == THREE_GAMES
    assert Path("g.db3.partial.lock").read_text() == "mine"


def test_rejects_of_such_a_name(command: Command, made: str) -> None:
    Path("in.pgn").write_text(NO_GAME + THREE_GAMES)
    assert command("create", "m.db3", "in.pgn", "--rejects", "m.db3.partial").status == 1
    assert is_sound("m.db3")
    assert len(dump("m.db3")["Games"]) == 3
    assert NO_GAME.strip() in Path("m.db3.partial").read_text()


def test_a_link_beside_the_output_is_not_followed(command: Command, made: str) -> None:
    Path("mine").write_text("dear")
    Path("o.pgn.partial").symlink_to("mine")
    assert command("export", made, "-o", "o.pgn").status == 0
    assert Path("mine").read_text() == "dear"
    assert Path("o.pgn.partial").is_symlink()


@pytest.mark.parametrize("kind", ["rejects", "more rejects", "report of run", "file"])
@pytest.mark.parametrize("temporary", ["notes.txt", ".mine.ocgdedup-0123456789abcdef.tmp"])
@pytest.mark.parametrize("target", ["mine", "sub/new"])
def test_a_database_of_somebody_else_moves_no_file(
    command: Command, made: str, kind: str, temporary: str, target: str
) -> None:
    Path("sub").mkdir()
    Path("mine").write_text("dear")
    Path(temporary).write_text("evil")
    change(
        made,
        "INSERT INTO UnpublishedFiles (Kind, TemporaryName, Name, Size, SHA256) "
        "VALUES (?, CAST(? AS BLOB), CAST(? AS BLOB), 4, '')",
        kind, temporary, target,
    )  # fmt: skip
    done = command("dedup", made)
    assert done.status == 0
    assert f"{temporary}: the database wants to rename this file to " in done.err
    assert Path("mine").read_text() == "dear"
    assert Path(temporary).read_text() == "evil"
    assert not Path("sub/new").exists()
    assert value(made, "SELECT count(*) FROM UnpublishedFiles") == 0


@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "a.db3", "-o", "a.db3{}"),
        ("export", "a.db3", "-o", "other.db3{}"),
        ("export", "a.db3", "-o", "x.pgn", "--duplicates", "a.db3{}"),
        ("create", "new.db3", "in.pgn", "--rejects", "new.db3{}"),
        ("create", "new.db3", "in.pgn", "--report", "a.db3{}"),
        ("create", "a.db3{}", "in.pgn"),
        ("run", "in.pgn", "--db", "new.db3", "-o", "new.db3{}"),
    ],
    ids=" ".join,
)
def test_no_output_is_a_journal(
    command: Command, made: str, arguments: tuple[str, ...], suffix: str
) -> None:
    Path("in.pgn").write_text(THREE_GAMES)
    Path("other.db3").write_bytes(Path(made).read_bytes())
    before = set(os.listdir())
    status, out, err = command(*(word.format(suffix) for word in arguments))
    assert (status, out) == (2, "")
    assert "is a journal of the database" in err
    assert set(os.listdir()) == before


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (("export", "a.db3", "-o", "link.pgn", "--force"), "a.db3"),
        (("create", "n.db3", "in.pgn", "--rejects", "link.pgn", "--force"), "in.pgn"),
        (("create", "n.db3", "in.pgn", "--report", "link.pgn", "--force"), "in.pgn"),
        (("create", "link.pgn", "in.pgn", "--force"), "in.pgn"),
        (("run", "in.pgn", "--db", "n.db3", "-o", "link.pgn", "--force"), "in.pgn"),
        (("dedup", "a.db3", "--report", "link.csv", "--force"), "a.db3"),
    ],
)
def test_no_output_is_a_link_to_an_input(
    command: Command, made: str, arguments: tuple[str, ...], kept: str, link
) -> None:
    Path("in.pgn").write_text(THREE_GAMES)
    before = Path(kept).read_bytes()
    (name,) = (word for word in arguments if word.startswith("link."))
    link(kept, name)
    names_before = set(os.listdir())
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    assert f"{name}: is a" in err
    assert unchanged(kept, before)
    assert os.path.samefile(kept, name)
    assert set(os.listdir()) == names_before


def test_two_names_of_one_file(command: Command, made: str) -> None:
    Path("x.pgn").write_text("old")
    os.link("x.pgn", "y.pgn")
    done = command("export", made, "-o", "x.pgn", "--duplicates", "y.pgn", "--force")
    assert done.status == 2
    assert "y.pgn: is named twice; it would overwrite x.pgn" in done.err
    assert Path("x.pgn").read_text() == "old"


def test_no_output_has_the_name_of_a_temporary_file(command: Command, made: str) -> None:
    name = ".x.pgn.ocgdedup-0123456789abcdef.tmp"
    done = command("export", made, "-o", name)
    assert done.status == 2
    assert "is a name of temporary files" in done.err


def test_permissions_are_kept(command: Command, made: str) -> None:
    Path("x.pgn").write_text("old")
    os.chmod("x.pgn", 0o600)
    assert command("export", made, "-o", "x.pgn", "--force").status == 0
    assert os.stat("x.pgn").st_mode & 0o777 == 0o600
    os.chmod(made, 0o640)
    Path("in.pgn").write_text(THREE_GAMES)
    assert command("create", made, "in.pgn", "--force").status == 0
    assert os.stat(made).st_mode & 0o777 == 0o640


def test_a_database_that_comes_into_being_is_not_replaced(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checked once more when the file gets its name."""
    before = Path(made).read_bytes()

    def put_database_there(*_: object, **__: object) -> list[tuple[int, bytes]]:
        Path("x.pgn").write_bytes(before)
        return []

    monkeypatch.setattr("ocgdedup.pipeline.export.emit.GameWriter.all_games", put_database_there)

    done = command("export", made, "-o", "x.pgn", "--force")
    assert done.status == 2
    assert "x.pgn: is a database" in done.err
    assert unchanged("x.pgn", before)


@pytest.mark.parametrize(
    "words",
    [
        "create {}.db3 in.pgn", "create new.db3 {}.pgn", "create new.db3 file://in.pgn",
        "create new.db3 in.pgn --rejects {}.pgn", "create new.db3 in.pgn --report {}.tsv",
        "create new.db3 in.pgn --fide-xml {}.xml", "create new.db3 in.pgn --aliases {}.ssp",
        "players {}.db3 --fide-xml list.xml", "players a.db3 --fide-xml {}.xml",
        "players a.db3 --aliases {}.ssp", "players a.db3 --report {}.csv",
        "players --resolve {}.txt --fide-xml list.xml -o out.tsv",
        "players --resolve names.txt --fide-xml {}.xml -o out.tsv",
        "players --resolve names.txt --fide-xml list.xml -o {}.tsv",
        "dedup {}.db3", "dedup a.db3 --report {}.csv", "dedup a.db3 --temp-dir {}",
        "dedup a.db3 --fide-xml {}.xml", "dedup a.db3 --log-file {}.log",
        "export {}.db3 -o out.pgn", "export a.db3 -o {}.pgn", "export a.db3 -o {}.csv",
        "export a.db3 --duplicates {}.pgn", "export a.db3 --split 1 -o {}.pgn",
        "export a.db3 --format parquet -o {}", "export a.db3 --lossless -o {}",
        "run {}.pgn -o out.pgn", "run in.pgn -o {}.pgn", "run in.pgn -o out.pgn --db {}.db3",
        "run in.pgn -o out.pgn --report {}.html", "run in.pgn -o out.pgn --temp-dir {}",
        "run in.pgn -o out.pgn --duplicates {}.pgn", "review {}.db3 --list",
        "review a.db3 --decide {}.csv", "info {}.db3", "check {}.db3", "find {}.db3 --move e4",
        "find a.db3 --pattern @{}.txt", "signatures {}.db3", "printpgn {}.db3 -g 1",
        "printpgn a.db3 --pairs {}.csv",
        "distributed in.pgn -o out --fide-xml {}.xml",
    ],
)  # fmt: skip
def test_addresses_are_no_files(words: str, made: str, command: Command, tmp_path: Path) -> None:
    """Only Spark knows other file systems: a name with a scheme must not become a folder."""
    Path("in.pgn").write_text(THREE_GAMES)
    Path("names.txt").write_text("Tal, M\n")
    write_list(tmp_path, living()).rename("list.xml")
    before = sorted(tmp_path.rglob("*"))
    result = command(*words.format("s3a://bucket/x").split())
    assert result.status == 2, result.err
    assert "is an address, not a file; " in result.err
    assert len(result.err.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("create a.db3 file:///in.pgn", "write the path alone, without 'file:' or 'file://'"),
        ("create FILE://localhost/a.db3 in.pgn", "write the path alone"),
        ("export a.db3 -o file:/out.pgn", "write the path alone"),
        ("create s3a://x/a.db3 in.pgn", "name a file or folder of this machine"),
        ("run in.pgn -o out.pgn --db http://x/a.db3", "name a file or folder of this machine"),
        ("create a.db3 sftp://x/in.pgn", "copy it to this machine first, and name the copy"),
        ("create a.db3 s3://x/tables", "copy it to this machine first, as with 'aws s3 cp', and"),
        ("info sftp://x/a.db3", "copy it to this machine first"),
        ("info https://x/a.db3", "download it first"),
    ],
)
def test_what_to_do_instead_of_an_address(
    words: str, remedy: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(THREE_GAMES)
    assert f": is an address, not a file; {remedy}" in command(*words.split()).err


# What a name promises, and what commands and functions would have to write.
WRONG_NAMES = (
    "export a.db3 -o x.json", "export a.db3 -o x.html", "export a.db3 -o x.tsv.gz",
    "export a.db3 -o x.pgn.zip", "export a.db3 --format pgn -o x.csv",
    "export a.db3 --format pgn -o x.parquet", "export a.db3 --format csv -o x.jsonl",
    "export a.db3 --format csv -o x.json", "export a.db3 --format csv -o x.csv.gz",
    "export a.db3 --format parquet -o x.db3", "export a.db3 -o x.pgn --duplicates y.csv",
    "export a.db3 --duplicates y.parquet", "export a.db3 --duplicates y.jsonl",
    "run in.pgn -o x.csv", "run in.pgn -o x.pgn --duplicates y.parquet",
    "run in.pgn -o x.pgn --rejects y.json", "run in.pgn -o x.pgn --db y.pgn",
    "create x.pgn in.pgn", "create x.csv in.pgn", "create x.db3.gz in.pgn",
    "create x.db3 in.pgn --rejects y.csv", "create x.db3 in.pgn --rejects y.pgn.gz",
    "create x.db3 in.pgn --report y.json", "create x.db3 in.pgn --report y.tsv.gz",
    "players a.db3 --report y.json", "players a.db3 --report y.csv.gz",
    "players --resolve names.txt --fide-xml list.xml -o y.csv", "dedup a.db3 --report y.jsonl",
    "dedup a.db3 --report y.csv.gz", "dedup a.db3 --log-file y.json", "run in.pgn -o x.xml",
    "distributed in.pgn -o x.pgn", "distributed in.pgn -o x.parquet",
)  # fmt: skip


@pytest.mark.parametrize("words", WRONG_NAMES)
def test_no_output_has_another_format_than_its_name_says(
    words: str, made: str, command: Command, tmp_path: Path
) -> None:
    Path("in.pgn").write_text(THREE_GAMES)
    Path("names.txt").write_text("Tal, M\n")
    write_list(tmp_path, living()).rename("list.xml")
    before = sorted(tmp_path.rglob("*"))
    result = command(*words.split())
    assert result.status == 2, result.err
    assert len(result.err.splitlines()) == 1
    assert re.search(r"ocgdedup: error: .*\b[xy]\..*: .*; ", result.err)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_without_a_format_has_any(made: str, command: Command) -> None:
    for words in ("-o x.txt", "-o x", "--duplicates x.2024", "-o x.PGN", "-o x.pgn.gz"):
        assert command("export", made, *words.split(), "--force").status == 0
