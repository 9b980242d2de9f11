"""An index of words by phonetic codes and by spelling, to find similar words.

A word is found by each of its phonetic codes, and by itself with any one letter left out, which
finds every word within one edit and most within two (Garbe's "SymSpell" idea, with one deletion). A
code that very many words share says little; then only neighbours in the order of the words are
compared.
"""

from libc.stdlib cimport qsort

from name_entries cimport by_number

cdef extern from "compiler.h" nogil:
    int OCG_COUNT_BITS(uint64_t word)

cdef enum:
    LONGEST = JOINED_LETTERS   # maximum length of indexed words
    SHORTEST = 3               # shorter words are not found by leaving letters out
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


cdef class WordIndex:
    """Words, numbered as given, found by sound or by nearly equal spelling."""
    cdef uint8_t *letters
    cdef uint32_t *letter_sets  # of word i
    cdef uint32_t *begins      # of word i in letters; one more at the end
    cdef uint64_t *keys        # key << 32 | word, sorted
    cdef uint32_t *seen        # number of the last search that visited the word
    cdef uint32_t *found
    cdef uint8_t *by_sound
    cdef uint32_t search
    cdef Py_ssize_t word_count, key_count

    def __cinit__(self, list words not None, list codes not None):
        cdef Py_ssize_t i, letters = 0, keys = 0
        if len(words) != len(codes):
            raise ValueError(f"{len(words)} words, but codes for {len(codes)}")
        if len(words) >= 0x7FFFFFFF:
            raise ValueError(f"too many words: {len(words)}")
        self.word_count = len(words)
        for i in range(self.word_count):
            letters += PyBytes_GET_SIZE(<bytes?> words[i])
            keys += PyBytes_GET_SIZE(<bytes?> codes[i]) // 4 + PyBytes_GET_SIZE(words[i]) + 1
        if letters >= 0xFFFFFFFF:
            raise ValueError(f"too many letters: {letters}")
        self.letters = <uint8_t *>allocate(letters, 1)
        self.begins = <uint32_t *>allocate(self.word_count + 1, sizeof(uint32_t))
        self.letter_sets = <uint32_t *>allocate(self.word_count, sizeof(uint32_t))
        self.keys = <uint64_t *>allocate(keys, sizeof(uint64_t))
        self.seen = <uint32_t *>allocate_zeros(self.word_count, sizeof(uint32_t))
        self.found = <uint32_t *>allocate(self.word_count, sizeof(uint32_t))
        self.by_sound = <uint8_t *>allocate(self.word_count, 1)
        self.begins[0] = 0
        for i in range(self.word_count):
            self.add_word(<uint32_t>i, words[i], codes[i])
        with nogil:
            qsort(self.keys, self.key_count, sizeof(uint64_t), by_number)

    def __dealloc__(self):
        free(self.letters)
        free(self.letter_sets)
        free(self.begins)
        free(self.keys)
        free(self.seen)
        free(self.found)
        free(self.by_sound)

    cdef void add_word(self, uint32_t number, bytes word, bytes codes):
        cdef int length = <int>PyBytes_GET_SIZE(word)
        cdef uint32_t begin = self.begins[number]
        cdef uint32_t code
        cdef Py_ssize_t i
        memcpy(self.letters + begin, PyBytes_AS_STRING(word), length)
        self.begins[number + 1] = begin + length
        self.letter_sets[number] = letters_in(self.letters + begin, length)
        if length > LONGEST:
            return
        for i in range(PyBytes_GET_SIZE(codes) // 4):
            memcpy(&code, PyBytes_AS_STRING(codes) + 4 * i, 4)
            self.add_key(code, number)
        if length >= SHORTEST:
            for i in range(-1, length):
                self.add_key(hash_without(self.letters + begin, length, <int>i), number)

    cdef void add_key(self, uint32_t key, uint32_t number) noexcept:
        self.keys[self.key_count] = (<uint64_t>key) << 32 | number
        self.key_count += 1

    def near(self, bytes word not None, bytes codes not None, int limit, uint32_t index=0):
        cdef Py_ssize_t count, i
        cdef const uint8_t *letters = <const uint8_t *>PyBytes_AS_STRING(word)
        cdef const uint8_t *values = <const uint8_t *>PyBytes_AS_STRING(codes)
        cdef int length
        cdef Py_ssize_t code_count = len(codes) // 4
        if len(word) > LONGEST:
            raise ValueError(f"word has {len(word)} letters, more than {LONGEST}")
        length = <int>len(word)
        with nogil:
            count = self.search_all(letters, length, values, code_count, index)
            count = self.filter_near(letters, length, count, limit)
        near = [
            (self.found[i], self.distance(letters, length, i, limit), bool(self.by_sound[i]))
            for i in range(count)
        ]
        near.sort()
        return near

    cdef int distance(
        self, const uint8_t *letters, int length, Py_ssize_t i, int limit
    ) noexcept nogil:
        cdef uint32_t number = self.found[i]
        return edits_within(
            letters, length, self.letters + self.begins[number],
            <int>(self.begins[number + 1] - self.begins[number]), limit,
        )

    cdef Py_ssize_t search_all(
        self, const uint8_t *letters, int length, const uint8_t *codes, Py_ssize_t code_count,
        uint32_t index,
    ) noexcept nogil:
        cdef Py_ssize_t count = 0, i
        cdef uint32_t code
        self.search += 1
        if self.search == 0:  # after 2**32 searches
            memset(self.seen, 0, self.word_count * sizeof(uint32_t))
            self.search = 1
        for i in range(code_count):
            memcpy(&code, codes + 4 * i, 4)
            count = self.collect(code, index, count, 1)
        if length >= SHORTEST:
            for i in range(-1, length):
                code = hash_without(letters, length, <int>i)
                count = self.collect(code, index, count, 0)
        return count

    cdef Py_ssize_t first_from(self, uint64_t key) noexcept nogil:
        """Return the index of the first key that is not less."""
        cdef Py_ssize_t low = 0, high = self.key_count, middle
        while low < high:
            middle = (low + high) >> 1
            if self.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    cdef Py_ssize_t collect(
        self, uint32_t key, uint32_t index, Py_ssize_t count, uint8_t by_sound
    ) noexcept nogil:
        """Append the words with a key that this search has not visited; of too many, neighbours."""
        cdef uint64_t first_key = (<uint64_t>key) << 32
        cdef Py_ssize_t low = self.first_from(first_key)
        cdef Py_ssize_t end = self.first_from(first_key + (<uint64_t>1 << 32))
        cdef uint32_t number
        if end - low > MOST_OF_KEY:
            low = max(low, self.first_from(first_key | index) - MOST_OF_KEY // 2)
            end = min(end, low + MOST_OF_KEY)
        while low < end:
            number = <uint32_t>self.keys[low]
            if self.seen[number] != self.search:
                self.seen[number] = self.search
                self.found[count] = number
                self.by_sound[count] = by_sound
                count += 1
            low += 1
        return count

    cdef Py_ssize_t filter_near(
        self, const uint8_t *letters, int length, Py_ssize_t found, int limit
    ) noexcept nogil:
        cdef Py_ssize_t kept = 0, i
        cdef int edits
        cdef uint32_t letter_set = letters_in(letters, length)
        for i in range(found):
            # An edit removes at most one letter from the set and adds at most one.
            if OCG_COUNT_BITS(letter_set ^ self.letter_sets[self.found[i]]) > 2 * limit:
                continue
            edits = self.distance(letters, length, i, limit)
            if 0 < edits <= limit:
                self.found[kept] = self.found[i]
                self.by_sound[kept] = self.by_sound[i]
                kept += 1
        return kept
