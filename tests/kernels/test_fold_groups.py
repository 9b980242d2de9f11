"""Names that differ only in how they are written: the kernel against plain Python."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from ocgdedup.matching.canonical_name import fold_groups
from tests.reference.fold_keys import fold_groups as plain_groups

WORDS = st.sampled_from(
    ["Ma", "Xiang", "Zhi", "Xiangzhi", "MA", "van", "der", "Berg", "vanderBerg", "J", "J.", "P",
     "GM", "Jr", "II", "1990", "8", "2", "(GER)", "GER", "Müller", "Muller", "Mueller", "Łuk",
     "Таль", "Tal", "이세돌", "NN", "Fritz", "OdoViel", "moth_99", "moth-99", "moth99", "O'Neil",
     "Éva", "ß", "ss", "伊", "x" * 190]
)  # fmt: skip
SIGNS = st.sampled_from([" ", ", ", ",", "", "  ", "-", "_"])
NAMES = st.one_of(
    st.builds(
        lambda first, others: first + "".join(sign + word for sign, word in others),
        WORDS, st.lists(st.tuples(SIGNS, WORDS), max_size=4),
    ),
    st.sampled_from(["", "?", ",", " , ", "Li Chao2", "Li,Chao2", "Li Chao 2", "Stockfish 15",
                     "Ли Чао2", "GM", "N.N. 2", "\ud800 x", "(2), Jan"]),
)  # fmt: skip


@given(st.lists(NAMES, max_size=9))
@example(["Li Chao2", "Chao, Li2", "Li, Chao2", "LI CHAO2", "Li Chao 2"])
@example(["Ma Xiang Zhi", "Zhi Ma Xiang", "Ma, Xiangzhi", "Xiangzhi Ma", "ma xiangzhi"])
def test_groups_are_those_of_plain_python(names: list[str]) -> None:
    actual = fold_groups(names)
    first: dict[int, int] = {}
    for index, number in enumerate(actual):
        if number is not None:
            first.setdefault(number, index)
    assert [None if n is None else first[n] for n in actual] == plain_groups(names)
