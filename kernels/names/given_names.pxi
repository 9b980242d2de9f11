"""Given names and skeletons for Python: loads the table of given names, compares words.

See given_names.pxd for the comparison, name_skeleton.pxd for skeletons.
"""

from given_names cimport (
    IS_SHARED, LEVEL_BEGINNING, LEVEL_COGNATE, LEVEL_CUT, LEVEL_CUT_TO_ANOTHER,
    LEVEL_FULL_FOR_INITIAL, LEVEL_INITIAL_FOR_FULL, LEVEL_NONE, LEVEL_SAME, LEVEL_SLIP,
    LEVEL_SPELLING, LISTED_SKELETON_LETTERS, OCG_BEGINNINGS, GivenName, GivenTable, GivenWord,
    OtherLetters, given_level, given_relation, has_skeleton, letter_bit, ocg_initial_class,
    read_given, spelling_of, stem_length,
)
from name_skeleton cimport Letters, take_skeleton, take_slavic_skeleton
from word_store cimport add_word, close_words, find_word, open_words

cdef extern from "Python.h":
    object PyUnicode_FromKindAndData(int kind, const void *letters, Py_ssize_t size)

# Numbers of levels, by name.
GIVEN_LEVELS = {
    "SAME": LEVEL_SAME, "SPELLING": LEVEL_SPELLING, "BEGINNING": LEVEL_BEGINNING,
    "COGNATE": LEVEL_COGNATE, "SLIP": LEVEL_SLIP, "CUT": LEVEL_CUT,
    "CUT_TO_ANOTHER": LEVEL_CUT_TO_ANOTHER, "INITIAL_FOR_FULL": LEVEL_INITIAL_FOR_FULL,
    "FULL_FOR_INITIAL": LEVEL_FULL_FOR_INITIAL,
}


cdef str changed_word(str word, bint is_slavic):
    cdef Letters letters
    cdef Py_ssize_t size = len(word), index = 0
    # "x" becomes two letters.
    cdef Py_UCS4 *block = <Py_UCS4 *>allocate(4 * (size + 1), sizeof(Py_UCS4))
    cdef Py_UCS4 letter
    letters.letters = block
    letters.others = block + 2 * (size + 1)
    letters.count = size
    for letter in word:
        block[index] = letter
        index += 1
    try:
        with nogil:
            if is_slavic:
                take_slavic_skeleton(&letters)
            else:
                take_skeleton(&letters)
        return PyUnicode_FromKindAndData(4, letters.letters, letters.count)
    finally:
        free(block)


def skeleton(str word not None):
    return changed_word(word, False)


def slavic_skeleton(str word not None):
    return changed_word(word, True)


def initial_class(str word not None):
    cdef str first = word[:1]
    return chr(ocg_initial_class(<uint8_t>ord(first))) if first and first.isascii() else first


def beginnings(str word not None):
    cdef str first = word[:1]
    if not "a" <= first <= "z":
        return first
    return OCG_BEGINNINGS[ord(first) - ord("a")].decode("ascii")


cdef class GivenNames:
    """The table of given names; see the stub."""

    cdef GivenTable table
    cdef uint32_t name_count, spelling_count, stem_count, form_count

    def __cinit__(self, list names not None, shared not None):
        cdef GivenTable *t = &self.table
        cdef uint32_t number
        open_words(&t.words)
        open_words(&t.skeletons)
        open_words(&t.stems)
        t.names = <GivenName *>allocate_zeros(len(names), sizeof(GivenName))
        t.spellings = <uint32_t *>allocate(sum(len(name[0]) for name in names), sizeof(uint32_t))
        t.stem_numbers = <uint32_t *>allocate(
            sum(len(name[0]) + len(name[2]) for name in names), sizeof(uint32_t)
        )
        t.forms = <uint32_t *>allocate(sum(len(name[3]) for name in names), sizeof(uint32_t))
        for spellings, sex, women, forms, is_short_form in names:
            if sex not in ("M", "F", ""):
                raise ValueError(f"sex of a given name: {sex!r} is not 'M', 'F' or ''")
            t.names[self.name_count].sex = <uint8_t>ord(sex) if sex else 0
            t.names[self.name_count].is_short_form = is_short_form
            self.put_spellings(spellings)
            self.put_stems(spellings + women)
            self.put_forms(sorted(forms))
            self.name_count += 1
        for word in shared:
            number = self.number_of(word)
            t.words.words[number].marks = IS_SHARED
        self.set_beginnings()

    def __dealloc__(self):
        close_words(&self.table.words)
        close_words(&self.table.skeletons)
        close_words(&self.table.stems)
        free(self.table.names)
        free(self.table.spellings)
        free(self.table.stem_numbers)
        free(self.table.forms)

    cdef uint32_t number_of(self, str word) except? 0xFFFFFFFF:
        cdef bytes text = word.encode("ascii")
        cdef uint32_t number = find_word(&self.table.words, text, len(text))
        if not number:
            raise ValueError(f"given name {word!r} is not in the table")
        return number - 1

    cdef int put_spellings(self, tuple spellings) except -1:
        cdef GivenTable *t = &self.table
        cdef GivenName *name = &t.names[self.name_count]
        cdef uint32_t number
        cdef bint is_new
        name.first_spelling, name.spellings = self.spelling_count, <uint32_t>len(spellings)
        for word in spellings:
            text = word.encode("ascii")
            if not text.isalpha() or not text.islower():
                raise ValueError(f"given name {word!r} has other letters than a to z")
            number = add_word(&t.words, text, len(text), &is_new) - 1
            if not is_new:
                raise ValueError(f"given name {word!r} is in the table twice")
            t.words.words[number].first = self.name_count + 1
            t.spellings[self.spelling_count] = number
            self.spelling_count += 1
            name.initials |= letter_bit(text[0])
            self.put_skeleton(text)
        if name.initials & (letter_bit(c"v") | letter_bit(c"w")):
            name.initials |= letter_bit(c"v") | letter_bit(c"w")

    cdef int put_skeleton(self, bytes text) except -1:
        """Find the name by the skeleton, too, unless another name has it."""
        cdef GivenTable *t = &self.table
        cdef GivenWord word
        cdef uint32_t number
        cdef bint is_new
        self.read(text, &word)
        if not has_skeleton(word.skeleton, word.skeleton_length, LISTED_SKELETON_LETTERS):
            return 0
        number = add_word(&t.skeletons, word.skeleton, word.skeleton_length, &is_new) - 1
        if is_new:
            t.skeletons.words[number].first = self.name_count + 1
        elif t.skeletons.words[number].first != self.name_count + 1:
            t.skeletons.words[number].first = 0

    cdef int put_stems(self, tuple words) except -1:
        """Store the stems of the words."""
        cdef GivenTable *t = &self.table
        cdef GivenWord word
        cdef int length
        cdef bint is_new
        numbers = set()
        for text in words:
            self.read(text.encode("ascii"), &word)
            length = stem_length(word.skeleton, word.skeleton_length)
            if length:
                numbers.add(add_word(&t.stems, word.skeleton, length, &is_new))
        t.names[self.name_count].first_stem = self.stem_count
        t.names[self.name_count].stems = <uint32_t>len(numbers)
        for number in sorted(numbers):
            t.stem_numbers[self.stem_count] = number
            self.stem_count += 1

    cdef int put_forms(self, list forms) except -1:
        self.table.names[self.name_count].first_form = self.form_count
        self.table.names[self.name_count].forms = <uint32_t>len(forms)
        for form in forms:
            self.table.forms[self.form_count] = form
            self.form_count += 1

    cdef int set_beginnings(self) except -1:
        """Set the first letters of all words related to each name, by its forms."""
        cdef GivenName *name
        cdef uint32_t i, k
        letters_of_form = {}
        for i in range(self.name_count):
            name = &self.table.names[i]
            for k in range(name.forms):
                form = self.table.forms[name.first_form + k]
                letters_of_form[form] = letters_of_form.get(form, 0) | name.initials
        for i in range(self.name_count):
            name = &self.table.names[i]
            name.beginnings = name.initials
            for k in range(name.forms):
                name.beginnings |= <uint32_t>letters_of_form[self.table.forms[name.first_form + k]]

    cdef int read(self, bytes text, GivenWord *word) except -1:
        cdef OtherLetters others
        others.count = 0
        read_given(&self.table, &others, text, len(text), word)

    cdef int read_two(self, str left, str right, GivenWord *words) except -1:
        cdef bytes text = left.encode("utf-8", "surrogatepass")
        cdef bytes other = right.encode("utf-8", "surrogatepass")
        cdef OtherLetters others
        others.count = 0
        read_given(&self.table, &others, text, len(text), &words[0])
        read_given(&self.table, &others, other, len(other), &words[1])

    def relation(self, str left not None, str right not None):
        cdef GivenWord words[2]
        self.read_two(left, right, words)
        return given_relation(&self.table, &words[0], &words[1])

    def level(self, str written not None, str listed not None):
        cdef GivenWord words[2]
        self.read_two(written, listed, words)
        return given_level(&self.table, &words[0], &words[1])

    def key(self, str word not None):
        cdef GivenWord given
        cdef const uint8_t *spelling
        cdef int length
        self.read(word.encode("utf-8", "surrogatepass"), &given)
        if not given.name:
            return word
        spelling = spelling_of(&self.table, &self.table.names[given.name - 1], 0, &length)
        return spelling[:length].decode("ascii")

    def sex_of(self, str word not None):
        cdef GivenWord given
        self.read(word.encode("utf-8", "surrogatepass"), &given)
        return chr(given.sex) if given.sex else ""

    def first_letters(self, str word not None):
        cdef GivenWord given
        self.read(word.encode("utf-8", "surrogatepass"), &given)
        return given.beginnings
