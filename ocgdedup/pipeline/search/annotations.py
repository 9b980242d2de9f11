"""Merge the annotations of all records of a group into the kept game.

Owns the rules for which annotation repeats another, and for the position of a merged one. The kept
game's own annotations do not change. The caller owns the transaction.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, zip_longest
from operator import attrgetter, itemgetter
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.pipeline.search.ply_notes import PlyNotes
from ocgdedup.store.games import Row, few_notes_of, notes_in_parts
from ocgdedup.store.merges import AddedNote, add_notes, replace_notes
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

_GAME = -1  # the ply of annotations before the first move
NO_PLIES = -1  # AnnotatedDuplicate.plies if no annotation fits the kept game
_GROUPS_AT_ONCE = 250  # groups whose annotations are in memory
# At one ply; the time to compare comments grows with the square of their number.
_MOST_COMPARED = 64
# Sorts of annotations in Go games, by their first character (docs/go.md).
_NODE, _BRANCH, _COMMENT, _PROPERTIES = ";", "(", "comment", "properties"
_SET_UP = re.compile(r"A[BWE]\s*\[")


class AnnotatedDuplicate(NamedTuple):
    """A duplicate that has annotations: those of the first `plies` fit the kept game.

    `shift`: the number of plies to move annotations, if one game starts from a position of the
    other. `continues`: the duplicate has plies after the end of the kept game, which is truncated.
    `branches`: the games differ at ply `plies`, where variations of the duplicate still fit.
    """

    kept: int
    game_id: int
    plies: int
    shift: int = 0
    continues: bool = False
    branches: bool = False


class MergedAnnotations(NamedTuple):
    """Counts: `games` got annotations; `left` duplicates have annotations that were not merged."""

    games: int
    left: int


class _Record(NamedTuple):
    """Annotations of a duplicate that fit the kept game; `is_whole`: all its annotations fit."""

    game_id: int
    notes: list[Row]
    is_whole: bool


# (kept game, duplicate, annotations): the further moves of a duplicate as a variation, or None.
WriteRest = Callable[[int, int, Sequence[Row]], str | None]
_NewNotes = list[tuple[int, Row]]  # (ID of the record, annotation)


class _Choice(NamedTuple):
    """The annotations to merge into a kept game; `incomplete`: records with others that fit.

    `replaces`: the annotations replace those of the kept game.
    """

    new_notes: _NewNotes
    incomplete: set[int]
    replaces: bool = False


def merge_annotations(
    connection: apsw.Connection,
    duplicates: Iterable[AnnotatedDuplicate],
    kind: GameKind,
    *,
    longest: bool = False,
    write_rest: WriteRest | None = None,
) -> MergedAnnotations:
    """Merge annotations of duplicates, sorted by kept game, into their kept games.

    `longest`: a kept game has only the annotations of the record with the most text. `write_rest`:
    for annotations after the end of the kept game; without it these are not merged.
    """
    choose = partial(_longest, kind=kind) if longest else _NEW_BY_KIND[kind]
    games = left = 0
    queue = deque(list(group) for _, group in groupby(duplicates, attrgetter("kept")))
    at_once = _GROUPS_AT_ONCE
    while queue:
        groups = [queue.popleft() for _ in range(min(at_once, len(queue)))]
        ids = [record.game_id for group in groups for record in group]
        ids += [group[0].kept for group in groups]
        notes = few_notes_of(connection, ids)
        if notes is None and len(groups) > 1:
            queue.extendleft(reversed(groups))
            at_once = len(groups) // 2
            continue
        at_once = min(2 * at_once, _GROUPS_AT_ONCE)
        if notes is None:  # a group with megabytes of annotations is not merged
            for record in groups[0]:
                both = (
                    chain.from_iterable(notes_in_parts(connection, game_id))
                    for game_id in (record.game_id, record.kept)
                )
                left += any(note != kept_note for note, kept_note in zip_longest(*both))
            continue
        added: list[AddedNote] = []
        replaced = []
        for group in groups:
            kept = group[0].kept
            kept_notes, records = notes.get(kept, []), _records(group, notes, write_rest)
            choice = choose(kept_notes, records)
            if choice.replaces:
                replaced.append(kept)
                kept_notes = []
            added += _positioned(kept, kept_notes, choice.new_notes)
            games += bool(choice.new_notes)
            left += len(
                choice.incomplete.union(record.game_id for record in records if not record.is_whole)
            )
        replace_notes(connection, replaced)
        add_notes(connection, added)
    return MergedAnnotations(games, left)


def _records(
    group: Sequence[AnnotatedDuplicate], notes: dict[int, list[Row]], write_rest: WriteRest | None
) -> list[_Record]:
    """Return the annotations that fit the kept game, by record, the most annotations first."""
    records = []
    for duplicate in group:
        texts = [
            note
            for note in notes.get(duplicate.game_id, ())
            if (note[3].strip() if isinstance(note[3], str) else note[3] is not None)
        ]
        fitting = [note for note in texts if _fits(note, duplicate)]
        is_whole = len(fitting) == len(texts)
        if duplicate.shift:
            fitting = [(max(note[0] + duplicate.shift, _GAME), *note[1:]) for note in fitting]
        if duplicate.continues and not is_whole and write_rest is not None:
            late = [note for note in texts if note[0] >= duplicate.plies]
            tail = write_rest(duplicate.kept, duplicate.game_id, late)
            if tail is not None:
                fitting.append((duplicate.plies - 1, 0, NOTE_VARIATION, tail))
                is_whole = True
        records.append(_Record(duplicate.game_id, fitting, is_whole))
    return sorted(records, key=lambda record: (-len(record.notes), record.game_id))


def _fits(note: Row, duplicate: AnnotatedDuplicate) -> bool:
    ply, _, kind, _ = note
    if ply >= duplicate.plies:
        return duplicate.branches and ply == duplicate.plies and kind == NOTE_VARIATION
    return (
        duplicate.shift >= 0
        or ply + duplicate.shift >= 0
        or (ply == _GAME and kind == NOTE_COMMENT)
    )


def _key(note: Row) -> tuple[int, int, object]:
    """Return a key that is equal for annotations that repeat each other."""
    ply, _, kind, value = note
    return ply, kind, " ".join(value.split()) if isinstance(value, str) else value


def _new(kept_notes: Sequence[Row], records: Sequence[_Record]) -> _Choice:
    """Choose the annotations of a chess game that the kept game lacks."""
    keys = set(map(_key, kept_notes))
    kept_at: defaultdict[int, list[Row]] = defaultdict(list)
    for note in kept_notes:
        kept_at[note[0]].append(note)
    at_ply = {ply: PlyNotes(notes) for ply, notes in kept_at.items()}
    new_notes: _NewNotes = []
    incomplete = set()
    for record in records:
        in_order = sorted(record.notes, key=itemgetter(0))
        for ply, notes in groupby(in_order, itemgetter(0)):
            new, is_whole = at_ply.setdefault(ply, PlyNotes()).take(list(notes))
            for note in new:
                if _key(note) not in keys:
                    keys.add(_key(note))
                    new_notes.append((record.game_id, note))
            if not is_whole:
                incomplete.add(record.game_id)
    contained = _contained(kept_notes, new_notes)
    return _Choice([note for i, note in enumerate(new_notes) if i not in contained], incomplete)


def _contained(kept_notes: Sequence[Row], new_notes: _NewNotes) -> set[int]:
    """Return the indexes of comments whose text is part of a comment of another record."""
    by_ply: defaultdict[int, list[int]] = defaultdict(list)
    for index, (_, note) in enumerate(new_notes):
        if note[2] == NOTE_COMMENT:
            by_ply[note[0]].append(index)
    if not by_ply:
        return set()
    # Other programs join or split the comments at one ply.
    kept_words: defaultdict[int, str] = defaultdict(lambda: " ")
    for note in kept_notes:
        if note[2] == NOTE_COMMENT and note[0] in by_ply:
            kept_words[note[0]] += f"{_key(note)[2]} "
    contained: set[int] = set()
    for ply, indexes in by_ply.items():
        if len(indexes) > _MOST_COMPARED:
            continue
        words = {index: f" {_key(new_notes[index][1])[2]} " for index in indexes}
        contained.update(
            index
            for index in indexes
            if words[index] in kept_words[ply]
            or any(
                words[index] in words[other] and new_notes[other][0] != new_notes[index][0]
                for other in indexes
            )
        )
    return contained


def _longest(kept_notes: Sequence[Row], records: Sequence[_Record], *, kind: GameKind) -> _Choice:
    """Choose all annotations of the record with the most text, none if that is the kept game."""
    best = max(records, key=lambda record: _length(record.notes))
    is_kept = _length(kept_notes) >= _length(best.notes)
    is_kept = is_kept or (kind is GO and any(map(_sets_up, [*kept_notes, *best.notes])))
    keys = {_key(note) for note in (kept_notes if is_kept else best.notes)}
    incomplete = {
        record.game_id for record in records if any(_key(note) not in keys for note in record.notes)
    }
    new_notes = [] if is_kept else [(best.game_id, note) for note in best.notes]
    return _Choice(new_notes, incomplete, bool(kept_notes) and not is_kept)


def _length(notes: Sequence[Row]) -> tuple[int, int]:
    """Return the length of the text of annotations, then their number."""
    return sum(len(str(_key(note)[2])) for note in notes if note[2] != NOTE_NAG), len(notes)


def _new_in_go(kept_notes: Sequence[Row], records: Sequence[_Record]) -> _Choice:
    """Choose the annotations of a Go game that the kept game lacks and may get.

    FF[4] allows each property once in a node, so a node has the properties of one record. At a ply
    with further nodes, each annotation belongs to a node: all or none of a record are merged there.
    """
    by_ply: defaultdict[int, list[Row]] = defaultdict(list)
    for note in kept_notes:
        by_ply[note[0]].append(note)
    new_notes: _NewNotes = []
    incomplete = set()
    for record in records:
        for ply, notes in groupby(record.notes, itemgetter(0)):
            at_ply, duplicate_notes = by_ply[ply], list(notes)
            keys = set(map(_key, at_ply))
            lacking = [note for note in duplicate_notes if _key(note) not in keys]
            merged = _mergeable(lacking, at_ply, duplicate_notes)
            at_ply += merged
            new_notes += [(record.game_id, note) for note in merged]
            if len(merged) < len(lacking):
                incomplete.add(record.game_id)
    return _Choice(new_notes, incomplete)


_NEW_BY_KIND = {CHESS: _new, GO: _new_in_go}


def _mergeable(
    lacking: list[Row], at_ply: Sequence[Row], duplicate_notes: Sequence[Row]
) -> list[Row]:
    """Return the lacking Go annotations of a duplicate that may be added to those at their ply."""
    if any(map(_sets_up, duplicate_notes)):
        return []
    if not at_ply:
        return lacking
    sorts = set(map(_sort, at_ply))
    if _NODE in sorts or _NODE in map(_sort, duplicate_notes):
        return []
    return [note for note in lacking if _PROPERTIES not in sorts or _sort(note) != _PROPERTIES]


def _sets_up(note: Row) -> bool:
    """Return whether a Go annotation adds or removes stones, which would change compared moves."""
    return _sort(note) in (_NODE, _PROPERTIES) and bool(_SET_UP.search(str(note[3])))


def _sort(note: Row) -> str:
    if note[2] == NOTE_COMMENT:
        return _COMMENT
    sign = str(note[3]).lstrip()[:1]
    return sign if sign in (_NODE, _BRANCH) else _PROPERTIES


def _positioned(kept: int, kept_notes: Sequence[Row], new_notes: _NewNotes) -> Iterator[AddedNote]:
    """Yield new annotations with their positions: NAGs after the move, all others at the end."""
    kept_at: defaultdict[int, list[Row]] = defaultdict(list)
    for note in kept_notes:
        kept_at[note[0]].append(note)
    new_notes = sorted(new_notes, key=lambda entry: (entry[1][0], entry[1][2] != NOTE_NAG))
    for ply, notes in groupby(new_notes, lambda entry: entry[1][0]):
        at_ply = kept_at[ply]
        end = max((position for _, position, _, _ in at_ply), default=-1) + 1
        # The first comment's position, since the positions of existing annotations do not change.
        after_nags = next((position for _, position, kind, _ in at_ply if kind != NOTE_NAG), None)
        for game_id, (_, _, kind, value) in notes:
            if kind == NOTE_NAG and after_nags is not None:
                yield AddedNote(kept, ply, after_nags, kind, value, game_id)
            else:
                yield AddedNote(kept, ply, end, kind, value, game_id)
                end += 1
