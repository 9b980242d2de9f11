"""Daitch-Mokotoff soundex: up to six digits for a name, by every branch.

The rules are those of G. Mokotoff, https://www.avotaynu.com/soundex.htm, as abydos has them. Codes
are those of `abydos.phonetic.DaitchMokotoff().encode()`. Letters other than a to z are left out.
"""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from *:
    """
    #include "compiler.h"
    /* Digits of the letters at the start of a word, before a vowel, and elsewhere. "|" separates
       two codes of the same letters; "_" is no digit, but keeps equal digits apart. Sorted by first
       letter, then by length: the longest rule that matches is used. */
    typedef struct { const char *letters, *digits[3]; } ocg_daitch;
    static const ocg_daitch OCG_DAITCH[] = {
        {"ai", "0", "1", "_"}, {"aj", "0", "1", "_"}, {"au", "0", "7", "_"}, {"ay", "0", "1", "_"},
        {"a", "0", "_", "_"}, {"b", "7", "7", "7"}, {"chs", "5", "54", "54"},
        {"csz", "4", "4", "4"}, {"czs", "4", "4", "4"}, {"ch", "5|4", "5|4", "5|4"},
        {"ck", "5|45", "5|45", "5|45"}, {"cs", "4", "4", "4"}, {"cz", "4", "4", "4"},
        {"c", "5|4", "5|4", "5|4"}, {"drs", "4", "4", "4"}, {"drz", "4", "4", "4"},
        {"dsh", "4", "4", "4"}, {"dsz", "4", "4", "4"}, {"dzh", "4", "4", "4"},
        {"dzs", "4", "4", "4"}, {"ds", "4", "4", "4"}, {"dt", "3", "3", "3"},
        {"dz", "4", "4", "4"}, {"d", "3", "3", "3"}, {"ei", "0", "1", "_"}, {"ej", "0", "1", "_"},
        {"eu", "1", "1", "_"}, {"ey", "0", "1", "_"}, {"e", "0", "_", "_"}, {"fb", "7", "7", "7"},
        {"f", "7", "7", "7"}, {"g", "5", "5", "5"}, {"h", "5", "5", "_"}, {"ia", "1", "_", "_"},
        {"ie", "1", "_", "_"}, {"io", "1", "_", "_"}, {"iu", "1", "_", "_"}, {"i", "0", "_", "_"},
        {"j", "1|4", "_|4", "_|4"}, {"kh", "5", "5", "5"}, {"ks", "5", "54", "54"},
        {"k", "5", "5", "5"}, {"l", "8", "8", "8"}, {"mn", "6_6", "6_6", "6_6"},
        {"m", "6", "6", "6"}, {"nm", "6_6", "6_6", "6_6"}, {"n", "6", "6", "6"},
        {"oi", "0", "1", "_"}, {"oj", "0", "1", "_"}, {"oy", "0", "1", "_"}, {"o", "0", "_", "_"},
        {"pf", "7", "7", "7"}, {"ph", "7", "7", "7"}, {"p", "7", "7", "7"}, {"q", "5", "5", "5"},
        {"rs", "94|4", "94|4", "94|4"}, {"rz", "94|4", "94|4", "94|4"}, {"r", "9", "9", "9"},
        {"schtsch", "2", "4", "4"}, {"schtch", "2", "4", "4"}, {"schtsh", "2", "4", "4"},
        {"shtch", "2", "4", "4"}, {"shtsh", "2", "4", "4"}, {"stsch", "2", "4", "4"},
        {"schd", "2", "43", "43"}, {"scht", "2", "43", "43"}, {"shch", "2", "4", "4"},
        {"stch", "2", "4", "4"}, {"strs", "2", "4", "4"}, {"strz", "2", "4", "4"},
        {"stsh", "2", "4", "4"}, {"szcs", "2", "4", "4"}, {"szcz", "2", "4", "4"},
        {"sch", "4", "4", "4"}, {"shd", "2", "43", "43"}, {"sht", "2", "43", "43"},
        {"szd", "2", "43", "43"}, {"szt", "2", "43", "43"}, {"sc", "2", "4", "4"},
        {"sd", "2", "43", "43"}, {"sh", "4", "4", "4"}, {"st", "2", "43", "43"},
        {"sz", "4", "4", "4"}, {"s", "4", "4", "4"}, {"ttsch", "4", "4", "4"},
        {"tsch", "4", "4", "4"}, {"ttch", "4", "4", "4"}, {"ttsz", "4", "4", "4"},
        {"tch", "4", "4", "4"}, {"ths", "4", "4", "4"}, {"trs", "4", "4", "4"},
        {"trz", "4", "4", "4"}, {"tsh", "4", "4", "4"}, {"tsz", "4", "4", "4"},
        {"tts", "4", "4", "4"}, {"ttz", "4", "4", "4"}, {"tzs", "4", "4", "4"},
        {"tc", "4", "4", "4"}, {"th", "3", "3", "3"}, {"ts", "4", "4", "4"}, {"tz", "4", "4", "4"},
        {"t", "3", "3", "3"}, {"ue", "0", "_", "_"}, {"ui", "0", "1", "_"}, {"uj", "0", "1", "_"},
        {"uy", "0", "1", "_"}, {"u", "0", "_", "_"}, {"v", "7", "7", "7"}, {"w", "7", "7", "7"},
        {"x", "5", "54", "54"}, {"y", "1", "_", "_"}, {"zhdzh", "2", "4", "4"},
        {"zdzh", "2", "4", "4"}, {"zsch", "4", "4", "4"}, {"zdz", "2", "4", "4"},
        {"zhd", "2", "43", "43"}, {"zsh", "4", "4", "4"}, {"zd", "2", "43", "43"},
        {"zh", "4", "4", "4"}, {"zs", "4", "4", "4"}, {"z", "4", "4", "4"},
    };
    enum { OCG_DAITCH_COUNT = sizeof OCG_DAITCH / sizeof OCG_DAITCH[0] };
    static uint8_t OCG_FIRST_DAITCH[256];      /* rule by first letter */
    OCG_AT_LOAD(ocg_index_daitch) {
        for (int i = OCG_DAITCH_COUNT - 1; i >= 0; i--)
            OCG_FIRST_DAITCH[(uint8_t)OCG_DAITCH[i].letters[0]] = (uint8_t)i;
    }
    """
    ctypedef struct ocg_daitch:
        const char *letters
        const char *digits[3]
    const ocg_daitch OCG_DAITCH[1]
    uint8_t OCG_FIRST_DAITCH[256]

cdef enum:
    DAITCH_DIGITS = 6
    DAITCH_LETTERS = 64
    DAITCH_CODES = 1024        # branches of a word that are kept; names have a few
    DIGIT_BITS = 4
    COUNT_SHIFT = 24           # of a branch: digits, their number, the last digit or "_"
    LAST_SHIFT = 27
    ALL_DIGITS = (1 << COUNT_SHIFT) - 1
    NO_DIGIT = 15
    SEPARATOR = 10


cdef inline bint is_daitch_vowel(uint8_t letter) noexcept nogil:
    return (
        letter == c"a" or letter == c"e" or letter == c"i" or letter == c"j" or letter == c"o"
        or letter == c"u" or letter == c"y"
    )


cdef inline const ocg_daitch *daitch_rule(
    const uint8_t *word, Py_ssize_t left, Py_ssize_t *length
) noexcept nogil:
    """Return the rule of the letters at a place with `left` letters, all from a to z."""
    cdef const ocg_daitch *rule = &OCG_DAITCH[OCG_FIRST_DAITCH[word[0]]]
    cdef Py_ssize_t i
    while True:                    # the last rule of a letter is the letter itself
        i = 1
        while rule.letters[i] and i < left and word[i] == <uint8_t>rule.letters[i]:
            i += 1
        if not rule.letters[i]:
            length[0] = i
            return rule
        rule += 1


cdef inline uint32_t branch_with(uint32_t branch, const char *digits) noexcept nogil:
    """Return a branch with more digits; of equal ones in a row the first counts."""
    cdef uint32_t count = branch >> COUNT_SHIFT & 7
    cdef uint32_t last = branch >> LAST_SHIFT
    cdef uint32_t value = branch & ALL_DIGITS
    cdef uint32_t digit
    while digits[0] and digits[0] != c"|" and count < DAITCH_DIGITS:
        digit = SEPARATOR if digits[0] == c"_" else <uint32_t>(digits[0] - c"0")
        if digit != last and digit != SEPARATOR:
            count += 1
            value |= digit << DIGIT_BITS * (DAITCH_DIGITS - count)
        last = digit
        digits += 1
    if count == DAITCH_DIGITS:
        last = 0                   # nothing follows
    return value | count << COUNT_SHIFT | last << LAST_SHIFT


cdef inline int add_branch(uint32_t *branches, int count, uint32_t branch) noexcept nogil:
    """Append a branch unless it is there or the list is full; return the number of branches."""
    cdef int i
    for i in range(count):
        if branches[i] == branch:
            return count
    if count < DAITCH_CODES:
        branches[count] = branch
        count += 1
    return count


cdef inline int take_digits(uint32_t *branches, int count, const char *digits) noexcept nogil:
    """Add digits to all branches; with two readings each becomes two. Return their number."""
    cdef uint32_t before[DAITCH_CODES]
    cdef const char *others = digits
    cdef int i, branched = 0
    while others[0] and others[0] != c"|":
        others += 1
    if not others[0]:
        for i in range(count):
            branches[i] = branch_with(branches[i], digits)
        return count
    for i in range(count):
        before[i] = branches[i]
    for i in range(count):
        branched = add_branch(branches, branched, branch_with(before[i], digits))
    for i in range(count):
        branched = add_branch(branches, branched, branch_with(before[i], others + 1))
    return branched


cdef inline int daitch_codes(
    const uint8_t *letters, Py_ssize_t size, uint32_t *codes
) noexcept nogil:
    """Write the codes, four bits a digit, the first digit highest; return their number.

    The codes, up to DAITCH_CODES, are in no order; a code may be repeated. Of a word the first
    DAITCH_LETTERS letters count.
    """
    cdef uint8_t word[DAITCH_LETTERS]
    cdef Py_ssize_t length = 0, at = 0, i, taken
    cdef const ocg_daitch *rule
    cdef int count = 1, where
    for i in range(size):
        if c"a" <= letters[i] <= c"z" and length < DAITCH_LETTERS:
            word[length] = letters[i]
            length += 1
    codes[0] = <uint32_t>NO_DIGIT << LAST_SHIFT
    while at < length:
        rule = daitch_rule(word + at, length - at, &taken)
        where = 0
        if at:
            where = 1 if at + taken < length and is_daitch_vowel(word[at + taken]) else 2
        count = take_digits(codes, count, rule.digits[where])
        at += taken
    for i in range(count):
        codes[i] &= ALL_DIGITS
    return count
