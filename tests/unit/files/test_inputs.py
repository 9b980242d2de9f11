"""Opening of inputs: what an argument means, compression, damage, UTF-16."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from ocgdedup.errors import PgnReadError, ResourceError, UsageError
from ocgdedup.files import archives, inputs
from ocgdedup.files.decompress import RawFile
from ocgdedup.files.inputs import InputFile, SourceStream, list_inputs, open_sources
from ocgdedup.files.records import Stamp

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd
from tests.support.packed_texts import (
    COMPRESS,
    SKIPPABLE_FRAME,
    TEXT,
    ForwardOnly,
    count_common,
    each_format,
    make_streamed_zip,
    make_zip,
    open_one,
    read_all,
    read_by_name,
    read_file,
    read_until_error,
    use_stdin,
    write,
)

# --- list_inputs


def test_a_file_is_listed_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(b"12345")
    assert list_inputs([str(path)]) == [InputFile(str(path), 5, stamp=Stamp.of(str(path)))]


def test_a_folder_is_listed_recursively_in_order(tmp_path: Path) -> None:
    expected = ["B.PGN", "a.pgn.zst", "sub/c.zip", "sub/d.pgn.gz", "z.pgn", "z.pgn.bz2", "z.pgn.xz"]
    other = [".hidden.pgn", ".git/e.pgn", "f.txt", "g.gz", "sub/h.pgn.bak"]
    for name in expected + other:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    listed = [file.path_as_given for file in list_inputs([str(tmp_path)])]
    assert listed == [os.path.join(str(tmp_path), name) for name in expected]


def test_a_folder_without_pgn_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"")
    with pytest.raises(UsageError, match=str(tmp_path)):
        list_inputs([str(tmp_path)])


def test_arguments_keep_their_order(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("b.pgn", "a.pgn")]
    for path in paths:
        Path(path).write_bytes(b"")
    assert [file.path_as_given for file in list_inputs([*paths, "-"])] == [*paths, "-"]


def test_an_absent_file_is_named_before_any_work(tmp_path: Path) -> None:
    present = tmp_path / "a.pgn"
    present.write_bytes(b"")
    with pytest.raises(PgnReadError, match=r"absent\.pgn: cannot be opened: No such file"):
        list_inputs([str(present), str(tmp_path / "absent.pgn")])


def test_a_broken_link_in_a_folder_fails_when_it_is_read(tmp_path: Path) -> None:
    """It was not named; the other files can be read."""
    (tmp_path / "broken.pgn").symlink_to(tmp_path / "nowhere")
    (tmp_path / "whole.pgn").write_bytes(TEXT)
    broken, whole = list_inputs([str(tmp_path)])
    with pytest.raises(PgnReadError, match=r"broken\.pgn: cannot be opened: No such file"):
        next(open_sources(broken))
    assert list(read_by_name(whole).values()) == [TEXT]
    with pytest.raises(PgnReadError, match=r"broken\.pgn: cannot be opened"):
        list_inputs([str(tmp_path / "broken.pgn")])


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read all")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    path = tmp_path / "secret.pgn"
    path.write_bytes(b"")
    path.chmod(0)
    with pytest.raises(PgnReadError, match=r"secret\.pgn: cannot be opened: Permission denied"):
        list_inputs([str(path)])


def test_open_errors_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "secret.pgn"
    path.write_bytes(b"")
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PgnReadError, match=r"secret\.pgn: .*Permission denied") as caught:
        list_inputs([str(path)])
    assert isinstance(caught.value.__cause__, PermissionError)


def test_a_subfolder_that_cannot_be_listed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_walk(folder: str, onerror: Callable[[OSError], None]) -> list[object]:
        onerror(PermissionError(13, "Permission denied", os.path.join(folder, "locked")))
        return []

    monkeypatch.setattr(inputs.os, "walk", fail_to_walk)
    with pytest.raises(PgnReadError, match="locked: cannot be opened: Permission denied"):
        list_inputs([str(tmp_path)])


def test_stdin_twice_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="twice"):
        list_inputs(["-", "a.pgn", "-"])


def test_closed_stdin_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(PgnReadError, match="standard input"):
        list_inputs(["-"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_consumed_by_the_check(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    (file,) = list_inputs([str(path)])
    assert file.size_bytes is None
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(TEXT),))
    writer.start()
    assert read_by_name(file) == {str(path): TEXT}
    writer.join()


# --- plain text


def test_plain_text_is_read_in_exact_blocks(tmp_path: Path) -> None:
    stream = open_one(tmp_path / "a.pgn", b"0123456789")
    assert [stream.read(4) for _ in range(4)] == [b"0123", b"4567", b"89", b""]


def test_hash_size_and_position_follow_what_was_read(tmp_path: Path) -> None:
    stream = open_one(tmp_path / "a.pgn", TEXT)
    assert (stream.size_bytes, stream.sha256_hex()) == (0, hashlib.sha256().hexdigest())
    stream.read(1000)
    assert stream.size_bytes == stream.raw_position() == 1000
    assert stream.sha256_hex() == hashlib.sha256(TEXT[:1000]).hexdigest()
    read_all(stream)
    assert stream.size_bytes == stream.raw_position() == len(TEXT)
    assert stream.sha256_hex() == hashlib.sha256(TEXT).hexdigest()
    assert stream.transcoded_from is None


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    assert read_file(tmp_path / "a.pgn", b"") == b""


@pytest.mark.parametrize("size_bytes", [0, -1])
def test_a_block_of_no_bytes_is_a_bug_of_the_caller(tmp_path: Path, size_bytes: int) -> None:
    with pytest.raises(ValueError, match="cannot read"):
        open_one(tmp_path / "a.pgn", b"x").read(size_bytes)


def test_short_reads_of_a_pipe_are_joined() -> None:
    class Trickle(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 3))

    raw = RawFile(Trickle(TEXT[:1000]), "-", can_seek=False)
    stream = SourceStream("-", raw, raw.position, transcoded_from=None)
    assert stream.read(100) == TEXT[:100]
    assert read_all(stream, 7) == TEXT[100:1000]


def test_a_non_blocking_pipe_is_not_taken_for_its_end() -> None:
    class Empty(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return None  # type: ignore[return-value]

    raw = RawFile(Empty(), "-", can_seek=False)
    with pytest.raises(PgnReadError, match="non-blocking"):
        raw.read_some(10)


def test_a_disk_error_comes_after_what_was_read() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() == 4:
                raise OSError(5, "Input/output error")
            return super().read(4)

    raw = RawFile(Failing(b"0123456789"), "a.pgn", can_seek=True)
    stream = SourceStream("a.pgn", raw, raw.position, transcoded_from=None)
    text, failure = read_until_error(stream)
    assert text == b"0123"
    assert str(failure).startswith("a.pgn: reading failed at byte 4: Input/output error")
    assert isinstance(failure.__cause__, OSError)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_system_short_of_files_or_memory_is_no_damage(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The input would be left out, and the output files written without its games."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    file = write(tmp_path / "a.pgn", TEXT)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ResourceError, match=rf"a\.pgn: cannot be read now: {os.strerror(number)}"):
        next(open_sources(file))
    handle = SimpleNamespace(read=refuse, seek=lambda *_: 0, tell=lambda: 100)
    raw = RawFile(handle, "b.pgn", can_seek=True)
    with pytest.raises(ResourceError, match=r"b\.pgn: cannot be read now"):
        raw.read_some(10)
    packed = RawFile(handle, "b.zip", can_seek=True)
    with pytest.raises(ResourceError, match=r"b\.zip: cannot be read now"):
        archives._read_directory(packed)


def test_the_file_is_closed_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    open_handle = inputs._open_handle
    monkeypatch.setattr(
        inputs, "_open_handle", lambda name: opened.append(open_handle(name)) or opened[-1]
    )
    read_file(tmp_path / "a.pgn", TEXT)
    abandoned = open_sources(write(tmp_path / "b.pgn", TEXT))
    next(abandoned)
    abandoned.close()
    assert [handle.closed for handle in opened] == [True, True]


def test_a_file_that_vanishes_after_the_check_is_named(tmp_path: Path) -> None:
    file = write(tmp_path / "a.pgn", b"")
    (tmp_path / "a.pgn").unlink()
    with pytest.raises(PgnReadError, match=r"a\.pgn: cannot be opened"):
        next(open_sources(file))


# --- compression


@each_format
@pytest.mark.parametrize("block_bytes", [1000, 1 << 20])
def test_compressed_text_is_read(tmp_path: Path, kind: str, block_bytes: int) -> None:
    packed = COMPRESS[kind](TEXT)
    stream = open_one(tmp_path / f"a.pgn.{kind}", packed)
    assert stream.read(block_bytes) == TEXT[:block_bytes]
    assert read_all(stream, block_bytes) == TEXT[block_bytes:]
    assert stream.raw_position() == len(packed)
    assert stream.sha256_hex() == hashlib.sha256(TEXT).hexdigest()
    assert stream.size_bytes == len(TEXT)


@pytest.mark.slow
@each_format
def test_compression_is_known_by_its_bytes(tmp_path: Path, kind: str) -> None:
    assert read_file(tmp_path / "a.pgn", COMPRESS[kind](TEXT)) == TEXT
    assert read_file(tmp_path / "a.pgn.gz", COMPRESS[kind](TEXT)) == TEXT


@each_format
def test_plain_text_under_a_compressed_name_is_text(tmp_path: Path, kind: str) -> None:
    assert read_file(tmp_path / f"a.pgn.{kind}", TEXT) == TEXT


@pytest.mark.parametrize("kind", [*COMPRESS, "zip"])
def test_binary_under_a_compressed_name_is_an_error(tmp_path: Path, kind: str) -> None:
    file = write(tmp_path / f"a.{kind}", b"\x00\x01\x02" * 100)
    with pytest.raises(PgnReadError, match=rf"a\.{kind}: does not begin like a \.{kind} file"):
        next(open_sources(file))


@pytest.mark.parametrize("kind", [*COMPRESS, "zip"])
def test_an_empty_compressed_file_is_truncated(tmp_path: Path, kind: str) -> None:
    with pytest.raises(PgnReadError, match="ends in the middle"):
        next(open_sources(write(tmp_path / f"a.{kind}", b"")))


@each_format
def test_concatenated_streams_are_one_text(tmp_path: Path, kind: str) -> None:
    pack = COMPRESS[kind]
    content = pack(TEXT) + pack(b"") + pack(b"second") + pack(TEXT[:77])
    assert read_file(tmp_path / "a", content) == TEXT + b"second" + TEXT[:77]


def test_skippable_zstd_frames_are_skipped(tmp_path: Path) -> None:
    pack = zstd.compress
    content = SKIPPABLE_FRAME + pack(b"one") + SKIPPABLE_FRAME + pack(b"two") + SKIPPABLE_FRAME
    assert read_file(tmp_path / "a.zst", content) == b"onetwo"


def test_long_zstd_windows_are_read(tmp_path: Path) -> None:
    parameter = zstd.CompressionParameter
    options = {parameter.window_log: 28, parameter.enable_long_distance_matching: 1}
    packer = zstd.ZstdCompressor(options=options)  # no size in the header: the window counts
    content = packer.compress(TEXT) + packer.flush()
    with pytest.raises(zstd.ZstdError):  # so that the option is really what lets it through
        zstd.ZstdDecompressor().decompress(content)
    assert read_file(tmp_path / "a.zst", content) == TEXT


def test_a_small_file_of_much_text_is_read_in_little_memory(tmp_path: Path) -> None:
    stream = open_one(tmp_path / "a.gz", gzip.compress(b" " * 50_000_000))
    assert stream.read(10) == b" " * 10
    assert stream.raw_position() <= 1 << 16
    largest = max(len(part) for part in iter(lambda: stream._source.read_some(1 << 30), b""))
    assert largest <= 1 << 18


@each_format
@pytest.mark.parametrize("padding_bytes", [4, 512, 200_000])
def test_zero_padding_is_no_damage(tmp_path: Path, kind: str, padding_bytes: int) -> None:
    pack, padding = COMPRESS[kind], bytes(padding_bytes)
    content = pack(TEXT) + padding + pack(b"more") + padding
    assert read_file(tmp_path / "a", content) == TEXT + b"more"


@each_format
def test_garbage_after_the_data_is_an_error_at_its_byte(tmp_path: Path, kind: str) -> None:
    packed = COMPRESS[kind](TEXT)
    stream = open_one(tmp_path / "a", packed + bytes(8) + b"garbage" * 10_000)
    text, failure = read_until_error(stream)
    assert text == TEXT
    assert f"at byte {len(packed) + 8};" in str(failure)


# --- truncation and corruption


@each_format
@pytest.mark.parametrize("block_bytes", [1000, 1 << 20])
def test_truncated_data_give_all_before_the_cut(
    tmp_path: Path, kind: str, block_bytes: int
) -> None:
    packed = COMPRESS[kind](TEXT)
    cut = len(packed) * 3 // 4
    stream = open_one(tmp_path / f"a.pgn.{kind}", packed[:cut])
    text, failure = read_until_error(stream, block_bytes)
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) // 2
    assert f"a.pgn.{kind}: ends in the middle of the compressed data" in str(failure)
    assert f"at byte {cut};" in str(failure)
    assert stream.sha256_hex() == hashlib.sha256(text).hexdigest()
    with pytest.raises(PgnReadError, match="ends in the middle"):
        stream.read(1)


@pytest.mark.slow
def test_what_inflate_holds_back_comes_before_the_cut(tmp_path: Path) -> None:
    packed = gzip.compress(b" " * 100_000)  # each code stands for up to 258 bytes
    for cut in range(60, 80):
        small, _ = read_until_error(open_one(tmp_path / "a", packed[:cut]), 7)
        large, _ = read_until_error(open_one(tmp_path / "a", packed[:cut]))
        assert len(small) == len(large)


@each_format
def test_a_cut_in_the_check_sum_gives_the_whole_text(tmp_path: Path, kind: str) -> None:
    text, failure = read_until_error(open_one(tmp_path / "a", COMPRESS[kind](TEXT)[:-1]))
    assert text == TEXT
    assert "ends in the middle" in str(failure)


@each_format
@pytest.mark.parametrize("cut", [1, 2, 3, 5, 8, 12])
def test_a_cut_in_the_first_bytes_is_truncation(tmp_path: Path, kind: str, cut: int) -> None:
    file = write(tmp_path / f"a.{kind}", COMPRESS[kind](TEXT)[:cut])
    with pytest.raises(PgnReadError, match=f"ends in the middle of .* at byte {cut};"):
        next(open_sources(file)).read(1)


@each_format
def test_a_cut_in_the_magic_of_a_second_stream_is_truncation(tmp_path: Path, kind: str) -> None:
    pack = COMPRESS[kind]
    text, failure = read_until_error(open_one(tmp_path / "a", pack(TEXT) + pack(TEXT)[:1]))
    assert text == TEXT
    assert "ends in the middle" in str(failure)


@each_format
@pytest.mark.parametrize("block_bytes", [1000, 1 << 20])
def test_corrupted_data_give_all_before_the_damage(
    tmp_path: Path, kind: str, block_bytes: int
) -> None:
    first = COMPRESS[kind](TEXT)
    second = bytearray(COMPRESS[kind](TEXT))
    second[len(second) * 3 // 4] ^= 0x55
    content = first + bytes(second)
    stream = open_one(tmp_path / "a", content)
    text, failure = read_until_error(stream, block_bytes)
    assert count_common(text, TEXT + TEXT) > len(TEXT) * 1.5
    assert "are damaged at or before byte " in str(failure)
    at_byte = int(str(failure).split("before byte ")[1].split(":")[0])
    assert len(first) + len(second) * 3 // 4 <= at_byte <= len(content)
    assert failure.__cause__ is not None
    assert stream.size_bytes == len(text)


@pytest.mark.slow
@each_format
def test_data_before_damage_do_not_depend_on_the_block_size(tmp_path: Path, kind: str) -> None:
    content = bytearray(COMPRESS[kind](TEXT))
    content[len(content) // 2] ^= 0x10
    texts = {
        read_until_error(open_one(tmp_path / "a", bytes(content)), block_bytes)[0]
        for block_bytes in (333, 4096, 1 << 20)
    }
    assert len(texts) == 1


@each_format
def test_a_wrong_check_sum_gives_the_whole_text(tmp_path: Path, kind: str) -> None:
    content = bytearray(COMPRESS[kind](TEXT))
    damaged = {"gz": -5, "bz2": -2, "xz": -20, "zst": -1}[kind]
    content[damaged] ^= 0x18
    text, failure = read_until_error(open_one(tmp_path / "a", bytes(content)))
    assert text == TEXT
    assert "are damaged" in str(failure)


@each_format
def test_little_is_lost_before_damage_in_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    content = bytearray(COMPRESS[kind](TEXT))
    content[len(content) * 3 // 4] ^= 0x55
    (from_file, _) = read_until_error(open_one(tmp_path / "a", bytes(content)))
    generator = open_sources(use_stdin(monkeypatch, bytes(content)))
    (from_pipe, failure) = read_until_error(next(generator))
    assert from_file.startswith(from_pipe)
    assert len(from_file) - len(from_pipe) <= 4096
    assert str(failure).startswith("-: the compressed data")


# --- standard input


def test_stdin_is_read_in_binary_from_a_real_pipe() -> None:
    script = (
        "from ocgdedup.files.inputs import list_inputs, open_sources;"
        "texts = open_sources(*list_inputs(['-'])); s = next(texts);"
        "print(s.name, len(s.read(9999999)), s.sha256_hex(), s.raw_position())"
    )
    for content in (TEXT + b"\r\n\x1a\xff", gzip.compress(TEXT + b"\r\n\x1a\xff")):
        done = subprocess.run(
            [sys.executable, "-c", script], input=content, capture_output=True, check=True
        )
        digest = hashlib.sha256(TEXT + b"\r\n\x1a\xff").hexdigest()
        expected = f"- {len(TEXT) + 4} {digest} {len(content)}\n"
        assert done.stdout.decode() == expected


@each_format
def test_stdin_may_be_compressed(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    file = use_stdin(monkeypatch, COMPRESS[kind](TEXT))
    assert file == InputFile("-", None)
    assert read_by_name(file) == {"-": TEXT}


@pytest.mark.parametrize("make", [make_zip, make_streamed_zip])
def test_stdin_may_be_a_zip(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[dict[str, bytes]], bytes]
) -> None:
    content = make({"readme.txt": TEXT, "a.pgn": TEXT, "b.pgn.gz": gzip.compress(b"two")})
    assert read_by_name(use_stdin(monkeypatch, content)) == {"-/a.pgn": TEXT, "-/b.pgn.gz": b"two"}


def test_a_zip_member_left_unread_does_not_hide_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for content in (make_zip, make_streamed_zip):
        file = use_stdin(monkeypatch, content({"a.pgn": TEXT, "b.pgn": b"two"}))
        assert [stream.read(3) for stream in open_sources(file)] == [TEXT[:3], b"two"]


def test_a_streamed_stored_zip_cannot_come_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = make_streamed_zip({"a.pgn": TEXT}, zipfile.ZIP_STORED)
    with pytest.raises(PgnReadError, match=r"-/a\.pgn: .*not a pipe"):
        next(open_sources(use_stdin(monkeypatch, content)))


def test_a_zip_without_pgn_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PgnReadError, match=r"no member of this zip file ends in \.pgn"):
        next(open_sources(use_stdin(monkeypatch, make_zip({"a.txt": b""}))))


@pytest.mark.parametrize("buffer_type", [io.BytesIO, ForwardOnly])
def test_zip64_lengths_are_read_from_a_pipe(
    monkeypatch: pytest.MonkeyPatch, buffer_type: type[io.BytesIO]
) -> None:
    buffer = buffer_type()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"a.pgn": TEXT, "b.pgn": b"two"}.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    file = use_stdin(monkeypatch, buffer.getvalue())
    assert read_by_name(file) == {"-/a.pgn": TEXT, "-/b.pgn": b"two"}


# --- modules that few inputs need


def test_zipfile_and_zstd_are_imported_only_when_needed(tmp_path: Path) -> None:
    script = (
        "import sys; from ocgdedup.files.inputs import list_inputs, open_sources;"
        "[s.read(9) for f in list_inputs(sys.argv[1:]) for s in open_sources(f)];"
        "print([m for m in sys.modules if 'zstd' in m or 'zipfile' in m])"
    )
    write(tmp_path / "a.pgn", b"text")
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a.pgn")], capture_output=True, check=True
    )
    assert done.stdout == b"[]\n"


def test_a_missing_zstd_module_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = write(tmp_path / "a.zst", zstd.compress(TEXT))
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PgnReadError, match=f"no module {name}; install it"):
        next(open_sources(packed))


# --- UTF-16


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("block_bytes", [1, 3, 1 << 20])
def test_utf16_is_transcoded(tmp_path: Path, encoding: str, block_bytes: int) -> None:
    text = '[White "Łukasz Ж 国 😀"]\n' * 50
    content = ("\ufeff" + text).encode(encoding)
    stream = open_one(tmp_path / "a.pgn", content)
    assert stream.transcoded_from == encoding
    blocks = list(iter(lambda: stream.read(block_bytes), b""))
    assert b"".join(blocks).decode() == text
    assert {len(block) for block in blocks[:-1]} <= {block_bytes}
    assert stream.size_bytes == len(text.encode())
    assert stream.sha256_hex() == hashlib.sha256(text.encode()).hexdigest()
    assert stream.raw_position() == len(content)


def test_utf16_inside_compression_and_zip(tmp_path: Path) -> None:
    content = gzip.compress("\ufefftext".encode("utf-16-le"))
    assert read_file(tmp_path / "a.pgn.gz", content) == b"text"
    assert read_file(tmp_path / "a.zip", make_zip({"a.pgn": content})) == b"text"


def test_broken_utf16_is_replaced(tmp_path: Path) -> None:
    lone_surrogate = b"\x00\xd8" + "b".encode("utf-16-le")
    content = b"\xff\xfe" + "a".encode("utf-16-le") + lone_surrogate + b"\x41"
    text = read_file(tmp_path / "a.pgn", content).decode()
    assert text == "a\ufffdb\ufffd"


def test_damage_behind_utf16_comes_after_its_text(tmp_path: Path) -> None:
    whole = ("\ufeff" + TEXT.decode()).encode("utf-16-le")
    stream = open_one(tmp_path / "a.gz", gzip.compress(whole)[:-8])
    text, failure = read_until_error(stream)
    assert text == TEXT
    assert "ends in the middle" in str(failure)


def test_a_utf8_byte_order_mark_is_left_alone(tmp_path: Path) -> None:
    stream = open_one(tmp_path / "a.pgn", b"\xef\xbb\xbf[Event]")
    assert read_all(stream) == b"\xef\xbb\xbf[Event]"
    assert stream.transcoded_from is None
