"""The skeleton of a word, which is equal for common spellings of the same sounds.

A list has 200,000 words, and forty rules apply to each word. letters.py gives their reasons.
"""

from libc.string cimport strlen

from word_store cimport next_character


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


cdef bint occurs_at(const Letters *word, Py_ssize_t index, const char *text) noexcept nogil:
    while text[0]:
        if letter_at(word, index) != <Py_UCS4>text[0]:
            return False
        text += 1
        index += 1
    return True


cdef bint ends_with(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index = word.count - <Py_ssize_t>strlen(text)
    return index >= 0 and occurs_at(word, index, text)


cdef bint has_text(const Letters *word, const char *text) noexcept nogil:
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == <Py_UCS4>text[0] and occurs_at(word, index, text):
            return True
    return False


cdef void replace_text(Letters *word, const char *spelling, const char *sound) noexcept nogil:
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


cdef void make_single(Letters *word) noexcept nogil:
    """Make doubled letters single."""
    cdef Py_ssize_t index, count = 0
    for index in range(word.count):
        if index == 0 or word.letters[index] != word.letters[index - 1]:
            word.letters[count] = word.letters[index]
            count += 1
    word.count = count


cdef void normalize_german(Letters *word) noexcept nogil:
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


cdef void drop_second(
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


cdef void normalize_end(Letters *word) noexcept nogil:
    """Replace -off and -eff by -ov and -ev."""
    cdef Py_ssize_t count = word.count
    while count and word.letters[count - 1] == c"f":
        count -= 1
    if 0 < count < word.count and is_in(word.letters[count - 1], "oe"):
        word.letters[count] = c"v"
        word.count = count + 1


cdef void harden_c(Letters *word) noexcept nogil:
    """Replace "c" by "k" where it sounds so."""
    cdef Py_ssize_t index
    for index in range(word.count):
        if word.letters[index] == c"c" and not is_in(letter_at(word, index + 1), "eiyj"):
            word.letters[index] = c"k"


cdef void normalize(Letters *word) noexcept nogil:
    cdef int i
    normalize_german(word)
    # Not in Isaev and Guliev, where the letters are two sounds.
    drop_second(word, "aou", c"e", "vwf", False)
    for i in range(34):
        replace_text(word, SOUNDS[i].spelling, SOUNDS[i].sound)
    normalize_end(word)
    harden_c(word)
    make_single(word)
    drop_second(word, "aeou", c"i", "aeou", True)
    replace_text(word, "ie", "e")
    make_single(word)


cdef size_t write_character(uint8_t *to, uint32_t character) noexcept nogil:
    """Write a character in UTF-8; return its length."""
    if character < 0x80:
        to[0] = <uint8_t>character
        return 1
    if character < 0x800:
        to[0] = <uint8_t>(0xC0 | character >> 6)
        to[1] = <uint8_t>(0x80 | (character & 0x3F))
        return 2
    if character < 0x10000:
        to[0] = <uint8_t>(0xE0 | character >> 12)
        to[1] = <uint8_t>(0x80 | (character >> 6 & 0x3F))
        to[2] = <uint8_t>(0x80 | (character & 0x3F))
        return 3
    to[0] = <uint8_t>(0xF0 | character >> 18)
    to[1] = <uint8_t>(0x80 | (character >> 12 & 0x3F))
    to[2] = <uint8_t>(0x80 | (character >> 6 & 0x3F))
    to[3] = <uint8_t>(0x80 | (character & 0x3F))
    return 4


cdef size_t write_skeleton(
    const uint8_t *text, size_t length, uint8_t *skeleton, Py_UCS4 *block
) noexcept nogil:
    """Write the skeleton of a word in UTF-8, up to twice as long; return its length.

    `block` has room for four times as many characters as the word has, and four more.
    """
    cdef Letters word
    cdef const uint8_t *end = text + length
    cdef size_t written = 0
    cdef Py_ssize_t index
    word.letters = block
    word.count = 0
    while text < end:
        block[word.count] = <Py_UCS4>next_character(&text, end)
        word.count += 1
    word.others = block + 2 * (word.count + 1)  # "x" becomes two letters
    normalize(&word)
    for index in range(word.count):
        written += write_character(skeleton + written, word.letters[index])
    return written


def skeleton(str word not None):
    cdef bytes raw = word.encode("utf-8", "surrogatepass")
    cdef size_t length = PyBytes_GET_SIZE(raw)
    cdef Py_UCS4 *block = <Py_UCS4 *>allocate(6 * (length + 1), sizeof(Py_UCS4))
    cdef uint8_t *letters = <uint8_t *>(block + 4 * (length + 1))
    try:
        length = write_skeleton(<const uint8_t *>PyBytes_AS_STRING(raw), length, letters, block)
        return letters[:length].decode("utf-8", "surrogatepass")
    finally:
        free(block)
