"""A list of names as bytes: its words, entries and phonetic codes; the rest is computed anew.

The numbers are those of this machine: the bytes are a cache, and no file format. read_list() checks
all numbers that are indexes, but only a checksum shows that the names are those that were written.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING

cdef enum:
    LIST_VERSION = 0x4C530001  # also tells the order of bytes

ctypedef struct ListHeader:
    uint32_t version
    uint32_t words
    uint32_t entries
    uint32_t near_words
    uint64_t letters           # bytes
    uint64_t numbers           # of words in entries
    uint64_t marks
    uint64_t codes
    uint64_t surname_words
    uint64_t given_words

ctypedef struct DumpedWord:
    uint64_t skeleton
    uint32_t in_surnames
    uint32_t in_given
    uint16_t length
    uint16_t code_count        # NO_CODES: unknown
    uint8_t surname_languages
    uint8_t given_languages

ctypedef struct DumpedEntry:
    uint8_t surname
    uint8_t words
    uint8_t is_ordered

cdef enum:
    NO_CODES = 0xFFFF


# --- writing --------------------------------------------------------------------------------------

cdef inline void put(uint8_t *data, size_t *at, const void *value, size_t size) noexcept nogil:
    """Append bytes; with `data` NULL only count them."""
    if data != NULL and size:
        memcpy(data + at[0], value, size)
    at[0] += size


cdef size_t write_list(ListedNames listed, uint8_t *data) noexcept:
    """Write a prepared list, if `data` is not NULL; return the number of bytes."""
    cdef ListHeader header
    cdef uint32_t i
    cdef DumpedWord word
    cdef DumpedEntry entry
    cdef size_t at = 0
    memset(&header, 0, sizeof(ListHeader))
    header.version = LIST_VERSION
    header.words, header.entries = listed.store.count, listed.names.count
    header.near_words = <uint32_t>listed.near.words.word_count
    header.letters, header.numbers = listed.store.letters_used, listed.names.number_count
    header.marks = listed.names.mark_count
    header.surname_words, header.given_words = listed.surname_words, listed.given_words
    for i in range(listed.store.count):
        header.codes += count_of_codes(listed, i)
    put(data, &at, &header, sizeof(ListHeader))
    for i in range(listed.store.count):
        word = dumped_word(listed, i)
        put(data, &at, &word, sizeof(DumpedWord))
    for i in range(listed.names.count):
        entry = DumpedEntry(
            listed.names.entries[i].surname, listed.names.entries[i].words,
            listed.names.entries[i].is_ordered,
        )
        put(data, &at, &entry, sizeof(DumpedEntry))
    put(data, &at, listed.store.letters, header.letters)
    put(data, &at, listed.names.numbers, header.numbers * sizeof(uint32_t))
    put(data, &at, listed.names.marks, header.marks * sizeof(NameMarks))
    put(data, &at, listed.near.numbers, header.near_words * sizeof(uint32_t))
    for i in range(listed.store.count):
        if count_of_codes(listed, i):
            put(
                data, &at, listed.near.codes + listed.near.code_begins[i],
                count_of_codes(listed, i) * sizeof(uint32_t),
            )
    return at


cdef inline bint has_codes(ListedNames listed, uint32_t number) noexcept:
    return (
        number < listed.near.begin_capacity
        and listed.near.code_begins[number] != 0xFFFFFFFFu
    )


cdef inline uint32_t count_of_codes(ListedNames listed, uint32_t number) noexcept:
    return listed.near.code_counts[number] if has_codes(listed, number) else 0


cdef DumpedWord dumped_word(ListedNames listed, uint32_t number) noexcept:
    cdef const StoredWord *word = &listed.store.words[number]
    cdef DumpedWord dumped
    memset(&dumped, 0, sizeof(DumpedWord))     # also between the fields
    dumped.skeleton = word.skeleton
    dumped.in_surnames, dumped.in_given = word.in_surnames, word.in_given
    dumped.length = <uint16_t>word.length
    dumped.code_count = NO_CODES
    if has_codes(listed, number):
        dumped.code_count = listed.near.code_counts[number]
    dumped.surname_languages = word.surname_languages
    dumped.given_languages = word.given_languages
    return dumped


# --- reading --------------------------------------------------------------------------------------

ctypedef struct DumpParts:
    ListHeader header
    const DumpedWord *words
    const DumpedEntry *entries
    const uint8_t *letters
    const uint8_t *numbers
    const uint8_t *marks
    const uint8_t *near_words
    const uint8_t *codes


cdef int damaged(str what) except -1:
    raise ValueError(f"dumped list: {what}")


cdef int split_dump(const uint8_t *data, size_t size, DumpParts *parts) except -1:
    """Find the parts; raise ValueError if they are of another version or size."""
    cdef ListHeader *header = &parts.header
    cdef size_t at = sizeof(ListHeader)
    if size < sizeof(ListHeader):
        damaged("too short")
    memcpy(header, data, sizeof(ListHeader))
    if header.version != LIST_VERSION:
        damaged(f"version {header.version:#x}, not {LIST_VERSION:#x}")
    if max(header.letters, header.numbers, header.marks, header.codes) > size:
        damaged("sizes that exceed the bytes")
    parts.words = <const DumpedWord *>(data + at)
    at += header.words * sizeof(DumpedWord)
    parts.entries = <const DumpedEntry *>(data + at)
    at += header.entries * sizeof(DumpedEntry)
    parts.letters = data + at
    at += header.letters
    parts.numbers = data + at
    at += header.numbers * sizeof(uint32_t)
    parts.marks = data + at
    at += header.marks * sizeof(NameMarks)
    parts.near_words = data + at
    at += header.near_words * sizeof(uint32_t)
    parts.codes = data + at
    at += header.codes * sizeof(uint32_t)
    if at != size:
        damaged(f"{size} bytes, not {at}")


cdef inline uint32_t number_at(const uint8_t *data, size_t index) noexcept nogil:
    cdef uint32_t number
    memcpy(&number, data + 4 * index, sizeof(uint32_t))
    return number


cdef int read_list(ListedNames listed, const uint8_t *data, size_t size) except -1:
    """Add the names of a dumped list to an empty one. Raises ValueError for damaged bytes."""
    cdef DumpParts parts
    split_dump(data, size, &parts)
    read_dumped_words(listed, &parts)
    read_dumped_entries(listed, &parts)
    read_near_words(listed, &parts)
    listed.surname_words = parts.header.surname_words
    listed.given_words = parts.header.given_words
    listed.read_shares()
    sort_entries(&listed.names, &listed.store)


cdef int read_dumped_words(ListedNames listed, const DumpParts *parts) except -1:
    cdef size_t letters = 0, codes = 0
    cdef uint32_t i, before = listed.store.count
    cdef DumpedWord dumped
    cdef StoredWord *word
    if parts.header.words < before:
        damaged("too few words")
    reserve_codes(&listed.near, parts.header.words)
    for i in range(parts.header.words):
        memcpy(&dumped, &parts.words[i], sizeof(DumpedWord))
        if letters + dumped.length > parts.header.letters:
            damaged("too few letters")
        if not is_utf8(parts.letters + letters, parts.letters + letters + dumped.length):
            damaged("a word that is not UTF-8")
        if listed.number_of_letters(parts.letters + letters, dumped.length) != i:
            damaged("a word twice")
        letters += dumped.length
        word = &listed.store.words[i]
        word.skeleton = dumped.skeleton
        word.in_surnames, word.in_given = dumped.in_surnames, dumped.in_given
        word.surname_languages = dumped.surname_languages
        word.given_languages = dumped.given_languages
        if dumped.code_count != NO_CODES:
            if codes + dumped.code_count > parts.header.codes:
                damaged("too few codes")
            listed.near.code_begins[i] = <uint32_t>codes
            listed.near.code_counts[i] = dumped.code_count
            codes += dumped.code_count
    append_items(
        <void **>&listed.near.codes, &listed.near.code_count, &listed.near.code_capacity,
        parts.codes, codes, sizeof(uint32_t),
    )
    listed.words_read = listed.store.count


cdef int read_marks(NameMarks *marks, const DumpParts *parts, size_t number) except -1:
    memcpy(marks, parts.marks + number * sizeof(NameMarks), sizeof(NameMarks))
    if marks.country[3] or marks.number[3] or not (
        is_utf8(marks.country, marks.country + 4) and is_utf8(marks.number, marks.number + 4)
    ):
        damaged("a federation or number that is no text")


cdef int read_dumped_entries(ListedNames listed, const DumpParts *parts) except -1:
    cdef uint32_t numbers[MOST_WORDS]
    cdef NameWords name
    cdef NameMarks marks
    cdef DumpedEntry entry
    cdef size_t at = 0, mark = 0
    cdef uint32_t i
    cdef int k
    if parts.header.marks:
        read_marks(&marks, parts, 0)
    for i in range(parts.header.entries):
        entry = parts.entries[i]
        if entry.surname > entry.words or at + entry.words > parts.header.numbers:
            damaged("too few words of entries")
        for k in range(entry.words):
            numbers[k] = number_at(parts.numbers, at + k)
            if numbers[k] >= listed.store.count:
                damaged("an entry of an unknown word")
        name = NameWords(&numbers[0], entry.surname, entry.words, entry.is_ordered)
        add_entry(&listed.names, &listed.store, &name)
        at += entry.words
        if mark < parts.header.marks and marks.entry == i:
            add_marks(&listed.names, &marks)
            mark += 1
            if mark < parts.header.marks:
                read_marks(&marks, parts, mark)
    if mark < parts.header.marks:
        damaged("marks of unknown entries")


cdef int read_near_words(ListedNames listed, const DumpParts *parts) except -1:
    cdef uint32_t i, number
    forget_near_words(&listed.near)
    listed.near.numbers = <uint32_t *>allocate(parts.header.near_words, sizeof(uint32_t))
    for i in range(parts.header.near_words):
        number = number_at(parts.near_words, i)
        if number >= listed.store.count or not may_be_near(&listed.store.words[number]) or (
            not has_codes(listed, number)
        ):
            damaged("a near word without codes")
        listed.near.numbers[i] = number
    listed.add_near_words(parts.header.near_words)
