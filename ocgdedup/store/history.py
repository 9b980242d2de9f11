"""The history of a database: what was done to it, and the files that undo and redo it.

Owns the table Steps, transaction(), which adds a row to it, and the folder DATABASE-history. The
folder keeps the rollback journal of each transaction, under a hard link: SQLite has written it
anyway. Undoing lets SQLite roll it back (page_images.py), and keeps the pages as they were for
redo. So a step keeps the old content of each page of the file that it overwrote, and nothing else.

Without the folder nothing is lost but the ability to undo. Its file `states` lists which change
counter belongs to which last row of Steps: if another program writes to the database, the counter
is unknown, and nothing can be undone. Must not know games.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

import apsw

from ocgdedup.errors import UsageError, current_command, note_lasting_change
from ocgdedup.files.portable import HISTORY_SUFFIX, sync_folder
from ocgdedup.store.connection import (
    BUSY_TIMEOUT_MS,
    column_names,
    connect_with_cache,
    file_bytes,
)
from ocgdedup.store.page_images import Journal, PageView, write_journal

# Values of Steps.Kind.
IMPORT, PLAYERS, DEDUP, DELETE, RESTORE, EDIT, TIDY = (
    "import", "players", "dedup", "delete", "restore", "edit", "tidy",
)  # fmt: skip
UNDO_OF = "undo of {}"  # another kind, while later steps stayed
DECISION, SIGNATURES, REPAIR, UPGRADE = "decision", "signatures", "repair", "upgrade"
_STATES, _UNDONE, _OUTPUTS = "states", "undone", "outputs"
_COUNTER_OFFSET, _COUNTER_BYTES = 24, 4  # of the header of the file
_LEAST_KEPT_BYTES = 1 << 26  # of journals; else as much as the database has
_STATES_KEPT = 10_000
_CHANGED = "{}: another command has changed the database meanwhile; run the command again"
_COLUMNS = "ID, Number, Kind, Time, Command, Changes, Token"
_INSERT = (
    f"INSERT INTO Steps ({_COLUMNS}) VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?, ?)"
)
# Of the files in the folder; all others are somebody else's.
_OWN_NAME = re.compile(
    r"\d+-[0-9a-f]{16}(-([0-9a-f]{16})?)?\.(undo|redo)|(states|undone|outputs)(\.new)?|rollback|"
    r"before-[0-9a-f]{8}\.db3"
)
_TOKEN_BEFORE = "SELECT Token FROM Steps WHERE ID < ? ORDER BY ID DESC LIMIT 1"


class StepPart(NamedTuple):
    """A row of Steps: one transaction; `kind` None: a note of the program on an earlier one."""

    row_id: int
    number: int
    kind: str | None
    time: str
    command: str | None
    changes: str | None
    token: str


class Step(NamedTuple):
    """What one command did; `can_be_undone` also if later steps must be undone first."""

    number: int
    time: str
    command: str | None
    kinds: tuple[str, ...]
    changes: str
    can_be_undone: bool


class Change:
    """The running transaction.

    Before it ends, set `words` to what it changes, `kind` to None if it turns out to be a note, and
    `can_be_undone` to False if its journal, and all earlier ones, must go.
    """

    def __init__(self, connection: apsw.Connection, kind: str | None, *, is_own_step: bool) -> None:
        self._connection, self._is_own_step = connection, is_own_step
        self.kind = kind
        self._before = connection.total_changes()
        self._journal_before = _journal_state(connection)
        self._token: str | None = None
        self._row_id = 0
        self._file: str | None = None
        self.words: str | None = None
        self.can_be_undone = True

    def write_row(self) -> None:
        """Add the row of Steps, once; what `words` is now counts."""
        connection = self._connection
        if self._token is not None or not column_names(connection, "Steps"):
            return
        last = _last_part(connection)
        command, number = current_command(), 0 if last is None else last.number
        if self.kind is not None:
            known = None if command is None or self._is_own_step else command.number
            number = number + 1 if known is None else known
            if command is not None:
                command.number = number
        self._row_id = 1 if last is None else last.row_id + 1
        self._token = secrets.token_hex(8)
        words = None if command is None else command.words
        line = None if words is None else shlex.join(words)
        connection.execute(
            _INSERT,
            (
                self._row_id,
                number,
                self.kind,
                _storable(line),
                _storable(self.words),
                self._token,
            ),
        )

    def before_commit(self) -> None:
        """Add the row of Steps, and keep the journal, if anything was written."""
        connection = self._connection
        journal = connection.filename_journal
        is_journaled = _journal_state(connection) != self._journal_before
        if not is_journaled and connection.total_changes() == self._before:
            return
        self.write_row()
        if self._token is None or not connection.filename:
            return
        folder = folder_of(connection.filename)
        # A new database has no journal, and nothing to go back to.
        counter = change_counter(connection)
        if not self.can_be_undone or counter is None or not os.path.exists(journal):
            return
        with contextlib.suppress(OSError):  # some file systems have no hard links
            last = connection.execute(_TOKEN_BEFORE, (self._row_id,)).get
            if not _States(folder).is_known(counter, last or ""):
                forget_journals(connection)  # another program has written since
                if self.kind is None:
                    return  # a note on a step that cannot be undone
            os.makedirs(folder, exist_ok=True)
            states = _States(folder)
            self._file = _entry(folder, self._row_id, self._token, "undo")
            os.link(journal, self._file)
            states.add(counter + 1, counter + 1, self._token)

    def after_commit(self) -> None:
        """Drop what can no longer be redone, and the oldest journals beyond the limit."""
        if not self.can_be_undone:
            forget_journals(self._connection)
        elif self._file is not None:
            with contextlib.suppress(OSError, apsw.BusyError), _reserved(self._connection):
                last = _last_part(self._connection)
                if last is not None and last.token == self._token:
                    _tidy(self._connection, os.path.dirname(self._file))

    def discard(self) -> None:
        """Drop the journal of a transaction that failed."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.remove(self._file)


def _journal_state(connection: apsw.Connection) -> tuple[int, ...] | None:
    """Return values that change when a journal is written; None without a journal.

    A killed program may have left one that SQLite need not roll back, and overwrites.
    """
    try:
        status = os.stat(connection.filename_journal or "")
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _storable(text: str | None) -> str | None:
    """Return a text with escapes for bytes of file names that are not UTF-8."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


@contextlib.contextmanager
def _reserved(connection: apsw.Connection) -> Iterator[None]:
    """Run a block in which nobody else writes to the database; raise BusyError if somebody does."""
    connection.set_busy_timeout(0)
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
    finally:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)


_CHANGE: ContextVar[Change | None] = ContextVar("_CHANGE", default=None)


@contextlib.contextmanager
def transaction(
    connection: apsw.Connection, kind: str | None = None, *, is_own_step: bool = False
) -> Iterator[Change]:
    """Run a block as one transaction that waits for other writers first, and add it to Steps.

    `kind`: None for a note of the program, which belongs to the step before. `is_own_step`: the
    transaction is a step even if it is one of several of a command.
    """
    connection.execute("BEGIN IMMEDIATE")
    change = Change(connection, kind, is_own_step=is_own_step)
    token = _CHANGE.set(change)
    try:
        yield change
        change.before_commit()
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:  # a full disk has already ended the transaction
            connection.execute("ROLLBACK")
        elif isinstance(error, KeyboardInterrupt):  # reported after the COMMIT
            note_lasting_change()
            raise
        change.discard()
        raise
    finally:
        _CHANGE.reset(token)
    note_lasting_change()
    change.after_commit()


def write_step_row() -> None:
    """Add the row of Steps of the running transaction, for what must be written after it."""
    change = _CHANGE.get()
    if change is not None:
        change.write_row()


def natural_counter(connection: apsw.Connection) -> int | None:
    """Return the change counter that the database had when it first was in its current state.

    Undoing restores an old state under a new counter. None if the file has no counter.
    """
    counter = change_counter(connection)
    if counter is None:
        return None
    return _States(folder_of(connection.filename)).natural(counter)


def folder_of(path: str) -> str:
    """Return the folder with the journals of a database."""
    return path + HISTORY_SUFFIX


# --- the list -------------------------------------------------------------------------------------


def steps(connection: apsw.Connection) -> list[Step]:
    """Return what was done, the last step first."""
    parts = _parts(connection)
    kept = _undoable(connection, parts)
    return [_step(group, can_be_undone=group[0].row_id >= kept) for group in _by_number(parts)]


def undone_steps(connection: apsw.Connection) -> list[Step]:
    """Return the steps that can be redone, the last one first."""
    parts = [part for part, _ in _redoable(connection)]
    return [_step(group, can_be_undone=False) for group in _by_number(parts)]


def _step(parts: Sequence[StepPart], *, can_be_undone: bool) -> Step:
    named = [part for part in parts if part.kind is not None]
    kinds = tuple(dict.fromkeys(part.kind for part in named if part.kind is not None))
    words = "; ".join(f"{part.kind}: {part.changes}" if part.changes else f"{part.kind}"
                      for part in named)  # fmt: skip
    return Step(parts[0].number, parts[0].time, parts[0].command, kinds, words, can_be_undone)


def _by_number(parts: Sequence[StepPart]) -> list[list[StepPart]]:
    """Return the parts of each step, the last step first."""
    groups: dict[int, list[StepPart]] = {}
    for part in sorted(parts):
        groups.setdefault(part.number, []).append(part)
    return [groups[number] for number in sorted(groups, reverse=True)]


def _parts(connection: apsw.Connection) -> list[StepPart]:
    if not column_names(connection, "Steps"):
        return []
    return [
        StepPart(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM Steps ORDER BY 1")
    ]


def _last_part(connection: apsw.Connection) -> StepPart | None:
    if not column_names(connection, "Steps"):
        return None
    row = connection.execute(f"SELECT {_COLUMNS} FROM Steps ORDER BY ID DESC LIMIT 1").fetchone()
    return None if row is None else StepPart(*row)


def _undoable(connection: apsw.Connection, parts: Sequence[StepPart]) -> int:
    """Return the first ID of the rows, up to the last one, whose transactions can be undone."""
    folder = folder_of(connection.filename)
    first = parts[-1].row_id + 1 if parts else 1
    if not parts or not _is_known(connection):
        return first
    for part in reversed(parts):
        if not os.path.exists(_entry(folder, part.row_id, part.token, "undo")):
            break
        first = part.row_id
    # A step is undone whole: the number of the row before differs.
    numbers = {part.row_id: part.number for part in parts}
    while first in numbers and numbers.get(first - 1) == numbers[first]:
        first += 1
    return first


def _redoable(connection: apsw.Connection) -> list[tuple[StepPart, str]]:
    """Return the undone transactions with their journals, in the order in which to redo them."""
    folder = folder_of(connection.filename)
    if not _is_known(connection):
        return []
    undone = _read_undone(folder)
    last = _last_part(connection)
    row_id, token = (0, "") if last is None else (last.row_id, last.token)
    found: list[tuple[StepPart, str]] = []
    while True:
        row_id += 1
        chosen = [part for part in undone if part.row_id == row_id
                  and os.path.exists(_redo_entry(folder, part, token))]  # fmt: skip
        if not chosen:
            return found
        found.append((chosen[0], _redo_entry(folder, chosen[0], token)))
        token = chosen[0].token


def time_of_last(connection: apsw.Connection, kind: str) -> str | None:
    """Return when the last transaction of a kind was made, None unless it can be undone."""
    parts = parts_since(connection, kind)
    return parts[0].time if parts and _kept_since(connection, parts[0]) else None


# --- undo and redo --------------------------------------------------------------------------------


def undo_last_step(path: str, seen: Step) -> Step:
    """Undo the last step of a database, which the caller has seen; return it.

    The caller has no connection to the database. Another program may have one: SQLite keeps it from
    reading meanwhile. Raises UsageError if another step came meanwhile.
    """
    with _locked(path) as connection:
        parts = _parts(connection)
        first = _undoable(connection, parts)
        groups = _by_number([part for part in parts if part.row_id >= first])
        if not groups or _step(groups[0], can_be_undone=True) != seen:
            raise UsageError(_CHANGED.format(path))
        _undo_parts(connection, groups[0])
        step = _step(groups[0], can_be_undone=True)
    _roll_back(path)
    return step


def parts_since(connection: apsw.Connection, kind: str) -> list[StepPart]:
    """Return the last transaction of a kind that was not undone, and all later ones."""
    parts = _parts(connection)
    undone = 0
    for index in range(len(parts) - 1, -1, -1):
        if parts[index].kind == UNDO_OF.format(kind):
            undone += 1
        elif parts[index].kind == kind:
            if not undone:
                return parts[index:]
            undone -= 1
    return []


def undo_parts(path: str, seen: Sequence[StepPart]) -> bool:
    """Undo the last transactions, which the caller has seen; False if a journal is missing.

    Raises UsageError if another transaction came meanwhile.
    """
    with _locked(path) as connection:
        require_last(connection, path, seen)
        parts = _kept_since(connection, seen[0])
        if not parts:
            return False
        _undo_parts(connection, parts)
    _roll_back(path)
    return True


def require_last(connection: apsw.Connection, path: str, seen: Sequence[StepPart]) -> None:
    """Raise UsageError unless these are the last transactions of a database."""
    if _parts(connection)[-len(seen) :] != list(seen):
        raise UsageError(_CHANGED.format(path))


@contextlib.contextmanager
def copy_before(path: str, seen: Sequence[StepPart]) -> Iterator[str | None]:
    """Yield a copy of the database before its last transactions, None if a journal is missing.

    Raises UsageError if another transaction came meanwhile.
    """
    copy = None
    try:
        with _locked(path) as connection:
            require_last(connection, path, seen)
            parts = _kept_since(connection, seen[0])
            if parts:
                folder, view = folder_of(connection.filename), PageView(connection)
                for part in reversed(parts):
                    view.go_back(Journal(_entry(folder, part.row_id, part.token, "undo")))
                copy = os.path.join(folder, f"before-{secrets.token_hex(4)}.db3")
                view.write_copy(copy)
        yield copy
    finally:
        if copy is not None:
            with contextlib.suppress(FileNotFoundError):
                os.remove(copy)


def _kept_since(connection: apsw.Connection, since: StepPart) -> list[StepPart]:
    """Return a transaction and all later ones; empty if one has no journal."""
    folder = folder_of(connection.filename)
    parts = [part for part in _parts(connection) if part.row_id >= since.row_id]
    has_all = all(os.path.exists(_entry(folder, part.row_id, part.token, "undo")) for part in parts)
    return parts if has_all and _is_known(connection) and parts[0] == since else []


def redo_next_step(path: str) -> Step | None:
    """Redo the step that was undone last; return it, None if there is none."""
    with _locked(path) as connection:
        redoable = _redoable(connection)
        if not redoable:
            return None
        chosen = [each for each in redoable if each[0].number == redoable[0][0].number]
        _redo_parts(connection, chosen)
        step = _step([part for part, _ in chosen], can_be_undone=True)
    _roll_back(path)
    return step


@contextlib.contextmanager
def _locked(path: str) -> Iterator[apsw.Connection]:
    """Yield a connection that nobody can read or write beside."""
    connection = connect_with_cache(path, True)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield connection
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.close()


def _roll_back(path: str) -> None:
    """Let SQLite roll back the journal that was put in place."""
    connect_with_cache(path, True).close()
    note_lasting_change()


def _undo_parts(connection: apsw.Connection, parts: Sequence[StepPart]) -> None:
    """Put the journal in place that undoes the last transactions, given in their order."""
    folder = folder_of(connection.filename)
    view = PageView(connection)
    before = connection.execute(_TOKEN_BEFORE, (parts[0].row_id,)).get
    tokens = [before or "", *(part.token for part in parts)]
    changed: set[int] = set()
    redo_files = []
    for part, previous in zip(reversed(parts), reversed(tokens[:-1]), strict=True):
        journal = Journal(_entry(folder, part.row_id, part.token, "undo"))
        later = view.copy()
        pages = view.go_back(journal)
        redo_files.append(_redo_entry(folder, part, previous))
        write_journal(redo_files[-1], later, pages)
        changed |= pages
    _write(folder, _UNDONE, list({*_read_undone(folder), *parts}))
    _put_in_place(connection, view, changed, tokens[0])
    # From here on the undone steps are undone, whoever rolls the journal back.
    for part in parts:
        with contextlib.suppress(OSError):  # what is left over is removed later
            os.remove(_entry(folder, part.row_id, part.token, "undo"))


def _redo_parts(connection: apsw.Connection, chosen: Sequence[tuple[StepPart, str]]) -> None:
    """Put the journal in place that redoes undone transactions, in their order."""
    folder = folder_of(connection.filename)
    view = PageView(connection)
    changed: set[int] = set()
    for part, redo_file in chosen:
        before = view.copy()
        pages = view.go_back(Journal(redo_file))
        write_journal(_entry(folder, part.row_id, part.token, "undo"), before, pages)
        changed |= pages
    _put_in_place(connection, view, changed, chosen[-1][0].token)
    for _, redo_file in chosen:
        with contextlib.suppress(OSError):
            os.remove(redo_file)


def _put_in_place(
    connection: apsw.Connection, view: PageView, changed: set[int], token: str
) -> None:
    """Give SQLite a journal to roll back that leads to the state of a view."""
    folder, counter = folder_of(connection.filename), change_counter(connection)
    assert counter is not None
    states = _States(folder)
    old = int.from_bytes(view.page(1)[_COUNTER_OFFSET:][:_COUNTER_BYTES], "big")
    states.add(counter + 1, states.natural(old), token)
    temporary = os.path.join(folder, "rollback")
    write_journal(temporary, view, changed | {1}, counter + 1)
    os.replace(temporary, connection.filename_journal)
    note_lasting_change()  # whoever opens the database next rolls the journal back
    with contextlib.suppress(OSError):
        sync_folder(os.path.dirname(connection.filename))


# --- the folder -----------------------------------------------------------------------------------


class _States:
    """The states of a database that its folder knows: [natural counter, token], by counter."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        content = _read(folder, _STATES)
        self._states: dict[str, tuple[int, str]] = {}
        for counter, state in content.items() if isinstance(content, dict) else ():
            if isinstance(state, list) and list(map(type, state)) == [int, str]:
                self._states[counter] = (state[0], state[1])

    def natural(self, counter: int) -> int:
        """Return the counter at which the database first was in a state."""
        return self._states.get(str(counter), (counter, ""))[0]

    def is_known(self, counter: int | None, token: str) -> bool:
        """Return whether no other program has written to the database since."""
        return self._states.get(str(counter), (0, None))[1] == token

    def add(self, counter: int, natural: int, token: str) -> None:
        """Add a state before the database gets into it."""
        kept = list(self._states.items())[-_STATES_KEPT:]
        self._states = {**dict(kept), str(counter): (natural, token)}
        _write(self._folder, _STATES, self._states)


def _is_known(connection: apsw.Connection) -> bool:
    last = _last_part(connection)
    token = "" if last is None else last.token
    return _States(folder_of(connection.filename)).is_known(change_counter(connection), token)


def change_counter(connection: apsw.Connection) -> int | None:
    """Return the number of transactions that have written to the file; None if it has no counter.

    WAL mode and databases in memory have none.
    """
    if connection.pragma("journal_mode") in ("wal", "memory"):
        return None
    # Through SQLite: opening and closing the file here would drop SQLite's locks on it.
    is_read, header = connection.read("main", 0, _COUNTER_OFFSET, _COUNTER_BYTES)
    return int.from_bytes(header, "big") if is_read else None


def _entry(folder: str, row_id: int, token: str, ending: str) -> str:
    return os.path.join(folder, f"{row_id}-{token}.{ending}")


def _redo_entry(folder: str, part: StepPart, token_before: str) -> str:
    return _entry(folder, part.row_id, f"{part.token}-{token_before}", "redo")


def _read_undone(folder: str) -> list[StepPart]:
    content = _read(folder, _UNDONE)
    rows = content if isinstance(content, list) else ()
    return [StepPart(*row) for row in rows if isinstance(row, list) and _is_part(row)]


def _is_part(row: Sequence[object]) -> bool:
    texts = row[2:]
    return (
        len(row) == len(StepPart._fields)
        and all(isinstance(number, int) for number in row[:2])
        and all(text is None or isinstance(text, str) for text in texts)
    )


def _read(folder: str, name: str) -> Any:
    """Return the content of a JSON file of a folder; None if there is none, or it is damaged."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as handle:
            return json.load(handle)
    except (OSError, ValueError):
        return None


def _write(folder: str, name: str, content: object) -> None:
    path = os.path.join(folder, name)
    with open(f"{path}.new", "w", encoding="utf-8") as handle:
        json.dump(content, handle)
    os.replace(f"{path}.new", path)


def note_outputs(path: str, outputs: Mapping[str, list[int]]) -> None:
    """Keep the stamps of output files beside the database: undoing takes them out of it."""
    folder = folder_of(os.path.realpath(path))
    if outputs and os.path.isdir(folder):
        _write(folder, _OUTPUTS, {**noted_outputs(path), **outputs})


def noted_outputs(path: str) -> dict[str, list[int]]:
    """Return what note_outputs() kept."""
    content = _read(folder_of(os.path.realpath(path)), _OUTPUTS)
    return content if isinstance(content, dict) else {}


def forget_journals(connection: apsw.Connection) -> None:
    """Delete all files of the history, for a change that cannot be undone, such as VACUUM."""
    folder = folder_of(connection.filename)
    with contextlib.suppress(OSError):
        for name in filter(_OWN_NAME.fullmatch, os.listdir(folder)):
            os.remove(os.path.join(folder, name))
        os.rmdir(folder)  # unless it has files of somebody else


def _tidy(connection: apsw.Connection, folder: str) -> None:
    """Drop what can no longer be redone or undone, and the oldest journals beyond the limit."""
    tokens = dict(connection.execute("SELECT Token, Number FROM Steps"))
    entries = []
    for name in filter(_OWN_NAME.fullmatch, os.listdir(folder)):
        row_id, _, rest = name.partition("-")
        path = os.path.join(folder, name)
        if name.endswith(".undo") and rest.removesuffix(".undo") in tokens:
            number = tokens[rest.removesuffix(".undo")]
            entries.append((int(row_id), number, os.path.getsize(path), path))
        elif name not in (_STATES, _OUTPUTS) and not name.startswith("before-"):
            os.remove(path)
    entries.sort()
    excess = sum(size for _, _, size, _ in entries) - max(file_bytes(connection), _LEAST_KEPT_BYTES)
    for _, number, size, path in entries:
        if excess <= 0 or number == entries[-1][1]:
            return
        os.remove(path)
        excess -= size
