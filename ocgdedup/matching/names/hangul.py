"""Korean names: Hangul to Latin letters, and one key for the Latin spellings of a name.

Korean has several romanisations, and most Koreans use none of them for their own name: the
player 이세돌 is Lee Sedol, Yi Se-tol and Ri Sedol. Names with the same key may differ:
정 and 중 are both written Jung, so they share a key. Pure functions; other modules
weigh a shared key.

Sources: Revised Romanisation of Korean (South Korea, Ministry of Culture and Tourism, 2000),
section on personal names (no sound changes between the syllables of a name); McCune-Reischauer
(1939); Unicode, chapter 3.12, Hangul syllable decomposition.
"""

from __future__ import annotations

import re
import unicodedata

from ocgdedup.matching.names.letters import plain_letters

_LONG_SURNAMES = frozenset(["남궁", "선우", "제갈", "황보", "독고", "사공", "서문", "동방"])

# One surname per line, its key first; two surnames in one line share a spelling.
_SURNAMES = """
i yi ri rhi lee rhee rhie yee
gim kim
bak pak park
choe choi
jeong jung chung jong chong cheong joung joong
gang kang
jo cho joh
yun yoon youn
jang chang
im lim rim yim leem rhim
han hahn
o oh
seo suh so
sin shin shinn syn
gwon kwon kwun
hwang whang
an ahn
song
jeon jun chun chon cheon
hong
yu yoo you ryu ryoo
go ko koh goh
mun moon
yang ryang
son sohn
bae pae bai pai
baek back baik paek paik
heo huh hur ho hu
nam
sim shim
no noh roh ro
ha hah
gwak kwak kwack
seong sung soung
cha
ju joo chu choo
u woo wu
gu koo ku goo
min
na ra nah rah
jin chin
ji jee chi chee
eom um uhm om eum
chae
won weon
bang pang
gong kong
hyeon hyun hyon
ham hahm
byeon byun pyon byon
yeom yum youm yom
yeo yo yuh
do doh toh
seok suk sok seog
seon sun
seol sul sol sull
ma mah
gil kil
yeon youn yon yeun
wi wee
pyo
myeong myung myong
gi ki kee
ban pan bahn pahn
wang
geum keum kum gum
ok ock
yuk yook
in ihn
maeng
je jae
mo moh
tak
guk kuk kook gook
eo uh
eun
pyeon pyun
yong
bong
bu boo pu
gyeong kyung
mok mock
hyeong hyung
du doo
gam kam
gye kye
bok pok
bin
tae
ye
sa
on ohn
gyeon kyun kyeon
namgung namkung namgoong namkoong
seonu sunwoo seonwoo sonu sunu
jegal jekal chegal
hwangbo whangbo
dokgo dokko tokko
sagong sakong
seomun seomoon suhmoon
dongbang tongbang
"""
_SURNAME_KEYS: dict[str, str] = {}
for _line in _SURNAMES.split("\n"):
    for _spelling in _line.split():
        _SURNAME_KEYS.setdefault(_spelling, _line.split()[0])

_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_MEDIAL_COUNT, _FINAL_COUNT = 21, 28


def _jamo(row: str) -> list[str]:
    """Return the spellings of a row of letters in Unicode order; "-" is silent."""
    return row.replace("-", "").split(" ")


_INITIALS = _jamo("g kk n d tt r m b pp s ss - j jj ch k t p h")
_MEDIALS = _jamo("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
_FINALS = _jamo("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")


def _syllable(char: str) -> str:
    code, final = divmod(ord(char) - _FIRST_SYLLABLE, _FINAL_COUNT)
    initial, medial = divmod(code, _MEDIAL_COUNT)
    return _INITIALS[initial] + _MEDIALS[medial] + _FINALS[final]


def _surname_length(words: list[str], letters: str) -> int:
    if len(words) > 1:
        return len(words[0])
    return 2 if letters[:2] in _LONG_SURNAMES and len(letters) > 2 else 1


def romanise(text: str) -> tuple[str, str] | None:
    """Return surname and given name of a Hangul name in lower-case Revised Romanisation.

    The given name has a hyphen between its syllables, as the rules of 2000 permit: 이세돌 gives
    ("i", "se-dol"). A space ends the surname; without one it is the first syllable, or the first
    two of the few long surnames. None unless `text` is all Hangul, of two syllables or more.
    """
    words = unicodedata.normalize("NFC", text).split()
    letters = "".join(words)
    if len(letters) < 2 or not all(_FIRST_SYLLABLE <= ord(c) <= _LAST_SYLLABLE for c in letters):
        return None
    size = _surname_length(words, letters)
    return "".join(map(_syllable, letters[:size])), "-".join(map(_syllable, letters[size:]))


def korean_surname_key(surname: str) -> str | None:
    """Return the key of all spellings of a Korean surname, None for other surnames.

    `surname` is in lower-case Latin letters. "yi", "rhee" and "lee" have the key of "i". Two
    surnames that share a spelling share a key ("chun" is 전 or 천).
    """
    return _SURNAME_KEYS.get(_NOT_LETTER.sub("", _plain(surname)))


_NOT_LETTER = re.compile("[^a-z]+")
# The breve of McCune-Reischauer makes another letter, so replace it before accents are removed.
_BREVES = {ord("ŏ"): "eo", ord("ŭ"): "eu"}


def _plain(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).lower().translate(_BREVES)
    return plain_letters(composed).replace("'", "")


# Plain and aspirated stops have one key: for the same ㄱ one system writes g, another k.
_CONSONANTS = {"ck": "k", "sh": "s", "wh": "hw", "tch": "c", "ch": "c", "j": "c", "g": "k"}
_CONSONANTS |= {"d": "t", "b": "p", "r": "l"}
_CONSONANT = re.compile("ck|sh|wh|tch|ch|[jgdbr]")
_SILENT_H = re.compile("h(?![aeiouwy])")

# U is ㅓ, ㅜ or ㅡ, which many people write "u"; E is ㅐ or ㅔ, which sound alike.
_VOWELS = {"weo": "wo", "woo": "U", "wu": "U", "wae": "wE", "we": "wE", "oe": "wE", "yi": "i"}
_VOWELS |= dict.fromkeys(("yeo", "yoo", "yuo", "you", "yu"), "yU")
_VOWELS |= dict.fromkeys(("eo", "eu", "oo", "ou", "u"), "U")
_VOWELS |= dict.fromkeys(("yae", "ye"), "yE") | dict.fromkeys(("ae", "e"), "E")
_VOWELS |= dict.fromkeys(("eui", "ui", "ee"), "i")
# "su-in" and "ju-in" are two syllables, any other "ui" is ㅢ; "ga-eun", "je-eun" and "so-eun"
# hold "eu".
_VOWEL = re.compile(
    "yeo|yoo|yuo|you|yu|yae|ye|yi|weo|woo|wu|wae|we|eui|(?<![sc])ui"
    "|ee(?![uo])|oe(?![uo])|ae(?!u)|eo|eu|oo|ou|u|e"
)
# Before a final consonant "yo" is ㅕ without its breve (hyon, myong): ㅛ occurs there in "yong"
# and "ryong" only. "Sung-yong" is not "sun-gyong".
_LOST_BREVE = re.compile("yo(?=(?:[mklpt]|n(?!k))(?![aiouEUwy]))|(?<=[hkmp])(?<!nk)yo(?=nk)")


def _fold(piece: str) -> str:
    text = _CONSONANT.sub(lambda m: _CONSONANTS[m[0]], piece)
    text = _VOWEL.sub(lambda m: _VOWELS[m[0]], _SILENT_H.sub("", text))
    return _LOST_BREVE.sub("yU", text)


def korean_given_key(given: str) -> str:
    """Return a key that is equal for spellings of the same Korean given name.

    `given` is a Latin spelling in any system or by habit, in one or several words: Sedol, Se-tol
    and Se Dol have the same key. Names that are not Korean get a key, too: ask `looks_korean`.
    """
    # "ng" stays n + g, so that "mingyu" (min-gyu) equals "minkyu" without a split into syllables.
    return "".join(_fold(piece) for piece in _NOT_LETTER.split(_plain(given)))


_ONE_SYLLABLE = (
    "(?:kk|gg|k|g|n|dd|tt|t|d|rh|r|l|m|bb|pp|p|b|ss|sh|s|jj|tch|ch|j|wh|h)?"
    "(?:yeo|yae|yoo|yuo|you|yo|yu|ya|ye|yi|woo|wae|weo|wa|we|wi|wo|wu"
    "|eui|ae|eo|eu|ee|oo|ou|oe|ui|a|e|i|o|u)"
    "(?:ng|n|m|ck|k|g|l|t|d|p|b|h)?"
)
_KOREAN_GIVEN = re.compile(f"(?:{_ONE_SYLLABLE}){{1,3}}")


def looks_korean(surname: str, given: str) -> bool:
    """Tell whether a name in lower-case Latin letters can be a Korean one.

    True if the surname is in the table and the given name can be one to three Korean syllables.
    Some Western names fit, too ("lee", "daniel"), so True alone proves nothing.
    """
    if korean_surname_key(surname) is None:
        return False
    return _KOREAN_GIVEN.fullmatch(_NOT_LETTER.sub("", _plain(given))) is not None
