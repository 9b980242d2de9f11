"""The command check: print the findings as text or JSON."""

from __future__ import annotations

import argparse
import json
import shlex
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import choose_reporter, write_result, write_table
from ocgdedup.errors import ExitStatus
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.check import CheckResult
    from ocgdedup.pipeline.check.findings import Finding

_WIDTH = 100


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--repair", "--fix-results", "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Check the database, repair it if requested, and print the findings."""
    from ocgdedup.commands.check import check_database  # 52 ms

    result = check_database(
        options.database, with_repair=options.repair, with_results=options.fix_results,
        reporter=choose_reporter(options),
    )  # fmt: skip
    if options.json:
        from ocgdedup.deprecated import with_old_keys  # 1 ms

        values = with_old_keys("check", _object(options.database, result))
        write_result(f"{json.dumps(values, indent=2)}\n")
    elif not options.quiet:
        write_table(_lines(options.database, result))
    return ExitStatus.DONE if result.inspection.is_clean else ExitStatus.DONE_WITH_REJECTS


def _object(path: str, result: CheckResult) -> dict[str, object]:
    """Return the JSON object; docs/check.md explains the keys."""
    inspection = result.inspection
    return {
        "database": path,
        "schema_version": result.version or None,
        "games": inspection.games,
        "clean": inspection.is_clean,
        "backup": result.backup_path,
        "faults": [_finding(finding, result) for finding in inspection.faults],
        "remarks": [_finding(finding, result) for finding in inspection.remarks],
    }


def _finding(finding: Finding, result: CheckResult) -> dict[str, object]:
    return {
        "kind": finding.kind,
        "description": finding.description,
        "count": finding.total,
        "examples": [
            {"game": example.game_id, "text": example.text} for example in finding.examples
        ],
        "repairable": finding.advice is None,
        "repaired": result.is_repaired(finding.kind),
        "advice": finding.advice,
    }


def _lines(path: str, result: CheckResult) -> Iterator[str]:
    if result.inspection.is_clean:
        yield f"{path}: no problems in {counted(result.inspection.games, 'game')}"
    for finding in result.inspection.findings:
        repaired = "; repaired" if result.is_repaired(finding.kind) else ""
        start = "remark: " if finding.is_remark else ""
        yield f"{start}{finding.description}: {finding.total:,}{repaired}"
        yield from _example_lines(finding)
        if finding.advice is not None:
            yield from textwrap.wrap(
                f"what to do: {finding.advice}", _WIDTH, initial_indent="  ",
                subsequent_indent="    ", break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    if result.after_repair is not None:
        yield f"repaired; backup of the file before the repair: {result.backup_path}"
        for finding in result.after_repair.findings:
            if finding.advice is None:
                yield f"could not be repaired: {finding.description}: {finding.total:,}"
    elif result.inspection.is_clean:
        return
    elif not result.inspection.can_repair:
        yield "'ocgdedup check --repair' cannot repair any of these problems"
    elif result.version:
        yield f"repair with: ocgdedup check --repair {shlex.quote(path)}"
    else:
        yield "OCGDB wrote this file: run 'ocgdedup dedup --upgrade' first, then repair it"


def _example_lines(finding: Finding) -> Iterator[str]:
    more = " ..." if finding.total > len(finding.examples) else ""
    numbers = [str(row.game_id) for row in finding.examples if row.text is None]
    if numbers:
        yield f"  ID {', '.join(numbers)}{more}"
        return
    for example in finding.examples:
        start = f"ID {example.game_id}: " if example.game_id is not None else ""
        yield f"  {start}{example.text}"
    if more:
        yield f"  and {finding.total - len(finding.examples):,} more"


COMMAND = Command("check", _add_options, run_command)
