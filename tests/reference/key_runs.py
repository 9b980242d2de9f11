"""Packed blocking keys in plain Python: lists of (hash, ordinal)."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from ocgdedup._kernels.search import BUCKETS, NumberBuckets, pack_keys, run_end

INDEX_BITS, HASH_BITS, BUCKET_BITS = 26, 38, 6

Key = tuple[int, int]


def number(key: Key) -> int:
    hashed, ordinal = key
    return hashed << INDEX_BITS | ordinal


def bucket_of(hashed: int) -> int:
    return hashed >> (HASH_BITS - BUCKET_BITS)


def lookup(keys: Iterable[Key], hashes: Iterable[int]) -> list[int]:
    wanted = set(hashes)
    return sorted(number(key) for key in keys if key[0] in wanted)


def buckets_of(keys: Iterable[Key]) -> NumberBuckets:
    """Return keys in the kernel's buckets."""
    buckets = NumberBuckets(64)
    for key in keys:
        buckets.extend(bucket_of(key[0]), number(key).to_bytes(8, sys.byteorder))
    return buckets


def run_of(keys_by_source: dict[str, list[Key]]) -> bytes:
    """Return a run as a file has it."""
    parts, places, offset = [], [], 0
    for source, keys in keys_by_source.items():
        buckets = buckets_of(keys)
        for bucket in range(BUCKETS):
            part = pack_keys(buckets, bucket)
            if part:
                places.append((source, bucket, offset, len(part)))
                parts.append(part)
                offset += len(part)
    return b"".join([*parts, run_end(places)])
