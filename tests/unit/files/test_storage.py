"""Files at URLs: names, errors, and outputs that appear only when they are complete."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="URLs need pyarrow")

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files import storage
from ocgdedup.files.inputs import list_shared_inputs
from tests.support.object_store import ObjectStore, object_store
from tests.support.pgn_text import game


@pytest.fixture(scope="module")
def s3() -> Iterator[ObjectStore]:
    with object_store() as store:
        yield store


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("file:///tmp/a%20b.pgn", "/tmp/a b.pgn"),
        ("file:/tmp/a.pgn", "/tmp/a.pgn"),
        ("file://localhost/tmp/a.pgn", "/tmp/a.pgn"),
        ("FILE:///tmp/a#1?.pgn", "/tmp/a#1?.pgn"),
        ("s3a://bucket/folder/", "s3a://bucket/folder"),
        ("s3://bucket/a%20b.pgn", "s3://bucket/a%20b.pgn"),
    ],
)
def test_addresses_of_files(given: str, expected: str) -> None:
    assert storage.located(given) == expected


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("https://example.org/a.pgn", "is an address, not a file; download it first: curl"),
        ("file://server/a.pgn", "names the machine 'server'; write file:///a.pgn"),
    ],
)
def test_addresses_of_other_machines_are_refused(address: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        storage.located(address)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("s3://games/none.pgn", "s3://games/none.pgn: there is no such file or folder"),
        ("s3://games/*.pgn", "without patterns"),
        ("s3://other-bucket/a.pgn", "s3://other-bucket/a.pgn: there is no such file or folder"),
        ("s3://KEY:SECRET@games/a.pgn", "s3://: the address has a password"),
        ("cosn://bucket/a.pgn", "pyarrow has no file system for cosn://; it has s3, gs"),
        ("s3://games/base.si4", "Scid databases are read from disks only"),
        ("s3://games/letters", "s3://games/letters: no PGN or SGF file in this folder"),
    ],
)
def test_errors_name_the_url_and_a_remedy(s3: ObjectStore, url: str, problem: str) -> None:
    s3.put("base.si4", b"Scid.si")
    s3.put("letters/dear.txt", b"dear")
    with pytest.raises((UsageError, PgnReadError)) as caught:
        list_shared_inputs([url])
    assert problem in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_hdfs_without_its_library_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HADOOP_HOME", "ARROW_LIBHDFS_DIR"):
        monkeypatch.delenv(name, raising=False)
    if storage.can_open("hdfs://nowhere:9000/a.pgn"):
        pytest.skip("libhdfs is installed")
    with pytest.raises(
        UsageError, match=r"hdfs://nowhere:9000/: cannot be used: .*set HADOOP_HOME"
    ):
        list_shared_inputs(["hdfs://nowhere:9000/a.pgn"])


def test_wrong_credentials_are_an_error(
    s3: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that cannot be reached is no empty store."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    storage._file_system.cache_clear()
    with pytest.raises(
        PgnReadError, match=r"s3://games/a\.pgn: cannot be read: .*; check the addr"
    ):
        list_shared_inputs(["s3://games/a.pgn"])
    with pytest.raises(UsageError, match=r"s3://games/out: cannot be written: .*; check the addr"):
        storage.check_output("s3://games/out")
    with pytest.raises(
        OSError, match=r"AWS|onnect"
    ) as caught:  # not a damaged file: Spark tries again
        storage.open_file("s3://games/a.pgn")
    assert caught.value.errno == errno.EIO
    storage._file_system.cache_clear()


def test_unreachable_store_of_google_is_not_tried_for_long() -> None:
    system, _ = storage._file_system("gs", "games")
    _, (options,) = system.__reduce__()
    assert options["retry_time_limit"] == timedelta(minutes=1)


def test_errors_that_only_arrow_has_are_errors_of_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without credentials for Azure, pyarrow raises a class that is no OSError."""
    from pyarrow import ArrowException

    class WithoutCredentials:
        def get_file_info(self, key: str) -> None:
            raise ArrowException(f"Unknown error: no token for {key}")

    monkeypatch.setattr(storage, "_file_system", lambda *_: (WithoutCredentials(), "games"))
    with pytest.raises(
        PgnReadError, match=r"abfss://games@a\.net/b\.pgn: .*no token .*; check the"
    ):
        list_shared_inputs(["abfss://games@a.net/b.pgn"])


def test_folder_has_its_files_by_name_or_content(s3: ObjectStore) -> None:
    for key in ("b.pgn", "a.pgn.gz", "deep/er/c.sgf", "letter.txt", ".hidden.pgn", ".d/e.pgn"):
        s3.put(f"in/{key}", b"some text")
    s3.put("in/games", game("1. e4 *").encode())
    warnings: list[str] = []
    files = list_shared_inputs(["s3a://games/in/"], warn=warnings.append)
    assert warnings == ["s3a://games/in: not read, since not PGN or SGF: letter.txt"]
    names = [file.path_as_given.removeprefix("s3a://games/in/") for file in files]
    assert names == ["a.pgn.gz", "b.pgn", "deep/er/c.sgf", "games"]
    assert [file.size_bytes for file in files[:3]] == [9] * 3


def test_lossless_tables_in_a_store_are_read_with_spark(s3: ObjectStore) -> None:
    for key in ("manifest.json", "sources.parquet", "games/part-00000.parquet"):
        s3.put(f"tables/{key}", b"{}")
    with pytest.raises(
        UsageError, match=r"^s3://games/tables: .*read\.parquet\('s3://games/tables"
    ):
        list_shared_inputs(["s3://games/tables/"])


def fail_after(path: str, text: bytes) -> None:
    with storage.new_file(path, 7) as handle:
        handle.write(text)
        raise ZeroDivisionError


@pytest.mark.parametrize("place", ["disk", "s3"])
def test_file_has_its_name_only_when_it_is_complete(
    s3: ObjectStore, tmp_path: Path, place: str
) -> None:
    folder = str(tmp_path) if place == "disk" else "s3://games/new"
    with storage.new_file(f"{folder}/a") as handle:
        handle.write(b"first")
    large = os.urandom(1 << 20) * 11  # more than one part of an upload
    for name, text in (("a", large), ("b", b"")):
        with pytest.raises(ZeroDivisionError):
            fail_after(f"{folder}/{name}", text)
    assert storage.names_in(folder) == ["a"]
    with storage.open_file(f"{folder}/a") as handle:
        assert handle.read() == b"first"
    with storage.new_file(f"{folder}/a") as handle:
        handle.write(large)
    with storage.open_file(f"{folder}/a") as handle:
        assert handle.read(10) == large[:10]
        handle.seek(-5, os.SEEK_END)
        assert handle.read() == large[-5:]
    storage.delete_folder(folder)
    storage.delete_folder(folder)
    assert storage.names_in(folder) == []
