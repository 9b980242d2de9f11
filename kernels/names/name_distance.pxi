"""An index of words by phonetic codes and by spelling, to find similar words.

A word is found by each of its phonetic codes, and by itself with any one letter left out, which
finds every word within one edit and most within two (Garbe's "SymSpell" idea, with one deletion). A
code that very many words share says little; then only neighbours in the order of the words are
compared.
"""

from game_record cimport count_below
from name_entries cimport sort_numbers

cdef enum:
    LONGEST = JOINED_LETTERS   # maximum length of indexed words
    SHORTEST = 3               # shorter words are not found by leaving letters out
    HEAD_BITS = 16             # of a key
    MOST_OF_KEY = 1024         # words; of the largest list of players 762 share a code


cdef inline uint32_t hash_without(const uint8_t *word, int length, int left_out) noexcept nogil:
    """Return FNV-1a of a word without one letter; left_out -1 leaves none out."""
    cdef uint32_t value = 2166136261u
    cdef int i
    for i in range(length):
        if i != left_out:
            value = (value ^ word[i]) * 16777619u
    # Apart from the phonetic codes, which are hashes of other text.
    return value ^ 0x5EEDu


cdef inline uint32_t letters_in(const uint8_t *word, int length) noexcept nogil:
    cdef uint32_t letters = 0
    cdef int i
    for i in range(length):
        letters |= <uint32_t>1 << (word[i] & 31)
    return letters


cdef inline bint differ_little(uint32_t letters, uint32_t others, int limit) noexcept nogil:
    """Return whether words of two sets of letters can be within so many edits.

    An edit removes at most one letter from the set and adds at most one.
    """
    cdef uint32_t removed = letters & ~others, added = others & ~letters
    cdef int i
    for i in range(limit):
        removed &= removed - 1         # without the lowest letter
        added &= added - 1
    return not removed | added


# Words in their order, numbered from 0.
ctypedef struct NearWords:
    uint8_t *letters
    uint32_t *letter_sets      # of word i
    uint32_t *begins           # of word i in letters; one more at the end
    uint64_t *keys             # key << 32 | word, sorted
    uint32_t *heads            # first index of the keys with the same upper bits; then their count
    size_t word_count, key_count

# What one search at a time uses.
ctypedef struct NearSearch:
    uint32_t *seen             # number of the last search that visited the word
    uint32_t *found
    uint8_t *by_sound
    uint32_t number


cdef int open_near_words(NearWords *index, size_t words, size_t letters, size_t codes) except -1:
    """Reserve memory for words with these numbers of letters and codes together."""
    index.letters = <uint8_t *>allocate(letters, 1)
    index.begins = <uint32_t *>allocate(words + 1, sizeof(uint32_t))
    index.letter_sets = <uint32_t *>allocate(words, sizeof(uint32_t))
    index.keys = <uint64_t *>allocate(letters + words + codes, sizeof(uint64_t))
    index.heads = <uint32_t *>allocate((1 << HEAD_BITS) + 1, sizeof(uint32_t))
    index.begins[0] = 0


cdef void close_near_words(NearWords *index) noexcept:
    free(index.letters)
    free(index.letter_sets)
    free(index.begins)
    free(index.keys)
    free(index.heads)
    memset(index, 0, sizeof(NearWords))


cdef int open_near_search(NearSearch *search, size_t words) except -1:
    search.number = 0
    search.seen = <uint32_t *>allocate_zeros(words, sizeof(uint32_t))
    search.found = <uint32_t *>allocate(words, sizeof(uint32_t))
    search.by_sound = <uint8_t *>allocate(words, 1)


cdef void close_near_search(NearSearch *search) noexcept:
    free(search.seen)
    free(search.found)
    free(search.by_sound)


cdef void add_key(NearWords *index, uint32_t key) noexcept nogil:
    index.keys[index.key_count] = (<uint64_t>key) << 32 | index.word_count
    index.key_count += 1


cdef void add_near_word(
    NearWords *index, const uint8_t *word, int length, const uint8_t *codes, size_t code_count
) noexcept nogil:
    """Add a word, with codes of four bytes each."""
    cdef uint32_t begin = index.begins[index.word_count]
    cdef uint32_t code
    cdef size_t i
    cdef int left_out
    memcpy(index.letters + begin, word, length)
    index.begins[index.word_count + 1] = begin + length
    index.letter_sets[index.word_count] = letters_in(word, length)
    if length <= LONGEST:
        for i in range(code_count):
            memcpy(&code, codes + 4 * i, 4)
            add_key(index, code)
        if length >= SHORTEST:
            for left_out in range(-1, length):
                add_key(index, hash_without(word, length, left_out))
    index.word_count += 1


cdef int sort_keys(NearWords *index) except -1:
    """Sort the keys when all words are added."""
    cdef size_t i = 0, head
    sort_numbers(index.keys, index.key_count)
    for head in range((1 << HEAD_BITS) + 1):
        while i < index.key_count and index.keys[i] >> (64 - HEAD_BITS) < head:
            i += 1
        index.heads[head] = <uint32_t>i


cdef int edits_of(
    const NearWords *index, const uint8_t *letters, int length, uint32_t number, int limit
) noexcept nogil:
    return edits_within(
        letters, length, index.letters + index.begins[number],
        <int>(index.begins[number + 1] - index.begins[number]), limit,
    )


cdef size_t first_from(const NearWords *index, uint64_t key) noexcept nogil:
    """Return the index of the first key that is not less."""
    cdef const uint32_t *head = index.heads + (key >> (64 - HEAD_BITS))
    return head[0] + count_below(
        <const uint64_t *>index.keys + head[0], head[1] - head[0], key
    )


cdef size_t collect(
    const NearWords *index, NearSearch *search, uint32_t key, uint32_t place, size_t count,
    uint8_t by_sound,
) noexcept nogil:
    """Append the words with a key that this search has not visited; of too many, neighbours."""
    cdef uint64_t first_key = (<uint64_t>key) << 32
    cdef size_t low = first_from(index, first_key), end = low, middle
    cdef uint32_t number
    while end < index.key_count and end - low <= MOST_OF_KEY and index.keys[end] >> 32 == key:
        end += 1
    if end - low > MOST_OF_KEY:
        end = index.key_count if key == 0xFFFFFFFFu else first_from(
            index, first_key + (<uint64_t>1 << 32)
        )
        middle = first_from(index, first_key | place)
        low = max(low, middle - MOST_OF_KEY // 2 if middle > MOST_OF_KEY // 2 else 0)
        end = min(end, low + MOST_OF_KEY)
    while low < end:
        number = <uint32_t>index.keys[low]
        if search.seen[number] != search.number:
            search.seen[number] = search.number
            search.found[count] = number
            search.by_sound[count] = by_sound
            count += 1
        low += 1
    return count


cdef size_t near_by_key(
    const NearWords *index, NearSearch *search, const uint8_t *letters, int length,
    const uint8_t *codes, size_t code_count, int limit, int limit_of_spelling, uint32_t place,
) noexcept nogil:
    """Find the words that share a code and are within `limit` edits, in no order.

    `limit_of_spelling`: edits of words that share no code.
    """
    cdef size_t count = 0, kept = 0, i
    cdef uint32_t code, number, letter_set = letters_in(letters, length)
    cdef int left_out, edits, most
    search.number += 1
    if search.number == 0:  # after 2**32 searches
        memset(search.seen, 0, index.word_count * sizeof(uint32_t))
        search.number = 1
    for i in range(code_count):
        memcpy(&code, codes + 4 * i, 4)
        count = collect(index, search, code, place, count, 1)
    if length >= SHORTEST:
        for left_out in range(-1, length):
            code = hash_without(letters, length, left_out)
            count = collect(index, search, code, place, count, 0)
    for i in range(count):
        number = search.found[i]
        most = limit if search.by_sound[i] else limit_of_spelling
        if not differ_little(letter_set, index.letter_sets[number], most):
            continue
        edits = edits_of(index, letters, length, number, most)
        if 0 < edits <= most:
            search.found[kept] = number
            search.by_sound[kept] = search.by_sound[i] | <uint8_t>(edits << 1)
            kept += 1
    return kept


cdef class WordIndex:
    """Words, numbered as given, found by sound or by nearly equal spelling."""
    cdef NearWords index
    cdef NearSearch search

    def __cinit__(self, list words not None, list codes not None):
        cdef size_t letters = 0, code_count = 0
        if len(words) != len(codes):
            raise ValueError(f"{len(words)} words, but codes for {len(codes)}")
        for word, word_codes in zip(words, codes):
            letters += PyBytes_GET_SIZE(<bytes?>word)
            code_count += PyBytes_GET_SIZE(<bytes?>word_codes) // 4
        open_near_words(&self.index, len(words), letters, code_count)
        for word, word_codes in zip(words, codes):
            add_near_word(
                &self.index, <const uint8_t *>PyBytes_AS_STRING(word),
                <int>PyBytes_GET_SIZE(word), <const uint8_t *>PyBytes_AS_STRING(word_codes),
                PyBytes_GET_SIZE(word_codes) // 4,
            )
        open_near_search(&self.search, len(words))
        sort_keys(&self.index)

    def __dealloc__(self):
        close_near_words(&self.index)
        close_near_search(&self.search)

    def near(self, bytes word not None, bytes codes not None, int limit, uint32_t index=0):
        cdef size_t count, i
        if len(word) > LONGEST:
            raise ValueError(f"word has {len(word)} letters, more than {LONGEST}")
        count = near_by_key(
            &self.index, &self.search, <const uint8_t *>PyBytes_AS_STRING(word), <int>len(word),
            <const uint8_t *>PyBytes_AS_STRING(codes), len(codes) // 4, limit, limit, index,
        )
        return sorted([
            (self.search.found[i], self.search.by_sound[i] >> 1, bool(self.search.by_sound[i] & 1))
            for i in range(count)
        ])


# --- words of a list ------------------------------------------------------------------------------

# The words of a store that can be near another one, in their order, with an index by skeleton; and
# the phonetic codes of words by their number in the store.
ctypedef struct NearIndex:
    NearWords words
    uint32_t *numbers          # in the store, of words in their order
    uint64_t *by_skeleton      # upper half of the skeleton's hash, then the word; sorted
    bint is_complete
    uint32_t *codes
    size_t code_count, code_capacity
    uint32_t *code_begins      # of words of the store; all have codes that are searched
    uint16_t *code_counts
    size_t begin_capacity, count_capacity


cdef void forget_near_words(NearIndex *index) noexcept:
    """Remove the words, but not the codes."""
    close_near_words(&index.words)
    free(index.numbers)
    free(index.by_skeleton)
    index.numbers = NULL
    index.by_skeleton = NULL
    index.is_complete = False


cdef void close_near_index(NearIndex *index) noexcept:
    forget_near_words(index)
    free(index.codes)
    free(index.code_begins)
    free(index.code_counts)


cdef int reserve_codes(NearIndex *index, size_t words) except -1:
    """Reserve memory for the codes of words, which are unknown."""
    cdef size_t before = index.begin_capacity
    reserve(<void **>&index.code_begins, &index.begin_capacity, words, sizeof(uint32_t))
    memset(index.code_begins + before, 0xFF, (index.begin_capacity - before) * sizeof(uint32_t))
    before = index.count_capacity
    reserve(<void **>&index.code_counts, &index.count_capacity, words, sizeof(uint16_t))
    memset(index.code_counts + before, 0, (index.count_capacity - before) * sizeof(uint16_t))


cdef size_t place_of_word(
    const NearIndex *index, const uint8_t *letters, size_t length
) noexcept nogil:
    """Return the place of the first word that is not less."""
    cdef const NearWords *words = &index.words
    cdef size_t low = 0, high = words.word_count, middle, size
    cdef int order
    while low < high:
        middle = (low + high) >> 1
        size = words.begins[middle + 1] - words.begins[middle]
        order = memcmp(words.letters + words.begins[middle], letters, min(size, length))
        if order < 0 or (order == 0 and size < length):
            low = middle + 1
        else:
            high = middle
    return low


cdef size_t first_of_skeleton(const NearIndex *index, uint64_t skeleton) noexcept nogil:
    """Return the index of the first word whose skeleton has no lower hash."""
    cdef uint64_t key = skeleton >> 32 << 32
    return count_below(<const uint64_t *>index.by_skeleton, index.words.word_count, key)
