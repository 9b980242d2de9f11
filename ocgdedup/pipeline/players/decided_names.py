"""Apply the user's decisions about names to the players that names and games show.

The decisions are the last layer: players are resolved without them first, so that a decision can be
applied, changed and taken back at once, without resolving names again. The result is the same as
that of resolving all names with the decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS
from ocgdedup.matching.names.name_decisions import Group, canonical_names, different_groups, groups
from ocgdedup.matching.names.name_form import is_full, name_form, without_titles
from ocgdedup.matching.names.past_masters import past_masters
from ocgdedup.model import DecidedName, NameDecision, Reporter
from ocgdedup.model import Person as ListedPerson
from ocgdedup.pipeline.players.persons import (
    PlayersSummary,
    consolidate,
    is_current,
    name_key,
    person_key,
    person_row,
    players_summary,
    undo_consolidation,
)
from ocgdedup.pipeline.players.spellings import outdate_spellings, update_spellings
from ocgdedup.store import fide_players
from ocgdedup.store import name_decisions as store
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.games import core_hash
from ocgdedup.store.name_decisions import NamedGame, Side
from ocgdedup.store.names import FILLING_STATE, PLAYERS_STATE, game_kind, read_state
from ocgdedup.store.players import (
    Person,
    PersonFacts,
    Resolution,
    SideFiller,
    filled_bits,
    next_person_id,
    stored_persons,
    write_persons,
    write_resolutions,
)

STAGE = "decision"
_REASON = "your decision"
_SIDES = (0, 1)
_Rank = tuple[object, ...]
# What shows the player of a decided name, the weakest first.
_BY_ONE_GAME, _BY_GAMES, _BY_NAME = range(3)


def resolve_players(
    connection: apsw.Connection,
    reporter: Reporter,
    *,
    list_month: str | None = None,
    again: bool = False,
    back_fill: bool | None = None,
) -> PlayersSummary:
    """Call consolidate(), then apply the decisions; the caller owns the transaction."""
    has_work = again or back_fill is not None or list_month is not None
    made: Sequence[Person] = ()
    if has_work or not is_current(connection):
        made = _set_aside(connection)
    summary = consolidate(
        connection, reporter, list_month=list_month, again=again, back_fill=back_fill
    )
    apply_decisions(connection, made)
    update_spellings(connection)
    if not store.are_applied(connection):
        return summary
    current = players_summary(
        connection, summary.filled, by_evidence=summary.games_by_evidence,
        is_unchanged=summary.is_unchanged,
    )  # fmt: skip
    return current._replace(reverted_merges=summary.reverted_merges)


def undo_players(connection: apsw.Connection) -> int:
    """Undo the last consolidation, but no decision; return how many games were restored."""
    made = _set_aside(connection)
    restored = undo_consolidation(connection)
    apply_decisions(connection, made)
    update_spellings(connection)
    return restored


def apply_decisions(connection: apsw.Connection, made: Sequence[Person] = ()) -> int:
    """Set the players of all names that the user decided about; return the changed games.

    Does nothing if the decisions were applied before and no game is new. `made`: players that
    earlier decisions made, who keep their IDs.
    """
    decisions = store.name_decisions(connection)
    if store.are_current(connection, decisions):
        return 0
    changed = _apply(connection, decisions, made)
    update_spellings(connection)
    return changed


def _set_aside(connection: apsw.Connection) -> Sequence[Person]:
    """Restore the players without decisions; return those that only decisions made."""
    if not store.are_applied(connection):
        return ()
    before = store.undecided(connection).persons
    made = [row for row in stored_persons(connection) if row.person_id not in before]
    _apply(connection, (), ())
    return made


def _apply(
    connection: apsw.Connection, decisions: Sequence[NameDecision], made: Sequence[Person]
) -> int:
    base = store.undecided(connection)
    if not store.are_applied(connection):
        store.save_undecided(connection)
    known = [
        row for row in (*made, *stored_persons(connection)) if row.person_id not in base.persons
    ]
    plan = _Plan(connection, decisions, base, known)
    changed = _write_games(connection, plan)
    resolutions = list(plan.resolutions())
    write_persons(connection, plan.persons({row.person_id for row in resolutions}))
    write_resolutions(connection, resolutions)
    store.save_sides(connection, plan.sides)
    if not decisions:
        store.forget_undecided(connection)
    store.note_applied(connection, decisions)
    outdate_spellings(connection)
    if changed:
        mark_stale(connection)
    return len(changed)


class _Choice(NamedTuple):
    """The player of a group; None if unknown.

    `owned`: the player who is no player of a different group. `is_joined`: all games of the group
    are by one player.
    """

    person_id: int | None
    owned: int | None
    is_joined: bool


class _Plan:
    """The players of all decided names.

    `sides`: the players without the decisions, by game, side and name, of all games that have a
    name whose player a decision changes or changed before.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        decisions: Sequence[NameDecision],
        base: store.Undecided,
        made: Iterable[Person],
    ) -> None:
        self.base = base
        self.is_chess = game_kind(connection) == CHESS
        self._groups = groups(decisions)
        self._group_of = {name: n for n, group in enumerate(self._groups) for name in group}
        self._different = different_groups(decisions, self._groups)
        self._canonical = canonical_names(decisions)
        self._by_name = {row.player_id: row for row in base.resolutions if row.scope == "name"}
        self._rows: dict[int, Person] = dict(base.persons)
        self._ids = {_key_of(row): row.person_id for row in made} | {
            _key_of(row): row.person_id for row in base.persons.values()
        }
        self._following = next_person_id(connection)
        self._listed = _listed_players(connection, self._words(), self.is_chess)
        self.ids = store.ids_of_names(connection, {name.name for name in self._group_of})
        affected = {player for _, _, player in base.sides} | set(self.ids.values())
        affected |= self._players_of_joined(affected)
        self.games = list(store.decided_games(connection, affected))
        self.affected = affected
        players = {player for _, rows in self.games for game in rows for player in game.players}
        self.names = store.texts_of_names(connection, affected.union(filter(None, players)))
        self.sides = _sides(self.games, affected, base, self._by_name)
        self._counts: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
        for (_, _, player), side in self.sides.items():
            self._counts[player][side.person_id] += 1
        self._choices = self._choose()
        self._moved = self._moved_persons()

    def _words(self) -> set[str]:
        return {name.name for name in self._group_of} | set(self._canonical.values())

    def _players_of_joined(self, players: Iterable[int]) -> set[int]:
        """Return the other names of the unlisted players of some names."""
        of_players = set(players)
        persons = {row.person_id for row in self.base.resolutions if row.player_id in of_players}
        listed = {person.name for person in self._listed.values()} | self._words()
        persons |= {row.person_id for row in self.base.persons.values() if row.name in listed}
        unlisted = {number for number in persons if not self.base.persons[number].fide_id}
        return {row.player_id for row in self.base.resolutions if row.person_id in unlisted}

    # --- choosing the player of each group ---

    def _choose(self) -> list[_Choice]:
        ranked = [self._candidates(group) for group in self._groups]
        order = sorted(
            range(len(ranked)),
            key=lambda number: (ranked[number][0][0] if ranked[number] else (), -number),
            reverse=True,
        )
        choices = [_Choice(None, None, False)] * len(ranked)
        taken: dict[int, int] = {}
        for number in order:
            group = self._groups[number]
            others = self._different.get(number, ())
            excluded = {taken[other] for other in others if other in taken}
            is_joined = len(group) > 1 or group[0] in self._canonical
            owned = next((p for _, p in ranked[number] if p not in excluded), None)
            person = owned
            if is_joined:
                person = owned = owned or self._make(group, excluded)
            elif owned is None or not self._is_by_name(group[0], owned):
                # Other players of single games say nothing about the other games.
                is_named = ranked[number] and self._is_full(group[0].name)
                person = self._make(group, excluded) if owned is None and is_named else None
            if owned is not None:
                taken[number] = owned
            choices[number] = _Choice(person, owned, is_joined)
        self._name_players(choices)
        return choices

    def _candidates(self, group: Group) -> list[tuple[_Rank, int]]:
        """Return the players that a group may be, with their ranks, the surest first."""
        canonical = self._canonical.get(group[0])
        ranks: dict[int, _Rank] = {}

        def add(person_id: int, level: int, *rank: float) -> None:
            row = self._rows[person_id]
            is_named = canonical is not None and row.name == canonical
            is_listed = row.fide_id is not None
            full = (is_named, level > _BY_ONE_GAME, is_listed, level, *rank, row.name)
            ranks[person_id] = max(ranks.get(person_id, full), full)

        for name in group:
            player = self.ids.get(name.name, 0)
            resolution = self._by_name.get(player)
            if name.game_id is not None:
                for side in _SIDES:
                    found = self.sides.get((name.game_id, side, player))
                    if found is not None and found.person_id is not None:
                        add(found.person_id, _BY_ONE_GAME, 0, 0, 1)
                continue
            if resolution is not None:
                is_name = self.base.persons[resolution.person_id].name == name.name
                count = self._counts[player][resolution.person_id]
                add(resolution.person_id, _BY_NAME, is_name, resolution.probability or 0, count)
            for person, count in self._counts[player].items():
                if person is not None:
                    add(person, _BY_GAMES, 0, 0, count)
            if resolution is None and (listed := self._listed.get(name.name)):
                add(self._id_of(listed), _BY_NAME, 1, 1, 0)
        for person_id in self._named(canonical):
            add(person_id, _BY_NAME, 1, 1, 0)
        return sorted(((rank, person_id) for person_id, rank in ranks.items()), reverse=True)

    def _named(self, canonical: str | None) -> list[int]:
        """Return the one player who is called exactly so, of the database or of a list."""
        if canonical is None:
            return []
        found = [row.person_id for row in self.base.persons.values() if row.name == canonical]
        if len(found) == 1:
            return found
        listed = self._listed.get(canonical) if not found else None
        return [self._id_of(listed)] if listed is not None else []

    def _id_of(self, person: ListedPerson) -> int:
        return self._add(person_row(0, person))

    def _add(self, row: Person, excluded: Set[int] = frozenset()) -> int:
        key = _key_of(row)
        while self._ids.get(key) in excluded:
            key = (*key, "another")
        if key not in self._ids:
            self._ids[key], self._following = self._following, self._following + 1
        person_id = self._ids[key]
        self._rows.setdefault(person_id, row._replace(person_id=person_id))
        return person_id

    def _make(self, group: Group, excluded: Set[int]) -> int:
        """Make a new player with the best name of a group."""
        name = self._canonical.get(group[0]) or self._best_name(group)
        person = ListedPerson(name)
        if self.is_chess:
            form = name_form(name)
            person = ListedPerson(name, country=form.country, birth_year=form.birth_year)
        return self._add(person_row(0, person), excluded)

    def _best_name(self, group: Group) -> str:
        def rank(name: DecidedName) -> tuple[bool, int, int, str]:
            player = self.ids.get(name.name, 0)
            games = self._counts[player].total()
            return self._is_full(name.name), games, len(name.name), name.name

        best = max(group, key=rank).name
        return without_titles(best) if self.is_chess else best

    def _is_full(self, name: str) -> bool:
        return not self.is_chess or is_full(name_form(name))

    def _is_by_name(self, name: DecidedName, person_id: int) -> bool:
        resolution = self._by_name.get(self.ids.get(name.name, 0))
        return resolution is not None and resolution.person_id == person_id

    def _name_players(self, choices: Sequence[_Choice]) -> None:
        for group, choice in zip(self._groups, choices, strict=True):
            canonical = self._canonical.get(group[0])
            if canonical is not None and choice.person_id is not None:
                row = self._rows[choice.person_id]
                self._rows[choice.person_id] = row._replace(name=canonical)

    def _is_joined(self, player: int) -> bool:
        number = self._group_of.get(DecidedName(self.names[player]))
        return number is not None and self._choices[number].is_joined

    def _moved_persons(self) -> dict[int, int]:
        """Return, for unlisted players of joined names, the players that their other names get."""
        chosen = {choice.owned for choice in self._choices}
        moved: dict[int, int] = {}
        for number, (group, choice) in enumerate(zip(self._groups, self._choices, strict=True)):
            if not choice.is_joined or choice.person_id is None:
                continue
            others = {
                self._by_name[player].person_id
                for other in self._different.get(number, ())
                for name in self._groups[other]
                if (player := self.ids.get(name.name)) in self._by_name
            }
            for name in group:
                resolution = self._by_name.get(self.ids.get(name.name, 0))
                if name.game_id is not None or resolution is None:
                    continue
                person_id = resolution.person_id
                is_listed = self.base.persons[person_id].fide_id is not None
                if not is_listed and person_id not in chosen and person_id not in others:
                    moved.setdefault(person_id, choice.person_id)
        return moved

    # --- the result ---

    def person_of(
        self, game_id: int, player: int, person_id: int | None
    ) -> tuple[int | None, bool]:
        """Return the player of a side, and whether a decision about its name says so."""
        name = self.names.get(player, "")
        for decided in (DecidedName(name, game_id), DecidedName(name)):
            number = self._group_of.get(decided)
            if number is None:
                continue
            choice = self._choices[number]
            if choice.is_joined:
                return choice.person_id, True
            different = {self._choices[other].owned for other in self._different[number]}
            if person_id is not None and person_id in different:
                return choice.person_id, True
        if person_id is None:
            return None, False
        return self._moved.get(person_id, person_id), False

    def persons(self, used: set[int]) -> Iterator[Person]:
        """Yield the players with some IDs."""
        return (self._rows[person_id] for person_id in sorted(used))

    def rows(self) -> Iterable[Person]:
        """Return all players, with and without games."""
        return self._rows.values()

    def row(self, person_id: int) -> Person:
        return self._rows[person_id]

    def resolutions(self) -> Iterator[Resolution]:
        """Yield the resolutions of all names."""
        rows: dict[tuple[int, int], Resolution] = {}
        for row in self.base.resolutions:
            if row.player_id in self.affected:
                person_id, is_decided = self.person_of(0, row.player_id, row.person_id)
                if person_id is None:
                    continue
                row = row._replace(person_id=person_id)
                if is_decided:
                    scope = "name" if self._is_joined(row.player_id) else row.scope
                    row = Resolution(row.player_id, person_id, scope, STAGE, 1.0, _REASON, 1.0)
            key = row.player_id, row.person_id
            if key not in rows or row.scope == "name":
                rows[key] = row
        for (game_id, _, player), side in self.sides.items():
            person_id, is_decided = self.person_of(game_id, player, side.person_id)
            if person_id is not None and (player, person_id) not in rows:
                name = DecidedName(self.names[player], game_id)
                scope = "game" if name in self._group_of or not is_decided else "name"
                row = Resolution(player, person_id, scope, STAGE, 1.0, _REASON, 1.0)
                rows[player, person_id] = row
        yield from (rows[key] for key in sorted(rows))

    def key(self, player: int, person_id: int | None) -> str:
        """Return the text of a side in CoreHash."""
        if person_id is None:
            return name_key(self.names[player])
        row = self._rows[person_id]
        return person_key(ListedPerson(row.name, fide_id=row.fide_id, birth_year=row.birth_year))


def _key_of(row: Person) -> tuple[object, ...]:
    if row.fide_id is not None:
        return (row.fide_id,)
    return row.name, row.birth_year, row.country or None


def _listed_players(
    connection: apsw.Connection, names: set[str], is_chess: bool
) -> dict[str, ListedPerson]:
    """Return the players who alone are called exactly by one of some names in the lists."""
    if not names:
        return {}
    listed = fide_players.players_called(connection, names)
    found = {name: persons[0] for name, persons in listed.items() if len(persons) == 1}
    if is_chess:
        for master in past_masters():
            if master.name in names and master.name not in listed:
                found[master.name] = master
    return found


def _sides(
    games: Iterable[tuple[str, Sequence[NamedGame]]],
    affected: set[int],
    base: store.Undecided,
    by_name: Mapping[int, Resolution],
) -> dict[tuple[int, int, int], Side]:
    """Return the sides of games as they are without the decisions."""
    sides = dict(base.sides)
    changed = {player for _, _, player in base.sides}
    for _, rows in games:
        for game in rows:
            for side in _SIDES:
                player = game.players[side]
                key = (game.game_id, side, player or 0)
                if player not in affected or key in sides:
                    continue
                source = game.sources[side]
                before = sides.get((source, side, player)) if source is not None else None
                if before is None and player in changed and game.persons[side] is not None:
                    resolution = by_name.get(player)
                    before = Side(resolution.person_id if resolution else None, 0)
                sides[key] = before or Side(game.persons[side], filled_bits(game.fields, side))
    return sides


def _write_games(connection: apsw.Connection, plan: _Plan) -> set[int]:
    """Set the players of games and what is filled in; return the games that were changed."""
    is_resolved = bool(plan.base.persons) or read_state(connection, PLAYERS_STATE) is not None
    changed: set[int] = set()
    tables: list[tuple[str, list[NamedGame]]] = []
    for table, games in plan.games:
        rows = [_with_players(plan, game, is_resolved) for game in games]
        changed |= _write_changed(connection, table, games, rows)
        tables.append((table, rows))
    is_filling = is_resolved and read_state(connection, FILLING_STATE) != "no"
    fill = _Filler(connection, plan, is_filling)
    for table, games in tables:
        changed |= _write_changed(connection, table, games, [*map(fill.filled, games)])
    return changed


def _write_changed(
    connection: apsw.Connection, table: str, before: Sequence[NamedGame], rows: list[NamedGame]
) -> set[int]:
    changes = [row for row, game in zip(rows, before, strict=True) if row != game]
    store.write_games(connection, table, changes)
    return {row.game_id for row in changes}


def _with_players(plan: _Plan, game: NamedGame, is_resolved: bool) -> NamedGame:
    persons = list(game.persons)
    for side, player in enumerate(game.players):
        if player in plan.affected:
            before = plan.sides[game.game_id, side, player].person_id
            persons[side] = plan.person_of(game.game_id, player, before)[0]
    if tuple(persons) == game.persons == (None, None):
        return game
    if is_resolved or any(person is not None for person in persons):
        white, black = (
            "" if player is None else plan.key(player, person)
            for player, person in zip(game.players, persons, strict=True)
        )
    else:  # as a load writes it
        white, black = (
            "" if player is None else plan.names[player] or "?" for player in game.players
        )
    return game._replace(persons=(persons[0], persons[1]), core_hash=core_hash(white, black))


class _Filler:
    """Fills in the sides whose player a decision changes."""

    def __init__(self, connection: apsw.Connection, plan: _Plan, is_filling: bool) -> None:
        self._plan = plan
        self._is_filling = is_filling
        self._filler = SideFiller(connection)
        fide_ids = {row.fide_id for row in plan.rows() if row.fide_id is not None}
        self._ratings = fide_players.ratings(connection, fide_ids) if is_filling else {}

    def filled(self, game: NamedGame) -> NamedGame:
        if (
            game.players[0] not in self._plan.affected
            and game.players[1] not in self._plan.affected
        ):
            return game
        # Both sides, so that the order of the tags does not depend on earlier decisions.
        fields = self._filler.refill(game.fields, 0, None, None)
        fields = self._filler.refill(fields, 1, None, None)
        for side, person_id in enumerate(game.persons):
            if self._is_filling and person_id is not None and self._is_sure(game, side):
                fields = self._filler.refill(fields, side, person_id, self._facts(person_id))
        return game._replace(fields=fields)

    def _is_sure(self, game: NamedGame, side: int) -> bool:
        """Return whether the player is certain enough to fill in values."""
        player = game.players[side]
        if player not in self._plan.affected:
            return filled_bits(game.fields, side) != 0
        before = self._plan.sides[game.game_id, side, player]
        person_id, is_decided = self._plan.person_of(game.game_id, player, before.person_id)
        return is_decided or before.filled != 0 or person_id != before.person_id

    def _facts(self, person_id: int) -> PersonFacts:
        row = self._plan.row(person_id)
        rating = self._ratings.get(row.fide_id or 0)
        return PersonFacts(row.fide_id, row.title, rating)
