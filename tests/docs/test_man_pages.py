"""Manual pages: made from the parser, complete, and installed with the package."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

import ocgdedup
from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import build_parser, load_command
from ocgdedup.errors import EXIT_MEANINGS
from scripts.doclib.installed_files import installed_files
from scripts.doclib.man_pages import man_pages
from scripts.doclib.written_files import WRITTEN_FILES

PAGES = man_pages(build_parser)
COMMANDS = commands_of(build_parser())
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
ENDING = ["EXAMPLES", "EXIT STATUS", "FILES", "SEE ALSO"]


def plain(page: str) -> str:
    """Return the text of a page without the escapes and fonts of roff."""
    return re.sub(r"\\f[BIR]|\\[,/&:]", "", page).replace(r"\-", "-").replace(r"\(rs", "\\")


def section(page: str, heading: str) -> str:
    return page.split(f"\n.SH {heading}\n")[1].split("\n.SH ")[0]


def test_a_page_for_the_program_and_for_each_command() -> None:
    assert set(PAGES) == {"ocgdedup.1", *(f"ocgdedup-{name}.1" for name in COMMANDS)}


@pytest.mark.parametrize("name", PAGES)
def test_sections(name: str) -> None:
    own = ["COMMANDS"] if name == "ocgdedup.1" else []
    assert re.findall(r"^\.SH (.+)", PAGES[name], re.MULTILINE) == SECTIONS + own + ENDING
    for status, meaning in EXIT_MEANINGS.items():
        assert f".TP\n.B {int(status)}\n{meaning}.\n" in PAGES[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_all_of_a_command_is_in_its_page(name: str) -> None:
    page = plain(PAGES[f"ocgdedup-{name}.1"])
    assert f"\n.B ocgdedup {name}\n" in section(page, "SYNOPSIS")
    lines = page.splitlines()
    for action in arguments_of(COMMANDS[name]):
        for option in set(action.option_strings) - {"-h", "--help"}:
            assert re.search(rf"^(\S+.*, )?{option}\b", section(page, "OPTIONS"), re.MULTILINE)
        if action.dest != "help":
            assert (action.help or "") % {} in lines
    assert section(page, "EXAMPLES").split("\n")[1:-1] == [*load_command(name).examples]
    assert COMMANDS[name].description in lines


def test_the_overview_leads_to_each_command() -> None:
    page = plain(PAGES["ocgdedup.1"])
    for name in COMMANDS:
        assert f"\n.B {name}\n" in section(page, "COMMANDS")
        assert f"ocgdedup-{name}(1)" in section(page, "SEE ALSO")


def test_each_file_is_in_the_manuals_of_what_writes_it() -> None:
    for file in WRITTEN_FILES:
        named = {name for name, page in PAGES.items() if f"\n.B {file.name}\n" in plain(page)}
        assert "ocgdedup.1" in named
        assert len(named) > 1, f"no command has {file.option}"
    removed = "GAMES.removed-DATE.pgn"
    assert removed in plain(PAGES["ocgdedup-dedup.1"])
    assert removed not in plain(PAGES["ocgdedup-create.1"])


def test_text_is_no_request_to_roff() -> None:
    def parser() -> argparse.ArgumentParser:
        built = build_parser()
        command = commands_of(built)["export"]
        command.add_argument("--odd", help=".pgn and 'so' on \\ and on")
        command.add_argument("--mark", help="'so' on")
        return built

    page = man_pages(parser)["ocgdedup-export.1"]
    assert "\n\\&.pgn and 'so' on \\(rs and on" in page.replace("\\\\", "\\(rs")
    assert "\n\\&'so' on\n" in page


@pytest.mark.parametrize(
    "command", [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-man", "-Tutf8", "-ww", "-z"]]
)
def test_pages_render_without_a_warning(tmp_path: Path, command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        done = subprocess.run([*command, tmp_path / name], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), name


def test_installed_files_are_those_of_the_parser() -> None:
    try:
        package = metadata.distribution("ocgdedup")
        # A source tree lists its sources, but has nothing installed.
        listed = (package.files or []) if package.read_text("RECORD") else []
    except metadata.PackageNotFoundError:
        listed = []
    if Path(ocgdedup.__file__).resolve() not in {
        Path(str(file.locate())).resolve() for file in listed
    }:
        pytest.skip("the package is run from its sources, not installed from a wheel")
    installed = {str(file).split("share/", 1)[1]: file for file in listed if "share/" in str(file)}
    expected = installed_files()
    assert set(installed) == set(expected)
    for name, file in installed.items():
        title = re.compile(r"^\.TH .*")  # it has the date of the build
        text = Path(str(file.locate())).read_text(encoding="utf-8")
        assert title.sub("", text) == title.sub("", expected[name])
