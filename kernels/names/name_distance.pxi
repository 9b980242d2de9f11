"""An index of words by phonetic codes and by spelling, to find similar words.

A word is found by each of its phonetic codes, and by itself with any one letter left out, which
finds every word within one edit and most within two (Garbe's "SymSpell" idea, with one deletion). A
code that very many words share says little; then only neighbours in the order of the words are
compared.
"""

from game_record cimport count_below
from name_entries cimport sort_numbers
from word_store cimport HASH_FACTOR, mixed

cdef enum:
    LONGEST = JOINED_LETTERS   # maximum length of indexed words
    SHORTEST = 3               # shorter words are not found by leaving letters out
    MOST_OF_KEY = 1024         # words; of the largest list of players 762 share a code
    BUCKETS = 1 << 16          # by the upper half of a key


cdef inline int keys_of_letters(const uint8_t *word, int length, uint32_t *keys) noexcept nogil:
    """Set the key of a word of up to LONGEST letters, and those without one letter; count them.

    A key is a mixed hash. Of equal letters in a row only one is left out.
    """
    cdef uint32_t[LONGEST + 1] heads
    cdef uint32_t tail = 0, power = 1
    cdef int i, count = 1
    heads[0] = 0
    for i in range(length):
        heads[i + 1] = heads[i] * HASH_FACTOR + word[i] + 1
    keys[0] = mixed(heads[length])
    for i in range(length - 1, -1, -1):
        if i == 0 or word[i - 1] != word[i]:
            keys[count] = mixed(heads[i] * power + tail)
            count += 1
        tail += (word[i] + 1) * power
        power *= HASH_FACTOR
    return count


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


ctypedef struct KeyCodes:
    const uint8_t *at          # four bytes each
    size_t count

# Words in their order, numbered from 0. The keys are in buckets by their upper half, word by word;
# of each there are the lower half and the word.
ctypedef struct NearWords:
    uint8_t *letters
    uint32_t *letter_sets      # of word i
    uint32_t *begins           # of word i in letters; one more at the end
    uint32_t *buckets          # where each begins; one more at the end
    uint16_t *key_ends
    uint32_t *key_words
    KeyCodes *codes            # of word i, until index_keys()
    size_t word_count

# What one search at a time uses.
ctypedef struct NearSearch:
    uint32_t *seen             # number of the last search that visited the word
    uint32_t *found
    uint8_t *by_sound
    uint32_t number


cdef int open_near_words(NearWords *index, size_t words, size_t letters) except -1:
    """Reserve memory for words with this number of letters together."""
    index.letters = <uint8_t *>allocate(letters, 1)
    index.begins = <uint32_t *>allocate(words + 1, sizeof(uint32_t))
    index.letter_sets = <uint32_t *>allocate(words, sizeof(uint32_t))
    index.buckets = <uint32_t *>allocate_zeros(BUCKETS + 1, sizeof(uint32_t))
    index.codes = <KeyCodes *>allocate(words, sizeof(KeyCodes))
    index.begins[0] = 0


cdef void close_near_words(NearWords *index) noexcept:
    free(index.letters)
    free(index.letter_sets)
    free(index.begins)
    free(index.buckets)
    free(index.key_ends)
    free(index.key_words)
    free(index.codes)
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


cdef void add_near_word(
    NearWords *index, const uint8_t *word, int length, const uint8_t *codes, size_t code_count
) noexcept nogil:
    """Add a word; the caller keeps its codes until index_keys()."""
    cdef uint32_t begin = index.begins[index.word_count]
    memcpy(index.letters + begin, word, length)
    index.begins[index.word_count + 1] = begin + length
    index.letter_sets[index.word_count] = letters_in(word, length)
    index.codes[index.word_count] = KeyCodes(codes, code_count)
    index.word_count += 1


cdef int index_keys(NearWords *index) except -1 nogil:
    """Put the keys of all words into their buckets; no word can be added any more."""
    cdef uint32_t count = 0, size
    cdef size_t i, most = index.begins[index.word_count] + index.word_count
    for i in range(index.word_count):
        most += index.codes[i].count
    if most > 0xFFFFFFFFu:
        raise ValueError(f"{most} keys of words")
    for i in range(index.word_count):
        pass_keys(index, <uint32_t>i)
    for i in range(BUCKETS):
        size = index.buckets[i]
        index.buckets[i] = count
        count += size
    open_keys(index, count)
    for i in range(index.word_count):
        pass_keys(index, <uint32_t>i)
    memmove(index.buckets + 1, index.buckets, BUCKETS * sizeof(uint32_t))
    index.buckets[0] = 0
    forget_codes(index)


cdef void forget_codes(NearWords *index) noexcept nogil:
    free(index.codes)
    index.codes = NULL


cdef int open_keys(NearWords *index, size_t count) except -1 nogil:
    """Reserve memory for keys."""
    index.key_ends = <uint16_t *>allocate(count, sizeof(uint16_t))
    index.key_words = <uint32_t *>allocate(count, sizeof(uint32_t))


cdef void pass_keys(NearWords *index, uint32_t number) noexcept nogil:
    """Count the keys of a word by bucket; if there is memory for keys, put them there."""
    cdef uint32_t[LONGEST + 1] keys
    cdef const uint8_t *word = index.letters + index.begins[number]
    cdef const KeyCodes *codes = &index.codes[number]
    cdef int length = <int>(index.begins[number + 1] - index.begins[number]), i
    cdef uint32_t code
    cdef size_t k
    if length > LONGEST:
        return
    for k in range(codes.count):
        memcpy(&code, codes.at + 4 * k, 4)
        pass_key(index, code, number)
    if length >= SHORTEST:
        for i in range(keys_of_letters(word, length, keys)):
            pass_key(index, keys[i], number)


cdef inline void pass_key(NearWords *index, uint32_t key, uint32_t number) noexcept nogil:
    cdef uint32_t *place = &index.buckets[key >> 16]
    if index.key_words != NULL:
        index.key_ends[place[0]] = <uint16_t>key
        index.key_words[place[0]] = number
    place[0] += 1


cdef int edits_of(
    const NearWords *index, const uint8_t *letters, int length, uint32_t number, int limit
) noexcept nogil:
    return edits_within(
        letters, length, index.letters + index.begins[number],
        <int>(index.begins[number + 1] - index.begins[number]), limit,
    )


cdef size_t collect(
    const NearWords *index, NearSearch *search, uint32_t key, uint32_t place, size_t count,
    uint8_t by_sound,
) noexcept nogil:
    """Append the words with a key that this search has not visited; of too many, neighbours."""
    cdef uint32_t begin = index.buckets[key >> 16], end = index.buckets[(key >> 16) + 1], number
    cdef uint16_t key_end = <uint16_t>key
    cdef uint32_t i, size = 0, below = 0
    if end - begin > MOST_OF_KEY:
        for i in range(begin, end):
            if index.key_ends[i] == key_end:
                size += 1
                below += index.key_words[i] < place
    below = below - MOST_OF_KEY // 2 if size > MOST_OF_KEY and below > MOST_OF_KEY // 2 else 0
    size = MOST_OF_KEY
    for i in range(begin, end):
        if index.key_ends[i] != key_end:
            continue
        if below:                      # of which too many are before the neighbours
            below -= 1
            continue
        number = index.key_words[i]
        if search.seen[number] != search.number:
            search.seen[number] = search.number
            search.found[count] = number
            search.by_sound[count] = by_sound
            count += 1
        size -= 1
        if not size:
            break
    return count


cdef size_t near_by_key(
    const NearWords *index, NearSearch *search, const uint8_t *letters, int length,
    const uint8_t *codes, size_t code_count, int limit, int limit_of_spelling, uint32_t place,
) noexcept nogil:
    """Find the words that share a code and are within `limit` edits, in no order.

    `limit_of_spelling`: edits of words that share no code.
    """
    cdef size_t count = 0, kept = 0, i
    cdef uint32_t[LONGEST + 1] keys
    cdef uint32_t code, number, letter_set = letters_in(letters, length)
    cdef int edits, k, most
    search.number += 1
    if search.number == 0:  # after 2**32 searches
        memset(search.seen, 0, index.word_count * sizeof(uint32_t))
        search.number = 1
    for i in range(code_count):
        memcpy(&code, codes + 4 * i, 4)
        count = collect(index, search, code, place, count, 1)
    if length >= SHORTEST:
        for k in range(keys_of_letters(letters, length, keys)):
            count = collect(index, search, keys[k], place, count, 0)
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
        cdef size_t letters = 0
        if len(words) != len(codes):
            raise ValueError(f"{len(words)} words, but codes for {len(codes)}")
        for word in words:
            letters += PyBytes_GET_SIZE(<bytes?>word)
        open_near_words(&self.index, len(words), letters)
        for word, word_codes in zip(words, codes):
            add_near_word(
                &self.index, <const uint8_t *>PyBytes_AS_STRING(word),
                <int>PyBytes_GET_SIZE(word), <const uint8_t *>PyBytes_AS_STRING(<bytes?>word_codes),
                PyBytes_GET_SIZE(word_codes) // 4,
            )
        open_near_search(&self.search, len(words))
        index_keys(&self.index)

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
