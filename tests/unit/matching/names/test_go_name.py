"""Names of Go players taken apart: ranks, titles, teams, marks, nobody."""

import pytest

from ocgdedup.matching.names.go_name import NOBODY, go_name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Cho Chikun", "cho chikun"),
        ("  Kitani   Minoru 9p", "kitani minoru"),
        ("Cho Chikun, 9 dan", "cho chikun"),
        ("Cho Chikun (9p)", "cho chikun"),
        ("Cho Chikun 9-dan pro", "cho chikun"),
        ("Lee Changho 9P", "lee changho"),
        ("Otake Hideo Judan", "otake hideo"),
        ("Otake Hideo ku-dan", "otake hideo"),
        ("Sakata Eio 23rd Honinbo", "sakata eio"),
        ("Cho U 23rd Honinbo Meijin", "cho u"),
        ("Li Shidan", "li shidan"),
        ("Ida Atsushi Gosei, Judan", "ida atsushi"),
        ("25th Honinbo Cho Chikun", "cho chikun"),
        ("Cho Chikun, 25th Honinbo", "cho chikun"),
        ("Chinen Kaori, Women's Kisei", "chinen kaori"),
        ("Honinbo Cho Chikun", "cho chikun"),
        # Beside a single word it is his name.
        ("Honinbo Shusaku", "honinbo shusaku"),
        ("Honinbo Shusai Meijin", "honinbo shusai"),
        ("Shusai Meijin", "shusai meijin"),
        ("Yi Ch\u2019ang-ho", "yi ch'ang-ho"),
        ("Pak Chŏng-hwan", "pak cheong-hwan"),
        ("Jaime Orlando Ramírez", "jaime orlando ramirez"),
        ("이창호 9단", "이창호"),
        ("柯潔 九段", "柯洁"),
        ("張 栩 名人", "张栩"),
        ("本因坊秀策", "本因坊秀策"),
    ],
)
def test_words(text, words):
    assert " ".join(go_name(text).words) == words


@pytest.mark.parametrize(
    "text",
    ["", "?", "NN", "N.N.", "Black", "White", "Anonymous", "unknown", "黑", "白", "9p", "? & ?"],
)
def test_nobody(text):
    assert go_name(text) == NOBODY
    assert go_name(text).is_nobody


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("Cho Chikun & Rin Kaiho", 2),
        ("Osawa Narumi, 3p & Cho Chikun, Judan", 2),
        ("Hattori Seitetsu, Ito Matsujiro, Shuwa", 3),
        ("Cho Chikun / Rin Kaiho", 2),
        ("謝依旻・結城聡 九段", 2),
        ("コ・グンデ", 0),
        ("Cho Chikun, Kisei /Meijin", 0),
        ("Cho Chikun & ?", 1),
        ("Cho, Chikun, 9p", 0),
        ("Redmond, Michael", 0),
        ("Park Jeong-hwan 9d, Kim Jiseok 9d", 2),
        ("Redmond, Michael 9p", 0),
    ],
)
def test_teams(text, members):
    assert len(go_name(text).members) == members
    assert not go_name(text).is_nobody


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Lee Sanghun (b)", "b"),
        ("Li Jie (2)", "2"),
        ("Li Xiaoxi(小)", "小"),
        ("권효진(남)", "m"),
        ("Sakaguchi Sentoku II", "2"),
        ("Sakaguchi Sentoku I", "1"),
        ("Yasui Santetsu jr.", "2"),
        ("1st Yasui Santetsu", "1"),
        ("Yasui Sanchi IX", "9"),
        ("GNU Go 3.8", "3.8"),
        ("Cho Chikun (9p)", ""),
        ("O Rissei", ""),
    ],
)
def test_marks_of_namesakes(text, mark):
    assert go_name(text).number == mark


def test_name_in_characters_behind_a_latin_one():
    assert go_name("Sun Ce (孫策)").han == "孙策"
    assert go_name("Lee Sedol 李世乭").han == "李世乭"
    assert go_name("Sun Ce (孫策)").words == ("sun", "ce")


def test_comma_tells_the_surname():
    assert go_name("Cho, Chikun").is_ordered
    assert not go_name("Cho Chikun, 9p").is_ordered


@pytest.mark.parametrize(
    "text", ["T. Ishikawa", "Mori Y.", "Shuwa", "Dr. Lenz", "柯", "이", "Segoe", "Cho Chikun & ?"]
)
def test_too_short(text):
    assert go_name(text).is_short


@pytest.mark.parametrize(
    "text", ["O Meien", "Cho U", "I Ryo", "CrazyStone", "zen19d", "柯潔", "T Mark Hall", "이창호"]
)
def test_long_enough(text):
    assert not go_name(text).is_short


def test_odd_text():
    assert go_name("\udc80x Chikun").words == ("x", "chikun")


@pytest.mark.parametrize(
    "text",
    [
        "Cho Chikun", "Yi Ch'ang-ho", "Honinbo Shusaku", "Honinbo Cho Chikun", "Otake Hideo Judan",
        "Kim Seung Jun", "Cho Chikun pro", "Cho Chikun vs Rin Kaiho", "Sakaguchi Sentoku II",
        "Yasui Santetsu jr", "No Name", "Black White", "O Rissei", "Rob van Zeijst", "Ito Ku-dan",
    ],
)  # fmt: skip
def test_the_short_way_finds_the_same(text):
    assert go_name(text) == go_name(f"{text} ")


def test_what_is_a_generation_in_the_west_is_a_given_name():
    assert go_name("Kim Seung Jun").words == ("kim", "seung", "jun")
