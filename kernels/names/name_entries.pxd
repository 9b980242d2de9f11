"""Names as rows of word numbers, with indexes by word and by letters."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from game_record cimport count_below
from memory cimport allocate, reserve
from name_readings cimport NameWords
from word_store cimport StoredWord, WordStore

ctypedef struct Entry:
    uint64_t initials
    uint32_t begin             # in word numbers
    uint8_t surname            # number of surname words, which come first
    uint8_t words
    uint8_t is_ordered
    uint8_t has_marks

# The parts of a name other than words. Few names have any.
ctypedef struct NameMarks:
    uint32_t entry
    uint32_t birth_year        # 0 unknown
    uint8_t country[4]
    uint8_t number[4]
    uint8_t generation         # 0 unknown
    uint8_t is_handle

# An entry that has a word in its surname.
ctypedef struct Posting:
    uint64_t initials          # of the entry
    uint32_t entry
    uint32_t following         # 0: the last posting

ctypedef struct NameEntries:
    Entry *entries
    uint32_t count
    size_t capacity
    uint32_t *numbers          # of words, entry by entry
    size_t number_count
    size_t number_capacity
    Posting *postings
    uint32_t posting_count
    size_t posting_capacity
    uint64_t *by_letters       # hash of the letters << 32 | entry
    size_t letters_count
    size_t letters_capacity
    bint is_sorted
    NameMarks *marks           # in the order of the entries
    size_t mark_count
    size_t mark_capacity


cdef inline void close_entries(NameEntries *names) noexcept:
    free(names.entries)
    free(names.numbers)
    free(names.postings)
    free(names.by_letters)
    free(names.marks)


cdef inline NameWords words_of_entry(const NameEntries *names, uint32_t number) noexcept nogil:
    cdef const Entry *entry = &names.entries[number]
    return NameWords(names.numbers + entry.begin, entry.surname, entry.words, entry.is_ordered)


cdef inline int reserve_entries(NameEntries *names, size_t entries, size_t numbers) except -1:
    """Reserve memory for more entries with this number of words together."""
    reserve(<void **>&names.entries, &names.capacity, names.count + entries, sizeof(Entry))
    reserve(
        <void **>&names.numbers, &names.number_capacity, names.number_count + numbers,
        sizeof(uint32_t),
    )


cdef inline void put_entry(
    NameEntries *names, const WordStore *store, const NameWords *name
) noexcept nogil:
    """Add a name of at most 255 words to reserved memory, but not to the indexes."""
    cdef Entry *entry = &names.entries[names.count]
    cdef int i
    entry.initials = 0
    entry.begin = <uint32_t>names.number_count
    entry.surname = <uint8_t>name.surname
    entry.words = <uint8_t>name.count
    entry.is_ordered = name.is_ordered
    entry.has_marks = False
    if name.numbers != names.numbers + names.number_count:     # where a stored list is read
        memcpy(names.numbers + names.number_count, name.numbers, name.count * sizeof(uint32_t))
    names.number_count += name.count
    for i in range(name.surname if name.count > name.surname else 0, name.count):
        entry.initials |= store.words[name.numbers[i]].initials
    names.count += 1


cdef inline int add_entry(NameEntries *names, WordStore *store, const NameWords *name) except -1:
    """Add a name of at most 255 words; its number is the count before."""
    cdef uint32_t[2] hashes
    cdef uint32_t entry = names.count
    cdef int i
    reserve_entries(names, 1, name.count)
    reserve(
        <void **>&names.postings, &names.posting_capacity, names.posting_count + name.count,
        sizeof(Posting),
    )
    reserve(
        <void **>&names.by_letters, &names.letters_capacity, names.letters_count + 2,
        sizeof(uint64_t),
    )
    put_entry(names, store, name)
    for i in range(name.surname):
        if is_first_in(name, i):
            add_posting(names, entry, &store.words[name.numbers[i]])
    for i in range(hash_both_orders(store, name, hashes)):
        names.by_letters[names.letters_count] = (<uint64_t>hashes[i]) << 32 | entry
        names.letters_count += 1
    names.is_sorted = False


cdef inline bint is_first_in(const NameWords *name, int index) noexcept nogil:
    """Return whether no word before is the same."""
    cdef int i
    for i in range(index):
        if name.numbers[i] == name.numbers[index]:
            return False
    return True


cdef inline int hash_both_orders(
    const WordStore *store, const NameWords *name, uint32_t *hashes
) noexcept nogil:
    """Hash the letters of a name, and those of its given names before the surname.

    Return the number of different hashes.
    """
    hashes[0] = hash_letters(store, name.numbers, 0, name.count, 0)
    hashes[1] = hash_letters(store, name.numbers, name.surname, name.count, 0)
    hashes[1] = hash_letters(store, name.numbers, 0, name.surname, hashes[1])
    return 1 if hashes[0] == hashes[1] else 2


cdef inline int add_marks(NameEntries *names, const NameMarks *marks) except -1:
    """Add the marks of the last entry."""
    reserve(
        <void **>&names.marks, &names.mark_capacity, names.mark_count + 1, sizeof(NameMarks)
    )
    names.marks[names.mark_count] = marks[0]
    names.marks[names.mark_count].entry = names.count - 1
    names.mark_count += 1
    names.entries[names.count - 1].has_marks = True


cdef inline NameMarks marks_of_entry(const NameEntries *names, uint32_t number) noexcept nogil:
    cdef NameMarks nothing
    cdef size_t low = 0, high = names.mark_count, middle
    if not names.entries[number].has_marks:
        memset(&nothing, 0, sizeof(NameMarks))
        return nothing
    while low < high:
        middle = (low + high) >> 1
        if names.marks[middle].entry < number:
            low = middle + 1
        else:
            high = middle
    return names.marks[low]


cdef inline void add_posting(NameEntries *names, uint32_t entry, StoredWord *word) noexcept:
    """Add an entry to the postings of a word."""
    cdef Posting *posting = &names.postings[names.posting_count]
    posting.entry = entry
    posting.initials = names.entries[entry].initials
    posting.following = 0
    names.posting_count += 1
    if word.last:
        names.postings[word.last - 1].following = names.posting_count
    else:
        word.first = names.posting_count
    word.last = names.posting_count
    word.entries += 1


cdef inline uint32_t hash_letters(
    const WordStore *store, const uint32_t *numbers, int first, int end, uint32_t value
) noexcept nogil:
    """Continue a hash over the letters of words; start with 0."""
    cdef int i
    for i in range(first, end):
        value = value * store.words[numbers[i]].power + store.words[numbers[i]].hash
    return value


cdef inline void count_entry(NameEntries *names, WordStore *store, uint32_t number) noexcept:
    """Count the words of an entry; those of a name without order count on both sides."""
    cdef Entry *entry = &names.entries[number]
    cdef uint32_t *numbers = names.numbers + entry.begin
    cdef int i
    for i in range(entry.surname):
        store.words[numbers[i]].in_surnames += 1
    for i in range(entry.surname if entry.is_ordered else 0, entry.words):
        store.words[numbers[i]].in_given += 1


cdef inline int sort_numbers(uint64_t *numbers, size_t count) except -1 nogil:
    """Sort numbers by their upper 32 bits; equal ones stay in their order.

    16 bits at a time, from the lowest on (least significant digit first).
    """
    cdef uint64_t *other = <uint64_t *>allocate(count, sizeof(uint64_t))
    cdef uint64_t *source = numbers
    cdef uint64_t *target = other
    cdef size_t *places = NULL
    cdef size_t i, place, size
    cdef uint64_t differ = 0
    cdef int shift
    for i in range(1, count):
        differ |= numbers[i] ^ numbers[0]
    try:
        places = <size_t *>allocate(1 << 16, sizeof(size_t))
        for shift in range(32, 64, 16):
            if not differ >> shift & 0xFFFF:
                continue
            memset(places, 0, (1 << 16) * sizeof(size_t))
            for i in range(count):
                places[source[i] >> shift & 0xFFFF] += 1
            place = 0
            for i in range(1 << 16):
                size = places[i]
                places[i] = place
                place += size
            for i in range(count):
                target[places[source[i] >> shift & 0xFFFF]] = source[i]
                places[source[i] >> shift & 0xFFFF] += 1
            source, target = target, source
        if source != numbers:
            memcpy(numbers, source, count * sizeof(uint64_t))
    finally:
        free(other)
        free(places)


cdef inline int index_postings(NameEntries *names, WordStore *store) except -1 nogil:
    """Store the postings of each word one behind the other: a look-up reads them all."""
    cdef NameWords name
    cdef StoredWord *word
    cdef uint32_t i, count = 0
    cdef int k
    for i in range(store.count):
        store.words[i].entries = 0
    for i in range(names.count):
        name = words_of_entry(names, i)
        for k in range(name.surname):
            store.words[name.numbers[k]].entries += is_first_in(&name, k)
    for i in range(store.count):
        word = &store.words[i]
        word.first = count + 1 if word.entries else 0
        word.last = count if word.entries else 0
        count += word.entries
    reserve(<void **>&names.postings, &names.posting_capacity, count, sizeof(Posting))
    names.posting_count = count
    for i in range(names.count):
        name = words_of_entry(names, i)
        for k in range(name.surname):
            if is_first_in(&name, k):
                word = &store.words[name.numbers[k]]
                names.postings[word.last] = Posting(names.entries[i].initials, i, word.last + 2)
                word.last += 1
    for i in range(store.count):
        if store.words[i].entries:
            names.postings[store.words[i].last - 1].following = 0


cdef inline int sort_entries(NameEntries *names, WordStore *store) except -1 nogil:
    """Sort the indexes of the entries after new ones."""
    if not names.is_sorted:
        sort_numbers(names.by_letters, names.letters_count)
        index_postings(names, store)
    names.is_sorted = True


cdef inline size_t first_with_letters(const NameEntries *names, uint32_t hashed) noexcept nogil:
    """Return the first index in the sorted `by_letters` that is not below a hash."""
    return count_below(
        <const uint64_t *>names.by_letters, names.letters_count, <uint64_t>hashed << 32
    )
