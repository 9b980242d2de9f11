"""Archives whose lengths lie, or that are made to fill memory: told, and all before is read."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from ocgdedup.errors import PgnReadError
from ocgdedup.files.inputs import InputFile, open_sources
from tests.support.packed_texts import make_zip, write

TEXT = b'[Event "x"]\n\n1. e4 e5 *\n\n'
HUGE = 1 << 60


def entry(name: str, content: bytes = b"", *, size: int | None = None, kind: bytes = b"0") -> bytes:
    """Return a header of GNU's and what stands behind it, whatever length it claims."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, len(content) if size is None else size
    info.linkname = name
    return info.tobuf(tarfile.GNU_FORMAT) + content + b"\0" * (-len(content) % 512)


def pax(*records: tuple[bytes, bytes], size: int | None = None) -> bytes:
    lines = [b" %s=%s\n" % record for record in records]
    text = b"".join(b"%02d%s" % (len(line) + 2, line) for line in lines)  # all are short
    return entry("pax", text, size=size, kind=b"x")


def read_archive(file: InputFile) -> tuple[dict[str, bytes], str]:
    """Return the text of each member as far as it can be read, and what was told last."""
    texts, message = {}, ""
    try:
        for stream in open_sources(file):
            parts: list[bytes] = []
            texts[stream.name.rpartition("/")[2]] = parts
            try:
                while block := stream.read(1 << 16):
                    parts.append(block)
            except PgnReadError as error:
                message = str(error)
    except PgnReadError as error:
        message = str(error)
    return {name: b"".join(parts) for name, parts in texts.items()}, message


FIRST, END = entry("a.pgn", TEXT), b"\0" * 1024
HOSTILE = {
    "a member that claims 2^60 bytes": (entry("b.pgn", TEXT, size=HUGE), "b.pgn"),
    "a skipped member that claims 2^60 bytes": (entry("b.txt", TEXT, size=HUGE), "b.txt"),
    "a negative length": (entry("b.pgn", TEXT, size=-1), "-1 bytes"),
    "a long name that claims 2^60 bytes": (entry("n", b"b.pgn\0", size=HUGE, kind=b"L"), "name"),
    "a long name of 10 MB": (entry("n", b"b" * 10_000_000, kind=b"L"), "name"),
    "a pax header that claims 2^60 bytes": (pax((b"path", b"b.pgn"), size=HUGE), "name"),
    "a pax header of another form": (entry("p", b"x" * 600, kind=b"x"), "pax"),
    "a pax header whose record goes on": (entry("p", b"99 path=b.pgn\n", kind=b"x"), "pax"),
    "a pax header of 25 digits": (entry("p", b"9" * 25 + b" a=b\n", kind=b"x"), "pax"),
    "a pax length of 2^60": (
        pax((b"size", b"%d" % HUGE)) + entry("b.pgn", TEXT), "b.pgn"
    ),
    "a pax length that is not a number": (pax((b"size", b"-1")) + entry("b.pgn", TEXT), "length"),
    "no header": (b"no header " * 200, "no member begins"),
    "a wrong check sum": (entry("b.pgn", TEXT)[:148] + b"0000000\0" + b"x" * 356 + END, "check"),
    "the end within a header": (entry("b.pgn", TEXT)[:300], "within the header"),
    "no end mark": (b"", "end mark"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("is_packed", [False, True])
def test_what_a_tar_archive_claims_is_not_believed(
    tmp_path: Path, name: str, is_packed: bool
) -> None:
    content, words = HOSTILE[name]
    whole = FIRST + content + (END if name == "no header" else b"")
    path = tmp_path / "in.tar"
    texts, message = read_archive(write(path, gzip.compress(whole) if is_packed else whole))
    assert texts["a.pgn"] == TEXT
    assert message.startswith(f"{path}: the tar archive is damaged: ")
    assert words in message
    if name.startswith("a member"):
        assert texts["b.pgn"].startswith(TEXT)


@pytest.mark.parametrize("kind", [b"1", b"2", b"3", b"4", b"5", b"6"])
def test_links_devices_and_pipes_have_no_bytes(tmp_path: Path, kind: bytes) -> None:
    odd = entry("loop.pgn", size=HUGE, kind=kind)
    whole = FIRST + odd + entry("b.pgn", TEXT) + END
    assert read_archive(write(tmp_path / "in.tar", whole)) == ({"a.pgn": TEXT, "b.pgn": TEXT}, "")


@pytest.mark.parametrize(
    "odd",
    [
        entry("s.pgn", TEXT, kind=b"S"),
        pax((b"GNU.sparse.major", b"1")) + entry("s.pgn", TEXT),
    ],
)
def test_a_sparse_member_is_told(tmp_path: Path, odd: bytes) -> None:
    whole = FIRST + odd + entry("b.pgn", TEXT) + END
    texts, message = read_archive(write(tmp_path / "in.tar", whole))
    assert texts == {"a.pgn": TEXT, "b.pgn": TEXT}
    assert "s.pgn is stored as a sparse file" in message


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_names_of_any_length(tmp_path: Path, form: int) -> None:
    names = ["a.pgn", "d" * 90 + "/" + "e" * 60 + ".pgn", "ü/" + "棋" * 20 + ".pgn"]
    names += [] if form == tarfile.USTAR_FORMAT else ["x" * 300 + ".pgn"]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.uname = len(TEXT), "ü"
            archive.addfile(info, io.BytesIO(TEXT))
    file = write(tmp_path / "in.tar", buffer.getvalue())
    texts, message = read_archive(file)
    assert (list(texts), message) == ([name.rpartition("/")[2] for name in names], "")


def test_archives_one_behind_the_other(tmp_path: Path) -> None:
    whole = FIRST + END * 4 + entry("b.pgn", TEXT) + END
    assert read_archive(write(tmp_path / "in.tar", whole)) == ({"a.pgn": TEXT, "b.pgn": TEXT}, "")


def test_a_damaged_end_of_a_packed_archive_is_told(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(FIRST + END))
    packed[-8] ^= 1  # of the check sum
    _, message = read_archive(write(tmp_path / "in.tgz", bytes(packed)))
    assert "damaged" in message


# --- memory --------------------------------------------------------------------------------------

ZEROS = b"\0" * (1 << 20)


def bomb(mebibytes: int) -> bytes:
    return gzip.compress(ZEROS * mebibytes, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bomb(64), id="gzip"),
        pytest.param(
            gzip.compress(entry("a.pgn", TEXT) + entry("b.pgn", bomb(64)) + END), id="gzip in tar"
        ),
        pytest.param(make_zip({"a.pgn": ZEROS * 64}), id="zip"),
        pytest.param(gzip.compress(FIRST + pax((b"a", b"b")) * 50_000 + END), id="pax headers"),
        pytest.param(
            gzip.compress(FIRST + entry("a.zip") * 50_000 + END), id="names of archives"
        ),
    ],
)  # fmt: skip
def test_what_unpacks_to_much_is_never_held(tmp_path: Path, content: bytes) -> None:
    file = write(tmp_path / "in.pgn", content)
    tracemalloc.start()
    with contextlib.suppress(PgnReadError):  # archives in archives are told in the end
        for stream in open_sources(file):
            while stream.read(1 << 16):
                pass
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 8 << 20


# --- zip -----------------------------------------------------------------------------------------


def test_zip_members_that_are_one_in_another(tmp_path: Path) -> None:
    """A small file of many members over the same bytes unpacks to terabytes."""
    whole = make_zip({"a.pgn": TEXT * 100})
    directory = whole.index(b"PK\1\2")
    end = whole.index(b"PK\5\6")
    directory_entry = whole[directory:end]
    entries = directory_entry * 1000
    closing = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1000, 1000, len(entries), directory, 0)
    texts, message = read_archive(write(tmp_path / "in.zip", whole[:directory] + entries + closing))
    assert texts == {"a.pgn": TEXT * 100}
    assert "members lie one in another" in message


@pytest.mark.parametrize("field", [18, 22])  # of the local header: packed length, length
@pytest.mark.parametrize("has_directory", [True, False])
def test_zip_lengths_that_lie(tmp_path: Path, field: int, has_directory: bool) -> None:
    whole = bytearray(make_zip({"a.pgn": TEXT, "b.pgn": TEXT}, zipfile.ZIP_STORED))
    if not has_directory:
        del whole[whole.index(b"PK\1\2") :]
    second = whole.index(b"PK\3\4", 1)
    whole[second + field : second + field + 4] = b"\xff\xff\xff\x7f"
    if has_directory:
        place = whole.rindex(b"PK\1\2") + field + 2
        whole[place : place + 4] = b"\xff\xff\xff\x7f"
    texts, message = read_archive(write(tmp_path / "in.zip", bytes(whole)))
    assert texts["a.pgn"] == TEXT
    assert message
    assert str(tmp_path / "in.zip") in message


def test_a_dictionary_that_claims_4_gb(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]
    packed = bytearray(lzma.compress(TEXT, filters=filters))
    place = packed.index(b"\x21\x01", 12) + 2  # LZMA2, one byte of properties
    packed[place] = 40  # 4 GB
    header = packed[12 : 12 + (packed[12] + 1) * 4 - 4]
    packed[12 + len(header) : 16 + len(header)] = zlib.crc32(header).to_bytes(4, "little")
    _, message = read_archive(write(tmp_path / "a.pgn.xz", bytes(packed)))
    assert "a.pgn.xz: the compressed data (xz) are damaged" in message
    assert "limit" in message.lower()
