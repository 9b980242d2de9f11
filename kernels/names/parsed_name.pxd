"""A name as the search compares it: at most six words, their sounds and letters, keys.

Made from a form (name_form.pxd).
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from name_form cimport (
    BEGINS_CAPITAL, HAS_DIGIT, IS_INNER, IS_NUMBER, IS_PARTICLE, FormWord, NameForm, read_name,
)
from name_words cimport WORD_BYTES, is_digit, ocg_near_letter, sounds_of

cdef enum:
    NAME_WORDS = 6             # maximum number of words of a name; later words are ignored

ctypedef struct ParsedName:
    uint64_t hash              # of words, their order and the generation
    # of surnames; equal if there is only one, 0 for a placeholder
    uint64_t keys[2]
    uint64_t sounds[NAME_WORDS]  # sounds_of each word
    uint32_t letters[NAME_WORDS]  # set of normalized letters of each word
    uint32_t all_letters       # of all words
    uint8_t words[NAME_WORDS][WORD_BYTES]  # lower case, followed by 0
    uint8_t lengths[NAME_WORDS]
    uint8_t marks[NAME_WORDS]
    uint8_t n_letters
    uint8_t n_words
    # number of surname words, which come first; 0: order unknown
    uint8_t n_surname
    uint8_t generation         # 1 senior, 2 junior, 3 the third, 0 unknown
    uint8_t is_unknown


# --- a name -------------------------------------------------------------------------------------

cdef inline bint is_number_left_out(const NameForm *form, const FormWord *word) noexcept nogil:
    """Return whether a number is not part of the name: a rating, not that of "Deep Fritz 8"."""
    if not word.marks & IS_NUMBER:
        return False
    return form.names == 0 or (form.names > 1 and word.length > 2)


cdef inline int without_number(const NameForm *form, const FormWord *word) noexcept nogil:
    """Return the length of a word without a number that distinguishes namesakes: "Li Chao2"."""
    cdef const uint8_t *letters = form.letters + word.begin
    cdef int length = word.length, k
    if not word.marks & HAS_DIGIT or not word.marks & BEGINS_CAPITAL or form.names < 2:
        return length
    while length > 1 and word.length - length < 2 and is_digit(letters[length - 1]):
        length -= 1
    for k in range(length):
        if is_digit(letters[k]):
            return word.length
    return length


cdef inline void put_word(ParsedName *name, const NameForm *form, int index) noexcept nogil:
    """Append a word of a form; a word such as "XiJunfeng" stays one."""
    cdef const FormWord *word = &form.words[index]
    cdef int length = without_number(form, word), i = name.n_words
    if word.marks & IS_INNER and i:
        i -= 1
        length = min(length, WORD_BYTES - 1 - name.lengths[i])
        memcpy(name.words[i] + name.lengths[i], form.letters + word.begin, length)
        name.lengths[i] += length
        return
    if i == NAME_WORDS or is_number_left_out(form, word):
        return
    name.marks[i] = <uint8_t>word.marks
    if length < word.length:
        name.marks[i] &= ~HAS_DIGIT
    name.lengths[i] = min(length, WORD_BYTES - 1)
    memcpy(name.words[i], form.letters + word.begin, name.lengths[i])
    name.n_words += 1
    if form.has_given and index < form.surname:
        name.n_surname += 1


cdef inline void unmark_lone_particles(ParsedName *name, int begin, int end) noexcept nogil:
    """Treat particles as words if a part has nothing else."""
    cdef int i
    for i in range(begin, end):
        if not name.marks[i] & IS_PARTICLE:
            return
    for i in range(begin, end):
        name.marks[i] &= ~IS_PARTICLE


cdef inline uint64_t mixed(uint64_t hash, uint64_t value) noexcept nogil:
    hash = (hash ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ hash >> 29


cdef inline uint64_t hash_name(const ParsedName *name) noexcept nogil:
    cdef uint64_t hash = mixed(name.generation, name.n_surname + 1)
    cdef uint64_t word[3]
    cdef int i, k
    for i in range(name.n_words):
        memcpy(word, name.words[i], WORD_BYTES)
        for k in range(3):
            hash = mixed(hash, word[k])
    return hash


cdef inline uint64_t key_of(uint64_t sounds) noexcept nogil:
    """Return sounds as a hash, never 0."""
    return mixed(0x5EED, sounds) | 1


cdef inline void set_keys(ParsedName *name) noexcept nogil:
    """Set the keys of possible surnames: with a comma, of the first word before it."""
    cdef int last = name.n_surname if name.n_surname else name.n_words
    cdef int i, first_word = -1, last_word = -1
    for i in range(last):
        if not name.marks[i] & (IS_PARTICLE | IS_NUMBER) and name.lengths[i] > 1:
            if first_word < 0:
                first_word = i
            last_word = i
    if first_word < 0:
        first_word = 0
        last_word = last - 1
    if name.n_surname:
        last_word = first_word
    name.keys[0] = key_of(name.sounds[first_word])
    name.keys[1] = key_of(name.sounds[last_word])


cdef inline void parse_name(const uint8_t *text, size_t length, ParsedName *name) noexcept nogil:
    """Parse a name. A placeholder has no words and no keys."""
    cdef NameForm form
    cdef int i, k
    memset(name, 0, sizeof(ParsedName))
    read_name(text, length, &form)
    name.is_unknown = form.is_unknown
    if form.is_unknown:
        return
    name.generation = form.generation
    for i in range(form.count):
        put_word(name, &form, i)
    unmark_lone_particles(name, 0, name.n_surname)
    unmark_lone_particles(name, name.n_surname, name.n_words)
    for i in range(name.n_words):
        name.sounds[i] = sounds_of(name.words[i], name.lengths[i])
        for k in range(name.lengths[i]):
            name.letters[i] |= <uint32_t>1 << (ocg_near_letter(name.words[i][k]) & 31)
        name.all_letters |= name.letters[i]
        name.n_letters += name.lengths[i]
    name.hash = hash_name(name)
    set_keys(name)
