"""A list of names as bytes: words, entries, phonetic codes and keys; the rest is computed anew.

The numbers are those of this machine: the bytes are a cache, and no file format. read_list() checks
all numbers that are indexes, but only a checksum shows that the names are those that were written.
Most parts are read into the memory in which they stay.
"""

from cpython.buffer cimport PyBUF_READ, PyBUF_WRITE
from cpython.memoryview cimport PyMemoryView_FromMemory

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
    uint64_t hashes            # of letters of entries
    uint64_t codes
    uint64_t keys              # of near words
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

cdef list write_list(ListedNames listed):
    """Return a prepared list as bytes: copies, and views that are valid until it changes."""
    cdef const NameEntries *names = &listed.names
    cdef const NearWords *near = &listed.near.words
    cdef ListHeader header
    cdef uint32_t i
    cdef size_t codes = 0
    memset(&header, 0, sizeof(ListHeader))
    header.version = LIST_VERSION
    header.words, header.entries = listed.store.count, names.count
    header.near_words = <uint32_t>near.word_count
    header.letters, header.numbers = listed.store.letters_used, names.number_count
    header.marks, header.hashes = names.mark_count, names.letters_count
    header.keys = near.buckets[BUCKETS]
    header.surname_words, header.given_words = listed.surname_words, listed.given_words
    cdef bytearray word_rows = bytearray(header.words * sizeof(DumpedWord))
    cdef bytearray entry_rows = bytearray(header.entries * sizeof(DumpedEntry))
    cdef DumpedWord *words = <DumpedWord *>PyByteArray_AS_STRING(word_rows)
    cdef DumpedEntry *entries = <DumpedEntry *>PyByteArray_AS_STRING(entry_rows)
    for i in range(listed.store.count):
        words[i] = dumped_word(listed, i)
        header.codes += count_of_codes(listed, i)
    for i in range(names.count):
        entries[i] = DumpedEntry(
            names.entries[i].surname, names.entries[i].words, names.entries[i].is_ordered
        )
    cdef bytearray code_rows = bytearray(header.codes * sizeof(uint32_t))
    for i in range(listed.store.count):
        if count_of_codes(listed, i):
            memcpy(
                PyByteArray_AS_STRING(code_rows) + codes * sizeof(uint32_t),
                listed.near.codes + listed.near.code_begins[i],
                count_of_codes(listed, i) * sizeof(uint32_t),
            )
            codes += count_of_codes(listed, i)
    return [
        (<const char *>&header)[:sizeof(ListHeader)],
        word_rows,
        view_of(listed.store.letters, header.letters),
        entry_rows,
        view_of(names.numbers, header.numbers * sizeof(uint32_t)),
        view_of(names.marks, header.marks * sizeof(NameMarks)),
        view_of(names.by_letters, header.hashes * sizeof(uint64_t)),
        view_of(listed.near.numbers, header.near_words * sizeof(uint32_t)),
        code_rows,
        view_of(near.buckets, (BUCKETS + 1) * sizeof(uint32_t)),
        view_of(near.key_ends, header.keys * sizeof(uint16_t)),
        view_of(near.key_words, header.keys * sizeof(uint32_t)),
    ]


cdef object view_of(const void *memory, size_t size):
    return PyMemoryView_FromMemory(<char *>memory, size, PyBUF_READ) if size else b""


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

cdef int damaged(str what) except -1:
    raise ValueError(f"dumped list: {what}")


cdef int read_header(ListHeader *header, read, size_t size) except -1:
    """Read the header; raise ValueError if it is of another version or size."""
    cdef size_t all
    if size < sizeof(ListHeader):
        damaged("too short")
    read_bytes(read, header, sizeof(ListHeader))
    if header.version != LIST_VERSION:
        damaged(f"version {header.version:#x}, not {LIST_VERSION:#x}")
    if max(
        header.letters, header.numbers, header.marks, header.hashes, header.codes, header.keys
    ) > size:
        damaged("sizes that exceed the bytes")
    all = sizeof(ListHeader) + header.words * sizeof(DumpedWord) + header.letters
    all += header.entries * sizeof(DumpedEntry) + header.marks * sizeof(NameMarks)
    all += header.hashes * sizeof(uint64_t)
    all += (header.numbers + header.near_words + header.codes + BUCKETS + 1) * sizeof(uint32_t)
    all += header.keys * (sizeof(uint16_t) + sizeof(uint32_t))
    if all != size:
        damaged(f"{size} bytes, not {all}")


cdef int read_bytes(read, void *memory, size_t size) except -1:
    """Read the next bytes of the list."""
    if size:
        read(PyMemoryView_FromMemory(<char *>memory, size, PyBUF_WRITE))


cdef int read_list(ListedNames listed, read, size_t size) except -1:
    """Add the names of a dumped list to an empty one. Raises ValueError for damaged bytes.

    `read` fills a buffer with the bytes that follow.
    """
    cdef ListHeader header
    read_header(&header, read, size)
    read_dumped_words(listed, &header, read)
    read_dumped_entries(listed, &header, read)
    read_near_words(listed, &header, read)
    listed.surname_words = header.surname_words
    listed.given_words = header.given_words
    listed.read_shares()


cdef int read_dumped_words(ListedNames listed, const ListHeader *header, read) except -1:
    cdef DumpedWord *words = <DumpedWord *>allocate(header.words, sizeof(DumpedWord))
    try:
        read_bytes(read, words, header.words * sizeof(DumpedWord))
        reserve_words(&listed.store, header.words, header.letters)
        read_bytes(read, listed.store.letters, header.letters)
        add_dumped_words(listed, header, words)
    finally:
        free(words)


cdef int add_dumped_words(
    ListedNames listed, const ListHeader *header, const DumpedWord *words
) except -1:
    """Add words whose letters are in the store."""
    cdef const uint8_t *letters = listed.store.letters
    cdef const uint8_t *end = letters + header.letters
    cdef size_t codes = 0
    cdef uint32_t i, before = listed.store.count
    cdef const DumpedWord *dumped
    cdef StoredWord *word
    if header.words < before:
        damaged("too few words")
    reserve_codes(&listed.near, header.words)
    for i in range(header.words):
        dumped = &words[i]
        if dumped.length > end - letters:
            damaged("too few letters")
        if not is_utf8(letters, letters + dumped.length):
            damaged("a word that is not UTF-8")
        if i < before and find_word(&listed.store, letters, dumped.length) != i + 1:
            damaged("other words than those of each list")
        if listed.number_of_letters(letters, dumped.length) != i:
            damaged("a word twice")
        letters += dumped.length
        word = &listed.store.words[i]
        word.skeleton = dumped.skeleton
        word.in_surnames, word.in_given = dumped.in_surnames, dumped.in_given
        word.surname_languages = dumped.surname_languages
        word.given_languages = dumped.given_languages
        if dumped.code_count != NO_CODES:
            listed.near.code_begins[i] = <uint32_t>codes
            listed.near.code_counts[i] = dumped.code_count
            codes += dumped.code_count
    if codes != header.codes:
        damaged("other codes than those of the words")
    listed.words_read = listed.store.count


cdef int read_dumped_entries(ListedNames listed, const ListHeader *header, read) except -1:
    cdef NameEntries *names = &listed.names
    cdef DumpedEntry *entries = <DumpedEntry *>allocate(header.entries, sizeof(DumpedEntry))
    try:
        read_bytes(read, entries, header.entries * sizeof(DumpedEntry))
        reserve_entries(names, header.entries, header.numbers)
        read_bytes(read, names.numbers, header.numbers * sizeof(uint32_t))
        add_dumped_entries(listed, header, entries)
    finally:
        free(entries)
    reserve(<void **>&names.marks, &names.mark_capacity, header.marks, sizeof(NameMarks))
    read_bytes(read, names.marks, header.marks * sizeof(NameMarks))
    names.mark_count = header.marks
    note_marks(names)
    reserve(<void **>&names.by_letters, &names.letters_capacity, header.hashes, sizeof(uint64_t))
    read_bytes(read, names.by_letters, header.hashes * sizeof(uint64_t))
    names.letters_count = header.hashes
    check_hashes(names)
    names.is_sorted = True
    index_postings(names, &listed.store)


cdef int add_dumped_entries(
    ListedNames listed, const ListHeader *header, const DumpedEntry *entries
) except -1:
    """Add entries whose words are in their memory."""
    cdef const uint32_t *numbers = listed.names.numbers
    cdef const uint32_t *end = numbers + header.numbers
    cdef NameWords name
    cdef uint32_t i
    cdef size_t k
    for k in range(header.numbers):
        if numbers[k] >= listed.store.count:
            damaged("an entry of an unknown word")
    for i in range(header.entries):
        if entries[i].surname > entries[i].words or entries[i].words > end - numbers:
            damaged("too few words of entries")
        name = NameWords(numbers, entries[i].surname, entries[i].words, entries[i].is_ordered)
        put_entry(&listed.names, &listed.store, &name)
        numbers += entries[i].words


cdef int note_marks(NameEntries *names) except -1:
    """Check the marks of entries, and note which have any."""
    cdef const NameMarks *marks
    cdef size_t i
    for i in range(names.mark_count):
        marks = &names.marks[i]
        if marks.entry >= names.count or (i and marks.entry <= names.marks[i - 1].entry):
            damaged("marks of unknown entries")
        if marks.country[3] or marks.number[3] or not (
            is_utf8(marks.country, marks.country + 4) and is_utf8(marks.number, marks.number + 4)
        ):
            damaged("a federation or number that is no text")
        names.entries[marks.entry].has_marks = True


cdef int check_hashes(const NameEntries *names) except -1:
    cdef uint32_t most = 0
    cdef size_t i
    for i in range(names.letters_count):
        most = max(most, <uint32_t>names.by_letters[i])
    if names.letters_count and most >= names.count:
        damaged("a hash of an unknown entry")


cdef int read_near_words(ListedNames listed, const ListHeader *header, read) except -1:
    cdef NearIndex *near = &listed.near
    cdef uint32_t i, number
    forget_near_words(near)
    near.numbers = <uint32_t *>allocate(header.near_words, sizeof(uint32_t))
    read_bytes(read, near.numbers, header.near_words * sizeof(uint32_t))
    reserve(<void **>&near.codes, &near.code_capacity, header.codes + 1, sizeof(uint32_t))
    read_bytes(read, near.codes, header.codes * sizeof(uint32_t))
    near.code_count = header.codes
    for i in range(header.near_words):
        number = near.numbers[i]
        if number >= listed.store.count or not may_be_near(&listed.store.words[number]) or (
            not has_codes(listed, number)
        ):
            damaged("a near word without codes")
    listed.add_near_words(header.near_words)
    read_keys(&near.words, header, read)
    near.is_complete = True


cdef int read_keys(NearWords *words, const ListHeader *header, read) except -1:
    cdef size_t i
    cdef uint32_t most = 0
    forget_codes(words)
    open_keys(words, header.keys)
    read_bytes(read, words.buckets, (BUCKETS + 1) * sizeof(uint32_t))
    read_bytes(read, words.key_ends, header.keys * sizeof(uint16_t))
    read_bytes(read, words.key_words, header.keys * sizeof(uint32_t))
    for i in range(BUCKETS):
        if words.buckets[i] > words.buckets[i + 1]:
            damaged("buckets in another order")
    for i in range(header.keys):
        most = max(most, words.key_words[i])
    if words.buckets[BUCKETS] != header.keys or (header.keys and most >= words.word_count):
        damaged("keys of unknown words")


def require_below(const uint32_t[::1] numbers not None, uint64_t limit):
    cdef uint32_t most = 0
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        most = max(most, numbers[i])
    if numbers.shape[0] and most >= limit:
        raise ValueError(f"number {most}, not below {limit}")
