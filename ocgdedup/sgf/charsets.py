"""The charset of a Go record that is not UTF-8: the declared one (`CA`), or a guess.

Owns the names of charsets and how to recognize each. Must not know games or files.

SGF FF[4], "CA": "Provides the used charset for SimpleText and Text type. Default value is
'ISO-8859-1'". Most files from East Asia have no `CA` and use the charset of their country.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

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
_ALIASES = {  # names that Python does not know
    "sjis": JAPANESE, "shiftjis": JAPANESE, "windows-31j": JAPANESE, "x-sjis": JAPANESE,
    "ms949": KOREAN, "ks_c_5601-1987": KOREAN, "euckr": KOREAN, "eucjp": JAPANESE_EUC,
    "gb": CHINESE, "gb2312-80": CHINESE, "chinese": CHINESE,
}  # fmt: skip

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


def codec_named(declared: str | None) -> str | None:
    """Return the codec for the charset that `CA` names, None if there is none of this name."""
    name = (declared or "").strip().lower()
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return _ALIASES.get(name.replace(" ", ""))
    return _CODECS.get(codec, codec)


def charset_of(declared: str | None, raw: bytes) -> str:
    """Return the codec of bytes that are not UTF-8: the declared one if it can decode them.

    If another East Asian charset fits much better, return that one: some programs declare a
    charset that they do not write. Encoding the decoded text gives the same bytes back.
    """
    codec = codec_named(declared)
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
    except (UnicodeDecodeError, LookupError):
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


_SCORES: dict[str, Callable[[str], float]] = {
    CHINESE: lambda text: _frequency_score(text, CHINESE, range(0xB0, 0xD8)),
    TAIWANESE: lambda text: _frequency_score(text, TAIWANESE, range(0xA4, 0xC7)),
    JAPANESE: _japanese_score,
    JAPANESE_EUC: _japanese_score,
    KOREAN: lambda text: _frequency_score(text, KOREAN, range(0xB0, 0xC9), any_second=False),
}
