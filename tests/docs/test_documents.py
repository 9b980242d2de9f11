"""The documents are true: commands print what is shown, links lead somewhere."""

from __future__ import annotations

import itertools
import re
import shlex
from pathlib import Path

import pytest

import ocgdedup
from ocgdedup.cli.parser import build_parser
from scripts.doclib.console import blocks_of, matches
from scripts.doclib.documents import dead_links, documents, faults_of, rewritten

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = documents(ROOT)
LINKED = [*DOCUMENTS, ROOT / "schema" / "README.md"]

PAGE = """# A page

<!-- first: echo before > file -->
<!-- status: 3 -->

```console
$ cat file
before
$ echo one && echo "two
  lines" \\
    three
one
two
  lines three
$ echo gone >&2; exit 3
gone
```

<!-- not run: needs the network -->
```console
$ false
```

```sh
$ none of ours
```
"""


def by_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def shell_commands(text: str) -> list[list[str]]:
    """Return the words of our commands in the blocks of shell of a document."""
    blocks = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    shell = []
    for line in blocks.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        commands = itertools.groupby(lexer, lambda word: not set(word) <= set("|&;<>"))
        shell += [list(words) for is_command, words in commands if is_command]
    return [words for words in shell if words[0] == "ocgdedup"]


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=by_name)
def test_commands_print_the_shown_output(document: Path, tmp_path: Path) -> None:
    faults = faults_of(document, ROOT, tmp_path / "work")
    messages = [
        f"{by_name(document)}:{fault.step.begin}: {fault.step.command}: {fault.message}:\n"
        + "\n".join(fault.output)
        for fault in faults
    ]
    assert not messages, "\n\n".join([*messages, "scripts/update_docs puts what is printed in"])


@pytest.mark.parametrize("document", DOCUMENTS, ids=by_name)
def test_commands_that_are_not_run_can_be_parsed(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in shell_commands(document.read_text(encoding="utf-8")):
        try:
            build_parser().parse_args(words[1:])
        except SystemExit:
            pytest.fail(f"{shlex.join(words)}: {capsys.readouterr().err}")


@pytest.mark.parametrize("document", LINKED, ids=by_name)
def test_links_lead_somewhere(document: Path) -> None:
    assert dead_links(document, ROOT, Path(ocgdedup.__file__).parent) == []


def test_the_readme_shows_the_main_job_and_the_tutorial_the_others() -> None:
    assert {"README.md", "docs/tutorial.md"} <= {by_name(path) for path in DOCUMENTS}
    for name, commands in (
        ("README.md", {"run"}),
        ("docs/tutorial.md", {"run", "dedup", "players", "printpgn", "review"}),
    ):
        text = (ROOT / name).read_text(encoding="utf-8")
        shown = [step.command for block in blocks_of(text) for step in block.steps]
        assert commands <= {line.split()[1] for line in shown if line.startswith("ocgdedup ")}


def test_shell_commands_are_found_in_their_blocks() -> None:
    text = """```sh
ocgdedup a && ocgdedup b \\
  'x | y' > d  # e
cat x | ocgdedup f
```
ocgdedup g
"""
    assert shell_commands(text) == [
        ["ocgdedup", "a"],
        ["ocgdedup", "b", "x | y"],
        ["ocgdedup", "f"],
    ]


# --- the checks themselves can fail ----------------------------------------------------------


@pytest.fixture
def page(tmp_path: Path) -> Path:
    for games in ("demo_games", "demo_go"):
        (tmp_path / "scripts" / games).mkdir(parents=True)
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def faults(page: Path, old: str, new: str) -> list[str]:
    """Return what is wrong with a page in which `old` is `new`, and rewrite the page."""
    text = PAGE.replace(old, new)
    assert text != PAGE or old == new
    page.write_text(text, encoding="utf-8")
    result = faults_of(page, page.parent, page.parent / "work")
    page.write_text(rewritten(text, result), encoding="utf-8")
    return [fault.message for fault in result]


def test_a_true_page_has_no_fault(page: Path) -> None:
    assert faults(page, "", "") == []
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize(
    ("old", "new"), [("before\n$", "after\n$"), ("one\ntwo", "two"), ("gone\n`", "gone\ntoo\n`")]
)
def test_a_false_output_is_found_and_mended(page: Path, old: str, new: str) -> None:
    assert faults(page, old, new) == ["printed something else"]
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("status: 3", "status: 2", "ended with status 3"),
        ("<!-- status: 3 -->\n", "", "ended with status 3"),
        ("cat file", "cat file; exit 2", "ended with status 2"),
        ("first: echo", "first: exit 2; echo", "to be run first, ended with status 2"),
        ("<!-- not run: needs the network -->\n```console\n$ false",
         "```console\n$ nonsense", "ended with status 127"),
    ],
)  # fmt: skip
def test_a_failed_command_is_found(page: Path, old: str, new: str, message: str) -> None:
    assert any(fault.endswith(message) for fault in faults(page, old, new))


def test_a_block_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2: a block of console begins with a command"):
        blocks_of("```console\nout\n```\n")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("elapsed: 0.02 s, speed: 2629 games/s", "elapsed: 1.5 s, speed: 1,302,629 games/s", True),
        ("elapsed: 44ms 00:00, #games: 59", "elapsed: 7.25s 01:00, #games: 59", True),
        ("in a.removed-20261121-091812.pgn", "in a.removed-20270101-000000.pgn", True),
        ("at 2026-11-21T09:18:12Z", "at 2027-01-01T00:00:00Z", True),
        ("time   0.1 s (reading 0.1, copies 0.0)", "time   12.5 s (reading 9.0, copies 0.5)", True),
        ("a.db3, 401.4 kB, 2026-11-21, games: 2", "a.db3, 1.2 MB, 2027-01-01, games: 2", True),
        ("a.db3, 401.4 kB, 2026-11-21, games: 2", "a.db3, 1.2 MB, 2027-01-01, games: 3", False),
        ("1912.07.20", "1912.07.21", False),
        ("ocgdedup 0.1.0", "ocgdedup 1.20.3", True),
        ("a\n...\nz", "a\nb\nc\nz\n", True),
        ("a\n...", "a", True),
        ("a\n...\nz", "b\nz", False),
        ("games: 59", "games: 60", False),
        ("a.b", "axb", False),
        ("a  \n", "a", True),
        ("", "a", False),
    ],
)
def test_varying_output_is_ignored(shown: str, printed: str, same: bool) -> None:
    assert matches(tuple(shown.splitlines()), printed.splitlines()) is same


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A `heading`, long\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](none.md) [c](other.md#a-heading-long) [d](other.md#b) [e](#here)\n"
        "[f](https://example.org/) [g](ocgdedup/x.py) [h](ocgdedup/y.py)\n\n## Here\n"
    )
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "x.py").touch()
    dead = dead_links(page, tmp_path, tmp_path / "installed")
    assert dead == ["none.md", "other.md#b", "ocgdedup/y.py"]
