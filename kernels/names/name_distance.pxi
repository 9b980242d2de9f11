"""An index of words by phonetic codes and by spelling, to find similar words.

A word is found by each of its phonetic codes, and by itself with any one letter left out, which
finds every word within one edit and most within two (Garbe's "SymSpell" idea, with one deletion). A
code that very many words share says little; then only neighbours in the order of the words are
compared.
"""

from libc.stdlib cimport qsort


cdef extern from "compiler.h" nogil:
    int OCG_COUNT_BITS(uint64_t word)

cdef enum:
    LONGEST = JOINED_LETTERS  # maximum length of indexed words
    SHORTEST = 3  # shorter words are not found by leaving letters out
    MOST_OF_KEY = 1024  # words; of the largest list of players 762 share a code


cdef inline uint32_t _hash_without(const uint8_t *word, int length, int left_out) noexcept nogil:
    """Return FNV-1a of a word without one letter; left_out -1 leaves none out."""
    cdef uint32_t value = 2166136261u
    cdef int i
    for i in range(length):
        if i != left_out:
            value = (value ^ word[i]) * 16777619u
    # Apart from the phonetic codes, which are hashes of other text.
    return value ^ 0x5EEDu


cdef int _compare(const void *left, const void *right) noexcept nogil:
    cdef uint64_t a = (<const uint64_t *> left)[0]
    cdef uint64_t b = (<const uint64_t *> right)[0]
    return (a > b) - (a < b)


cdef inline uint32_t _letter_set(const uint8_t *word, int length) noexcept nogil:
    cdef uint32_t letters = 0
    cdef int i
    for i in range(length):
        letters |= <uint32_t> 1 << (word[i] & 31)
    return letters


cdef class WordIndex:
    """Words, numbered as given, found by sound or by nearly equal spelling."""

    cdef uint8_t *_letters
    cdef uint32_t *_letter_sets  # of word i
    cdef uint32_t *_begins     # of word i in _letters; one more at the end
    cdef uint64_t *_keys       # key << 32 | word, sorted
    cdef uint32_t *_seen       # number of the last search that visited the word
    cdef uint32_t *_found
    cdef uint8_t *_by_sound
    cdef uint32_t _search
    cdef Py_ssize_t _words, _key_count

    def __cinit__(self, words: list, codes: list) -> None:
        """Index words (lower-case ASCII) by their codes (little-endian 32-bit values)."""
        cdef Py_ssize_t i, letters = 0, keys = 0
        if len(words) != len(codes):
            raise ValueError(f"{len(words)} words, but codes for {len(codes)}")
        if len(words) >= 0x7FFFFFFF:
            raise ValueError(f"too many words: {len(words)}")
        self._words = len(words)
        for i in range(self._words):
            letters += PyBytes_GET_SIZE(<bytes?> words[i])
            keys += PyBytes_GET_SIZE(<bytes?> codes[i]) // 4 + PyBytes_GET_SIZE(words[i]) + 1
        if letters >= 0xFFFFFFFF:
            raise ValueError(f"too many letters: {letters}")
        self._letters = <uint8_t *> allocate(letters, 1)
        self._begins = <uint32_t *> allocate(self._words + 1, sizeof(uint32_t))
        self._letter_sets = <uint32_t *> allocate(self._words, sizeof(uint32_t))
        self._keys = <uint64_t *> allocate(keys, sizeof(uint64_t))
        self._seen = <uint32_t *> allocate_zeros(self._words, sizeof(uint32_t))
        self._found = <uint32_t *> allocate(self._words, sizeof(uint32_t))
        self._by_sound = <uint8_t *> allocate(self._words, 1)
        self._begins[0] = 0
        for i in range(self._words):
            self._add(<uint32_t> i, words[i], codes[i])
        with nogil:
            qsort(self._keys, self._key_count, sizeof(uint64_t), _compare)

    def __dealloc__(self) -> None:
        free(self._letters)
        free(self._letter_sets)
        free(self._begins)
        free(self._keys)
        free(self._seen)
        free(self._found)
        free(self._by_sound)

    cdef void _add(self, uint32_t number, bytes word, bytes codes):
        cdef int length = <int> PyBytes_GET_SIZE(word)
        cdef uint32_t begin = self._begins[number]
        cdef uint32_t code
        cdef Py_ssize_t i
        memcpy(self._letters + begin, PyBytes_AS_STRING(word), length)
        self._begins[number + 1] = begin + length
        self._letter_sets[number] = _letter_set(self._letters + begin, length)
        if length > LONGEST:
            return
        for i in range(PyBytes_GET_SIZE(codes) // 4):
            memcpy(&code, PyBytes_AS_STRING(codes) + 4 * i, 4)
            self._add_key(code, number)
        if length >= SHORTEST:
            for i in range(-1, length):
                self._add_key(_hash_without(self._letters + begin, length, <int> i), number)

    cdef void _add_key(self, uint32_t key, uint32_t number) noexcept:
        self._keys[self._key_count] = (<uint64_t> key) << 32 | number
        self._key_count += 1

    def near(
        self, word: bytes, codes: bytes, int limit, uint32_t index=0
    ) -> list[tuple[int, int, bool]]:
        """Return (number, distance, shares a code) of the words within `limit` edits, sorted.

        Candidates share a code or a spelling with one letter left out; the word itself is excluded.
        If more than 1024 words share a code, only the neighbours of `index` are candidates. Raises
        ValueError for a word of more than 64 letters.
        """
        cdef Py_ssize_t count, i
        cdef const uint8_t *letters = <const uint8_t *> PyBytes_AS_STRING(word)
        cdef const uint8_t *values = <const uint8_t *> PyBytes_AS_STRING(codes)
        cdef int length
        cdef Py_ssize_t code_count = len(codes) // 4
        if len(word) > LONGEST:
            raise ValueError(f"word has {len(word)} letters, more than {LONGEST}")
        length = <int> len(word)
        with nogil:
            count = self._search_all(letters, length, values, code_count, index)
            count = self._filter_near(letters, length, count, limit)
        near = [
            (self._found[i], self._distance(letters, length, i, limit), bool(self._by_sound[i]))
            for i in range(count)
        ]
        near.sort()
        return near

    cdef int _distance(
        self, const uint8_t *letters, int length, Py_ssize_t i, int limit
    ) noexcept nogil:
        cdef uint32_t number = self._found[i]
        return edits_within(
            letters, length, self._letters + self._begins[number],
            <int> (self._begins[number + 1] - self._begins[number]), limit,
        )

    cdef Py_ssize_t _search_all(
        self, const uint8_t *letters, int length, const uint8_t *codes, Py_ssize_t code_count,
        uint32_t index,
    ) noexcept nogil:
        cdef Py_ssize_t count = 0, i
        cdef uint32_t code
        self._search += 1
        if self._search == 0:  # after 2**32 searches
            memset(self._seen, 0, self._words * sizeof(uint32_t))
            self._search = 1
        for i in range(code_count):
            memcpy(&code, codes + 4 * i, 4)
            count = self._collect(code, index, count, 1)
        if length >= SHORTEST:
            for i in range(-1, length):
                code = _hash_without(letters, length, <int> i)
                count = self._collect(code, index, count, 0)
        return count

    cdef Py_ssize_t _first_from(self, uint64_t key) noexcept nogil:
        """Return the index of the first key that is not less."""
        cdef Py_ssize_t low = 0, high = self._key_count, middle
        while low < high:
            middle = (low + high) >> 1
            if self._keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    cdef Py_ssize_t _collect(
        self, uint32_t key, uint32_t index, Py_ssize_t count, uint8_t by_sound
    ) noexcept nogil:
        """Append the words with a key that this search has not visited; of too many, neighbours."""
        cdef uint64_t first_key = (<uint64_t> key) << 32
        cdef Py_ssize_t low = self._first_from(first_key)
        cdef Py_ssize_t end = self._first_from(first_key + (<uint64_t> 1 << 32))
        cdef uint32_t number
        if end - low > MOST_OF_KEY:
            low = max(low, self._first_from(first_key | index) - MOST_OF_KEY // 2)
            end = min(end, low + MOST_OF_KEY)
        while low < end:
            number = <uint32_t> self._keys[low]
            if self._seen[number] != self._search:
                self._seen[number] = self._search
                self._found[count] = number
                self._by_sound[count] = by_sound
                count += 1
            low += 1
        return count

    cdef Py_ssize_t _filter_near(
        self, const uint8_t *letters, int length, Py_ssize_t found, int limit
    ) noexcept nogil:
        cdef Py_ssize_t kept = 0, i
        cdef int edits
        cdef uint32_t letter_set = _letter_set(letters, length)
        for i in range(found):
            # An edit removes at most one letter from the set and adds at most one.
            if OCG_COUNT_BITS(letter_set ^ self._letter_sets[self._found[i]]) > 2 * limit:
                continue
            edits = self._distance(letters, length, i, limit)
            if 0 < edits <= limit:
                self._found[kept] = self._found[i]
                self._by_sound[kept] = self._by_sound[i]
                kept += 1
        return kept
