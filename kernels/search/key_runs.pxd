"""Packed blocking keys: sorted pairs of a hash and the ordinal of a game, in about 5 bytes each.

The ordinal of a game is its index by rising ID. A *bucket* holds the pairs of one source of keys
whose hashes have the same top bits, as 64-bit words:

    check sum of the words before the blocks, number of pairs, number of words, format and width
    for each block: the low 32 bits of its first hash << 32 | index of its first word
    the blocks

A *block* has up to BLOCK_PAIRS pairs in quasi-succinct form (Elias 1974, Fano 1971):

    check sum << 8 | are repeats marked << 7 | low bits of a hash
    if repeats are marked: a bit for each pair, 1 if its hash is a new one
    the low bits of the new hashes (of all hashes, if repeats are not marked)
    the ordinals
    the high bits of these hashes, in unary

A *run* is a file of buckets, and its end: the index of the first word of each bucket, the format,
and a check sum. A check sum is verified when its words are first needed. All numbers are in the
byte order of the machine.
"""

from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from blocking_keys cimport AHEAD, INDEX_BITS, index_of_key
from game_record cimport count_below, ocg_prefetch
from move_distance cimport ocg_lowest_bit
from sorted_numbers cimport BUCKET_BITS, BUCKET_COUNT, Numbers, add_number_to, sort_numbers

cdef enum:
    BLOCK_PAIRS = 128
    FLAG_WORDS = 2             # BLOCK_PAIRS // 64
    MARKED_REPEATS = 9         # from so many on, marking repeats takes less than it saves
    REPEATS_ARE_MARKED = 1 << 7
    MOST_LOW_BITS = 31
    HASH_BITS = 64 - INDEX_BITS
    LOW_HASH_BITS = HASH_BITS - BUCKET_BITS        # 32: the bucket has the others
    KEY_SOURCES = 3
    PLACES = KEY_SOURCES * BUCKET_COUNT
    RUN_FORMAT = 0x4F524B31    # OCK1
    BUCKET_HEAD = 4            # words before the first block's entry
    RUN_END = PLACES + 2       # words after the last bucket

ctypedef struct BlockShape:
    size_t pairs
    size_t hashes              # that are stored
    int low_bits
    bint has_marks
    size_t words

ctypedef struct Bucket:
    const uint64_t *words      # NULL: no pairs
    const uint64_t *entries
    size_t pairs
    size_t blocks
    size_t count               # words
    int width                  # bits of an ordinal

ctypedef struct Run:
    const uint64_t *words
    size_t count
    uint8_t is_verified[PLACES]

ctypedef struct Block:
    const uint64_t *words
    size_t pairs
    size_t ordinals_at         # bit of the first ordinal
    int width
    uint64_t hashes[BLOCK_PAIRS]

ctypedef struct Cursor:
    Bucket bucket
    size_t at                  # the last block that begins below the hash that is looked up
    size_t loaded              # index of `block`; `bucket.blocks`: none
    Block block


cdef inline uint64_t check_sum(const uint64_t *words, size_t count, uint64_t seed) noexcept nogil:
    """Return a check sum that differs if one word differs."""
    cdef uint64_t even = seed, odd = seed          # two sums, which a processor makes at once
    cdef size_t i
    for i in range(count >> 1):
        even = mixed_sum(even, words[2 * i])
        odd = mixed_sum(odd, words[2 * i + 1])
    if count & 1:
        even = mixed_sum(even, words[count - 1])
    return mixed_sum(even, odd)


cdef inline uint64_t mixed_sum(uint64_t total, uint64_t word) noexcept nogil:
    total = (total ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return total ^ total >> 32


cdef inline uint64_t check_of_block(
    const uint64_t *words, size_t count, uint64_t entry
) noexcept nogil:
    """Return the check sum of a block in its place in the first word."""
    return check_sum(words + 1, count - 1, entry ^ <uint8_t>words[0]) << 8


# --- writing --------------------------------------------------------------------------------------

cdef inline void use_ordinals(Numbers *numbers, const uint32_t *ordinals) noexcept nogil:
    """Replace the indexes of sorted keys by ordinals, and sort the keys again."""
    cdef uint64_t *keys = numbers.items
    cdef size_t count = numbers.count, i, first, end = 0
    cdef Numbers equal
    for i in range(count):
        if i + 2 * AHEAD < count:
            ocg_prefetch(&ordinals[index_of_key(keys[i + 2 * AHEAD])])
        keys[i] = keys[i] >> INDEX_BITS << INDEX_BITS | ordinals[index_of_key(keys[i])]
    for i in range(1, count):
        if keys[i - 1] > keys[i] and i > end:
            first, end = i - 1, i + 1
            while first and keys[first - 1] >> INDEX_BITS == keys[i] >> INDEX_BITS:
                first -= 1
            while end < count and keys[end] >> INDEX_BITS == keys[i] >> INDEX_BITS:
                end += 1
            equal = Numbers(keys + first, end - first, 0)
            sort_numbers(&equal, INDEX_BITS)


cdef inline BlockShape shape_of(const uint64_t *keys, size_t pairs, int width) noexcept nogil:
    """Return how to store the pairs of one block."""
    cdef BlockShape shape
    cdef uint64_t span = (keys[pairs - 1] >> INDEX_BITS) - (keys[0] >> INDEX_BITS)
    cdef size_t i
    shape.pairs, shape.hashes, shape.low_bits = pairs, 1, 0
    for i in range(1, pairs):
        shape.hashes += keys[i] >> INDEX_BITS != keys[i - 1] >> INDEX_BITS
    shape.has_marks = pairs - shape.hashes >= MARKED_REPEATS
    if not shape.has_marks:
        shape.hashes = pairs
    while shape.low_bits < MOST_LOW_BITS and span >> (shape.low_bits + 1) >= shape.hashes:
        shape.low_bits += 1
    shape.words = 1 + FLAG_WORDS * shape.has_marks + (
        shape.hashes * (shape.low_bits + 1) + pairs * width + (span >> shape.low_bits) + 63
    ) // 64
    return shape


cdef inline void put_bits(uint64_t *words, size_t at, int bits, uint64_t number) noexcept nogil:
    cdef int shift = at & 63
    words[at >> 6] |= number << shift
    if shift + bits > 64:
        words[(at >> 6) + 1] |= number >> (64 - shift)


cdef inline void pack_block(
    const uint64_t *keys, const BlockShape *shape, int width, uint64_t *words
) noexcept nogil:
    """Write a block to cleared words."""
    cdef uint64_t base = keys[0] >> INDEX_BITS, offset
    cdef uint64_t low_mask = (<uint64_t>1 << shape.low_bits) - 1
    cdef size_t low_at = 64 * (1 + FLAG_WORDS * shape.has_marks)
    cdef size_t at = low_at + shape.hashes * shape.low_bits
    cdef size_t high_at = at + shape.pairs * width
    cdef size_t i, stored = 0, one_at
    for i in range(shape.pairs):
        put_bits(words, at, width, index_of_key(keys[i]))
        at += width
        if shape.has_marks:
            if i and keys[i] >> INDEX_BITS == keys[i - 1] >> INDEX_BITS:
                continue
            words[1 + (i >> 6)] |= <uint64_t>1 << (i & 63)
        offset = (keys[i] >> INDEX_BITS) - base
        put_bits(words, low_at, shape.low_bits, offset & low_mask)
        low_at += shape.low_bits
        one_at = high_at + stored + (offset >> shape.low_bits)
        words[one_at >> 6] |= <uint64_t>1 << (one_at & 63)
        stored += 1
    words[0] = shape.low_bits | (REPEATS_ARE_MARKED if shape.has_marks else 0)


cdef inline int width_of(const Numbers *numbers) noexcept nogil:
    """Return the bits that the largest ordinal needs."""
    cdef uint64_t all_bits = 0
    cdef int width = 0
    cdef size_t i
    for i in range(numbers.count):
        all_bits |= numbers.items[i]
    all_bits = index_of_key(all_bits)
    while all_bits >> width:
        width += 1
    return width


cdef inline size_t words_of_bucket(const Numbers *numbers, int width) noexcept nogil:
    cdef size_t words = BUCKET_HEAD, first = 0, pairs
    while first < numbers.count:
        pairs = min(<size_t>BLOCK_PAIRS, numbers.count - first)
        words += 1 + shape_of(&numbers.items[first], pairs, width).words
        first += pairs
    return words


cdef inline void pack_bucket(
    const Numbers *numbers, int width, uint64_t *words, size_t count
) noexcept nogil:
    """Write the sorted keys of a bucket, which has at least one, to `count` words."""
    cdef size_t blocks = (numbers.count + BLOCK_PAIRS - 1) // BLOCK_PAIRS, block
    cdef size_t at = BUCKET_HEAD + blocks
    cdef const uint64_t *keys
    cdef BlockShape shape
    memset(words, 0, count * sizeof(uint64_t))
    for block in range(blocks):
        keys = &numbers.items[block * BLOCK_PAIRS]
        shape = shape_of(
            keys, min(<size_t>BLOCK_PAIRS, numbers.count - block * BLOCK_PAIRS), width
        )
        words[BUCKET_HEAD + block] = (keys[0] >> INDEX_BITS) << LOW_HASH_BITS | at
        pack_block(keys, &shape, width, &words[at])
        words[at] |= check_of_block(&words[at], shape.words, words[BUCKET_HEAD + block])
        at += shape.words
    words[1] = numbers.count
    words[2] = count
    words[3] = <uint64_t>RUN_FORMAT << 32 | <uint64_t>width
    words[0] = check_sum(words + 1, BUCKET_HEAD - 1 + blocks, 0)


# --- reading --------------------------------------------------------------------------------------

cdef inline bint is_run(const Run *run) noexcept nogil:
    """Return whether the end of a run is intact."""
    cdef const uint64_t *end
    if run.count < RUN_END:
        return False
    end = run.words + run.count - RUN_END
    return (
        end[RUN_END - 1] == check_sum(end, RUN_END - 1, run.count)
        and end[RUN_END - 2] == RUN_FORMAT
    )


cdef inline bint open_bucket(Run *run, int place, Bucket *bucket) noexcept nogil:
    """Find a bucket in a run; return False if it is damaged."""
    cdef size_t end = run.count - RUN_END
    cdef size_t at = run.words[end + place]
    memset(bucket, 0, sizeof(Bucket))
    if at == UINT64_MAX:
        return True
    if at > end or end - at < BUCKET_HEAD:
        return False
    bucket.words = run.words + at
    bucket.pairs, bucket.count = bucket.words[1], bucket.words[2]
    bucket.width = <uint8_t>bucket.words[3]
    bucket.entries = bucket.words + BUCKET_HEAD
    if bucket.count > end - at or bucket.count <= BUCKET_HEAD or bucket.width > INDEX_BITS:
        return False
    if bucket.pairs == 0 or (bucket.pairs - 1) // BLOCK_PAIRS >= bucket.count - BUCKET_HEAD:
        return False
    bucket.blocks = (bucket.pairs - 1) // BLOCK_PAIRS + 1
    if not run.is_verified[place]:
        if bucket.words[0] != check_sum(
            bucket.words + 1, BUCKET_HEAD - 1 + bucket.blocks, 0
        ) or bucket.words[3] >> 32 != RUN_FORMAT:
            return False
        run.is_verified[place] = True
    return True


cdef inline uint64_t bits_at(const uint64_t *words, size_t at, int bits) noexcept nogil:
    cdef int shift = at & 63
    cdef uint64_t number = words[at >> 6] >> shift
    if shift + bits > 64:
        number |= words[(at >> 6) + 1] << (64 - shift)
    return number & ((<uint64_t>1 << bits) - 1)


cdef inline bint load_block(
    const Bucket *bucket, size_t index, uint64_t top, Block *block
) noexcept nogil:
    """Read the hashes of a block; return False if it is damaged.

    `top`: the number of the bucket, which is the top bits of its hashes.
    """
    cdef uint64_t entry = bucket.entries[index]
    cdef size_t first = <uint32_t>entry
    cdef size_t end = (
        <uint32_t>bucket.entries[index + 1] if index + 1 < bucket.blocks else bucket.count
    )
    block.words = bucket.words + first
    block.pairs = min(<size_t>BLOCK_PAIRS, bucket.pairs - index * BLOCK_PAIRS)
    block.width = bucket.width
    if not BUCKET_HEAD + bucket.blocks <= first < end <= bucket.count:
        return False
    if block.words[0] >> 8 << 8 != check_of_block(block.words, end - first, entry):
        return False
    return unpack_hashes(block, end - first, top << LOW_HASH_BITS | entry >> LOW_HASH_BITS)


cdef inline bint unpack_hashes(Block *block, size_t count, uint64_t base) noexcept nogil:
    """Read the hashes of a block of `count` words, the first of which is `base`.

    Returns False if they do not fit into it.
    """
    cdef const uint64_t *words = block.words
    cdef int low_bits = words[0] & MOST_LOW_BITS
    cdef bint has_marks = (words[0] & REPEATS_ARE_MARKED) != 0
    cdef size_t low_at = 64 * (1 + FLAG_WORDS * has_marks)
    cdef size_t hashes = block.pairs, high_at, word_at, i, seen = 0
    cdef uint64_t word, high, hashed = base
    if has_marks:
        if count <= 1 + FLAG_WORDS:
            return False
        hashes = 0
        for i in range(block.pairs):
            hashes += words[1 + (i >> 6)] >> (i & 63) & 1
    block.ordinals_at = low_at + hashes * low_bits
    high_at = block.ordinals_at + block.pairs * block.width
    word_at = high_at >> 6
    if word_at >= count:
        return False
    word = words[word_at] >> (high_at & 63) << (high_at & 63)
    for i in range(block.pairs):
        if not has_marks or words[1 + (i >> 6)] >> (i & 63) & 1:
            while word == 0:
                word_at += 1
                if word_at >= count:
                    return False
                word = words[word_at]
            high = 64 * word_at + ocg_lowest_bit(word) - high_at - seen
            hashed = base + (high << low_bits | bits_at(words, low_at, low_bits))
            word &= word - 1
            low_at += low_bits
            seen += 1
        block.hashes[i] = hashed
    return True


cdef inline uint64_t key_in(const Block *block, size_t i) noexcept nogil:
    """Return a pair of a block as hash << INDEX_BITS | ordinal."""
    return block.hashes[i] << INDEX_BITS | bits_at(
        block.words, block.ordinals_at + i * block.width, block.width
    )


cdef inline void find_block(Cursor *cursor, uint32_t low_hash) noexcept nogil:
    """Move on to the last block that begins below a hash, or to the first block."""
    cdef const Bucket *bucket = &cursor.bucket
    cdef size_t step = 1
    while begins_below(bucket, cursor.at + step, low_hash):
        cursor.at += step
        step <<= 1
    while step:
        if begins_below(bucket, cursor.at + step, low_hash):
            cursor.at += step
        step >>= 1


cdef inline bint begins_below(const Bucket *bucket, size_t at, uint32_t low_hash) noexcept nogil:
    return at < bucket.blocks and bucket.entries[at] >> LOW_HASH_BITS < low_hash


cdef inline int look_up(Cursor *cursor, uint64_t hashed, Numbers *found) except -1 nogil:
    """Add the pairs of a hash, which is not below the last one; return False if one is damaged."""
    cdef const Bucket *bucket = &cursor.bucket
    cdef Block *block = &cursor.block
    cdef uint32_t low_hash = <uint32_t>hashed
    cdef size_t at, i
    if bucket.words == NULL:
        return True
    find_block(cursor, low_hash)
    at = cursor.at
    while at < bucket.blocks and bucket.entries[at] >> LOW_HASH_BITS <= low_hash:
        if at != cursor.loaded:
            cursor.loaded = at
            if not load_block(bucket, at, hashed >> LOW_HASH_BITS, block):
                return False
        i = count_below(<const int64_t *>block.hashes, block.pairs, <int64_t>hashed)
        while i < block.pairs and block.hashes[i] == hashed:
            add_number_to(found, key_in(block, i))
            i += 1
        at += 1
    return True
