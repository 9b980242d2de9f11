"""Names of Go players as the kernel of copies compares them."""

import pytest

from ocgdedup._kernels import names as name_kernel
from ocgdedup.matching.names.go_spelling import plain_go_name
from ocgdedup.matching.names.letters import plain_letters


def relation(left, right):
    """Return how the kernel takes two names, folded as the search for copies does."""
    return name_kernel.relation(*(plain_letters(plain_go_name(name)) for name in (left, right)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Lee Changho", "Yi Ch'ang-ho, 9p"),
        ("이창호", "Yi Ch'ang-ho"),
        ("Changho Lee", "Lee Chang Ho 9 dan"),
        ("Yoo Changhyuk", "Yu Ch'ang-hyeok"),
        ("Ōtake Hideo", "Ohtake, Hideo"),
        ("Michael Redmond", "Redmond, Michael 9p"),
        ("Cho Chikun & O Rissei", "O Rissei 9p & Cho Chikun, Judan"),
        ("Honinbo Cho Chikun", "Cho Chikun"),
        ("Sakaguchi Sentoku II", "Sakaguchi Sentoku II"),
    ],
)
def test_one_name(left, right):
    assert relation(left, right) == name_kernel.EQUAL


def test_characters():
    assert plain_go_name("柯潔") == plain_go_name("柯洁 九段")
    assert plain_go_name("聶衛平") == plain_go_name("聂卫平")
    assert plain_go_name("柯潔") != plain_go_name("古力")


def test_an_initial_is_no_korean_surname():
    assert relation("Sato Ichiro", "Sato I.") == name_kernel.COMPATIBLE
    assert relation("I Changho", "Lee Changho") == name_kernel.EQUAL


@pytest.mark.parametrize(
    ("left", "right"),
    [("Lee Changho", "Cho Hunhyun"), ("Rin Kaiho", "Otake Hideo"), ("Ke Jie", "Gu Li")],
)
def test_two_people(left, right):
    assert relation(left, right) == name_kernel.DIFFERENT


def test_marked_generations_are_two():
    assert relation("Yasui Santetsu II", "Yasui Santetsu III") == name_kernel.NAMESAKE


@pytest.mark.parametrize("name", ["?", "", "Black", "黑", "NN & NN"])
def test_nobody(name):
    assert name_kernel.is_unknown(plain_go_name(name))
