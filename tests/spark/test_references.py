"""Large bytes between workers go through files."""

from __future__ import annotations

from pathlib import Path

import pyarrow

from ocgdedup.spark.references import ReferredFile, content_of

SCHEMA = pyarrow.schema({"part": "int32", "payload": "binary", "other": "binary"})
SMALL, LARGE, LARGER = b"\xfe" * 100, bytes(range(256)) * 400, bytes(range(255)) * 900


def batch(payloads: list[bytes | None], others: list[bytes | None]) -> pyarrow.RecordBatch:
    columns = {"part": list(range(len(payloads))), "payload": payloads, "other": others}
    return pyarrow.RecordBatch.from_pydict(columns, schema=SCHEMA)


def values(column: pyarrow.Array) -> list[bytes | None]:
    buffers = [value.as_buffer() for value in column]
    return [None if buffer is None else bytes(content_of(memoryview(buffer))) for buffer in buffers]


def test_large_values_are_in_the_file_and_small_ones_in_the_rows(tmp_path: Path) -> None:
    folder = tmp_path / "größe\udcff"
    payloads, others = [SMALL, LARGE, None, b"", LARGER], [LARGE, SMALL, SMALL, None, None]
    with ReferredFile(str(folder)) as file:
        first = file.without_large_bytes(batch(payloads, others))
        second = file.without_large_bytes(batch([LARGER], [b""]))
    for rows in first, second:
        assert rows.schema == SCHEMA
        assert rows.nbytes < 2000
    assert values(first["payload"]) == payloads
    assert values(first["other"]) == others
    assert values(second["payload"]) == [LARGER]
    assert first["payload"][0].as_py() == SMALL
    (path,) = folder.iterdir()
    assert path.stat().st_size < 2 * (len(LARGE) + len(LARGER)) + 500


def test_small_values_need_no_file(tmp_path: Path) -> None:
    with ReferredFile(str(tmp_path / "none")) as file:
        rows = file.without_large_bytes(batch([SMALL] * 200, [None] * 200))
    assert values(rows["payload"]) == [SMALL] * 200
    assert list(tmp_path.iterdir()) == []


def test_a_repeated_task_has_a_file_of_its_own(tmp_path: Path) -> None:
    results = []
    for _ in range(2):
        with ReferredFile(str(tmp_path)) as file:
            results.append(file.without_large_bytes(batch([LARGE], [None])))
    paths = sorted(tmp_path.iterdir())
    assert len(paths) == 2
    paths[0].unlink()
    assert sum(_is_there(rows) for rows in results) == 1


def _is_there(rows: pyarrow.RecordBatch) -> bool:
    try:
        return values(rows["payload"]) == [LARGE]
    except FileNotFoundError:
        return False
