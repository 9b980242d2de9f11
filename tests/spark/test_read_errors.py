"""Errors while a task reads its part of a file: damage is listed, a failing disk is not damage."""

from __future__ import annotations

import bz2
import errno
import io
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the search on Spark needs pyspark")

from ocgdedup.errors import PgnReadError
from ocgdedup.files.decompress import RawFile
from ocgdedup.spark import pgn
from tests.support.pgn_text import game

TEXT = "".join(game("1. e4 e5 *", Round=number) for number in range(500)).encode()


class FailingFile(io.BytesIO):
    """A file on a disk that fails once most of it is read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() > len(TEXT) * 3 // 4:
            raise OSError(errno.EIO, "Input/output error")
        return super().read(min(size or 0, 1000))


def test_an_error_of_the_disk_ends_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(TEXT)

    def on_failing_disk(_: object, name: str, **options: Any) -> RawFile:
        return RawFile(FailingFile(TEXT), name, **options)

    monkeypatch.setattr(pgn, "RawFile", on_failing_disk)
    split = pgn.Split(0, 0, "a.pgn", str(path), len(TEXT), 0, len(TEXT))
    with pytest.raises(PgnReadError, match="reading failed at byte"):
        list(pgn._chunks_of_splits([(split, path.open("rb"))]))


def test_damage_of_a_compressed_file_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn.bz2"
    packed = bytearray(bz2.compress(TEXT))
    packed[len(packed) // 2] ^= 0xFF
    path.write_bytes(packed)
    split = pgn.Split(0, 0, "a.pgn.bz2", str(path), len(packed))
    *_, last = pgn._chunks_of_splits([(split, path.open("rb"))])
    assert last["Problems"][0].as_py() is not None
