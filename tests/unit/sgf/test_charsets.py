"""Charsets of Go records: what CA says, and what letters look like."""

import pytest

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
        ("", None), (None, None), ("a\0b", None),
    ],
)  # fmt: skip
def test_names(declared, codec):
    assert codec_named(declared) == codec


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
