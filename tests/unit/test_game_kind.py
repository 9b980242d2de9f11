"""The kinds of games."""

import copy
import pickle

import pytest

from ocgdedup.game_kind import CHESS, GAME_KINDS, GO, kind_of


@pytest.mark.parametrize("kind", GAME_KINDS)
def test_a_kind_stays_one_object(kind):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps([kind], protocol))[0] is kind
    assert copy.copy(kind) is kind
    assert copy.deepcopy(kind) is kind


def test_kernels_name_a_kind_by_a_bool():
    assert [kind_of(kind.is_go) for kind in (CHESS, GO)] == [CHESS, GO]
    assert [kind.is_go for kind in (CHESS, GO)] == [False, True]
