"""Double Metaphone: a primary and a secondary code for the sounds of a word.

The rules are those of L. Philips, C/C++ Users Journal, June 2000, as abydos has them, with its
deviations. Codes are those of `abydos.phonetic.DoubleMetaphone().encode()` for words of the letters
a to z; other letters have no sound.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memcpy, memset, strlen

cdef enum:
    METAPHONE_LETTERS = 64     # of a word
    METAPHONE_PADDING = 8      # blanks after the word, which rules look at
    METAPHONE_CODE = 2 * METAPHONE_LETTERS + 4     # letters of a code

# A word, and its codes so far.
ctypedef struct Metaphone:
    uint8_t word[METAPHONE_LETTERS + METAPHONE_PADDING]
    int length, last
    bint is_slavo_germanic     # has w, k or cz
    char primary[METAPHONE_CODE]
    char secondary[METAPHONE_CODE]
    int primary_length, secondary_length


cdef inline bint is_at(const Metaphone *m, int place, const char *text) noexcept nogil:
    return place >= 0 and memcmp(m.word + place, text, strlen(text)) == 0


cdef inline bint any_at(
    const Metaphone *m, int place, int size, const char *texts
) noexcept nogil:
    """Return whether one of the texts, all of this size, is at a place."""
    if place < 0:
        return False
    while texts[0]:
        if memcmp(m.word + place, texts, size) == 0:
            return True
        texts += size
    return False


cdef inline bint is_vowel_at(const Metaphone *m, int place) noexcept nogil:
    return any_at(m, place, 1, "aeiouy")


cdef inline void add_sounds(
    Metaphone *m, const char *primary, const char *secondary
) noexcept nogil:
    cdef int size = <int>strlen(primary), other_size = <int>strlen(secondary)
    memcpy(m.primary + m.primary_length, primary, size)
    memcpy(m.secondary + m.secondary_length, secondary, other_size)
    m.primary_length += size
    m.secondary_length += other_size


cdef inline void add_sound(Metaphone *m, const char *sound) noexcept nogil:
    add_sounds(m, sound, sound)


cdef inline int single_or_double(const Metaphone *m, int at) noexcept nogil:
    """Return how many letters to take: both of a doubled letter."""
    return 2 if m.word[at + 1] == m.word[at] else 1


cdef inline bint begins_germanic(const Metaphone *m) noexcept nogil:
    return any_at(m, 0, 4, "van von ") or is_at(m, 0, "sch")


# --- one letter each: add its sounds, return how many letters it takes ----------------------------

cdef inline bint is_hard_ch(const Metaphone *m, int at) noexcept nogil:
    """Return whether "ch" is Germanic or Greek, with the sound of "k"."""
    return (
        begins_germanic(m)
        or any_at(m, at - 2, 6, "orchesarchitorchid")  # architect, but not arch
        or any_at(m, at + 2, 1, "ts")
        # wachtler, wechsler, but not tichner
        or ((at == 0 or any_at(m, at - 1, 1, "aoue")) and any_at(m, at + 2, 1, "lrnmbhfvw "))
    )


cdef inline int take_ch(Metaphone *m, int at) noexcept nogil:
    if at > 0 and is_at(m, at, "chae"):    # michael
        add_sounds(m, "K", "X")
    elif at == 0 and not is_at(m, 0, "chore") and (  # Greek: chemistry, chorus
        any_at(m, 1, 5, "haracharis") or any_at(m, 1, 3, "horhymhiahem")
    ):
        add_sound(m, "K")
    elif is_hard_ch(m, at):
        add_sound(m, "K")
    elif at == 0:
        add_sound(m, "X")
    elif is_at(m, 0, "mc"):                # McHugh
        add_sound(m, "K")
    else:
        add_sounds(m, "X", "K")
    return 2


cdef inline int take_cc(Metaphone *m, int at) noexcept nogil:
    if not any_at(m, at + 2, 1, "ieh") or is_at(m, at + 2, "hu"):
        add_sound(m, "K")                  # bacchus
        return 2
    if (at == 1 and m.word[0] == c"a") or any_at(m, at - 1, 5, "ucceeucces"):
        add_sound(m, "KS")                 # accident, succeed
    else:
        add_sound(m, "X")                  # bellocchio, bertucci
    return 3


cdef inline bint is_german_ach(const Metaphone *m, int at) noexcept nogil:
    return (
        at > 1 and not is_vowel_at(m, at - 2) and is_at(m, at - 1, "ach")
        and m.word[at + 2] != c"i"
        and (m.word[at + 2] != c"e" or any_at(m, at - 2, 6, "bachermacher"))
    )


cdef inline int take_c(Metaphone *m, int at) noexcept nogil:
    if is_german_ach(m, at) or is_at(m, at, "chia"):
        add_sound(m, "K")
        return 2
    if at == 0 and is_at(m, at, "caesar"):
        add_sound(m, "S")
        return 2
    if is_at(m, at, "ch"):
        return take_ch(m, at)
    if is_at(m, at, "cz") and not is_at(m, at - 2, "wicz"):
        add_sounds(m, "S", "X")            # czerny
        return 2
    if is_at(m, at + 1, "cia"):            # focaccia
        add_sound(m, "X")
        return 3
    if is_at(m, at, "cc") and not (at == 1 and m.word[0] == c"m"):
        return take_cc(m, at)
    if any_at(m, at, 2, "ckcgcq"):
        add_sound(m, "K")
        return 2
    if any_at(m, at, 2, "cicecy"):
        add_sounds(m, "S", "X" if any_at(m, at, 3, "ciociecia") else "S")
        return 2
    add_sound(m, "K")
    if any_at(m, at + 1, 1, "ckq") and not any_at(m, at + 1, 2, "ceci"):
        return 2
    return 1


cdef inline int take_d(Metaphone *m, int at) noexcept nogil:
    if is_at(m, at, "dg"):
        if any_at(m, at + 2, 1, "iey"):    # edge
            add_sound(m, "J")
            return 3
        add_sound(m, "TK")                 # edgar
        return 2
    add_sound(m, "T")
    return 2 if any_at(m, at, 2, "dtdd") else 1


cdef inline int take_gh(Metaphone *m, int at) noexcept nogil:
    if at > 0 and not is_vowel_at(m, at - 1):
        add_sound(m, "K")
    elif at == 0:
        add_sound(m, "J" if m.word[2] == c"i" else "K")
    elif (
        (at > 1 and any_at(m, at - 2, 1, "bhd"))       # hugh
        or (at > 2 and any_at(m, at - 3, 1, "bhd"))    # bough
        or (at > 3 and any_at(m, at - 4, 1, "bh"))     # broughton
    ):
        pass
    elif at > 2 and m.word[at - 1] == c"u" and any_at(m, at - 3, 1, "cglrt"):
        add_sound(m, "F")                  # laugh, McLaughlin, cough, rough
    elif m.word[at - 1] != c"i":
        add_sound(m, "K")
    return 2


cdef inline int take_gn(Metaphone *m, int at) noexcept nogil:
    if at == 1 and is_vowel_at(m, 0) and not m.is_slavo_germanic:
        add_sounds(m, "KN", "N")
    elif not is_at(m, at + 2, "ey") and not m.is_slavo_germanic:   # not cagney
        add_sounds(m, "N", "KN")
    else:
        add_sound(m, "KN")
    return 2


cdef inline int take_g(Metaphone *m, int at) noexcept nogil:
    if m.word[at + 1] == c"h":
        return take_gh(m, at)
    if m.word[at + 1] == c"n":
        return take_gn(m, at)
    if is_at(m, at + 1, "li") and not m.is_slavo_germanic:     # tagliaro
        add_sounds(m, "KL", "L")
        return 2
    if at == 0 and (m.word[1] == c"y" or any_at(m, 1, 2, "esepebeleyibilinieeier")):
        add_sounds(m, "K", "J")
        return 2
    if (
        (is_at(m, at + 1, "er") or m.word[at + 1] == c"y")
        and not any_at(m, 0, 6, "dangerrangermanger")
        and not any_at(m, at - 1, 1, "ei") and not any_at(m, at - 1, 3, "rgyogy")
    ):
        add_sounds(m, "K", "J")
        return 2
    if any_at(m, at + 1, 1, "eiy") or any_at(m, at - 1, 4, "aggioggi"):    # biaggi
        if begins_germanic(m) or is_at(m, at + 1, "et"):
            add_sound(m, "K")
        else:
            add_sounds(m, "J", "J" if is_at(m, at + 1, "ier ") else "K")
        return 2
    add_sound(m, "K")
    return single_or_double(m, at)


cdef inline int take_h(Metaphone *m, int at) noexcept nogil:
    """Keep an h at the start and before a vowel, or between vowels."""
    if (at == 0 or is_vowel_at(m, at - 1)) and is_vowel_at(m, at + 1):
        add_sound(m, "H")
        return 2
    return 1


cdef inline int take_j(Metaphone *m, int at) noexcept nogil:
    if is_at(m, at, "jose"):               # Spanish
        add_sounds(m, "H" if at == 0 and m.word[4] == c" " else "J", "H")
        return 1
    if at == 0:
        add_sounds(m, "J", "A")            # Yankelovich, Jankelowicz
    elif is_vowel_at(m, at - 1) and not m.is_slavo_germanic and any_at(m, at + 1, 1, "ao"):
        add_sounds(m, "J", "H")            # bajador
    elif at == m.last:
        add_sounds(m, "J", "")
    elif not any_at(m, at + 1, 1, "ltksnmbz") and not any_at(m, at - 1, 1, "skl"):
        add_sound(m, "J")
    return single_or_double(m, at)


cdef inline int take_l(Metaphone *m, int at) noexcept nogil:
    cdef bint is_spanish = m.word[at + 1] == c"l" and (  # cabrillo, gallegos
        (at == m.length - 3 and any_at(m, at - 1, 4, "illoillaalle"))
        or (
            (any_at(m, m.last - 1, 2, "asos") or any_at(m, m.last, 1, "ao"))
            and is_at(m, at - 1, "alle")
        )
    )
    add_sounds(m, "L", "" if is_spanish else "L")
    return single_or_double(m, at)


cdef inline int take_m(Metaphone *m, int at) noexcept nogil:
    add_sound(m, "M")
    if is_at(m, at - 1, "umb") and (at + 1 == m.last or is_at(m, at + 2, "er")):
        return 2                           # dumb, thumb
    return single_or_double(m, at)


cdef inline int take_p(Metaphone *m, int at) noexcept nogil:
    if m.word[at + 1] == c"h":
        add_sound(m, "F")
        return 2
    add_sound(m, "P")
    return 2 if any_at(m, at + 1, 1, "pb") else 1      # campbell, raspberry


cdef inline int take_r(Metaphone *m, int at) noexcept nogil:
    cdef bint is_french = (                # rogier, but not hochmeier
        at == m.last and not m.is_slavo_germanic and is_at(m, at - 2, "ie")
        and not any_at(m, at - 4, 2, "mema")
    )
    add_sounds(m, "" if is_french else "R", "R")
    return single_or_double(m, at)


cdef inline int take_sc(Metaphone *m, int at) noexcept nogil:
    if m.word[at + 2] == c"h":
        if any_at(m, at + 3, 2, "eren"):   # schermerhorn, schenker
            add_sounds(m, "X", "SK")
        elif any_at(m, at + 3, 2, "oouyedem"):         # Dutch: school, schooner
            add_sound(m, "SK")
        elif at == 0 and not is_vowel_at(m, 3) and m.word[3] != c"w":
            add_sounds(m, "X", "S")
        else:
            add_sound(m, "X")
    elif any_at(m, at + 2, 1, "iey"):
        add_sound(m, "S")
    else:
        add_sound(m, "SK")
    return 3


cdef inline int take_s(Metaphone *m, int at) noexcept nogil:
    if any_at(m, at - 1, 3, "islysl"):     # island, carlisle
        return 1
    if at == 0 and is_at(m, at, "sugar"):
        add_sounds(m, "X", "S")
        return 1
    if is_at(m, at, "sh"):
        add_sound(m, "S" if any_at(m, at + 1, 4, "heimhoekholmholz") else "X")
        return 2
    if any_at(m, at, 3, "siosia"):         # Italian and Armenian
        add_sounds(m, "S", "S" if m.is_slavo_germanic else "X")
        return 3
    if m.word[at + 1] == c"z":
        add_sounds(m, "S", "X")
        return 2
    if at == 0 and any_at(m, 1, 1, "mnlw"):            # smith and schmidt
        add_sounds(m, "S", "X")
        return 1
    if is_at(m, at, "sc"):
        return take_sc(m, at)
    if at == m.last and any_at(m, at - 2, 2, "aioi"):  # resnais, artois
        add_sounds(m, "", "S")
    else:
        add_sound(m, "S")
    return single_or_double(m, at)


cdef inline int take_t(Metaphone *m, int at) noexcept nogil:
    if is_at(m, at, "tion") or any_at(m, at, 3, "tiatch"):
        add_sound(m, "X")
        return 3
    if is_at(m, at, "th") or is_at(m, at, "tth"):
        if any_at(m, at + 2, 2, "omam") or begins_germanic(m):
            add_sound(m, "T")              # thomas, thames
        else:
            add_sounds(m, "0", "T")
        return 2
    add_sound(m, "T")
    return 2 if any_at(m, at + 1, 1, "td") else 1


cdef inline int take_w(Metaphone *m, int at) noexcept nogil:
    if is_at(m, at, "wr"):
        add_sound(m, "R")
        return 2
    if at == 0 and is_vowel_at(m, 1):      # Wasserman, Vasserman
        add_sounds(m, "A", "F")
    elif at == 0 and m.word[1] == c"h":
        add_sound(m, "A")
    if (
        (at == m.last and is_vowel_at(m, at - 1))      # Arnow, Arnoff
        or any_at(m, at - 1, 5, "ewskiewskyowskiowsky") or is_at(m, 0, "sch")
    ):
        add_sounds(m, "", "F")
        return 1
    if any_at(m, at, 4, "wiczwitz"):       # filipowicz
        add_sounds(m, "TS", "FX")
        return 4
    return 1


cdef inline int take_x(Metaphone *m, int at) noexcept nogil:
    if not (                               # breaux
        at == m.last and (any_at(m, at - 3, 3, "iaueau") or any_at(m, at - 2, 2, "auou"))
    ):
        add_sound(m, "KS")
    return 2 if any_at(m, at + 1, 1, "cx") else 1


cdef inline int take_z(Metaphone *m, int at) noexcept nogil:
    if m.word[at + 1] == c"h":             # zhao
        add_sound(m, "J")
        return 2
    if any_at(m, at + 1, 2, "zoziza") or (
        m.is_slavo_germanic and at > 0 and m.word[at - 1] != c"t"
    ):
        add_sounds(m, "S", "TS")
    else:
        add_sound(m, "S")
    return single_or_double(m, at)


cdef inline int take_letter(Metaphone *m, int at) noexcept nogil:
    """Add the sounds of the letters at a place; return how many letters they are."""
    cdef uint8_t letter = m.word[at]
    if is_vowel_at(m, at):
        if at == 0:
            add_sound(m, "A")
        return 1
    if letter == c"b":
        add_sound(m, "P")
    elif letter == c"c":
        return take_c(m, at)
    elif letter == c"d":
        return take_d(m, at)
    elif letter == c"f" or letter == c"v":
        add_sound(m, "F")
    elif letter == c"g":
        return take_g(m, at)
    elif letter == c"h":
        return take_h(m, at)
    elif letter == c"j":
        return take_j(m, at)
    elif letter == c"k" or letter == c"q":
        add_sound(m, "K")
    elif letter == c"l":
        return take_l(m, at)
    elif letter == c"m":
        return take_m(m, at)
    elif letter == c"n":
        add_sound(m, "N")
    elif letter == c"p":
        return take_p(m, at)
    elif letter == c"r":
        return take_r(m, at)
    elif letter == c"s":
        return take_s(m, at)
    elif letter == c"t":
        return take_t(m, at)
    elif letter == c"w":
        return take_w(m, at)
    elif letter == c"x":
        return take_x(m, at)
    elif letter == c"z":
        return take_z(m, at)
    else:
        return 1
    return single_or_double(m, at)


cdef inline bint has_slavo_germanic_letter(const Metaphone *m) noexcept nogil:
    cdef int i
    for i in range(m.length):
        if m.word[i] == c"w" or m.word[i] == c"k" or is_at(m, i, "cz"):
            return True
    return False


cdef inline void double_metaphone(
    const uint8_t *word, Py_ssize_t length, Metaphone *m
) noexcept nogil:
    """Set the codes of a word. Equal codes are one: the caller compares them."""
    cdef int at = 0
    m.length = <int>min(length, METAPHONE_LETTERS)
    m.last = m.length - 1
    memcpy(m.word, word, m.length)
    memset(m.word + m.length, b" ", METAPHONE_PADDING)
    m.primary_length = m.secondary_length = 0
    m.is_slavo_germanic = has_slavo_germanic_letter(m)
    if any_at(m, 0, 2, "gnknpnwrps"):      # silent at the start
        at = 1
    if m.word[0] == c"x":                  # Xavier
        add_sound(m, "S")
        at = 1
    while at < m.length:
        at += take_letter(m, at)
