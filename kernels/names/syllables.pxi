"""Languages of Chinese and Korean names for Python: loads the syllables and the surnames."""

from syllables cimport CHINESE, KOREAN, are_chinese_syllables, are_korean_syllables
from word_store cimport WordStore, add_word, close_words, find_word, open_words


cdef class SyllableTable:
    """Chinese syllables, and surnames with their languages: see the stub."""
    cdef WordStore syllables
    cdef GivenNames given
    cdef readonly dict surnames

    def __cinit__(self, syllables not None, dict surnames not None, GivenNames given not None):
        cdef bint is_new
        self.given = given
        self.surnames = surnames
        open_words(&self.syllables)
        for syllable in syllables:
            text = syllable.encode()
            add_word(&self.syllables, text, len(text), &is_new)

    def __dealloc__(self):
        close_words(&self.syllables)

    cdef int languages_of(self, const uint8_t *letters, size_t length) noexcept nogil:
        """Return the languages of whose syllables a given name is made, as bits."""
        if find_word(&self.given.table.words, letters, length) and not find_word(
            &self.syllables, letters, length
        ):
            return 0
        return CHINESE * are_chinese_syllables(
            &self.syllables, letters, length
        ) | KOREAN * are_korean_syllables(letters, length)

    def languages(self, str word not None):
        cdef bytes text = word.encode()
        return self.languages_of(text, len(text))


def has_korean_syllables(str letters not None):
    cdef bytes text = letters.encode()
    return bool(are_korean_syllables(text, len(text)))
