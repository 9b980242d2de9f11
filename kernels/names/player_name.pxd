"""Parse names of players and compare them pair by pair: quickly, without a rating list.

For pairs of possible duplicates, where "may be equal" is enough. Names are not resolved to players
here; ocgdedup/matching/names does that. A name is ASCII, since the caller folds other letters.
Bytes above 127 count as letters, so that equal names stay equal in any script. Nothing is
allocated, and only arguments are written.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from name_form cimport HAS_DIGIT, IS_NUMBER, IS_PARTICLE, IS_SYLLABIC, ocg_surname_group
from name_words cimport (
    JOINED_LETTERS, LETTER_H, WORD_BYTES, edits_within, is_vowel, ocg_near_letter, to_near_letters,
)
from parsed_name cimport NAME_WORDS, ParsedName

cdef extern from "compiler.h":
    int OCG_COUNT_BITS(uint64_t word) nogil

cdef enum:
    NAME_UNKNOWN = 0           # one of the two is a placeholder
    NAME_EQUAL = 1             # the same words, including a full given name
    NAME_COMPATIBLE = 2        # equal surnames, given names shorter or missing
    NAME_SIMILAR = 3           # a slip or another transliteration
    NAME_NAMESAKE = 4          # equal or similar surnames, given names of two people
    NAME_DIFFERENT = 5

# One reading of a name: which words are the surname, and which the given names.
ctypedef struct NameView:
    const ParsedName *name
    uint8_t surname[NAME_WORDS]
    uint8_t given[NAME_WORDS]
    int n_surname
    int n_given
    int begin                  # words of the surname with its particles
    int end


# --- two words ----------------------------------------------------------------------------------

cdef inline bint same_word(const ParsedName *a, int i, const ParsedName *b, int j) noexcept nogil:
    return memcmp(a.words[i], b.words[j], WORD_BYTES) == 0


cdef inline bint begins(const ParsedName *a, int i, const ParsedName *b, int j) noexcept nogil:
    """Return whether the shorter of two words is a prefix of the other."""
    return memcmp(a.words[i], b.words[j], min(a.lengths[i], b.lengths[j])) == 0


cdef inline int slips_allowed(
    const ParsedName *a, int i, const ParsedName *b, int j, int two_from
) noexcept nogil:
    """Return the number of edits allowed between two words, -1 if they may not differ."""
    cdef int shorter = min(a.lengths[i], b.lengths[j])
    cdef int longer = max(a.lengths[i], b.lengths[j])
    cdef int limit = 0
    cdef uint32_t others = a.letters[i] ^ b.letters[j]
    if (a.marks[i] | b.marks[j]) & (IS_SYLLABIC | HAS_DIGIT) or shorter < 2:
        return -1
    if shorter >= 4:
        limit = 2 if longer >= two_from and shorter >= two_from - 1 else 1
    elif shorter == 3 and longer < 5 and others & ~<uint32_t>LETTER_H == 0:
        limit = 1                          # Wei and Wie, Tal and Thal; not Lin and Lian
    if a.sounds[i] == b.sounds[j] and longer > 5:
        limit = max(limit, 2 * longer // 5)
    return limit


cdef inline bint are_alike(
    const ParsedName *a, int i, const ParsedName *b, int j, int two_from
) noexcept nogil:
    """Return whether two words may be equal; from `two_from` letters on, with two slips."""
    cdef uint8_t left[WORD_BYTES]
    cdef uint8_t right[WORD_BYTES]
    cdef int limit = slips_allowed(a, i, b, j, two_from)
    # An edit changes the set of letters by at most two.
    if limit < 0 or OCG_COUNT_BITS(a.letters[i] ^ b.letters[j]) > 2 * limit:
        return False
    memcpy(left, a.words[i], WORD_BYTES)
    memcpy(right, b.words[j], WORD_BYTES)
    to_near_letters(left, a.lengths[i])
    to_near_letters(right, b.lengths[j])
    return edits_within(left, a.lengths[i], right, b.lengths[j], limit) <= limit


# --- two names ----------------------------------------------------------------------------------

cdef inline int append_word(const ParsedName *name, int i, uint8_t *out, int length) noexcept nogil:
    """Append a word; return the length, at most JOINED_LETTERS."""
    cdef int taken = min(<int>name.lengths[i], JOINED_LETTERS - length)
    memcpy(out + length, name.words[i], taken)
    return length + taken


cdef inline int append_words(
    const ParsedName *name, int begin, int end, uint8_t *out, int length
) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        length = append_word(name, i, out, length)
    return length


cdef inline void put_view(
    const ParsedName *name, int begin, int end, NameView *view
) noexcept nogil:
    """Use these words as the surname; its initials and particles are ignored."""
    cdef int i
    cdef bint is_surname, has_word = False
    view.name = name
    view.begin = begin
    view.end = end
    view.n_surname = view.n_given = 0
    for i in range(begin, end):
        has_word |= name.lengths[i] > 1 and not name.marks[i] & IS_PARTICLE
    for i in range(name.n_words):
        is_surname = begin <= i < end
        if name.marks[i] & IS_PARTICLE or (is_surname and has_word and name.lengths[i] == 1):
            continue
        if is_surname:
            view.surname[view.n_surname] = i
            view.n_surname += 1
        else:
            view.given[view.n_given] = i
            view.n_given += 1


cdef inline bint may_be_surname(const ParsedName *name, int begin, int end) noexcept nogil:
    cdef int i
    for i in range(begin, end):
        if not name.marks[i] & IS_PARTICLE and (name.lengths[i] == 1 or name.marks[i] & IS_NUMBER):
            return False
    return True


cdef inline int views_of(const ParsedName *name, NameView *views) noexcept nogil:
    """Write the readings of a name, at most four: first or last words are the surname."""
    cdef int plain[NAME_WORDS]
    cdef int i, many, words = 0, count = 0
    if name.n_surname:
        put_view(name, 0, name.n_surname, views)
        return 1
    for i in range(name.n_words):
        if not name.marks[i] & IS_PARTICLE:
            plain[words] = i
            words += 1
    for many in range(1, 3):
        if words <= many:
            break
        if may_be_surname(name, 0, plain[many - 1] + 1):
            put_view(name, 0, plain[many - 1] + 1, &views[count])
            count += 1
        # Particles come before the surname: "Jan van der Haas".
        if may_be_surname(name, plain[words - many - 1] + 1, name.n_words):
            put_view(name, plain[words - many - 1] + 1, name.n_words, &views[count])
            count += 1
    if count == 0:
        put_view(name, 0, name.n_words, views)
        count = 1
    return count


cdef inline int compare_letters(
    uint8_t *a, int la, uint8_t *b, int lb, int one_from, int two_from
) noexcept nogil:
    """Return 0 if letters are equal, 1 if within the allowed slips, 2 if not.

    The arguments are modified.
    """
    cdef int shorter = min(la, lb)
    cdef int limit = 2 if shorter >= two_from else 1 if shorter >= one_from else 0
    if la == lb and memcmp(a, b, la) == 0:
        return 0
    to_near_letters(a, la)
    to_near_letters(b, lb)
    return 1 if edits_within(a, la, b, lb, limit) <= limit else 2


cdef inline bint are_turned(
    const ParsedName *a, const uint8_t *left, int n_left,
    const ParsedName *b, const uint8_t *right, int n_right,
) noexcept nogil:
    """Return whether words are equal in reverse order: Lopez Rodriguez and Rodriguez Lopez."""
    cdef int i
    if n_left != n_right:
        return False
    for i in range(n_left):
        if not same_word(a, left[i], b, right[n_left - 1 - i]):
            return False
    return True


cdef inline int compare_surname_letters(const NameView *a, const NameView *b) noexcept nogil:
    """Compare without spaces and hyphens: De Firmian and DeFirmian."""
    cdef uint8_t left[JOINED_LETTERS]
    cdef uint8_t right[JOINED_LETTERS]
    cdef uint32_t letters = 0, others = 0
    cdef int i, la, lb, longer = 0
    for i in range(a.begin, a.end):
        letters |= a.name.letters[i]
        longer += a.name.lengths[i]
    for i in range(b.begin, b.end):
        others |= b.name.letters[i]
        longer -= b.name.lengths[i]
    if a.name.words[a.begin][0] != b.name.words[b.begin][0] and (
        longer > 2 or longer < -2 or OCG_COUNT_BITS(letters ^ others) > 4
    ):
        return 2                           # neither is a prefix, and two slips are not enough
    la = append_words(a.name, a.begin, a.end, left, 0)
    lb = append_words(b.name, b.begin, b.end, right, 0)
    if min(la, lb) >= 6 and memcmp(left, right, min(la, lb)) == 0:
        return 1 if la != lb else 0
    return compare_letters(left, la, right, lb, 6, 10)


cdef inline int compare_surnames(const NameView *a, const NameView *b) noexcept nogil:
    """Return 0 if surnames are equal, 1 if similar, 2 if they differ.

    One word of a double surname may be missing. A prefix of six letters is similar, since databases
    truncate names.
    """
    cdef const NameView *few = a if a.n_surname <= b.n_surname else b
    cdef const NameView *many = b if a.n_surname <= b.n_surname else a
    cdef int result = 2 if few.n_surname == 0 else 0    # particles alone
    cdef int best, i, j, k, m
    for i in range(few.n_surname):
        best = 2
        k = few.surname[i]
        for j in range(many.n_surname):
            m = many.surname[j]
            if few.n_surname == many.n_surname and i != j:
                continue
            if same_word(few.name, k, many.name, m):
                best = 0
                break
            if few.n_surname < many.n_surname and few.name.lengths[k] < 6:
                continue                   # not both at once: "Reis", "Ruiz Ponce"
            if are_alike(few.name, k, many.name, m, 8) or (
                min(few.name.lengths[k], many.name.lengths[m]) >= 6
                and not (few.name.marks[k] | many.name.marks[m]) & HAS_DIGIT
                and begins(few.name, k, many.name, m)
            ):
                best = 1
        result = max(result, best)
    if result == 2 and are_turned(a.name, a.surname, a.n_surname, b.name, b.surname, b.n_surname):
        return 1
    if result == 0 or (a.end - a.begin == 1 and b.end - b.begin == 1):
        return result
    return min(result, compare_surname_letters(a, b))


cdef inline uint8_t initial_class(uint8_t letter) noexcept nogil:
    """Return one letter for equivalent initials: Evgeny and Jewgeni, Hasan and Gasan."""
    cdef uint8_t near = ocg_near_letter(letter)
    return b'i' if near == b'e' else b'g' if near == b'h' else near


cdef inline bint sounds_begin(
    const ParsedName *a, int i, const ParsedName *b, int j
) noexcept nogil:
    """Return whether a word is a phonetic prefix of the other: Alex, Aleksandr; but not Alexei."""
    cdef uint64_t sounds = b.sounds[j]
    if a.lengths[i] < 4 or a.sounds[i] >> 16 == 0 or is_vowel(a.words[i][a.lengths[i] - 1]):
        return False
    if memcmp(a.words[i], b.words[j], 3) != 0:
        return False
    while sounds > a.sounds[i]:
        sounds >>= 8
    return sounds == a.sounds[i]


cdef inline int compare_given(
    const ParsedName *a, int i, const ParsedName *b, int j
) noexcept nogil:
    """Return NAME_COMPATIBLE, NAME_SIMILAR or NAME_NAMESAKE for two given words."""
    cdef int shorter = min(a.lengths[i], b.lengths[j])
    cdef int k
    if same_word(a, i, b, j):
        return NAME_COMPATIBLE
    if (a.marks[i] | b.marks[j]) & (IS_SYLLABIC | HAS_DIGIT):
        return NAME_NAMESAKE
    if begins(a, i, b, j):
        return NAME_COMPATIBLE
    if shorter == 1:
        if initial_class(a.words[i][0]) == initial_class(b.words[j][0]):
            return NAME_SIMILAR
        return NAME_NAMESAKE
    for k in range(shorter):
        if ocg_near_letter(a.words[i][k]) != ocg_near_letter(b.words[j][k]):
            break
    else:
        return NAME_SIMILAR
    if sounds_begin(a, i, b, j) or sounds_begin(b, j, a, i) or are_alike(a, i, b, j, 7):
        return NAME_SIMILAR
    return NAME_NAMESAKE


cdef inline int align_given(const NameView *few, const NameView *many) noexcept nogil:
    """Compare given words one by one; the shorter name lacks words of the other.

    A first name may be missing too, but then no initial may follow.
    """
    cdef int result = NAME_COMPATIBLE, code, i, at = 0
    cdef bint all_there = few.n_given == many.n_given
    for i in range(few.n_given):
        code = NAME_NAMESAKE
        while at < many.n_given:
            code = compare_given(few.name, few.given[i], many.name, many.given[at])
            at += 1
            if code != NAME_NAMESAKE or all_there:
                break
            if i == 0 and few.name.lengths[few.given[0]] < 3:
                return NAME_NAMESAKE
        if code == NAME_NAMESAKE:
            return code
        if i == 0 and at > 1:
            if code != NAME_COMPATIBLE or many.name.lengths[many.given[at - 1]] < 3:
                return NAME_NAMESAKE
            code = NAME_SIMILAR
        result = max(result, code)
    return result


cdef inline int compare_given_words(const NameView *a, const NameView *b) noexcept nogil:
    cdef uint8_t left[JOINED_LETTERS]
    cdef uint8_t right[JOINED_LETTERS]
    cdef int code, i, la = 0, lb = 0
    if a.n_given == 0 or b.n_given == 0:
        return NAME_COMPATIBLE
    code = align_given(a, b) if a.n_given <= b.n_given else align_given(b, a)
    if code != NAME_NAMESAKE:
        return code
    if a.n_given == b.n_given:
        if are_turned(a.name, a.given, a.n_given, b.name, b.given, b.n_given):
            return NAME_SIMILAR
        return code
    for i in range(a.n_given):             # Zhong-Yuan and Zhongyuan
        la = append_word(a.name, a.given[i], left, la)
    for i in range(b.n_given):
        lb = append_word(b.name, b.given[i], right, lb)
    return NAME_COMPATIBLE + compare_letters(left, la, right, lb, 6, 64)


cdef inline bint are_spellings(const NameView *a, const NameView *b) noexcept nogil:
    """Return whether both surnames are transliterations of one: Yi, Lee, Rhee (Korea, China).

    The given names must agree well, since half of all Koreans share five surnames.
    """
    cdef int i, group, letters = 0, others = 0
    if a.n_surname != 1 or b.n_surname != 1:
        return False
    for i in range(a.n_given):
        letters += a.name.lengths[a.given[i]]
    for i in range(b.n_given):
        others += b.name.lengths[b.given[i]]
    if letters < 4 or others < 4:
        return False
    group = ocg_surname_group(a.name.words[a.surname[0]], a.name.lengths[a.surname[0]])
    return (
        group != 0
        and group == ocg_surname_group(b.name.words[b.surname[0]], b.name.lengths[b.surname[0]])
        and compare_given_words(a, b) == NAME_COMPATIBLE
    )


cdef inline int compare_views(const NameView *a, const NameView *b) noexcept nogil:
    cdef int surnames = compare_surnames(a, b)
    if surnames == 2:
        return NAME_SIMILAR if are_spellings(a, b) else NAME_DIFFERENT
    return max(compare_given_words(a, b), NAME_SIMILAR if surnames else NAME_COMPATIBLE)


cdef inline bint same_words(const ParsedName *a, const ParsedName *b) noexcept nogil:
    """Return whether two names have the same words, in the same order if both have a comma."""
    cdef int i, j, used = 0
    if a.n_words != b.n_words:
        return False
    if a.n_surname and b.n_surname:
        return a.n_surname == b.n_surname and memcmp(a.words, b.words, sizeof(a.words)) == 0
    for i in range(a.n_words):
        for j in range(b.n_words):
            if not used >> j & 1 and same_word(a, i, b, j):
                used |= 1 << j
                break
        else:
            return False
    return True


cdef inline bint is_full(const ParsedName *name) noexcept nogil:
    """Return whether a name has more than a surname and initials."""
    cdef int i, words = 0
    if name.n_surname == 0:
        for i in range(name.n_words):
            words += name.lengths[i] > 1 and not name.marks[i] & IS_PARTICLE
        return words > 1 or name.marks[0] & HAS_DIGIT
    for i in range(name.n_surname, name.n_words):
        if name.lengths[i] > 2:
            return True
        # "Wu, Di" is not abbreviated.
        if name.lengths[i] == 2 and name.n_surname == 1 and name.lengths[0] <= 4:
            words += is_vowel(name.words[i][0]) or is_vowel(name.words[i][1])
    return words > 0


cdef inline bint have_slip(const ParsedName *a, const ParsedName *b) noexcept nogil:
    """Return whether two names differ by a slip at a word boundary: "Car lsen, Magnus".

    A slip inside a word is judged elsewhere, since a short word may be another name.
    """
    cdef uint8_t left[JOINED_LETTERS]
    cdef uint8_t right[JOINED_LETTERS]
    cdef int i, la, lb, result, first = 0, lengths = 0, initials = 0
    if not -2 <= a.n_letters - b.n_letters <= 2:
        return False
    if OCG_COUNT_BITS(a.all_letters ^ b.all_letters) > 4:
        return False                       # an edit changes the set by two
    for i in range(NAME_WORDS):
        lengths += a.lengths[i] != b.lengths[i]
        initials += a.lengths[i] == 1 or b.lengths[i] == 1
        initials += (a.marks[i] | b.marks[i]) & (HAS_DIGIT | IS_SYLLABIC) != 0
    if lengths < 2 and a.n_words == b.n_words:
        return False
    while True:
        la = append_words(a, 0, first, left, append_words(a, first, a.n_words, left, 0))
        lb = append_words(b, 0, b.n_words, right, 0)
        result = compare_letters(left, la, right, lb, 6, 12)
        if result == 0 or (result == 1 and initials == 0):
            return True
        # Without a comma, the surname may come last.
        if first or not a.n_surname or b.n_surname:
            return False
        first = a.n_surname


cdef inline bint is_reversed(const ParsedName *a, const ParsedName *b) noexcept nogil:
    """Return whether surname and given name of `a` and `b` are swapped."""
    cdef NameView left, right
    if a.n_surname == a.n_words or b.n_surname == b.n_words:
        return False
    put_view(a, a.n_surname, a.n_words, &left)
    put_view(b, 0, b.n_surname, &right)
    if a.lengths[left.surname[0]] < 3 or b.lengths[right.surname[0]] < 3:
        return False
    if compare_surnames(&left, &right) == 1:
        return (
            left.n_given == 1 and right.n_given == 1 and a.lengths[left.given[0]] > 3
            and same_word(a, left.given[0], b, right.given[0])
        )
    return compare_views(&left, &right) == NAME_COMPATIBLE


cdef inline bint is_comma_moved(const ParsedName *a, const ParsedName *b) noexcept nogil:
    """Return whether given names of `a` come before the comma in `b`: "Chua Zheng Yuan, T"."""
    cdef NameView left, right
    if a.n_surname >= b.n_surname or not same_word(a, a.n_surname, b, a.n_surname):
        return False
    put_view(a, 0, a.n_surname, &left)
    put_view(b, 0, a.n_surname, &right)
    return compare_views(&left, &right) == NAME_COMPATIBLE


cdef inline int best_of_views(const ParsedName *a, const ParsedName *b) noexcept nogil:
    cdef NameView left[4]
    cdef NameView right[4]
    cdef int left_count = views_of(a, left), right_count = views_of(b, right)
    cdef int best = NAME_DIFFERENT, i, j
    for i in range(left_count):
        for j in range(right_count):
            best = min(best, compare_views(&left[i], &right[j]))
            if best == NAME_COMPATIBLE:
                return best
    return best


cdef inline int name_relation(const ParsedName *a, const ParsedName *b) noexcept nogil:
    """Return the relation of two names; the order of the two does not matter."""
    cdef int code
    if a.is_unknown or b.is_unknown:
        return NAME_UNKNOWN
    if same_words(a, b):
        # If one name has a comma, it determines which words are given names.
        code = NAME_COMPATIBLE
        if (is_full(a) or (b.n_surname and not a.n_surname)) and (
            is_full(b) or (a.n_surname and not b.n_surname)
        ):
            code = NAME_EQUAL
    else:
        code = best_of_views(a, b)
        if code >= NAME_NAMESAKE and have_slip(a if a.n_surname else b, b if a.n_surname else a):
            code = NAME_SIMILAR
        if code >= NAME_NAMESAKE and a.n_surname and b.n_surname and (
            is_reversed(a, b) or is_reversed(b, a)
            or is_comma_moved(a, b) or is_comma_moved(b, a)
        ):
            code = NAME_SIMILAR
    if a.generation and b.generation and a.generation != b.generation:
        code = max(code, NAME_NAMESAKE)
    return code
