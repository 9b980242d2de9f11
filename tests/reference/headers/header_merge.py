"""Merge the headers of the records of one played game into the best header.

Owns which records are trusted more, and what is merged into the kept game. field_choice.py and
name_choice.py, for Go go_choice.py, choose the best value of a field. No value is invented: each is
in some record, except for a month that is taken from the tag EventDate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter, itemgetter, ne
from typing import NamedTuple

from ocgdedup.game_kind import CHESS, GO, GameKind
from ocgdedup.matching import consensus, go_tags, name_choice, tag_pairs
from ocgdedup.matching.duplicate_marks import DUPLICATE_TAGS, without_marks
from ocgdedup.matching.player_sides import (
    SIDES,
    NameRules,
    Side,
    Strangers,
    exchanged,
    joined,
    outvoted_sides,
    own_opponents,
    side_of,
    strangers_of,
    strangers_to_chosen,
    with_colours_of,
)
from ocgdedup.model import GameHeader, Reason, extra_tags_of
from tests.reference.headers import field_choice
from tests.reference.headers.header_score import header_score, is_named

_Value = str | int | None


class FieldChange(NamedTuple):
    """A changed tag of the kept game ("?": no value), the source of the value, and the reason."""

    tag: str
    before: str
    after: str
    from_game_id: int
    reason: str = Reason.MISSING


class MergedHeader(NamedTuple):
    """The changes of the kept game's header.

    `values`: by column of Games; names are texts with the keys "Event", "Site", "White", "Black".
    `changes`: the same for the user, each tag once, without persons, hash and quality of the date.
    """

    values: dict[str, _Value]
    changes: list[FieldChange]


class _Field(NamedTuple):
    """A field of GameHeader, at `place`.

    `best` returns the values that are tied for the best. `best_of_two` does the same for two
    records that differ in the field, None if they name different people.
    """

    tag: str
    place: int
    best: Callable[[Sequence[GameHeader]], Sequence[str | int]]
    best_of_two: Callable[[GameHeader, GameHeader], Sequence[str | int] | None]


def _by_all(
    best: Callable[[Sequence[GameHeader]], Sequence[str | int]],
) -> Callable[[GameHeader, GameHeader], Sequence[str | int]]:
    """Return a function that applies `best` to two records."""
    return lambda left, right: best((left, right))


_Best = tuple[_Field, Sequence[str | int]]
# By tag: values that other records of the database contradict.
_Outweighed = Mapping[str, Collection[str]]
_Chosen = tuple[_Field, GameHeader, str]  # with the reason

_PLACES = {name: place for place, name in enumerate(GameHeader._fields)}
_FIELDS = tuple(
    [
        _Field(tag, _PLACES[name], best, best_of_two)
        for tag, name, best, best_of_two in (
            ("Event", "event", field_choice.best_events, field_choice.best_of_two_events),
            ("Site", "site", field_choice.best_sites, field_choice.best_of_two_sites),
            ("Date", "date", field_choice.best_dates, _by_all(field_choice.best_dates)),
            ("Round", "round", field_choice.best_rounds, _by_all(field_choice.best_rounds)),
            ("White", "white", field_choice.best_whites, field_choice.best_of_two_whites),
            ("Black", "black", field_choice.best_blacks, field_choice.best_of_two_blacks),
            (
                "WhiteElo", "white_elo", field_choice.best_white_elos,
                _by_all(field_choice.best_white_elos),
            ),
            (
                "BlackElo", "black_elo", field_choice.best_black_elos,
                _by_all(field_choice.best_black_elos),
            ),
            ("Result", "result", field_choice.best_results, _by_all(field_choice.best_results)),
            (
                "TimeControl", "time_control", field_choice.best_time_controls,
                _by_all(field_choice.best_time_controls),
            ),
            ("ECO", "eco", field_choice.best_ecos, field_choice.best_of_two_ecos),
        )
    ]
)  # fmt: skip
_place_of = attrgetter("place")
# Functions of fields whose values must fit each other.
_RULES_FOR_PAIRS = {field.best for field in _FIELDS}
_NO_STRANGERS: Strangers = {side.tag: () for side in SIDES}
_NAMES = NameRules(name_choice.are_strangers, name_choice.may_be_one)
_field_values = itemgetter(slice(_FIELDS[0].place, _FIELDS[-1].place + 1))

_PLAYER_VALUES = frozenset(("White", "Black", "WhitePersonID", "BlackPersonID"))
_HEADER = slice(_PLACES["event"], _PLACES["core_hash"])  # without what follows from the rest
_PERSONS = slice(_PLACES["white_person_id"], _PLACES["plies"])

_UNKNOWN_DATE = "????.??.??"
# Tags that describe a record and not the game, or that repeat columns or moves.
_TAGS_OF_THE_RECORD = (
    r"Source\w*|(Original)?PlyCount|Original(Date|Result|FEN|Event|Site|White|Black)|"
    r"MovetextResult|SetUp|FEN|"
    rf"(White|Black)Elo|\w+_\d+|{DUPLICATE_TAGS}|{go_tags.TAGS_OF_THE_RECORD}"
)
_ELO_TAGS = frozenset(("WhiteElo", "BlackElo"))
# So many names are tried so that no player is his own opponent; then the kept game's names stay.
_MOST_ATTEMPTS = 8
_EMPTY_TAG = r':"[?.]*"'
_COMPACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def merge_headers(
    master: GameHeader,
    members: Sequence[GameHeader],
    *,
    kind: GameKind = CHESS,
    swapped: Collection[int] = (),
    other_starts: Collection[int] = (),
    database: consensus.Database | None = None,
) -> MergedHeader:
    """Return the changes of the kept game's header if it gets the best value of each field.

    `members`: the headers of one played game as they were read, in any order; the kept game may be
    among them. Of equally good values, the one is chosen of the record with fewer fields worse than
    another record's; then the later date; then the kept game's own value. In a Go game its own
    value stays, unless another one clearly says more (go_choice.py). A player never gets
    name, Elo or title of another player, unless two records or more agree on that player and fewer
    contradict them. "CoreHash" is among the values only if some record has these players' hash.

    `swapped`: IDs of records in which the players are exchanged. `other_starts`: IDs of Go records
    that start with other stones. `database`: counts over all records; values that they contradict
    are left out first (consensus.py).
    """
    own = master[_HEADER]
    if not [None for member in members if member[_HEADER] != own] and not _lacks_month(master):
        return MergedHeader({}, [])
    records = _ranked(master, members, swapped)
    rules = _RULES[kind]()
    outweighed = {} if database is None else consensus.outweighed(records, database)
    plain = None
    if rules.choose_of_pair is not None and len(records) == 2:
        plain = rules.choose_of_pair(records[0], records[1], outweighed)
    if plain is None:
        chosen, strangers = _choose_for_players(records, rules, outweighed)
    else:
        chosen, strangers = plain, _NO_STRANGERS
    merged = MergedHeader({}, [])
    for field, record, reason in chosen:
        before, after = master[field.place], record[field.place]
        merged.values[field.tag] = after
        change = FieldChange(field.tag, _text(before), _text(after), record.game_id, reason)
        merged.changes.append(change)
    if strangers is not _NO_STRANGERS:
        _forget_elos(merged, master, strangers)
    if "Date" in merged.values or not master.date or "?" in master.date:
        _set_date(merged, records)
    if [None for record in records if record[_PERSONS] != master[_PERSONS]]:
        _set_persons(merged, records, _givers(chosen))
    if [None for record in records if record.extra_tags]:
        _set_tags(merged, records, strangers, other_starts)
    return merged


class _Rules(NamedTuple):
    """How headers of a kind of games are merged.

    `choose_of_pair`: a fast form of _choose_for_players() for two records. `checks_all_sides`:
    records that name other players than the merged header give nothing to either player; else they
    give nothing to a player who was outvoted.
    """

    fields: Sequence[_Field]
    names: NameRules
    choose_of_pair: Callable[[GameHeader, GameHeader, _Outweighed], list[_Chosen] | None] | None
    checks_all_sides: bool


@lru_cache(maxsize=1)
def _chess_rules() -> _Rules:
    return _Rules(_FIELDS, _NAMES, _chosen_of_pair, checks_all_sides=False)


@lru_cache(maxsize=1)
def _go_rules() -> _Rules:
    # Importing the modules for Go names takes longer than searching 10,000 games for duplicates.
    from tests.reference.headers.go_choice import BEST, are_go_strangers, may_be_one_in_go

    fields = [field._replace(best=BEST.get(field.tag, field.best)) for field in _FIELDS]
    names = NameRules(are_go_strangers, may_be_one_in_go)
    return _Rules(fields, names, None, checks_all_sides=True)


_RULES = {CHESS: _chess_rules, GO: _go_rules}


def _ranked(
    master: GameHeader, members: Iterable[GameHeader], swapped: Collection[int]
) -> list[GameHeader]:
    """Return the kept game, then the others by header score and ID, with the same colours."""
    master_id = master.game_id
    others = [without_marks(member) for member in members if member.game_id != master_id]
    if len(others) > 1:
        others.sort(key=lambda record: (-header_score(record), record.game_id))
    return [master] + [
        exchanged(record) if record.game_id in swapped else record for record in others
    ]


def count_worse_fields(headers: Sequence[GameHeader]) -> list[int]:
    """Return for each header of one played game in how many fields another header is better.

    A record with errors in fields that can be judged is trusted less in fields that cannot.
    """
    first = min(headers, key=lambda header: header.game_id)
    records = [with_colours_of(first, header) for header in headers]
    return _worse_fields(records, _best_values(records, _FIELDS, {}, {}))


def _best_values(
    records: Sequence[GameHeader],
    fields: Sequence[_Field],
    strangers: Strangers,
    outweighed: _Outweighed,
) -> list[_Best]:
    """Return the values that are tied for the best, for fields in which the records differ."""
    columns = zip(*map(_field_values, records), strict=True)
    differs = [column.count(column[0]) < len(column) for column in columns]
    tied = []
    for field in compress(fields, differs):
        left = _without(records, strangers.get(field.tag.removesuffix("Elo")))
        losers = outweighed.get(field.tag)
        if losers:
            left = [record for record in left if record[field.place] not in losers] or left
        tied.append((field, field.best(left)))
    return [(field, values) for field, values in tied if values]


def _worse_fields(records: Iterable[GameHeader], best: Sequence[_Best]) -> list[int]:
    places = [(field.place, frozenset(values)) for field, values in best]
    return [sum(record[place] not in values for place, values in places) for record in records]


def _without(
    records: Sequence[GameHeader], strangers: Collection[int] | None
) -> Sequence[GameHeader]:
    if not strangers:
        return records
    return [record for record in records if record.game_id not in strangers]


def _chosen_of_pair(
    master: GameHeader, other: GameHeader, outweighed: _Outweighed
) -> list[_Chosen] | None:
    """Do what _choose_for_players() does for two records that name the same players.

    None if they may name different players. Most groups have two records, and this takes a tenth of
    the time, because results for two values are cached.
    """
    taken: list[_Field] = []
    tied: list[_Field] = []
    worse = 0  # worse fields of the kept game minus worse fields of the other
    for field in compress(_FIELDS, map(ne, _field_values(master), _field_values(other))):
        losers = outweighed.get(field.tag, ())
        if losers:
            left = other if master[field.place] in losers else master
            values: Sequence[str | int] | None = field.best((left,))
        else:
            values = field.best_of_two(master, other)
        if values is None:
            return None
        if len(values) > 1:
            tied.append(field)
        elif values and values[0] == master[field.place]:
            worse -= 1
        elif values:
            worse += 1
            taken.append(field)
    shorter = other.plies - master.plies  # a record with fewer moves is trusted less
    for field in tied:
        is_later = field.tag == "Date" and shorter == 0 and str(other.date) > str(master.date)
        if worse > 0 or (worse == 0 and (shorter > 0 or is_later)):
            taken.append(field)
    if tied:
        taken.sort(key=_place_of)
    records = (master, other)
    chosen = [(field, other, _reason(field, records, other, outweighed, tied)) for field in taken]
    if chosen and own_opponents(records, _givers(chosen), _NAMES):
        return None
    records_of = {field.tag: record for field, record, _ in chosen}
    if any(not field_choice.is_pair(records, records_of, *pair) for pair in field_choice.PAIRS):
        return None
    return chosen


def _choose(
    records: Sequence[GameHeader],
    fields: Sequence[_Field],
    strangers: Strangers,
    outweighed: _Outweighed,
) -> list[_Chosen]:
    """Return the fields in which another record is better than the first, and that record."""
    best = dict(_best_values(records, fields, strangers, outweighed))
    counting = {field.tag: list(records) for field in fields}
    worse = _worse_fields(records, list(best.items()))
    by_tag = {field.tag: field for field in fields}
    for first, second in field_choice.PAIRS:
        givers = {field.tag: record for field, record in _chosen_of(records, best, worse)}
        field = by_tag[second]
        if {by_tag[first].best, field.best} <= _RULES_FOR_PAIRS and not (
            field_choice.is_pair(records, givers, first, second)
        ):
            if second == "Site" and field_choice.event_gives_way(
                records, counting["Event"], givers
            ):
                first, second, field = second, first, by_tag[first]
            given = givers.get(first, records[0])
            left = [r for r in records if field_choice.agree(first, second, r, given)]
            losers = outweighed.get(second, ())
            counting[second] = [r for r in left if r in counting[second]]
            best[field] = field.best(
                [r for r in counting[second] if r[field.place] not in losers]
            ) or field.best(left)
    tied = [field for field, values in best.items() if len(values) > 1]
    return [
        (field, record, _reason(field, records, record, outweighed, tied))
        for field, record in _chosen_of(records, best, worse)
    ]


def _chosen_of(
    records: Sequence[GameHeader], best: Mapping[_Field, Sequence[str | int]], worse: Sequence[int]
) -> list[tuple[_Field, GameHeader]]:
    """Do the same from the best values of the fields in which records differ."""
    master = records[0]
    chosen = []
    for field, values in best.items():
        place = field.place
        if len(values) == 1:
            if master[place] == values[0]:
                continue
            record = next(record for record in records if record[place] == values[0])
        else:
            record = _most_trusted(records, worse, field, values)
        if record[place] != master[place]:
            chosen.append((field, record))
    return chosen


def _reason(
    field: _Field,
    records: Sequence[GameHeader],
    giver: GameHeader,
    outweighed: _Outweighed,
    tied: Collection[_Field],
) -> str:
    """Return the reason why the first record gets the value of another one."""
    master, place = records[0], field.place
    before, after = master[place], giver[place]
    if not field.best((master,)):
        return Reason.MISSING
    if before in outweighed.get(field.tag, ()):
        return Reason.ROUND_DAY if field.tag == "Date" else Reason.SUPPORTED
    side = next((side for side in SIDES if side.tag == field.tag), None)
    if side is not None and giver[side.fide_id] and not master[side.fide_id]:
        return Reason.FIDE
    values = [record[place] for record in records]
    if values.count(after) > values.count(before):
        return Reason.MAJORITY
    return Reason.RELIABLE if field in tied else Reason.EXACT


def _choose_for_players(
    records: Sequence[GameHeader], rules: _Rules, outweighed: _Outweighed
) -> tuple[list[_Chosen], Strangers]:
    """Return the changes, and for each side the records whose player's fields are not merged.

    The kept game is among these if its own player was outvoted.
    """
    fields, names = rules.fields, rules.names
    strangers = strangers_of(records, names)
    chosen = _choose(records, fields, strangers, outweighed)
    selves: Strangers = {}
    for attempt in range(_MOST_ATTEMPTS):
        opponents = own_opponents(records, _givers(chosen), names)
        if not opponents:
            break
        if attempt == _MOST_ATTEMPTS - 1:
            opponents = {side.tag: {record.game_id for record in records[1:]} for side in SIDES}
        selves = joined(selves, opponents)
        chosen = _choose(records, fields, joined(strangers, selves), outweighed)
    outvoted = outvoted_sides(records[0], _givers(chosen), names)
    sides = SIDES if rules.checks_all_sides else outvoted
    if sides:
        others = strangers_to_chosen(records, _givers(chosen), names, sides)
        strangers = {**strangers, **others}
    if selves:
        strangers = joined(strangers, selves)
    if outvoted:
        again = _choose(records, fields, strangers, outweighed)
        elos = [choice for choice in again if choice[0].tag in _ELO_TAGS]
        chosen = [choice for choice in chosen if choice[0].tag not in _ELO_TAGS] + elos
    return chosen, strangers


def _forget_elos(merged: MergedHeader, master: GameHeader, strangers: Strangers) -> None:
    """Remove the Elo of a kept game's player who was outvoted, if the others have no Elo."""
    for side, elo in zip(SIDES, (master.white_elo, master.black_elo), strict=True):
        if elo is None or master.game_id not in strangers[side.tag]:
            continue
        tag = f"{side.tag}Elo"
        if tag not in merged.values:
            giver = next(c.from_game_id for c in merged.changes if c.tag == side.tag)
            merged.values[tag] = None
            change = FieldChange(tag, _text(elo), _text(None), giver, Reason.MAJORITY)
            merged.changes.append(change)


def _givers(chosen: Iterable[_Chosen]) -> dict[str, GameHeader]:
    return {field.tag: record for field, record, _ in chosen}


def _most_trusted(
    records: Sequence[GameHeader],
    worse: Sequence[int],
    field: _Field,
    values: Sequence[str | int],
) -> GameHeader:
    """Return the record whose value is merged; `worse`: how many worse fields each record has."""
    best = frozenset(values)
    # A record with fewer moves is trusted less.
    holders = [
        ((count, -record.plies), record)
        for count, record in zip(worse, records, strict=True)
        if record[field.place] in best
    ]
    fewest = min(rank for rank, _ in holders)
    trusted = [record for rank, record in holders if rank == fewest]
    if field.tag == "Date":
        return max(trusted, key=lambda record: str(record.date))
    return trusted[0]


def _text(value: _Value) -> str:
    return "?" if value is None or value == "" else str(value)


# --- dates ------------------------------------------------------------------------------------


def _lacks_month(header: GameHeader) -> bool:
    return "?" in (header.date or "?")[: field_choice.MONTH_CHARS] and '"EventDate"' in (
        header.extra_tags or ""
    )


def _set_date(merged: MergedHeader, records: Sequence[GameHeader]) -> None:
    """Set the quality of the date; if no record has year or month, take them from EventDate."""
    master = records[0]
    date = master.date
    if date is None or not field_choice.is_date(date):
        date = _UNKNOWN_DATE
    if "Date" in merged.values:
        date = str(merged.values["Date"])
        record = next(record for record in records if record.date == date)
        merged.values["DateQuality"] = record.date_quality
    if "?" not in date[: field_choice.MONTH_CHARS]:
        return
    guesses: list[tuple[int, str, GameHeader]] = []
    for other in records:
        guess = field_choice.guess_date(date, other)
        if guess is not None:
            guesses.append((*guess, other))
    if not guesses:
        return
    quality, date, record = max(guesses, key=itemgetter(0))
    merged.values["Date"], merged.values["DateQuality"] = date, quality
    merged.changes[:] = [change for change in merged.changes if change.tag != "Date"]
    reason = Reason.EXACT if field_choice.is_date(master.date) else Reason.MISSING
    merged.changes.append(FieldChange("Date", _text(master.date), date, record.game_id, reason))


# --- players ----------------------------------------------------------------------------------


def _set_persons(
    merged: MergedHeader, records: Sequence[GameHeader], chosen: Mapping[str, GameHeader]
) -> None:
    """Set the persons of the players if a record with the chosen names has them."""
    master = records[0]
    players: list[tuple[Side, _Value, _Value]] = []
    for side in SIDES:
        name = chosen.get(side.tag, master)[side.name]
        known = [r for r in records if r[side.name] == name and r[side.person] is not None]
        # A person in the FIDE list first, then that of the first record, which is the kept game.
        best = min(known, key=lambda record: record[side.fide_id] is None, default=None)
        person = best[side.person] if best is not None else None
        players.append((side, name, person))
        if person != master[side.person]:
            merged.values[f"{side.tag}PersonID"] = person
    if not merged.values.keys().isdisjoint(_PLAYER_VALUES):
        hashes = (record.core_hash for record in records if _has_players(record, players))
        core_hash = next(hashes, master.core_hash)
        if core_hash != master.core_hash:
            merged.values["CoreHash"] = core_hash


def _has_players(record: GameHeader, players: Iterable[tuple[Side, _Value, _Value]]) -> bool:
    return record.core_hash is not None and all(
        record[side.person] == person and (person is not None or record[side.name] == name)
        for side, name, person in players
    )


# --- other tags -------------------------------------------------------------------------------


def _set_tags(
    merged: MergedHeader,
    records: Sequence[GameHeader],
    strangers: Strangers,
    other_starts: Collection[int],
) -> None:
    """Add tags that the kept game lacks, those of better headers first; remove empty tags."""
    master = records[0]
    own_text = master.extra_tags
    others = [r for r in records if r.extra_tags is not None and r.extra_tags != own_text]
    outvoted = {side.tag for side in SIDES if master.game_id in strangers[side.tag]}
    gone = _replaced_tags(merged)
    gone |= {tag for tag in _tags_of(master) if side_of(tag) in outvoted}
    before, after = _event_and_date(master, {}), _event_and_date(master, merged.values)
    if after != before:
        all_tags = [(_event_and_date(record, {}), _tags_of(record)) for record in records]
        gone.update(tag_pairs.obsolete(_tags_of(master), before, after, all_tags))
    if not others and not gone and not re.search(_EMPTY_TAG, own_text or ""):
        return
    own = _tags_of(master)
    tags = {tag: value for tag, value in own.items() if value.strip("?.") and tag not in gone}
    present = {tag.lower() for tag in tags}
    columns = {
        column: merged.values.get(column, go_tags.value_of(master, column))
        for column, _ in go_tags.COLUMN_TAGS
    }
    for record in others:
        so_far = dict(tags)
        other = _event_and_date(record, {})
        for tag, value in _tags_of(record).items():
            if (
                tag.lower() not in present
                and value.strip("?.-")
                and _is_of_game(tag, record)
                and record.game_id not in strangers.get(side_of(tag), ())
                and (tag != go_tags.HANDICAP or record.game_id not in other_starts)
                and go_tags.fits_columns(tag, record, columns)
                and tag_pairs.fits(tag, other, _tags_of(record), after, so_far)
            ):
                present.add(tag.lower())
                tags[tag] = value
                text = _text(own.get(tag))
                merged.changes.append(FieldChange(tag, text, value, record.game_id))
    _note_lost(merged, own, tags)
    if tags != own:
        merged.values["ExtraTags"] = _COMPACT_JSON.encode(tags) if tags else None


def _note_lost(merged: MergedHeader, own: Mapping[str, str], tags: Mapping[str, str]) -> None:
    """Report tags that were removed with a player, or in Go with a column, and not replaced."""
    changes = {change.tag: change for change in merged.changes}
    for tag, value in own.items():
        change = changes.get(side_of(tag) or tag_pairs.column_of(tag) or "")
        if change and tag not in tags and tag not in _ELO_TAGS and value.strip("?."):
            merged.changes.append(change._replace(tag=tag, before=value, after=_text(None)))
    for column, tag in go_tags.COLUMN_TAGS:
        if column in changes and tag in own and tag not in tags:
            change = changes[column]
            merged.changes.append(change._replace(tag=tag, before=own[tag], after=_text(None)))


def _replaced_tags(merged: MergedHeader) -> set[str]:
    """Return the tags that no longer hold because their column has a new value.

    These are Elo tags without a number, which exist only while the column has no Elo, and in Go DT
    and RE, which say more than Date and Result.
    """
    gone = _ELO_TAGS & merged.values.keys()
    return {*gone, *(tag for column, tag in go_tags.COLUMN_TAGS if column in merged.values)}


def _event_and_date(header: GameHeader, values: Mapping[str, _Value]) -> tag_pairs.EventAndDate:
    event, date = values.get("Event", header.event), values.get("Date", header.date)
    return tag_pairs.EventAndDate(str(event or ""), str(date or ""))


def _tags_of(header: GameHeader) -> dict[str, str]:
    return extra_tags_of(header.game_id, header.extra_tags)


def _is_of_game(tag: str, record: GameHeader) -> bool:
    """Return whether a tag describes the game; a tag of an unknown player does not."""
    side = side_of(tag)
    if side and not is_named(record.white if side == "White" else record.black):
        return False
    return not re.fullmatch(_TAGS_OF_THE_RECORD, tag)
