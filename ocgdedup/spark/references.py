"""Large bytes between workers: files in a folder that all workers reach, and references to them.

Java copies the bytes of each row many times; a reference is a short row. Runs in Spark workers, and
must not import Spark.
"""

from __future__ import annotations

import mmap
import os
import struct
from types import TracebackType
from typing import BinaryIO, Self
from uuid import uuid4

import pyarrow

_MARK = b"\xfeocg-ref"  # no message begins so: those of numbers and of tables have other heads
_PLACE = struct.Struct("<8sqq")  # mark, offset and size in bytes; then the path
_LEAST_BYTES = 1 << 12  # of a value that is referred to
_ALIGNMENT = 64  # of Arrow buffers


class ReferredFile:
    """A new file of a task, made when it is needed; a task that is repeated has another one."""

    def __init__(self, folder: str) -> None:
        self._path = f"{folder}/{uuid4().hex}"
        self._handle: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            self._handle.close()

    def without_large_bytes(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        """Write large values of binary columns to the file; return rows with references."""
        for index, field in enumerate(batch.schema):
            column = batch.column(index)
            if field.type == pyarrow.binary() and column.nbytes >= _LEAST_BYTES:
                values = [self._referred(value) for value in column]
                batch = batch.set_column(index, field, pyarrow.array(values, field.type))
        return batch

    def _referred(self, scalar: pyarrow.BinaryScalar) -> bytes | None:
        value = scalar.as_buffer()
        if value is None or value.size < _LEAST_BYTES:
            small: bytes | None = scalar.as_py()
            return small
        if self._handle is None:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._handle = open(self._path, "xb")  # noqa: SIM115 -- closed at the end of the task
        offset = self._handle.tell()
        self._handle.write(value)
        self._handle.write(bytes(-value.size % _ALIGNMENT))
        return _PLACE.pack(_MARK, offset, value.size) + os.fsencode(self._path)


def content_of(value: memoryview) -> memoryview:
    """Return the bytes that a value refers to, mapped from the file, or the value itself."""
    if bytes(value[: len(_MARK)]) != _MARK:
        return value
    _, offset, size = _PLACE.unpack_from(value)
    start = offset - offset % mmap.ALLOCATIONGRANULARITY
    with open(bytes(value[_PLACE.size :]), "rb") as handle:
        length = offset - start + size
        mapped = mmap.mmap(handle.fileno(), length, access=mmap.ACCESS_READ, offset=start)
    return memoryview(mapped)[offset - start :]
