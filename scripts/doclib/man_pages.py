"""Manual pages, one for the program and one for each command, made from the parser."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from argparse_manpage.manpage import Manpage

from ocgdedup.cli.command import commands_of
from ocgdedup.cli.parser import NAMES, load_command, summaries
from ocgdedup.errors import EXIT_MEANINGS
from ocgdedup.version import __version__

from .written_files import WRITTEN_FILES, WrittenFile

MANUAL = "User Commands"
# The first words of lines that are meant as requests to roff; any other dot is text.
REQUEST = re.compile(r"\.(TH|SH|SS|TP|PP|B|EX|EE|ad|nh)\b")

BuildParser = Callable[[], argparse.ArgumentParser]


def man_pages(build_parser: BuildParser) -> dict[str, str]:
    """Return the text of each page by the name of its file, such as ocgdedup-create.1.

    Each page takes a parser of its own, since to render one changes it.
    """
    parser = build_parser()
    pages = {f"{parser.prog}.1": _overview(build_parser())}
    for name in NAMES:
        pages[f"{parser.prog}-{name}.1"] = _command_page(build_parser(), name)
    return pages


def _overview(parser: argparse.ArgumentParser) -> str:
    summary = "find duplicate chess games, by way of one SQLite database"
    listed = [
        line
        for name, text in summaries().items()
        for line in (".TP", f".B {_escaped(name)}", _escaped(f"{text}."))
    ]
    examples = [load_command(name).examples[0] for name in NAMES]
    _take_out_commands(parser)
    page = _page(parser, parser.prog, summary, examples, WRITTEN_FILES)
    page.add_section("commands", "=", "\n".join(listed))
    page.parser._manpage.insert(0, page.parser._manpage.pop())
    page.add_section("see also", "=", _references(parser.prog, NAMES))
    return _text(page)


def _command_page(parser: argparse.ArgumentParser, name: str) -> str:
    command, parsed = load_command(name), commands_of(parser)[name]
    files = [file for file in WRITTEN_FILES if file.is_of(parsed)]
    page = _page(parsed, f"{parser.prog}-{name}", command.summary, command.examples, files)
    others = [other for other in NAMES if other != name]
    see_also = f"{_reference(parser.prog)},\n{_references(parser.prog, others)}"
    page.add_section("see also", "=", see_also)
    return _text(page)


def _page(
    parser: argparse.ArgumentParser,
    title: str,
    summary: str,
    examples: Sequence[str],
    files: Sequence[WrittenFile],
) -> Manpage:
    """Return the page with all sections but the last, SEE ALSO."""
    parser.epilog = None  # what stands in it has sections of its own
    # Text that argparse wraps would be cut at hyphens.
    parser.formatter_class = functools.partial(argparse.HelpFormatter, width=100_000)
    page = Manpage(parser)
    page.prog, page.description, page.manual = title, summary, MANUAL
    page.source = f"ocgdedup {__version__}"
    page.add_section("synopsis", "=", _synopsis(parser))
    page.add_section("examples", "=", "\n".join((".EX", *map(_escaped, examples), ".EE")))
    statuses = ((str(int(status)), f"{text}.") for status, text in EXIT_MEANINGS.items())
    page.add_section("exit status", "=", "\n".join(_listed(statuses)))
    named = ((file.name, f"{file.meaning}.") for file in files)
    page.add_section("files", "=", "\n".join(_listed(named)))
    return page


def _synopsis(parser: argparse.ArgumentParser) -> str:
    words = parser.format_usage().removeprefix("usage: ").split()
    name = parser.prog.split()
    # From here to the end of the page: names of options are not to be stretched or hyphenated.
    requests = ".ad l\n.nh\n.B"
    return f"{requests} {_escaped(' '.join(name))}\n{_escaped(' '.join(words[len(name) :]))}"


def _take_out_commands(parser: argparse.ArgumentParser) -> None:
    """Leave the options of the program alone; else the page would hold all commands' pages."""
    group = parser._subparsers
    assert group is not None
    group._group_actions.clear()


def _listed(pairs: Iterator[tuple[str, str]]) -> Iterator[str]:
    for term, text in pairs:
        yield from (".TP", f".B {_escaped(term)}", _escaped(text))


def _references(program: str, names: Iterable[str]) -> str:
    return ",\n".join(_reference(f"{program}-{name}") for name in names)


def _reference(page: str) -> str:
    return rf"\fB{_escaped(page)}\fR(1)"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\(rs").replace("-", r"\-")


def _text(page: Manpage) -> str:
    """Return the page; text that begins with a dot or an apostrophe is no request to roff."""
    lines = (
        rf"\&{line}" if line.startswith("'") or (line[:1] == "." and not REQUEST.match(line))
        else line
        for line in str(page).splitlines()
    )  # fmt: skip
    # The date is read by programs, which know no escapes. A list of choices may be longer than a
    # line: \: is where it may be broken.
    text = re.sub(r"(\d{4})\\-(\d\d)\\-(\d\d)", r"\1-\2-\3", "\n".join(lines), count=1)
    return re.sub(r"\{[^{} ]+\}", lambda choices: choices[0].replace(",", ",\\:"), text) + "\n"
