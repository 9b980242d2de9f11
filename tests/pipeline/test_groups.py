"""GroupBatch: groups in arrays read like a sequence of groups."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.pipeline.search.groups import Group, GroupBatch

GROUPS = st.lists(
    st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**32 - 1)), min_size=1)
    .map(lambda games: Group(*map(list, zip(*games, strict=True)))),
)  # fmt: skip


@given(GROUPS)
def test_batch_equals_list_of_groups(groups: list[Group]) -> None:
    batch = GroupBatch.of(groups)
    assert list(batch) == groups
    assert len(batch) == len(groups)
    assert [batch[place] for place in range(len(groups))] == groups
    assert [batch[place] for place in range(-len(groups), 0)] == groups


@given(GROUPS, st.slices(12))
def test_slice_equals_slice_of_list(groups: list[Group], part: slice) -> None:
    assert list(GroupBatch.of(groups)[part]) == groups[part]


@given(GROUPS, GROUPS)
def test_batches_are_equal_if_groups_are(left: list[Group], right: list[Group]) -> None:
    assert (GroupBatch.of(left) == GroupBatch.of(right)) == (left == right)


def test_group_behind_the_last_is_an_error() -> None:
    with pytest.raises(IndexError):
        GroupBatch.of([([1, 2], [0, 0])])[1]


def test_group_of_excluded_games_alone_is_left_out() -> None:
    batch = GroupBatch.of([([1, 2], [0, 0]), ([3, 4], [1, 2])])
    assert list(batch.without({1, 2, 3})) == [Group([3, 4], [1, 2])]
    assert batch.without(set()) is batch
