"""Chinese and Korean names of a FIDE list with other spaces and hyphens, and their scores.

A listed name such as "Zhou, Yifan" is also written "Zhou, Yi Fan", "Zhou, Yi-Fan" and without a
comma in either order. All of them have the same letters, so the truth is known from the list.
Vietnamese names are a control: their syllables are separate names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from evaluatelib.scores import Score
from ocgdedup.matching.names.hangul import looks_korean
from ocgdedup.matching.names.korean_readings import latin_readings
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.pinyin import chinese_reading, syllables

_PEOPLES = dict.fromkeys(("CHN", "HKG", "MAC", "TPE", "SGP", "MAS"), "Chinese")
_PEOPLES |= {"KOR": "Korean", "PRK": "Korean", "VIE": "Vietnamese"}
_JOINTS = {"blank": " ", "hyphen": "-", "joined": ""}


class Respelt(NamedTuple):
    """A respelt name: of whom, and how; `bearers`: all listed players with its letters."""

    text: str
    kind: str
    fide_id: str
    bearers: frozenset[str]


def respelt_names(fide_list: Path) -> list[Respelt]:
    """Return the respellings of given names of two syllables that differ from the list."""
    names = list(_listed_names(fide_list))
    listed: defaultdict[str, set[str]] = defaultdict(set)
    bearers: defaultdict[str, set[str]] = defaultdict(set)
    for fide_id, name, _ in names:
        listed[_words(name)].add(fide_id)
        for surname, given in _readings(name):
            for letters in (f"{surname},{given}", surname + given, given + surname):
                bearers[letters].add(fide_id)
    respelt = []
    for fide_id, name, people in names:
        for kind, text in _respellings(name, people):
            # Words that another player has in the list are that player's name.
            if text != name and listed[_words(text)] <= {fide_id}:
                letters = ",".join(_parts(text)) if "," in text else _letters(text)
                respelt.append(Respelt(text, kind, fide_id, frozenset(bearers[letters])))
    return respelt


def _listed_names(fide_list: Path) -> Iterator[tuple[str, str, str]]:
    """Yield FIDE ID, name and people, "" for others, of all players."""
    with open(fide_list, "rb") as handle:
        for _, player in ElementTree.iterparse(handle):
            if player.tag == "player":
                fide_id, name, country = (
                    player.findtext(tag, "") for tag in ("fideid", "name", "country")
                )
                yield fide_id, " ".join(name.split()), _PEOPLES.get(country, "")
                player.clear()


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, plain_letters(text).lower()))


def _words(name: str) -> str:
    """Return the words of a name in order, the same for blanks and hyphens, in lower case."""
    surname, _, given = name.lower().replace("-", " ").partition(",")
    return " ".join([*surname.split(), *given.split()])


def _parts(name: str) -> tuple[str, str]:
    surname, _, given = name.partition(",")
    return _letters(surname), _letters(given)


def _readings(name: str) -> list[tuple[str, str]]:
    """Return surname and given names, without a comma with the surname first or last."""
    if "," in name:
        return [_parts(name)]
    words = name.split()
    orders = (words[:1], words[1:]), (words[-1:], words[:-1])
    return [(_letters("".join(surname)), _letters("".join(given))) for surname, given in orders]


def _respellings(name: str, people: str) -> Iterator[tuple[str, str]]:
    """Yield kinds and texts of a name; nothing unless its given name has two syllables."""
    surname, _, given = map(str.strip, name.partition(","))
    halves = _syllables(given, people)
    if not people or not surname.isalpha() or len(halves) != 2:
        return
    if _letters(given) != _letters("".join(halves)):
        return  # "Lvheng" would become "Lu Heng"
    if people == "Chinese" and not chinese_reading(_parts(name)):
        return
    if people == "Korean" and not looks_korean(*_parts(name)):
        return
    first, second = halves
    for joint, sign in _JOINTS.items():
        whole = f"{first}{sign}{second if sign else second.lower()}"
        yield f"{people}, {joint}", f"{surname}, {whole}"
        yield f"{people}, {joint}, no comma", f"{surname} {whole}"
        yield f"{people}, {joint}, given first", f"{whole} {surname}"


def _syllables(given: str, people: str) -> Sequence[str]:
    words = re.split("[ -]", given)
    if people == "Vietnamese" or len(words) > 1 or not given.isalpha():
        return [word.capitalize() for word in words if word.isalpha()]
    if people == "Chinese":
        return [syllable.capitalize() for syllable in syllables(given.lower()) or ()]
    # A consonant belongs to the second syllable, the longest first syllable before it.
    for cut in range(len(given) - 1, 0, -1):
        first, second = given[:cut].lower(), given[cut:].lower()
        if second[0] not in "aeiou" and _is_korean(first) and _is_korean(second):
            return first.capitalize(), second.capitalize()
    return ()


def _is_korean(syllable: str) -> bool:
    return any(len(reading) == 1 for reading in latin_readings(syllable))


def score_respelt(respelt: Sequence[Respelt], answers: Mapping[str, str]) -> list[Score]:
    """Return for each kind of respelling how many are right, and how many wrong.

    A name with the letters of several listed players is right if left open, too.
    """
    right, wrong, total = Counter[str](), Counter[str](), Counter[str]()
    for name in respelt:
        answer = answers.get(name.text, "")
        is_right = answer == name.fide_id if answer else len(name.bearers) > 1
        for kind in (name.kind, f"{name.kind.partition(',')[0]}, all"):
            total[kind] += 1
            right[kind] += is_right
            wrong[kind] += bool(answer) and not is_right
    return [
        score
        for kind in sorted(total)
        for score in (
            Score(f"{kind}: right", right[kind], total[kind]),
            Score(f"{kind}: wrong", wrong[kind], total[kind]),
        )
    ]
