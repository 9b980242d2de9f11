"""Results of a Go record that are told in words, as servers of several countries write them.

Owns the words for winning, losing and a draw in English, Chinese, Japanese and Korean. The whole
text must be made of words that are known here: what is only half understood says nothing. Must
not know how SGF writes a result.
"""

from __future__ import annotations

import re
import unicodedata

WHITE, BLACK, DRAW = "W", "B", "0"

_DRAWS = frozenset(
    ("0", "draw", "drawn", "jigo", "tie", "和", "和棋", "和局", "平局", "持碁", "持棋", "ジゴ")
).union(("持碁ジゴ", "引き分け", "引分け", "引分", "무승부", "비김", "화국"))
_OF_COLOUR = {
    "b": BLACK, "black": BLACK, "黑": BLACK, "黒": BLACK, "흑": BLACK,
    "w": WHITE, "white": WHITE, "白": WHITE, "백": WHITE,
}  # fmt: skip
LONGEST_TEXT = 80  # longer ones are no results, and not worth the time
_OTHER = {BLACK: WHITE, WHITE: BLACK}

# Patterns stay text: re compiles each once, when first used, so import is cheap.
# Not what is said: brackets, stops, and how many moves there are ("共254手", "254手完").
_NOISE = r"[()\[\]:,。、]|\.$|!$|共?[0-9]+手(?:完|止|终|終|まで|で)?"
_POINTS = r"[0-9]+(?:[./\u2044][0-9]+)*"
_MARGIN = (
    r"(?:の|で|以)?[0-9./\u2044\u3007一二三四五六七八九十百半又分之目子点點路집반점호]+"
    r"(?:差|の|で|차|로)?"
)
_MANNER = (
    r"(?:の|で)?(?:中盘|中盤|中押し?|불계|기권|시간|반칙|超时|超時|时间|時間切れ|時間|反則|犯规)"
    r"(?:で|로)?"
)
_EAST_ASIAN = (
    r"(?P<colour>[黑黒白흑백])(?:方|棋|番|번|이|의)?"
    rf"(?:(?:{_MARGIN}|{_MANNER})?(?:(?P<wins>获胜|獲勝|胜利|勝利|勝ち|胜|勝|赢|贏|승리|승)"
    rf"(?:{_MARGIN}|{_MANNER})?|(?:负|負け|負|败|敗|패배|패))"
    r"|认输|認輸|投了|投子|投子认输|投子認輸|弃权|棄権|기권)"
)
_REASON = (
    rf"(?:by|on|with|in)?(?:resign(?:ation)?|time(?:out)?|forfeit|timeforfeit|default|"
    rf"(?:halfa?|{_POINTS})(?:points?|pts?|moku|stones?|zi)?)"
)
_ENGLISH = (
    rf"(?P<colour>black|white|b|w)(?:(?P<wins>wins?|won)(?:{_REASON})?"
    rf"|\+(?P<plus>(?:{_REASON}|r|t|f)?)"
    rf"|resign(?:s|ed)?|forfeit(?:s|ed)?|(?:loses|lost)(?:{_REASON})?)"
)


def winner_in_words(text: str) -> str | None:
    """Return who won by a text in words: WHITE, BLACK or DRAW; None if it does not surely say."""
    if len(text) > LONGEST_TEXT:
        return None
    squeezed = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    plain = re.sub(_NOISE, "", squeezed)
    if squeezed in _DRAWS or plain in _DRAWS:
        return DRAW
    match = re.fullmatch(_EAST_ASIAN, plain) or re.fullmatch(_ENGLISH, plain)
    if match is None:
        return None
    said = match.groupdict()
    colour = _OF_COLOUR[match["colour"]]
    return colour if said["wins"] or said.get("plus") is not None else _OTHER[colour]
