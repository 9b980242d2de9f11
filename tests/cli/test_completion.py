"""Completion in real shells: bash, and zsh and fish if installed."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocgdedup.cli.parser import SHELLS
from tests.support.command_line import Command

COMMANDS = {"create", "dedup", "export", "players", "printpgn"}
CASES = [
    (["cre"], {"create"}),
    (["dedup", ""], {"games.db3", "my games.db3"}),
    (["export", "games.db3", "-o", "o"], {"other.pgn"}),
    (["create", "new.db3", "other.pgn", "more.pgn", "o"], {"other.pgn"}),
    (["dedup", "games.db3", "--keep", ""], {"best-header", "longest", "annotated", "first"}),
    (["dedup", "games.db3", "--me"], {"--memory", "--merge-variations", "--method"}),
    (["dedup", "games.db3", "--explain", ""], set()),
    (["--print-completion", ""], set(SHELLS)),
]


@pytest.fixture
def folder(command: Command, tmp_path: Path) -> Path:
    """Return a folder with files to complete, and the scripts in another one."""
    files = tmp_path / "files"
    files.mkdir()
    for name in ("games.db3", "my games.db3", "other.pgn"):
        (files / name).touch()
    for shell in SHELLS:
        status, out, err = command("--print-completion", shell)
        assert (status, err) == (0, "")
        (tmp_path / shell).write_text(out, encoding="utf-8")
    return files


def needs(shell: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return path


def bash_candidates(folder: Path, words: list[str]) -> set[str]:
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()\n'
        'set -- $(complete -p ocgdedup); while [[ $1 != -F ]]; do shift; done; "$2"\n'
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    arguments = [needs("bash"), "-c", program, "bash", folder.parent / "bash", "ocgdedup", *words]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.splitlines()) - {""}


def fish_candidates(folder: Path, words: list[str]) -> set[str]:
    program = 'source $argv[1]; complete -C "$argv[2]"'
    line = " ".join(["ocgdedup", *words])
    arguments = [needs("fish"), "--no-config", "-c", program, folder.parent / "fish", line]
    environment = {**os.environ, "HOME": str(folder.parent)}
    done = subprocess.run(
        arguments, cwd=folder, capture_output=True, text=True, check=True, env=environment
    )
    return {line.split("\t")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_can_read_it(folder: Path, shell: str) -> None:
    done = subprocess.run([needs(shell), "-n", folder.parent / shell], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("candidates", [bash_candidates, fish_candidates])
@pytest.mark.parametrize(("words", "expected"), CASES)
def test_candidates(folder: Path, words: list[str], expected: set[str], candidates) -> None:
    assert candidates(folder, words) == expected


@pytest.mark.parametrize("candidates", [bash_candidates, fish_candidates])
def test_all_commands_are_candidates(folder: Path, candidates) -> None:
    assert candidates(folder, [""]) >= COMMANDS


class Zsh:
    """An interactive zsh without user settings, at its own terminal."""

    def __init__(self, folder: Path) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "TERM": "dumb"}
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment)

    def send(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def read_until(self, text: str) -> str:
        """Return the output up to a text; fail if it does not appear."""
        output = ""
        while text not in output:
            ready, _, _ = select.select([self.terminal], [], [], 120)
            assert ready, f"zsh did not print {text!r}, but {output!r}"
            output += os.read(self.terminal, 4096).decode(errors="replace")
        return output

    def close(self) -> None:
        os.close(self.terminal)
        os.waitpid(self.process, 0)


@pytest.fixture
def zsh(folder: Path) -> Iterator[Zsh]:
    needs("zsh")
    shell = Zsh(folder)
    yield shell
    shell.close()


@pytest.mark.parametrize("how", ["eval", "fpath"])
def test_zsh_completes(zsh: Zsh, folder: Path, how: str) -> None:
    load = {
        "eval": 'autoload -Uz compinit; compinit -u -D; eval "$(<../zsh)"',
        "fpath": "mkdir ../f; cp ../zsh ../f/_ocgdedup; fpath=($PWD/../f $fpath); "
        "autoload -Uz compinit; compinit -u -D",
    }[how]
    # What is typed is echoed too: the word to wait for must not stand in it.
    zsh.send(f"PS1=; unsetopt zle_bracketed_paste; rm 'my games.db3'; {load}; print rea''dy\n")
    zsh.read_until("ready")
    for typed, completed in (
        ("cre", "create"),
        ("dedup g", "dedup games.db3"),
        ("create new.db3 a.pgn b.pgn o", "create new.db3 a.pgn b.pgn other.pgn"),
        ("dedup games.db3 --keep b", "dedup games.db3 --keep best-header"),
        ("dedup games.db3 --merge-v", "dedup games.db3 --merge-variations"),
        ("--print-completion f", "--print-completion fish"),
    ):
        # Ctrl-A and Ctrl-E go to the ends of the line, which so becomes something to print.
        zsh.send(f"ocgdedup {typed}\t\x01print -r -- '<\x05>'\n")
        printed = zsh.read_until(">\r\n").split("\n")[-2]
        assert printed.replace(" >", ">") == f"<ocgdedup {completed}>\r"
