"""Candidate pairs of games in different parts of a search, from keys and a few facts per game.

A place of the whole order is a 64-bit number that rises in this order: see search_parts.pxi.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from cpython cimport array

from blocking_keys cimport PLACE_BITS
from candidate_pairs cimport CONDITION_BITS, left_of, pair_by_keys, right_of
from game_record cimport LINE_IS_OPEN, OUTLINE_NUMBERS, Games, Outline, require_memory
from sorted_numbers cimport BUCKET_COUNT, BUCKET_BITS, Numbers, free_numbers, sort_numbers
from web_addresses cimport pair_by_addresses


cdef enum:
    MOST_PLACES = 1 << PLACE_BITS


cdef size_t place_among(const uint64_t *places, size_t count, uint64_t place) noexcept nogil:
    """Return how many of some rising places come before another place."""
    cdef size_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


cdef class PlacesOfKeys:
    """The games that have certain keys, by their places in the whole order."""
    cdef Games all
    cdef Numbers places            # distinct, rising
    cdef Numbers keys

    def __cinit__(self):
        memset(&self.all, 0, sizeof(Games))
        memset(&self.places, 0, sizeof(Numbers))
        memset(&self.keys, 0, sizeof(Numbers))

    def __dealloc__(self):
        free(self.all.lines)
        free(self.all.ends)
        free(self.all.outlines)
        free_numbers(&self.places)
        free_numbers(&self.keys)

    cdef int enter(
        self, const int64_t[::1] keys, const int64_t[::1] places, const int64_t[::1] lines,
        const uint8_t[::1] is_open, const int64_t[::1] ends, const uint64_t[:, ::1] outlines,
    ) except -1:
        cdef size_t count = keys.shape[0], i, kept = 0
        cdef size_t at
        cdef Outline *outline
        if not (
            count == <size_t>places.shape[0] == <size_t>lines.shape[0]
            == <size_t>is_open.shape[0] == <size_t>ends.shape[0]
        ):
            raise ValueError("columns of different lengths")
        if outlines is not None and (
            count != <size_t>outlines.shape[0] or outlines.shape[1] != OUTLINE_NUMBERS
        ):
            raise ValueError(f"{outlines.shape[0]} outlines for {count} rows")
        if count == 0:
            return 0
        self.places.items = <uint64_t *>malloc(count * sizeof(uint64_t))
        self.keys.items = <uint64_t *>malloc(count * sizeof(uint64_t))
        require_memory(self.places.items != NULL and self.keys.items != NULL)
        for i in range(count):
            if places[i] < 0 or keys[i] < 0 or keys[i] >> (64 - PLACE_BITS):
                raise ValueError(f"row {i}: place or key out of range")
            self.places.items[i] = <uint64_t>places[i]
        self.places.count = count
        sort_numbers(&self.places, 64)
        for i in range(count):
            if kept == 0 or self.places.items[kept - 1] != self.places.items[i]:
                self.places.items[kept] = self.places.items[i]
                kept += 1
        if kept >= MOST_PLACES:
            raise ValueError(f"too many games in one part: {kept}")
        self.places.count = self.all.count = kept
        while kept >> (BUCKET_BITS + self.all.low_bits):
            self.all.low_bits += 1
        self.all.lines = <uint32_t *>malloc(kept * sizeof(uint32_t))
        self.all.ends = <uint32_t *>malloc(kept * sizeof(uint32_t))
        require_memory(self.all.lines != NULL and self.all.ends != NULL)
        if outlines is not None:
            self.all.outlines = <Outline *>malloc(kept * sizeof(Outline))
            require_memory(self.all.outlines != NULL)
        for i in range(count):
            at = place_among(self.places.items, kept, <uint64_t>places[i])
            self.keys.items[i] = <uint64_t>keys[i] << PLACE_BITS | at
            # A line is identified by the number of these places before its first game.
            self.all.lines[at] = <uint32_t>place_among(self.places.items, kept, lines[i])
            if is_open[i]:
                self.all.lines[at] |= LINE_IS_OPEN
            self.all.ends[at] = <uint32_t>place_among(self.places.items, kept, ends[i])
            if outlines is not None:
                outline = &self.all.outlines[at]
                outline.opening = outlines[i, 0]
                outline.start = <uint32_t>(outlines[i, 1] >> 32)
                outline.date_and_plies = <uint32_t>outlines[i, 1]
        self.keys.count = count
        sort_numbers(&self.keys, 64)
        return 0


def pair_places(
    str source not None, const int64_t[::1] keys not None, const int64_t[::1] places not None,
    const int64_t[::1] lines not None, const uint8_t[::1] is_open not None,
    const int64_t[::1] ends not None, const uint64_t[:, ::1] outlines=None,
):
    """Return the candidate pairs of games that share a key: see the stub."""
    cdef PlacesOfKeys keyed = PlacesOfKeys()
    cdef NumberBuckets pairs
    cdef const Numbers *numbers
    cdef int kind = SOURCES.index(source)
    cdef bint ok
    cdef size_t i, count = 0, at = 0
    cdef int bucket
    keyed.enter(keys, places, lines, is_open, ends, outlines)
    pairs = NumberBuckets(BUCKET_BITS + PLACE_BITS + keyed.all.low_bits + CONDITION_BITS)
    with nogil:
        if kind == BY_ADDRESS:
            ok = pair_by_addresses(&keyed.all, &keyed.keys, &pairs.buckets)
        else:
            ok = pair_by_keys(
                &keyed.all, &keyed.keys, kind == BY_PLAYERS, False, &pairs.buckets
            )
        for bucket in range(BUCKET_COUNT):
            sort_numbers(&pairs.buckets.parts[bucket], 64)
    require_memory(ok)
    for bucket in range(BUCKET_COUNT):
        count += pairs.buckets.parts[bucket].count
    left = array.array("q")
    right = array.array("q")
    conditions = array.array("B")
    array.resize(left, count)
    array.resize(right, count)
    array.resize(conditions, count)
    for bucket in range(BUCKET_COUNT):
        numbers = &pairs.buckets.parts[bucket]
        for i in range(numbers.count):
            if i and numbers.items[i] == numbers.items[i - 1]:
                continue
            (<array.array>left).data.as_longlongs[at] = <int64_t>keyed.places.items[
                left_of(&keyed.all, numbers.items[i])
            ]
            (<array.array>right).data.as_longlongs[at] = <int64_t>keyed.places.items[
                right_of(&keyed.all, numbers.items[i])
            ]
            (<array.array>conditions).data.as_uchars[at] = (
                numbers.items[i] & ((1 << CONDITION_BITS) - 1)
            )
            at += 1
    array.resize(left, at)
    array.resize(right, at)
    array.resize(conditions, at)
    return PairColumns(left, right, conditions)
