"""Skeletons of a word, which are equal for common spellings of the same sounds.

Of a surname or any name: take_skeleton(), whose reasons letters.py gives. Of a given name:
take_slavic_skeleton(), made for names from Cyrillic ("sergey", "sergej", "sergei"); it also unifies
common spellings of Indian and Arabic names ("karthik", "kartik"; "yousuf", "yusuf"). Vowels stay.
"""

from libc.stdint cimport uint32_t
from libc.string cimport strlen

cdef extern from *:
    """
    #include "compiler.h"

    typedef struct { const char *spelling, *sound; uint32_t letters; } ocg_sound;

    /* Applied in this order. A capital is a sound without a letter of its own: C as in "church", S
       as in "ship", T as in "tsar", Z as in "measure". */
    static ocg_sound OCG_SOUNDS[] = {
        {"schtsch", "S"}, {"shch", "S"}, {"stsch", "S"}, {"szcz", "S"}, {"dzh", "j"}, {"dsch", "j"},
        {"tsch", "C"}, {"tch", "C"}, {"sch", "S"}, {"sh", "S"}, {"sz", "S"}, {"cz", "C"},
        {"cs", "C"}, {"ch", "C"}, {"zh", "Z"}, {"kh", "h"}, {"ck", "k"}, {"ph", "f"}, {"th", "t"},
        {"dh", "d"}, {"bh", "b"}, {"gh", "g"}, {"rh", "r"}, {"tz", "T"}, {"ts", "T"}, {"x", "ks"},
        {"qu", "k"}, {"q", "k"}, {"w", "v"}, {"ou", "u"}, {"oo", "u"}, {"ee", "i"}, {"y", "i"},
        {"j", "i"},
    };
    /* Of given names. The order matters: long clusters first, single letters last. "*" is the sound
       of "ch", "<" that of "ts". */
    static ocg_sound OCG_SLAVIC[] = {
        {"tsch", "*"}, {"tch", "*"}, {"shch", "s"}, {"dzh", "j"}, {"dsch", "j"}, {"sch", "s"},
        {"ch", "*"}, {"cz", "*"}, {"ck", "k"}, {"sh", "s"}, {"sz", "s"}, {"zh", "z"}, {"kh", "h"},
        {"gh", "g"}, {"ph", "f"}, {"th", "t"}, {"tz", "c"}, {"ts", "c"}, {"ks", "x"}, {"q", "k"},
        {"w", "v"}, {"ee", "i"}, {"oo", "u"}, {"ou", "u"}, {"ue", "u"}, {"oe", "o"}, {"ae", "a"},
        {"ce", "<e"}, {"ci", "<i"}, {"c", "k"}, {"<", "c"}, {"y", "i"}, {"j", "i"},
    };
    enum {
        OCG_SOUND_COUNT = sizeof OCG_SOUNDS / sizeof OCG_SOUNDS[0],
        OCG_SLAVIC_COUNT = sizeof OCG_SLAVIC / sizeof OCG_SLAVIC[0]
    };
    /* The letters of a spelling, as bits. */
    static void ocg_set_letters(ocg_sound *sounds, int count) {
        for (int i = 0; i < count; i++)
            for (const char *letter = sounds[i].spelling; *letter; letter++)
                sounds[i].letters |= 1u << (*letter & 31);
    }
    OCG_AT_LOAD(ocg_set_letters_of_sounds) {
        ocg_set_letters(OCG_SOUNDS, OCG_SOUND_COUNT);
        ocg_set_letters(OCG_SLAVIC, OCG_SLAVIC_COUNT);
    }
    """
    ctypedef struct ocg_sound:
        const char *spelling
        const char *sound
        uint32_t letters
    const ocg_sound OCG_SOUNDS[1]
    const ocg_sound OCG_SLAVIC[1]
    enum:
        OCG_SOUND_COUNT, OCG_SLAVIC_COUNT

# A word being changed. A rule writes to `others`; then the two are swapped.
ctypedef struct Letters:
    Py_UCS4 *letters
    Py_UCS4 *others
    Py_ssize_t count


cdef inline void take_others(Letters *word, Py_ssize_t count) noexcept nogil:
    word.letters, word.others = word.others, word.letters
    word.count = count


cdef inline bint is_in(Py_UCS4 letter, const char *letters) noexcept nogil:
    while letters[0]:
        if <Py_UCS4>letters[0] == letter:
            return True
        letters += 1
    return False


cdef inline Py_UCS4 letter_at(const Letters *word, Py_ssize_t index) noexcept nogil:
    """Return a letter; 0 beyond the ends."""
    return word.letters[index] if 0 <= index < word.count else 0


cdef inline bint occurs_at(const Letters *word, Py_ssize_t index, const char *text) noexcept nogil:
    while text[0]:
        if letter_at(word, index) != <Py_UCS4>text[0]:
            return False
        text += 1
        index += 1
    return True


cdef inline bint ends_with(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index = word.count - <Py_ssize_t>strlen(text)
    return index >= 0 and occurs_at(word, index, text)


cdef inline bint has_text(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == <Py_UCS4>text[0] and occurs_at(word, index, text):
            return True
    return False


cdef inline void replace_text(
    Letters *word, const char *spelling, const char *sound
) noexcept nogil:
    cdef Py_ssize_t index = 0, count = 0, length = <Py_ssize_t>strlen(spelling), i
    if not has_text(word, spelling):
        return
    while index < word.count:
        if occurs_at(word, index, spelling):
            i = 0
            while sound[i]:
                word.others[count] = <Py_UCS4>sound[i]
                count += 1
                i += 1
            index += length
        else:
            word.others[count] = word.letters[index]
            count += 1
            index += 1
    take_others(word, count)


cdef inline void replace_sounds(Letters *word, const ocg_sound *sounds, int count) noexcept nogil:
    """Apply rules in their order; most have a letter that the word lacks."""
    cdef uint32_t letters = 0
    cdef Py_ssize_t index
    cdef const char *letter
    cdef int i
    for index in range(word.count):
        letters |= <uint32_t>1 << (<uint32_t>word.letters[index] & 31)
    for i in range(count):
        if sounds[i].letters & ~letters:
            continue
        replace_text(word, sounds[i].spelling, sounds[i].sound)
        letter = sounds[i].sound
        while letter[0]:
            letters |= <uint32_t>1 << (<uint32_t>letter[0] & 31)
            letter += 1


cdef inline void make_single(Letters *word) noexcept nogil:
    """Make doubled letters single."""
    cdef Py_ssize_t index, count = 0
    for index in range(word.count):
        if index == 0 or word.letters[index] != word.letters[index - 1]:
            word.letters[count] = word.letters[index]
            count += 1
    word.count = count


cdef inline void normalize_german(Letters *word) noexcept nogil:
    """Normalize a Russian name in German letters, where "ch" is the sound of "loch"."""
    cdef Py_ssize_t index = 0, count = 0
    if not has_text(word, "ch"):
        return
    if not (
        has_text(word, "tsch") or ends_with(word, "ow") or ends_with(word, "ew")
        or ends_with(word, "owa") or ends_with(word, "ewa")
    ):
        return
    replace_text(word, "schtsch", "S")
    replace_text(word, "tsch", "C")
    replace_text(word, "sch", "S")
    while index < word.count:
        word.others[count] = word.letters[index]
        if (
            index and occurs_at(word, index, "ch") and is_in(word.letters[index - 1], "aeiouy")
            and not is_in(letter_at(word, index + 2), "ck")
        ):
            word.others[count] = c"h"
            index += 1
        count += 1
        index += 1
    take_others(word, count)


cdef inline void drop_second(
    Letters *word, const char *first, Py_UCS4 second, const char *following, bint is_in_following
) noexcept nogil:
    """Drop the second of two letters if one of `following` comes after them, or if it is empty."""
    cdef Py_ssize_t index = 0, count = 0
    while index < word.count:
        word.others[count] = word.letters[index]
        count += 1
        if (
            letter_at(word, index + 1) == second and is_in(word.letters[index], first)
            and is_in(letter_at(word, index + 2), following) == is_in_following
        ):
            index += 1
        index += 1
    take_others(word, count)


cdef inline void normalize_end(Letters *word) noexcept nogil:
    """Replace -off and -eff by -ov and -ev."""
    cdef Py_ssize_t count = word.count
    while count and word.letters[count - 1] == c"f":
        count -= 1
    if 0 < count < word.count and is_in(word.letters[count - 1], "oe"):
        word.letters[count] = c"v"
        word.count = count + 1


cdef inline void harden_c(Letters *word) noexcept nogil:
    """Replace "c" by "k" where it sounds so."""
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == c"c" and not is_in(letter_at(word, index + 1), "eiyj"):
            word.letters[index] = c"k"


cdef inline void take_skeleton(Letters *word) noexcept nogil:
    """Replace a lower-case word by its skeleton, which has at most twice as many letters."""
    normalize_german(word)
    # Not in Isaev and Guliev, where the letters are two sounds.
    drop_second(word, "aou", c"e", "vwf", False)
    replace_sounds(word, OCG_SOUNDS, OCG_SOUND_COUNT)
    normalize_end(word)
    harden_c(word)
    make_single(word)
    drop_second(word, "aeou", c"i", "aeou", True)
    replace_text(word, "ie", "e")
    make_single(word)


cdef inline void take_slavic_skeleton(Letters *word) noexcept nogil:
    """Replace a lower-case word by its skeleton as a given name, which is never longer."""
    replace_sounds(word, OCG_SLAVIC, OCG_SLAVIC_COUNT)
    make_single(word)
    if occurs_at(word, 0, "ie"):
        word.letters += 1
        word.count -= 1
    if ends_with(word, "ah"):
        word.count -= 1
