"""The lists of players: read from files, stored in a database, and indexed for lookups."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from typing import NamedTuple

import apsw

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.names import ListedPlayers
from ocgdedup.errors import RatingListError, UsageError
from ocgdedup.fide.lists import RatingList
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.matching.names import phonetic
from ocgdedup.matching.names.letters import initial_class
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList, PersonTable, core_words
from ocgdedup.matching.names.past_masters import past_masters, past_spellings
from ocgdedup.matching.names.phonetic import encode
from ocgdedup.matching.names.resolve import Resolution, Resolver
from ocgdedup.matching.names.short_forms import listed_aliases
from ocgdedup.model import AliasGroup, FidePlayer, NameForm, Person, Reporter, SpellingLine
from ocgdedup.store import fide_players as store
from ocgdedup.store.players import judge_players_anew
from ocgdedup.thresholds import SURE_PROBABILITY
from ocgdedup.version import __version__

_WORTH_STORING = 5000  # persons; the index of a shorter list is made at once
_PROGRESS_EVERY = 5000
AS_BEFORE = "already in the database"  # a month_source


class ImportedList(NamedTuple):
    """Result of reading a rating list.

    `entries`: players stored; `repeated`: skipped rows with the FIDE ID of an earlier row;
    `skipped`: rows without an ID or a name; `month`: "YYYY-MM", None if unknown; `month_source`:
    where the month comes from; `newest_period`: the latest month of a player, if known.
    """

    entries: int
    repeated: int
    skipped: int
    first_skipped: str
    month: str | None
    month_source: str
    newest_period: str | None = None


def import_fide_list(
    connection: apsw.Connection,
    path: str,
    reporter: Reporter,
    *,
    month: str | None = None,
    may_be_older: bool = False,
    again: bool = False,
    aside: bool = False,
) -> ImportedList:
    """Replace the rating list in the database by that of a file.

    The same file is read again only if `again`, and its month stays. `aside`: see read_aside().
    `month` ("YYYY-MM") replaces the list's own. Raises UsageError for a list older than the one in
    the database, unless `may_be_older`. The caller owns the transaction.
    """
    digest = _digest(path)
    last = store.last_list(connection, "fide")
    is_same = last is not None and last.sha256 == digest
    if last is not None and is_same and not again:
        return ImportedList(last.entries, 0, 0, "", last.month, AS_BEFORE)
    newest = None if may_be_older or is_same else last
    if aside:
        store.read_aside(connection)
    with RatingList(path) as players:
        _refuse_older(path, month or players.list_month, newest)
        reporter.start("reading the FIDE list", players.size_bytes, None, "players")
        rows = ListedPlayers()
        steps = _with_progress(players, rows, reporter)
        repeated = store.replace_fide_players(connection, rows, steps)
        reporter.finish()
        _refuse_older(path, month or players.list_month, newest)  # the rows may have the month
        entries = store.fide_player_count(connection)
        list_month, source = players.list_month, players.month_source
        if last is not None and is_same:
            list_month, source = last.month, AS_BEFORE
        store.record_list(
            connection,
            store.RatingList(
                os.path.basename(path), "fide", players.size_bytes, digest, list_month, entries
            ),
        )
        return ImportedList(
            entries, repeated, players.skipped, players.first_skipped, list_month, source,
            players.newest_period,
        )  # fmt: skip


def _refuse_older(path: str, month: str | None, newest: store.RatingList | None) -> None:
    if newest is not None and newest.month and month and month < newest.month:
        raise UsageError(
            f"{path}: the rating list of {month} is older than the one in the database, "
            f"{newest.name} of {newest.month}; add --replace-list to use it all the same"
        )


def _with_progress(players: RatingList, rows: ListedPlayers, reporter: Reporter) -> Iterator[None]:
    reported = 0
    for _ in players.add_to(rows):
        yield
        if rows.added - reported >= _PROGRESS_EVERY:
            reported = rows.added
            reporter.advance(reported, players.position_bytes())


class ImportedAliases(NamedTuple):
    """Result of reading a spelling file: its players, and see spelling_line_counts()."""

    players: int
    lines: Mapping[str, int]


def import_aliases(connection: apsw.Connection, path: str, reporter: Reporter) -> ImportedAliases:
    """Add the aliases of a spelling file to the database, and keep its other lines.

    A file that was read last and is stored completely is not read again.
    """
    digest = _digest(path)
    earlier = store.spelling_files(connection, digest)
    if earlier and store.is_last_whole(connection, earlier[-1]):
        last = store.last_list(connection, "aliases")
        entries = last.entries if last is not None else 0
        return ImportedAliases(entries, store.spelling_line_counts(connection, earlier[-1:]))
    lines: list[SpellingLine] = []
    groups = list(read_alias_file(path, lines.append))
    store.add_aliases(connection, groups)
    name = os.path.basename(path)
    record = store.RatingList(name, "aliases", os.path.getsize(path), digest, None, len(groups))
    list_id = store.record_list(connection, record, is_whole=True)
    store.note_origins(connection, list_id, groups)
    store.store_spelling_lines(connection, list_id, lines)
    if earlier:  # the digests do not show that the lists have changed
        store.forget_spelling_files(connection, earlier)
        judge_players_anew(connection)
    return ImportedAliases(len(groups), store.spelling_line_counts(connection, [list_id]))


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise RatingListError(f"{path}: cannot be read: {error.strerror}") from error


@cache
def index_rules() -> str:
    """Return a digest of all that an index depends on, apart from the lists.

    These are the program with its tables and kernel, and the phonetic rules of abydos.
    """
    folder = os.path.dirname(phonetic.__file__)
    names = sorted(entry.path for entry in os.scandir(folder) if entry.is_file())
    digest = hashlib.sha256(f"{__version__} {phonetic.RULES_VERSION}".encode())
    for path in (__file__, name_kernel.__file__, *names):
        with open(path, "rb") as handle:
            digest.update(handle.read())
    return digest.hexdigest()


def stored_name_list(connection: apsw.Connection) -> NameList:
    """Return an index over the lists in the database.

    Stores the index, and the aliases of listed players if they are missing, unless the database
    cannot be written.
    """
    is_filled = connection.readonly("main") or not store.lacks_listed_aliases(connection)
    state = f"{index_rules()} {store.lists_state(connection)}"
    # A damaged index, or one of another kind of machine, is made anew.
    with contextlib.suppress(ValueError), store.name_index(connection, state) as stored:
        if stored is not None and is_filled:
            return NameList.load(stored.read_into, stored.length(), encode)
    names = name_list(
        PersonTable.of_players(store.fide_players(connection)),
        store.aliases(connection),
        None if is_filled else partial(_store_aliases, connection),
    )
    if len(names.persons) >= _WORTH_STORING and not connection.readonly("main"):
        store.store_name_index(connection, state, names.dump())
    return names


def _store_aliases(connection: apsw.Connection, names: NameList) -> None:
    store.store_listed_aliases(connection, listed_aliases(names), names.persons.fide_ids())


def persons_of(players: Iterable[FidePlayer]) -> PersonTable:
    """Return the players of a rating list as persons, in their order."""
    return PersonTable(
        Person(
            player.name, player.fide_id, player.title, player.country, player.birth_year, None,
            player.rating, player.sex, "i" not in player.flag,
        )
        for player in players
    )  # fmt: skip


def aliases_by_fide_id(names: NameList) -> Iterator[tuple[int, str, float]]:
    """Yield FIDE ID, alias and probability of each player with a unique short form."""
    fide_id = names.persons.fide_id
    for alias, person, probability in listed_aliases(names).rows_of_persons():
        number = fide_id(person)
        if number is not None:
            yield number, alias, probability


def name_list(
    players: PersonTable,
    groups: Iterable[AliasGroup],
    use_listed: Callable[[NameList], None] | None = None,
) -> NameList:
    """Return an index over the players of a rating list, masters of the past, and their aliases.

    A group of aliases whose canonical name is that of a listed player adds spellings to the player,
    and its canonical name is the player's. So does a group with an alias that is exactly the name
    of one listed player. Other groups are persons without a FIDE ID.
    `use_listed` is called before groups are added.
    """
    names = NameList(players, encode)
    if len(names.persons):
        _add_past_masters(names)
    if use_listed is not None:
        use_listed(names)
    resolver = Resolver(names)
    groups = list(groups)
    by_fide_id = [names.persons.with_fide_id(group.fide_id) for group in groups]
    # All groups are looked up first, without the spellings that they add.
    resolved = resolver.resolve_each([group.name for group in groups], shown=1)
    by_name = [
        _listed(group, resolution, resolver)
        for group, resolution in zip(groups, resolved, strict=True)
    ]
    by_alias = _listed_by_alias(groups, {number for number, _ in by_name}, names)
    bearers: defaultdict[str, set[int]] = defaultdict(set)
    for index, (group, (number, is_sure)) in enumerate(zip(groups, by_name, strict=True)):
        if number is None and index in by_alias:
            number, is_sure = by_alias[index], True
        if by_fide_id[index] is not None:
            number, is_sure = by_fide_id[index], True
        if number is None:
            number = names.add_person(
                Person(
                    group.name, group.fide_id, group.title, group.country, group.birth_year,
                    group.death_year,
                )
            )  # fmt: skip
        else:
            names.add_spelling(number, group.name)
            if is_sure:
                names.persons.rename(number, group.name)
        for alias in group.aliases:
            names.add_spelling(number, alias)
        for spelling in {group.name, *group.aliases}:
            bearers[spelling].add(number)
    names.given_spellings = {
        spelling: min(numbers) for spelling, numbers in bearers.items() if len(numbers) == 1
    }
    return names


def _add_past_masters(names: NameList) -> None:
    """Add the masters of the past that the list lacks; an old list has some of them."""
    spellings = dict(past_spellings())
    for master in past_masters():
        form = name_form(master.name)
        number = _same_birth(names, form, master)
        if number is None:
            number = names.add_person(master)
        for spelling in spellings.get(master.name, ()):
            names.add_spelling(number, spelling)


def _same_birth(names: NameList, form: NameForm, master: Person) -> int | None:
    """Return the listed person with the same surname, initial and year of birth."""
    for number in names.with_surname(core_words(form.surname)[-1]):
        listed = names.forms[number]
        if listed.given and initial_class(listed.given[0]) == initial_class(form.given[0]):
            person = names.person_of[number]
            if master.birth_year and names.persons[person].birth_year == master.birth_year:
                return person
    return None


def _listed(
    group: AliasGroup, resolution: Resolution, resolver: Resolver
) -> tuple[int | None, bool]:
    """Return the listed person with the canonical name of a group, and whether that is sure.

    Return no person if the years contradict.
    """
    number = resolution.person
    if number is None or _contradicts(group, resolver.persons[number]):
        return None, False
    return number, resolution.candidates[0].probability >= SURE_PROBABILITY


def _contradicts(group: AliasGroup, person: Person) -> bool:
    """Return whether the years of a group are not those of a person."""
    born = person.birth_year
    if not born:
        return False
    is_other_year = group.birth_year is not None and abs(born - group.birth_year) > 1
    return is_other_year or (group.death_year is not None and born > group.death_year)


def _listed_by_alias(
    groups: Sequence[AliasGroup], taken: Set[int | None], names: NameList
) -> dict[int, int]:
    """Return persons that are listed under an alias of a group, by the index of the group.

    Only if one person fits the group, one group the person, no canonical name means the person, and
    the group has no FIDE ID.
    """
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    aliases = {alias for group in groups for alias in group.aliases}
    for number in range(len(names.persons)) if aliases else ():
        name = names.persons.name(number)
        if name in aliases:
            bearers[name].append(number)
    by_alias: dict[int, int] = {}
    for index, group in enumerate(groups):
        if group.fide_id:
            continue
        fitting = {number for alias in group.aliases for number in bearers.get(alias, ())}
        fitting = {number for number in fitting if not _contradicts(group, names.persons[number])}
        if len(fitting) == 1 and not fitting & taken:
            by_alias[index] = fitting.pop()
    groups_of = Counter(by_alias.values())
    return {index: number for index, number in by_alias.items() if groups_of[number] == 1}
