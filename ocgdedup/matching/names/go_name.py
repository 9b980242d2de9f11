"""Parse the name of a Go player: remove ranks and titles, recognise teams.

go_spelling.py compares spellings, go_persons.py resolves players.

Chinese characters are compared in one form: simplified, traditional and Japanese ones are equal.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from ocgdedup.matching.names.hangul import is_hangul
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_form import is_too_long, is_unknown
from ocgdedup.matching.names.name_words import UNKNOWN_NAMES, read_table


class GoName(NamedTuple):
    """A name of one player, or of a team; the name of nobody has no words and no members.

    `words`: plain lower-case words (Latin and others) in the order written, with inner hyphens and
    apostrophes; a name in Chinese characters or kana is one word, with one form of each character.
    `is_ordered`: the first word is the surname. `number`: distinguishes namesakes, and may be a
    letter: "b" of "Lee Sanghun (b)", "2" of "Sakaguchi Sentoku II". `han`: a name in characters
    after a Latin name. `members`: the players of a team, apart from unknown ones. `is_short`: too
    short to identify a player without a list.
    """

    words: tuple[str, ...] = ()
    is_ordered: bool = False
    number: str = ""
    han: str = ""
    members: tuple[GoName, ...] = ()
    is_short: bool = False

    @property
    def is_nobody(self) -> bool:
        return not self.words and not self.members


NOBODY = GoName()
# Han characters, kana and Hangul have no capitals and no spaces.
_HAN = "\u3005\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN_NAME = re.compile(f"[{_HAN}{_KANA}]+")
_HAN_ALONE = re.compile(f"[{_HAN}]{{2,5}}")
_IN_BRACKETS = re.compile(r"[(\[【]([^)\]】]*)[)\]】]?")
_BEHIND_LATIN = re.compile(rf"^(.*[A-Za-z.])\s*([{_HAN}]{{2,5}})\s*$")
_MARK = re.compile(r"\s*([a-zA-Z]|\d{1,2}|小|大|남|여|男|女)\s*")
_MARKS = {"남": "m", "男": "m", "여": "f", "女": "f"}
_GENERATIONS = {"jr": "2", "junior": "2", "sr": "1", "senior": "1"}
_ROMAN = "I II III IV V VI VII VIII IX X"
_TEAM = re.compile(r"\s+(?:&|\+|and|und|et|vs?\.?)\s+|\s*[&+;]\s*|\s+/\s+")

_SPELT_NUMBERS = "sho|ni|san|yon|yo|go|roku|nana|hachi|ku"
_RANK = re.compile(
    r"[\s,(\[]*\b(?:\d{1,2}(?:st|nd|rd|th)?[\s-]*(?:dan|d|p|pro|k|kyu|kyuu|kup|a|ama)(?:[\s-]*"
    rf"(?:pro|professional|amateur|ama|\?|\*))?|(?:{_SPELT_NUMBERS})-?dan|(?:shi|shichi|kyu)-dan"
    r"|(?:pro|amateur|ama)\b)\b[\s)\]?*.]*$",
    re.IGNORECASE,
)
_HAN_RANK = re.compile("[\\s,]*(?:[0-9一二三四五六七八九]+|初)\\s*(?:段|단|级|級|급)\\s*$")
_TITLES = (
    "meijin|honinbo|hon'inbo|kisei|judan|oza|gosei|tengen|agon|kakusei|women's|woman's|female"
    "|honorary|former|ex|guksu|kuksu|myeongin|wangwi|mingren|tianyuan|qisheng|okinaza|kiseong"
)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)\s+", re.IGNORECASE)
_TITLE = re.compile(rf"(?:\d+(?:st|nd|rd|th)|{_TITLES})", re.IGNORECASE)
_ORDINAL_TITLE = re.compile(rf"\s\d+(?:st|nd|rd|th)(?:[\s/]+(?:{_TITLES}))+\s*$", re.IGNORECASE)
_HAN_TITLE = re.compile("(?:名誉|永世)?(?:名人|本因坊|棋圣|碁圣|十段|王座|天元|国手)$")
_WORD = re.compile(r"[^\W\d_]+(?:['-]+[^\W\d_]+)*'?\.?|\d+")
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2019\u2018`\u02bc\u00b4\u02bb\u2032", "'"))
# "CrazyStone", "zen19d": nicknames and programs, which one word identifies.
_HANDLE = re.compile(r"\S*(?:[a-z][A-Z]|\d)\S*")
_NOBODY = frozenset(
    ("黑", "黒", "白", "黑棋", "白棋", "无名", "無名", "佚名", "不明", "未知", "匿名", "흑", "백")
)


# Two or more words of two or more letters, which need no other test than _ODD_WORDS.
_PLAIN = re.compile("[A-Za-z]{2,}(?:['-][A-Za-z]+)*(?: [A-Za-z]{2,}(?:['-][A-Za-z]+)*)+")
_ODD_WORDS = (
    frozenset(_TITLES.split("|"))
    | frozenset(_ROMAN.lower().split())
    | UNKNOWN_NAMES
    | {"dan", "pro", "amateur", "ama", "and", "und", "et", "vs", "jr", "sr", "junior", "senior"}
    | {f"{number}-dan" for number in _SPELT_NUMBERS.split("|")}
    | {f"{number}dan" for number in _SPELT_NUMBERS.split("|")}
)


@lru_cache(maxsize=1 << 14)
def go_name(text: str) -> GoName:
    """Parse a name; return NOBODY for placeholders and too long names."""
    if is_too_long(text):
        return NOBODY
    if _PLAIN.fullmatch(text):
        words = text.lower().split()
        if _ODD_WORDS.isdisjoint(words) and "".join(words) not in UNKNOWN_NAMES:
            return GoName(tuple(words))  # most names
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).strip()
    members = _members(plain)
    if len(members) > 1:
        named = tuple(name for member in members if not (name := _one_name(member)).is_nobody)
        return GoName(members=named, is_short=len(named) < len(members)) if named else NOBODY
    return _one_name(plain)


def _members(text: str) -> list[str]:
    """Return the names of a team; for one player, the text unchanged."""
    parts = [part for part in _TEAM.split(text) if part.strip()]
    if len(parts) > 1:
        return parts
    parts = re.split(r"[・、]", text)
    if len(parts) > 1 and all(_HAN_ALONE.fullmatch(_without_ranks(part)) for part in parts):
        return parts
    listed = [part.strip() for part in text.split(",")]
    names = [part for part in listed if _without_ranks(part)]
    # One comma may follow a surname, two hardly; "Cho Chikun, 9p" is one player.
    if len(names) > 2 and all(" " in name or "-" in name for name in names[:2]):
        return names
    # Each player has a rank: "Park Jeong-hwan 9d, Kim Jiseok 9d".
    if len(names) == len(listed) > 1 and all(_without_ranks(name) != name for name in names):
        return names
    return [text]


def _one_name(text: str) -> GoName:
    text, mark, han = _without_brackets(text)
    text = _without_ranks(text)
    if text in _NOBODY or is_unknown(text):
        return NOBODY
    text, is_ordered = _surname_first(text)
    if _HAN_NAME.fullmatch(re.sub(r"[\s・·]", "", text)):
        name = one_form(re.sub(r"[\s・·]", "", text))
        stripped = _HAN_TITLE.sub("", name)
        name = stripped if len(stripped) > 1 else name
        return GoName((name,), number=mark, is_short=len(name) < 2)
    if " " not in text.strip() and _HANDLE.fullmatch(text) and not text.isupper():
        return GoName((text.lower(),), number=mark)
    ordinal = _ORDINAL.match(text)
    if ordinal:
        text = text[ordinal.end() :]
        mark = mark or ("" if _TITLE.match(text) else ordinal[1])
    words = _WORD.findall(text)
    mark = mark or ".".join(word for word in words if word.isdigit())  # "GNU Go 3.8"
    words = [word for word in words if not word.isdigit()]
    words, mark = _without_generation(words, mark)
    words = _without_titles(words)
    if words and not is_ordered:
        words = [word for word in words if word.lower() not in ("mr.", "mrs.", "dr.")]
    small = tuple(_small(word) for word in words)
    small = tuple(word for word in small if word)
    is_short = sum(not _is_initial(word) for word in words) < 2
    if len(small) == 1 and is_hangul(small[0]):
        is_short = len(small[0]) < 2
    return GoName(small, is_ordered, mark, han, is_short=is_short)


def _is_initial(word: str) -> bool:
    """Return whether a word is an initial: "T." of "T. Ishikawa"; "O" and "U" are surnames."""
    bare = word.rstrip(".")
    return len(bare) == 1 and (word.endswith(".") or bare.upper() not in "OUIE")


def _small(word: str) -> str:
    # NFKC composes the breve of McCune-Reischauer into a letter of its own.
    text = word.rstrip(".").replace("ŏ", "eo").replace("ŭ", "eu")
    if is_hangul(text):
        return text
    return unicodedata.normalize("NFC", plain_letters(text)).lower()


def _without_brackets(text: str) -> tuple[str, str, str]:
    """Return the text without brackets, and a mark and a name in characters from the brackets."""
    mark = han = ""
    for inside in _IN_BRACKETS.findall(text):
        if _MARK.fullmatch(inside):
            mark = inside.strip().lower()
            mark = _MARKS.get(mark, mark)
        elif re.fullmatch(f"[{_HAN}]{{2,5}}", inside.strip()):
            han = one_form(inside.strip())
    text = _IN_BRACKETS.sub(" ", text) if text[:1] not in "([" else text.strip("()[] ")
    behind = _BEHIND_LATIN.match(text)
    if behind:
        text, han = behind[1], han or one_form(behind[2])
    return text.strip(), mark, han


def _without_ranks(text: str) -> str:
    """Remove ranks from the end, and titles after a comma."""
    before = None
    while text != before:
        before = text
        text = _HAN_RANK.sub("", _RANK.sub("", text)).strip(" ,/")
        text = _ORDINAL_TITLE.sub("", text)  # "Sakata Eio 23rd Honinbo"
        head, comma, tail = text.rpartition(",")
        pieces = [piece for piece in re.split(r"[\s/]+", tail) if piece]
        if comma and pieces and all(_TITLE.fullmatch(piece) for piece in pieces):
            text = head.strip()
    return text


def _surname_first(text: str) -> tuple[str, bool]:
    """Return the text without a comma after the surname, and whether it had one."""
    before, comma, after = text.partition(",")
    if not comma or not before.strip() or not after.strip():
        return text.replace(",", " "), False
    if re.fullmatch(r"\s*(?:jr|sr)\.?\s*", after, re.IGNORECASE):
        return f"{before} {after}", False
    return f"{before} {after.replace(',', ' ')}", True


def _without_generation(words: list[str], mark: str) -> tuple[list[str], str]:
    """Remove the number of a namesake from the end: "II", "IX", "jr."."""
    last = words[-1] if len(words) > 2 else ""
    numerals = _ROMAN.split()
    number = _GENERATIONS.get(last.rstrip(".").lower(), "")
    if last in numerals:
        number = str(numerals.index(last) + 1)
    if not number or (len(last) == 1 and last != "I"):
        return words, mark
    return words[:-1], mark or number


def _without_titles(words: list[str]) -> list[str]:
    """Remove titles from both ends if two words are left.

    With a single other word, Honinbo and Meijin are part of the name of a player of the past:
    Honinbo Shusaku.
    """
    for end in (-1, 0):
        while len(words) > 2 and _TITLE.fullmatch(words[end]):
            words = words[:-1] if end else words[1:]
    return words


# --- simplified, traditional and Japanese characters ----------------------------------------------


_CANONICAL = {
    ord(other): forms[0]
    for forms in read_table("han_forms")["forms"].split()
    for other in forms[1:]
    if other != forms[0]
}


def one_form(text: str) -> str:
    """Return the text with characters in their simplified forms."""
    return unicodedata.normalize("NFKC", text).translate(_CANONICAL)
