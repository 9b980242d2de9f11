"""Opening of zip and tar archives: their members, damage."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ocgdedup.errors import PgnReadError
from ocgdedup.files.inputs import InputFile, list_inputs, open_sources
from tests.support.packed_texts import (
    COMPRESS,
    TEXT,
    count_common,
    each_format,
    make_streamed_zip,
    make_zip,
    open_one,
    read_all,
    read_by_name,
    read_until_error,
    use_stdin,
    write,
)

# --- zip

each_method = pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)


@each_method
@pytest.mark.parametrize("make", [make_zip, make_streamed_zip])
def test_zip_members_are_read_in_zip_order(
    tmp_path: Path, method: int, make: Callable[[dict[str, bytes], int], bytes]
) -> None:
    members = {"z.pgn": TEXT, "notes.txt": b"no", "sub/A.PGN": b"two", "empty.pgn": b""}
    path = tmp_path / "all.zip"
    content = make(members, method)
    assert list(read_by_name(write(path, content)).items()) == [
        (f"{path}/z.pgn", TEXT),
        (f"{path}/sub/A.PGN", b"two"),
        (f"{path}/empty.pgn", b""),
    ]


def test_a_zip_is_known_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    assert read_by_name(write(path, make_zip({"b.pgn": TEXT}))) == {f"{path}/b.pgn": TEXT}


@each_format
def test_compressed_zip_members_are_decompressed(tmp_path: Path, kind: str) -> None:
    members = {f"a.pgn.{kind}": COMPRESS[kind](TEXT), "b.pgn": COMPRESS[kind](b"by its bytes")}
    texts = read_by_name(write(tmp_path / "all.zip", make_zip(members)))
    assert list(texts.values()) == [TEXT, b"by its bytes"]


def test_hidden_zip_members_are_skipped(tmp_path: Path) -> None:
    content = make_zip({"a.pgn": b"one", "__MACOSX/._a.pgn": b"\x00\x05\x16\x07"})
    assert list(read_by_name(write(tmp_path / "all.zip", content)).values()) == [b"one"]


@pytest.mark.parametrize("make", [make_zip, make_streamed_zip])
def test_archives_inside_are_no_members_but_are_told(
    tmp_path: Path, make: Callable[[dict[str, bytes]], bytes]
) -> None:
    inner = make_zip({"a.pgn": TEXT})
    members = {"a.zip": inner, "b.pgn": b"two", "sub/c.tar.gz": b"", "._d.zip": inner}
    streams = open_sources(write(tmp_path / "all.zip", make(members)))
    assert read_all(next(streams)) == b"two"
    with pytest.raises(PgnReadError, match=r"were not read: a\.zip, sub/c\.tar\.gz; unpack it"):
        next(streams)


@pytest.mark.parametrize(
    ("name", "flags", "shown"),
    [
        ("棋譜/é.pgn".encode(), 0, "棋譜/é.pgn"),  # Linux zip: UTF-8, and does not say so
        ("棋譜.pgn".encode(), 0x800, "棋譜.pgn"),
        ("é.pgn".encode("cp437"), 0, "é.pgn"),
    ],
)
def test_names_of_zip_members(tmp_path: Path, name: bytes, flags: int, shown: str) -> None:
    whole = make_zip({"x" * len(name): TEXT}).replace(b"x" * len(name), name)
    content = patch_zip_headers(whole, 7, 9, flags >> 8)
    path = write(tmp_path / "all.zip", content)
    assert list(read_by_name(path)) == [f"{tmp_path}/all.zip/{shown}"]


def test_position_in_a_zip_is_that_in_the_file(tmp_path: Path) -> None:
    content = make_zip({"a.pgn": TEXT, "b.pgn": TEXT}, zipfile.ZIP_STORED)
    positions = []
    for stream in open_sources(write(tmp_path / "all.zip", content)):
        read_all(stream)
        positions.append(stream.raw_position())
    assert positions == [35 + len(TEXT), 70 + 2 * len(TEXT)]


@pytest.mark.parametrize("members", [{}, {"a.txt": b"x", "b.gz": b"y"}])
def test_a_zip_without_pgn_is_an_error(tmp_path: Path, members: dict[str, bytes]) -> None:
    with pytest.raises(PgnReadError, match=r"all\.zip: no member of this zip file ends in \.pgn"):
        next(open_sources(write(tmp_path / "all.zip", make_zip(members))))


def patch_zip_headers(content: bytes, local_at: int, central_at: int, value: int) -> bytes:
    """Set one byte in the header of the only member, and in the directory."""
    patched = bytearray(content)
    patched[local_at] = value
    patched[content.rindex(b"PK\x01\x02") + central_at] = value
    return bytes(patched)


def test_an_encrypted_member_is_an_error(tmp_path: Path) -> None:
    content = patch_zip_headers(make_zip({"a.pgn": TEXT}), 6, 8, 0x1)
    with pytest.raises(PgnReadError, match=r"all\.zip/a\.pgn: is encrypted"):
        next(open_sources(write(tmp_path / "all.zip", content)))


def test_an_unknown_zip_method_is_an_error(tmp_path: Path) -> None:
    content = patch_zip_headers(make_zip({"a.pgn": TEXT}), 8, 10, 9)
    with pytest.raises(PgnReadError, match=r"a\.pgn: zip compression method 9 is not supported"):
        next(open_sources(write(tmp_path / "all.zip", content)))


@pytest.mark.parametrize("kind", ["zst", "xz"])
def test_zstd_and_xz_zip_methods_are_read(tmp_path: Path, kind: str) -> None:
    stored = make_zip({"a.pgn": COMPRESS[kind](TEXT)}, zipfile.ZIP_STORED)
    content = bytearray(patch_zip_headers(stored, 8, 10, {"zst": 93, "xz": 95}[kind]))
    sums = zlib.crc32(TEXT).to_bytes(4, "little"), len(TEXT).to_bytes(4, "little")
    central_at = content.rindex(b"PK\x01\x02")
    for crc_at in (14, central_at + 16):
        content[crc_at : crc_at + 4] = sums[0]
        content[crc_at + 8 : crc_at + 12] = sums[1]
    assert list(read_by_name(write(tmp_path / "a.zip", bytes(content))).values()) == [TEXT]


@pytest.mark.parametrize("make", [make_zip, make_streamed_zip])
def test_a_truncated_zip_gives_all_before_the_cut(
    tmp_path: Path, make: Callable[[dict[str, bytes]], bytes]
) -> None:
    content = make({"a.pgn": TEXT, "b.pgn": TEXT})
    path = tmp_path / "all.zip"
    generator = open_sources(write(path, content[: len(content) * 3 // 4]))
    assert read_all(next(generator)) == TEXT
    text, failure = read_until_error(next(generator))
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) // 3
    assert f"{path}/b.pgn: ends in the middle of the compressed data" in str(failure)
    assert f"at byte {len(content) * 3 // 4};" in str(failure)


def test_a_truncated_stored_member_gives_all_before_the_cut(tmp_path: Path) -> None:
    content = make_zip({"a.pgn": TEXT}, zipfile.ZIP_STORED)
    stream = open_one(tmp_path / "all.zip", content[: len(TEXT) // 2 + 35])
    text, failure = read_until_error(stream)
    assert text == TEXT[: len(TEXT) // 2]
    assert "ends in the middle of the member" in str(failure)


@pytest.mark.parametrize("make", [make_zip, make_streamed_zip])
def test_a_zip_without_its_directory_gives_its_members_then_an_error(
    tmp_path: Path, make: Callable[[dict[str, bytes]], bytes]
) -> None:
    content = make({"a.txt": TEXT, "a.pgn": TEXT})[:-10]
    generator = open_sources(write(tmp_path / "all.zip", content))
    assert read_all(next(generator)) == TEXT
    with pytest.raises(PgnReadError, match=r"all\.zip: the zip directory .* missing") as caught:
        next(generator)
    assert isinstance(caught.value.__cause__, zipfile.BadZipFile)


@pytest.mark.slow
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_corrupted_member_gives_all_before_the_damage(tmp_path: Path, method: int) -> None:
    content = bytearray(make_zip({"a.pgn": TEXT, "b.pgn": b"whole"}, method))
    content[content.index(b"PK\x03\x04", 4) * 3 // 4] ^= 0x55
    path = tmp_path / "all.zip"
    generator = open_sources(write(path, bytes(content)))
    text, failure = read_until_error(next(generator))
    assert count_common(text, TEXT) > len(TEXT) // 2
    assert str(failure).startswith(f"{path}/a.pgn: ")
    assert "damaged" in str(failure)
    assert read_all(next(generator)) == b"whole"


def test_a_wrong_crc_in_a_pipe_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(make_streamed_zip({"a.pgn": TEXT}))
    content[content.index(b"PK\x07\x08") + 4] ^= 1
    generator = open_sources(use_stdin(monkeypatch, bytes(content)))
    text, failure = read_until_error(next(generator))
    assert text == TEXT
    assert "CRC" in str(failure)


def test_a_wrong_offset_in_the_directory_is_an_error(tmp_path: Path) -> None:
    content = bytearray(make_zip({"a.pgn": TEXT}))
    content[content.rindex(b"PK\x01\x02") + 42] = 7
    with pytest.raises(PgnReadError, match="no zip member begins at byte 7"):
        next(open_sources(write(tmp_path / "all.zip", bytes(content))))


def test_damage_in_a_compressed_zip_member_names_the_member(tmp_path: Path) -> None:
    packed = gzip.compress(TEXT)[:-100]
    path = tmp_path / "all.zip"
    stream = open_one(path, make_zip({"a.pgn.gz": packed}, zipfile.ZIP_STORED))
    text, failure = read_until_error(stream)
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) * 0.9
    assert str(failure).startswith(f"{path}/a.pgn.gz: ends in the middle")
    assert f"at byte {len(packed)};" in str(failure)


# --- tar archives --------------------------------------------------------------------------------


def make_tar(path: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(path, "w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def texts_of(path: Path) -> list[tuple[str, bytes]]:
    streams = open_sources(InputFile(str(path), path.stat().st_size))
    return [(stream.name, read_all(stream)) for stream in streams]


MEMBERS = {
    "a/one.pgn": TEXT, "readme.txt": b"no game", "b/._x.pgn": b"hidden", "b/two.sgf": b"(;B[aa])",
    "three.pgn.gz": gzip.compress(b"[Event]"),
}  # fmt: skip
READ = [("a/one.pgn", TEXT), ("b/two.sgf", b"(;B[aa])"), ("three.pgn.gz", b"[Event]")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*COMPRESS, "plain"])
def test_a_tar_archive_gives_its_members(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "in.tar"
    make_tar(path, MEMBERS)
    if kind != "plain":
        path.write_bytes(COMPRESS[kind](path.read_bytes()))
    assert texts_of(path) == [(f"{path}/{name}", content) for name, content in READ]


def test_archives_inside_a_tar_archive_are_told(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    make_tar(path, {"a.pgn": TEXT, "b.tgz": b""})
    streams = open_sources(list_inputs([str(path)])[0])
    assert read_all(next(streams)) == TEXT
    with pytest.raises(PgnReadError, match=r"in\.tar: holds archives, which were not read: b\.tgz"):
        next(streams)


def test_a_folder_or_link_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (("old.zip", tarfile.DIRTYPE), ("new.zip", tarfile.SYMTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "nowhere"
            archive.addfile(entry)
        entry = tarfile.TarInfo("old.zip/a.pgn")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    assert texts_of(path) == [(f"{path}/old.zip/a.pgn", TEXT)]


def test_nothing_but_archives(tmp_path: Path) -> None:
    name = "囲碁.zip".encode()
    whole = make_zip({"x" * len(name): b""}).replace(b"x" * len(name), name)
    with pytest.raises(PgnReadError, match=r"were not read: 囲碁\.zip; unpack it"):
        next(open_sources(write(tmp_path / "all.zip", whole)))


def test_members_of_a_tar_archive_that_are_left_unread(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    make_tar(path, MEMBERS)
    streams = open_sources(InputFile(str(path), path.stat().st_size))
    assert [stream.read(3) for stream in streams] == [TEXT[:3], b"(;B", b"[Ev"]


def test_a_truncated_tar_archive_gives_all_before_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    make_tar(path, {"a.pgn": b"[Event]", "b.pgn": TEXT})
    path.write_bytes(path.read_bytes()[:400_000])
    streams = open_sources(InputFile(str(path), 400_000))
    assert read_all(next(streams)) == b"[Event]"
    result, failure = read_until_error(next(streams))
    assert TEXT.startswith(result)
    assert f"{path}: the tar archive is damaged: " in str(failure)


def test_a_tar_archive_without_games(tmp_path: Path) -> None:
    path = tmp_path / "in.tar"
    make_tar(path, {"readme.txt": b"no game"})
    with pytest.raises(PgnReadError, match=r"no member of this tar archive ends in \.pgn or \.sgf"):
        texts_of(path)
