"""A parsed name of a player: words, surname, generation, keys."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from name_words cimport (
    BEGINS_CAPITAL, HAS_DIGIT, IS_DOTTED, IS_GIVEN, IS_NUMBER, IS_PARTICLE, NAME_WORDS, OCG_GUEST,
    OCG_NOBODY, OCG_PARTICLE, OCG_SOFT, WORD_ROOM, Draft, are_initials, generation_of, is_left_out,
    is_title, ocg_kind_of_word, ocg_near_letter, read_words, sounds_of, survey, without_number,
)

ctypedef struct ParsedName:
    uint64_t hash                          # of words, their order and the generation
    # of surnames; equal if there is only one, 0 for a placeholder
    uint64_t keys[2]
    uint64_t sounds[NAME_WORDS]            # sounds_of each word
    uint32_t letters[NAME_WORDS]           # set of normalized letters of each word
    uint32_t all_letters                   # of all words
    uint8_t words[NAME_WORDS][WORD_ROOM]   # lower case, followed by 0
    uint8_t lengths[NAME_WORDS]
    uint8_t marks[NAME_WORDS]
    uint8_t n_letters
    uint8_t n_words
    # number of surname words, which come first; 0: order unknown
    uint8_t n_surname
    uint8_t generation                     # 1 senior, 2 junior, 3 the third, 0 unknown
    uint8_t is_unknown


# --- a name -------------------------------------------------------------------------------------

cdef inline void put_word(
    ParsedName *name, const uint8_t *letters, int length, uint8_t marks
) noexcept nogil:
    cdef int i = name.n_words
    if i == NAME_WORDS:
        return
    memcpy(name.words[i], letters, length)
    name.lengths[i] = length
    name.marks[i] = marks
    name.n_words += 1
    if not marks & IS_GIVEN:
        name.n_surname += 1


cdef inline bint is_particle(const Draft *d, int i) noexcept nogil:
    """Return whether a word may be skipped; particles that are also Asian names have conditions."""
    cdef uint8_t first = d.words[i][0], marks = d.marks[i]
    if d.kinds[i] & OCG_SOFT:
        return not marks & BEGINS_CAPITAL or (i > 0 if not d.is_ordered else not marks & IS_GIVEN)
    if d.lengths[i] == 1:                  # Corzo y Prinzipe
        return i > 0 and (first == b'y' or first == b'e') and not (
            marks & (BEGINS_CAPITAL | IS_DOTTED)
        )
    if d.lengths[i] == 2 and i > 0 and marks & BEGINS_CAPITAL and marks & IS_GIVEN:
        if not d.marks[i - 1] & IS_GIVEN:
            return False                   # "Smith, Al B"
    return d.kinds[i] & OCG_PARTICLE != 0


cdef inline void put_words(ParsedName *name, Draft *d) noexcept nogil:
    """Copy the words of a draft that are part of the name; mark particles."""
    cdef int i, k, length, generation
    for i in range(d.count):
        d.kinds[i] = ocg_kind_of_word(d.words[i])
        if not d.marks[i] & IS_NUMBER and not is_title(d, i):
            d.named[d.marks[i] & IS_GIVEN] += 1
    for i in range(d.count):
        generation = generation_of(d, i)
        if generation:
            name.generation = generation
        elif is_left_out(d, i):
            continue
        elif are_initials(d, i):
            for k in range(d.lengths[i]):
                put_word(name, &d.words[i][k], 1, d.marks[i])
        else:
            length = without_number(d, i)
            if length < d.lengths[i]:
                d.marks[i] &= ~HAS_DIGIT
            if is_particle(d, i):
                d.marks[i] |= IS_PARTICLE
            put_word(name, d.words[i], length, d.marks[i])


cdef inline void move_to_front(ParsedName *name) noexcept nogil:
    """Move the last word to the front, as part of the surname."""
    cdef uint8_t word[WORD_ROOM]
    cdef int i = name.n_words - 1
    cdef uint8_t length = name.lengths[i], marks = name.marks[i]
    memcpy(word, name.words[i], WORD_ROOM)
    while i > 0:
        memcpy(name.words[i], name.words[i - 1], WORD_ROOM)
        name.lengths[i] = name.lengths[i - 1]
        name.marks[i] = name.marks[i - 1]
        i -= 1
    memcpy(name.words[0], word, WORD_ROOM)
    name.lengths[0] = length
    name.marks[0] = marks & ~IS_GIVEN
    name.n_surname += 1


cdef inline void settle_part(ParsedName *name, int begin, int end) noexcept nogil:
    """Treat particles as words if a part has nothing else."""
    cdef int i
    for i in range(begin, end):
        if not name.marks[i] & IS_PARTICLE:
            return
    for i in range(begin, end):
        name.marks[i] &= ~IS_PARTICLE


cdef inline void settle_particles(ParsedName *name, bint is_ordered) noexcept nogil:
    """Reorder "Haas, Jan de"."""
    if not is_ordered:
        name.n_surname = 0
        settle_part(name, 0, name.n_words)
        return
    while name.n_words - name.n_surname > 1 and name.marks[name.n_words - 1] & IS_PARTICLE:
        move_to_front(name)
    settle_part(name, 0, name.n_surname)
    settle_part(name, name.n_surname, name.n_words)


cdef inline bint is_nobody(const ParsedName *name) noexcept nogil:
    """Return whether all words are placeholders, or one placeholder together: N.N., No Name."""
    cdef uint8_t joined[WORD_ROOM]
    cdef int i, length = 0
    cdef int accepted = OCG_NOBODY if name.n_surname else OCG_NOBODY | OCG_GUEST
    for i in range(name.n_words):
        if name.marks[i] & IS_NUMBER:      # N.N. 2 is a placeholder, Player 2 is not
            accepted = OCG_NOBODY
    for i in range(name.n_words):
        if not (name.marks[i] & IS_NUMBER or ocg_kind_of_word(name.words[i]) & accepted):
            break
    else:
        return True
    memset(joined, 0, WORD_ROOM)
    for i in range(name.n_words):
        if length + name.lengths[i] >= WORD_ROOM:
            return False
        memcpy(joined + length, name.words[i], name.lengths[i])
        length += name.lengths[i]
    return name.n_words > 1 and ocg_kind_of_word(joined) & OCG_NOBODY != 0


cdef inline uint64_t mixed(uint64_t hash, uint64_t value) noexcept nogil:
    hash = (hash ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ hash >> 29


cdef inline uint64_t hash_name(const ParsedName *name) noexcept nogil:
    cdef uint64_t hash = mixed(name.generation, name.n_surname + 1)
    cdef uint64_t word[3]
    cdef int i, k
    for i in range(name.n_words):
        memcpy(word, name.words[i], WORD_ROOM)
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
    cdef Draft draft
    cdef int i, k
    memset(&draft, 0, sizeof(Draft))
    memset(name, 0, sizeof(ParsedName))
    survey(text, length, &draft)
    read_words(text, length, &draft)
    put_words(name, &draft)
    settle_particles(name, draft.is_ordered)
    if is_nobody(name):
        memset(name, 0, sizeof(ParsedName))
        name.is_unknown = True
        return
    for i in range(name.n_words):
        name.sounds[i] = sounds_of(name.words[i], name.lengths[i])
        for k in range(name.lengths[i]):
            name.letters[i] |= <uint32_t>1 << (ocg_near_letter(name.words[i][k]) & 31)
        name.all_letters |= name.letters[i]
        name.n_letters += name.lengths[i]
    name.hash = hash_name(name)
    set_keys(name)
