"""Charsets of Go records: what CA says, and what letters look like."""

import io
from encodings.aliases import aliases

import pytest

from ocgdedup.sgf.blocks import SgfStream
from ocgdedup.sgf.charsets import charset_of, codec_named, guess_charset

NAMES = {
    "gb18030": ("柯洁", "九段", "黑中盘胜"),
    "cp950": ("周俊勳", "九段", "黑中盤勝"),
    "cp932": ("趙治勲", "九段", "名人戦"),
    "euc_jp": ("小林光一", "九段", "本因坊戦"),
    "cp949": ("이창호", "9단", "흑불계승"),
}


@pytest.mark.parametrize("codec", NAMES)
def test_guess(codec):
    white, rank, result = NAMES[codec]
    record = f"(;SZ[19]PW[{white}]WR[{rank}]RE[{result}];B[pd];W[dd])"
    assert guess_charset(record.encode(codec)) == codec


@pytest.mark.parametrize("name", ["Krämer", "José", "Garçon", "Müller, Jürg"])
def test_latin(name):
    assert guess_charset(f"(;PB[{name}])".encode("windows-1252")) == "windows-1252"


def test_bytes_that_no_charset_has():
    raw = b"(;PB[a\xe9\x81b])"
    assert raw.decode(guess_charset(raw)).encode(guess_charset(raw)) == raw


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("GB2312", "gb18030"), ("gbk", "gb18030"), (" GB18030 ", "gb18030"), ("Big5", "cp950"),
        ("Shift_JIS", "cp932"), ("sjis", "cp932"), ("windows-31j", "cp932"), ("EUC-JP", "euc_jp"),
        ("EUC-KR", "cp949"), ("ks_c_5601-1987", "cp949"), ("UTF-8", "utf-8"),
        ("ISO-8859-1", "windows-1252"), ("ISO-8859-2", "iso8859-2"), ("nonsense", None),
        ("", None), (None, None), ("a\0b", None), ("BIG-5", "cp950"), ("x-gbk", "gb18030"),
        ("GB", "gb18030"), ("GB_2312-80", "gb18030"), ("windows-949", "cp949"), ("MS932", "cp932"),
        ("eucJP-ms", "euc_jp"), ("Big5-HKSCS:2004", "big5hkscs"), ("euc kr", "cp949"),
        ("KOI8-R", "koi8-r"), ("johab", "johab"), ("ANSI", None), ("EUC-TW", None),
        # Codecs that do not read "(;GM[1]" as it is, or are no charsets.
        ("UTF-16", None), ("cp037", None), ("rot13", None), ("undefined", None), ("idna", None),
        ("unicode_escape", None),
    ],
)  # fmt: skip
def test_names(declared, codec):
    assert codec_named(declared) == codec


def test_another_charset_of_the_family():
    assert charset_of("Big5", "林海峰啫嘅".encode("big5hkscs")) == "big5hkscs"
    assert charset_of("Shift_JIS", "趙治勲九段𠀋".encode("shift_jis_2004")) == "shift_jis_2004"


def test_declared_counts_if_it_can_read_the_bytes():
    raw = "이창호".encode("cp949")
    assert charset_of("EUC-KR", raw) == "cp949"
    assert charset_of("GB2312", "黒中押".encode("gb18030")) == "gb18030"
    assert charset_of("UTF-8", raw) == charset_of(None, raw) == "cp949"
    # ISO-8859-1 is the default of SGF: programs write it without meaning it.
    assert charset_of("ISO-8859-1", "趙治勲九段".encode("cp932")) == "cp932"


@pytest.mark.parametrize(
    ("declared", "codec"), [("UTF-8", "cp950"), ("GB2312", "cp950"), ("Shift_JIS", "gb18030")]
)
def test_a_charset_that_is_not_meant(declared, codec):
    white, rank, result = NAMES[codec]
    record = f"(;SZ[19]PW[{white}]WR[{rank}]RE[{result}];B[pd];W[dd])"
    assert charset_of(declared, record.encode(codec)) == codec
    assert charset_of(codec, record.encode(codec)) == codec


# --- every charset that CA can name ---------------------------------------------------------------

TEXTS = (
    "趙治勲九段名人戦", "柯洁九段黑中盘胜", "周俊勳九段黑中盤勝", "이창호구단흑불계승", "Крамник",
    "Παπαδόπουλος", "Müller, José", "Łódź", "שלום", "السلام", "สวัสดี",
)  # fmt: skip
# Each has "]", a backslash or ":" as a byte, in one of the charsets of East Asia.
TRICKY = "ソ表十貼能予媾云珪汢鏈課塑楞許功餐豹"


def names_of(text: bytes, block_bytes: int = 1 << 18) -> list[str]:
    """Return the values of PB of a source, read in blocks; a record must have no fault."""
    stream = SgfStream(io.BytesIO(text), block_bytes=block_bytes)
    names = []
    for block in stream.blocks():
        for rejection, _, _, fault, *_, properties, _ in block.records(charset_of):
            assert (rejection, fault) == (0, 0)
            names.append(dict(properties)["PB"])
    return names


def encodable(text: str, codec: str) -> str:
    """Return the letters of a text that a codec reads back."""
    letters = ""
    for letter in text:
        raw = letter.encode(codec, "ignore")
        letters += letter if raw and raw.decode(codec) == letter else ""
    return letters


@pytest.mark.parametrize("codec", sorted(filter(codec_named, {*aliases.values()})))
def test_each_charset_of_python(codec):
    """Brackets, backslashes and colons within letters are no signs of SGF."""
    for text in ("plain", *TEXTS):
        if encodable(text, codec) != text:
            continue
        name = text + encodable(TRICKY, codec)
        record = f"(;GM[1]CA[{codec}]PB[{name}]EV[{text}];B[aa]C[{name}:{text}];W[bb])\n"
        assert names_of(record.encode(codec) * 3) == [name] * 3
        assert names_of(record.encode(codec) * 3, 64) == [name] * 3


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("iso2022_jp", "依田紀基ソ表"), ("iso2022_jp_2", "依田紀基柯洁조훈"),
        ("iso2022_kr", "이창호"), ("iso2022_jp_ext", "ﾖﾀﾞ依田"), ("iso2022_jp_3", "依田勳"),
    ],
)  # fmt: skip
def test_escape_sequences_need_no_declaration(codec, name):
    record = f"(;GM[1]PB[{name}]\n;B[aa]C[{name}]\n;W[bb])\n"
    assert b"\x1b" in record.encode(codec)
    for size in (16, 1 << 18):
        assert names_of(record.encode(codec), size) == [name]


def test_a_text_that_only_looks_escaped():
    """HZ and UTF-7 need their name in CA; an unfinished or wrong sequence stays."""
    assert names_of(b"(;PB[~{VF~} +AGE-];B[aa])") == ["~{VF~} +AGE-"]
    assert names_of(b"(;PB[a\x1b$Bzzz\x1b(B];B[aa])") == ["a\x1b$Bzzz\x1b(B"]
    assert names_of("(;PB[\x1b[1m趙];B[aa])".encode()) == ["\x1b[1m趙"]
