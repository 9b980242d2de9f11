"""Compiled phonetic rules: where one fits in a word, and which languages a word may be of.

Letters are numbers: those of a word are given out by who loads the rules, 0 for one that no rule
knows; those of a spelling are ASCII.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef enum:
    TEXT_BYTES = 8                 # of a pattern, or of one alternative of a rule
    CONTEXT_LETTERS = 3
    LANGUAGE_LETTERS = 8
    CLASS_BYTES = 32
    LETTERS = 256
    NOT_GUESSED = 1                # the language "any" of the rules

ctypedef struct Alternative:
    uint8_t text[TEXT_BYTES]
    uint32_t languages
    uint32_t length

ctypedef struct Rule:
    uint8_t pattern[TEXT_BYTES]
    uint16_t left[CONTEXT_LETTERS]      # letter classes, the nearest one first
    uint16_t right[CONTEXT_LETTERS]
    uint8_t length, left_count, right_count
    bint to_start, to_end          # the context must reach the start or end of the word
    bint bound                     # some alternative is bound to languages
    uint32_t first, count          # alternatives

ctypedef struct LanguageRule:
    uint16_t letters[LANGUAGE_LETTERS]
    uint8_t count
    bint at_start, at_end
    uint32_t keep                  # languages that a word with these letters may be of

ctypedef struct RuleList:
    uint16_t start[LETTERS + 1]    # of the rules whose pattern begins with a letter
    uint32_t growth                # letters of a spelling for one of the text, at most

ctypedef struct Table:
    uint8_t *classes
    Alternative *alternatives
    Rule *rules
    RuleList *lists                # for words by language, the common one, final ones by language
    LanguageRule *guesses
    uint16_t *guess_numbers
    uint32_t guess_start[LETTERS + 1]
    uint32_t crc[LETTERS]
    uint32_t languages             # how many
    uint32_t all_languages         # the bits of all of them, without "any"


cdef inline bint in_class(const Table *t, size_t number, uint8_t letter) noexcept nogil:
    return (t.classes[number * CLASS_BYTES + (letter >> 3)] >> (letter & 7)) & 1


cdef inline bint guess_fits(
    const Table *t, const LanguageRule *rule, const uint8_t *word, size_t length, size_t at
) noexcept nogil:
    """Tell if the rule's letters stand here; the first one is known to."""
    cdef size_t i
    if (rule.at_start and at != 0) or rule.count > length - at:
        return False
    if rule.at_end and at + rule.count != length:
        return False
    for i in range(1, rule.count):
        if not in_class(t, rule.letters[i], word[at + i]):
            return False
    return True


cdef inline uint32_t guess_languages(
    const Table *t, const uint8_t *word, size_t length
) noexcept nogil:
    cdef uint32_t left = t.all_languages
    cdef const LanguageRule *rule
    cdef size_t at, k
    for at in range(length):
        for k in range(t.guess_start[word[at]], t.guess_start[word[at] + 1]):
            rule = &t.guesses[t.guess_numbers[k]]
            if (left & ~rule.keep) and guess_fits(t, rule, word, length, at):
                left &= rule.keep
    return left if left != 0 else NOT_GUESSED


cdef inline uint32_t language_number(const Table *t, uint32_t languages) noexcept nogil:
    """Return which rules to take: those of the only language, otherwise of any (0)."""
    cdef uint32_t number = 0
    if languages & (languages - 1):
        return 0
    while number < t.languages and languages != <uint32_t>1 << number:
        number += 1
    return number if number < t.languages else 0


cdef inline bint fits(
    const Table *t, const Rule *rule, const uint8_t *text, size_t length, size_t at
) noexcept nogil:
    """Tell if the pattern and its context stand here; the first letter is known to."""
    cdef size_t i
    if rule.length > length - at:
        return False
    for i in range(1, rule.length):
        if text[at + i] != rule.pattern[i]:
            return False
    if rule.left_count > at or (rule.to_start and rule.left_count != at):
        return False
    for i in range(rule.left_count):
        if not in_class(t, rule.left[i], text[at - 1 - i]):
            return False
    at += rule.length
    if rule.right_count > length - at or (rule.to_end and rule.right_count != length - at):
        return False
    for i in range(rule.right_count):
        if not in_class(t, rule.right[i], text[at + i]):
            return False
    return True
