"""The folder with the files of a search: written, published, stale, damaged, killed."""

from __future__ import annotations

import itertools
import os
import random
import resource
import signal
import threading
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ocgdedup._kernels.search import pack_keys
from ocgdedup.pipeline.search import search_files
from ocgdedup.pipeline.search.search_files import (
    NewSearchFiles,
    SearchFiles,
    folder_of,
    size_on_disk,
)
from tests.reference.key_runs import Key, bucket_of, buckets_of, lookup

GAMES = 1 << 26
TOKEN, NEXT = "0123456789abcdef", "fedcba9876543210"
MANY = 2000


@pytest.fixture
def path(tmp_path: Path) -> str:
    database = tmp_path / "games.db3"
    database.write_bytes(b"anything")
    return str(database)


def add(new: NewSearchFiles, keys: list[Key]) -> None:
    buckets = buckets_of(keys)
    for bucket in {bucket_of(hashed) for hashed, _ in keys}:
        new.add_keys("moves", bucket, pack_keys(buckets, bucket))


def write(
    path: str, token: str, keys: list[Key], last: SearchFiles | None = None, order: bytes = b"order"
) -> None:
    with NewSearchFiles(path, last) as new:
        new.write("order", [order[:2], memoryview(order)[2:]])
        add(new, keys)
        new.commit(token)


def opened(path: str, token: str = TOKEN) -> SearchFiles:
    files = SearchFiles.open(path, token)
    assert files is not None
    return files


def found(files: SearchFiles, keys: list[Key]) -> list[int]:
    hashes = array("Q", sorted({hashed for hashed, _ in keys}))
    return files.runs.lookup("moves", hashes, GAMES).tolist()


def some_keys(seed: int, count: int = 200) -> list[Key]:
    rng = random.Random(seed)
    return [(rng.randrange(1 << 38), rng.randrange(1000)) for _ in range(count)]


def test_what_is_written_is_read_again(path: str) -> None:
    keys = some_keys(1)
    write(path, TOKEN, keys)
    files = opened(path)
    assert (files.bytes("order"), bytes(files.map("order"))) == (b"order", b"order")
    assert found(files, keys) == lookup(keys, {hashed for hashed, _ in keys})
    lock, manifest = (os.path.getsize(Path(folder_of(path), name)) for name in ("lock", "MANIFEST"))
    assert size_on_disk(path) == files.size_bytes + manifest + lock
    with pytest.raises(KeyError):
        files.map("other")


def test_an_update_keeps_files_and_runs_of_the_last_search(path: str) -> None:
    first, second = some_keys(1, MANY), some_keys(2, 9)
    write(path, TOKEN, first)
    last = opened(path)
    with NewSearchFiles(path, last) as new:
        new.keep("order")
        new.write("counts", [])
        add(new, second)
        new.commit(NEXT)
    assert SearchFiles.open(path, TOKEN) is None
    files = opened(path, NEXT)
    assert (files.bytes("order"), files.bytes("counts")) == (b"order", b"")
    every = first + second
    assert found(files, every) == lookup(every, {hashed for hashed, _ in every})
    assert len(files.manifest.runs) == 2
    # What a reader has mapped stays.
    assert last.bytes("order") == b"order"
    assert found(last, every) == lookup(first, {hashed for hashed, _ in every})


def test_many_updates_leave_few_runs(path: str) -> None:
    every, most = some_keys(0, 20 * MANY), 0
    write(path, "0", every)
    for number in range(1, 60):
        keys = some_keys(number, MANY)
        every += keys
        write(path, str(number), keys, opened(path, str(number - 1)))
        most = max(most, len(opened(path, str(number)).manifest.runs))
    files = opened(path, "59")
    assert 1 < most < 6
    assert found(files, every) == lookup(every, {hashed for hashed, _ in every})
    # Merged runs leave nothing behind.
    assert len(os.listdir(folder_of(path))) == 3 + len(files.manifest.runs)


def test_files_of_another_search_are_not_used(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SearchFiles.open(path, TOKEN) is None
    write(path, TOKEN, some_keys(1))
    assert SearchFiles.open(path, NEXT) is None
    number, *others = search_files._WRITTEN_BY
    for written_by in ([number, "0.0.0", "little"], [number + 1, *others]):
        with monkeypatch.context() as patch:
            patch.setattr(search_files, "_WRITTEN_BY", written_by)
            assert SearchFiles.open(path, TOKEN) is None
    opened(path)


def test_no_commit_leaves_nothing(path: str) -> None:
    with NewSearchFiles(path) as new:
        new.write("order", [b"1"])
        add(new, some_keys(1))
    assert not os.path.exists(folder_of(path))
    write(path, TOKEN, some_keys(1))
    with NewSearchFiles(path, opened(path)) as new:
        new.write("order", [b"1"])
        add(new, some_keys(2))
    assert opened(path).bytes("order") == b"order"
    assert len(os.listdir(folder_of(path))) == 4


def test_one_process_writes_at_a_time(path: str) -> None:
    with NewSearchFiles(path) as first, NewSearchFiles(path) as second:
        assert (first.is_open, second.is_open) == (True, False)
        second.write("order", [b"2"])
        add(second, some_keys(2))
        second.commit(NEXT)
        first.write("order", [b"1"])
        first.commit(TOKEN)
    assert opened(path).bytes("order") == b"1"


def test_a_place_that_cannot_be_written_is_no_error(path: str, tmp_path: Path) -> None:
    Path(folder_of(path)).write_text("a file of somebody else")
    write(path, TOKEN, some_keys(1))
    assert SearchFiles.open(path, TOKEN) is None
    assert size_on_disk(path) == 0
    assert Path(folder_of(path)).read_text() == "a file of somebody else"
    missing = str(tmp_path / "missing" / "games.db3")
    Path(tmp_path / "missing").write_text("no folder")
    write(missing, TOKEN, some_keys(1))
    assert SearchFiles.open(missing, TOKEN) is None


@pytest.fixture
def small_files() -> Iterator[None]:
    """Make writing fail beyond 20,000 bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.parametrize(("order", "keys"), [(b"o" * 30_000, 1), (b"order", 20 * MANY)])
def test_a_full_disk_is_no_error(path: str, small_files: None, order: bytes, keys: int) -> None:
    write(path, TOKEN, some_keys(1))
    write(path, NEXT, some_keys(2, keys), opened(path), order)
    assert opened(path).bytes("order") == b"order"
    assert len(os.listdir(folder_of(path))) == 4


def test_private_databases_have_private_files(path: str) -> None:
    os.chmod(path, 0o640)
    write(path, TOKEN, some_keys(1))
    modes = {
        os.stat(Path(folder_of(path), file.name)).st_mode & 0o777
        for file in (*opened(path).manifest.files.values(), *opened(path).manifest.runs)
    }
    assert modes == {0o640}


def test_threads_write_keys_at_the_same_time(path: str) -> None:
    keys = some_keys(3, MANY)
    buckets = buckets_of(keys)
    with NewSearchFiles(path) as new:

        def add_some(first: int) -> None:
            for bucket in range(first, 64, 4):
                new.add_keys("moves", bucket, pack_keys(buckets, bucket))

        threads = [threading.Thread(target=add_some, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        new.commit(TOKEN)
    assert found(opened(path), keys) == lookup(keys, {hashed for hashed, _ in keys})


def test_damage_is_noticed(path: str) -> None:
    keys = some_keys(5, 40)
    rng = random.Random(5)
    write(path, TOKEN, keys, order=b"order" * 9)
    right = found(opened(path), keys), b"order" * 9
    for name in os.listdir(folder_of(path)):
        file = Path(folder_of(path), name)
        content = file.read_bytes()
        changes = [content[:-1], content + b"\0"] if name != "lock" else []
        for bit in rng.sample(range(8 * len(content)), min(60, 8 * len(content))):
            changed = bytearray(content)
            changed[bit >> 3] ^= 1 << (bit & 7)
            changes.append(bytes(changed))
        for changed in changes:
            file.write_bytes(changed)
            files = SearchFiles.open(path, TOKEN)
            if files is not None:
                with pytest.raises(ValueError, match="damaged"):
                    assert (found(files, keys), files.bytes("order")) != right
        file.unlink()
        assert name == "lock" or SearchFiles.open(path, TOKEN) is None
        file.write_bytes(content)
    assert (found(opened(path), keys), opened(path).bytes("order")) == right


def kill_at(step: int) -> None:
    """Kill this process right before a call of the file system, counted from 0."""
    calls = itertools.count()

    def counted(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
        if next(calls) == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **options)

    for name in ("makedirs", "open", "fsync", "replace", "remove", "close"):
        setattr(os, name, partial(counted, getattr(os, name)))


def test_a_killed_process_leaves_nothing_that_counts(path: str) -> None:
    """Kill a process at each step of writing: the files are the old ones or the new ones."""
    keys, more = some_keys(7), some_keys(8)
    every = keys + more
    outcomes = []
    for step in range(99):
        write(path, TOKEN, keys)  # also deletes what a killed process left
        assert len(os.listdir(folder_of(path))) == 4
        child = os.fork()
        if child == 0:
            kill_at(step)
            write(path, NEXT, more, SearchFiles.open(path, TOKEN), b"new")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        old, new = SearchFiles.open(path, TOKEN), SearchFiles.open(path, NEXT)
        assert (old is None) != (new is None)
        if old is not None:
            assert old.bytes("order") == b"order"
            assert found(old, keys) == lookup(keys, {hashed for hashed, _ in keys})
        if new is not None:
            assert new.bytes("order") == b"new"
            assert found(new, every) == lookup(every, {hashed for hashed, _ in every})
        outcomes.append(old is None)
        if status == 0:
            break
    assert 12 < len(outcomes) < 99
    assert outcomes == sorted(outcomes)
    assert {*outcomes} == {False, True}
