"""Annotations of all records of a group, merged into the kept game at their plies.

Owns which annotation repeats another, and where a new one goes. The kept game's own annotations
stay as they are. All writes belong to the transaction of the caller.
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
from ocgdedup.store.games import Row, few_notes_of, notes_in_parts
from ocgdedup.store.merges import AddedNote, add_notes, replace_notes
from ocgdedup.thresholds import NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

_GAME = -1  # the ply of annotations before the first move
NO_PLIES = -1  # of a duplicate whose annotations do not fit the kept game anywhere
_GAMES_AT_ONCE = 250  # whose annotations are in memory
# The time for comments at one ply grows with the square of their number.
_MOST_COMPARED = 64
# Kinds of annotations in Go games, by their first character (docs/go.md).
_NODE, _BRANCH, _COMMENT, _PROPERTIES = ";", "(", "comment", "properties"
_SET_UP = re.compile(r"A[BWE]\s*\[")


class AnnotatedDuplicate(NamedTuple):
    """A duplicate that has annotations: those of the first `plies` fit the kept game.

    `shift`: if one game starts from a position of the other, they belong so many plies later, or
    earlier. `continues`: with the last ply of the kept game, which is truncated. `branches`: the
    next ply is another one, but variations in its place fit too.
    """

    kept: int
    game_id: int
    plies: int
    shift: int = 0
    continues: bool = False
    branches: bool = False


class MergedAnnotations(NamedTuple):
    """So many games got annotations, and so many duplicates have some that were not merged."""

    games: int
    left: int


class _Record(NamedTuple):
    """Annotations of a duplicate that fit the kept game; `is_whole`: these are all that it has."""

    game_id: int
    notes: list[Row]
    is_whole: bool


# Writes the further moves of a duplicate, with their annotations, as a variation: (kept game,
# duplicate, annotations); None if they cannot be written.
WriteRest = Callable[[int, int, Sequence[Row]], str | None]
_Fresh = list[tuple[int, Row]]  # (ID of the record, annotation)


class _Choice(NamedTuple):
    """What a kept game gets, and the records of which it lacks something that fits.

    `replaces`: in place of its own annotations.
    """

    fresh: _Fresh
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
    """Merge annotations of duplicates into their kept games; those of one game in a row.

    `longest`: a kept game has those of the record with the most text alone. `write_rest`: for
    annotations of duplicates that go on; without it they are left.
    """
    choose = partial(_longest, kind=kind) if longest else _FRESH_BY_KIND[kind]
    games = left = 0
    queue = deque(list(group) for _, group in groupby(duplicates, attrgetter("kept")))
    at_once = _GAMES_AT_ONCE
    while queue:
        some = [queue.popleft() for _ in range(min(at_once, len(queue)))]
        ids = [record.game_id for group in some for record in group]
        ids += [group[0].kept for group in some]
        notes = few_notes_of(connection, ids)
        if notes is None and len(some) > 1:
            queue.extendleft(reversed(some))
            at_once = len(some) // 2
            continue
        at_once = min(2 * at_once, _GAMES_AT_ONCE)
        if notes is None:  # a group with megabytes of annotations: they are not merged
            for record in some[0]:
                both = (
                    chain.from_iterable(notes_in_parts(connection, game_id))
                    for game_id in (record.game_id, record.kept)
                )
                left += any(note != kept_note for note, kept_note in zip_longest(*both))
            continue
        added: list[AddedNote] = []
        replaced = []
        for group in some:
            kept = group[0].kept
            own, records = notes.get(kept, []), _records(group, notes, write_rest)
            choice = choose(own, records)
            if choice.replaces:
                replaced.append(kept)
                own = []
            added += _placed(kept, own, choice.fresh)
            games += bool(choice.fresh)
            left += len(
                choice.incomplete.union(record.game_id for record in records if not record.is_whole)
            )
        replace_notes(connection, replaced)
        add_notes(connection, added)
    return MergedAnnotations(games, left)


def _records(
    group: Sequence[AnnotatedDuplicate], notes: dict[int, list[Row]], write_rest: WriteRest | None
) -> list[_Record]:
    """Return what fits the kept game, of the record with most annotations first."""
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
    """Return what two annotations have in common if one repeats the other."""
    ply, _, kind, value = note
    return ply, kind, " ".join(value.split()) if isinstance(value, str) else value


def _fresh(own: Sequence[Row], records: Sequence[_Record]) -> _Choice:
    """Return what the kept game lacks; nothing that fits is left."""
    known = set(map(_key, own))
    fresh: _Fresh = []
    for record in records:
        for note in record.notes:
            key = _key(note)
            if key not in known:
                known.add(key)
                fresh.append((record.game_id, note))
    contained = _contained(own, fresh)
    return _Choice([entry for place, entry in enumerate(fresh) if place not in contained], set())


def _contained(own: Sequence[Row], fresh: _Fresh) -> set[int]:
    """Return the places of comments whose words all are in one of another record, in a row."""
    by_ply: defaultdict[int, list[int]] = defaultdict(list)
    for place, (_, note) in enumerate(fresh):
        if note[2] == NOTE_COMMENT:
            by_ply[note[0]].append(place)
    if not by_ply:
        return set()
    # Other programs join the comments at one ply, or take them apart.
    own_words: defaultdict[int, str] = defaultdict(lambda: " ")
    for note in own:
        if note[2] == NOTE_COMMENT and note[0] in by_ply:
            own_words[note[0]] += f"{_key(note)[2]} "
    contained: set[int] = set()
    for ply, places in by_ply.items():
        if len(places) > _MOST_COMPARED:
            continue
        words = {place: f" {_key(fresh[place][1])[2]} " for place in places}
        for place in places:
            if words[place] in own_words[ply] or any(
                words[place] in words[other] and fresh[other][0] != fresh[place][0]
                for other in places
            ):
                contained.add(place)
    return contained


def _longest(own: Sequence[Row], records: Sequence[_Record], *, kind: GameKind) -> _Choice:
    """Return all of the record with the most text; nothing if that is the kept game."""
    best = max(records, key=lambda record: _length(record.notes))
    is_own = _length(own) >= _length(best.notes)
    is_own = is_own or (kind is GO and any(map(_sets_up, [*own, *best.notes])))
    known = {_key(note) for note in (own if is_own else best.notes)}
    incomplete = {
        record.game_id
        for record in records
        if any(_key(note) not in known for note in record.notes)
    }
    fresh = [] if is_own else [(best.game_id, note) for note in best.notes]
    return _Choice(fresh, incomplete, bool(own) and not is_own)


def _length(notes: Sequence[Row]) -> tuple[int, int]:
    """Return how much text annotations have, then how many they are."""
    return sum(len(str(_key(note)[2])) for note in notes if note[2] != NOTE_NAG), len(notes)


def _fresh_of_go(own: Sequence[Row], records: Sequence[_Record]) -> _Choice:
    """Return what the kept game lacks and may get, and the records of which something is left.

    The properties of a node, which FF[4] allows once each, are those of one record. Annotations at
    a ply that has further nodes belong to one of these: all of a record are merged there, or none.
    """
    by_ply: defaultdict[int, list[Row]] = defaultdict(list)
    for note in own:
        by_ply[note[0]].append(note)
    fresh: _Fresh = []
    incomplete = set()
    for record in records:
        for ply, notes in groupby(record.notes, itemgetter(0)):
            here, duplicate_notes = by_ply[ply], list(notes)
            known = set(map(_key, here))
            lacking = [note for note in duplicate_notes if _key(note) not in known]
            merged = _joining(lacking, here, duplicate_notes)
            here += merged
            fresh += [(record.game_id, note) for note in merged]
            if len(merged) < len(lacking):
                incomplete.add(record.game_id)
    return _Choice(fresh, incomplete)


_FRESH_BY_KIND = {CHESS: _fresh, GO: _fresh_of_go}


def _joining(lacking: list[Row], here: Sequence[Row], duplicate_notes: Sequence[Row]) -> list[Row]:
    """Return which Go annotations of a duplicate may join those at their ply."""
    if any(map(_sets_up, duplicate_notes)):
        return []
    if not here:
        return lacking
    signs = set(map(_sign, here))
    if _NODE in signs or _NODE in map(_sign, duplicate_notes):
        return []
    return [note for note in lacking if _PROPERTIES not in signs or _sign(note) != _PROPERTIES]


def _sets_up(note: Row) -> bool:
    """Return whether a Go annotation adds or removes stones.

    In the kept game they would be part of the moves that are compared.
    """
    return _sign(note) in (_NODE, _PROPERTIES) and bool(_SET_UP.search(str(note[3])))


def _sign(note: Row) -> str:
    if note[2] == NOTE_COMMENT:
        return _COMMENT
    sign = str(note[3]).lstrip()[:1]
    return sign if sign in (_NODE, _BRANCH) else _PROPERTIES


def _placed(kept: int, own: Sequence[Row], fresh: _Fresh) -> Iterator[AddedNote]:
    """Yield what goes into a game with its position: NAGs behind the move, the rest at the end.

    A NAG in front of the game's own comments has the position of the first of them, since these
    stay as they are.
    """
    own_at: defaultdict[int, list[Row]] = defaultdict(list)
    for note in own:
        own_at[note[0]].append(note)
    fresh = sorted(fresh, key=lambda entry: (entry[1][0], entry[1][2] != NOTE_NAG))
    for ply, notes in groupby(fresh, lambda entry: entry[1][0]):
        own_texts = own_at[ply]
        end = max((position for _, position, _, _ in own_texts), default=-1) + 1
        behind_nags = next((place for _, place, kind, _ in own_texts if kind != NOTE_NAG), None)
        for game_id, (_, _, kind, value) in notes:
            if kind == NOTE_NAG and behind_nags is not None:
                yield AddedNote(kept, ply, behind_nags, kind, value, game_id)
            else:
                yield AddedNote(kept, ply, end, kind, value, game_id)
                end += 1
