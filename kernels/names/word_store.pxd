"""Distinct words in one block of memory, numbered in order of insertion, in a hash table."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

# `begin` and `length` are bytes in the letters of the store. `first` and `last` are for lists that
# the owner of the store keeps per word, 0 for none; all fields after `hash` are the owner's.
ctypedef struct StoredWord:
    uint64_t initials
    uint32_t begin
    uint32_t length
    uint32_t hash
    uint32_t in_surnames
    uint32_t in_given
    uint32_t entries
    uint32_t first
    uint32_t last
    uint32_t marks
    uint32_t beginnings
    uint32_t skeleton
    uint32_t near


ctypedef struct WordStore:
    StoredWord *words
    uint32_t count
    uint32_t room
    uint8_t *letters
    size_t letters_used
    size_t letters_room
    uint32_t *slots  # number of a word + 1, 0: free
    uint32_t slot_count


cdef inline uint32_t hash_on(uint32_t value, const uint8_t *text, size_t length) noexcept nogil:
    """Continue an FNV-1a hash."""
    cdef size_t i
    for i in range(length):
        value = (value ^ text[i]) * 16777619u
    return value


cdef inline uint32_t hash_of(const uint8_t *text, size_t length) noexcept nogil:
    return hash_on(2166136261u, text, length)


cdef inline void *grown(void *block, size_t bytes_wanted) except NULL nogil:
    """Resize a block of memory; on failure the old block stays."""
    cdef void *larger = realloc(block, bytes_wanted)
    if larger == NULL:
        with gil:
            raise MemoryError()
    return larger


cdef inline int open_words(WordStore *store) except -1:
    memset(store, 0, sizeof(WordStore))
    store.slot_count = 1 << 10
    store.slots = <uint32_t *> malloc(store.slot_count * sizeof(uint32_t))
    if store.slots == NULL:
        raise MemoryError()
    memset(store.slots, 0, store.slot_count * sizeof(uint32_t))
    return 0


cdef inline void close_words(WordStore *store) noexcept:
    free(store.words)
    free(store.letters)
    free(store.slots)
    memset(store, 0, sizeof(WordStore))


cdef inline uint32_t word_slot(
    const WordStore *store, const uint8_t *text, size_t length, uint32_t hashed
) noexcept nogil:
    """Return the slot that holds a word, or the free one where it belongs."""
    cdef uint32_t mask = store.slot_count - 1
    cdef uint32_t slot = (hashed ^ (hashed >> 15)) & mask
    cdef const StoredWord *word
    while store.slots[slot]:
        word = &store.words[store.slots[slot] - 1]
        if (
            word.hash == hashed
            and word.length == length
            and memcmp(store.letters + word.begin, text, length) == 0
        ):
            break
        slot = (slot + 1) & mask
    return slot


cdef inline uint32_t find_word(
    const WordStore *store, const uint8_t *text, size_t length
) noexcept nogil:
    """Return the number of a word + 1; 0 if it is not stored."""
    return store.slots[word_slot(store, text, length, hash_of(text, length))]


cdef inline int _widen_slots(WordStore *store) except -1 nogil:
    cdef uint32_t new_count = store.slot_count * 2, mask = new_count - 1, slot, i
    cdef uint32_t *slots = <uint32_t *> grown(NULL, new_count * sizeof(uint32_t))
    memset(slots, 0, new_count * sizeof(uint32_t))
    for i in range(store.count):
        slot = (store.words[i].hash ^ (store.words[i].hash >> 15)) & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = i + 1
    free(store.slots)
    store.slots = slots
    store.slot_count = new_count
    return 0


cdef inline int _make_room(WordStore *store, size_t length) except -1 nogil:
    if store.count == store.room:
        if store.count >= 0x40000000u:
            with gil:
                raise MemoryError("too many distinct words")
        store.words = <StoredWord *> grown(
            store.words, (<size_t> store.room * 2 + 256) * sizeof(StoredWord)
        )
        store.room = store.room * 2 + 256
    if store.letters_used + length >= store.letters_room:  # also for no letters: never NULL
        if (store.letters_used + length) * 2 >= 0xFFFFFFFFu:
            with gil:
                raise MemoryError("too many letters")
        store.letters = <uint8_t *> grown(store.letters, (store.letters_used + length) * 2 + 1)
        store.letters_room = (store.letters_used + length) * 2 + 1
    return 0


cdef inline uint32_t add_word(
    WordStore *store, const uint8_t *text, size_t length, bint *is_new
) except 0 nogil:
    """Return the number of a word + 1; store it if it is new."""
    cdef uint32_t hashed = hash_of(text, length)
    cdef uint32_t slot = word_slot(store, text, length, hashed)
    cdef StoredWord *word
    is_new[0] = store.slots[slot] == 0
    if store.slots[slot]:
        return store.slots[slot]
    _make_room(store, length)
    word = &store.words[store.count]
    memset(word, 0, sizeof(StoredWord))
    word.begin = <uint32_t> store.letters_used
    word.length = <uint32_t> length
    word.hash = hashed
    memcpy(store.letters + word.begin, text, length)
    store.letters_used += length
    store.count += 1
    store.slots[slot] = store.count
    slot = store.count
    if store.count > store.slot_count // 2:
        _widen_slots(store)
    return slot
