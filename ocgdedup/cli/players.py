"""The command players: choose the task, and check that the options fit it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli import show, terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags, add_lists
from ocgdedup.cli.shared import list_files
from ocgdedup.cli.terminal import choose_reporter
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.model import GivenNameDecision, ListFiles

_OPTIONS = (
    "fide_xml", "aliases", "aliases_remove", "list_month", "replace_list", "report", "again",
    "fill", "no_fill", "store_list", "no_store_list", "output", "force", "json", "canonical",
)  # fmt: skip
_DECIDING = ("same", "different", "name", "forget", "decide")
# The options that fit each task; --quiet fits all.
_ALLOWED = {
    "--show with a database": frozenset[str](),
    "--show without a database": frozenset(("fide_xml", "aliases")),
    "--undo": frozenset(("json",)),
    "--resolve": frozenset(("fide_xml", "aliases", "output", "force")),
    "a decision": frozenset(("json", "canonical")),
    "--decisions": frozenset(("json", "output", "force")),
    "--unresolved": frozenset(("json", "output", "force")),
    "": frozenset(_OPTIONS) - {"output", "canonical"},
}


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database", nargs="?")
    add_flags(command, "--json")
    job = command.add_mutually_exclusive_group()
    job.add_argument("--show", action="append")
    add_flags(job, "--undo")
    job.add_argument("--resolve")
    add_flags(job, "--decisions", "--unresolved")
    command.add_argument("--same", nargs="+", action="append")
    command.add_argument("--as", dest="canonical")
    command.add_argument("--different", nargs=2, action="append")
    command.add_argument("--name", nargs=2, action="append")
    command.add_argument("--forget", action="append")
    command.add_argument("--decide")
    add_lists(command)
    command.add_argument("--aliases-remove")
    command.add_argument("--report")
    command.add_argument("-o", "--output")
    add_flags(command, "--force", "--again")
    add_flags(command.add_mutually_exclusive_group(), "--no-fill", "--fill")
    add_flags(command.add_mutually_exclusive_group(), "--no-store-list", "--store-list")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run the task that the options choose; raise UsageError if they exclude each other."""
    job = _job(options)
    _check_options(options, job)
    if job == "a decision":
        return _decide(options)
    if job in ("--decisions", "--unresolved"):
        return _list(options, job)
    from ocgdedup.commands.players import (  # 92 ms
        PlayersRequest,
        consolidate_players,
        resolve_file,
        undo_players,
    )

    lists = list_files(options)
    if options.show is not None:
        return _explain(options, lists)
    reporter = choose_reporter(options)
    if options.undo:
        restored = undo_players(options.database, reporter)
        if options.json:
            terminal.write_result(terminal.json_text({"games_changed_back": restored}))
        elif not options.quiet:
            terminal.show(f"undone: {counted(restored, 'game')} changed back")
    elif options.resolve is not None:
        resolved = resolve_file(
            options.resolve, options.output or "-", lists, reporter, force=options.force
        )
        if not options.quiet:
            terminal.tell(show.resolved_line(resolved))
    else:
        result = consolidate_players(
            PlayersRequest(
                options.database,
                lists,
                report_path=options.report,
                force=options.force,
                again=options.again,
                back_fill=_wish(options.fill, options.no_fill),
                store_list=_wish(options.store_list, options.no_store_list),
                removed_aliases=options.aliases_remove,
            ),
            reporter,
        )
        if options.json:
            terminal.write_result(terminal.json_text(result))
        elif not options.quiet:
            show.show_players(result, options.database)
    return ExitStatus.DONE


def _wish(yes: bool, no: bool) -> bool | None:
    """Return the choice between two opposite options, None if neither is given."""
    return True if yes else False if no else None


def _explain(options: argparse.Namespace, lists: ListFiles) -> ExitStatus:
    from ocgdedup.commands.players import explain_by_lists, explain_stored  # 120 ms

    if options.database is not None:
        answers = explain_stored(options.database, options.show)
    else:
        reporter = choose_reporter(options)
        answers = explain_by_lists(options.show, lists, reporter)
    for lines in answers:
        terminal.write_table(lines)
    return ExitStatus.DONE


def _decide(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.name_decisions import (  # 95 ms
        DecisionRequest,
        decide_names,
        decisions_of_spellings,
    )
    from ocgdedup.commands.players import decoded  # 92 ms

    given: list[GivenNameDecision] = []
    if options.decide is not None and options.decide.lower().endswith(".ssp"):
        given += decisions_of_spellings(options.decide)
    elif options.decide is not None:
        from ocgdedup.reports.name_decision_files import read_name_decisions  # 60 ms

        given += read_name_decisions(options.decide)
    request = DecisionRequest(
        options.database,
        [decoded(names) for names in options.same or ()],
        decoded([options.canonical])[0] if options.canonical is not None else None,
        [decoded(names) for names in options.different or ()],
        [decoded(names) for names in options.name or ()],
        decoded(options.forget or ()),
        given,
    )
    result = decide_names(request, choose_reporter(options))
    if options.json:
        terminal.write_result(terminal.json_text(result))
    elif not options.quiet:
        terminal.write_table(show.decision_lines(result))
    return ExitStatus.DONE_WITH_REJECTS if result.left_out else ExitStatus.DONE


def _list(options: argparse.Namespace, job: str) -> ExitStatus:
    """List decisions or unresolved names on standard output or in a file."""
    from ocgdedup.commands.name_decisions import stored_decisions  # 95 ms
    from ocgdedup.commands.players import UNRESOLVED_COLUMNS, unresolved_names, write_tsv  # 92 ms
    from ocgdedup.reports.name_decision_files import decision_lines, decision_rows  # 60 ms
    from ocgdedup.tables.spreadsheet import table_lines  # 3 ms

    rows: Sequence[object]
    if job == "--decisions":
        decisions = stored_decisions(options.database)
        rows, lines, noun = decision_rows(decisions), decision_lines(decisions), "decision"
    else:
        names = unresolved_names(options.database)
        rows, lines, noun = names, table_lines(UNRESOLVED_COLUMNS, names), "unresolved name"
    if options.output not in (None, "-"):
        write_tsv(options.database, options.output, lines, force=options.force)
        if not options.quiet:
            terminal.tell(f"{options.output}: {counted(len(rows), noun)}")
    elif options.json:
        terminal.write_result(terminal.json_text(rows))
    else:
        terminal.write_lines(lines)
    return ExitStatus.DONE


def _job(options: argparse.Namespace) -> str:
    if options.show is not None:
        return f"--show {'without' if options.database is None else 'with'} a database"
    if options.resolve is not None:
        return "--resolve"
    if options.decisions or options.unresolved:
        return "--decisions" if options.decisions else "--unresolved"
    if options.undo:
        return "--undo"
    is_decision = any(getattr(options, option) is not None for option in _DECIDING)
    return "a decision" if is_decision or options.canonical is not None else ""


def _check_options(options: argparse.Namespace, job: str) -> None:
    has_database = options.database is not None
    if job == "--resolve" and has_database:
        raise UsageError(
            f"players: --resolve looks up the names of a file and needs no database; leave out "
            f"{options.database}, or --resolve"
        )
    for option in _OPTIONS:
        if getattr(options, option) in (None, False) or option in _ALLOWED[job]:
            continue
        name = "as" if option == "canonical" else option.replace("_", "-")
        raise UsageError(_misplaced(f"--{name}", job))
    if job.startswith(("--resolve", "--show")) and not has_database and options.fide_xml is None:
        raise UsageError(
            f"players: {job} needs a FIDE list to look names up in: --fide-xml LIST. For Go names, "
            "load a list into a database, 'ocgdedup players GAMES.db3 --aliases FILE', and ask "
            "there with --show"
        )
    if not has_database and job in ("", "--undo", "--decisions", "--unresolved", "a decision"):
        raise UsageError(
            "players: no database is named; name GAMES.db3 first, or use --resolve or --show"
        )
    _check_decisions(options, job)
    if options.force and not job and options.report is None:
        raise UsageError("players: --force overwrites a report; name one with --report FILE.csv")


def _check_decisions(options: argparse.Namespace, job: str) -> None:
    given = [option for option in _DECIDING if getattr(options, option) is not None]
    if given and job != "a decision":
        raise UsageError(f"players: --{given[0]} does not go with {job}; leave it out")
    if any(len(names) < 2 for names in options.same or ()):
        raise UsageError("players: --same needs two names or more of one player")
    if options.canonical is not None and len(options.same or ()) != 1:
        raise UsageError(
            "players: --as names the player of one --same NAME NAME...; use --name NAME CANONICAL "
            "for a single name"
        )
    is_listing = job in ("--decisions", "--unresolved")
    if options.force and is_listing and options.output in (None, "-"):
        raise UsageError("players: --force overwrites a file; name one with -o FILE.tsv")


def _misplaced(option: str, job: str) -> str:
    if not job:
        return (
            f"players: {option} goes with --resolve, --decisions or --unresolved only; leave it out"
        )
    if job == "--show with a database" and option in ("--fide-xml", "--aliases"):
        return (
            f"players: --show uses the lists that the database has; leave out {option}, "
            "or the database"
        )
    return f"players: {option} does not go with {job}; leave it out"


COMMAND = Command("players", _add_options, run_command)
