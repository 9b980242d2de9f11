"""The command line as a whole: help, version, usage, the table of exit codes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ocgdedup.cli import dedup
from ocgdedup.cli.command import commands_of
from ocgdedup.cli.parser import NAMES, build_parser, load_command
from ocgdedup.errors import EXIT_MEANINGS, ExitStatus, OcgdedupError, StoreError
from ocgdedup.version import __version__
from tests.support.command_line import Command

HELP = Path(dedup.__file__).with_name("help")


def subclasses(kind: type) -> set[type]:
    result = set(kind.__subclasses__())
    return result.union(*map(subclasses, result)) if result else result


def test_each_command_has_a_function() -> None:
    names = list(commands_of(build_parser()))
    assert names == list(NAMES)
    functions = [load_command(name).run for name in names]
    assert [function.__module__ for function in functions] == [f"ocgdedup.cli.{n}" for n in names]


def test_version(command: Command) -> None:
    assert command("--version") == (0, f"ocgdedup {__version__}\n", "")
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_help_names_every_command(command: Command) -> None:
    status, out, err = command("--help")
    assert (status, err) == (0, "")
    for name in NAMES:
        assert re.search(rf"^ +{name} +[a-z]", out, re.MULTILINE)
    assert "Exit status: 0 done; 1 done, but" in " ".join(out.split())


@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command_has_examples_that_parse(command: Command, name: str) -> None:
    status, out, _ = command(name, "--help")
    assert status == 0
    _, *examples = re.split(r"Examples?:\s", out)[1].split("ocgdedup ")
    assert examples
    for example in examples:
        assert build_parser().parse_args(shlex.split(example)).command == name


def test_examples_stand_one_below_the_other(command: Command) -> None:
    lines = command("players", "--help").out.splitlines()
    examples = lines[lines.index("Examples:") + 1 :]
    assert len(examples) > 2
    assert all(line.startswith("  ocgdedup players ") for line in examples)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_help(command: Command, name: str) -> None:
    actions = build_parser()._subparsers._group_actions[0].choices[name]._actions
    assert actions
    for action in actions:
        assert action.help, action.dest


def test_every_help_text_is_of_an_option() -> None:
    parsers = commands_of(build_parser())
    options = {
        name: {*parser._option_string_actions, *(action.dest for action in parser._actions)}
        for name, parser in parsers.items()
    }
    options["shared"] = set().union(*options.values())
    for name, known in options.items():
        text = (HELP / f"{name}.txt").read_text(encoding="utf-8")
        about = 1 if name == "shared" else 3
        explained = [paragraph.split()[0] for paragraph in text.split("\n\n")[about:]]
        assert set(explained) <= known
        assert len(explained) == len(set(explained))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "ocgdedup: error: name a command"),
        (["dedupe"], "invalid choice: 'dedupe'"),
        (["--nonsense"], "COMMAND"),
        *(
            ([name, *words], f"\nsee 'ocgdedup {name} --help'\n")
            for name in NAMES
            for words in ([], ["a", "b", "--nonsense"], ["--log-file"], ["a", "\x1b[2J", "--x"])
            if words or name not in ("info", "players", "run")
        ),
    ],
)
def test_usage_errors(command: Command, arguments: list[str], message: str) -> None:
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    # Without a word, the help; else one line, and where the help is.
    assert err.startswith("usage: ocgdedup" if not arguments else "ocgdedup")
    assert not arguments or (err.count("\n"), "error: " in err) == (2, True)
    assert message in err
    assert "\x1b" not in err
    assert "Traceback" not in err


def test_help_is_a_word_too(command: Command) -> None:
    assert command("help") == command("--help")
    assert command("help", "dedup") == command("dedup", "--help")
    assert command("help", "dedupe").status == 2


def test_without_a_command_all_of_them_are_listed(command: Command) -> None:
    assert command("--help").out in command().err


def test_help_follows_the_width_of_the_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (60, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        description = command("dedup", "--help").out.split("\n\n")[1]
        assert width - 20 < max(map(len, description.splitlines())) < width


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_never_wrapped(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = command(name, "--help").out.splitlines()
    examples = load_command(name).examples
    assert examples
    assert set(lines) >= {f"  {example}" for example in examples}


def test_exit_codes() -> None:
    assert list(EXIT_MEANINGS) == list(ExitStatus)
    assert {status.name: status.value for status in ExitStatus} == {
        "DONE": 0,
        "DONE_WITH_REJECTS": 1,
        "FAILED": 2,
        "BUG": 70,
        "INTERRUPTED": 130,
    }
    assert {kind.exit_code for kind in subclasses(OcgdedupError)} == {ExitStatus.FAILED}


@pytest.mark.parametrize(
    ("failure", "status", "message"),
    [
        (StoreError("a.db3: no"), 2, "ocgdedup: error: a.db3: no\n"),
        (
            KeyboardInterrupt(),
            130,
            "ocgdedup: interrupted; nothing was changed; the same command starts again\n",
        ),
        (
            FileNotFoundError(2, "No such file", "x.pgn"),
            2,
            "ocgdedup: error: x.pgn: No such file\n",
        ),
        (OSError(28, "No space left"), 2, "ocgdedup: error: the system: No space left\n"),
    ],
)
def test_failures_are_one_line(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    failure: BaseException,
    status: int,
    message: str,
) -> None:
    def fail(_: object) -> ExitStatus:
        raise failure

    monkeypatch.setattr(dedup, "COMMAND", dedup.COMMAND._replace(run=fail))
    assert command("dedup", "a.db3") == (status, "", message)
