"""check: test whether a database is sound; rebuild derived values if asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.model import Reporter
from ocgdedup.pipeline.check.database import Inspection, fix_results, inspect, repair
from ocgdedup.pipeline.check.findings import BOARD_RESULT, CHANGED_MOVES, MOVES, Finding
from ocgdedup.store import connection as store
from ocgdedup.store.checks import OCGDB_VERSION
from ocgdedup.store.connection import Database
from ocgdedup.store.file_state import own_changes
from ocgdedup.store.migrate import migrate
from ocgdedup.store.stored_games import places_of_games

BACKUP_SUFFIX = ".before-repair"


class CheckResult(NamedTuple):
    """Findings and, after a repair, the findings that are left and the copy of the file.

    `version` is the schema version that was found, 0 for a database of OCGDB.
    """

    version: int
    inspection: Inspection
    after_repair: Inspection | None = None
    backup_path: str | None = None

    def is_repaired(self, kind: str) -> bool:
        """Tell if there is nothing of a kind any more."""
        return self.after_repair is not None and all(
            finding.kind != kind for finding in self.after_repair.findings
        )


def check_database(
    path: str, *, with_repair: bool, with_results: bool = False, reporter: Reporter
) -> CheckResult:
    """Check a database; repair it in one transaction, after copying the file, if asked for.

    `with_results`: give games the result of the mate or stalemate on their boards.

    Raises UsageError if a database of OCGDB is to be repaired, StoreError for one that cannot be
    read at all.
    """
    is_changing = with_repair or with_results
    with store.open_database(path, writable=is_changing, as_it_is=True) as database:
        if is_changing and not database.is_ours:
            raise UsageError(
                f"{path}: OCGDB wrote this file; run 'ocgdedup dedup --upgrade' on it before "
                "--repair (check without --repair reads it as it is)"
            )
        with store.store_errors(path, "nothing was changed" if is_changing else "cannot be read"):
            version = _version(database)
            with store.one_state(database.connection):
                inspection = _with_places(database, inspect(database.connection, version, reporter))
            repairs = [repair] if with_repair and inspection.can_repair else []
            if with_results and any(each.kind == BOARD_RESULT for each in inspection.findings):
                repairs.append(fix_results)
            if not repairs:
                return CheckResult(version, inspection)
            return _repair(database, CheckResult(version, inspection), repairs, reporter)


def _repair(
    database: Database,
    result: CheckResult,
    repairs: Sequence[Callable[[apsw.Connection, Reporter], None]],
    reporter: Reporter,
) -> CheckResult:
    connection = database.connection
    # In this order the next run recognises the copy that a killed run left.
    migrate(database, reporter)
    backup_path = store.back_up(database, database.path + BACKUP_SUFFIX)
    with store.transaction(connection), own_changes(connection):
        for repair in repairs:
            repair(connection, reporter)
        left = inspect(connection, store.SCHEMA_VERSION, reporter)
    return result._replace(after_repair=_with_places(database, left), backup_path=backup_path)


def _version(database: Database) -> int:
    if not database.is_ours:
        return OCGDB_VERSION
    return int(database.connection.pragma("user_version"))


def _with_places(database: Database, inspection: Inspection) -> Inspection:
    """Say of each game whose moves are damaged where it came from."""
    findings = [
        _placed(database, finding) if finding.kind in (MOVES, CHANGED_MOVES) else finding
        for finding in inspection.findings
    ]
    return inspection._replace(findings=findings)


def _placed(database: Database, finding: Finding) -> Finding:
    ids = [example.game_id for example in finding.examples if example.game_id is not None]
    places = places_of_games(database.connection, ids)
    examples = [
        example._replace(text=f"{places.get(example.game_id or 0, 'no source')}; {example.text}")
        for example in finding.examples
    ]
    return finding._replace(examples=examples)
