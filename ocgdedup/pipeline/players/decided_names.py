"""Apply the user's decisions about names to the players that names and games show.

The decisions are the last layer: players are resolved without them first, so that a decision can be
applied, changed and taken back at once, without resolving names again. The result is the same as
that of resolving all names with the decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

import apsw

from ocgdedup.game_kind import CHESS
from ocgdedup.matching.canonical_name import best_spelling
from ocgdedup.matching.names.name_decisions import (
    DecidedNames,
    DecidedSide,
    Group,
    canonical_names,
    deciding_side,
    different_groups,
    groups,
    names_of,
)
from ocgdedup.matching.names.name_form import is_full, name_form, name_key
from ocgdedup.matching.names.past_masters import past_masters
from ocgdedup.model import DecidedName, NameDecision, Reporter
from ocgdedup.model import Person as ListedPerson
from ocgdedup.pipeline.players.persons import (
    PlayersSummary,
    consolidate,
    is_current,
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
from ocgdedup.store.name_decisions import GroupedGame, NamedGame, Side
from ocgdedup.store.names import FILLING_STATE, PLAYERS_STATE, game_kind, read_state
from ocgdedup.store.players import (
    Person,
    PersonFacts,
    Resolution,
    SideFiller,
    filled_bits,
    forget_wrong_persons,
    judge_players_anew,
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
    made: _Made | None = None
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
    _set_aside(connection)  # of the old state
    apply_decisions(connection, made)
    update_spellings(connection)
    return restored


def restore_decisions(
    connection: apsw.Connection, *, are_players_sound: bool, is_base_sound: bool
) -> None:
    """Apply the decisions again after damage to players; the decisions themselves do not change.

    `are_players_sound`: the players of names and games are undamaged, `is_base_sound`: the players
    without the decisions are. If these are damaged, the present players replace them until the next
    consolidation, which looks up all names.
    """
    made: _Made | None = None
    if is_base_sound:
        store.add_undecided(connection)
    forget_wrong_persons(connection)
    if is_base_sound:
        made = _set_aside(connection)
    else:
        judge_players_anew(connection)
        store.forget_undecided(connection)
        decisions = store.name_decisions(connection) if are_players_sound else ()
        if decisions:
            store.save_undecided(connection)
        store.note_applied(connection, decisions)
    apply_decisions(connection, made)


def apply_decisions(
    connection: apsw.Connection, made: _Made | None = None, *, has_other_groups: bool = False
) -> int:
    """Set the players of all names that the user decided about; return the changed games.

    Does nothing if the decisions were applied before, no game is new, and groups are the same.
    `made`: players that earlier decisions made, who keep their IDs. `has_other_groups`: duplicate
    groups or their games have changed.
    """
    decisions = store.name_decisions(connection)
    if store.are_current(connection, decisions) and not (decisions and has_other_groups):
        return 0
    changed = _apply(connection, decisions, made)
    update_spellings(connection)
    return changed


class _Made(NamedTuple):
    """Players that only decisions made; `ids`: those of decided names, which keep them."""

    persons: Sequence[Person]
    ids: Mapping[DecidedName, int]


def _made(
    connection: apsw.Connection, decisions: Iterable[NameDecision], base: store.Undecided
) -> _Made:
    persons = [row for row in stored_persons(connection) if row.person_id not in base.persons]
    names = {name for row in decisions for name in names_of(row)}
    ids = store.players_of_decided_names(connection, names, {row.person_id for row in persons})
    return _Made(persons, ids)


def _set_aside(connection: apsw.Connection) -> _Made | None:
    """Restore the players without decisions; return those that only decisions made."""
    if not store.are_applied(connection):
        return None
    decisions = store.name_decisions(connection)
    made = _made(connection, decisions, store.undecided(connection))
    _apply(connection, (), None)
    return made


def _apply(
    connection: apsw.Connection, decisions: Sequence[NameDecision], made: _Made | None
) -> int:
    base = store.undecided(connection)
    if not store.are_applied(connection):
        store.save_undecided(connection)
    merged = store.restore_kept_games(connection)
    plan = _Plan(connection, decisions, base, made or _made(connection, decisions, base))
    changes = _write_games(connection, plan, merged)
    resolutions = list(plan.resolutions())
    write_persons(connection, plan.persons({row.person_id for row in resolutions}))
    write_resolutions(connection, resolutions)
    store.save_sides(connection, plan.sides)
    if not decisions:
        store.forget_undecided(connection)
    store.note_applied(connection, decisions)
    outdate_spellings(connection)
    if changes.is_imported:
        mark_stale(connection)
    return len(changes.games)


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
        made: _Made,
    ) -> None:
        self.base = base
        self.is_chess = game_kind(connection) == CHESS
        self._connection = connection
        self._decided = DecidedNames(decisions)
        self._in_groups: set[tuple[int, int]] = set()  # names and players of kept games
        self._groups = groups(decisions)
        self._group_of = {name: n for n, group in enumerate(self._groups) for name in group}
        self._different = different_groups(decisions, self._groups)
        self._canonical = canonical_names(decisions)
        self._by_name = {row.player_id: row for row in base.resolutions if row.scope == "name"}
        self._rows: dict[int, Person] = dict(base.persons)
        self._ids = {_key_of(row): row.person_id for row in base.persons.values()}
        self._made_ids = made.ids
        self._listed_ids = {_key_of(row): row.person_id for row in made.persons}
        used = (row.person_id + 1 for row in made.persons)
        self._following = max(next_person_id(connection), *used, 0)
        self._listed = _listed_players(connection, self._words(), self.is_chess)
        self.ids = store.ids_of_names(connection, {name.name for name in self._group_of})
        affected = {player for _, _, player in base.sides} | set(self.ids.values())
        affected |= store.names_of_kept_games(connection, self.ids.values())
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
            player = person if owned is None else owned
            if player is not None:
                taken[number] = player
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
        row = person_row(0, person)
        return self._add(row, self._listed_ids.get(_key_of(row)))

    def _add(self, row: Person, before: int | None, excluded: Set[int] = frozenset()) -> int:
        """Add a player, if new with the ID that he had before."""
        key = _key_of(row)
        while self._ids.get(key) in excluded:
            key = (*key, "another")
        if key not in self._ids:
            if before is None or before in self._rows:
                before, self._following = self._following, self._following + 1
            self._ids[key] = before
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
        before = (self._made_ids[name] for name in group if name in self._made_ids)
        return self._add(person_row(0, person), next(before, None), excluded)

    def _best_name(self, group: Group) -> str:
        counts = (self._counts[self.ids.get(name.name, 0)].total() for name in group)
        games = {name.name: max(1, count) for name, count in zip(group, counts, strict=True)}
        if self.is_chess:
            full = {name: games[name] for name in games if self._is_full(name)}
            return best_spelling(full or games)
        return max(games, key=lambda name: (games[name], len(name), name))

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
        by_name = self._person_by_name(name, person_id)
        number = self._group_of.get(DecidedName(name, game_id))
        if number is None:
            return by_name
        choice = self._choices[number]
        if choice.is_joined:
            return choice.person_id, True
        different = {self._choices[other].owned for other in self._different[number]} - {None}
        if by_name[0] not in different:
            return by_name
        is_other = person_id is not None and person_id not in different
        return person_id if is_other else choice.person_id, True

    def _person_by_name(self, name: str, person_id: int | None) -> tuple[int | None, bool]:
        """Do the work of person_of() without decisions about the game."""
        number = self._group_of.get(DecidedName(name))
        if number is not None:
            choice = self._choices[number]
            different = {self._choices[other].owned for other in self._different[number]}
            if choice.is_joined or (person_id is not None and person_id in different):
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
        for player, person_id in self._in_groups:
            row = Resolution(player, person_id, "game", STAGE, 1.0, _REASON, 1.0)
            rows.setdefault((player, person_id), row)
        yield from (rows[key] for key in sorted(rows))

    def with_persons(self, game: NamedGame, persons: tuple[int | None, int | None]) -> NamedGame:
        """Return a game with other players, and with the CoreHash of these."""
        white, black = (
            "" if player is None else self.key(player, person)
            for player, person in zip(game.players, persons, strict=True)
        )
        return game._replace(persons=persons, core_hash=core_hash(white, black))

    def players_of_kept_games(
        self, tables: Mapping[str, Sequence[NamedGame]]
    ) -> dict[tuple[int, int], int | None]:
        """Return the decided players of kept games, by game and side: those of deciding_side()."""
        records = {
            game.game_id: game
            for table in ("Games", "RemovedGames", "UnmergedHeaders")  # the last as imported
            for game in tables[table]
        }
        groups: defaultdict[int, list[GroupedGame]] = defaultdict(list)
        for grouped in store.grouped_games(self._connection, records):
            groups[grouped.kept_id].append(grouped)
        players: dict[tuple[int, int], int | None] = {}
        current = {game.game_id: game for game in tables["Games"]}
        for kept_id, members in groups.items():
            for side in _SIDES:
                if kept_id not in current:
                    continue
                sides = {
                    row.game_id: (records[row.game_id], side ^ row.is_exchanged) for row in members
                }
                decided = [self._decided_side(*sides[game_id]) for game_id in sides]
                kept = [row for row in decided if row.game_id == kept_id]
                copies = [row for row in decided if row.game_id != kept_id]
                best = deciding_side(kept[0] if kept else DecidedSide(kept_id, 0, False), copies)
                if best is None:
                    continue
                record, place = sides[best.game_id]
                person_id, game = record.persons[place], current[kept_id]
                if person_id != game.persons[side]:
                    players[kept_id, side] = person_id
                    if (player := game.players[side]) is not None and person_id is not None:
                        self._in_groups.add((player, person_id))
        return players

    def _decided_side(self, game: NamedGame, side: int) -> DecidedSide:
        name = self.names.get(game.players[side] or 0, "")
        level = self._decided.level(name, game.game_id)
        return DecidedSide(game.game_id, level, game.persons[side] is not None)

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
                person = game.persons[side]
                is_decided = player in changed or person not in base.persons
                if before is None and person is not None and is_decided:
                    resolution = by_name.get(player)
                    before = Side(resolution.person_id if resolution else None, 0)
                sides[key] = before or Side(game.persons[side], filled_bits(game.fields, side))
    return sides


class _Changes(NamedTuple):
    """The changed games, and whether a header as imported, which a search reads, changed."""

    games: set[int]
    is_imported: bool


def _write_games(
    connection: apsw.Connection, plan: _Plan, merged: Mapping[int, store.SidePlayers]
) -> _Changes:
    """Set the players of games and what is filled in; kept games get those of their groups last.

    `merged`: the players that kept games had from their groups.
    """
    is_resolved = bool(plan.base.persons) or read_state(connection, PLAYERS_STATE) is not None
    is_filling = is_resolved and read_state(connection, FILLING_STATE) != "no"
    tables = dict(plan.games)

    def write(change: Callable[[NamedGame], NamedGame], chosen: Iterable[str]) -> None:
        for table in chosen:
            before, tables[table] = tables[table], [*map(change, tables[table])]
            rows = zip(tables[table], before, strict=True)
            store.write_games(connection, table, [row for row, old in rows if row != old])

    write(partial(_with_players, plan), tables)
    fill = _Filler(connection, plan, is_filling)
    write(fill.filled, tables)
    own = dict(tables)
    if kept := plan.players_of_kept_games(tables):
        store.save_kept_games(connection, {game_id for game_id, _ in kept})
        write(partial(_with_players_of_group, plan, kept), ("Games",))
        write(fill.filled, ("Games",))
    unmerged = {game.game_id for game in tables["UnmergedHeaders"]}
    games, imported = set[int](), set[int]()
    for table, before in plan.games:
        games |= _changed(before, tables[table])
        imported |= _changed(before, own[table]) - (unmerged if table == "Games" else set())
    restored = merged.keys() - {game_id for game_id, _ in kept}
    same = {row.game_id for row in tables["Games"] if merged.get(row.game_id) == row.persons}
    return _Changes(games - same | restored, bool(imported))


def _changed(before: Sequence[NamedGame], after: Sequence[NamedGame]) -> set[int]:
    return {row.game_id for row, game in zip(after, before, strict=True) if row != game}


def _with_players_of_group(
    plan: _Plan, kept: Mapping[tuple[int, int], int | None], game: NamedGame
) -> NamedGame:
    persons = tuple(kept.get((game.game_id, side), game.persons[side]) for side in _SIDES)
    return game if persons == game.persons else plan.with_persons(game, (persons[0], persons[1]))


def _with_players(plan: _Plan, game: NamedGame) -> NamedGame:
    persons = list(game.persons)
    for side, player in enumerate(game.players):
        if player in plan.affected:
            before = plan.sides[game.game_id, side, player].person_id
            persons[side] = plan.person_of(game.game_id, player, before)[0]
    if tuple(persons) == game.persons == (None, None):
        return game
    return plan.with_persons(game, (persons[0], persons[1]))


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
