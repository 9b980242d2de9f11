"""The best value of a header field among records of one Go game; field_choice.py is for chess.

Owns when the value of another record replaces that of the kept game. Any two collections write the
rounds, events and names of Go games in different words, so the longer text is not the better one.
The kept game keeps its own value, unless another one clearly says the same and more, or two other
records agree on another value.

Each function takes the records, the kept game first, and returns one value, or [] if no record has
one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from ocgdedup._kernels.names import DIFFERENT, NAMESAKE, relation
from ocgdedup._kernels.search import dates_agree, is_date
from ocgdedup.matching.field_choice import best_values
from ocgdedup.matching.header_score import EMPTY_TEXTS, is_named
from ocgdedup.matching.name_choice import Vote, stand_in
from ocgdedup.matching.names.go_name import GoName, go_name
from ocgdedup.matching.names.go_spelling import may_be_one, plain_go_name, spelling
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import GameHeader

_AGREEING_OTHERS = 2  # so many records with an equal value outvote one record

_WORD = re.compile(r"\d+(?:[.:/]\d+)*\w*|[^\W_]+")  # "1.5h" and "3/19" are one word
_APOSTROPHE = re.compile(r"['`\u2018\u2019]")
_PART_OF_FINAL = re.compile(r"\b(semi|quarter)[\W_]+(?=final)")  # one word: it is not a "final"
_A_FINAL = re.compile(r"finals?$")

_Words = tuple[str, ...]
_SaysMore = Callable[[_Words, _Words], bool]
BestOf = Callable[[Sequence[GameHeader]], Sequence[str]]


class _Text(NamedTuple):
    """A value, and its words in plain small letters."""

    value: str
    words: _Words


def best_go_dates(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the kept game's date, or a more exact one that may be the same day.

    A date that contradicts it is returned only if two other records agree on it, and never a less
    exact one.
    """
    dated = [record for record in records if is_date(record.date)]
    own = records[0].date
    if own is None or not is_date(own):
        return [max(best_values("Date", dated))] if dated else []  # of equally good dates the later
    # A day in the month of the kept game supports its date; a month does not outvote its day.
    said = [str(r.date) for r in dated if str(r.date).count("?") <= own.count("?")]
    best = _winner_of_vote(own, [own if dates_agree(date, own) else date for date in said])
    return [max(best_values("Date", [r for r in dated if dates_agree(str(r.date), best)]))]


def best_go_results(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the kept game's result, unless it has none or two others agree on another one."""
    own = records[0].result
    if own in (None, "*"):
        return best_values("Result", records)
    decided = [str(record.result) for record in records if record.result not in (None, "*")]
    return [_winner_of_vote(str(own), decided)]


def _winner_of_vote(own: str, said: Iterable[str]) -> str:
    """Return the most frequent value of two or more records, else `own`, which `said` includes."""
    counts = Counter(said)
    best = max(counts, key=lambda value: counts[value])
    return best if counts[best] >= max(_AGREEING_OTHERS, counts[own] + 1) else own


# --- players ----------------------------------------------------------------------------------


def are_go_strangers(left: Vote, right: Vote) -> bool:
    """Tell if two names are of different people; false for one in letters and one in Han signs."""
    name, other = left[0], right[0]
    if not name or not other or not (is_named(name) and is_named(other)):
        return False
    plain, other_plain = plain_go_name(name), plain_go_name(other)
    if plain == other_plain or plain.isascii() != other_plain.isascii():
        return False
    if _says(go_name(name), go_name(other)) or _says(go_name(other), go_name(name)):
        return False
    if relation(plain, other_plain) not in (DIFFERENT, NAMESAKE):
        return False
    return not may_be_one(spelling(name), spelling(other))


def may_be_one_in_go(name: str, other: str) -> bool:
    """Tell if two names may be of one player, also shortened or in two writing systems."""
    left, right = spelling(name), spelling(other)
    if left.key == right.key or may_be_one(left, right):
        return True
    short, full = go_name(name), go_name(other)
    return _says(short, full) or _says(full, short)


def _says(name: GoName, full: GoName) -> bool:
    """Tell if the full name has all words of a name; an initial matches a word that it begins."""
    words = sorted(name.words, key=len, reverse=True)
    return bool(words) and stand_in([(word, len(word) == 1) for word in words], full.words)


# --- texts ------------------------------------------------------------------------------------


def _parts(name: GoName) -> Iterator[str]:
    yield from name.words
    yield name.number
    for member in name.members:
        yield from _parts(member)


def _best_text(
    values: Sequence[str | None], says_more: _SaysMore, words_of: Callable[[str], _Words]
) -> Sequence[str]:
    """Return the first text, or the text that outvotes it; or else the fullest form of that."""
    said = [_Text(text, words_of(text)) for text in values if text and text not in EMPTY_TEXTS]
    if not said:
        return []
    counts = Counter(text.words for text in said)
    # If the kept game has none, the most frequent text; on a tie that of the better header.
    best = said[0] if values[0] == said[0].value else max(said, key=lambda t: counts[t.words])
    for text in said:
        is_outvoted = counts[text.words] >= max(_AGREEING_OTHERS, counts[best.words] + 1)
        if is_outvoted and not says_more(text.words, best.words):
            best = text
    fuller = [text for text in said if says_more(best.words, text.words)]
    best = max(fuller, key=lambda t: (counts[t.words], len(t.words)), default=best)
    return [best.value]


def _words(text: str) -> _Words:
    plain = _APOSTROPHE.sub("", plain_letters(text)).lower()
    return tuple(_WORD.findall(_PART_OF_FINAL.sub(r"\1", plain)))


def _has_all(own: _Words, other: _Words) -> bool:
    """Tell if text `other` has all words of `own` and more."""
    return len(other) > len(own) > 0 and not Counter(own) - Counter(other)


def _begins(own: _Words, other: _Words) -> bool:
    return len(other) > len(own) > 0 and other[: len(own)] == own


def _is_longer_event(own: _Words, other: _Words) -> bool:
    """Tell if `other` is event `own` with more words after it, or a year or number before it.

    "Women's Honinbo" is another tournament than "Honinbo".
    """
    left, right = _without_numbers(own), _without_numbers(other)
    return _has_all(own, other) and right[: len(left)] == left


def _without_numbers(words: _Words) -> _Words:
    """Return the words from the first word on that does not begin with a digit."""
    start = next((place for place, word in enumerate(words) if not word[0].isdigit()), len(words))
    return words[start:]


def _is_fuller_round(own: _Words, other: _Words) -> bool:
    """Tell if `other` is round `own` with more words; a final is fuller than a bare number."""
    is_number = len(own) == 1 and own[0].isdigit()
    numbers = [word for word in other if word[0].isdigit()]
    if is_number and not numbers:
        return any(map(_A_FINAL.search, other))
    if is_number and numbers != [*own]:
        return False  # "Round 1, Game 2" has a "1" and a "2"
    places = range(len(other) - len(own) + 1)
    return _has_all(own, other) and any(other[p : p + len(own)] == own for p in places)


def _text_of(field: str, says_more: _SaysMore) -> BestOf:
    """Return what chooses a text: the kept game's value, or a fuller one by `says_more`."""
    value_of = attrgetter(field)
    return lambda records: _best_text(list(map(value_of, records)), says_more, _words)


def _name_of(field: str) -> BestOf:
    """Return what chooses a name: the kept game's, or one with all its words, besides a rank."""
    value_of = attrgetter(field)

    def words_of(text: str) -> _Words:
        # Without ranks and titles; "II" is the word "2".
        return _words(" ".join(_parts(go_name(text)))) or _words(text)

    def best(records: Sequence[GameHeader]) -> Sequence[str]:
        names = [name if is_named(name) else None for name in map(value_of, records)]
        return _best_text(names, _has_all, words_of)

    return best


# The function for each field, by tag. A fuller round: "Game 5" instead of "5".
BEST: dict[str, BestOf] = {
    "Event": _text_of("event", _is_longer_event),
    "Site": _text_of("site", _has_all),
    "Date": best_go_dates,
    "Round": _text_of("round", _is_fuller_round),
    "White": _name_of("white"),
    "Black": _name_of("black"),
    "Result": best_go_results,
    "TimeControl": _text_of("time_control", _begins),
}
