"""Check a database for damage, and rebuild derived values.

Owns the order of the checks and of the repairs. A repair checks again in its transaction, since the
database may have changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import apsw

from ocgdedup.errors import IntegrityError
from ocgdedup.game_kind import CHESS
from ocgdedup.model import Reporter
from ocgdedup.pgn.variation_text import is_open
from ocgdedup.pipeline.check import game_values
from ocgdedup.pipeline.check.findings import FILE, SCHEMA, Finding, Tally
from ocgdedup.pipeline.search.named_options import noted_options
from ocgdedup.store import checks, games, migrations, names, players
from ocgdedup.store.checks import NOT_UTF8, odd_values, stored_games
from ocgdedup.store.connection import SCHEMA_VERSION, column_names, missing_basics, replaced_tables
from ocgdedup.store.duplicates import mark_stale, searched_at
from ocgdedup.store.find import SIGNATURE_INDEXES
from ocgdedup.store.migrations import TextColumn, convert_texts, read_as_stored, read_as_text
from ocgdedup.store.names import game_kind
from ocgdedup.store.search_state import OPTIONS_STATE

# Columns that the search for duplicates reads.
_SEARCHED = frozenset(("MoveHash", "CoreHash", "DateQuality"))

# Damage after which the decisions about names are applied again.
_OF_PLAYERS = frozenset(("persons", "wrong-persons", "resolutions", "undecided"))

# Messages of SQLite about the content of an index, which can be rebuilt, and about rows.
_INDEX_MESSAGE = re.compile(
    r"(?:row \d+ missing from|row \d+ values differ from|wrong # of entries in|"
    r"rowid not at end-of-record for row \d+ of) index "
)
_ROW_MESSAGE = re.compile(
    r"CHECK constraint failed|NULL value in|non-unique entry in|(?:TEXT|NUMERIC|non-\w+) value in"
)


class Inspection(NamedTuple):
    """The number of games, without deleted ones, and the findings: faults, then remarks."""

    games: int
    findings: list[Finding]

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.is_remark]

    @property
    def remarks(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.is_remark]

    @property
    def is_clean(self) -> bool:
        return not self.faults

    @property
    def can_repair(self) -> bool:
        """Return whether --repair can repair a finding."""
        return any(finding.advice is None for finding in self.findings)


def inspect(connection: apsw.Connection, version: int, reporter: Reporter) -> Inspection:
    """Run all checks on a database of a schema version; change nothing.

    Damaged pages or missing tables end the checks.
    """
    tally = Tally()
    reporter.start("the file", None, None)
    for message in checks.integrity_messages(connection):
        if _INDEX_MESSAGE.search(message):
            tally.add("index-content", message)
        elif _ROW_MESSAGE.search(message):
            tally.add("constraints", message)
        else:
            tally.add(FILE, message)
    reporter.finish()
    if tally.has(FILE):
        return Inspection(0, tally.findings())
    is_ours = version > checks.OCGDB_VERSION
    missing = (
        migrations.missing_parts(connection, version) if is_ours else missing_basics(connection)
    )
    tally.add_all(SCHEMA, [*replaced_tables(connection), *missing])
    tally.add_all("costly-schema", map(str, migrations.costly_expressions(connection)))
    if tally.has(SCHEMA):
        return Inspection(0, tally.findings())
    reporter.start("tables", None, None)
    odd_texts = _check_shape(connection, tally, is_ours=is_ours)
    read_as_text(connection, odd_texts)
    try:
        _check_content(connection, version, tally, reporter)
    finally:
        read_as_stored(connection, odd_texts)
    return Inspection(games.count_games(connection), tally.findings())


def _check_content(
    connection: apsw.Connection, version: int, tally: Tally, reporter: Reporter
) -> None:
    """Find rows that contradict each other, and wrong derived values."""
    for check in checks.checks_for(connection, version):
        tally.add_all(check.kind, check.wrong_rows(connection))
    if game_kind(connection) is CHESS:
        variations = checks.stored_variations(connection)
        tally.add_all("variations", (game for game, text in variations if is_open(text)))
    for check in checks.group_checks_for(connection, version):
        tally.add_all(check.kind, check.wrong_rows(connection))
    if version > checks.OCGDB_VERSION:
        tally.add_all("indexes", _missing_indexes(connection))
        tally.add_all("counts", checks.wrong_counts(connection))
        tally.add_all("states", _damaged_states(connection))
    reporter.finish()
    _check_values(connection, version, tally, reporter)
    tally.add_all("signatures", game_values.check_signatures(connection))
    tally.add_all("position-filters", game_values.check_filters(connection))


def repair(connection: apsw.Connection, reporter: Reporter) -> None:
    """Rebuild derived values in a database of the current version; keep all others.

    The caller owns the transaction.
    """
    if any(map(_INDEX_MESSAGE.search, checks.integrity_messages(connection))):
        checks.rebuild_indexes(connection)
    for column in {
        TextColumn(odd.table, odd.column)
        for odd in odd_values(connection, is_ours=True)
        if odd.problem == NOT_UTF8
    }:
        convert_texts(connection, column)
    games.build_indexes(connection, _missing_indexes(connection))
    damage: set[str] = set()
    for check in checks.checks_for(connection, SCHEMA_VERSION):
        is_needed = check.repairs or check.kind in _OF_PLAYERS
        if is_needed and any(True for _ in check.wrong_rows(connection)):
            damage.add(check.kind)
            for statement in check.repairs:
                connection.execute(statement)
            if check.kind == "resolutions":
                players.judge_players_anew(connection)
    if damage & _OF_PLAYERS:
        from ocgdedup.pipeline.players.decided_names import restore_decisions  # 73 ms

        is_base_sound = "undecided" not in damage
        are_sound = damage.isdisjoint(_OF_PLAYERS - {"undecided"})
        restore_decisions(connection, are_players_sound=are_sound, is_base_sound=is_base_sound)
    players.forget_wrong_persons(connection)  # after the repair of resolutions
    changed = _repair_values(connection, reporter)
    game_values.repair_signatures(connection)
    game_values.repair_filters(connection)
    checks.dissolve_broken_groups(connection)
    if not changed.isdisjoint(_SEARCHED):
        mark_stale(connection)
    for name in _damaged_states(connection):
        names.write_state(connection, name, None)
    if checks.wrong_counts(connection):
        names.write_info(connection)


def fix_results(connection: apsw.Connection, reporter: Reporter) -> None:
    """Correct results that contradict mate or stalemate on the board; keep the original.

    The caller owns the transaction.
    """
    reporter.start("results", None, None)
    changed = 0
    for table in games.GAME_TABLES:
        checker = game_values.ValueChecker(connection, SCHEMA_VERSION)
        for rows in stored_games(connection, table):
            checker.check(table, rows, Tally())
        checks.write_results(connection, table, checker.board_results)
        changed += len(checker.board_results)
    if changed:
        mark_stale(connection)
    reporter.finish()


def _check_shape(
    connection: apsw.Connection, tally: Tally, *, is_ours: bool
) -> dict[str, set[str]]:
    """Find values of wrong types; return the columns of texts that are not UTF-8, by table."""
    odd_texts: dict[str, set[str]] = {}
    for odd in odd_values(connection, is_ours=is_ours):
        if odd.problem == NOT_UTF8:
            tally.add("text" if is_ours else "foreign-text", f"{odd.table}: ID {odd.key}")
            odd_texts.setdefault(odd.table, set()).add(odd.column)
        else:
            tally.add("values", str(odd))
    return odd_texts


def _damaged_states(connection: apsw.Connection) -> list[str]:
    """Return the names of unreadable values in Info."""
    try:
        noted_options(connection)
    except IntegrityError:
        return [*names.damaged_states(connection), OPTIONS_STATE]
    return names.damaged_states(connection)


def _missing_indexes(connection: apsw.Connection) -> list[str]:
    """Return the missing indexes; `create --no-index` leaves out all on hashes and signatures."""
    missing = checks.stored_indexes(connection).missing
    needed = list(games.NOTE_INDEXES)
    if not set(games.HASH_INDEXES) <= set(missing):
        needed += games.HASH_INDEXES
    if names.read_state(connection, names.PLAYERS_STATE) is not None:
        needed.append("GamesCoreHash")
    if searched_at(connection) is not None and "DuplicateFlagsGroup" in missing:
        needed.append("DuplicateFlagsGroup")
    if not set(SIGNATURE_INDEXES) <= set(missing):
        needed += SIGNATURE_INDEXES
    return [name for name in missing if name in needed]


def _check_values(
    connection: apsw.Connection, version: int, tally: Tally, reporter: Reporter
) -> None:
    reporter.start("games", None, games.count_games(connection))
    count = 0
    checker = game_values.ValueChecker(connection, version)
    for table, rows in _stored_values(connection):
        checker.check(table, rows, tally)
        count += len(rows) if table == "Games" else 0
        reporter.advance(count, 0)
    reporter.finish()


def _repair_values(connection: apsw.Connection, reporter: Reporter) -> set[str]:
    """Rewrite values that follow from moves, dates and players; return the changed columns."""
    reporter.start("repairing games", None, None)
    changed: set[str] = set()
    checker = game_values.ValueChecker(connection, SCHEMA_VERSION)
    for table, rows in _stored_values(connection):
        for columns, values in checker.check(table, rows, Tally()).items():
            checks.write_values(connection, table, columns, values)
            changed.update(columns)
    reporter.finish()
    return changed


def _stored_values(connection: apsw.Connection) -> Iterator[tuple[str, list[games.Row]]]:
    """Yield table and rows of StoredGame, range by range."""
    for table in ("Games", "RemovedGames", "UnmergedHeaders"):
        if column_names(connection, table):
            for rows in stored_games(connection, table):
                yield table, rows
