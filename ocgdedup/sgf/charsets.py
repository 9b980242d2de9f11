"""The charset of a Go record that is not UTF-8: the declared one (`CA`), or a guess.

Owns the names of charsets and how to recognize each. Must not know games or files.

SGF FF[4], "CA": "Provides the used charset for SimpleText and Text type. Default value is
'ISO-8859-1'". Most files from East Asia have no `CA` and use the charset of their country.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from encodings.aliases import aliases
from functools import lru_cache

LATIN = "windows-1252"
LATIN_ANY_BYTE = "latin-1"
CHINESE, TAIWANESE, JAPANESE, JAPANESE_EUC, KOREAN = "gb18030", "cp950", "cp932", "euc_jp", "cp949"

# The codec for a charset (by its name in Python): the widest of its family.
_CODECS = {
    "gb2312": CHINESE, "gbk": CHINESE, "gb18030": CHINESE, "hz": CHINESE,
    "big5": TAIWANESE, "cp950": TAIWANESE, "big5hkscs": "big5hkscs",
    "shift_jis": JAPANESE, "cp932": JAPANESE, "shift_jisx0213": JAPANESE,
    "shift_jis_2004": JAPANESE, "euc_jp": JAPANESE_EUC,
    "euc_kr": KOREAN, "cp949": KOREAN, "johab": "johab",
    "iso8859-1": LATIN, "ascii": LATIN,
}  # fmt: skip
# For bytes that are not in this codec: another one of the family. (JIS X 0213 has no backslash.)
_OTHER_CODECS = {
    TAIWANESE: "big5hkscs", JAPANESE: "shift_jis_2004", JAPANESE_EUC: "euc_jis_2004",
}  # fmt: skip
_ALIASES = {  # names that Python does not know, without signs
    "gb": CHINESE, "big5eten": TAIWANESE, "big5hkscs2004": "big5hkscs", "sjiswin": JAPANESE,
    "windows31j": JAPANESE, "eucjpms": JAPANESE_EUC, "eucjpwin": JAPANESE_EUC,
    "cp51932": JAPANESE_EUC, "ksc56011989": KOREAN, "isoir149": KOREAN,
    "jis": "iso2022_jp", "koi8": "koi8-r",
}  # fmt: skip
# Other codecs of Python read brackets and letters differently (UTF-16, EBCDIC) or not at all.
_ASCII_SAMPLE = b"(;GM[1]\\n\\u0041:az)"
_WON = "\u20a9"  # the backslash of Johab

# Frequent characters of Go records, by codec.
_FREQUENT_CHARACTERS = {
    CHINESE: "段先黑白胜负半目中盘国杯赛战名人王天元棋圣第届局预选决让子年月日围甲联九李马刘张陈"
    "罗江铸久聂卫平曹薰铉昌镐常昊古力",
    TAIWANESE: "段先黑白勝負半目中盤國盃賽戰名人王天元棋聖第屆局預選決讓子年月日圍甲聯九林海峰張"
    "王銘琬周俊勳陳劉",
    JAPANESE: "段先黒白勝負半目中国杯戦名人王天元碁聖第局予選決子年月日本因坊期九互挑者手趙治勲"
    "小林光一武宮正樹依田紀基高尾加藤山木村野川島橋井上石吉松岡大佐坂谷原竹清水太郎二三美雄夫"
    "男和久平沢秀行俊之道知哉智弘",
    KOREAN: "단선흑백승부집반중국배전명인왕천원기성대회결예년월일이김박최조정강한윤장임오서신권"
    "황안송류유홍창훈호철세돌진영민준현상수석성지은원",
}
_KANA = r"[ぁ-ヺ]"
_HIGH = r"[^\x00-\x7F]"
_SURE_GAIN = 0.6  # a guess needs so many points more than the declared charset
_KANA_POINTS, _LEVEL_POINTS, _FREQUENT_POINTS = 1.0, 0.5, 1.0
_ODD = r"[\uE000-\uF8FF\uFFFD\uFF61-\uFF9F\u0080-\u009F]"  # private, half-width, controls
_LONE_LETTER = rb"(?<![\x80-\xFF])[\xC0-\xFF](?![\x80-\xFF])"


@lru_cache(maxsize=256)
def codec_named(declared: str | None) -> str | None:
    """Return the codec for the charset that `CA` names, None if there is none of this name.

    Signs do not count, and "x-" and "windows-" may precede: "BIG-5", "x-gbk", "windows-949".
    """
    codec = _python_codec(declared or "")
    codec = _CODECS.get(codec, codec)
    return codec if _reads_ascii(codec) else None


def _python_codec(declared: str) -> str:
    """Return the name of a codec in Python, "" if there is none."""
    name = re.sub("[^a-z0-9]", "", declared.lower())
    name = re.sub("^(?:x|ms|win|windows)+(?=[0-9]+$)", "cp", name).removeprefix("x")
    try:
        return codecs.lookup(_ALIASES.get(name) or _python_names().get(name, "")).name
    except LookupError:
        return ""


@lru_cache(maxsize=1)
def _python_names() -> dict[str, str]:
    """Return the names that Python knows, by their letters and digits."""
    return {name.replace("_", ""): name for name in (*aliases.values(), *aliases)}


def _reads_ascii(codec: str) -> bool:
    try:
        text = _ASCII_SAMPLE.decode(codec).replace(_WON, "\\")
    except (ValueError, LookupError):
        return False
    return text.encode() == _ASCII_SAMPLE


def charset_of(declared: str | None, raw: bytes) -> str:
    """Return the codec of bytes that are not UTF-8: the declared one if it can decode them.

    If another East Asian charset fits much better, return that one: some programs declare a
    charset that they do not write. Encoding the decoded text gives the same bytes back.
    """
    codec = codec_named(declared)
    if codec in _OTHER_CODECS and not can_decode(raw, codec):
        codec = _OTHER_CODECS[codec]
    if codec is None or codec == LATIN or not can_decode(raw, codec):
        return guess_charset(raw)
    guessed = guess_charset(raw) if codec in _SCORES else codec
    if guessed in _SCORES and guessed != codec:
        gain = _SCORES[guessed](raw.decode(guessed)) - _SCORES[codec](raw.decode(codec))
        return guessed if gain > _SURE_GAIN else codec
    return codec


def guess_charset(raw: bytes) -> str:
    """Return the most likely charset of bytes that are not UTF-8."""
    high = re.findall(rb"[\x80-\xFF]", raw)
    if len(re.findall(_LONE_LETTER, raw)) * 2 > len(high):
        return _latin(raw)  # East Asian characters are pairs of bytes, the first one a high byte
    best, best_points = "", 0.0
    for codec, points_of in _SCORES.items():
        try:
            text = raw.decode(codec)
        except UnicodeDecodeError:
            continue
        points = points_of(text)
        if points > best_points:
            best, best_points = codec, points
    return best or _latin(raw)


def _latin(raw: bytes) -> str:
    return LATIN if can_decode(raw, LATIN) else LATIN_ANY_BYTE


def can_decode(raw: bytes, codec: str) -> bool:
    try:
        raw.decode(codec)
    except (ValueError, LookupError):
        return False
    return True


def _share(text: str, expected: Callable[[str], float]) -> float:
    """Return the share of expected characters among those beyond ASCII, from 0 to about 1."""
    letters = "".join(re.findall(_HIGH, text))
    if not letters:
        return 0.0
    return (expected(letters) - len(re.findall(_ODD, letters))) / len(letters)


def _frequency_score(text: str, codec: str, leads: range, *, any_second: bool = True) -> float:
    """Score the frequent characters of a text: those of the first level of a charset.

    `leads`: the first bytes of that level. Without `any_second`, second bytes are beyond ASCII.
    """

    def expected(letters: str) -> float:
        points = 0.0
        for letter in letters:
            raw = letter.encode(codec, "replace")
            is_first_level = raw[0] in leads and (any_second or raw[-1] >= 0xA1)
            points += _LEVEL_POINTS * is_first_level
            points += _FREQUENT_POINTS * (letter in _FREQUENT_CHARACTERS[codec])
        return points

    return _share(text, expected)


def _japanese_score(text: str) -> float:
    kana = _share(text, lambda letters: _KANA_POINTS * len(re.findall(_KANA, letters)))
    return kana + _frequency_score(text, JAPANESE, range(0x88, 0x98))


# --- letters between escape sequences -------------------------------------------------------------

# Charsets whose letters are pairs of ASCII bytes, among them "]" and "\\". Their first and last
# bytes, and the codecs to try. ISO-2022 (RFC 1468) returns to ASCII before the end of a line.
_ISO_2022 = rb"\x1b(?:\$|\(I)[^\r\n]*?(?:\x1b\([BJ]|(?=[\r\n]))|\x1b\([BJ]"
_SHIFTED = rb"\x1b\$\)C|\x0e[^\r\n\x0f]*\x0f"
_ISO_2022_CODECS = ("iso2022_jp_2", "iso2022_jp_ext", "iso2022_jp_2004", "iso2022_jp_3")
_ESCAPES = {
    "iso2022_jp": (_ISO_2022, b"", _ISO_2022_CODECS),
    "iso2022_kr": (_SHIFTED, b"\x1b$)C", ("iso2022_kr",)),
    "hz": (rb"~\{[!-}]*?~\}|~~", b"", ("hz",)),
    "utf-7": (rb"\+[A-Za-z0-9+/]*(?:-|(?=[^A-Za-z0-9+/-]))", b"", ("utf-7",)),
}
_DECLARED = rb"CA\[\s*([!-Z^-~]+)"


def escapes_of(text: bytes) -> str | None:
    """Return the charset with escape sequences in the text of a source, None if it has none."""
    if b"\x1b$" in text or b"\x1b(I" in text:
        return "iso2022_kr" if b"\x1b$)C" in text else "iso2022_jp"
    match = re.search(_DECLARED, text)
    if match is None or not text.isascii():
        return None
    declared = _python_codec(match[1].decode("latin-1"))
    return declared if declared in _ESCAPES else None


def without_escapes(text: bytes, charset: str) -> bytes:
    """Return a text with its escaped letters in UTF-8; letters that are no letters stay.

    Text without a final escape sequence stays, too: the rest may be in the next block.
    """
    pattern, start, names = _ESCAPES[charset]

    def in_utf8(match: re.Match[bytes]) -> bytes:
        for name in names:
            with suppress(UnicodeDecodeError):
                return (start + match[0]).decode(name).encode()
        return match[0]

    return re.sub(pattern, in_utf8, text)


_SCORES: dict[str, Callable[[str], float]] = {
    CHINESE: lambda text: _frequency_score(text, CHINESE, range(0xB0, 0xD8)),
    TAIWANESE: lambda text: _frequency_score(text, TAIWANESE, range(0xA4, 0xC7)),
    JAPANESE: _japanese_score,
    JAPANESE_EUC: _japanese_score,
    KOREAN: lambda text: _frequency_score(text, KOREAN, range(0xB0, 0xC9), any_second=False),
}
