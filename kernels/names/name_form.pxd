"""The form of a player's name: its words, the surname, and the additions of a source.

All parsing of names in Latin letters is here: name_form.py hands in text without accents, and the
search and the rating lists call it from C. Words that are not names come from
ocgdedup/matching/names/name_words.py, by name_table.h.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcmp, memcpy, memset

from name_words cimport is_capital, is_digit, is_letter, is_small, is_vowel

cdef extern from "name_table.h":
    enum:
        OCG_TITLE, OCG_DOTTED_TITLE, OCG_CHESS_TITLE, OCG_CLEAR_TITLE, OCG_PARTICLE,
        OCG_ASIAN_PARTICLE, OCG_RARE_PARTICLE, OCG_SAINT, OCG_ASIAN_SURNAME, OCG_SENIOR, OCG_JUNIOR,
        OCG_THIRD, OCG_FOURTH, OCG_DOTTED, OCG_LATE, OCG_IN_CAPITALS, OCG_PROGRAM, OCG_GUEST,
        OCG_NOBODY, OCG_FEDERATION
    int ocg_kind_of_word(const uint8_t *word, int length) nogil
    int ocg_surname_group(const uint8_t *word, int length) nogil

cdef enum:
    NAME_CHARACTERS = 200      # longer names are stored but not matched
    READ_NAME_BYTES = 4 * NAME_CHARACTERS
    FORM_WORDS = 200
    NAME_KEY_BYTES = READ_NAME_BYTES + FORM_WORDS + 1  # at most: letters, blanks and a comma
    SHORTEST_SHOUTED = 5       # characters of a name in capitals, which are then no evidence
    FIRST_BIRTH_YEAR = 1800
    LAST_BIRTH_YEAR = 2035
    LONGEST_PLACEHOLDER = 16

cdef enum:
    IS_GIVEN = 1               # behind the comma
    IS_CAPITALS = 2
    BEGINS_CAPITAL = 4
    IS_DOTTED = 8
    IS_NUMBER = 16
    HAS_DIGIT = 32
    IS_SYLLABIC = 64           # a syllabic or logographic script: another letter is another name
    IS_PARTICLE = 128
    IS_BRACKETED = 256
    IS_INNER = 512             # begins at a capital inside a word without a comma: XiJunfeng

# Letters are form.letters[begin:begin + length], in lower case.
ctypedef struct FormWord:
    uint16_t begin
    uint16_t length
    uint16_t marks
    int kinds

ctypedef struct NameForm:
    uint8_t letters[READ_NAME_BYTES]
    FormWord words[FORM_WORDS]
    int count
    int surname                # number of surname words, which come first; all if not `is_ordered`
    int names                  # words of the surname part other than titles and numbers
    int birth_year             # 0 unknown
    uint8_t country[4]         # FIDE's code, followed by 0
    uint8_t number[3]          # one or two digits by which a source tells namesakes apart
    uint8_t generation         # 1 senior, 2 junior, 3 the third, 4 the fourth, 0 unknown
    bint is_ordered            # there are letters before a comma
    bint has_given             # and after it
    bint is_handle             # a nickname or a program, with its digits
    bint is_title              # a title alone, which may be a name
    bint is_unknown            # a placeholder, which has no words

# Facts from the first look at a text, and all its words.
ctypedef struct Draft:
    FormWord words[FORM_WORDS]
    int count
    int letters_used
    int named[2]               # words other than titles and numbers, before and after the comma
    bint is_ordered
    bint has_given
    bint is_shouted
    bint is_joined             # one word, in which capitals may begin others: XiJunfeng
    bint has_program


# --- a text -------------------------------------------------------------------------------------

cdef inline void survey(const uint8_t *text, int length, Draft *d) noexcept nogil:
    """Find facts needed before the first word is read. Parentheses are skipped."""
    cdef bint is_hidden = False, has_comma = False, has_digit = False, has_blank = False
    cdef int capitals = 0, small = 0, first = -1, last = 0, letters = 0, blank = -1, i
    for i in range(length):
        if is_hidden or text[i] == b'(':
            is_hidden = text[i] != b')'
        elif text[i] == b',' and letters and not has_comma:
            has_comma = True
            letters = 0
        elif is_letter(text[i]) or is_digit(text[i]):
            letters += has_comma or is_letter(text[i])
            capitals += is_capital(text[i])
            small += is_small(text[i])
            has_digit |= is_digit(text[i])
            has_blank |= blank > first >= 0
            first = i if first < 0 else first
            last = i
        elif text[i] == b' ' or text[i] == b'_':
            blank = i
    d.has_given = has_comma and letters > 0
    d.is_ordered = d.has_given or (has_comma and not has_digit)
    d.is_shouted = small == 0 and capitals > 0 and last - first >= SHORTEST_SHOUTED - 1
    d.is_joined = not (d.is_ordered or has_digit or has_blank)


cdef inline void add_letter(Draft *d, uint8_t *letters, uint8_t c) noexcept nogil:
    """Append a letter to the last word."""
    cdef FormWord *word = &d.words[d.count - 1]
    if not is_capital(c):
        word.marks &= ~IS_CAPITALS
    if is_digit(c):
        word.marks |= HAS_DIGIT
    else:
        word.marks &= ~IS_NUMBER
    if c >= 0xE0:                          # in UTF-8, all but Latin, Greek, Cyrillic and Hebrew
        word.marks |= IS_SYLLABIC
    letters[d.letters_used] = c | 32 if is_capital(c) else c
    d.letters_used += 1
    word.length += 1


cdef inline bint begins_word(
    const Draft *d, uint8_t c, uint8_t before, uint16_t part
) noexcept nogil:
    """Return whether a letter directly behind another one begins a word."""
    cdef bint is_word = not d.words[d.count - 1].marks & IS_NUMBER
    if d.is_ordered and is_digit(c) == is_word:
        return True                        # "Li, Chao2"
    if not (part & IS_GIVEN or d.is_joined):
        return False
    return is_capital(c) and (is_small(before) or before >= 128)


cdef inline void read_words(
    const uint8_t *text, int length, uint8_t *letters, Draft *d
) noexcept nogil:
    """Split a name at non-letters, at capitals inside given names, and at digits after a comma.

    Without a comma digits are letters: "player123", "Stockfish 12".
    """
    cdef bint is_open = False
    cdef uint16_t part = 0
    cdef uint8_t before = 0, c
    cdef int i
    for i in range(length):
        c = text[i]
        if is_letter(c) or is_digit(c):
            if not is_open or begins_word(d, c, before, part):
                if d.count == FORM_WORDS:
                    return
                d.words[d.count].begin = d.letters_used
                d.words[d.count].length = 0
                d.words[d.count].marks = part | IS_CAPITALS | IS_NUMBER
                if is_capital(c):
                    d.words[d.count].marks |= BEGINS_CAPITAL
                if is_open and not d.is_ordered:
                    d.words[d.count].marks |= IS_INNER
                d.count += 1
                is_open = True
            add_letter(d, letters, c)
        elif c != b"'" and c != b'`':      # O'Kelly is one word
            if c == b'.' and is_open:
                d.words[d.count - 1].marks |= IS_DOTTED
            if c == b'(':
                part |= IS_BRACKETED
            elif c == b')':
                part &= ~IS_BRACKETED
            elif c == b',' and d.is_ordered and d.count and not part & IS_BRACKETED:
                part |= IS_GIVEN
            is_open = False
        before = c


# --- words that are no names --------------------------------------------------------------------

cdef inline bint is_title(const Draft *d, const FormWord *word) noexcept nogil:
    if word.kinds & OCG_CHESS_TITLE:
        if word.kinds & OCG_CLEAR_TITLE and (d.is_shouted or not word.marks & BEGINS_CAPITAL):
            return True
        return word.marks & IS_CAPITALS and not d.is_shouted
    if word.kinds & OCG_DOTTED_TITLE:
        return word.marks & IS_DOTTED != 0
    return word.kinds & OCG_TITLE != 0


cdef inline bint is_title_left_out(const Draft *d, const FormWord *word) noexcept nogil:
    """Return whether a title can be left out: "Kumar, CM" is C. M. Kumar."""
    cdef bint is_given = word.marks & IS_GIVEN != 0
    if d.has_program or not is_title(d, word):
        return False                       # the program "Comp CM"
    return d.named[is_given] > 0 or (
        is_given and not word.marks & IS_CAPITALS and word.kinds & OCG_TITLE
    )


cdef inline bint is_federation(const Draft *d, int i, int before) noexcept nogil:
    """Return whether a word is a federation's code; `before`: words of the name before it."""
    cdef const FormWord *word = &d.words[i]
    if not word.kinds & OCG_FEDERATION or not word.marks & IS_CAPITALS or before == 0:
        return False
    if word.marks & IS_BRACKETED:
        return True
    if d.is_shouted or (word.marks & IS_GIVEN and not d.words[i - 1].marks & IS_GIVEN):
        return False                       # "Garcia, MAR" has three initials
    # "Jan VAN DIJK" is not of Vanuatu.
    return not word.kinds & OCG_PARTICLE or i == d.count - 1


cdef inline int generation_of(const Draft *d, int i, int before) noexcept nogil:
    cdef const FormWord *word = &d.words[i]
    cdef int kinds = word.kinds
    if before == 0 or not kinds & (OCG_JUNIOR | OCG_SENIOR | OCG_THIRD | OCG_FOURTH):
        return 0
    if kinds & OCG_DOTTED and not word.marks & (IS_DOTTED | IS_BRACKETED):
        return 0
    if kinds & OCG_SAINT and i < d.count - 1:
        return 0                           # "St. Clair"
    if kinds & OCG_LATE and not d.is_ordered and d.count < 3:
        return 0                           # "Deep Junior"
    if kinds & OCG_IN_CAPITALS and not word.marks & IS_CAPITALS:
        return 0                           # "Ivanov, Iv"
    if (
        word.marks & IS_GIVEN and word.marks & IS_CAPITALS and d.named[1] < 2
        and not d.words[i - 1].marks & IS_GIVEN
    ):
        return 0                           # "Ivanov, II" is I. I. Ivanov
    if kinds & OCG_SENIOR:
        return 1
    return 2 if kinds & OCG_JUNIOR else 3 if kinds & OCG_THIRD else 4


cdef inline bint are_initials(
    const Draft *d, const FormWord *word, const uint8_t *letters
) noexcept nogil:
    """Return whether two or three capitals are initials; without a comma, two and no vowel."""
    cdef bint has_vowel = False
    cdef int k
    if not word.marks & IS_CAPITALS or not 2 <= word.length <= 3:
        return False
    for k in range(word.length):
        has_vowel |= is_vowel(letters[k]) and letters[k] != b'j'
    if word.marks & IS_GIVEN:
        return not d.is_shouted or not has_vowel
    # "JP Le Roux"; but "NG Wei" has a surname in capitals, and "GMP Sarin" a title.
    return (
        not d.is_ordered and not d.is_shouted and d.named[0] > 1 and not has_vowel
        and word.length == 2 and memcmp(letters, b"ng", 2) != 0
    )


cdef inline bint is_particle(const Draft *d, int i) noexcept nogil:
    """Return whether a word may be skipped; particles that are also names have conditions."""
    cdef const FormWord *word = &d.words[i]
    cdef int marks = word.marks, kinds = word.kinds
    if kinds & OCG_RARE_PARTICLE:
        return not marks & BEGINS_CAPITAL
    if kinds & OCG_ASIAN_PARTICLE:
        return not marks & BEGINS_CAPITAL or (i > 0 if not d.is_ordered else not marks & IS_GIVEN)
    if word.length == 1:                   # Corzo y Prinzipe
        return kinds & OCG_PARTICLE and i > 0 and not marks & (BEGINS_CAPITAL | IS_DOTTED)
    if word.length == 2 and i > 0 and marks & BEGINS_CAPITAL and marks & IS_GIVEN:
        if not d.words[i - 1].marks & IS_GIVEN:
            return False                   # "Smith, Al B"
    return kinds & (OCG_PARTICLE | OCG_SAINT) != 0


# --- numbers ------------------------------------------------------------------------------------

cdef inline int year_of(const uint8_t *digits, int length) noexcept nogil:
    """Return a year in which a player may be born, 0 for other numbers."""
    cdef int year = 0, k
    if length != 4:
        return 0
    for k in range(4):
        year = 10 * year + digits[k] - c'0'
    return year if FIRST_BIRTH_YEAR <= year <= LAST_BIRTH_YEAR else 0


cdef inline bint is_handle(const Draft *d, const uint8_t *letters) noexcept nogil:
    """Return whether a name without a comma is a program, or has digits that are no year."""
    cdef const FormWord *word
    cdef int i, words = 0, numbers = 0
    if d.has_program:
        return True
    for i in range(d.count):
        word = &d.words[i]
        if word.marks & IS_BRACKETED:
            continue
        if word.marks & IS_NUMBER:
            numbers += 1
            if not year_of(letters + word.begin, word.length):
                return True
        elif word.marks & HAS_DIGIT:
            return True
        else:
            words += 1
    return numbers > 0 and words < 2


cdef inline void note_number(NameForm *form, const uint8_t *digits, int length) noexcept nogil:
    cdef int year = year_of(digits, length)
    if year:
        form.birth_year = year
    elif length <= 2:
        memset(form.number, 0, sizeof(form.number))
        memcpy(form.number, digits, length)


# --- a name -------------------------------------------------------------------------------------

cdef inline void put_word(
    NameForm *form, const FormWord *word, int begin, int length, int marks
) noexcept nogil:
    cdef FormWord *added = &form.words[form.count]
    if form.count == FORM_WORDS:
        return
    added.begin = word.begin + begin
    added.length = length
    added.marks = marks
    added.kinds = word.kinds
    form.count += 1
    if not (form.is_ordered and marks & IS_GIVEN):
        form.surname += 1


cdef inline void look_up(Draft *d, const uint8_t *letters) noexcept nogil:
    """Set the kinds of words, and count those that are names."""
    cdef FormWord *word
    cdef int i
    for i in range(d.count):
        word = &d.words[i]
        word.kinds = ocg_kind_of_word(letters + word.begin, word.length)
        if word.marks & IS_INNER:          # "DrMate" has no title
            word.kinds = d.words[i - 1].kinds = 0
        if not d.is_ordered and word.kinds & OCG_PROGRAM:
            d.has_program = True
    for i in range(d.count):
        word = &d.words[i]
        if word.marks & (IS_NUMBER | IS_BRACKETED) or is_title(d, word):
            continue
        if not (word.marks & IS_GIVEN and is_federation(d, i, i)):
            d.named[word.marks & IS_GIVEN] += 1


cdef inline void put_words(NameForm *form, Draft *d) noexcept nogil:
    """Copy the words of a draft that are part of the name; mark particles."""
    cdef FormWord *word
    cdef const uint8_t *letters
    cdef int i, k, generation
    for i in range(d.count):
        word = &d.words[i]
        letters = form.letters + word.begin
        if word.marks & IS_NUMBER and not (form.is_handle and not word.marks & IS_BRACKETED):
            note_number(form, letters, word.length)
            continue
        if is_title_left_out(d, word):
            continue
        if is_federation(d, i, form.count):
            for k in range(3):
                form.country[k] = letters[k] & ~32
            continue
        generation = 0 if form.is_handle else generation_of(d, i, form.count)
        if generation:
            form.generation = generation
        elif not form.is_handle and are_initials(d, word, letters):
            for k in range(word.length):
                put_word(form, word, k, 1, word.marks)
        else:
            if is_particle(d, i):
                word.marks |= IS_PARTICLE
            put_word(form, word, 0, word.length, word.marks)


cdef inline bint is_moved(const NameForm *form, const FormWord *word) noexcept nogil:
    """Return whether the last given name is a particle of the surname: "Haas, Jan de"."""
    cdef const FormWord *surname = &form.words[form.surname - 1]
    if not word.kinds & OCG_PARTICLE or word.length == 1:
        return False
    if not word.marks & BEGINS_CAPITAL:
        return True
    # "Liu, Yan Di", "Nguyen, Thanh Do", "Zhang, Wei De"
    return not surname.kinds & OCG_ASIAN_SURNAME and not ocg_surname_group(
        form.letters + surname.begin, surname.length
    )


cdef inline void move_particles(NameForm *form) noexcept nogil:
    """Move particles behind the given name before the surname."""
    cdef FormWord turned[FORM_WORDS]
    cdef int last = form.count, i, moved
    while last - form.surname > 1 and is_moved(form, &form.words[last - 1]):
        last -= 1
    moved = form.count - last
    if moved == 0:
        return
    for i in range(form.count):
        turned[i] = form.words[last + i if i < moved else i - moved]
    for i in range(moved):
        turned[i].marks = (turned[i].marks & ~IS_GIVEN) | IS_PARTICLE
    memcpy(form.words, turned, form.count * sizeof(FormWord))
    form.surname += moved


cdef inline bint is_nobody(const NameForm *form, bint has_number) noexcept nogil:
    """Return whether all words are placeholders, or one placeholder together: N.N., No Name."""
    cdef uint8_t joined[LONGEST_PLACEHOLDER]
    cdef const FormWord *word
    cdef int i, length = 0, words = 0
    # "White, N" and "Player 2" are somebody, "N.N. 2" is nobody.
    cdef int accepted = OCG_NOBODY if form.has_given or has_number else OCG_NOBODY | OCG_GUEST
    cdef bint is_somebody = False
    for i in range(form.count):
        word = &form.words[i]
        if word.marks & (IS_NUMBER | IS_BRACKETED):
            continue
        is_somebody |= not ocg_kind_of_word(form.letters + word.begin, word.length) & accepted
        if length + word.length > LONGEST_PLACEHOLDER:
            return False
        memcpy(joined + length, form.letters + word.begin, word.length)
        length += word.length
        words += 1
    return not is_somebody or (words > 1 and ocg_kind_of_word(joined, length) & OCG_NOBODY)


cdef inline void read_name(const uint8_t *text, size_t size, NameForm *form) noexcept nogil:
    """Parse a name; bytes after READ_NAME_BYTES are ignored. A placeholder has no words."""
    cdef Draft d
    cdef int length = <int>min(size, <size_t>READ_NAME_BYTES), i
    cdef bint has_number = False
    while 0 < length < <int>size and text[length] & 0xC0 == 0x80:
        length -= 1                        # not within a character of UTF-8
    d.count = d.letters_used = d.named[0] = d.named[1] = 0
    d.has_program = False
    form.count = form.surname = form.birth_year = form.generation = 0
    form.country[0] = form.number[0] = form.country[3] = 0
    survey(text, length, &d)
    read_words(text, length, form.letters, &d)
    look_up(&d, form.letters)
    form.is_ordered = d.is_ordered
    form.has_given = d.has_given
    form.names = d.named[0]
    form.is_handle = not d.is_ordered and is_handle(&d, form.letters)
    put_words(form, &d)
    for i in range(d.count):
        has_number |= d.words[i].marks & (IS_NUMBER | IS_BRACKETED) == IS_NUMBER
    form.is_unknown = is_nobody(form, has_number)
    form.is_title = form.count == 1 and not has_number and d.named[0] + d.named[1] == 0
    if form.is_unknown:
        form.count = form.surname = form.birth_year = form.generation = 0
        form.country[0] = form.number[0] = 0
        form.is_ordered = form.has_given = form.is_handle = False
    elif form.is_ordered and form.surname == 0:
        form.is_ordered = form.has_given = False
        form.surname = form.count          # "(12), Jan" has a number alone before the comma
    elif form.is_ordered:
        move_particles(form)


# --- the key of a name --------------------------------------------------------------------------

cdef inline int put_key(const uint8_t *text, size_t size, uint8_t *key) noexcept nogil:
    """Write the text of a name in CoreHash: its words, "?" for a placeholder; return its length.

    The key of a title alone is empty. `key` has room for NAME_KEY_BYTES.
    """
    cdef NameForm form
    cdef const FormWord *word
    cdef int length = 0, i
    read_name(text, size, &form)
    if form.is_unknown:
        key[0] = b'?'
        return 1
    if form.is_title:
        return 0
    for i in range(form.count + 1):        # the comma of "Tal," is last
        if form.is_ordered and i == form.surname:
            memcpy(key + length, b", ", 2)
            length += 2
        elif 0 < i < form.count:
            key[length] = b' '
            length += 1
        if i < form.count:
            word = &form.words[i]
            memcpy(key + length, form.letters + word.begin, word.length)
            length += word.length
    return length
