"""Resolve the names of a collection to persons, and find who played each game.

Go players are in no rating list: spellings of a name become one person, with the help of a name
table if there is one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError
from ocgdedup.matching.names.consolidate import Consolidated, Consolidation, Identity, NameUse
from ocgdedup.matching.names.go_persons import Days, GamesOfNames, GoConsolidation, GoList
from ocgdedup.matching.names.go_spelling import may_be_one, spelling
from ocgdedup.matching.names.name_form import name_key
from ocgdedup.matching.names.phonetic import encode
from ocgdedup.model import Person, Reporter
from ocgdedup.pipeline.players.by_game import GamePlayers, judge_of, players_by_game, settled
from ocgdedup.pipeline.players.game_claims import claim_rules
from ocgdedup.pipeline.players.kept_names import KeptNames, kept_names, no_kept_names
from ocgdedup.pipeline.players.name_counts import count_names
from ocgdedup.pipeline.players.name_lists import stored_name_list
from ocgdedup.pipeline.players.name_uses import name_uses, names_with_text, read_games
from ocgdedup.pipeline.players.spellings import outdate_spellings
from ocgdedup.pipeline.players.unresolved_names import name_candidates
from ocgdedup.store import fide_players, undo
from ocgdedup.store import players as store
from ocgdedup.store.corrections import has_corrections
from ocgdedup.store.file_state import note_changed_games
from ocgdedup.store.games import count_games
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.names import (
    FILLING_STATE,
    PLAYERS_STATE,
    PLAYERS_TIME,
    game_kind,
    read_state,
    write_state,
    write_time,
)  # fmt: skip
from ocgdedup.store.search_state import last_searched_game
from ocgdedup.thresholds import SURE_PROBABILITY
from ocgdedup.wording import counted

_PROGRESS_EVERY = 1000  # names


class PlayersSummary(NamedTuple):
    """Result of a consolidation.

    `names`: with games and without unknown names; `unresolved_names`: without a person for all
    their games; `games_by_evidence`: sides of games decided by evidence of the game; `filled`:
    number of back-filled fields by name; `is_unchanged`: nothing was new. `reverted_merges`: merged
    headers of some groups were reverted, since the players of their games have changed.
    """

    names: int
    resolved: int
    persons: int
    fide_persons: int
    unresolved_names: int
    unknown_names: int
    games: int
    games_with_both: int
    games_by_evidence: int
    filled: Mapping[str, int]
    is_unchanged: bool
    reverted_merges: bool = False
    is_go: bool = False


def consolidate(
    connection: apsw.Connection,
    reporter: Reporter,
    *,
    list_month: str | None = None,
    again: bool = False,
    back_fill: bool | None = None,
) -> PlayersSummary:
    """Find the persons of all names and write who played.

    The caller owns the transaction, and updates the spellings of names.

    Uses the lists in the database. `list_month` ("YYYY-MM") replaces the month of the rating list;
    `again`: look up all names again; `back_fill`: None repeats the last choice. Raises UsageError
    if names must be looked up and the database has only a part of the rating list.
    """
    if list_month is not None:
        fide_players.set_month(connection, list_month)
    if back_fill is not None:
        write_state(connection, FILLING_STATE, None if back_fill else "no")
    if is_current(connection) and not again:
        if fide_players.lacks_listed_aliases(connection):
            stored_name_list(connection)  # stores them
        return players_summary(connection, {}, by_evidence=0, is_unchanged=True)
    if fide_players.lacks_players(connection):
        raise UsageError(
            "new names need the whole FIDE list, and the database keeps only the entries of its "
            "own players (players --no-store-list); give the list: --fide-xml LIST"
        )
    # Decisions and corrections are in merged headers, too.
    keeps_merges = not (has_decisions(connection) or has_corrections(connection))
    reverted_merges = not keeps_merges and undo.forget_merges(connection)
    find = _find_in_go if game_kind(connection).is_go else _find
    found = find(connection, reporter, again=again)
    written = _write(connection, found)
    if keeps_merges:
        reverted_merges = undo.forget_merges(connection, written.earlier)
    note_changed_games(connection, written.earlier if keeps_merges else None)
    write_state(connection, PLAYERS_STATE, _state(connection))
    write_time(connection, PLAYERS_TIME)
    outdate_spellings(connection)
    summary = players_summary(
        connection, written.filled, by_evidence=len(found.by_game), is_unchanged=False
    )
    return summary._replace(reverted_merges=reverted_merges)


def is_current(connection: apsw.Connection) -> bool:
    """Return whether no game, name or list is new since the last consolidation."""
    return _state(connection) == read_state(connection, PLAYERS_STATE)


class _Found(NamedTuple):
    """The players of `names` (texts by ID) and of single games.

    `kept`: names that were not looked up again.
    """

    names: Mapping[int, str]
    consolidated: Consolidated
    by_game: GamePlayers
    kept: KeptNames


def _find(connection: apsw.Connection, reporter: Reporter, *, again: bool) -> _Found:
    """Find the persons of names, then those of single games."""
    reporter.start("indexing the lists of players", None, None)
    listed = stored_name_list(connection)
    reporter.finish()
    claims = claim_rules(connection)
    before = "" if again else read_state(connection, PLAYERS_STATE) or ""
    newest = store.newest_game(before)
    games = read_games(connection, claims, newest)
    names = names_with_text(connection)
    is_update = before.split(" ")[1:] == _state(connection).split(" ")[1:]
    kept = no_kept_names()
    if is_update and not store.lacks_candidates(connection, newest):
        kept = kept_names(connection, listed.persons, games, names, newest)
    uses = name_uses(games, {player: names[player] for player in kept.open_among(names)})
    met = PlayedPairs(*games.met())
    with_games = games.names()
    reporter.start("players", None, len(uses), "names")
    del games
    store.release_memory(connection)  # the look-ups take the most memory
    consolidated = Consolidation(listed, encode).run(
        uses, kept.identities, met, lambda find, names: _with_progress(find(names), reporter)
    )
    reporter.finish()
    del listed, met
    reporter.start("games of players", None, count_games(connection))
    by_name = {use.player_id: use for use in uses}
    judge = judge_of(by_name, consolidated, with_games)
    by_game = players_by_game(connection, judge, claims, reporter)
    reporter.finish()
    return _Found(names, *settled(consolidated, by_game, by_name, judge), kept)


def _with_progress(identities: Iterable[Identity], reporter: Reporter) -> Iterator[Identity]:
    for count, identity in enumerate(identities):
        if count % _PROGRESS_EVERY == 0:
            reporter.advance(count, 0)
        yield identity


def _find_in_go(connection: apsw.Connection, reporter: Reporter, *, again: bool) -> _Found:
    """Find the persons of all names of Go players; single games do not decide."""
    games = read_games(connection, claim_rules(connection))
    names = names_with_text(connection)
    uses = name_uses(games, names)
    met = PlayedPairs(*games.met())
    reporter.start("players", None, len(uses), "names")
    consolidated = go_persons(connection, uses, met)
    reporter.finish()
    return _Found(names, consolidated, GamePlayers(), no_kept_names())


def undo_consolidation(connection: apsw.Connection) -> int:
    """Restore the players of the attached old state; return the number of games."""
    undo.forget_merges(connection)
    restored = undo.revert_players(connection)
    write_state(connection, PLAYERS_STATE, None)
    outdate_spellings(connection)
    return restored


def _state(connection: apsw.Connection) -> str:
    """Return all that a consolidation depends on, as one text."""
    lists = [fide_players.last_list(connection, kind) for kind in ("fide", "aliases")]
    digests = " ".join(
        f"{rating_list.sha256}/{rating_list.month}" if rating_list else "-" for rating_list in lists
    )
    is_filling = read_state(connection, FILLING_STATE) or "yes"
    return f"{store.newest_ids(connection)} {is_filling} {digests}"


class PlayedPairs:
    """Pairs of player IDs, the lower first, that have played each other; sorted columns."""

    def __init__(self, lower: Sequence[int], higher: Sequence[int]) -> None:
        self._lower, self._higher = lower, higher

    def __contains__(self, pair: object) -> bool:
        if not isinstance(pair, tuple):
            return False
        lower, higher = pair
        first, end = bisect_left(self._lower, lower), bisect_right(self._lower, lower)
        index = bisect_left(self._higher, higher, first, end)
        return index < end and self._higher[index] == higher


def _write(connection: apsw.Connection, found: _Found) -> store.WrittenGames:
    _, consolidated, by_game, kept = found
    stored = {row.person_id: row for row in store.stored_persons(connection)}
    names = {
        row.player_id: row.person_id
        for row in store.stored_resolutions(connection)
        if row.scope == "name"
    }
    following = store.next_person_id(connection)
    ids = person_ids(consolidated, by_game, stored.values(), following, names, kept.ids)
    persons = {
        person_id: consolidated.persons[number]
        for number, person_id in sorted(ids.items(), key=lambda item: item[1])
    }
    rows = [person_row(*item) for item in persons.items()]
    store.write_persons(connection, rows)
    store.write_resolutions(
        connection, (*resolutions(consolidated, by_game, ids), *kept.resolutions)
    )
    candidates = name_candidates(consolidated, by_game, kept.persons)
    store.write_name_candidates(connection, candidates, kept.persons)
    who = _game_persons(found, ids, persons)
    if kept.persons:
        changed = {row.person_id for row in rows if row != stored.get(row.person_id)}
        same = dict(_names_without_exceptions(found))
        who = who._replace(kept={**kept.persons, **same}, changed=changed, newest=kept.newest)
    written = store.write_players(
        connection, who, _filling(connection, persons), last_noted=last_searched_game(connection)
    )
    store.build_person_indexes(connection)
    return written


def _names_without_exceptions(found: _Found) -> Iterator[tuple[int, int]]:
    """Yield looked-up names, all of whose games have the name's player, with the stored player."""
    with_exceptions = {player for _, _, player, _, _ in found.by_game}
    for player, row in found.kept.looked_up.items():
        identity = found.consolidated.identities.get(player)
        was_sure = row is not None and row.probability >= SURE_PROBABILITY
        is_sure = identity is not None and identity.probability >= SURE_PROBABILITY
        if player not in with_exceptions and was_sure == is_sure:
            yield player, row.person_id if row is not None else 0


def person_row(person_id: int, person: Person) -> store.Person:
    """Return a person as a row of Persons."""
    return store.Person(
        person_id, person.name, person.fide_id, person.title or None, person.country or None,
        person.birth_year,
    )  # fmt: skip


def person_ids(
    result: Consolidated,
    by_game: GamePlayers,
    stored: Iterable[store.Person] = (),
    following: int = 1,
    names: Mapping[int, int] = MappingProxyType({}),
    kept: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, int]:
    """Return the ID of each person who played; IDs in Persons stay and are never used again.

    `following`: the first ID that was never used. `names`: the stored person of each name; a
    namesake keeps the ID of the person whose names he has. `kept`: IDs that stay, by number.
    """
    playing = {
        identity.person for identity in result.identities.values() if identity.person is not None
    }
    playing |= {person for *_, person, _ in by_game if person is not None}
    playing -= kept.keys()
    kept_ids = set(kept.values())
    before: defaultdict[object, list[int]] = defaultdict(list)  # unlisted players may be namesakes
    for row in stored:
        if row.person_id not in kept_ids:
            key = row.fide_id or (row.name, row.birth_year, row.country or "")
            before[key].append(row.person_id)
    of_names: defaultdict[int | None, set[int]] = defaultdict(set)
    for player, identity in result.identities.items():
        if player in names and identity.person in playing:
            of_names[identity.person].add(names[player])
    ids = dict(kept)
    others: list[tuple[int, list[int]]] = []
    persons = ((result.persons[number], number) for number in playing)
    for person, number in sorted(persons, key=lambda pair: (pair[0].name, pair[1])):
        stored_ids = before[person.fide_id or (person.name, person.birth_year, person.country)]
        same = next((i for i in stored_ids if i in of_names[number]), None)
        if same is None:
            others.append((number, stored_ids))
        else:
            stored_ids.remove(same)
            ids[number] = same
    for number, stored_ids in others:
        if stored_ids:
            ids[number] = stored_ids.pop(0)
        else:
            ids[number], following = following, following + 1
    return ids


def resolutions(
    consolidated: Consolidated, by_game: GamePlayers, ids: Mapping[int, int]
) -> Iterator[store.Resolution]:
    """Yield the persons of names, in all games or in some; `ids`: of person_ids()."""
    for player, resolved in sorted(consolidated.identities.items()):
        if resolved.person is not None:
            yield store.Resolution(
                player, ids[resolved.person], "name", resolved.stage, resolved.score,
                resolved.reason or None, resolved.probability,
            )  # fmt: skip
    counted: dict[tuple[int, int], tuple[float, int]] = {}
    for _, _, player, person, probability in by_game:
        identity = consolidated.identities.get(player)
        if person is not None and (identity is None or identity.person != person):
            least, games = counted.get((player, person), (probability, 0))
            counted[player, person] = min(least, probability), games + 1
    for (player, person), (least, games) in sorted(counted.items()):
        yield store.Resolution(
            player, ids[person], "game", "games", least, f"in {games} games", least
        )


def _game_persons(
    found: _Found, ids: Mapping[int, int], persons: Mapping[int, Person]
) -> store.GamePersons:
    """Return who played; `ids`: of person_ids(), `persons`: by ID."""
    by_name: dict[int, int | None] = {}
    key_of_name: dict[int, str] = {}
    nobody = {player for _, _, player, person, _ in found.by_game if person is None}
    for player, name in found.names.items():
        identity = found.consolidated.identities.get(player)
        number = identity.person if identity is not None else None
        by_name[player] = None if number is None else ids[number]
        # Games of kept names may have no player, whatever the name means.
        if number is None or player in nobody or found.kept.persons:
            key_of_name[player] = name_key(name)
    return store.GamePersons(
        by_name,
        (
            (game_id, side, None if person is None else ids[person])
            for game_id, side, _, person, _ in found.by_game
        ),
        key_of_name,
        {person_id: person_key(person) for person_id, person in persons.items()},
    )


def person_key(person: Person) -> str:
    """Return the text of a person in CoreHash: "F" and the FIDE ID, or name and year of birth."""
    if person.fide_id is not None:
        return f"F{person.fide_id}"
    born = f" {person.birth_year}" if person.birth_year else ""
    return name_key(person.name) + born


def _filling(connection: apsw.Connection, persons: Mapping[int, Person]) -> store.Filling:
    if read_state(connection, FILLING_STATE) == "no":
        return store.NO_FILLING  # reverts the last one
    facts = {
        person_id: store.PersonFacts(person.fide_id, person.title or None, person.rating)
        for person_id, person in persons.items()
        if person.fide_id or person.title or person.rating
    }
    unsure = {
        (row.player_id, row.person_id)
        for row in store.stored_resolutions(connection)
        if row.probability < SURE_PROBABILITY
    }
    rating_list = fide_players.last_list(connection, "fide")
    list_month = rating_list.month if rating_list is not None else None
    return store.Filling(facts, list_month, unsure)


def players_summary(
    connection: apsw.Connection, filled: Mapping[str, int], *, by_evidence: int, is_unchanged: bool
) -> PlayersSummary:
    counts = count_names(connection)
    count, fide = store.count_persons(connection)
    return PlayersSummary(
        counts.names, counts.resolved, count, fide, counts.unresolved, counts.unknown,
        count_games(connection), store.count_games_with_both(connection), by_evidence, filled,
        is_unchanged,
        is_go=game_kind(connection).is_go,
    )  # fmt: skip


# --- Go -------------------------------------------------------------------------------------------


def stored_go_list(connection: apsw.Connection) -> GoList:
    """Return the players of the lists of names in a database."""
    return GoList(fide_players.aliases(connection))


def go_persons(
    connection: apsw.Connection, uses: Sequence[NameUse], met: Container[tuple[int, int]]
) -> Consolidated:
    """Resolve the names of a Go collection to persons."""
    keys = {use.player_id: spelling(use.name).key for use in uses}
    games = GamesOfNames(met, _equal_games(connection, keys), partial(_days, connection, keys))
    return GoConsolidation(stored_go_list(connection)).run(uses, games)


def _equal_games(connection: apsw.Connection, keys: Mapping[int, str]) -> Counter[tuple[int, int]]:
    """Count the games in which two names have the same moves against the same opponent."""
    games: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    for move_hash, white, black in store.games_under_other_names(connection):
        if keys.get(white) and keys.get(black):
            games[move_hash].add((white, black))
    counted: Counter[tuple[int, int]] = Counter()
    for sides in games.values():
        # Pairs of different names on one side, with the same name on the other side.
        pairs = {
            (min(left[side], right[side]), max(left[side], right[side]))
            for left, right in combinations(sorted(sides), 2)
            for side in (0, 1)
            if keys[left[1 - side]] == keys[right[1 - side]]
            and keys[left[side]] != keys[right[side]]
        }
        counted.update(pairs)
    return counted


def _days(connection: apsw.Connection, keys: Mapping[int, str], players: Set[int]) -> Days:
    """Return the days on which each player played, with the games and opponents of the day."""
    days: defaultdict[int, defaultdict[str, set[int | str]]]
    days = defaultdict(lambda: defaultdict(set))
    for white, black, date, game in store.played_days(connection):
        for player, opponent in ((white, black), (black, white)):
            if player in players:
                days[player][date].update((game, keys.get(opponent) or game))
    return days


def explain_go(connection: apsw.Connection, names: Iterable[str]) -> Iterator[list[str]]:
    """Yield, for each name, lines that explain how it is read and which player it means."""
    listed = stored_go_list(connection)
    stored = [(name or "", games) for _, name, games in store.distinct_names(connection)]
    for name in names:
        name_spelling = spelling(name)
        lines = [name, f"  read as: {name_spelling.letters or 'nobody'}"]
        if name_spelling.is_short and name_spelling.key:
            lines[1] += " (too short a name: it is resolved only if a list has it)"
        exact = listed.with_key(name_spelling.key) if name_spelling.key else []
        for number in exact or listed.alike(name_spelling):
            how = "the same name" if exact else "another spelling"
            lines.append(f"  listed: {listed.players[number].person.name}: {how}")
        yield [*lines, *_here(connection, name), *_other_spellings(name, stored)]


def _here(connection: apsw.Connection, name: str) -> Iterator[str]:
    """Yield lines about the players of a name in this database."""
    person = ""
    for _, games, person, _, _, stage, _, reason in store.merges_of_name(connection, name):
        because = f" ({reason})" if reason else ""
        yield f"  in this database: {counted(games, 'game')} by {person}; stage: {stage}{because}"
    if not person:
        yield "  in this database: no player found for this name"


def _other_spellings(name: str, stored: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Yield a line for each other name in this database that may mean the same player."""
    name_spelling = spelling(name)
    for other, games in stored:
        other_spelling = spelling(other)
        if other == name or not name_spelling.key:
            continue
        if other_spelling.key == name_spelling.key or may_be_one(other_spelling, name_spelling):
            how = "the same name" if other_spelling.key == name_spelling.key else "another spelling"
            yield f"  similar name: {other} ({counted(games, 'game')}): {how}"
