"""Commands killed (SIGKILL) before each step in turn: changes of files, commits."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import apsw

from ocgdedup.cli.main import run
from tests.support.databases import dump

_STEPS = ("open", "pwrite", "link", "rename", "replace", "remove", "fsync", "mkdir", "rmdir")
_STATEMENTS = ("BEGIN IMMEDIATE", "COMMIT")
_MOST_STEPS = 400
_STAMPS = re.compile(r"\('Files written by run'.*?\)")  # with modification times
_WRITE_COUNT = (
    "Duplicates unchanged since"  # in Info: it depends on the transactions of a killed run
)
_DATE = re.compile(r"20\d\d-?\d\d-?\d\d[-T ]\d\d:?\d\d(:?\d\dZ?)?")


def repeat_after_each_kill(
    arguments: list[str],
    prepare: Callable[[], object],
    *,
    statuses: tuple[int, ...] = (0, 1),
    stdin: str | None = None,
) -> int:
    """Kill a command at each step and repeat it; compare the folder with that of a full run.

    `prepare` fills the current folder, which is emptied each time; its parent is used too. Returns
    the number of steps.
    """
    shutil.rmtree("../prepared", ignore_errors=True)
    _empty()
    prepare()
    shutil.copytree(".", "../prepared")
    start = _folder()
    assert _run(arguments, None, stdin) in statuses
    expected = _folder()
    for step in count():
        assert step < _MOST_STEPS
        _empty()
        shutil.copytree("../prepared", ".", dirs_exist_ok=True)
        assert step or _folder() == start
        ending = _run(arguments, step, stdin)
        is_done = not _difference(_folder(), expected)
        if ending >= 0:
            assert ending in statuses
            assert _difference(_folder(), expected) == {}
            return step
        again = _run(arguments, None, stdin)
        # A repeated load is recognised; other outputs are then refused as existing.
        may_refuse = is_done and arguments[0] not in ("create", "run")
        assert again in (0, *statuses) or (may_refuse and again == 2), (step, again)
        difference = _difference(_folder(), expected)
        assert not difference, (step, difference)
        assert again == 2 or not _records(), (step, _records())
    raise AssertionError


def _empty() -> None:
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)


def _records() -> list[str]:
    return [path.name for path in Path(os.environ["XDG_STATE_HOME"]).rglob("*") if path.is_file()]


def _folder() -> dict[str, Any]:
    """Return the files of the folder and their content, without dates and times."""
    return {
        _DATE.sub("DATE", str(path)): _content(path)
        for path in sorted(Path().rglob("*"))
        # These have random names.
        if path.is_file() and not path.parent.name.endswith(("-history", "-search"))
    }


def _difference(before: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the differences of two folders; for databases by table."""
    changes: dict[str, Any] = {}
    for name in {*before, *other}:
        pair = before.get(name), other.get(name)
        if pair[0] != pair[1] and all(isinstance(content, dict) for content in pair):
            changes[name] = _difference(*pair)
        elif pair[0] != pair[1]:
            changes[name] = pair
    return changes


def _content(path: Path) -> Any:
    raw = path.read_bytes()
    if raw.startswith(b"SQLite format 3"):
        content = dump(path)
        content["Info"] = [row for row in content["Info"] if row[0] != _WRITE_COUNT]
        return eval(_DATE.sub("DATE", _STAMPS.sub("('Files',)", repr(content))))
    return _DATE.sub("DATE", raw.decode("utf-8", "surrogateescape"))


def _run(arguments: list[str], step: int | None, stdin: str | None) -> int:
    """Run a command line in a fork, killed before a step; return its status, negative if killed."""
    child = os.fork()
    if not child:
        status = 255
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            sys.stdout, sys.stderr = (
                os.fdopen(1, "w", closefd=False),
                os.fdopen(2, "w", closefd=False),
            )
            sys.stdin = os.fdopen(os.open(stdin or os.devnull, os.O_RDONLY))
            if step is not None:
                _kill_before(step)
            status = run(arguments)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _kill_before(step: int) -> None:
    left = step

    def count_down() -> None:
        nonlocal left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **options: Any) -> Any:
            count_down()
            return real(*values, **options)

        return call

    for name in _STEPS:
        setattr(os, name, counting(getattr(os, name)))

    def trace(_: object, sql: str, __: object) -> bool:
        if sql in _STATEMENTS:
            count_down()
        return True

    apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", trace))
