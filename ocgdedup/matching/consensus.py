"""Which values of a game's records the rest of the database decides against.

A rare spelling beside a frequent one of the same name is a slip, and a day on which the other games
of the round were not played is wrong. Owns these rules. How often each name occurs, and when rounds
were played, the kernel header_counts knows (`Database`).
"""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from rapidfuzz.distance import OSA

from ocgdedup.matching.field_choice import is_event_like
from ocgdedup.matching.header_score import EMPTY_TEXTS, is_named
from ocgdedup.matching.name_choice import says
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_form import NameForm, name_form
from ocgdedup.model import GameHeader

# Kinds of names, as in the kernel header_counts.
EVENT, SITE, PLAYER = 0, 1, 2
_FIELDS = (
    ("Event", EVENT, "event"),
    ("Site", SITE, "site"),
    ("White", PLAYER, "white"),
    ("Black", PLAYER, "black"),
)

# How far ahead a spelling is: see standing() of the kernel.
_OF_RARE, _OF_VERY_RARE = 2, 3

# Of one field that are compared with each other: only made-up groups have more.
_MOST_VALUES = 64
_MOST_EDITS = 2
_FEWEST_LETTERS = 5  # of a name that may be a slip: Wang, Yu and Wang, Yue are two players
_COUNTRY = re.compile(" [A-Z]{3}")
# What collections add to the name of a place: "026.London IT (E.V.)".
_DECORATION = re.compile(r"^\s*\d+\s*[.)]\s*|\([^)]*\)?|\[[^\]]*\]?")
_DIGITS = re.compile(r"\d+")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_TIMES = 2  # as many games must be on one day as on another
_LEAST_OUT_OF_ORDER = 2  # games of earlier or later rounds that contradict a day
_MOST_DAYS = 60  # between games of one event
_LEAST_ROUNDS = 3  # that a source has on one day, if it writes the first day of an event for all
_NAMED_ROUND = 1 << 31  # read_round() in kernels/copy_text.pxd: no number
_ROUND_BITS = 15


class RoundDay(NamedTuple):
    """An event, a source, a round and a date, as the kernel numbers them."""

    event: int
    source: int
    round: int
    date: int


class Database(Protocol):
    """What all records of a database say, as they came."""

    def standing(self, kind: int, text: str, other: str) -> int:
        """Return how far a name is ahead of another one of its kind."""

    def round_of(self, game_id: int) -> RoundDay:
        """Return when the record says its round was played."""

    def days_of(self, event: int) -> Mapping[RoundDay, int]:
        """Return how many records of an event have each round and day."""


def outweighed(records: Sequence[GameHeader], database: Database) -> Mapping[str, Collection[str]]:
    """Return the values that lose against those of other records, by tag.

    `records`: of one played game. Tags: Event, Site, Date, White, Black.
    """
    found: dict[str, Collection[str]] = {}
    for tag, kind, attribute in _FIELDS:
        texts = {getattr(record, attribute) for record in records}
        if len(texts) > 1:
            losers = _outweighed_names(records, kind, attribute, texts, database)
            if losers:
                found[tag] = losers
    if len({record.date for record in records}) > 1:
        days = _outweighed_days(records, database)
        if days:
            found["Date"] = days
    return found


def _outweighed_names(
    records: Sequence[GameHeader],
    kind: int,
    attribute: str,
    texts: Collection[str | None],
    database: Database,
) -> list[str]:
    known = [text for text in texts if text is not None and text not in EMPTY_TEXTS]
    if len(known) > _MOST_VALUES:
        return []
    sites = tuple(sorted({r.site for r in records if r.site})) if kind == EVENT else ()
    fide_ids: Mapping[str, Collection[int]] = {}
    if kind == PLAYER:
        fide_ids = _fide_ids(records, attribute)
    found = []
    for other in known:
        own_ids = fide_ids.get(other, ())
        for text in known:
            if own_ids and own_ids != fide_ids.get(text, ()):
                continue  # the list knows this spelling, or another player by that one
            ahead = database.standing(kind, text, other)
            if ahead > 0 and outweighs(kind, text, other, ahead, sites):
                found.append(other)
                break
    return found


def _fide_ids(records: Iterable[GameHeader], attribute: str) -> dict[str, set[int]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for record in records:
        fide_id = getattr(record, f"{attribute}_fide_id")
        if fide_id:
            found[getattr(record, attribute)].add(fide_id)
    return found


@lru_cache(maxsize=1 << 14)  # the same spellings meet again and again
def outweighs(kind: int, text: str, other: str, ahead: int, sites: tuple[str, ...] = ()) -> bool:
    """Tell if a name takes the place of another one, than which it is far more frequent.

    `ahead`: how far, see standing(). `sites`: those of the records, if the names are of events: a
    mere place is no event.
    """
    if other in EMPTY_TEXTS or text in EMPTY_TEXTS:
        return False
    if kind == PLAYER:
        return is_named(text) and is_named(other) and _is_slip_of(other, text)
    theirs, own = _letters(text), _letters(other)
    if not theirs or not own or theirs.startswith(own):
        return False
    if any(_letters(site).startswith(theirs) for site in sites):
        return False
    if own.startswith(theirs):
        # Hardly anybody else has this country with the place.
        is_country = kind == SITE and _COUNTRY.fullmatch(other[len(text) :]) is not None
        return is_country and ahead >= _OF_RARE
    if kind == EVENT and ahead >= _OF_VERY_RARE and " " in other and not is_event_like(other):
        return True  # the nickname of a game: "The golden coins game"
    return _is_decorated(text, other) or _are_near(own, theirs)


def _is_slip_of(name: str, other: str) -> bool:
    """Tell if a player's name differs from another in so few letters that it may be a slip.

    A name that says less than the other is none: "Kasparov,G" beside "Kasparov, Garry". Nor is one
    with another initial or number, which may be another player's.
    """
    form, other_form = name_form(name), name_form(other)
    words, other_words = "".join(sorted(form.words)), "".join(sorted(other_form.words))
    letters, other_letters = _letters(name), _letters(other)
    if min(len(words), len(other_words)) < _FEWEST_LETTERS:
        return False
    if words == other_words or letters == other_letters:
        return False
    if _DIGITS.findall(name) != _DIGITS.findall(other) or _have_other_initials(form, other_form):
        return False
    if says(form, other_form) or says(other_form, form):
        return False
    return _is_within_edits(words, other_words) or _is_within_edits(letters, other_letters)


def _have_other_initials(form: NameForm, other: NameForm) -> bool:
    initials = {word[0] for word in form.given}
    others = {word[0] for word in other.given}
    return bool(initials and others) and initials.isdisjoint(others)


def _is_within_edits(one: str, other: str) -> bool:
    return OSA.distance(one, other, score_cutoff=_MOST_EDITS) <= _MOST_EDITS


def _are_near(own: str, theirs: str) -> bool:
    return (
        min(len(own), len(theirs)) >= _FEWEST_LETTERS
        and _DIGITS.findall(own) == _DIGITS.findall(theirs)
        and _is_within_edits(own, theirs)
    )


def _is_decorated(text: str, other: str) -> bool:
    """Tell if a name is another one with what a collection has added."""
    plain = _DECORATION.sub("", other)
    if plain == other or _DECORATION.sub("", text) != text:
        return False
    own, theirs = _letters(plain), _letters(text)
    return bool(own) and (own.startswith(theirs) or _is_within_edits(own, theirs))


def _letters(text: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", plain_letters(text)).lower()


# --- days of rounds -----------------------------------------------------------------------------


def _outweighed_days(records: Sequence[GameHeader], database: Database) -> list[str]:
    """Return the dates of records that were not the day of the round, as other games tell it.

    In this order: games of the same round; of the same round number ("2.1" beside "2.4"); games of
    earlier rounds that were later, or the other way round; sources that give one day for all rounds
    of an event.
    """
    own = {
        record.game_id: database.round_of(record.game_id)
        for record in records
        if record.event not in EMPTY_TEXTS
    }
    dates = {
        database.round_of(record.game_id).date: str(record.date)
        for record in records
        if record.date and "?" not in record.date
    }
    days = {date: day for date in dates if (day := _ordinal(date)) is not None}
    if not 2 <= len(days) <= _MOST_VALUES:
        return []
    others: Counter[RoundDay] = Counter()
    for event in {row.event for row in own.values()}:
        others.update(database.days_of(event))
    others.subtract(own.values())
    constant = _with_one_day(others + Counter(own.values()))
    right = _day_of_round(own.values(), others, days, constant)
    if right is None:
        right = _day_of_careful_source(own.values(), days, constant)
    return [] if right is None else [text for date, text in dates.items() if date != right]


def _day_of_round(
    own: Iterable[RoundDay],
    others: Mapping[RoundDay, int],
    days: Mapping[int, int],
    constant: Collection[tuple[int, int]],
) -> int | None:
    rounds = {(row.event, row.round) for row in own if row.round}
    same: Counter[int] = Counter()
    near: Counter[int] = Counter()
    out_of_order: Counter[int] = Counter()
    for row, games in others.items():
        day = _ordinal(row.date)
        if games <= 0 or day is None or (row.event, row.source) in constant:
            continue
        for event, number in rounds:
            if event != row.event:
                continue
            if row.round == number:
                same[row.date] += games
            elif (row.round | number) & _NAMED_ROUND:
                continue
            elif row.round >> _ROUND_BITS == number >> _ROUND_BITS:
                near[row.date] += games
            else:
                is_earlier = row.round < number
                for date, own_day in days.items():
                    if abs(day - own_day) <= _MOST_DAYS and (
                        day > own_day if is_earlier else day < own_day
                    ):
                        out_of_order[date] += games
    for counts in (same, near):
        right = _clear_winner({date: counts[date] for date in days})
        if right is not None:
            return right
    fewest = min(out_of_order[date] for date in days)
    limit = _TIMES * fewest + _LEAST_OUT_OF_ORDER
    fitting = [date for date in days if out_of_order[date] < limit]
    return fitting[0] if len(fitting) == 1 else None


def _clear_winner(counts: Mapping[int, int]) -> int | None:
    """Return the date that _TIMES as many games have as any other, if there is one."""
    ranked = sorted(counts.values())
    if ranked[-1] == 0 or ranked[-1] < _TIMES * ranked[-2]:
        return None
    return max(counts, key=lambda date: counts[date])


def _with_one_day(rows: Mapping[RoundDay, int]) -> set[tuple[int, int]]:
    """Return the (event, source) whose rounds, three or more, all have one date."""
    rounds: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    dates: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for row in rows:
        if row.round:
            rounds[row.event, row.source].add(row.round)
            dates[row.event, row.source].add(row.date)
    return {
        key for key, known in rounds.items() if len(known) >= _LEAST_ROUNDS and len(dates[key]) == 1
    }


def _day_of_careful_source(
    own: Collection[RoundDay], days: Mapping[int, int], constant: Collection[tuple[int, int]]
) -> int | None:
    """Return the only day that comes from a source with more days than one for its rounds."""
    careless = {row.date for row in own if (row.event, row.source) in constant}
    careful = days.keys() - careless
    return careful.pop() if len(careful) == 1 else None


@lru_cache(maxsize=1 << 14)
def _ordinal(date: int) -> int | None:
    """Return the day that a packed date is, None if it is no day."""
    try:
        return datetime.date(date >> 9, date >> 5 & 15, date & 31).toordinal()
    except ValueError:
        return None
