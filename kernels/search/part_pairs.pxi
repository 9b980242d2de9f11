"""Candidate pairs of games in different parts of a search, from keys and a few facts per game.

A place of the whole order is a 64-bit number that rises in this order: see search_parts.pxi.
"""

cdef enum:
    MOST_PLACES = 1 << PLACE_BITS


cdef class PlacesOfKeys:
    """The games that have certain keys, by their places in the whole order."""
    cdef Games all
    cdef Numbers places            # distinct, rising
    cdef Numbers keys

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
        cdef const int64_t *ranked
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
        self.places.items = <uint64_t *>allocate(count, sizeof(uint64_t))
        self.keys.items = <uint64_t *>allocate(count, sizeof(uint64_t))
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
        self.all.lines = <uint32_t *>allocate(kept, sizeof(uint32_t))
        self.all.ends = <uint32_t *>allocate(kept, sizeof(uint32_t))
        if outlines is not None:
            self.all.outlines = <Outline *>allocate(kept, sizeof(Outline))
        ranked = <const int64_t *>self.places.items
        for i in range(count):
            at = count_below(ranked, kept, places[i])
            self.keys.items[i] = <uint64_t>keys[i] << PLACE_BITS | at
            # A line is identified by the number of these places before its first game.
            self.all.lines[at] = <uint32_t>count_below(ranked, kept, lines[i])
            if is_open[i]:
                self.all.lines[at] |= LINE_IS_OPEN
            self.all.ends[at] = <uint32_t>count_below(ranked, kept, ends[i])
            if outlines is not None:
                outline = &self.all.outlines[at]
                outline.opening = outlines[i, 0]
                outline.start = <uint32_t>(outlines[i, 1] >> 32)
                outline.date_and_plies = <uint32_t>outlines[i, 1]
        self.keys.count = count
        sort_numbers(&self.keys, 64)


def pair_places(
    str source not None, const int64_t[::1] keys not None, const int64_t[::1] places not None,
    const int64_t[::1] lines not None, const uint8_t[::1] is_open not None,
    const int64_t[::1] ends not None, const uint64_t[:, ::1] outlines=None,
):
    """Return the candidate pairs of games that share a key: see the stub."""
    cdef PlacesOfKeys keyed = PlacesOfKeys()
    cdef NumberBuckets pairs
    cdef int bucket, kind = SOURCES.index(source)
    keyed.enter(keys, places, lines, is_open, ends, outlines)
    pairs = NumberBuckets(BUCKET_BITS + PLACE_BITS + keyed.all.low_bits + CONDITION_BITS)
    with nogil:
        if kind == BY_ADDRESS:
            pair_by_addresses(&keyed.all, &keyed.keys, &pairs.buckets)
        else:
            pair_by_keys(&keyed.all, &keyed.keys, kind == BY_PLAYERS, False, &pairs.buckets)
        for bucket in range(BUCKET_COUNT):
            sort_numbers(&pairs.buckets.parts[bucket], 64)
    return pair_columns(&keyed.all, pairs, keyed.places.items)


cdef object pair_columns(const Games *all, NumberBuckets pairs, const uint64_t *places):
    """Return IDs and conditions of pairs; if places are given, these for the IDs, each pair once.

    With places, the buckets are sorted.
    """
    cdef const Numbers *numbers
    cdef size_t i, count = 0, at = 0
    cdef uint32_t left, right
    cdef int bucket
    for bucket in range(BUCKET_COUNT):
        count += pairs.buckets.parts[bucket].count
    cdef array.array firsts = array.clone(array.array("q"), count, False)
    cdef array.array seconds = array.clone(array.array("q"), count, False)
    cdef array.array conditions = array.clone(array.array("B"), count, False)
    for bucket in range(BUCKET_COUNT):
        numbers = &pairs.buckets.parts[bucket]
        for i in range(numbers.count):
            if places != NULL and i and numbers.items[i] == numbers.items[i - 1]:
                continue
            left, right = left_of(all, numbers.items[i]), right_of(all, numbers.items[i])
            if places == NULL:
                firsts.data.as_longlongs[at] = all.games[left].game_id
                seconds.data.as_longlongs[at] = all.games[right].game_id
            else:
                firsts.data.as_longlongs[at] = <int64_t>places[left]
                seconds.data.as_longlongs[at] = <int64_t>places[right]
            conditions.data.as_uchars[at] = numbers.items[i] & ((1 << CONDITION_BITS) - 1)
            at += 1
    for column in (firsts, seconds, conditions):
        array.resize(column, at)
    return PairColumns(firsts, seconds, conditions)
