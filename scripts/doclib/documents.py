"""The documents: which there are, and whether their blocks of console and their links are true."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .console import Block, Step, blocks_of, matches
from .shell import Shell

DEMO_GAMES = (Path("scripts", "demo_games"), Path("scripts", "demo_go"))
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")


class Fault(NamedTuple):
    """A command that did not do what its document shows; `output` is what it printed.

    `is_failure`: it ended as it must not, so its output is not what the document is to show.
    """

    step: Step
    output: list[str]
    message: str
    is_failure: bool


def documents(root: Path) -> list[Path]:
    """Return the documents whose blocks of console are run."""
    pages = [path for folder in ("docs", "docs/how-to") for path in (root / folder).glob("*.md")]
    return [*sorted(root.glob("*.md")), *sorted(pages)]


def faults_of(document: Path, root: Path, folder: Path) -> list[Fault]:
    """Run the blocks of a document in a folder that has the demo games alone.

    They run one after another: each finds the files that those before it have left.
    """
    blocks = blocks_of(document.read_text(encoding="utf-8"))
    if not blocks:
        return []
    for games in DEMO_GAMES:
        shutil.copytree(root / games, folder / games)
    shell = Shell(folder)
    return [fault for block in blocks for fault in _faults_of_block(block, shell)]


def rewritten(text: str, faults: list[Fault]) -> str:
    """Return a document that shows what its commands printed."""
    lines = text.splitlines()
    for fault in sorted(faults, key=lambda fault: -fault.step.begin):
        begin, end = fault.step.begin, fault.step.end
        lines[begin:end] = [line.rstrip() for line in fault.output]
    return "\n".join(lines) + "\n"


def _faults_of_block(block: Block, shell: Shell) -> Iterator[Fault]:
    if block.reason_not_run is not None:
        return
    for command in block.first:
        done = shell.run(command)
        if done.status not in (0, 1):
            message = f"`{command}`, to be run first, ended with status {done.status}"
            yield Fault(block.steps[0], done.lines, message, True)
    for step in block.steps:
        status, output = shell.run(step.command)
        expected = block.last_status if step is block.steps[-1] else None
        if status not in ((0, 1) if expected is None else (expected,)):
            yield Fault(step, output, f"ended with status {status}", True)
        elif not matches(step.output, output):
            yield Fault(step, output, "printed something else", False)


def dead_links(document: Path, root: Path, package: Path) -> list[str]:
    """Return the links of a document to files and headings that are not there.

    What lies in ocgdedup/ may be installed elsewhere: in `package`.
    """
    text = document.read_text(encoding="utf-8")
    return [
        link
        for link in LINK.findall(text)
        if not re.match(r"[a-z]+:", link) and not _leads_somewhere(link, document, root, package)
    ]


def _leads_somewhere(link: str, document: Path, root: Path, package: Path) -> bool:
    name, _, heading = link.partition("#")
    target = (document.parent / name).resolve() if name else document
    if target.is_relative_to(root / "ocgdedup"):
        target = package / target.relative_to(root / "ocgdedup")
    if not target.exists():
        return False
    return not heading or heading in anchors(target.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    """Return the names of the headings, as web sites for sources make them."""
    headings = re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
