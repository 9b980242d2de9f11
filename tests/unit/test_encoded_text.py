"""Texts in an encoding of another format: HTML, addresses, JSON, mail."""

from __future__ import annotations

import html
import json
import quopri
from collections.abc import Callable
from email.header import Header
from html.entities import codepoint2name
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.garbled import decoded_comment, decoded_text, repaired_name
from tests.support.pgn_text import game
from tests.support.reading import read

STAYING = (
    "AT&T", "R&D;", "Smith & Co; Sons", "A&B", "100%", "50% 50%", "50%50", "50%20", "C:\\new",
    "C:\\users\\x", "\\\\server\\usr", "a=b&c=d;", "depth=20", "1=20 2=30", "e8=Q+ b1=B", "=B8",
    "https://x.org/?a=%C3%A9&amp;b=1", "x &#0; y", "Karj%61kin", "&nosuchentity;", "\\u12",
    "\\ud83d", "=?UTF-8?Q?M=C3?=", "=?no-such?Q?a?=", "=?UTF-8?B?a?=", "[%cal Ga1b2]", "&#xFFFFFF;",
)  # fmt: skip
DECODED = {
    "&Aacute;d&aacute;m &#38; &#x130;brahim": "Ádám & İbrahim",
    "D&amp;#39;Alembert": "D'Alembert",
    "AT&T &ndash; M&uuml;nchen": "AT&T – München",
    "J&Atilde;&para;rg": "Jörg",
    "R%E9ti%2C+Richard": "Réti, Richard",
    "%u0418%u0432%u0430%u043D": "Иван",
    "M%25C3%25BCller": "Müller",
    "Nimzowitsch\\/T\\u00e4ubler \\'27": "Nimzowitsch/Täubler '27",
    "G\\xc3\\xb6teborg": "Göteborg",
    "\\ud83d\\ude00": "😀",
    "Gr=FCnfeld, Ernst": "Grünfeld, Ernst",
    "&nbsp;Tal&nbsp;": "Tal",
}  # fmt: skip

# Letters beyond ASCII with the signs that encodings use.
names = st.text(st.sampled_from("abc éüßŁИ井'\",./-"), min_size=1).map(str.strip)


@pytest.mark.parametrize("text", STAYING)
def test_ordinary_texts_stay(text: str) -> None:
    assert repaired_name(text) == text
    assert decoded_comment(text) == text


@pytest.mark.parametrize("text", DECODED)
def test_encoded_texts(text: str) -> None:
    assert repaired_name(text) == DECODED[text]


def entities(name: str) -> str:
    return "".join(
        f"&{codepoint2name[ord(char)]};" if ord(char) in codepoint2name else char for char in name
    )


ENCODINGS: dict[str, Callable[[str], str]] = {
    "named entities": entities,
    "numeric entities": lambda name: name.encode("ascii", "xmlcharrefreplace").decode(),
    "hexadecimal entities": lambda name: "".join(
        char if char.isascii() else f"&#x{ord(char):X};" for char in name
    ),
    "doubled entities": lambda name: html.escape(entities(name)),
    "percents": quote,
    "forms": quote_plus,
    "JSON": lambda name: json.dumps(name)[1:-1],
    "quoted-printable": lambda name: quopri.encodestring(name.encode()).decode(),
    "mail": lambda name: Header(name, "utf-8").encode(maxlinelen=0),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(names)
def test_texts_of_other_programs(encoding: str, name: str) -> None:
    encoded = ENCODINGS[encoding](name)
    if not name.isascii() and len(encoded) < 75:  # mail breaks longer lines
        assert decoded_text(encoded) == name


def test_braces_stay() -> None:
    assert decoded_comment("a &#125; b &eacute;") == "a &#125; b &eacute;"


signs = st.text(st.sampled_from("&#;%u\\x'/=?C3A9aé \""), max_size=12)


@given(signs, signs)
def test_the_kernel_misses_no_text(name: str, comment: str) -> None:
    name, comment = name.strip(), comment.strip()
    value = name.replace("\\", "\\\\").replace('"', '\\"')
    reading = read(game(f"{{{comment}}} 1. e4 (1. d4 {{{comment}}}) *", Site=value, Team=value))
    (first,) = reading.games
    assert (first["Site"] or "?") == (repaired_name(name) or "?")
    assert json.loads(first["ExtraTags"])["Team"] == (decoded_text(name).strip() or name)
    assert reading.comments[0][2] == decoded_comment(comment)
    assert reading.annotations[0][4] == f"1. d4 {{{decoded_comment(comment)}}}"


def test_originals_stay_in_tags() -> None:
    text = game("1. e4 {\\u00e9t\\u00e9}\n*", White="T&aacute;l", Opening="R&eacute;ti")
    reading = read(text.replace("Opening", "OriginalOpening") + text)
    extra = [json.loads(row["ExtraTags"]) for row in reading.games]
    assert extra[0] == {"OriginalOpening": "R&eacute;ti", "OriginalWhite": "T&aacute;l"}
    assert extra[1] == {
        "Opening": "Réti", "OriginalWhite": "T&aacute;l", "OriginalOpening": "R&eacute;ti",
    }  # fmt: skip
    assert [row[2] for row in reading.comments] == ["été", "été"]
