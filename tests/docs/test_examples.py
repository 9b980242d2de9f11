"""Each example of each command runs, in a folder that has the files it names.

A new command's examples are run by themselves. What they name is made by NAMED, or else by the
ending of the name; a command that makes its database belongs into MAKES_DATABASE.
"""

from __future__ import annotations

import re
import shlex
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ocgdedup.cli.command_tree import arguments_of, commands_of, examples_of
from ocgdedup.cli.parser import build_parser
from scripts.doclib.shell import Shell
from scripts.doclib.written_files import WRITTEN_FILES

DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo_games"
COMMANDS = commands_of(build_parser())
EXAMPLES = [(name, line) for name in COMMANDS for line in examples_of(COMMANDS[name])]
MAKES_DATABASE = {"create"}
COPIES_OF_DEMO = 80  # so that there is a game 4711


def pgn(path: Path) -> None:
    path.write_bytes((DEMO / "web_download.pgn").read_bytes())


def rating_list(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(DEMO / "players_2013-01.xml", "players_2013-01.xml")


def zipped_pgn(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(DEMO / "magazine_archive.pgn", "magazine_archive.pgn")


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content, encoding="utf-8") and None


# Names in examples, after shell patterns: how to make them.
NAMED: dict[str, Callable[[Path], None]] = {
    "players_list_xml_foa.zip": rating_list,
    "players_list_xml.zip": rating_list,
    "names.txt": text("Kasparov, G.\nPolgar, J.\n"),
    "copies.csv": text("17,4711\n"),
}
BY_ENDING: dict[str, Callable[[Path], None]] = {
    ".pgn": pgn,
    ".zip": zipped_pgn,
    ".ssp": lambda path: path.write_bytes((DEMO / "spelling.ssp").read_bytes()) and None,
}


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of games 1 to 4720 that went through `players` and `dedup`."""
    shell = Shell(tmp_path_factory.mktemp("examples") / "prepared")
    games = "".join(path.read_text(encoding="latin-1") for path in sorted(DEMO.glob("*.pgn")))
    (shell.folder / "all.pgn").write_text(games * COPIES_OF_DEMO, encoding="latin-1")
    for line in ("create games.db3 all.pgn", "players games.db3", "dedup games.db3"):
        done = shell.run(f"ocgdedup {line} --quiet")
        assert done.status in (0, 1), done.lines
    return shell.folder / "games.db3"


def outputs(command: str, words: list[str]) -> set[str]:
    """Return the words of an example that name files to be written."""
    named = set()
    options = build_parser().parse_args(words[1:])
    for action in arguments_of(COMMANDS[command]):
        value = getattr(options, action.dest, None)
        written = str(action.metavar).startswith("OUT") or action.dest in ("report", "rejects")
        if written and isinstance(value, str):
            named.add(value)
    return named


def inputs(command: str, line: str) -> set[str]:
    """Return the words of an example that look like files that must be there."""
    words = shlex.split(line)
    files = {word for word in words[2:] if re.search(r"[\w*]\.[a-z]\w+$", word)}
    files -= outputs(command, words)
    return {file for file in files if not (command in MAKES_DATABASE and file.endswith(".db3"))}


def prepare(folder: Path, command: str, line: str, database: Path) -> None:
    for word in inputs(command, line):
        path = folder / word.replace("*", "1")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".db3":
            shutil.copy(database, path)
            continue
        make = NAMED.get(word) or BY_ENDING.get(path.suffix)
        assert make, f"{line}: say in NAMED how to make {word}"
        make(path)


@pytest.mark.parametrize(("command", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_the_example_runs(command: str, line: str, database: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path / "work")
    prepare(shell.folder, command, line, database)
    before = set(shell.folder.iterdir())
    done = shell.run(line)
    assert done.status in (0, 1), "\n".join([line, *done.lines])
    words = shlex.split(line)
    for path in set(shell.folder.iterdir()) - before:
        assert path.name in words or is_known(path.name), f"{path.name} is not in WRITTEN_FILES"


def is_known(name: str) -> bool:
    """Tell if a kind of file is in the manual."""
    kinds = (re.escape(file.name) for file in WRITTEN_FILES)
    patterns = (re.sub(r"GAMES|NAME|DATE|\bN\b", r"[^.]+", kind) for kind in kinds)
    return any(re.fullmatch(pattern.replace(r"\-", "-"), name) for pattern in patterns)


def test_every_command_has_an_example() -> None:
    for name, command in COMMANDS.items():
        assert examples_of(command), name
        assert all(line.startswith(f"ocgdedup {name} ") for line in examples_of(command))


def test_kinds_of_files_are_known() -> None:
    assert is_known("games.rejects.pgn")
    assert is_known("games.removed-20260101-120000.pgn")
    assert is_known("games.db3.version-2")
    assert not is_known("games.pgn")
    assert not is_known("games.xml")
