"""Names of players as the search for duplicates stores them: about 80 bytes each.

A record has the data that all games need. The words, needed only to compare two names, are packed
in an arena and unpacked for the comparison. A name in Hangul or Chinese characters has two
forms, one behind the other: its reading in Latin letters, and the name as written, for the
comparison with a name in such a script.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from name_words cimport WORD_BYTES
from parsed_name cimport NAME_WORDS, ParsedName
from player_name cimport is_full

cdef enum:
    WORD_HEAD = 7              # bytes before the letters of a word
    SOUND_BYTES = 8
    MOST_PACKED = 4 + NAME_WORDS * (WORD_HEAD + WORD_BYTES + SOUND_BYTES)
    UNPACKED_BEHIND = 32       # bytes after the last name that unpacking reads

ctypedef struct NameRecord:
    uint64_t hash              # as in ParsedName
    uint64_t keys[2]
    uint32_t words             # offset of the packed words, in units of four bytes
    uint8_t is_unknown
    uint8_t is_full
    uint8_t reading_size       # of the reading, in units of four bytes; 0: only as written


cdef inline size_t pack_name(
    const ParsedName *name, uint8_t *packed, NameRecord *record
) noexcept nogil:
    """Write a name; return its size in bytes, at most MOST_PACKED and a multiple of four."""
    cdef uint8_t *at = packed + 4
    cdef int i, k, sounds
    record.reading_size = 0
    record.hash = name.hash
    record.keys[0] = name.keys[0]
    record.keys[1] = name.keys[1]
    record.is_unknown = name.is_unknown
    record.is_full = not name.is_unknown and is_full(name)
    packed[0] = name.n_words
    packed[1] = name.n_surname
    packed[2] = name.generation
    packed[3] = 0
    for i in range(name.n_words):
        sounds = 0
        while sounds < SOUND_BYTES and name.sounds[i] >> 8 * sounds:
            sounds += 1
        at[0] = name.lengths[i]
        at[1] = name.marks[i]
        at[2] = <uint8_t>sounds
        memcpy(at + 3, &name.letters[i], 4)
        memcpy(at + WORD_HEAD, name.words[i], name.lengths[i])
        at += WORD_HEAD + name.lengths[i]
        for k in range(sounds):
            at[k] = <uint8_t>(name.sounds[i] >> 8 * k)
        at += sounds
    while (at - packed) & 3:
        at[0] = 0
        at += 1
    return at - packed


cdef inline uint64_t first_bytes(const uint8_t *bytes, int count) noexcept nogil:
    """Return up to eight bytes as a number, the first one lowest; eight are read."""
    cdef uint64_t packed
    memcpy(&packed, bytes, 8)
    if count >= 8:
        return packed
    return packed & ((<uint64_t>1 << 8 * count) - 1) if count > 0 else 0


cdef inline const uint8_t *packed_as_written(
    const NameRecord *record, const uint8_t *packed
) noexcept nogil:
    """Return the packed name, not its reading: the number of words, three bytes, the words."""
    return packed + 4 * (<size_t>record.words + record.reading_size)


cdef inline void unpack_name(
    const NameRecord *record, const uint8_t *packed, bint as_written, ParsedName *name
) noexcept nogil:
    """Restore a name, except the fields that the search reads from the record.

    `as_written`: not its reading in Latin letters, if there is one.
    """
    cdef const uint8_t *at = packed + 4 * <size_t>record.words
    cdef uint64_t letters
    cdef int i, k, length
    if as_written:
        at = packed_as_written(record, packed)
    memset(name, 0, sizeof(ParsedName))
    name.n_words = at[0]
    name.n_surname = at[1]
    name.generation = at[2]
    name.is_unknown = record.is_unknown
    at += 4
    for i in range(name.n_words):
        length = at[0]
        name.lengths[i] = <uint8_t>length
        name.marks[i] = at[1]
        memcpy(&name.letters[i], at + 3, 4)
        for k in range(WORD_BYTES // 8):
            letters = first_bytes(at + WORD_HEAD + 8 * k, length - 8 * k)
            memcpy(name.words[i] + 8 * k, &letters, 8)
        name.sounds[i] = first_bytes(at + WORD_HEAD + length, at[2])
        name.all_letters |= name.letters[i]
        name.n_letters += <uint8_t>length
        at += WORD_HEAD + length + at[2]


cdef inline const uint8_t *next_packed_word(const uint8_t *word) noexcept nogil:
    """Return the place behind a packed word; the first word is behind the four bytes of a name."""
    return word + WORD_HEAD + word[0] + word[2]
