"""Results of a run do not depend on the order of the games or on how they were imported."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.dedup import dedup
from ocgdedup.commands.dedup_search import DedupRequest
from ocgdedup.pipeline.search.groups import ResolveOptions
from ocgdedup.pipeline.search.named_options import NamedOptions
from tests.support.databases import Silent
from tests.support.dedup_results import (
    by_label,
    content,
    differences,
    groups,
    suspects,
)
from tests.support.played_games import (
    Record,
    collection,
    collection_text,
    expected_groups,
    game_of,
    pgn_text,
)

MERGING = (
    ResolveOptions(),
    ResolveOptions(merge=False),
    ResolveOptions(merge_variations=True),
    ResolveOptions(keep="longest"),
    ResolveOptions(keep="annotated", merge_variations=True),
)


def run(path: Path, options: ResolveOptions = MERGING[0], **request: Any) -> None:
    dedup(
        DedupRequest(str(path), NamedOptions.of_resolve(options), **request),
        may_upgrade=lambda _: False,
        reporter=Silent(),
    )


def write(folder: Path, records: Sequence[Record], name: str) -> str:
    path = folder / name
    path.write_text("".join(map(pgn_text, records)), encoding="utf-8")
    return str(path)


def load(path: Path, *inputs: str, append: bool = False, jobs: int = 1) -> Path:
    create(CreateRequest(str(path), list(inputs), append=append, jobs=jobs), Silent())
    return path


def parts_of(records: Sequence[Record], cuts: Sequence[int]) -> list[Sequence[Record]]:
    places = [0, *sorted(cuts), len(records)]
    return [records[first:last] for first, last in pairwise(places)]


def shuffled(seed: int) -> list[Record]:
    records = list(collection())
    random.Random(seed).shuffle(records)
    return records


@pytest.mark.parametrize("seed", range(4))
def test_order_of_the_games(tmp_path: Path, seed: int) -> None:
    """Groups, kept games, merged values and possible duplicates are the same."""
    results = []
    for name, records in (("made", collection()), ("shuffled", shuffled(seed))):
        path = load(tmp_path / f"{name}.db3", write(tmp_path, records, "in.pgn"))
        run(path, MERGING[2])
        results.append((groups(path), suspects(path), by_label(path)))
    assert results[0] == results[1]
    assert results[0][0] == expected_groups()


def test_order_of_the_files(tmp_path: Path) -> None:
    files = [
        write(tmp_path, part, f"{number}.pgn")
        for number, part in enumerate(parts_of(collection(), [9, 25, 41]))
    ]
    results = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)):
        path = load(tmp_path / f"{order}.db3", *(files[number] for number in order))
        run(path)
        results.append((groups(path), suspects(path), by_label(path)))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("options", MERGING)
@pytest.mark.parametrize("cuts", [[28], [5, 20, 30, 50], [1, 2, 55]], ids=str)
def test_games_that_come_in_parts(tmp_path: Path, options: ResolveOptions, cuts: list[int]) -> None:
    """Runs after each part give the same tables as one run over all parts."""
    files = [
        write(tmp_path, part, f"{number}.pgn")
        for number, part in enumerate(parts_of(shuffled(len(cuts)), cuts))
    ]
    fresh = load(tmp_path / "fresh.db3", *files)
    run(fresh, options)
    grown = load(tmp_path / "grown.db3", files[0])
    run(grown, options)
    for file in files[1:]:
        load(grown, file, append=True)
        run(grown, options)
    changes = differences(content(fresh, note_ids=False), content(grown, note_ids=False))
    assert changes == {}
    before = grown.read_bytes()
    run(grown, options)
    assert grown.read_bytes() == before


@pytest.mark.parametrize("jobs", [2, 3])
def test_threads(tmp_path: Path, jobs: int) -> None:
    text = collection_text() * 14  # several blocks for each thread
    (tmp_path / "in.pgn").write_text(text, encoding="utf-8")
    results = []
    for name, number in (("one", 1), ("many", jobs)):
        path = load(tmp_path / f"{name}.db3", str(tmp_path / "in.pgn"), jobs=number)
        run(path)
        results.append(content(path))
    assert results[0] == results[1]


@pytest.mark.parametrize("options", MERGING)
def test_a_full_run_comes_to_the_same(tmp_path: Path, options: ResolveOptions) -> None:
    path = load(tmp_path / "a.db3", write(tmp_path, collection(), "in.pgn"))
    run(path, options)
    before = content(path, note_ids=False)
    run(path, options, full=True)
    assert differences(before, content(path, note_ids=False)) == {}


@pytest.mark.parametrize("options", MERGING)
def test_a_run_with_other_options_before_makes_no_difference(
    tmp_path: Path, options: ResolveOptions
) -> None:
    path = load(tmp_path / "a.db3", write(tmp_path, collection(), "in.pgn"))
    fresh = load(tmp_path / "b.db3", str(tmp_path / "in.pgn"))
    for other in (*MERGING, options):
        run(path, other)
    run(fresh, options)
    assert differences(content(fresh, note_ids=False), content(path, note_ids=False)) == {}


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[Record], bool]]:
    """Draw batches of records, and after which batches to run dedup; always after the last."""
    some = st.lists(st.sampled_from(collection()), min_size=1, max_size=6)
    batches = draw(st.lists(st.tuples(some, st.booleans()), min_size=1, max_size=5))
    records, _ = batches[-1]
    return [*batches[:-1], (records, True)]


@pytest.mark.slow
@settings(max_examples=15)
@given(histories(), st.sampled_from(MERGING))
def test_any_history(history: list[tuple[list[Record], bool]], options: ResolveOptions) -> None:
    """Imports with or without runs in between give the result of one import of all records."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [
            write(folder, records, f"{number}.pgn") for number, (records, _) in enumerate(history)
        ]
        fresh = load(folder / "fresh.db3", *files)
        run(fresh, options)
        grown = folder / "grown.db3"
        for number, (file, (_, is_run)) in enumerate(zip(files, history, strict=True)):
            load(grown, file, append=number > 0)
            if is_run:
                run(grown, options)
        changes = differences(content(fresh, note_ids=False), content(grown, note_ids=False))
        assert changes == {}
        for group in groups(
            fresh
        ):  # 35 is a copy of 33, or 34, where it is there without the other
            assert len({game_of(label) for label in group} - {"35"}) <= 1


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.sampled_from(collection()), max_size=20), st.randoms(use_true_random=False))
def test_any_order(records: list[Record], rng: random.Random) -> None:
    """Even with repeated records."""
    with tempfile.TemporaryDirectory() as name:
        results = []
        for _ in range(2):
            path = Path(name) / f"{len(results)}.db3"
            run(load(path, write(Path(name), records, "in.pgn")))
            sizes = sorted(
                (min(group), sum(record.label in group for record in records))
                for group in groups(path)
            )
            results.append((groups(path), suspects(path), sizes))
            rng.shuffle(records)
        assert results[0] == results[1]
