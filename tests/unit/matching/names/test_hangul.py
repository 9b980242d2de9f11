"""Korean names: Revised Romanisation, and one key for the spellings of one name."""

import unicodedata

import pytest

from ocgdedup.matching.names.hangul import (
    korean_given_key,
    korean_surname_key,
    looks_korean,
    romanise,
)


@pytest.mark.parametrize(
    ("hangul", "romanised"),
    [
        ("이세돌", ("i", "se-dol")),
        ("김유진", ("gim", "yu-jin")),
        ("박지은", ("bak", "ji-eun")),
        ("최정", ("choe", "jeong")),
        ("신진서", ("sin", "jin-seo")),
        ("조훈현", ("jo", "hun-hyeon")),
        ("한복남", ("han", "bok-nam")),  # an example of the official rules: not "bong-nam"
        ("홍빛나", ("hong", "bit-na")),  # the other one: not "bin-na"
        ("남궁민", ("namgung", "min")),  # a surname of two syllables
        ("황보", ("hwang", "bo")),  # too short for the surname Hwangbo and a given name
        ("선 우진", ("seon", "u-jin")),  # the space says that it is not Seonu
    ],
)
def test_romanise(hangul, romanised):
    assert romanise(hangul) == romanised


def test_romanise_takes_decomposed_hangul():
    assert romanise(unicodedata.normalize("NFD", "이세돌")) == ("i", "se-dol")


def test_romanise_knows_the_ends_of_the_syllable_block():
    assert romanise("가힣") == ("ga", "hit")


@pytest.mark.parametrize(
    "text", ["", "이", "Lee Sedol", "이세돌 9단", "李世乭", "이 Sedol", "ㅂㅈ"]
)
def test_romanise_leaves_other_text_alone(text):
    assert romanise(text) is None


@pytest.mark.parametrize(
    "spellings",
    [
        "i yi ri lee rhee",
        "gim kim",
        "bak pak park",
        "choe choi ch'oe ch’oe",
        "jeong jung chung chŏng",
        "yu yoo ryu you",
        "im lim rim",
        "seo suh sŏ",
        "baek paek paik",
        "heo huh hur",
        "u woo",
        "namgung namkung",
    ],
)
def test_surname_spellings_share_a_key(spellings):
    keys = {korean_surname_key(spelling) for spelling in spellings.split()}
    assert keys == {spellings.split()[0]}


def test_different_surnames_have_different_keys():
    surnames = "i gim bak choe jeong gang jo yun jang im han o seo sin gwon hwang an song"
    for surname in surnames.split():
        assert korean_surname_key(surname) == surname


@pytest.mark.parametrize("surname", ["", "carlsen", "zhang", "tal", "leeson", "ki m1x"])
def test_no_korean_surname(surname):
    assert korean_surname_key(surname) is None


@pytest.mark.parametrize(
    ("hangul", "surname", "given"),
    [
        ("이세돌", "lee", "sedol"),
        ("이세돌", "yi", "se-tol"),
        ("이세돌", "lee", "se dol"),
        ("이세돌", "ri", "sedol"),
        ("이창호", "yi", "ch'angho"),
        ("이창호", "lee", "changho"),
        ("박정환", "park", "junghwan"),
        ("박정환", "pak", "chŏnghwan"),
        ("조훈현", "cho", "hunhyun"),
        ("조훈현", "cho", "hun-hyon"),  # McCune-Reischauer with its breve lost
        ("유창혁", "yoo", "changhyuk"),
        ("박영훈", "park", "younghoon"),
        ("최명훈", "ch'oe", "myong-hun"),
        ("김경은", "kim", "kyungeun"),
        ("박민규", "park", "minkyu"),  # "mingyu": not "ming" and "yu"
        ("박민규", "bak", "mingyu"),
        ("성민준", "sung", "minjoon"),
        ("김진우", "kim", "jinwoo"),
        ("김진우", "gim", "jinu"),
        ("한승희", "han", "seunghee"),
        ("한승희", "hahn", "sung-hui"),
        ("오광철", "oh", "kwangchul"),
        ("김주아", "kim", "jooah"),
        ("이수인", "lee", "soo-in"),
        ("이수인", "lee", "suin"),
        ("박의준", "park", "euijoon"),
        ("김소은", "kim", "soeun"),
        ("박효진", "park", "hyojin"),
        ("김상욱", "kim", "sangwook"),
        ("김태현", "kim", "tae-hyun"),
        ("김가은", "kim", "gaeun"),  # not "gae-un"
        ("김재욱", "kim", "jaewook"),
        ("김성용", "kim", "sungyong"),  # "sun-gyong" would be 경
    ],
)
def test_a_romanised_name_meets_its_hangul(hangul, surname, given):
    romanised = romanise(hangul)
    assert romanised is not None
    assert korean_surname_key(surname) == korean_surname_key(romanised[0]) is not None
    assert korean_given_key(given) == korean_given_key(romanised[1])
    assert looks_korean(surname, given)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sedol", "sejun"),
        ("yujin", "eugene"),
        ("minjun", "minjae"),
        ("junghwan", "jinhwan"),
        ("hyojin", "hyunjin"),
        ("yongho", "yeongho"),
        ("jiwon", "jiwoo"),
        ("mina", "minha"),
        ("sena", "sona"),
    ],
)
def test_different_given_names_have_different_keys(left, right):
    assert korean_given_key(left) != korean_given_key(right)


@pytest.mark.parametrize(
    ("surname", "given"),
    [
        ("lee", "robert"),
        ("kim", "alexey"),
        ("kim", ""),
        ("park", "se-dol-min-jun"),
        ("carlsen", "magnus"),
        ("kasparov", "sedol"),
        ("cho", "x"),
    ],
)
def test_does_not_look_korean(surname, given):
    assert not looks_korean(surname, given)
