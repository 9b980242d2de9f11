"""Phase 2 on Go: the names of a collection to persons, without any list of chess players."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import combinations

import apsw

from ocgdedup.matching.names.consolidate import Consolidated, NameUse
from ocgdedup.matching.names.go_persons import Days, GamesOfNames, GoConsolidation, GoList
from ocgdedup.matching.names.go_spelling import Spelling, may_be_one, spelling
from ocgdedup.store import fide_players, persons
from ocgdedup.store.player_games import games_under_other_names, played_days
from ocgdedup.wording import counted


def stored_go_list(connection: apsw.Connection) -> GoList:
    """Return the players of the lists of names in a database."""
    return GoList(fide_players.aliases(connection))


def go_persons(
    connection: apsw.Connection, uses: Sequence[NameUse], met: Container[tuple[int, int]]
) -> Consolidated:
    """Resolve the names of a Go collection to persons."""
    keys = {use.player_id: spelling(use.name).key for use in uses}
    games = GamesOfNames(met, _twins(connection, keys), partial(_days, connection, keys))
    return GoConsolidation(stored_go_list(connection)).run(uses, games)


def _twins(connection: apsw.Connection, keys: Mapping[int, str]) -> Counter[tuple[int, int]]:
    """Count the games in which two names have the same moves against the same opponent."""
    games: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    for move_hash, white, black in games_under_other_names(connection):
        if keys.get(white) and keys.get(black):
            games[move_hash].add((white, black))
    counted: Counter[tuple[int, int]] = Counter()
    for sides in games.values():
        counted.update(set(_other_names(sides, keys)))
    return counted


def _other_names(sides: Set[tuple[int, int]], keys: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Give the pairs of names of one side, where the other side has the same name."""
    for left, right in combinations(sorted(sides), 2):
        for side in (0, 1):
            same = keys[left[1 - side]] == keys[right[1 - side]]
            if same and keys[left[side]] != keys[right[side]]:
                yield min(left[side], right[side]), max(left[side], right[side])


def _days(connection: apsw.Connection, keys: Mapping[int, str], players: Set[int]) -> Days:
    """Return, for each of these players, the days he played, with his games and opponents."""
    days: defaultdict[int, defaultdict[str, set[int | str]]]
    days = defaultdict(lambda: defaultdict(set))
    for white, black, date, game in played_days(connection):
        for player, opponent in ((white, black), (black, white)):
            if player in players:
                days[player][date].update((game, keys.get(opponent) or game))
    return days


def explain_go(connection: apsw.Connection, names: Iterable[str]) -> Iterator[list[str]]:
    """Yield, for each name, lines that say how it is read and whom it means here."""
    listed = stored_go_list(connection)
    stored = [(name or "", games) for _, name, games in persons.distinct_names(connection)]
    for name in names:
        name_spelling = spelling(name)
        lines = [name, f"  read as: {name_spelling.letters or 'nobody'}{_shortness(name_spelling)}"]
        exact = listed.with_key(name_spelling.key) if name_spelling.key else []
        for number in exact or listed.alike(name_spelling):
            how = "the same name" if exact else "another spelling"
            lines.append(f"  listed: {listed.players[number].person.name}: {how}")
        yield [*lines, *_here(connection, name), *_other_spellings(name, stored)]


def _shortness(name_spelling: Spelling) -> str:
    too_short = name_spelling.is_short and name_spelling.key
    return " (too short a name: it is resolved only if a list has it)" if too_short else ""


def _here(connection: apsw.Connection, name: str) -> Iterator[str]:
    """Give the lines that say who a name is in this database."""
    person = ""
    for _, games, person, _, _, stage, _, reason in persons.merges_of_name(connection, name):
        because = f" ({reason})" if reason else ""
        yield f"  in this database: {counted(games, 'game')} by {person}; stage: {stage}{because}"
    if not person:
        yield "  in this database: no player found for this name"


def _other_spellings(name: str, stored: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Give a line for each other name of this database that may be the same."""
    name_spelling = spelling(name)
    for other, games in stored:
        other_spelling = spelling(other)
        if other == name or not name_spelling.key:
            continue
        if other_spelling.key == name_spelling.key or may_be_one(other_spelling, name_spelling):
            how = "the same name" if other_spelling.key == name_spelling.key else "another spelling"
            yield f"  similar name: {other} ({counted(games, 'game')}): {how}"
