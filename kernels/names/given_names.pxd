"""The relation of two given names: spellings, initials, short forms, typing errors, the other sex.

read_given() reads a word, once for all comparisons. Then given_relation() and given_level() compare
two words, and the word has its sex and the first letters of all related words. Words are single,
in lower case; the caller splits names of two words. The first GIVEN_LETTERS letters count. Nothing
is allocated, and several threads may share a GivenTable.

Must not know surnames, players or games, nor the weights of the levels.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, strlen

from name_skeleton cimport Letters, take_skeleton, take_slavic_skeleton
from name_words cimport edits_within
from word_store cimport WordStore, find_word

cdef extern from *:
    """
    /* One letter for the first letters of one sound: "J. Guskov" is Yuri, "W. Hort" is Vlastimil in
       German books. Others are themselves. */
    static const uint8_t OCG_INITIAL_CLASS[256] = {
        ['j'] = 'i', ['y'] = 'i', ['w'] = 'v', ['q'] = 'k', ['c'] = 'k',
    };
    static inline uint8_t ocg_initial_class(uint8_t letter) {
        return OCG_INITIAL_CLASS[letter] ? OCG_INITIAL_CLASS[letter] : letter;
    }

    /* Possible first sounds of a word by its first letter, for spellings of the same name: Evgeny
       and Jewgeni, Sofia and Zsofia, Hasan and Gasan, Christo and Hristo. Coarser than the class
       above, since these only propose candidates. Others are themselves. */
    static const char *const OCG_BEGINNINGS[26] = {
        "ai", "b", "ks", "d", "i", "f", "gh", "hkg", "i", "i", "kh", "l", "m", "n", "oa", "p", "k",
        "r", "s", "t", "u", "v", "v", "ks", "i", "s",
    };

    /* Interchangeable first letters of unknown words: Wassil and Vassil, Jerlan and Yerlan. */
    static const char *const OCG_SAME_INITIAL[26] = {
        ['w' - 'a'] = "v", ['v' - 'a'] = "vw", ['c' - 'a'] = "k", ['k' - 'a'] = "kc",
        ['j' - 'a'] = "y", ['i' - 'a'] = "y", ['y' - 'a'] = "yij",
    };

    /* Endings of men's and women's names, for words that are not in the table. */
    static const struct { const char *man, *woman; } OCG_ENDINGS[] = {
        {"ovich", "ovna"}, {"evich", "evna"}, {"slav", "slava"}, {"slaw", "slawa"}, {"mir", "mira"},
        {"in", "ina"}, {"ko", "ka"},
    };
    enum { OCG_ENDING_COUNT = sizeof OCG_ENDINGS / sizeof OCG_ENDINGS[0] };
    """
    ctypedef struct ocg_ending:
        const char *man
        const char *woman
    const char *OCG_BEGINNINGS[26]
    const char *OCG_SAME_INITIAL[26]
    const ocg_ending OCG_ENDINGS[1]
    enum:
        OCG_ENDING_COUNT
    uint8_t ocg_initial_class(uint8_t letter) nogil

# Relations, from the best match to the worst.
cdef enum:
    GIVEN_EQUAL = 0
    GIVEN_SPELLING = 1
    GIVEN_INITIAL = 2          # no contradiction: "j" fits John and Jack
    GIVEN_COGNATE = 3
    GIVEN_CLOSE = 4            # a typing error, or two in longer words
    GIVEN_DIFFERENT = 5
    GIVEN_OPPOSITE_SEX = 6

# Levels of a written word beside a listed one.
cdef enum:
    LEVEL_NONE = 0             # the word does not mean the listed one
    LEVEL_SAME = 1
    LEVEL_SPELLING = 2
    LEVEL_BEGINNING = 3
    LEVEL_COGNATE = 4
    LEVEL_SLIP = 5
    LEVEL_CUT = 6              # "Mat" for Mateusz
    LEVEL_CUT_TO_ANOTHER = 7   # the same, and it may be another name
    LEVEL_INITIAL_FOR_FULL = 8
    LEVEL_FULL_FOR_INITIAL = 9

cdef enum:
    GIVEN_LETTERS = 64         # of a word
    OTHER_LETTERS = 128        # of other scripts, that a comparison tells apart
    ANY_OTHER_LETTER = 1 << 26  # in a set of letters: one that is not a to z
    IS_SHARED = 1              # mark of a word that is a name of both sexes
    CLOSE_LETTERS = 4          # in shorter names one letter makes another name: ali, adi, ari
    TWO_SLIPS_LETTERS = 8
    SKELETON_LETTERS = 4
    # For listed names four letters are too few: "ilkka" is not "ilka", "ullah" not "ulla".
    LISTED_SKELETON_LETTERS = 5
    CUT_LETTERS = 2            # "al" and "vl" are abbreviations even if they are names, too
    STEM_LETTERS = 3
    LEAST_SOUNDING = 3         # letters of words of other lengths that may sound alike
    LEAST_CUT = 3              # letters of a word that may be cut short

# A name of the table, with all its spellings; the ranges are of arrays of the table.
ctypedef struct GivenName:
    uint32_t first_spelling, spellings
    uint32_t first_stem, stems
    uint32_t first_form, forms
    uint32_t initials          # letters that abbreviate it
    uint32_t beginnings        # first letters of all related words
    uint8_t sex                # 'M', 'F', or 0 if unknown
    bint is_short_form

# The table by word and by skeleton: `first` of a word is the number of its name + 1. A skeleton of
# two names has 0.
ctypedef struct GivenTable:
    WordStore words
    WordStore skeletons
    WordStore stems
    GivenName *names
    uint32_t *spellings        # numbers of words
    uint32_t *stem_numbers     # ascending for each name, without the empty stem
    uint32_t *forms            # ascending for each name

# Letters of other scripts in the order of their first occurrence, for words to be compared.
ctypedef struct OtherLetters:
    Py_UCS4 letters[OTHER_LETTERS]
    int count

ctypedef struct GivenWord:
    uint8_t letters[GIVEN_LETTERS]
    uint8_t skeleton[GIVEN_LETTERS]        # slavic
    uint8_t sounds[2 * GIVEN_LETTERS]      # the skeleton of any word
    uint8_t length, skeleton_length, sounds_length
    uint8_t dots               # full stops at the end, which are left out: "alex."
    uint8_t sex                # 'M' or 'F' if it is certain, else 0
    bint is_listed             # as a word of the table, not by its skeleton
    uint32_t name              # number + 1 of the name of the table, 0 for none
    uint32_t beginnings        # first letters of all related words, as bits from "a" on


# --- reading a word -------------------------------------------------------------------------------

cdef inline uint8_t number_of_letter(OtherLetters *others, Py_UCS4 letter) noexcept nogil:
    cdef int i
    if letter < 128:
        return <uint8_t>letter
    for i in range(others.count):
        if others.letters[i] == letter:
            return <uint8_t>(128 + i)
    if others.count == OTHER_LETTERS:
        return 255
    others.letters[others.count] = letter
    others.count += 1
    return <uint8_t>(127 + others.count)


cdef inline int decode_letters(const uint8_t *text, size_t size, Py_UCS4 *letters) noexcept nogil:
    """Decode UTF-8 with surrogates, at most GIVEN_LETTERS letters; return their number."""
    cdef const uint8_t *end = text + size
    cdef int count = 0, more
    cdef uint32_t letter
    while text < end and count < GIVEN_LETTERS:
        letter = text[0]
        more = 0 if letter < 0xC0 else 1 if letter < 0xE0 else 2 if letter < 0xF0 else 3
        if more:
            letter &= 0x3F >> more
        text += 1
        while more and text < end:
            letter = letter << 6 | (text[0] & 0x3F)
            text += 1
            more -= 1
        letters[count] = letter
        count += 1
    return count


cdef inline int put_numbers(
    OtherLetters *others, const Py_UCS4 *letters, Py_ssize_t count, uint8_t *to
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        to[i] = number_of_letter(others, letters[i])
    return <int>count


cdef inline uint32_t letter_bit(uint8_t letter) noexcept nogil:
    return <uint32_t>1 << (letter - c"a") if c"a" <= letter <= c"z" else ANY_OTHER_LETTER


cdef inline uint32_t letters_alike(uint8_t letter) noexcept nogil:
    """Return the possible first letters of other spellings of a word with this first letter."""
    cdef uint32_t bits = 0
    cdef const char *sound
    cdef const char *other
    cdef int i
    if not c"a" <= letter <= c"z":
        return 0
    for i in range(26):
        sound = OCG_BEGINNINGS[letter - c"a"]
        while sound[0]:
            other = OCG_BEGINNINGS[i]
            while other[0]:
                if other[0] == sound[0]:
                    bits |= <uint32_t>1 << i
                other += 1
            sound += 1
    return bits


cdef inline bint ends_in(const uint8_t *word, int length, const char *ending) noexcept nogil:
    cdef int size = <int>strlen(ending)
    return size <= length and memcmp(word + length - size, ending, size) == 0


cdef inline bint is_plain_vowel(uint8_t letter) noexcept nogil:
    return (
        letter == c"a" or letter == c"e" or letter == c"i" or letter == c"o" or letter == c"u"
    )


cdef inline bint has_skeleton(const uint8_t *skeleton, int length, int least) noexcept nogil:
    """Return whether a skeleton is reliable, with two syllables; Chinese "sang" is not "shang"."""
    cdef int i, syllables = 0
    if length < least:
        return False
    for i in range(length):
        if is_plain_vowel(skeleton[i]) and (i == 0 or not is_plain_vowel(skeleton[i - 1])):
            syllables += 1
    return syllables > 1


cdef inline int stem_length(const uint8_t *skeleton, int length) noexcept nogil:
    """Return the letters of a skeleton before its last vowels, 0 if too few are left."""
    while length and is_plain_vowel(skeleton[length - 1]):
        length -= 1
    return length if length >= STEM_LETTERS else 0


cdef inline void put_skeletons(
    OtherLetters *others, const Py_UCS4 *letters, int count, GivenWord *word
) noexcept nogil:
    cdef Py_UCS4 block[4 * GIVEN_LETTERS]
    cdef Letters changed
    cdef int i, k
    for k in range(2):
        changed.letters, changed.others = &block[0], &block[2 * GIVEN_LETTERS]
        changed.count = count
        for i in range(count):
            block[i] = letters[i]
        if k:
            take_skeleton(&changed)
            word.sounds_length = <uint8_t>put_numbers(
                others, changed.letters, changed.count, word.sounds
            )
        else:
            take_slavic_skeleton(&changed)
            word.skeleton_length = <uint8_t>put_numbers(
                others, changed.letters, changed.count, word.skeleton
            )


cdef inline void put_name(const GivenTable *table, GivenWord *word, bint *is_shared) noexcept nogil:
    """Find the name of a word, by the table or by its skeleton."""
    cdef uint32_t number = find_word(&table.words, word.letters, word.length)
    word.is_listed = number != 0
    word.name = 0
    is_shared[0] = False
    if number:
        word.name = table.words.words[number - 1].first
        is_shared[0] = table.words.words[number - 1].marks == IS_SHARED
        return
    number = find_word(&table.skeletons, word.skeleton, word.skeleton_length)
    if number:
        word.name = table.skeletons.words[number - 1].first


cdef inline uint8_t sex_of_word(
    const GivenTable *table, const GivenWord *word, bint is_shared
) noexcept nogil:
    if word.name:
        return 0 if is_shared else table.names[word.name - 1].sex
    if ends_in(word.letters, word.length, "ovich") or ends_in(word.letters, word.length, "evich"):
        return c"M"
    if ends_in(word.letters, word.length, "ovna") or ends_in(word.letters, word.length, "evna"):
        return c"F"
    return 0


cdef inline void read_given(
    const GivenTable *table, OtherLetters *others, const uint8_t *text, size_t size, GivenWord *word
) noexcept nogil:
    """Read a word of UTF-8. Words that are compared share `others`, which starts with count 0."""
    cdef Py_UCS4 letters[GIVEN_LETTERS]
    cdef bint is_shared
    cdef int count = decode_letters(text, size, letters)
    word.dots = 0
    while count and letters[count - 1] == c".":
        count -= 1
        word.dots += 1
    word.length = <uint8_t>put_numbers(others, letters, count, word.letters)
    put_skeletons(others, letters, count, word)
    put_name(table, word, &is_shared)
    word.sex = sex_of_word(table, word, is_shared)
    word.beginnings = table.names[word.name - 1].beginnings if word.name else 0
    if count:
        word.beginnings |= letters_alike(word.letters[0]) | letter_bit(word.letters[0])
    if count > 1:                  # the first two letters may have been swapped
        word.beginnings |= letter_bit(word.letters[1])


# --- parts of the comparison ----------------------------------------------------------------------

cdef inline bint same_bytes(
    const uint8_t *left, int left_length, const uint8_t *right, int right_length
) noexcept nogil:
    return left_length == right_length and memcmp(left, right, left_length) == 0


cdef inline bint begins_with(
    const uint8_t *word, int length, const uint8_t *beginning, int beginning_length
) noexcept nogil:
    return length >= beginning_length and memcmp(word, beginning, beginning_length) == 0


cdef inline bint have_common(
    const uint32_t *left, uint32_t left_count, const uint32_t *right, uint32_t right_count
) noexcept nogil:
    """Return whether two ascending lists have a number in common."""
    cdef uint32_t i = 0, j = 0
    while i < left_count and j < right_count:
        if left[i] == right[j]:
            return True
        if left[i] < right[j]:
            i += 1
        else:
            j += 1
    return False


cdef inline const uint8_t *spelling_of(
    const GivenTable *table, const GivenName *name, uint32_t i, int *length
) noexcept nogil:
    cdef uint32_t number = table.spellings[name.first_spelling + i]
    length[0] = <int>table.words.words[number].length
    return table.words.letters + table.words.words[number].begin


cdef inline bint are_spellings(const GivenWord *left, const GivenWord *right) noexcept nogil:
    if left.name or right.name:
        return left.name == right.name
    return same_bytes(
        left.skeleton, left.skeleton_length, right.skeleton, right.skeleton_length
    ) and has_skeleton(left.skeleton, left.skeleton_length, SKELETON_LETTERS)


cdef inline bint share_form(
    const GivenTable *table, const GivenWord *left, const GivenWord *right
) noexcept nogil:
    cdef const GivenName *name
    cdef const GivenName *other
    if not left.name or not right.name:
        return False
    name, other = &table.names[left.name - 1], &table.names[right.name - 1]
    return have_common(
        table.forms + name.first_form, name.forms, table.forms + other.first_form, other.forms
    )


cdef inline bint is_slip(
    const uint8_t *left, int left_length, const uint8_t *right, int right_length
) noexcept nogil:
    cdef int shorter = min(left_length, right_length)
    cdef int slips = 2 if shorter >= TWO_SLIPS_LETTERS else 1
    if shorter < CLOSE_LETTERS:
        return False
    if left[0] != right[0] and (left[0] != right[1] or left[1] != right[0]):
        return False
    return edits_within(left, left_length, right, right_length, slips) <= slips


cdef inline bint are_close(
    const GivenTable *table, const GivenWord *left, const GivenWord *right
) noexcept nogil:
    """Return whether a spelling of one name is a slip of a spelling of the other."""
    cdef const GivenName *name = &table.names[left.name - 1] if left.name else NULL
    cdef const GivenName *other = &table.names[right.name - 1] if right.name else NULL
    cdef const uint8_t *spelling = left.letters
    cdef const uint8_t *other_spelling = right.letters
    cdef int length = left.length, other_length = right.length
    cdef uint32_t i, j
    for i in range(name.spellings if name != NULL else 1):
        if name != NULL:
            spelling = spelling_of(table, name, i, &length)
        for j in range(other.spellings if other != NULL else 1):
            if other != NULL:
                other_spelling = spelling_of(table, other, j, &other_length)
            if is_slip(spelling, length, other_spelling, other_length):
                return True
    return False


cdef inline bint is_initial_of(
    const GivenTable *table, uint8_t letter, const GivenWord *word
) noexcept nogil:
    cdef const char *same
    if word.name and word.length > 1:
        return table.names[word.name - 1].initials & letter_bit(letter) & ~ANY_OTHER_LETTER != 0
    if word.letters[0] == letter:
        return True
    same = OCG_SAME_INITIAL[letter - c"a"] if c"a" <= letter <= c"z" else NULL
    while same != NULL and same[0]:
        if word.letters[0] == <uint8_t>same[0]:
            return True
        same += 1
    return False


cdef inline bint is_beginning_of(
    const GivenTable *table, const GivenWord *cut, const GivenWord *whole, bint shares_form
) noexcept nogil:
    """Return whether `cut` is the beginning of the other name in any of its spellings."""
    cdef const GivenName *name = &table.names[whole.name - 1] if whole.name else NULL
    cdef const uint8_t *spelling
    cdef uint32_t i
    cdef int length
    cdef bint may_be_short
    if cut.length == 1:
        return is_initial_of(table, cut.letters[0], whole)
    if cut.length > CUT_LETTERS and cut.name and not cut.dots:
        # "jan" does not abbreviate "janina"; "alex" is a name, too, but abbreviates "alexander".
        may_be_short = shares_form if name != NULL else table.names[cut.name - 1].is_short_form
        return may_be_short and whole.length > cut.length and begins_with(
            whole.letters, whole.length, cut.letters, cut.length
        )
    if name != NULL:
        for i in range(name.spellings):
            spelling = spelling_of(table, name, i, &length)
            if length > cut.length and begins_with(spelling, length, cut.letters, cut.length):
                return True
        return False
    if begins_with(whole.letters, whole.length, cut.letters, cut.length):
        return whole.length > cut.length
    # "yi" and "ji" would be an "i", which begins "yang".
    return 1 < cut.skeleton_length < whole.skeleton_length and begins_with(
        whole.skeleton, whole.skeleton_length, cut.skeleton, cut.skeleton_length
    )


cdef inline bint has_opposite_ending(
    const uint8_t *left, int left_length, const uint8_t *right, int right_length
) noexcept nogil:
    cdef int i, stem, man_ending, woman_ending
    if left[left_length - 1] != c"a":
        left, right = right, left
        left_length, right_length = right_length, left_length
    if left[left_length - 1] != c"a":
        return False
    for i in range(OCG_ENDING_COUNT):      # left is the woman's name
        man_ending = <int>strlen(OCG_ENDINGS[i].man)
        woman_ending = <int>strlen(OCG_ENDINGS[i].woman)
        stem = right_length - man_ending
        if (
            ends_in(right, right_length, OCG_ENDINGS[i].man)
            and left_length == stem + woman_ending and memcmp(left, right, stem) == 0
            and ends_in(left, left_length, OCG_ENDINGS[i].woman)
        ):
            return True
    return False


cdef inline bint is_opposite_of(
    const GivenTable *table, const GivenName *name, const GivenWord *word
) noexcept nogil:
    """Return whether an unlisted word is a listed name with the ending of the other sex."""
    cdef const uint8_t *spelling
    cdef int length, stem = stem_length(word.skeleton, word.skeleton_length)
    cdef uint32_t i, number
    if name.sex == c"M" and word.letters[word.length - 1] == c"a" and stem:
        spelling = spelling_of(table, name, 0, &length)
        number = find_word(&table.stems, word.skeleton, stem)
        if number and spelling[length - 1] != c"a" and have_common(
            &number, 1, table.stem_numbers + name.first_stem, name.stems
        ):
            return True
    # No such rule for women's names: "carolin" and "christin" are women's names, too.
    for i in range(name.spellings):
        spelling = spelling_of(table, name, i, &length)
        if has_opposite_ending(word.letters, word.length, spelling, length):
            return True
    return False


cdef inline bint are_opposite(
    const GivenTable *table, const GivenWord *left, const GivenWord *right
) noexcept nogil:
    """Return whether one word is the female form of the other."""
    cdef const GivenName *name
    cdef const GivenName *other
    if left.name and right.name:
        name, other = &table.names[left.name - 1], &table.names[right.name - 1]
        return left.sex + right.sex == c"M" + c"F" and have_common(
            table.stem_numbers + name.first_stem, name.stems,
            table.stem_numbers + other.first_stem, other.stems,
        )
    if left.letters[0] != right.letters[0]:
        return False
    if not left.name and not right.name:
        return has_opposite_ending(left.letters, left.length, right.letters, right.length)
    if left.name:
        return is_opposite_of(table, &table.names[left.name - 1], right)
    return is_opposite_of(table, &table.names[right.name - 1], left)


# --- two words ------------------------------------------------------------------------------------

cdef inline int given_relation(
    const GivenTable *table, const GivenWord *left, const GivenWord *right
) noexcept nogil:
    """Return the relation of two given names, whatever their order.

    A full stop at the end marks an abbreviation. The beginning of a name is GIVEN_INITIAL even if
    it is a short form, too ("alex", "alexander"). GIVEN_CLOSE is never a relation of two listed
    names.
    """
    cdef bint is_opposite, shares_form
    if same_bytes(left.letters, left.length, right.letters, right.length):
        return GIVEN_EQUAL
    if not left.length or not right.length:
        return GIVEN_DIFFERENT
    if are_spellings(left, right):
        return GIVEN_SPELLING
    is_opposite = are_opposite(table, left, right)
    if is_opposite and not left.dots and not right.dots:
        return GIVEN_OPPOSITE_SEX
    shares_form = share_form(table, left, right)
    if is_beginning_of(table, left, right, shares_form) or is_beginning_of(
        table, right, left, shares_form
    ):
        return GIVEN_INITIAL
    if is_opposite:
        return GIVEN_OPPOSITE_SEX
    if shares_form:
        return GIVEN_COGNATE
    if left.is_listed and right.is_listed:
        return GIVEN_DIFFERENT
    return GIVEN_CLOSE if are_close(table, left, right) else GIVEN_DIFFERENT


cdef inline int level_of_cut(const GivenWord *written, const GivenWord *listed) noexcept nogil:
    """Return the level of a name that is cut short; LEVEL_NONE if it is not."""
    if not LEAST_CUT <= written.length < listed.length:
        return LEVEL_NONE
    if not begins_with(listed.letters, listed.length, written.letters, written.length) and not (
        written.length > LEAST_CUT + 1 and begins_with(
            listed.sounds, listed.sounds_length, written.sounds, written.sounds_length
        )
    ):
        return LEVEL_NONE
    if written.sex + listed.sex == c"M" + c"F" or written.length == listed.length - 1:
        return LEVEL_CUT_TO_ANOTHER
    return LEVEL_CUT


cdef inline bint have_same_sounds(const GivenWord *word, const GivenWord *other) noexcept nogil:
    # "sy" is "si", but "yue" is not "yu".
    if word.length != other.length and min(word.length, other.length) < LEAST_SOUNDING:
        return False
    return same_bytes(word.sounds, word.sounds_length, other.sounds, other.sounds_length)


cdef inline int given_level(
    const GivenTable *table, const GivenWord *written, const GivenWord *listed
) noexcept nogil:
    """Return the level of a written word that may mean a listed one; words have no full stops."""
    cdef int relation
    if not written.length or not listed.length:
        return LEVEL_NONE
    if not written.beginnings & letter_bit(listed.letters[0]):
        return LEVEL_NONE
    if same_bytes(written.letters, written.length, listed.letters, listed.length):
        return LEVEL_SAME
    if written.length == 1 or listed.length == 1:
        if ocg_initial_class(written.letters[0]) != ocg_initial_class(listed.letters[0]):
            return LEVEL_NONE
        return LEVEL_FULL_FOR_INITIAL if listed.length == 1 else LEVEL_INITIAL_FOR_FULL
    relation = given_relation(table, written, listed)
    if relation == GIVEN_DIFFERENT and have_same_sounds(written, listed):
        relation = GIVEN_SPELLING
    if relation == GIVEN_SPELLING:
        return LEVEL_SPELLING
    if relation == GIVEN_INITIAL:
        return LEVEL_BEGINNING
    if relation == GIVEN_COGNATE:
        return LEVEL_COGNATE
    if relation == GIVEN_CLOSE:
        return LEVEL_SLIP
    return level_of_cut(written, listed)
