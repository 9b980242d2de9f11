"""Spellings of Go players: what is one name, what may be, what never."""

from itertools import combinations

import pytest

from ocgdedup.matching.names.go_name import one_form
from ocgdedup.matching.names.go_spelling import may_be_one, spelling
from ocgdedup.matching.names.korean_readings import hangul_reading, latin_readings
from ocgdedup.matching.names.pinyin import pinyin_of
from ocgdedup.matching.names.romaji import romaji_key

SAME = [
    ("Cho Chikun", "Cho, Chikun 9p", "CHO CHIKUN"),
    ("Michael Redmond", "Redmond Michael, 9p", "Redmond, Michael"),
    ("Lee Changho", "Changho Lee", "Lee Chang-ho", "Lee Chang Ho"),
    ("Ding Liren", "Liren Ding", "Ding Li Ren"),
    ("Kitani Minoru", "Minoru Kitani"),
    ("Rob van Zeijst", "van Zeijst, Rob"),
    ("柯潔", "柯洁"),
    ("渡邊健", "渡辺健", "渡边健"),
    ("Cho Chikun & Inori Yoko", "Inori Yoko, 5p & Cho Chikun, Oza"),
]
ALIKE = [
    ("Lee Changho", "Yi Ch'ang-ho"),
    ("Lee Changho", "이창호"),
    ("Yi Ch'ang-ho", "이창호"),
    ("Lee Sedol", "Yi Se-tol"),
    ("Yoo Changhyuk", "Yu Ch'ang-hyeok"),
    ("Park Yeonghun", "Pak Yeong-hun"),
    ("Baek Hongsuk", "Paek Hongseok"),
    ("Choi Myeonghun", "Ch'oe Myeong-hun"),
    ("Won Seongjin", "Weon Seong-chin"),
    ("Ko Geuntae", "Ko Keun-T'ae"),
    ("Choi Jeong", "Choi Jung"),
    ("Cho Seungah", "조승아"),
    ("Park Mingyu", "Park Minkyu"),
    ("Kang Dongyun", "Kang Dong-yoon"),
    ("Hua Yigang", "Hua I-kang"),
    ("Wu Songsheng", "Wu Sung-sheng"),
    ("Xiao Zhenghao", "Hsiao Cheng Hao"),
    ("Takeuchi Kosuke", "Takeuchi Kousuke"),
    ("Otake Hideo", "Ohtake Hideo"),
    ("Otake Hideo", "Ootake Hideo"),
    ("Ishida Shoji", "Isida Syozi"),
    ("Ilya Shikshin", "Ilia Shikshin"),
    ("Sun Ce (孫策)", "孙策"),
]
APART = [
    ("Jie Li", "Li Jie"),
    ("Park Seunghyun", "Park Seonghyun"),
    ("Yun Seunghyeon", "Yun Seonghyeon"),
    ("Kim Seongjae", "Kim Seung Jae"),
    ("Kim Sungjin", "Kim Seungjin"),
    ("Kim Sujun", "Kim Heui-sun"),
    ("Feng Yun", "Feng Yunjia"),
    ("O Keii", "Oki Keiji"),
    ("I Ryo", "Ichiriki Ryo"),
    ("Yu Lichun", "Yu Lijun"),
    ("Wang Hui", "Wang Heui"),
    ("Lee Sanghun (b)", "Lee Sanghun (s)"),
    ("Lee Sanghun (b)", "Lee Sanghun"),
    ("Sakaguchi Sentoku", "Sakaguchi Sentoku II"),
    ("Cho Chikun", "Cho Chikun & Kobayashi Izumi"),
    ("Cho Chikun", "Cho Chikun & ?"),
    ("Ono Hideo", "Oono Hideo"),
    ("Honinbo Shusai", "Honinbo Shusaku"),
    ("조훈현", "조혜연"),
    ("江尻敏彰", "江尻敏影"),
    ("于之莹", "於之莹"),
    ("Chang Hao", "Jang Hao"),
    ("Suzuki Keiji", "Suzuki Keizo"),
]


@pytest.mark.parametrize("names", SAME, ids=lambda names: names[0])
def test_one_name(names):
    assert len({spelling(name).key for name in names}) == 1


@pytest.mark.parametrize(("left", "right"), ALIKE)
def test_may_be_one(left, right):
    assert may_be_one(spelling(left), spelling(right))
    assert may_be_one(spelling(right), spelling(left))


@pytest.mark.parametrize(("left", "right"), APART)
def test_two_names(left, right):
    assert spelling(left).key != spelling(right).key
    assert not may_be_one(spelling(left), spelling(right))


FAMOUS = """
Lee Changho|Lee Sedol|Cho Hunhyun|Yoo Changhyuk|Seo Bongsoo|Park Junghwan|Shin Jinseo
Kim Jiseok|Choi Cheolhan|Cho Hanseung|Cho Chikun|Cho Sonjin|Cho U|Rin Kaiho|O Rissei|O Meien
Go Seigen|Kitani Minoru|Sakata Eio|Otake Hideo|Kato Masao|Ishida Yoshio|Takemiya Masaki
Kobayashi Koichi|Kobayashi Satoru|Yoda Norimoto|Nie Weiping|Ma Xiaochun|Chang Hao|Gu Li
Kong Jie|Ke Jie|Rui Naiwei|Mi Yuting|Tuo Jiaxi|Yu Bin|Honinbo Shusaku|Honinbo Shuwa
Honinbo Shusai|Honinbo Jowa|Yasui Sanchi|Inoue Gennan Inseki
"""


def test_no_two_of_many_famous_players_are_one():
    names = [name for line in FAMOUS.splitlines() for name in line.split("|") if name]
    for left, right in combinations(map(spelling, names), 2):
        assert left.key != right.key
        assert not may_be_one(left, right)


def test_nobody_has_no_key():
    assert spelling("?").key == spelling("Black").key == ""


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("창호", "ch'ang-ho"),
        ("창호", "changho"),
        ("세돌", "se-tol"),
        ("준", "jun"),
        ("승아", "seungah"),
    ],
)
def test_hangul_is_among_the_readings(hangul, latin):
    assert hangul_reading(hangul) in latin_readings(latin)


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [("승현", "seonghyeon"), ("성현", "seunghyun"), ("창호", "jang-ho"), ("준", "joon g")],
)
def test_hangul_is_not_among_the_readings(hangul, latin):
    assert hangul_reading(hangul) not in latin_readings(latin)


def test_what_is_not_korean_has_no_readings():
    assert not latin_readings("xiaochun")
    assert not latin_readings("")


def test_romaji():
    assert romaji_key("syozi") == romaji_key("shoji") == romaji_key("shouji")
    assert romaji_key("honimbo") == romaji_key("honinbo")
    assert romaji_key("shuwa") == "shuwa"
    assert romaji_key("ohira") == "ohira"
    assert romaji_key("xu") is romaji_key("redmond") is None


def test_wade_giles():
    assert pinyin_of("hsiao") == {"xiao"}
    assert pinyin_of("chung") == {"zhong", "chong"}
    assert pinyin_of("ch'ung") == {"chong"}
    assert pinyin_of("xiao") == frozenset()


@pytest.mark.parametrize(
    "forms",
    ["李鎬 李镐", "張 张", "芝野龍之介 芝野龙之介", "黒瀧正樹 黑泷正树", "髙嶋 高岛", "沢澤 泽泽"],
)
def test_forms_of_a_character(forms):
    left, right = forms.split()
    assert one_form(left) == one_form(right)


@pytest.mark.parametrize("two", ["于於", "余餘", "范範", "升昇", "朴樸", "徹撤", "彰影"])
def test_two_characters(two):
    assert one_form(two[0]) != one_form(two[1])
