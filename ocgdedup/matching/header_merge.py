"""Merge the headers of the records of one played game into the best header.

Owns which records may give values, and what is merged into the kept game. The kernel chooses the
best value of a field (HeaderChooser), name_choice.py that of a name, and go_choice.py those of Go
games. No value is invented: each is in some record, except for a month that is taken from the tag
EventDate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter
from typing import NamedTuple

from ocgdedup._kernels.search import FIELD_TAGS, HEADER_PLACES, is_date
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching import consensus, field_choice, go_tags, name_choice, player_sides
from ocgdedup.matching.copy_marks import TAGS_OF_COPIES, without_marks
from ocgdedup.matching.header_score import header_score, is_named
from ocgdedup.matching.player_sides import SIDES, NameRules, Side, Strangers
from ocgdedup.model import GameHeader, Reason, extra_tags_of

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


class Chosen(NamedTuple):
    """A tag that the kept game gets, the record that gives it, and the reason (model.Reason)."""

    tag: str
    record: GameHeader
    reason: str


# By tag: values that other records of the database contradict.
_Outweighed = Mapping[str, Collection[str]]
_BestOf = Mapping[str, Callable[[Sequence[GameHeader]], Collection[str]]]

_PLACES = {name: place for place, name in enumerate(GameHeader._fields)}
_PLACE_OF_TAG = dict(zip(FIELD_TAGS, HEADER_PLACES, strict=True))
BEST_NAMES: _BestOf = {
    side.tag: partial(lambda side, records: name_choice.best_names(side.votes(records)), side)
    for side in SIDES
}

_PLAYER_VALUES = frozenset(("White", "Black", "WhitePersonID", "BlackPersonID"))
_HEADER = slice(_PLACES["event"], _PLACES["core_hash"])  # without what follows from the rest
_PERSONS = slice(_PLACES["white_person_id"], _PLACES["plies"])

_UNKNOWN_DATE = "????.??.??"
# Tags that describe a record and not the game, or that repeat columns or moves.
_TAGS_OF_THE_RECORD = (
    r"Source\w*|(Original)?PlyCount|Original(Date|Result|FEN|Event|Site|White|Black)|"
    r"MovetextResult|SetUp|FEN|"
    rf"(White|Black)Elo|\w+_\d+|{TAGS_OF_COPIES}|{go_tags.TAGS_OF_THE_RECORD}"
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
    lacks_month = "?" in (master.date or "?")[: field_choice.MONTH_CHARS]
    may_have_month = lacks_month and '"EventDate"' in (master.extra_tags or "")
    if not [None for member in members if member[_HEADER] != own] and not may_have_month:
        return MergedHeader({}, [])
    records = _ranked(master, members, swapped)
    rules = _rules(kind)
    outweighed = {} if database is None else consensus.outweighed(records, database)
    chosen, strangers = _choose_for_players(records, rules, outweighed)
    merged = MergedHeader({}, [])
    for tag, record, reason in chosen:
        place = _PLACE_OF_TAG[tag]
        before, after = master[place], record[place]
        merged.values[tag] = after
        merged.changes.append(FieldChange(tag, _text(before), _text(after), record.game_id, reason))
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

    `best_of`: the best values, for tags whose rules are not the kernel's. `checks_all_sides`:
    records that name other players than the merged header give nothing to either player; else they
    give nothing to a player who was outvoted.
    """

    best_of: _BestOf
    names: NameRules
    checks_all_sides: bool


@cache
def _rules(kind: GameKind) -> _Rules:
    if kind is CHESS:
        names = NameRules(name_choice.are_strangers, name_choice.may_be_one)
        return _Rules(BEST_NAMES, names, checks_all_sides=False)
    from ocgdedup.matching.go_choice import BEST, are_go_strangers, may_be_one_in_go  # 14 ms

    return _Rules(BEST, NameRules(are_go_strangers, may_be_one_in_go), checks_all_sides=True)


def _ranked(
    master: GameHeader, members: Iterable[GameHeader], swapped: Collection[int]
) -> list[GameHeader]:
    """Return the kept game, then the others by header score and ID, with the same colours."""
    master_id = master.game_id
    others = [without_marks(member) for member in members if member.game_id != master_id]
    if len(others) > 1:
        others.sort(key=lambda record: (-header_score(record), record.game_id))
    return [master] + [
        player_sides.exchanged(record) if record.game_id in swapped else record for record in others
    ]


def count_worse_fields(headers: Sequence[GameHeader]) -> list[int]:
    """Return for each header of one played game in how many fields another header is better.

    A record with errors in fields that can be judged is trusted less in fields that cannot.
    """
    first = min(headers, key=lambda header: header.game_id)
    records = [player_sides.with_colours_of(first, header) for header in headers]
    return field_choice.header_chooser().worse_fields(records, BEST_NAMES)


def _choose(
    records: list[GameHeader], best_of: _BestOf, strangers: Strangers, outweighed: _Outweighed
) -> list[Chosen]:
    """Return the fields in which another record is better than the first, and that record."""
    chooser = field_choice.header_chooser()
    return [
        Chosen(tag, records[index], getattr(Reason, reason))
        for tag, index, reason in chooser.chosen(records, best_of, strangers, outweighed)
    ]


def _choose_for_players(
    records: list[GameHeader], rules: _Rules, outweighed: _Outweighed
) -> tuple[list[Chosen], Strangers]:
    """Return the changes, and for each side the records whose player's fields are not merged.

    The kept game is among these if its own player was outvoted.
    """
    best_of, names = rules.best_of, rules.names
    strangers = player_sides.strangers_of(records, names)
    chosen = _choose(records, best_of, strangers, outweighed)
    selves: Strangers = {}
    for attempt in range(_MOST_ATTEMPTS):
        opponents = player_sides.own_opponents(records, _givers(chosen), names)
        if not opponents:
            break
        if attempt == _MOST_ATTEMPTS - 1:
            opponents = {side.tag: {record.game_id for record in records[1:]} for side in SIDES}
        selves = player_sides.joined(selves, opponents)
        chosen = _choose(records, best_of, player_sides.joined(strangers, selves), outweighed)
    outvoted = player_sides.outvoted_sides(records[0], _givers(chosen), names)
    sides = SIDES if rules.checks_all_sides else outvoted
    if sides:
        others = player_sides.strangers_to_chosen(records, _givers(chosen), names, sides)
        strangers = {**strangers, **others}
    if selves:
        strangers = player_sides.joined(strangers, selves)
    if outvoted:
        again = _choose(records, best_of, strangers, outweighed)
        elos = [choice for choice in again if choice.tag in _ELO_TAGS]
        chosen = [choice for choice in chosen if choice.tag not in _ELO_TAGS] + elos
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


def _givers(chosen: Iterable[Chosen]) -> dict[str, GameHeader]:
    return {choice.tag: choice.record for choice in chosen}


def _text(value: _Value) -> str:
    return "?" if value is None or value == "" else str(value)


# --- dates ------------------------------------------------------------------------------------


def _set_date(merged: MergedHeader, records: Sequence[GameHeader]) -> None:
    """Set the quality of the date; if no record has year or month, take them from EventDate."""
    master = records[0]
    date = master.date
    if date is None or not is_date(date):
        date = _UNKNOWN_DATE
    if "Date" in merged.values:
        date = str(merged.values["Date"])
        record = next(record for record in records if record.date == date)
        merged.values["DateQuality"] = record.date_quality
    if "?" not in date[: field_choice.MONTH_CHARS]:
        return
    guesses = [
        (*guess, other) for other in records if (guess := field_choice.guess_date(date, other))
    ]
    if not guesses:
        return
    quality, date, record = max(guesses, key=itemgetter(0))
    merged.values["Date"], merged.values["DateQuality"] = date, quality
    merged.changes[:] = [change for change in merged.changes if change.tag != "Date"]
    reason = Reason.EXACT if is_date(master.date) else Reason.MISSING
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
    # Elo tags without a number, which exist only while the column has no Elo, and in Go DT and RE,
    # which say more than Date and Result, no longer hold if their column has a new value.
    gone = {*(_ELO_TAGS & merged.values.keys())}
    gone |= {tag for column, tag in go_tags.COLUMN_TAGS if column in merged.values}
    gone |= {tag for tag in _tags_of(master) if player_sides.side_of(tag) in outvoted}
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
        for tag, value in _tags_of(record).items():
            if (
                tag.lower() not in present
                and value.strip("?.-")
                and _is_of_game(tag, record)
                and record.game_id not in strangers.get(player_sides.side_of(tag), ())
                and (tag != go_tags.HANDICAP or record.game_id not in other_starts)
                and go_tags.fits_columns(tag, record, columns)
            ):
                present.add(tag.lower())
                tags[tag] = value
                before = own.get(tag)
                merged.changes.append(FieldChange(tag, _text(before), value, record.game_id))
    _note_lost(merged, own, tags)
    if tags != own:
        merged.values["ExtraTags"] = _COMPACT_JSON.encode(tags) if tags else None


def _note_lost(merged: MergedHeader, own: Mapping[str, str], tags: Mapping[str, str]) -> None:
    """Report tags that were removed with a player, or in Go with a column, and not replaced."""
    changes = {change.tag: change for change in merged.changes}
    for tag, value in own.items():
        change = changes.get(player_sides.side_of(tag))
        if change and tag not in tags and tag not in _ELO_TAGS and value.strip("?."):
            merged.changes.append(change._replace(tag=tag, before=value, after=_text(None)))
    for column, tag in go_tags.COLUMN_TAGS:
        if column in changes and tag in own and tag not in tags:
            change = changes[column]
            merged.changes.append(change._replace(tag=tag, before=own[tag], after=_text(None)))


def _tags_of(header: GameHeader) -> dict[str, str]:
    return extra_tags_of(header.game_id, header.extra_tags)


def _is_of_game(tag: str, record: GameHeader) -> bool:
    """Tell if a tag describes the game; a tag of an unknown player does not."""
    side = player_sides.side_of(tag)
    if side and not is_named(record.white if side == "White" else record.black):
        return False
    return not re.fullmatch(_TAGS_OF_THE_RECORD, tag)
