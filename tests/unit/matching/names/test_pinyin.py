"""Chinese names in pinyin: cut into syllables, read in any spacing."""

import pytest

from ocgdedup.matching.names.pinyin import (
    SYLLABLES,
    chinese_reading,
    chinese_readings,
    syllables,
)


@pytest.mark.parametrize(
    ("word", "split"),
    [
        ("liren", "li ren"),
        ("junfeng", "jun feng"),
        ("xijunfeng", "xi jun feng"),
        ("xian", "xian"),
        ("xi'an", "xi an"),
        ("xi’an", "xi an"),
        ("yinan", "yi nan"),  # a syllable starting with a vowel would have its apostrophe
        ("dangao", "dan gao"),
        ("jinger", "jing er"),
        ("yuanan", "yuan an"),  # fewer syllables than yu a nan
        ("shuangzhuang", "shuang zhuang"),
        ("wenyu", "wen yu"),
        ("tianyue", "tian yue"),
        ("yi-fan", "yi fan"),
        ("Yifan", "yi fan"),
    ],
)
def test_syllables(word, split):
    assert syllables(word) == split.split()


@pytest.mark.parametrize("word", ["lü", "lv", "lu", "lyu", "lǚ"])
def test_u_with_dots_is_u(word):
    assert syllables(word) == ["lu"]


@pytest.mark.parametrize("word", ["nüe", "nve", "nyue", "nue"])
def test_u_with_dots_after_n(word):
    assert syllables(word) == ["nue"]


@pytest.mark.parametrize("word", ["", "'", "robert", "magnus", "lir", "bx", "丁立人", "fing"])
def test_what_is_not_pinyin(word):
    assert syllables(word) is None


def test_the_table_is_that_of_mandarin():
    assert 395 <= len(SYLLABLES) <= 415
    assert {"er", "zhuang", "xiong", "nue", "weng", "ri", "yo"} <= SYLLABLES
    assert not {"fi", "ki", "ra", "bong", "jong", "zhing", "x"} & SYLLABLES


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        ("ding liren", ("ding", "liren")),
        ("ding li ren", ("ding", "liren")),
        ("dingliren", ("ding", "liren")),
        ("xijunfeng", ("xi", "junfeng")),
        ("wang yi fan", ("wang", "yifan")),
        ("wei yi", ("wei", "yi")),
        ("ouyang wei", ("ouyang", "wei")),
        ("ou yang wei", ("ouyang", "wei")),
        ("zhugeliang", ("zhuge", "liang")),
        ("ou yang", ("ou", "yang")),  # two syllables: a surname of two leaves no given name
        ("gong sunjia", ("gong", "sunjia")),  # the spacing says that it is not Gongsun
        ("lv kaichen", ("lu", "kaichen")),
    ],
)
def test_reading(written, reading):
    assert chinese_reading(written.split()) == reading


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ding",
        "magnus carlsen",
        "liren ding",  # "liren" is no surname
        "dingli ren",  # nobody cuts a name there
        "wang robert",
        "li xiao long ming hua",
    ],
)
def test_no_reading(written):
    assert chinese_reading(written.split()) is None


def test_a_reading_proves_nothing_about_the_bearer():
    assert chinese_reading(["lang", "dan"]) is not None


def test_both_orders():
    assert chinese_readings(["liren", "ding"]) == (("ding", "liren"),)
    assert chinese_readings(["hao", "wang"]) == (("hao", "wang"), ("wang", "hao"))
    assert chinese_readings(["dingliren"]) == (("ding", "liren"),)
    assert chinese_readings(["magnus", "carlsen"]) == ()
    assert chinese_readings([]) == ()
