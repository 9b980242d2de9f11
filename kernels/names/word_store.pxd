"""Distinct words in one block of memory, numbered in order of insertion, in a hash table."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from memory cimport allocate_zeros, reserve

cdef enum:
    HASH_FACTOR = 0x9E3779B1

# `begin` and `length` are bytes in the letters of the store. `letter` is the first character, 0 for
# none. `first` and `last` are for lists that the owner of the store keeps per word, 0 for none; all
# fields from `letter_set` on are the owner's.
ctypedef struct StoredWord:
    uint32_t begin
    uint32_t length
    uint32_t hash
    uint32_t characters
    uint32_t letter
    uint32_t letter_set        # bits of the letters
    uint32_t power             # of the length, for joined hashes
    uint64_t initials
    uint64_t skeleton          # hash of the skeleton
    uint32_t in_surnames
    uint32_t in_given
    uint32_t entries
    uint32_t first
    uint32_t last
    uint32_t marks
    uint8_t surname_languages  # that have it as a surname
    uint8_t given_languages    # of whose syllables it is made as a given name

ctypedef struct WordStore:
    StoredWord *words
    uint32_t count
    size_t capacity
    uint8_t *letters
    size_t letters_used
    size_t letters_capacity
    uint32_t *slots            # number of a word + 1, 0: free
    uint32_t slot_count


cdef inline uint32_t hash_of(const uint8_t *text, size_t length) noexcept nogil:
    """Return the value of a polynomial: that of joined texts follows from their values."""
    cdef uint32_t value = 0
    cdef size_t i
    for i in range(length):
        value = value * HASH_FACTOR + text[i] + 1
    return value


cdef inline uint32_t power_of(size_t length) noexcept nogil:
    """Return the factor of a hash that a text of this length follows."""
    cdef uint32_t power = 1, square = HASH_FACTOR
    while length:
        if length & 1:
            power *= square
        square *= square
        length >>= 1
    return power


cdef inline uint32_t mixed(uint32_t value) noexcept nogil:
    """Spread the bits of a hash."""
    value = (value ^ value >> 15) * 0x2C1B3C6Du
    return value ^ value >> 13


cdef inline uint32_t next_character(const uint8_t **at, const uint8_t *end) noexcept nogil:
    """Return the character at a place in UTF-8, and move behind it; 0 at the end."""
    cdef const uint8_t *text = at[0]
    cdef uint32_t character
    if text >= end:
        return 0
    character = text[0]
    text += 1
    if character >= 0xC0:
        character &= 0x1F if character < 0xE0 else 0x0F if character < 0xF0 else 0x07
        while text < end and text[0] & 0xC0 == 0x80:
            character = character << 6 | (text[0] & 0x3F)
            text += 1
    at[0] = text
    return character


cdef inline void read_characters(StoredWord *word, const uint8_t *text) noexcept nogil:
    """Set the number of characters of a word and the first of them."""
    cdef const uint8_t *end = text + word.length
    word.characters = word.length > 0
    word.letter = next_character(&text, end)
    while text < end:
        next_character(&text, end)
        word.characters += 1


cdef inline int open_words(WordStore *store) except -1:
    store.slot_count = 1 << 10
    store.slots = <uint32_t *>allocate_zeros(store.slot_count, sizeof(uint32_t))


cdef inline void close_words(WordStore *store) noexcept:
    free(store.words)
    free(store.letters)
    free(store.slots)


cdef inline uint32_t word_slot(
    const WordStore *store, const uint8_t *text, size_t length, uint32_t hashed
) noexcept nogil:
    """Return the slot that holds a word, or the free one where it belongs."""
    cdef uint32_t mask = store.slot_count - 1
    cdef uint32_t slot = mixed(hashed) & mask
    cdef const StoredWord *word
    while store.slots[slot]:
        word = &store.words[store.slots[slot] - 1]
        if word.hash == hashed and word.length == length and (
            memcmp(store.letters + word.begin, text, length) == 0
        ):
            break
        slot = (slot + 1) & mask
    return slot


cdef inline uint32_t find_word(
    const WordStore *store, const uint8_t *text, size_t length
) noexcept nogil:
    """Return the number of a word + 1; 0 if it is not stored."""
    return store.slots[word_slot(store, text, length, hash_of(text, length))]


cdef inline int widen_slots(WordStore *store, uint32_t new_count) except -1 nogil:
    """Make a larger table of slots; their number is a power of two."""
    cdef uint32_t mask = new_count - 1, slot, i
    cdef uint32_t *slots = <uint32_t *>allocate_zeros(new_count, sizeof(uint32_t))
    for i in range(store.count):
        slot = mixed(store.words[i].hash) & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = i + 1
    free(store.slots)
    store.slots = slots
    store.slot_count = new_count


cdef inline int reserve_word(WordStore *store, size_t length) except -1 nogil:
    if store.count >= 0x40000000u:
        raise MemoryError("too many distinct words")
    if store.letters_used + length >= 0x7FFFFFFFu:
        raise MemoryError("too many letters")
    reserve(<void **>&store.words, &store.capacity, store.count + 1, sizeof(StoredWord))
    # Also for no letters: never NULL.
    reserve(<void **>&store.letters, &store.letters_capacity, store.letters_used + length + 1, 1)


cdef inline int reserve_words(WordStore *store, size_t words, size_t letters) except -1 nogil:
    """Reserve memory for words with this number of letters together."""
    cdef uint32_t slots = store.slot_count
    reserve(<void **>&store.words, &store.capacity, words, sizeof(StoredWord))
    reserve(<void **>&store.letters, &store.letters_capacity, letters + 1, 1)
    while slots // 2 <= words:
        slots *= 2
    if slots > store.slot_count:
        widen_slots(store, slots)


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
    reserve_word(store, length)
    word = &store.words[store.count]
    memset(word, 0, sizeof(StoredWord))
    word.begin = <uint32_t>store.letters_used
    word.length = <uint32_t>length
    word.hash = hashed
    word.power = power_of(length)
    if text != store.letters + word.begin:     # where a stored list is read
        memcpy(store.letters + word.begin, text, length)
    read_characters(word, text)
    store.letters_used += length
    store.count += 1
    store.slots[slot] = store.count
    slot = store.count
    if store.count > store.slot_count // 2:
        widen_slots(store, store.slot_count * 2)
    return slot
