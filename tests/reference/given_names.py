"""Slow reference of the kernel's given names: relation, first letters, sex, level of two words."""

from __future__ import annotations

from collections import defaultdict
from enum import IntEnum
from functools import lru_cache
from itertools import groupby, product, starmap
from typing import NamedTuple

from rapidfuzz.distance import OSA

from ocgdedup._kernels.names import beginnings
from ocgdedup.matching.names.given_names import GivenNameTable, read_given_names
from ocgdedup.matching.names.letters import initial_class
from tests.reference.name_skeleton import skeleton

# Not string.ascii_lowercase: importing that module compiles patterns.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Relation(IntEnum):
    """Relation of two given names, from the best match to the worst."""

    EQUAL = 0
    SPELLING = 1
    INITIAL = 2
    COGNATE = 3
    CLOSE = 4
    DIFFERENT = 5
    OPPOSITE_SEX = 6


class _Name(NamedTuple):
    """A name of the table, with all its spellings."""

    key: str
    sex: str
    spellings: tuple[str, ...]
    initials: frozenset[str]
    stems: frozenset[str]
    forms: frozenset[int]
    is_short_form: bool


_CLOSE_LETTERS = 4  # in shorter names one letter makes another name: "ali", "adi", "ari"
_TWO_SLIPS_LETTERS = 8
_SKELETON_LETTERS = 4
# For listed names four letters are too few: "ilkka" is not "ilka", "ullah" not "ulla".
_LISTED_SKELETON_LETTERS = 5
_CUT_LETTERS = 2  # "al" and "vl" are abbreviations even if they are names, too
_STEM_LETTERS = 3
_VOWELS = "aeiou"

# Interchangeable first letters of unknown words: Wassil and Vassil, Jerlan and Yerlan.
_SAME_INITIAL = {"w": "v", "v": "vw", "c": "k", "k": "kc", "j": "y", "i": "y", "y": "yij"}

_SOUND_TEXT = """
tsch=* tch=* shch=s dzh=j dsch=j sch=s ch=* cz=* ck=k sh=s sz=s zh=z kh=h gh=g ph=f th=t tz=c ts=c
ks=x q=k w=v ee=i oo=u ou=u ue=u oe=o ae=a ce=<e ci=<i c=k <=c y=i j=i
"""
_SOUNDS = [pair.split("=") for pair in _SOUND_TEXT.split()]

# Endings of men's and women's names, for words that are not in the table.
_ENDINGS = (
    ("ovich", "ovna"), ("evich", "evna"), ("slav", "slava"), ("slaw", "slawa"), ("mir", "mira"),
    ("in", "ina"), ("ko", "ka"),
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def slavic_skeleton(word: str) -> str:
    """Return a word with one spelling for each sound.

    Made for names from Cyrillic ("sergey", "sergej", "sergei"). It also unifies common spellings of
    Indian and Arabic names ("karthik", "kartik"; "yousuf", "yusuf"). Vowels stay. Short words lose
    too much, so `relation` requires two syllables.
    """
    for written, sound in _SOUNDS:
        if written in word:
            word = word.replace(written, sound)
    single = "".join(a for a, b in zip(word, word[1:] + " ", strict=True) if a != b)
    if single.startswith("ie"):
        single = single[1:]
    return single[:-1] if single.endswith("ah") else single


def sex_of(given: str) -> str:
    """Return "M" or "F" if the name is certain, else "" (unknown, or a name of both sexes)."""
    name = _find(given)
    if name is not None:
        return "" if given in _index().shared else name.sex
    if given.endswith(("ovich", "evich")):
        return "M"
    return "F" if given.endswith(("ovna", "evna")) else ""


@lru_cache(maxsize=1 << 16)
def first_letters(word: str) -> frozenset[str]:
    """Return the possible first letters of all words that are related to this one."""
    letters = set(_letters_alike(word[:1]))
    letters.update(word[:2])  # the first two letters may have been swapped
    name = _find(word)
    if name is not None:
        letters.update(name.initials)
        letters.update(spelling[0] for spelling in name.spellings)
        for form in name.forms:
            letters |= _letters_of_forms()[form]
    return frozenset(letters)


@lru_cache(maxsize=1 << 10)
def _letters_alike(letter: str) -> frozenset[str]:
    """Return the possible first letters of other spellings of a word with this first letter."""
    sounds = set(beginnings(letter))
    return frozenset(other for other in _LETTERS if sounds & set(beginnings(other)))


@lru_cache(maxsize=1)
def _letters_of_forms() -> dict[int, set[str]]:
    """Return the first letters of all spellings of the names that share a form."""
    letters: defaultdict[int, set[str]] = defaultdict(set)
    for name in _index().names.values():
        for form in name.forms:
            letters[form].update(name.initials, (spelling[0] for spelling in name.spellings))
    return letters


def relation(left: str, right: str) -> Relation:
    """Return the relation of two given names, whatever their order.

    INITIAL: one word is the initial of the other, so "j" matches John and Jack. A full stop at the
    end marks an abbreviation ("alex."). The beginning of a name is INITIAL even if it is a short
    form, too ("alex", "alexander"). CLOSE is one typing error, or two in words of eight letters or
    more, and never a relation of two listed names.
    """
    left_word, right_word = left.rstrip("."), right.rstrip(".")
    if left_word == right_word:
        return Relation.EQUAL
    if not left_word or not right_word:
        return Relation.DIFFERENT
    left_name, right_name = _find(left_word), _find(right_word)
    if _are_spellings(left_word, left_name, right_word, right_name):
        return Relation.SPELLING
    are_opposite = _are_opposite(left_word, left_name, right_word, right_name)
    if are_opposite and left_word == left and right_word == right:
        return Relation.OPPOSITE_SEX
    is_form = (
        left_name is not None
        and right_name is not None
        and not left_name.forms.isdisjoint(right_name.forms)
    )
    if _is_cut(left, left_name, right_word, right_name, is_form=is_form) or _is_cut(
        right, right_name, left_word, left_name, is_form=is_form
    ):
        return Relation.INITIAL
    if are_opposite or is_form:
        return Relation.OPPOSITE_SEX if are_opposite else Relation.COGNATE
    if _index().names.keys() >= {left_word, right_word}:
        return Relation.DIFFERENT
    spellings = (left_word,) if left_name is None else left_name.spellings
    others = (right_word,) if right_name is None else right_name.spellings
    is_close = any(starmap(_is_slip, product(spellings, others)))
    return Relation.CLOSE if is_close else Relation.DIFFERENT


def _are_spellings(
    left: str, left_name: _Name | None, right: str, right_name: _Name | None, /
) -> bool:
    if left_name is not None or right_name is not None:
        return left_name is right_name
    if slavic_skeleton(left) != slavic_skeleton(right):
        return False
    return _has_skeleton(left) and _has_skeleton(right)


def _is_slip(left: str, right: str) -> bool:
    shorter = min(len(left), len(right))
    if shorter < _CLOSE_LETTERS:
        return False
    if left[0] != right[0] and (left[0] != right[1] or left[1] != right[0]):
        return False
    slips = 2 if shorter >= _TWO_SLIPS_LETTERS else 1
    return OSA.distance(left, right, score_cutoff=slips) <= slips


def _is_cut(
    cut: str, cut_name: _Name | None, whole: str, whole_name: _Name | None, /, *, is_form: bool
) -> bool:
    """Return whether `cut` is the beginning of the other name in any of its spellings."""
    beginning = cut.rstrip(".")
    length = len(beginning)
    if length == 1:
        return _is_initial(beginning, whole, whole_name)
    if length > _CUT_LETTERS and cut_name is not None and cut[-1] != ".":
        # "jan" does not abbreviate "janina"; "alex" is a name, too, but abbreviates "alexander".
        may_be_short = is_form if whole_name is not None else cut_name.is_short_form
        return may_be_short and len(whole) > length and whole.startswith(beginning)
    if whole_name is not None:
        return any(
            len(spelling) > length and spelling.startswith(beginning)
            for spelling in whole_name.spellings
        )
    if whole.startswith(beginning):
        return len(whole) > length
    whole_skeleton, skeleton = slavic_skeleton(whole), slavic_skeleton(beginning)
    # "yi" and "ji" would be an "i", which begins "yang".
    return 1 < len(skeleton) < len(whole_skeleton) and whole_skeleton.startswith(skeleton)


def _is_initial(letter: str, word: str, name: _Name | None) -> bool:
    if name is not None and len(word) > 1:
        return letter in name.initials
    return word[0] == letter or word[0] in _SAME_INITIAL.get(letter, "")


def _are_opposite(
    left: str, left_name: _Name | None, right: str, right_name: _Name | None, /
) -> bool:
    """Return whether one word is the female form of the other."""
    if left_name is not None and right_name is not None:
        if {left_name.sex, right_name.sex} != {"M", "F"}:
            return False
        shared = _index().shared
        if left in shared or right in shared:
            return False
        return not left_name.stems.isdisjoint(right_name.stems)
    if left[0] != right[0]:
        return False
    name, word = (left_name, right) if left_name is not None else (right_name, left)
    return _has_opposite_ending(left, right) if name is None else _is_opposite_of(name, word)


def _has_opposite_ending(left: str, right: str) -> bool:
    woman_word, man_word = (left, right) if left[-1] == "a" else (right, left)
    return woman_word[-1] == "a" and any(
        man_word.endswith(man) and woman_word == man_word[: -len(man)] + woman
        for man, woman in _ENDINGS
    )


def _is_opposite_of(name: _Name, word: str) -> bool:
    """Return whether an unlisted word is a listed name with the ending of the other sex."""
    if name.sex == "M" and word[-1] == "a" and name.key[-1] != "a" and _stem(word) in name.stems:
        return True
    # No such rule for women's names: "carolin" and "christin" are women's names, too.
    return any(_has_opposite_ending(word, spelling) for spelling in name.spellings)


def _stem(word: str) -> str:
    """Return a word without its last vowels, "" if too little is left."""
    stem = slavic_skeleton(word).rstrip(_VOWELS)
    return stem if len(stem) >= _STEM_LETTERS else ""


def _has_skeleton(word: str, letters: int = _SKELETON_LETTERS) -> bool:
    """Return whether a skeleton is reliable, with two syllables; Chinese "sang" is not "shang"."""
    skeleton = slavic_skeleton(word)
    if len(skeleton) < letters:
        return False
    return sum(is_vowel for is_vowel, _ in groupby(skeleton, _VOWELS.__contains__)) > 1


def is_given_name(word: str) -> bool:
    return word in _index().names


def _find(word: str) -> _Name | None:
    """Return the name of a word, by the table or by its skeleton."""
    name = _index().names.get(word)
    return _find_by_skeleton(word) if name is None else name


@lru_cache(maxsize=1 << 16)
def _find_by_skeleton(word: str) -> _Name | None:
    return _index().skeletons.get(slavic_skeleton(word))


# --- reading the table ------------------------------------------------------------------------


class _Index(NamedTuple):
    """The table by word and by skeleton; skeletons of two names are left out."""

    names: dict[str, _Name]
    skeletons: dict[str, _Name]
    shared: frozenset[str]


@lru_cache(maxsize=1)
def _index() -> _Index:
    names_by_word = _names_of(read_given_names())
    shared = frozenset(read_given_names().shared)
    return _Index(names_by_word, _skeletons_of(names_by_word), shared)


def _names_of(rows: GivenNameTable) -> dict[str, _Name]:
    women: dict[str, frozenset[str]] = {}
    for line in rows.women.splitlines():
        man, *others = line.replace(":", "").split()
        key = rows.groups[man][0]
        stems = frozenset(_stem(spelling) for word in others for spelling in rows.groups[word])
        women[key] = stems | women.get(key, frozenset())
    names: dict[str, _Name] = {}
    for group in set(rows.groups.values()):
        key, sexes = group[0], rows.sexes[group[0]]
        stems = frozenset(map(_stem, group)) | women.get(key, frozenset())
        letters = frozenset(word[0] for word in group)
        name = _Name(
            key,
            "".join(sexes) if len(sexes) == 1 else "",
            group,
            letters | {"v", "w"} if letters & {"v", "w"} else letters,
            stems - {""},
            frozenset(rows.forms.get(key, ())),
            not rows.short.isdisjoint(group),
        )
        names.update(dict.fromkeys(group, name))
    return names


def _skeletons_of(names: dict[str, _Name]) -> dict[str, _Name]:
    names_by_skeleton: dict[str, _Name | None] = {}
    for word, name in names.items():
        if _has_skeleton(word, _LISTED_SKELETON_LETTERS):
            skeleton = slavic_skeleton(word)
            is_only = names_by_skeleton.get(skeleton, name) is name
            names_by_skeleton[skeleton] = name if is_only else None
    return {skeleton: name for skeleton, name in names_by_skeleton.items() if name is not None}


# --- levels -----------------------------------------------------------------------------------


def level(written: str, listed: str) -> str:
    """Return the level of a written word beside a listed one, "" if it does not mean it."""
    if listed[0] not in first_letters(written):
        return ""
    if written == listed:
        return "SAME"
    if len(written) == 1 or len(listed) == 1:
        if initial_class(written) != initial_class(listed):
            return ""
        return "FULL_FOR_INITIAL" if len(listed) == 1 else "INITIAL_FOR_FULL"
    how = relation(written, listed)
    is_long = min(len(written), len(listed)) >= 3 or len(written) == len(listed)
    if how is Relation.DIFFERENT and is_long and skeleton(written) == skeleton(listed):
        how = Relation.SPELLING
    if how in {Relation.SPELLING, Relation.INITIAL, Relation.COGNATE, Relation.CLOSE}:
        return how.name
    return _cut(written, listed)


def _cut(written: str, listed: str) -> str:
    if not 3 <= len(written) < len(listed):
        return ""
    if not listed.startswith(written) and not (
        len(written) > 4 and skeleton(listed).startswith(skeleton(written))
    ):
        return ""
    may_be_another = {sex_of(written), sex_of(listed)} == {"M", "F"}
    return "CUT_TO_ANOTHER" if may_be_another or len(written) == len(listed) - 1 else "CUT"
