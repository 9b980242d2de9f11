"""The user's decisions about names: what follows from them, and whether they contradict each other.

Must not know games, lists or the database.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.matching.names.name_form import is_unknown
from ocgdedup.model import DecidedName, NameDecision, quoted_name

SAME, DIFFERENT, NAME = "same", "different", "name"
DECISIONS = (SAME, DIFFERENT, NAME)

# How a name is decided: another player than other names, with a player, or in this game.
UNDECIDED, APART, JOINED, IN_GAME = range(4)

# Names that belong to one player, in the order of the decisions.
Group = tuple[DecidedName, ...]


def canonical_names(decisions: Iterable[NameDecision]) -> dict[DecidedName, str]:
    """Return the canonical name of each name for whose player the user gave one."""
    return {row.name: row.other.name for row in decisions if row.decision == NAME}


def groups(decisions: Sequence[NameDecision]) -> list[Group]:
    """Return all decided names, those of one player together.

    Names with the same canonical name are of one player, unless they are decided to be different.
    """
    members: dict[DecidedName, list[DecidedName]] = {}

    def join(left: DecidedName, right: DecidedName) -> None:
        first, second = members[left], members[right]
        if first is not second:
            first += second
            members.update(dict.fromkeys(second, first))

    for row in decisions:
        for name in names_of(row):
            members.setdefault(name, [name])
    for row in decisions:
        if row.decision == SAME:
            join(row.name, row.other)
    apart = [(row.name, row.other) for row in decisions if row.decision == DIFFERENT]
    by_canonical: defaultdict[str, list[DecidedName]] = defaultdict(list)
    for name, canonical in canonical_names(decisions).items():
        for other in by_canonical[canonical]:
            both = {id(members[name]), id(members[other])}
            if not any({id(members[left]), id(members[right])} == both for left, right in apart):
                join(other, name)
        by_canonical[canonical].append(name)
    return list(map(tuple, {id(group): group for group in members.values()}.values()))


def different_groups(
    decisions: Iterable[NameDecision], found: Sequence[Group]
) -> Mapping[int, set[int]]:
    """Return, for the index of each group, the groups that are of other players."""
    index = {name: number for number, group in enumerate(found) for name in group}
    different: defaultdict[int, set[int]] = defaultdict(set)
    for row in decisions:
        if row.decision == DIFFERENT:
            left, right = index[row.name], index[row.other]
            different[left].add(right)
            different[right].add(left)
    return different


class DecidedSide(NamedTuple):
    """The decision about a side of a record; `level`: from DecidedNames.level()."""

    game_id: int
    level: int
    has_player: bool


class DecidedNames:
    """Finds which sides of games the decisions are about."""

    def __init__(self, decisions: Sequence[NameDecision]) -> None:
        self._levels: dict[DecidedName, int] = {}
        canonical = canonical_names(decisions)
        for group in groups(decisions):
            is_joined = len(group) > 1 or group[0] in canonical
            for name in group:
                by_name = JOINED if is_joined else APART
                self._levels[name] = by_name if name.game_id is None else IN_GAME

    def level(self, name: str | None, game_id: int) -> int:
        """Return how a name in a game is decided: UNDECIDED, APART, JOINED or IN_GAME."""
        levels, text = self._levels, name or ""
        return levels.get(DecidedName(text, game_id)) or levels.get(DecidedName(text), UNDECIDED)


def deciding_side(kept: DecidedSide, copies: Iterable[DecidedSide]) -> DecidedSide | None:
    """Return the record whose player a side of the kept game gets by the decisions, if any.

    A decision about one game beats those about all games; of equal ones, that of the kept game
    counts. Decisions about copies count only if they give a player.
    """
    strengths = {IN_GAME: 4, JOINED: 2, APART: 2}
    sides = {kept: strengths.get(kept.level, 0)}
    strengths = {IN_GAME: 3, JOINED: 1}
    sides |= {copy: strengths.get(copy.level, 0) if copy.has_player else 0 for copy in copies}
    best = max(sides, key=lambda side: (sides[side], -side.game_id))
    return best if sides[best] else None


class NameDecisions:
    """Decisions that do not contradict each other; `rows`: in their order."""

    def __init__(self, rows: Iterable[NameDecision]) -> None:
        self._rows: dict[NameDecision, None] = {}
        self._of_name: defaultdict[DecidedName, list[NameDecision]] = defaultdict(list)
        for row in rows:
            self._insert(row)

    @property
    def rows(self) -> list[NameDecision]:
        return list(self._rows)

    def about(self, name: DecidedName) -> list[NameDecision]:
        """Return the decisions about a name."""
        return list(self._of_name.get(name, ()))

    def add(self, new: NameDecision) -> None:
        """Add a decision; a later canonical name of a player replaces an earlier one.

        Raises UsageError for names of nobody, and if the new decision contradicts earlier ones.
        """
        for text in (new.name.name, new.other.name):
            if is_unknown(text):
                raise UsageError(f"--{new.decision} {text}: is no name of a player; name a player")
        if new.decision == NAME:
            for name in self._same_as(new.name):
                for row in self.about(name):
                    if row.decision == NAME:
                        self._delete(row)
                self._insert(NameDecision(NAME, name, new.other))
            return
        if new.name == new.other:
            raise UsageError(f"{new}: names {new.name} twice; a decision needs two names")
        if new in self._rows or NameDecision(new.decision, new.other, new.name) in self._rows:
            return
        self._require_consistent(new)
        self._insert(new)
        if new.decision == SAME:
            self._share_canonical_name(new)

    def forget(self, name: DecidedName) -> None:
        """Delete the decisions about a name; names that it joined stay joined."""
        rows = self.about(name)
        joined = [_other(row, name) for row in rows if row.decision == SAME]
        for row in rows:
            self._delete(row)
        for other in joined[1:]:
            if other not in self._paths(joined[0]):
                self._insert(NameDecision(SAME, joined[0], other))

    def _insert(self, row: NameDecision) -> None:
        if row not in self._rows:
            self._rows[row] = None
            for name in names_of(row):
                self._of_name[name].append(row)

    def _delete(self, row: NameDecision) -> None:
        del self._rows[row]
        for name in names_of(row):
            self._of_name[name].remove(row)

    def _require_consistent(self, new: NameDecision) -> None:
        if new.decision == DIFFERENT:
            if (chain := self._chain(new.name, new.other)) is not None:
                raise _contradiction(new, chain)
            return
        right = self._paths(new.other)
        for name in self._same_as(new.name):
            for row in self.about(name):
                if row.decision == DIFFERENT and _other(row, name) in right:
                    raise _contradiction(new, [row])

    def _share_canonical_name(self, new: NameDecision) -> None:
        """Give all names that a decision joined the canonical name that some of them have."""
        members = self._same_as(new.name)
        given = {
            row.name: row.other
            for name in members
            for row in self.about(name)
            if row.decision == NAME
        }
        named = {canonical: name for name, canonical in given.items()}
        if len(named) > 1:
            (first, left), (second, right), *_ = named.items()
            raise UsageError(
                f"{new}: by earlier decisions {left} has the canonical name {first}, and {right} "
                f"{second}; give both the same with --name first, or take one back with --forget"
            )
        for canonical in named:
            for name in members:
                self._insert(NameDecision(NAME, name, canonical))

    def _same_as(self, name: DecidedName) -> list[DecidedName]:
        """Return a name and those that decisions SAME connect with it."""
        return list(self._paths(name))

    def _chain(self, first: DecidedName, last: DecidedName) -> list[NameDecision] | None:
        """Return the decisions SAME that connect two names, None if nothing does."""
        paths = self._paths(first)
        if last not in paths:
            return None
        chain: list[NameDecision] = []
        while (step := paths[last]) is not None:
            row, last = step
            chain.append(row)
        return chain[::-1]

    def _paths(
        self, first: DecidedName
    ) -> dict[DecidedName, tuple[NameDecision, DecidedName] | None]:
        """Return, for each name of a player, the decision and the name by which it was reached."""
        paths: dict[DecidedName, tuple[NameDecision, DecidedName] | None] = {first: None}
        waiting = deque([first])
        while waiting:
            name = waiting.popleft()
            for row in self._of_name.get(name, ()):
                other = _other(row, name)
                if row.decision == SAME and other not in paths:
                    paths[other] = row, name
                    waiting.append(other)
        return paths


def names_of(row: NameDecision) -> tuple[DecidedName, ...]:
    """Return the names that a decision is about; a canonical name is none of them."""
    return (row.name,) if row.decision == NAME else (row.name, row.other)


def _other(row: NameDecision, name: DecidedName) -> DecidedName:
    return row.other if row.name == name else row.name


def _contradiction(new: NameDecision, earlier: Sequence[NameDecision]) -> UsageError:
    decisions = " and ".join(map(str, earlier))
    word = "decision" if len(earlier) == 1 else "decisions"
    return UsageError(
        f"{new}: contradicts your earlier {word} {decisions}; take it back first: "
        f"--forget {quoted_name(str(earlier[0].other))}"
    )
