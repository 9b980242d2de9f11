"""The best value of a header field among records of one game; for names see name_choice.py.

Each function takes the records and returns the values that are tied for the best, [] if no record
has a value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, compress
from operator import and_
from typing import TypeVar

from ocgdedup.matching.name_choice import (
    Vote,
    best_by_criteria,
    best_names,
    best_of_two_names,
    is_in_one_case,
)
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import GameHeader
from ocgdedup.thresholds import NEAR_PLIES
from tests.reference.headers.header_score import EMPTY_TEXTS, is_eco, is_elo

_Value = TypeVar("_Value", str, int)

# A record with more plies missing than this does not know how the game ended.
_NEAR_PLIES = NEAR_PLIES
_LEAST_CUT_CHARS = 3  # a text that is the beginning of a longer one is that text truncated

# DateQuality (schema/README.md): year or month are guessed.
_GUESSED_YEAR, _GUESSED_MONTH = 11, 21
_YEAR_CHARS, MONTH_CHARS = 4, 7

_EVENT_DATE = '"EventDate":"'
_DATE_CHARS = 10
_EVENT_WORD = re.compile(r"\d|[a-z]+")
_EVENT_WORDS = frozenset(
    _EVENT_WORD.findall(
        "blitz bl bundesliga candidates ch challenge chess championship classic club cmsc congress "
        "corr ct cup exhibition festival final finals gm group im international internet "
        "interzonal invitation it izt junior knockout ko league m masters match mem memorial "
        "national ol olympiad online op open playoff qualifier rapid rr simul super swiss tch team "
        "teams titled tournament tt u w women world wch zonal zt 0 1 2 3 4 5 6 7 8 9"
    )
)
_STANDARD_DATE = re.compile(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def white_votes(records: Iterable[GameHeader]) -> tuple[Vote, ...]:
    """Return White's name and FIDE ID of each record."""
    return tuple([(r.white, r.white_fide_id) for r in records])


def black_votes(records: Iterable[GameHeader]) -> tuple[Vote, ...]:
    """Return Black's name and FIDE ID of each record."""
    return tuple([(r.black, r.black_fide_id) for r in records])


def best_whites(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the best spellings of White's name."""
    return best_names(white_votes(records))


def best_blacks(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the best spellings of Black's name."""
    return best_names(black_votes(records))


def best_events(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most informative events.

    The worst are mere places, with which a site of these records begins. Next come texts that end
    with two countries. Of the others, the text is best that most records have, also truncated or in
    other letters; then one that is not the nickname of a game: see is_event_like().
    """
    return _fullest(tuple([r.event for r in records]), tuple([r.site for r in records]))


def best_sites(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the sites that most records have, also truncated or in other letters; the longest."""
    return _fullest(tuple([record.site for record in records]), ())


def best_of_two_whites(left: GameHeader, right: GameHeader) -> Sequence[str] | None:
    """Return best_whites() of two records, None if they name different people."""
    return best_of_two_names(left.white, left.white_fide_id, right.white, right.white_fide_id)


def best_of_two_blacks(left: GameHeader, right: GameHeader) -> Sequence[str] | None:
    """Return best_blacks() of two records, None if they name different people."""
    return best_of_two_names(left.black, left.black_fide_id, right.black, right.black_fide_id)


def best_of_two_events(left: GameHeader, right: GameHeader) -> Sequence[str]:
    """Return best_events() of two records."""
    return _fullest((left.event, right.event), (left.site, right.site))


def best_of_two_sites(left: GameHeader, right: GameHeader) -> Sequence[str]:
    """Return best_sites() of two records."""
    return _fullest((left.site, right.site), ())


def best_of_two_ecos(left: GameHeader, right: GameHeader) -> Sequence[str]:
    """Return best_ecos() of two records."""
    return _best_codes((left.eco, right.eco))


@lru_cache(maxsize=1 << 14)
def is_event_like(text: str) -> bool:
    """Return whether a text has a number or a typical word of events, unlike nicknames of games.

    So "DSB Congress" is better than "The golden coins game".
    """
    return not _EVENT_WORDS.isdisjoint(_EVENT_WORD.findall(text.lower()))


_GENERIC_WORDS = frozenset(
    re.findall(
        r"[a-z]+",
        "arena blitz board boards bullet casual cat category ch champ championship "
        "championships chess class classical corr correspondence ct cup daily div division "
        "east event exhibition festival final finals first fm friendly game games gm gp gr "
        "grand group gruppe im int international internat internet intl it jr jun junior "
        "juniors knockout ko kt league live match matches mem memorial men mixed mt nd north "
        "of online op open opn play playoff prelim preliminary qualification qualifier quick "
        "rapid rapidplay rated rd round rr scheveningen schev second section senior seniors "
        "sf simul simultaneous south st swiss team teams th the thematic third tmt tournament "
        "tourney torneo tournoi training tt turnier u unrated west wfm wgm wim wom women "
        "youth ",
    )
)
_PRIVATE_NUMBER = re.compile(r"(?:[0-9]{3,}|0[0-9])\.[^ ]", re.DOTALL)


@lru_cache(maxsize=1 << 14)
def names_event(text: str) -> bool:
    """Return whether a text has a word that is no letter, numeral or generic word."""
    plain = plain_letters(text)
    words = re.findall(r"[^\W\d_]+", plain.lower())
    is_code = bool(re.search(r"[A-Z][^a-z]*$", plain)) and plain[-1:].isupper()
    is_cut = bool(words) and any(word.startswith(words[-1]) for word in _GENERIC_WORDS)
    if is_cut and not is_code and len(words[-1]) > 2:
        del words[-1]
    return any(
        len(word) > 1 and set(word) - set("ivx") and word not in _GENERIC_WORDS for word in words
    )


# Fields whose values must be together in some record, or in records that agree.
PAIRS = (("Date", "Round"), ("Date", "Event"), ("Event", "Site"))


def is_pair(
    records: Sequence[GameHeader], givers: Mapping[str, GameHeader], first: str, second: str
) -> bool:
    """Return whether a record agrees with both chosen values, which the records `givers` have."""
    one, two = givers.get(first, records[0]), givers.get(second, records[0])
    return any(agree(first, second, r, one) and agree(second, first, r, two) for r in records)


def event_gives_way(
    records: Sequence[GameHeader],
    with_events: Sequence[GameHeader],
    givers: Mapping[str, GameHeader],
) -> bool:
    """Return whether the event is chosen again, so that the site keeps its country.

    `with_events`: the records whose events count.
    """
    event, site = givers.get("Event", records[0]), givers.get("Site", records[0])
    of_event = [r for r in records if agree("Event", "Site", r, event)]
    of_site = [r for r in with_events if agree("Site", "Event", r, site)]
    return (
        bool(_WITH_COUNTRY.search(site.site or ""))
        and not any(_WITH_COUNTRY.search(r.site or "") for r in of_event)
        and any(r.event not in EMPTY_TEXTS for r in of_site)
    )


def agree(tag: str, other_tag: str, left: GameHeader, right: GameHeader) -> bool:
    """Return whether the values of a tag are equal, or one is less precise."""
    one, two = (getattr(header, tag.lower()) for header in (left, right))
    if tag == "Date":
        if not is_date(one) or not is_date(two):
            return True
        return dates_agree(one, two) if other_tag == "Round" else _may_be_one_event(one, two)
    if one in EMPTY_TEXTS or two in EMPTY_TEXTS:
        return True
    if tag == "Round":
        short, long = sorted((_round_parts(one), _round_parts(two)), key=len)
        return short == long[: len(short)]
    short, long = sorted(map(_bytes_of_letters, (one, two)), key=len)
    if long.startswith(short):
        return True
    few, many = sorted(map(_words_of, (one, two)), key=len)
    return any(all(map(_is_abbreviation, few, some)) for some in combinations(many, len(few)))


def _bytes_of_letters(text: str) -> bytes:
    return re.sub(rb"[^a-z0-9\x80-\xff]", b"", text.encode().lower())


def _words_of(text: str) -> list[bytes]:
    return re.findall(rb"[a-z0-9\x80-\xff]+", text.encode().lower())


def _is_abbreviation(one: bytes, two: bytes) -> bool:
    (number, rest), (other_number, other_rest) = (
        re.fullmatch(rb"([0-9]*)(.*)", word, re.DOTALL).groups()  # type: ignore[union-attr]
        for word in (one, two)
    )
    is_short = rest.startswith(other_rest) or other_rest.startswith(rest)
    return number == other_number and is_short


def _may_be_one_event(one: str, two: str) -> bool:
    """Return whether two dates may be in the same month or in neighbouring ones."""
    return (
        any(abs(a - b) <= 1 for a in _months_of(one) for b in _months_of(two))
        or "?" in one[:4] + two[:4]
    )


def _months_of(date: str) -> Sequence[int]:
    if "?" in date[:4]:
        return ()
    first = 12 * int(date[:4])
    return range(first + 1, first + 13) if "?" in date[5:7] else (first + int(date[5:7]),)


_WITH_COUNTRY = re.compile(r"[a-z)] [A-Z]{3}$")  # Monaco MNC
_WITH_TWO_COUNTRIES = re.compile(" [A-Z]{3} [A-Z]{3}$")  # one of them is wrong: Nachod CZE RUS


@lru_cache(maxsize=1 << 14)  # the same events are compared many times
def _fullest(texts: Sequence[str | None], sites: Sequence[str | None]) -> Sequence[str]:
    letters = {text: _letters(text) for text in texts if text and text not in EMPTY_TEXTS}
    if len(letters) < 2:
        return tuple(letters)
    are_events = len(sites) > 0
    places = sorted({_letters(site) for site in sites if site})
    votes = Counter(letters[text] for text in texts if text in letters)
    cut_lengths = sorted({len(own) for own in votes if len(own) >= _LEAST_CUT_CHARS})

    def is_no_place(text: str) -> bool:
        own = letters[text]
        first = bisect_left(places, own)
        return first == len(places) or not places[first].startswith(own)

    def support(text: str) -> int:
        # A truncated text also supports the whole text, which so has more votes.
        own = letters[text]
        cuts = cut_lengths[: bisect_left(cut_lengths, len(own))]
        return votes[own] + sum(votes.get(own[:length], 0) for length in cuts)

    best = best_by_criteria(
        letters,
        lambda text: text.count("[") == text.count("]"),
        lambda text: not are_events or names_event(text),
        lambda text: not _PRIVATE_NUMBER.match(text),
        is_no_place,
        lambda text: not _WITH_TWO_COUNTRIES.search(text),
        support,
        lambda text: are_events and is_event_like(text),
        lambda text: bool(_WITH_COUNTRY.search(text)),
        lambda text: not is_in_one_case(text),
        len,
    )
    return tuple(best)


def _letters(text: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", plain_letters(text)).lower()


def best_dates(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most exact dates; of these the most frequent, then those read most reliably.

    Of equally exact dates, a day before the first day of the event is the worst.
    """
    dated = [record for record in records if is_date(record.date)]
    counts = Counter(str(record.date) for record in dated)
    if not counts:
        return []
    fewest = min(date.count("?") for date in counts)
    exact = [date for date in counts if date.count("?") == fewest]
    if len(exact) == 1:
        return exact
    begins = [date for date in map(event_date, records) if date and "?" not in date]
    first_day = min(begins, default="")
    surest = dict.fromkeys(exact, 0)
    for record in dated:
        if record.date in surest:
            surest[record.date] = max(surest[record.date], (record.date_quality or 0) % 10)

    support = _agreeing_records(exact, counts)
    return _highest(exact, lambda date: (date >= first_day, support[date], surest[date]))


def _agreeing_records(dates: Iterable[str], counts: Mapping[str, int]) -> Counter[str]:
    """Return for each date how many records have a date that may be the same day.

    Does what dates_agree() does without comparing each two dates: it groups dates by their known
    digits.
    """
    totals: Counter[str] = Counter()
    others = _by_known_digits(counts)
    for known, own in _by_known_digits(dates).items():
        for other_known, other_dates in others.items():
            both = tuple(map(and_, known, other_known))
            votes: Counter[tuple[str, ...]] = Counter()
            for other in other_dates:
                votes[tuple(compress(other, both))] += counts[other]
            for date in own:
                totals[date] += votes[tuple(compress(date, both))]
    return totals


def _by_known_digits(dates: Iterable[str]) -> dict[tuple[bool, ...], list[str]]:
    by_digits: dict[tuple[bool, ...], list[str]] = {}
    for date in dates:
        by_digits.setdefault(tuple(char != "?" for char in date), []).append(date)
    return by_digits


def is_date(date: str | None) -> bool:
    """Return whether a text has the form of a date, with at least one digit."""
    return date is not None and bool(_STANDARD_DATE.fullmatch(date)) and date != "????.??.??"


def dates_agree(left: str, right: str) -> bool:
    """Return whether two dates may be the same day."""
    return all(a == b or a == "?" or b == "?" for a, b in zip(left, right, strict=True))


def event_date(record: GameHeader) -> str | None:
    """Return the first day of the event, from the tag EventDate; None if it is unknown."""
    tags = record.extra_tags
    start = tags.find(_EVENT_DATE) if tags else -1
    if tags is None or start < 0:
        return None
    start += len(_EVENT_DATE)
    date = tags[start : start + _DATE_CHARS]
    return date if is_date(date) else None


def guess_date(date: str, record: GameHeader) -> tuple[int, str] | None:
    """Return (quality, date) with the year or month filled in from the tag EventDate.

    None if the tag adds nothing, or contradicts the date. The day is never filled in, since an
    event takes several days.
    """
    begun = event_date(record)
    if begun is None or not dates_agree(begun, date):
        return None
    for chars, quality in ((MONTH_CHARS, _GUESSED_MONTH), (_YEAR_CHARS, _GUESSED_YEAR)):
        if "?" in date[:chars] and "?" not in begun[:chars]:
            return quality, begun[:chars] + date[chars:]
    return None


def best_rounds(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most frequent rounds; "3" also supports "3.2".

    Some collections write round 1 for an unknown round, beside a date without a day. Then any other
    round is better.
    """
    counts = Counter(r.round for r in records if r.round and r.round not in EMPTY_TEXTS)
    if len(counts) > 1 and all("?" in (r.date or "?") for r in records if r.round == "1"):
        del counts["1"]
    parts = {text: _round_parts(text) for text in counts}
    votes: Counter[tuple[str, ...]] = Counter()
    for text, count in counts.items():
        votes[parts[text]] += count
    lengths = {len(own) for own in votes}

    def merit(text: str) -> tuple[bool, int]:
        own = parts[text]
        support = sum(votes.get(own[:length], 0) for length in lengths if length <= len(own))
        return "?" not in text, support

    return _highest(counts, merit)


def _round_parts(text: str) -> tuple[str, ...]:
    parts = text.replace(")", "").replace("(", ".").split(".")
    return tuple([part.lstrip("0") for part in parts])


def best_results(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most frequent results other than "*".

    Of equally frequent ones, results that no movetext contradicts are better, then results of the
    longer records.
    """
    decided = [record for record in records if record.result not in (None, "*")]
    longest = max((record.plies for record in records), default=0)
    counts = Counter(str(record.result) for record in decided)
    unopposed = {r.result for r in decided if "MovetextResult" not in (r.extra_tags or "")}
    whole = {record.result for record in decided if record.plies >= longest - _NEAR_PLIES}
    return _highest(counts, lambda text: (counts[text], text in unopposed, text in whole))


def best_white_elos(records: Sequence[GameHeader]) -> list[int]:
    """Return the most frequent plausible Elos."""
    return _commonest(record.white_elo for record in records if is_elo(record.white_elo))


def best_black_elos(records: Sequence[GameHeader]) -> list[int]:
    """Return the most frequent plausible Elos."""
    return _commonest(record.black_elo for record in records if is_elo(record.black_elo))


def best_ecos(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most frequent codes; of these the longest ("B33/09")."""
    return _best_codes(tuple([record.eco for record in records]))


@lru_cache(maxsize=1 << 12)
def _best_codes(ecos: Sequence[str | None]) -> Sequence[str]:
    codes = [eco for eco in ecos if eco and is_eco(eco)]
    votes = Counter(code[:3] for code in codes)
    return _highest(set(codes), lambda code: (votes[code[:3]], len(code)))


def best_time_controls(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the most frequent time controls."""
    return _commonest(r.time_control for r in records if r.time_control not in EMPTY_TEXTS)


def _commonest(values: Iterable[_Value | None]) -> list[_Value]:
    counts = Counter(value for value in values if value is not None)
    return _highest(counts, lambda value: (counts[value],))


def _highest(values: Iterable[_Value], merit: Callable[[_Value], tuple[int, ...]]) -> list[_Value]:
    merits = {value: merit(value) for value in values}
    best = max(merits.values(), default=())
    return [value for value in merits if merits[value] == best]
