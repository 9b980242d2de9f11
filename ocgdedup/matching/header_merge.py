"""Merge the headers of the records of one played game into the best header.

Owns which records may give values, and which values are merged into the kept game. The kernel
chooses the best value of a field (HeaderChooser), name_choice.py the best name, and go_choice.py
the best values of Go games. No value is invented: each is in a record, except for a month that is
taken from the tag EventDate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from ocgdedup._kernels.search import FIELD_TAGS, HEADER_INDEXES, is_date
from ocgdedup.game_kind import CHESS, GameKind
from ocgdedup.matching import consensus, field_choice, go_tags, name_choice, player_sides, tag_pairs
from ocgdedup.matching.duplicate_marks import DUPLICATE_TAGS, without_marks
from ocgdedup.matching.header_score import header_score, is_named
from ocgdedup.matching.names.name_decisions import IN_GAME, DecidedNames, DecidedSide, deciding_side
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

    `values`: by column of Games, but names as texts, with the keys "Event", "Site", "White" and
    "Black". `changes`: the same for users, without persons, hash and quality of the date.
    """

    values: dict[str, _Value]
    changes: list[FieldChange]


class Chosen(NamedTuple):
    """A tag of the kept game to change, the record that gives the value, and the reason."""

    tag: str
    record: GameHeader
    reason: str


# By tag: values that other records of the database contradict.
_Outweighed = Mapping[str, Collection[str]]
_EcoOf = Callable[[int], str | None]  # by the ID of a game
_BestOf = Mapping[str, Callable[[Sequence[GameHeader]], Collection[str]]]

_INDEX_OF_FIELD = {name: index for index, name in enumerate(GameHeader._fields)}
_INDEX_OF_TAG = dict(zip(FIELD_TAGS, HEADER_INDEXES, strict=True))
BEST_NAMES: _BestOf = {
    side.tag: partial(lambda side, records: name_choice.best_names(side.votes(records)), side)
    for side in SIDES
}

_PLAYER_VALUES = frozenset(("White", "Black", "WhitePersonID", "BlackPersonID"))
_HEADER = slice(_INDEX_OF_FIELD["event"], _INDEX_OF_FIELD["core_hash"])  # without derived fields
_PERSONS = slice(_INDEX_OF_FIELD["white_person_id"], _INDEX_OF_FIELD["plies"])

_UNKNOWN_DATE = "????.??.??"
# Tags that describe a record and not the game, or that repeat columns or moves.
_TAGS_OF_THE_RECORD = (
    r"Source\w*|(Original)?PlyCount|Original[A-Z]\w*|"
    r"MovetextResult|SetUp|FEN|"
    rf"(White|Black)Elo|\w+_\d+|{DUPLICATE_TAGS}|{go_tags.TAGS_OF_THE_RECORD}"
)
_ELO_TAGS = frozenset(("WhiteElo", "BlackElo"))
# Choices of names without a player who is his own opponent; then the kept game's names stay.
_MOST_ATTEMPTS = 8
_EMPTY_TAG = r':"[?.]*"'
_COMPACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def merge_headers(
    kept_game: GameHeader,
    members: Sequence[GameHeader],
    *,
    kind: GameKind = CHESS,
    swapped: Collection[int] = (),
    other_starts: Collection[int] = (),
    database: consensus.Database | None = None,
    decided: DecidedNames | None = None,
    eco_of: _EcoOf | None = None,
) -> MergedHeader:
    """Return the changes that give the kept game's header the best value of each field.

    `members`: the headers of one played game as they were read, in any order, with or without the
    kept game. Of equally good values, that of the record with fewer worse fields is chosen; then
    the later date; then the kept game's value. In Go the kept game's value stays, unless another
    value contains it (go_choice.py). A player never gets name, Elo or title of another player,
    unless two records or more agree on that player and fewer contradict them. "CoreHash" is changed
    only if a record has the hash of the chosen players.

    `swapped`: IDs of records in which the players are exchanged. `other_starts`: IDs of Go records
    that start with other stones. `database`: counts over all records; values that they contradict
    are excluded first (consensus.py). `decided`: the user's decisions about names; a player whom
    they give to a side stays, with the values of records that have him (deciding_side()). `eco_of`:
    returns the ECO code of a game's moves, which decides if the records have different codes.
    """
    header = kept_game[_HEADER]
    lacks_month = "?" in (kept_game.date or "?")[: field_choice.MONTH_CHARS]
    may_have_month = lacks_month and '"EventDate"' in (kept_game.extra_tags or "")
    if not may_have_month and not [None for member in members if member[_HEADER] != header]:
        return MergedHeader({}, [])
    records = _ranked(kept_game, members, swapped)
    rules, outweighed = _rules(kind)._replace(eco_of=eco_of), dict[str, Collection[str]]()
    if database is not None:
        best_of = {
            tag: partial(_likeliest_of, best, database) for tag, best in rules.best_of.items()
        }
        rules = rules._replace(best_of=best_of)
        outweighed.update(consensus.outweighed(records, database))
    givers = _decided_givers(records, decided) if decided is not None else {}
    for tag, giver in givers.items():
        rules = rules._replace(
            best_of={**rules.best_of, tag: partial(_decided_best, giver, rules.best_of[tag])}
        )
    chosen, strangers = _choose_for_players(records, rules, outweighed, givers)
    merged = MergedHeader({}, [])
    for tag, record, reason in chosen:
        index = _INDEX_OF_TAG[tag]
        before, after = kept_game[index], record[index]
        merged.values[tag] = after
        merged.changes.append(FieldChange(tag, _text(before), _text(after), record.game_id, reason))
    _remove_elos(merged, kept_game, strangers, givers)
    if "Date" in merged.values or not kept_game.date or "?" in kept_game.date:
        _set_date(merged, records)
    if [None for record in records if record[_PERSONS] != kept_game[_PERSONS]]:
        _set_persons(merged, records, _givers(chosen), givers)
    if [None for record in records if record.extra_tags]:
        _set_tags(merged, records, strangers, other_starts)
    return merged


class _Rules(NamedTuple):
    """How headers of a kind of games are merged.

    `best_of`: functions for the best values, for tags without rules in the kernel.
    `checks_all_sides`: records that name other players than the merged header give no values to any
    player; else only none to a player who was outvoted.
    """

    best_of: _BestOf
    names: NameRules
    checks_all_sides: bool
    eco_of: _EcoOf | None = None


@cache
def _rules(kind: GameKind) -> _Rules:
    if kind is CHESS:
        names = NameRules(name_choice.are_strangers, name_choice.may_be_one)
        return _Rules(BEST_NAMES, names, checks_all_sides=False)
    from ocgdedup.matching.go_choice import BEST, are_go_strangers, may_be_one_in_go  # 14 ms

    return _Rules(BEST, NameRules(are_go_strangers, may_be_one_in_go), checks_all_sides=True)


def _likeliest_of(
    best: Callable[[Sequence[GameHeader]], Collection[str]],
    database: consensus.Database,
    records: Sequence[GameHeader],
) -> Sequence[str]:
    return name_choice.likeliest(best(records), database)


def _ranked(
    kept_game: GameHeader, members: Iterable[GameHeader], swapped: Collection[int]
) -> list[GameHeader]:
    """Return the kept game, then the others by header score and ID, with its colours."""
    kept_id = kept_game.game_id
    others = [without_marks(member) for member in members if member.game_id != kept_id]
    if len(others) > 1:
        others.sort(key=lambda record: (-header_score(record), record.game_id))
    return [kept_game] + [
        player_sides.exchanged(record) if record.game_id in swapped else record for record in others
    ]


def count_worse_fields(headers: Sequence[GameHeader]) -> list[int]:
    """Return for each header of one played game in how many fields another header is better.

    A record with known errors is trusted less in fields that cannot be judged.
    """
    first = min(headers, key=lambda header: header.game_id)
    records = [player_sides.with_colours_of(first, header) for header in headers]
    return field_choice.header_chooser().worse_fields(records, BEST_NAMES)


def _choose(
    records: list[GameHeader], rules: _Rules, strangers: Strangers, outweighed: _Outweighed
) -> list[Chosen]:
    """Return the fields in which another record is better than the kept game."""
    chooser = field_choice.header_chooser()
    best_of, eco_of = rules.best_of, rules.eco_of
    return [
        Chosen(tag, records[index], getattr(Reason, reason))
        for tag, index, reason in chooser.chosen(records, best_of, strangers, outweighed, eco_of)
    ]


def _choose_for_players(
    records: list[GameHeader],
    rules: _Rules,
    outweighed: _Outweighed,
    decided: Mapping[str, _DecidedGiver],
) -> tuple[list[Chosen], Strangers]:
    """Return the changes, and for each side the records whose player's fields are not merged.

    The kept game is among these if its own player was outvoted.
    """
    names = rules.names
    fixed: Strangers = {tag: giver.other_records(records) for tag, giver in decided.items()}
    strangers: Strangers = {**player_sides.strangers_of(records, names), **fixed}
    chosen = _choose(records, rules, strangers, outweighed)
    excluded: Strangers = {}  # records that would make a player his own opponent
    for attempt in range(_MOST_ATTEMPTS):
        opponents = player_sides.own_opponents(records, _givers(chosen), names)
        opponents = {tag: ids for tag, ids in opponents.items() if tag not in fixed}
        if not any(opponents.values()):
            break
        if attempt == _MOST_ATTEMPTS - 1:
            others = {record.game_id for record in records[1:]}
            opponents = {side.tag: others for side in SIDES if side.tag not in fixed}
        excluded = player_sides.joined(excluded, opponents)
        chosen = _choose(records, rules, player_sides.joined(strangers, excluded), outweighed)
    outvoted = player_sides.outvoted_sides(records[0], _givers(chosen), names)
    if sides := SIDES if rules.checks_all_sides else outvoted:
        to_chosen = player_sides.strangers_to_chosen(records, _givers(chosen), names, sides)
        strangers = {**strangers, **to_chosen, **fixed}
    if excluded:
        strangers = player_sides.joined(strangers, excluded)
    if outvoted:
        new_choices = _choose(records, rules, strangers, outweighed)
        elos = [choice for choice in new_choices if choice.tag in _ELO_TAGS]
        chosen = [choice for choice in chosen if choice.tag not in _ELO_TAGS] + elos
    return [_with_reason(choice, decided) for choice in chosen], strangers


class _DecidedGiver(NamedTuple):
    """The record whose player the user decided for a side; `in_game`: in this record alone."""

    side: Side
    record: GameHeader
    in_game: bool

    def other_records(self, records: Iterable[GameHeader]) -> set[int]:
        """Return the records with other players on the side."""
        person, name = self.record[self.side.person], self.record[self.side.name]
        return {
            record.game_id
            for record in records
            if record[self.side.person] != person
            or (person is None and record[self.side.name] != name)
        }


def _decided_givers(
    records: Sequence[GameHeader], decided: DecidedNames
) -> dict[str, _DecidedGiver]:
    givers: dict[str, _DecidedGiver] = {}
    for side in SIDES:
        kept, *copies = (
            DecidedSide(
                record.game_id,
                decided.level(record[side.name], record.game_id),  # type: ignore[arg-type]  # by index
                record[side.person] is not None,
            )
            for record in records
        )
        best = deciding_side(kept, copies)
        if best is not None:
            giver = next(record for record in records if record.game_id == best.game_id)
            givers[side.tag] = _DecidedGiver(side, giver, best.level == IN_GAME)
    return givers


def _decided_best(
    giver: _DecidedGiver,
    best: Callable[[Sequence[GameHeader]], Collection[str]],
    records: Sequence[GameHeader],
) -> Collection[str]:
    """Return the best name of a decided side; a name decided in one game stays as it is."""
    if giver.in_game:
        return (str(giver.record[giver.side.name]),)
    return best(records)


def _with_reason(choice: Chosen, decided: Mapping[str, _DecidedGiver]) -> Chosen:
    giver = decided.get(choice.tag)
    if giver is None or not giver.in_game:
        return choice
    return choice._replace(record=giver.record, reason=Reason.DECIDED)


def _remove_elos(
    merged: MergedHeader,
    kept_game: GameHeader,
    strangers: Strangers,
    decided: Mapping[str, _DecidedGiver],
) -> None:
    """Remove the Elo of a kept game's player who was outvoted, if the others have no Elo."""
    for side, elo in zip(SIDES, (kept_game.white_elo, kept_game.black_elo), strict=True):
        if elo is None or kept_game.game_id not in strangers[side.tag]:
            continue
        tag = f"{side.tag}Elo"
        if tag not in merged.values:
            changed = (c.from_game_id for c in merged.changes if c.tag == side.tag)
            giver = decided[side.tag].record.game_id if side.tag in decided else next(changed)
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
    kept_date = records[0].date
    date = kept_date if kept_date and is_date(kept_date) else _UNKNOWN_DATE
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
    reason = Reason.EXACT if is_date(kept_date) else Reason.MISSING
    merged.changes.append(FieldChange("Date", _text(kept_date), date, record.game_id, reason))


# --- players ----------------------------------------------------------------------------------


def _set_persons(
    merged: MergedHeader,
    records: Sequence[GameHeader],
    chosen: Mapping[str, GameHeader],
    decided: Mapping[str, _DecidedGiver],
) -> None:
    """Set the persons of the players, decided ones or those of records with the chosen names."""
    kept_game = records[0]
    players: list[tuple[Side, _Value, _Value]] = []
    for side in SIDES:
        name = chosen.get(side.tag, kept_game)[side.name]
        resolved = [r for r in records if r[side.name] == name and r[side.person] is not None]
        # A person in the FIDE list first, then the person of the kept game.
        best = min(resolved, key=lambda record: record[side.fide_id] is None, default=None)
        person = best[side.person] if best is not None else None
        if side.tag in decided:
            person = decided[side.tag].record[side.person]
        players.append((side, name, person))
        if person != kept_game[side.person]:
            merged.values[f"{side.tag}PersonID"] = person
    if not merged.values.keys().isdisjoint(_PLAYER_VALUES):
        hashes = (record.core_hash for record in records if _has_players(record, players))
        core_hash = next(hashes, kept_game.core_hash)
        if core_hash != kept_game.core_hash:
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
    kept_game = records[0]
    kept_text = kept_game.extra_tags
    others = [r for r in records if r.extra_tags is not None and r.extra_tags != kept_text]
    outvoted = {side.tag for side in SIDES if kept_game.game_id in strangers[side.tag]}
    kept_tags = _tags_of(kept_game)
    # If their column gets a new value, these tags no longer hold: an Elo tag without a number (it
    # exists only while the column has no Elo), and in Go DT and RE (more exact than the columns).
    obsolete = {*(_ELO_TAGS & merged.values.keys())}
    obsolete |= {tag for column, tag in go_tags.COLUMN_TAGS if column in merged.values}
    obsolete |= {tag for tag in kept_tags if player_sides.side_of(tag) in outvoted}
    before, after = _event_and_date(kept_game), _event_and_date(kept_game, merged.values)
    if after != before:
        all_tags = [(_event_and_date(record), _tags_of(record)) for record in records]
        obsolete.update(tag_pairs.obsolete(kept_tags, before, after, all_tags))
    if not others and not obsolete and not re.search(_EMPTY_TAG, kept_text or ""):
        return
    tags = {
        tag: text for tag, text in kept_tags.items() if text.strip("?.") and tag not in obsolete
    }
    present = {tag.lower() for tag in tags}
    columns = {
        column: merged.values.get(column, go_tags.value_of(kept_game, column))
        for column, _ in go_tags.COLUMN_TAGS
    }
    for record in others:
        other_tags, tags_before = _tags_of(record), dict(tags)
        other = _event_and_date(record)
        for tag, value in other_tags.items():
            if (
                tag.lower() not in present
                and value.strip("?.-")
                and _is_of_game(tag, record)
                and record.game_id not in strangers.get(player_sides.side_of(tag), ())
                and (tag != go_tags.HANDICAP or record.game_id not in other_starts)
                and go_tags.fits_columns(tag, record, columns)
                and tag_pairs.fits(tag, other, other_tags, after, tags_before)
            ):
                present.add(tag.lower())
                tags[tag] = value
                kept_text = _text(kept_tags.get(tag))
                merged.changes.append(FieldChange(tag, kept_text, value, record.game_id))
    _add_removed(merged, kept_tags, tags)
    if tags != kept_tags:
        merged.values["ExtraTags"] = _COMPACT_JSON.encode(tags) if tags else None


def _add_removed(merged: MergedHeader, before: Mapping[str, str], tags: Mapping[str, str]) -> None:
    """Add to the changes the tags removed with a player, an event, a date, or a column in Go."""
    changes = {change.tag: change for change in merged.changes}
    for tag, value in before.items():
        change = changes.get(player_sides.side_of(tag) or tag_pairs.column_of(tag) or "")
        if change and tag not in tags and tag not in _ELO_TAGS and value.strip("?."):
            merged.changes.append(change._replace(tag=tag, before=value, after=_text(None)))
    for column, tag in go_tags.COLUMN_TAGS:
        if column in changes and tag in before and tag not in tags:
            change = changes[column]
            merged.changes.append(change._replace(tag=tag, before=before[tag], after=_text(None)))


def _event_and_date(
    header: GameHeader, values: Mapping[str, _Value] = MappingProxyType({})
) -> tag_pairs.EventAndDate:
    """Return the event and the date of a header, after a merge of `values` into it."""
    event, date = values.get("Event", header.event), values.get("Date", header.date)
    return tag_pairs.EventAndDate(str(event or ""), str(date or ""))


def _tags_of(header: GameHeader) -> dict[str, str]:
    return extra_tags_of(header.game_id, header.extra_tags)


def _is_of_game(tag: str, record: GameHeader) -> bool:
    """Return whether a tag describes the game; a tag of an unknown player does not."""
    side = player_sides.side_of(tag)
    if side and not is_named(record.white if side == "White" else record.black):
        return False
    return not re.fullmatch(_TAGS_OF_THE_RECORD, tag)
