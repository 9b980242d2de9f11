"""Candidate pairs of games in different parts of a search, from keys and a few facts per game.

An index of the whole order is a 64-bit number that rises in this order: see search_parts.pxi.
"""

cdef enum:
    MOST_KEYED_GAMES = 1 << INDEX_BITS


cdef inline size_t count_below_near(
    const int64_t *items, size_t count, int64_t value, size_t near
) noexcept nogil:
    """Return count_below(); a result close to `near` < count is found in few steps."""
    cdef size_t low, high, step = 1
    if items[near] < value:
        low = high = near + 1
        while high < count and items[high] < value:
            low = high + 1
            high += step
            step *= 2
        high = min(high, count)
    else:
        low = high = near
        while low > 0 and items[low - 1] >= value:
            high = low - 1
            low -= min(low, step)
            step *= 2
    return low + count_below(&items[low], high - low, value)


cdef class KeyedGames:
    """The games that have certain keys, by their indexes in the whole order."""
    cdef Games all
    cdef Numbers indexes           # distinct, rising
    cdef Numbers keys

    def __dealloc__(self):
        free(self.all.lines)
        free(self.all.ends)
        free(self.all.summaries)
        free_numbers(&self.indexes)
        free_numbers(&self.keys)

    cdef int enter(
        self, const int64_t[::1] keys, const int64_t[::1] indexes, const int64_t[::1] lines,
        const uint8_t[::1] is_open, const int64_t[::1] ends, const uint64_t[:, ::1] summaries,
    ) except -1:
        cdef size_t count = keys.shape[0], i, kept = 0
        cdef size_t at
        cdef const int64_t *ranked
        cdef GameSummary *summary
        if not (
            count == <size_t>indexes.shape[0] == <size_t>lines.shape[0]
            == <size_t>is_open.shape[0] == <size_t>ends.shape[0]
        ):
            raise ValueError("columns of different lengths")
        if summaries is not None and (
            count != <size_t>summaries.shape[0] or summaries.shape[1] != SUMMARY_NUMBERS
        ):
            raise ValueError(f"{summaries.shape[0]} summaries for {count} rows")
        if count == 0:
            return 0
        self.indexes.items = <uint64_t *>allocate(count, sizeof(uint64_t))
        self.keys.items = <uint64_t *>allocate(count, sizeof(uint64_t))
        for i in range(count):
            if indexes[i] < 0 or keys[i] < 0 or keys[i] >> (64 - INDEX_BITS):
                raise ValueError(f"row {i}: index or key out of range")
            self.indexes.items[i] = <uint64_t>indexes[i]
        self.indexes.count = count
        sort_numbers(&self.indexes, 64)
        for i in range(count):
            if kept == 0 or self.indexes.items[kept - 1] != self.indexes.items[i]:
                self.indexes.items[kept] = self.indexes.items[i]
                kept += 1
        if kept >= MOST_KEYED_GAMES:
            raise ValueError(f"too many games in one part: {kept}")
        self.indexes.count = self.all.count = kept
        while kept >> (BUCKET_BITS + self.all.low_bits):
            self.all.low_bits += 1
        self.all.lines = <uint32_t *>allocate(kept, sizeof(uint32_t))
        self.all.ends = <uint32_t *>allocate(kept, sizeof(uint32_t))
        if summaries is not None:
            self.all.summaries = <GameSummary *>allocate(kept, sizeof(GameSummary))
        ranked = <const int64_t *>self.indexes.items
        for i in range(count):
            at = count_below(ranked, kept, indexes[i])
            self.keys.items[i] = <uint64_t>keys[i] << INDEX_BITS | at
            # The number of a line is the number of listed games before its first game.
            self.all.lines[at] = <uint32_t>count_below_near(ranked, kept, lines[i], at)
            if is_open[i]:
                self.all.lines[at] |= LINE_IS_OPEN
            self.all.ends[at] = <uint32_t>count_below_near(ranked, kept, ends[i], at)
            if summaries is not None:
                summary = &self.all.summaries[at]
                summary.opening = summaries[i, 0]
                summary.start = <uint32_t>(summaries[i, 1] >> 32)
                summary.date_and_plies = <uint32_t>summaries[i, 1]
        self.keys.count = count
        sort_numbers(&self.keys, 64)


def pair_keyed_games(
    str source not None, const int64_t[::1] keys not None, const int64_t[::1] indexes not None,
    const int64_t[::1] lines not None, const uint8_t[::1] is_open not None,
    const int64_t[::1] ends not None, const uint64_t[:, ::1] summaries=None,
):
    cdef KeyedGames keyed = KeyedGames()
    cdef NumberBuckets pairs
    cdef int bucket, source_index = SOURCES.index(source)
    keyed.enter(keys, indexes, lines, is_open, ends, summaries)
    pairs = NumberBuckets(BUCKET_BITS + INDEX_BITS + keyed.all.low_bits + CONDITION_BITS)
    with nogil:
        if source_index == BY_ADDRESS:
            pair_by_addresses(&keyed.all, &keyed.keys, &pairs.buckets)
        else:
            pair_by_keys(&keyed.all, &keyed.keys, source_index == BY_PLAYERS, False, &pairs.buckets)
        for bucket in range(BUCKET_COUNT):
            sort_numbers(&pairs.buckets.parts[bucket], 64)
    return pair_columns(&keyed.all, pairs, keyed.indexes.items)


cdef object pair_columns(const Games *all, NumberBuckets pairs, const uint64_t *indexes):
    """Return pairs of IDs and their conditions; with `indexes`, pairs of these, each pair once.

    With `indexes`, the buckets must be sorted.
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
            if indexes != NULL and i and numbers.items[i] == numbers.items[i - 1]:
                continue
            left, right = left_of(all, numbers.items[i]), right_of(all, numbers.items[i])
            if indexes == NULL:
                firsts.data.as_longlongs[at] = all.games[left].game_id
                seconds.data.as_longlongs[at] = all.games[right].game_id
            else:
                firsts.data.as_longlongs[at] = <int64_t>indexes[left]
                seconds.data.as_longlongs[at] = <int64_t>indexes[right]
            conditions.data.as_uchars[at] = numbers.items[i] & ((1 << CONDITION_BITS) - 1)
            at += 1
    for column in (firsts, seconds, conditions):
        array.resize(column, at)
    return PairColumns(firsts, seconds, conditions)
