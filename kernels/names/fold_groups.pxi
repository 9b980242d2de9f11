"""Group names that differ only in how they are written.

That is in case, accents, blanks, punctuation, titles or the order of their words.
"""

from game_record cimport hash_bytes, joined
from name_form cimport FORM_WORDS, READ_NAME_BYTES
from pair_table cimport PairSlot, PairTable, pair_slot

cdef enum:
    MOST_KEY_BYTES = READ_NAME_BYTES + FORM_WORDS + 64

# The first name with each hash of a key, from 1; names with an equal key are of one group.
ctypedef struct FoldKeys:
    PairTable first
    uint32_t *parents          # of names
    size_t added


cdef uint32_t group_of(uint32_t *parents, uint32_t name) noexcept nogil:
    while parents[name] != name:
        parents[name] = parents[parents[name]]
        name = parents[name]
    return name


cdef int add_fold_key(
    FoldKeys *keys, uint32_t name, const uint8_t *text, size_t length, bytes marks
) except -1:
    """Add a text with marks."""
    cdef uint64_t key = joined(
        hash_bytes(text, length), hash_bytes(<const uint8_t *>PyBytes_AS_STRING(marks), len(marks))
    )
    cdef PairSlot *slot = pair_slot(&keys.first, <int64_t>key, 0)
    keys.added += 1
    if slot.value == 0:
        slot.value = name + 1
    keys.parents[group_of(keys.parents, name)] = group_of(
        keys.parents, <uint32_t>(slot.value - 1)
    )


cdef int compare_words(const void *left, const void *right) noexcept nogil:
    cdef const Span *a = <const Span *>left
    cdef const Span *b = <const Span *>right
    cdef int order = memcmp(a.at, b.at, min(a.length, b.length))
    return order if order else (a.length > b.length) - (a.length < b.length)


cdef size_t join(uint8_t *to, Span *words, int count, bint with_blanks) noexcept nogil:
    """Write words in a row; return the number of bytes."""
    cdef size_t length = 0
    cdef int i
    for i in range(count):
        if with_blanks and i:
            to[length] = b' '
            length += 1
        memcpy(to + length, words[i].at, words[i].length)
        length += words[i].length
    return length


cdef bint has_one_character(Span word) noexcept nogil:
    cdef size_t i
    for i in range(1, word.length):
        if word.at[i] & 0xC0 != 0x80:
            return False
    return True


cdef int add_keys_of_form(
    FoldKeys *keys, uint32_t name, const NameForm *form, bytes number
) except -1:
    """Add the words in alphabetical order, surname and given names so, and all letters."""
    cdef Span[FORM_WORDS] words
    cdef Span[2] parts
    cdef uint8_t[MOST_KEY_BYTES] text
    cdef uint8_t[MOST_KEY_BYTES] joined
    cdef int i, count = 0 if form.is_title else form.count
    cdef int surname = form.surname if count else 0
    cdef bint has_initials = False
    cdef size_t length
    cdef bytes marks = b"|||"
    if number or (count and (form.generation or form.birth_year)):
        generation = b"%d" % form.generation if form.generation and count else b""
        birth_year = b"%d" % form.birth_year if form.birth_year and count else b""
        marks = b"|".join((b"", number, generation, birth_year))
    for i in range(count):
        words[i].at = &form.letters[form.words[i].begin]
        words[i].length = form.words[i].length
        has_initials |= has_one_character(words[i])
    # "Ma Xiang Zhi" is "Ma, Xiangzhi", but "Chen, G" is not "Cheng".
    length = join(joined, words, count, False)
    if count > 1 and not has_initials:
        add_fold_key(keys, name, joined, length, marks)
    if form.is_ordered and count:
        parts[0].at = &joined[0]
        parts[0].length = join(joined, words, surname, False)
        parts[1].at = &joined[parts[0].length]
        parts[1].length = length - parts[0].length
        qsort(parts, 2, sizeof(Span), compare_words)
        add_fold_key(keys, name, text, join(text, parts, 2, True), marks)
    qsort(words, count, sizeof(Span), compare_words)
    add_fold_key(keys, name, text, join(text, words, count, True), marks)


cdef int add_fold_keys(FoldKeys *keys, uint32_t number, str name, latin, unnamed) except -1:
    """Add the keys of a name, none if it has no letters."""
    cdef bytes raw = (name if latin is None else latin).encode("utf-8", "surrogatepass")
    cdef const uint8_t *text = raw
    cdef NameForm form
    cdef bint is_one_word
    read_name(text, len(raw), &form)
    # "OdoVielander" may be a nickname, and need not be "Vielander, Odo".
    is_one_word = not form.is_ordered and form.count > 1 and len(name.split()) == 1
    if form.surname and not (form.is_title or form.is_handle or is_one_word):
        return add_keys_of_form(keys, number, &form, <const char *>form.number)
    letters, numbered = unnamed(name, bool(form.is_handle and not form.is_title))
    if letters:
        raw = letters.encode("utf-8", "surrogatepass")
        add_fold_key(keys, number, raw, len(raw), b"=")
    if numbered is not None:
        raw = numbered[0].encode("utf-8", "surrogatepass")
        text = raw
        read_name(text, len(raw), &form)
        add_keys_of_form(keys, number, &form, numbered[1].encode())


def fold_groups(list names not None, latin_of not None, unnamed not None):
    cdef FoldKeys keys
    cdef uint32_t i, count = <uint32_t>len(names)
    cdef size_t before
    groups = array.array("q", [-1]) * count
    cdef int64_t[::1] group = groups
    memset(&keys, 0, sizeof(FoldKeys))
    keys.parents = <uint32_t *>allocate(count, sizeof(uint32_t))
    try:
        for i in range(count):
            keys.parents[i] = i
            before = keys.added
            add_fold_keys(&keys, i, names[i], latin_of(names[i]), unnamed)
            group[i] = 0 if keys.added > before else -1
        for i in range(count):
            if group[i] == 0:
                group[i] = group_of(keys.parents, i)
    finally:
        free(keys.first.slots)
        free(keys.parents)
    return groups
