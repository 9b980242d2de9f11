"""check: look for errors in a database; repair derived values if requested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.check.database import Inspection, fix_results, inspect, repair
from ocgdedup.pipeline.check.findings import BOARD_RESULT, CHANGED_MOVES, MOVES, Finding
from ocgdedup.pipeline.corrections.settle import settle_corrections
from ocgdedup.store import connection as store
from ocgdedup.store.checks import OCGDB_VERSION, sources_of_games
from ocgdedup.store.connection import Database
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.file_state import result_changes
from ocgdedup.store.history import REPAIR, transaction
from ocgdedup.store.migrations import migrate

BACKUP_SUFFIX = ".before-repair"


class CheckResult(NamedTuple):
    """Findings and, after a repair, the remaining findings and the path of the backup.

    `version`: of the schema before a repair, 0 for a database of OCGDB.
    """

    version: int
    inspection: Inspection
    after_repair: Inspection | None = None
    backup_path: str | None = None

    def is_repaired(self, kind: str) -> bool:
        """Return whether a repair has left no finding of this kind."""
        return self.after_repair is not None and all(
            finding.kind != kind for finding in self.after_repair.findings
        )


def check_database(
    path: str, *, with_repair: bool, with_results: bool = False, reporter: Reporter
) -> CheckResult:
    """Check a database; if requested, copy the file and repair it in one transaction.

    `with_results`: set the result of games that end in mate or stalemate. Raises UsageError for the
    repair of a database of OCGDB, StoreError for an unreadable one.
    """
    is_changing = with_repair or with_results
    with open_database(path, writable=is_changing, as_it_is=True) as database:
        if is_changing and not database.is_ours:
            raise UsageError(
                f"{path}: OCGDB wrote this file; run 'ocgdedup dedup --upgrade' on it before "
                "--repair (check without --repair reads it as it is)"
            )
        with store_errors(path, "nothing was changed" if is_changing else "cannot be read"):
            version = OCGDB_VERSION
            if database.is_ours:
                version = int(database.connection.pragma("user_version"))
            with store.one_state(database.connection):
                inspection = inspect(database.connection, version, reporter)
                inspection = _with_sources(database.connection, inspection)
            repairs = [repair] if with_repair and inspection.can_repair else []
            if with_results and any(each.kind == BOARD_RESULT for each in inspection.findings):
                repairs.append(fix_results)
            result = CheckResult(version, inspection)
            return _repair(database, result, repairs, reporter) if repairs else result


def _repair(
    database: Database,
    result: CheckResult,
    repairs: Sequence[Callable[[apsw.Connection, Reporter], None]],
    reporter: Reporter,
) -> CheckResult:
    connection = database.connection
    # In this order, the next run recognizes the backup of a killed run.
    migrate(database, reporter)
    backup_path = store.back_up(database, database.path + BACKUP_SUFFIX)
    with transaction(connection, REPAIR), result_changes(connection):
        for repair in repairs:
            repair(connection, reporter)
        settle_corrections(connection)
        left = inspect(connection, store.SCHEMA_VERSION, reporter)
    return result._replace(after_repair=_with_sources(connection, left), backup_path=backup_path)


def _with_sources(connection: apsw.Connection, inspection: Inspection) -> Inspection:
    """Add the source of each game with damaged moves to its finding."""

    def with_sources(finding: Finding) -> Finding:
        ids = [example.game_id for example in finding.examples if example.game_id is not None]
        sources = sources_of_games(connection, ids)
        examples = [
            each._replace(text=f"{sources.get(each.game_id or 0, 'no source')}; {each.text}")
            for each in finding.examples
        ]
        return finding._replace(examples=examples)

    findings = [
        with_sources(finding) if finding.kind in (MOVES, CHANGED_MOVES) else finding
        for finding in inspection.findings
    ]
    return inspection._replace(findings=findings)
