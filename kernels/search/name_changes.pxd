"""Counts of whole names and of their words, and which spellings new records make likelier.

Only names that are spellings of one name are compared: see likeliest() in matching/name_choice.py.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

from game_record cimport Games, hash_bytes
from memory cimport allocate_zeros
from name_counts cimport PLAYER, GroupValues, NameCounts
from packed_name cimport WORD_HEAD, next_packed_word, packed_as_written
from sorted_numbers cimport order_of

cdef enum:
    FEWEST_HASH_SLOTS = 1 << 10

ctypedef struct HashCount:
    uint64_t hash              # 0: the slot is free
    uint32_t before            # without new records
    uint32_t now

# A hash table with open addressing.
ctypedef struct HashCounts:
    HashCount *slots
    size_t slot_count          # a power of two, or 0
    size_t count

ctypedef struct NameChanges:
    HashCounts records         # of each name, however it is written
    HashCounts words           # of new names: the number of names with the word
    bint is_open
    size_t old_names           # names below this index are not new; 0: not known


cdef inline HashCount *slot_of_hash(const HashCounts *counts, uint64_t hashed) noexcept nogil:
    """Return the slot of a hash, or the free slot where it belongs."""
    cdef size_t at = (hashed * 0x9E3779B97F4A7C15u) >> 20 & (counts.slot_count - 1)
    while counts.slots[at].hash and counts.slots[at].hash != hashed:
        at = (at + 1) & (counts.slot_count - 1)
    return &counts.slots[at]


cdef inline const HashCount *count_of_hash(
    const HashCounts *counts, uint64_t hashed
) noexcept nogil:
    """Return the counts of a hash, NULL if it was never added."""
    cdef const HashCount *slot
    if counts.slot_count == 0:
        return NULL
    slot = slot_of_hash(counts, hashed | 1)
    return slot if slot.hash else NULL


cdef inline int grow_hashes(HashCounts *counts) except -1 nogil:
    cdef HashCounts larger = counts[0]
    cdef size_t i
    larger.slot_count = max(2 * counts.slot_count, <size_t>FEWEST_HASH_SLOTS)
    larger.slots = <HashCount *>allocate_zeros(larger.slot_count, sizeof(HashCount))
    for i in range(counts.slot_count):
        if counts.slots[i].hash:
            slot_of_hash(&larger, counts.slots[i].hash)[0] = counts.slots[i]
    free(counts.slots)
    counts[0] = larger


cdef inline int add_hash(
    HashCounts *counts, uint64_t hashed, uint32_t before, uint32_t now
) except -1 nogil:
    cdef HashCount *slot
    if 2 * counts.count >= counts.slot_count:
        grow_hashes(counts)
    slot = slot_of_hash(counts, hashed | 1)
    if slot.hash == 0:
        slot.hash = hashed | 1
        counts.count += 1
    slot.before += before
    slot.now += now


cdef inline uint64_t hash_of_word(const uint8_t *word) noexcept nogil:
    """Return the hash of a packed word."""
    return hash_bytes(word + WORD_HEAD, word[0])


cdef inline const uint8_t *words_of_name(
    const Games *all, size_t name, uint8_t *count
) noexcept nogil:
    """Return the first packed word of a name as written, and the number of its words."""
    cdef const uint8_t *packed = packed_as_written(&all.names[name], all.name_words)
    count[0] = packed[0]
    return packed + 4


cdef inline bint is_new_name(
    const NameChanges *changes, const NameCounts *names, size_t name
) noexcept nogil:
    if changes.old_names:
        return name >= changes.old_names
    return names.counts[PLAYER][name] == names.added[PLAYER][name]


cdef inline int find_changes(
    NameChanges *changes, const NameCounts *names, const Games *all
) except -1 nogil:
    """Count names and words with and without new records.

    If it is not known which names are new, all without old records count as new.
    """
    cdef const uint32_t *counts = names.counts[PLAYER]
    cdef const uint32_t *added = names.added[PLAYER]
    cdef const HashCount *found
    cdef const uint8_t *word
    cdef uint8_t count, _k
    cdef size_t i
    changes.is_open = True
    for i in range(names.sizes[PLAYER]):
        add_hash(&changes.records, all.names[i].hash, counts[i] - added[i], counts[i])
        if is_new_name(changes, names, i):
            word = words_of_name(all, i, &count)
            for _k in range(count):
                add_hash(&changes.words, hash_of_word(word), 0, 1)
                word = next_packed_word(word)
    for i in range(names.sizes[PLAYER] if changes.words.count else 0):
        if not is_new_name(changes, names, i):
            word = words_of_name(all, i, &count)
            for _k in range(count):
                found = count_of_hash(&changes.words, hash_of_word(word))
                if found != NULL:
                    add_hash(&changes.words, found.hash, 1, 1)
                word = next_packed_word(word)


cdef inline void free_changes(NameChanges *changes) noexcept nogil:
    free(changes.records.slots)
    free(changes.words.slots)


cdef inline bint has_other_word(
    const NameChanges *changes, const Games *all, size_t name
) noexcept nogil:
    """Return whether another name has a word of a name only since there are new names."""
    cdef const HashCount *found
    cdef uint8_t count, _k
    cdef const uint8_t *word = words_of_name(all, name, &count)
    for _k in range(count):
        found = count_of_hash(&changes.words, hash_of_word(word))
        if found != NULL and found.before <= 1 < found.now:
            return True
        word = next_packed_word(word)
    return False


cdef inline bint are_likelier(
    NameChanges *changes, const NameCounts *names, const Games *all, const GroupValues *group
) except -1 nogil:
    """Return whether new records may change which name of a player is the likeliest."""
    cdef const HashCount *left
    cdef const HashCount *right
    cdef size_t i, j
    if group.counts[PLAYER] < 2:
        return False
    if not changes.is_open:
        find_changes(changes, names, all)
    for i in range(group.counts[PLAYER]):
        if has_other_word(changes, all, group.values[PLAYER][i]):
            return True
        left = count_of_hash(&changes.records, all.names[group.values[PLAYER][i]].hash)
        for j in range(i):
            right = count_of_hash(&changes.records, all.names[group.values[PLAYER][j]].hash)
            if order_of(left.before, right.before) != order_of(left.now, right.now):
                return True
    return False
