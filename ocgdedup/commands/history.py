"""history, undo and redo; the parts of dedup --undo and players --undo that they share."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocgdedup.commands.outputs import outputs_kept, reading
from ocgdedup.errors import UsageError
from ocgdedup.store import history as store
from ocgdedup.store.database import store_errors
from ocgdedup.store.history import DECISION, IMPORT, SIGNATURES, UPGRADE, Step, StepPart

# What was done in such steps stays the same if an earlier step of another kind is undone.
INDEPENDENT = (IMPORT, DECISION, SIGNATURES, None)
_UNCHANGED = "nothing was changed"
_LOST = (
    "its undo files are missing, or another program has changed the database since; "
    "see docs/how-to/undo-and-redo.md"
)


class History(NamedTuple):
    """The steps of a database, and the undone steps that can be redone, both the last one first."""

    steps: list[Step]
    undone: list[Step]


def read_history(path: str) -> History:
    """Return the history of a database; empty for one of OCGDB or an older version."""
    with reading(path) as database:
        connection = database.connection
        return History(store.steps(connection), store.undone_steps(connection))


def undo_steps(path: str, back_to: int | None = None) -> list[Step]:
    """Undo the last step, or all steps after number `back_to`; return them, the last one first.

    Each step is undone as one change. Raises UsageError if there is no such step, or if one cannot
    be undone; then nothing changes.
    """
    done = read_history(path).steps
    if not done:
        raise UsageError(f"{path}: nothing to undo: the history is empty")
    if back_to is None:
        chosen = done[:1]
    else:
        chosen = [step for step in done if step.number > back_to]
        if back_to != 0 and back_to not in {step.number for step in done}:
            numbers = f"{done[-1].number} to {done[0].number}"
            raise UsageError(f"{path}: has no step {back_to}; 'ocgdedup history' lists {numbers}")
    for step in reversed(chosen):
        if not step.can_be_undone:
            raise UsageError(f"{path}: step {step.number} cannot be undone: {_reason(path, step)}")
    with outputs_kept(path), store_errors(path, _UNCHANGED):
        return [store.undo_last_step(path, step) for step in chosen]


def redo_step(path: str) -> Step:
    """Redo the step that was undone last; return it. Raises UsageError if there is none."""
    with reading(path):  # is it a database?
        pass
    with store_errors(path, _UNCHANGED):
        step = store.redo_next_step(path)
    if step is None:
        raise UsageError(
            f"{path}: nothing to redo: no step was undone, or something else was done since"
        )
    return step


def undo_kind(path: str, kind: str) -> list[StepPart] | None:
    """Undo the last transaction of a kind if nothing but notes follows.

    Returns None if that is done, and the transaction with the later ones if only independent steps
    follow, which must stay. Raises UsageError if there is none, if later steps depend on it, or if
    it cannot be undone.
    """
    parts = last_of(path, kind, INDEPENDENT)
    if not all(part.kind is None or _goes_with(part, parts[0]) for part in parts[1:]):
        return parts
    with outputs_kept(path), store_errors(path, _UNCHANGED):
        if store.undo_parts(path, parts):
            return None
    raise UsageError(f"{path}: step {parts[0].number} cannot be undone: {_LOST}")


def last_of(path: str, kind: str, independent: Sequence[str | None]) -> list[StepPart]:
    """Return the last transaction of a kind and the later ones, which all are of `independent`.

    Raises UsageError if there is none, or if later ones are of other kinds.
    """
    with reading(path) as database:
        parts = store.parts_since(database.connection, kind)
    if not parts:
        raise UsageError(f"{path}: nothing to undo: {kind} has not changed this database")
    dependent = [
        part
        for part in parts[1:]
        if part.kind not in independent and not _goes_with(part, parts[0])
    ]
    if dependent:
        names = ", ".join(f"{part.kind} (step {part.number})" for part in dependent)
        number = parts[0].number
        raise UsageError(
            f"{path}: later steps depend on the last run of {kind} (step {number}): {names}; "
            f"'ocgdedup undo {shlex.quote(path)} {number - 1}' undoes all of them"
        )
    return parts


def _goes_with(part: StepPart, first: StepPart) -> bool:
    """Return whether a transaction is undone with a search: the tidying of the same `run`."""
    return (first.kind, part.kind, part.number) == (store.DEDUP, store.TIDY, first.number)


@contextlib.contextmanager
def state_before(path: str, parts: Sequence[StepPart]) -> Iterator[str]:
    """Yield a copy of the database from before its last transactions."""
    with store_errors(path, _UNCHANGED), store.copy_before(path, parts) as copy:
        if copy is None:
            raise UsageError(f"{path}: step {parts[0].number} cannot be undone: {_LOST}")
        yield copy


def _reason(path: str, step: Step) -> str:
    has_made_it = step.number == 1 and IMPORT in step.kinds and UPGRADE not in step.kinds
    return f"it made the database {path}" if has_made_it else _LOST
