"""Pieces of files: the texts of adjoining spans are the text of the file, or reading fails."""

from __future__ import annotations

import bz2
import contextlib
import io
import random
import sys
from itertools import pairwise

import pytest

from ocgdedup.errors import PgnReadError
from ocgdedup.files.decompress import RawFile, read_up_to
from ocgdedup.files.pieces import BZIP2, PLAIN, ZSTD, form_of, is_single_piece, pieces

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SKIPPABLE = b"\x5e\x2a\x4d\x18\x04\0\0\0seek"


def text_of_spans(data: bytes, form: str, spans: int) -> bytes:
    borders = [len(data) * span // spans for span in range(spans + 1)]
    texts = []
    for start, end in pairwise(borders):
        source = pieces(RawFile(io.BytesIO(data), "a", can_seek=True), form, start, end, len(data))
        while block := read_up_to(source.read_some, 100_000):
            texts.append(block)
    return b"".join(texts)


def some_text(size: int, seed: int = 1) -> bytes:
    """Return text of which each bzip2 block ends at another bit."""
    words = [b"e4", b"Nf3", b"O-O", b"\n", b"Qxh7+", b"[Event ", b"1-0"]
    return b" ".join(random.Random(seed).choices(words, k=size // 4))


TEXT = some_text(1_500_000)


def in_frames(text: bytes, size: int) -> bytes:
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    return b"".join(zstd.compress(part) + SKIPPABLE for part in parts)


@pytest.mark.parametrize("spans", [1, 3, 25])
@pytest.mark.parametrize(
    ("form", "data", "text"),
    [
        (PLAIN, TEXT, TEXT),
        (BZIP2, bz2.compress(TEXT), TEXT),
        (BZIP2, bz2.compress(TEXT, 1), TEXT),
        (BZIP2, bz2.compress(TEXT, 1) + bz2.compress(b"") + bz2.compress(TEXT), TEXT * 2),
        (BZIP2, bz2.compress(b"\0" * 4_000_000), b"\0" * 4_000_000),
        (ZSTD, zstd.compress(TEXT), TEXT),
        (ZSTD, in_frames(TEXT, 90_000), TEXT),
        (ZSTD, SKIPPABLE + in_frames(TEXT, 300), TEXT),
        (ZSTD, in_frames(b"(\xb5/\xfd" * 20_000, 9_000), b"(\xb5/\xfd" * 20_000),
    ],
    ids=["plain", "9", "1", "streams", "runs", "one frame", "frames", "small frames", "magics"],
)  # fmt: skip
def test_text_of_spans_is_that_of_the_file(form: str, data: bytes, text: bytes, spans: int) -> None:
    assert form_of(data[:20]) == form
    assert text_of_spans(data, form, spans) == text


def test_frames_of_incompressible_data_contain_many_magics() -> None:
    """Bytes that only look like the start of a frame cut nothing."""
    text = random.Random(2).randbytes(50_000) + b"\x28\xb5\x2f\xfd\x04\x00\x01\0\0" * 1000
    data = in_frames(text, 60_000)
    with contextlib.suppress(PgnReadError):  # the caller then reads the whole file
        assert text_of_spans(data, ZSTD, 40) == text


def test_large_frames_are_not_searched_by_each_span(monkeypatch: pytest.MonkeyPatch) -> None:
    single = zstd.compress(TEXT)
    assert is_single_piece(RawFile(io.BytesIO(single), "a", can_seek=True), ZSTD, len(single))
    framed = in_frames(TEXT, 90_000)
    assert not is_single_piece(RawFile(io.BytesIO(framed), "a", can_seek=True), ZSTD, len(framed))
    monkeypatch.setattr("ocgdedup.files.pieces._MOST_FRAME_BYTES", 1 << 16)
    monkeypatch.setattr("ocgdedup.files.pieces._READ_BYTES", 1 << 12)
    assert text_of_spans(framed, ZSTD, 5) == TEXT
    with pytest.raises(PgnReadError, match="no zstd frame begins in 0 MB from byte"):
        text_of_spans(zstd.compress(b"") + single, ZSTD, 5)


@pytest.mark.parametrize("spans", [1, 2, 5])
def test_damage_is_never_passed_over(spans: int) -> None:
    numbers = random.Random(spans)
    whole = bz2.compress(TEXT, 1) + bz2.compress(TEXT[:1000])
    cases = [whole[:size] for size in (4, 20, 100_000, len(whole) - 3, len(whole) - 20)]
    cases += [whole + b"BZh9", whole + b"more", bz2.compress(TEXT, 1) + b"more" + whole]
    for _ in range(20):
        damaged = bytearray(whole)
        damaged[numbers.randrange(10, len(whole) - 60)] ^= 1 << numbers.randrange(8)
        cases.append(bytes(damaged))
    framed = in_frames(TEXT, 90_000)
    for form, data in [(BZIP2, case) for case in cases] + [(ZSTD, framed[:-40])]:
        with pytest.raises(PgnReadError):
            text_of_spans(data, form, spans)
