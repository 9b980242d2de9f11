"""Each example of each command runs, in a folder that has the files it names.

A new command's examples are run by themselves. Files they name are made by NAMED, or else by the
ending of the name; options name files to be written, except READING_OPTIONS. A command that makes
its database belongs into MAKES_DATABASE.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import build_parser, load_command
from scripts.doclib.shell import Shell
from scripts.doclib.written_files import WRITTEN_FILES
from tests.support.go_games import GoGame, write_go_database

DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo_games"
COMMANDS = commands_of(build_parser())
# A server runs until it is stopped; tests/cli/test_review_web.py runs it.
EXAMPLES = [
    (name, line)
    for name in COMMANDS
    for line in load_command(name).examples
    if not line.endswith(" --web")
]
OTHER_PROGRAMS = DEMO.parents[1] / "docs" / "how-to" / "commands-of-other-programs.md"
COMPARED = [
    (line.split()[1], line)
    for line in re.findall(
        r"^\| [^|]+ \| `(ocgdedup [^`]+)` \|",
        OTHER_PROGRAMS.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
]
MAKES_DATABASE = {"create"}
READING_OPTIONS = {
    "--fide-xml", "--aliases", "--resolve", "--pairs", "--decide", "--db", "--from", "--like",
}  # fmt: skip
COPIES_OF_DEMO = 80  # so that there is a game 4711
_PREPARING = (
    "create games.db3 all.pgn", "players games.db3", "dedup games.db3", "signatures games.db3",
)  # fmt: skip
# Commands before an example, by its first words.
BEFORE = {
    "ocgdedup delete games.db3 --source bad.pgn": "ocgdedup create games.db3 bad.pgn --append -q",
    "ocgdedup restore games.db3 17": "ocgdedup delete games.db3 17 4711",
    "ocgdedup redo": "ocgdedup undo games.db3",
}
# Whoever else examples ask for.
MORE_GAMES = """
[Event "?"]
[Date "1958.01.12"]
[White "Tal, Mihail"]
[Black "Botvinnik, M"]
[Result "1-0"]
[ECO "B20"]

1. e4 c5 2. Ne2 1-0
"""


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


def go_database(path: Path) -> None:
    write_go_database(path, [GoGame("Bpd Wdd Bdp Wpp Bqo")])


# Names in examples, after shell patterns: how to make them.
NAMED: dict[str, Callable[[Path], None]] = {
    "players_list_xml_foa.zip": rating_list,
    "players_list_xml.zip": rating_list,
    "go.db3": go_database,
    "names.txt": text("Kasparov, G.\nPolgar, J.\n"),
    "duplicates.csv": text("17,4711\n"),
    "fix.tsv": text("17\tRound\t5\n"),
    "clean.pgn": text(MORE_GAMES),
    "decisions.csv": text("GameID1,GameID2,Decision\n17,4711,same\n"),
}
BY_ENDING: dict[str, Callable[[Path], None]] = {
    ".pgn": pgn,
    ".sgf": text("(;GM[1]SZ[19]PB[a]PW[b];B[pd];W[dd])"),
    ".zip": zipped_pgn,
    ".ssp": lambda path: path.write_bytes((DEMO / "spelling.ssp").read_bytes()) and None,
}


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of 4721 games that went through `players`, `dedup` and `signatures`."""
    shell = Shell(tmp_path_factory.mktemp("examples") / "prepared")
    games = "".join(path.read_text(encoding="latin-1") for path in sorted(DEMO.glob("*.pgn")))
    (shell.folder / "all.pgn").write_text(games * COPIES_OF_DEMO + MORE_GAMES, encoding="latin-1")
    for line in _PREPARING:
        done = shell.run(f"ocgdedup {line} --quiet")
        assert done.status in (0, 1), done.lines
    return shell.folder / "games.db3"


def values(command: str, line: str) -> Iterator[tuple[argparse.Action, str]]:
    """Yield the texts that an example gives to arguments and options."""
    options = build_parser().parse_args(shlex.split(line)[1:])
    for action in arguments_of(COMMANDS[command]):
        value = getattr(options, action.dest, None)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield action, text


def inputs(command: str, line: str) -> set[str]:
    """Return the files that must be there before an example."""
    return {
        text
        for action, text in values(command, line)
        if (not action.option_strings or READING_OPTIONS.intersection(action.option_strings))
        and re.search(r"\.[a-z]\w+$", text)
        and not (command in MAKES_DATABASE and action.dest == "database")
    }


def stems_of_outputs(command: str, line: str) -> set[str]:
    """Return how names of files may begin that an example writes because its options name them."""
    return {Path(text).name.split(".")[0] for action, text in values(command, line)
            if action.option_strings}  # fmt: skip


def prepare(folder: Path, command: str, line: str, database: Path) -> None:
    for word in inputs(command, line):
        path = folder / word.replace("*", "1")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".db3" and word not in NAMED:
            shutil.copy(database, path)
            shutil.copytree(f"{database}-history", f"{path}-history", dirs_exist_ok=True)
            continue
        make = NAMED.get(word) or BY_ENDING.get(path.suffix)
        assert make, f"{line}: say in NAMED how to make {word}"
        make(path)


def test_commands_are_compared() -> None:
    assert len(COMPARED) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "line"), EXAMPLES + COMPARED, ids=[line for _, line in EXAMPLES + COMPARED]
)
def test_the_example_runs(command: str, line: str, database: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path / "work")
    prepare(shell.folder, command, line, database)
    for example, earlier in BEFORE.items():
        if line.startswith(example):
            pgn(shell.folder / "bad.pgn")
            assert shell.run(earlier).status in (0, 1)
    before = set(shell.folder.iterdir())
    done = shell.run(line)
    assert done.status in (0, 1), "\n".join([line, *done.lines])
    stems = stems_of_outputs(command, line)
    for path in set(shell.folder.iterdir()) - before:
        is_named = path.name.startswith(tuple(stems)) if stems else False
        assert is_named or is_known(path.name), f"{path.name} is not in WRITTEN_FILES"


def is_known(name: str) -> bool:
    """Return whether a kind of file is in the manual."""
    kinds = (re.escape(file.name) for file in WRITTEN_FILES)
    patterns = (re.sub(r"GAMES|NAME|DATE|\bN\b", r"[^.]+", kind) for kind in kinds)
    return any(re.fullmatch(pattern.replace(r"\-", "-"), name) for pattern in patterns)


def test_every_command_has_an_example() -> None:
    for name in COMMANDS:
        examples = load_command(name).examples
        assert examples, name
        assert all(line.startswith(f"ocgdedup {name} ") for line in examples)


def test_kinds_of_files_are_known() -> None:
    assert is_known("games.rejects.pgn")
    assert is_known("games.removed-20260101-120000.pgn")
    assert is_known("games.db3.version-2")
    assert not is_known("games.pgn")
    assert not is_known("games.xml")
