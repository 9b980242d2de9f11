"""The skeleton of a word, which is equal for common spellings of the same sounds.

A list has 200,000 words, and each passes some forty rules. For their reasons, see letters.py.
"""

from libc.string cimport strlen


cdef extern from "Python.h":
    object PyUnicode_FromKindAndData(int kind, const void *letters, Py_ssize_t size)

ctypedef struct Sound:
    const char *spelling
    const char *sound


# Applied in this order. A capital is a sound without a letter of its own: C as in "church", S as in
# "ship", T as in "tsar", Z as in "measure".
cdef Sound[34] SOUNDS = [
    Sound("schtsch", "S"), Sound("shch", "S"), Sound("stsch", "S"), Sound("szcz", "S"),
    Sound("dzh", "j"), Sound("dsch", "j"), Sound("tsch", "C"), Sound("tch", "C"),
    Sound("sch", "S"), Sound("sh", "S"), Sound("sz", "S"), Sound("cz", "C"), Sound("cs", "C"),
    Sound("ch", "C"), Sound("zh", "Z"), Sound("kh", "h"), Sound("ck", "k"), Sound("ph", "f"),
    Sound("th", "t"), Sound("dh", "d"), Sound("bh", "b"), Sound("gh", "g"), Sound("rh", "r"),
    Sound("tz", "T"), Sound("ts", "T"), Sound("x", "ks"), Sound("qu", "k"), Sound("q", "k"),
    Sound("w", "v"), Sound("ou", "u"), Sound("oo", "u"), Sound("ee", "i"), Sound("y", "i"),
    Sound("j", "i"),
]

# A word being changed. A rule writes to `others`; then the two are swapped.
ctypedef struct Letters:
    Py_UCS4 *letters
    Py_UCS4 *others
    Py_ssize_t count


cdef inline void _take_others(Letters *word, Py_ssize_t count) noexcept nogil:
    word.letters, word.others = word.others, word.letters
    word.count = count


cdef inline bint _is_in(Py_UCS4 letter, const char *letters) noexcept nogil:
    while letters[0]:
        if <Py_UCS4> letters[0] == letter:
            return True
        letters += 1
    return False


cdef inline Py_UCS4 _at(const Letters *word, Py_ssize_t index) noexcept nogil:
    """Return a letter; 0 beyond the ends."""
    return word.letters[index] if 0 <= index < word.count else 0


cdef bint _occurs_at(const Letters *word, Py_ssize_t index, const char *text) noexcept nogil:
    while text[0]:
        if _at(word, index) != <Py_UCS4> text[0]:
            return False
        text += 1
        index += 1
    return True


cdef bint _ends_with(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index = word.count - <Py_ssize_t> strlen(text)
    return index >= 0 and _occurs_at(word, index, text)


cdef bint _has(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == <Py_UCS4> text[0] and _occurs_at(word, index, text):
            return True
    return False


cdef void _replace(Letters *word, const char *spelling, const char *sound) noexcept nogil:
    cdef Py_ssize_t index = 0, count = 0, length = <Py_ssize_t> strlen(spelling), i
    if not _has(word, spelling):
        return
    while index < word.count:
        if _occurs_at(word, index, spelling):
            i = 0
            while sound[i]:
                word.others[count] = <Py_UCS4> sound[i]
                count += 1
                i += 1
            index += length
        else:
            word.others[count] = word.letters[index]
            count += 1
            index += 1
    _take_others(word, count)


cdef void _once(Letters *word) noexcept nogil:
    """Make doubled letters single."""
    cdef Py_ssize_t index, count = 0
    for index in range(word.count):
        if index == 0 or word.letters[index] != word.letters[index - 1]:
            word.letters[count] = word.letters[index]
            count += 1
    word.count = count


cdef void _level_german(Letters *word) noexcept nogil:
    """Normalize a Russian name in German letters, where "ch" is the sound of "loch"."""
    cdef Py_ssize_t index = 0, count = 0
    if not _has(word, "ch"):
        return
    if not (
        _has(word, "tsch") or _ends_with(word, "ow") or _ends_with(word, "ew")
        or _ends_with(word, "owa") or _ends_with(word, "ewa")
    ):
        return
    _replace(word, "schtsch", "S")
    _replace(word, "tsch", "C")
    _replace(word, "sch", "S")
    while index < word.count:
        word.others[count] = word.letters[index]
        if (
            index
            and _occurs_at(word, index, "ch")
            and _is_in(word.letters[index - 1], "aeiouy")
            and not _is_in(_at(word, index + 2), "ck")
        ):
            word.others[count] = c"h"
            index += 1
        count += 1
        index += 1
    _take_others(word, count)


cdef void _drop_second(
    Letters *word, const char *first, Py_UCS4 second, const char *following, bint is_in_following
) noexcept nogil:
    """Drop the second of two letters if one of `following` comes after them, or if it is empty."""
    cdef Py_ssize_t index = 0, count = 0
    while index < word.count:
        word.others[count] = word.letters[index]
        count += 1
        if (
            _at(word, index + 1) == second
            and _is_in(word.letters[index], first)
            and _is_in(_at(word, index + 2), following) == is_in_following
        ):
            index += 1
        index += 1
    _take_others(word, count)


cdef void _level_end(Letters *word) noexcept nogil:
    """Replace -off and -eff by -ov and -ev."""
    cdef Py_ssize_t count = word.count
    while count and word.letters[count - 1] == c"f":
        count -= 1
    if 0 < count < word.count and _is_in(word.letters[count - 1], "oe"):
        word.letters[count] = c"v"
        word.count = count + 1


cdef void _harden(Letters *word) noexcept nogil:
    """Replace "c" by "k" where it sounds so."""
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == c"c" and not _is_in(_at(word, index + 1), "eiyj"):
            word.letters[index] = c"k"


cdef void _level(Letters *word) noexcept nogil:
    cdef int i
    _level_german(word)
    # Not in Isaev and Guliev, where the letters are two sounds.
    _drop_second(word, "aou", c"e", "vwf", False)
    for i in range(34):
        _replace(word, SOUNDS[i].spelling, SOUNDS[i].sound)
    _level_end(word)
    _harden(word)
    _once(word)
    _drop_second(word, "aeou", c"i", "aeou", True)
    _replace(word, "ie", "e")
    _once(word)


def skeleton(str word not None) -> str:
    """Return a key that is equal for common transliterations of a lower-case word."""
    cdef Letters letters
    cdef Py_ssize_t size = len(word), index
    # "x" becomes two letters.
    cdef Py_UCS4 *block = <Py_UCS4 *> allocate(4 * (size + 1), sizeof(Py_UCS4))
    cdef Py_UCS4 letter
    letters.letters = block
    letters.others = block + 2 * (size + 1)
    letters.count = size
    index = 0
    for letter in word:
        block[index] = letter
        index += 1
    try:
        with nogil:
            _level(&letters)
        return PyUnicode_FromKindAndData(4, letters.letters, letters.count)
    finally:
        free(block)
