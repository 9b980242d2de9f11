"""Phonetic codes of many words at once, with Beider-Morse rules that the caller has compiled.

Loads the rules and runs them without the GIL; see phonetic_codes.pxd for the codes. Does not know
the source of the rules, or names of several words.
"""

from phonetic_codes cimport WORD_CODES, encode_letters
from phonetic_rules cimport (
    ANY_LANGUAGE, CLASS_BYTES, CONTEXT_LETTERS, LANGUAGE_LETTERS, LETTERS, TEXT_BYTES, Alternative,
    LanguageRule, Row, Rule, RuleList, Table, Work, encode, free_work, guess_languages, in_class,
    language_number, row_at, text_of,
)
from thresholds cimport PHONETIC_LETTERS

cdef enum:
    MAX_LANGUAGES = 30

ctypedef struct CodeRow:
    Work work
    uint32_t *codes
    size_t count, capacity


cdef void fill_crc(Table *t) noexcept nogil:
    """Fill the table of CRC-32 as in zlib (ISO-HDLC, reflected 0x04C11DB7)."""
    cdef uint32_t crc
    cdef size_t i, _bit
    for i in range(LETTERS):
        crc = <uint32_t>i
        for _bit in range(8):
            crc = (crc >> 1) ^ (<uint32_t>0xEDB88320 * (crc & 1))
        t.crc[i] = crc


cdef object put_classes(uint16_t *to, object numbers, size_t capacity, size_t class_count):
    """Copy the numbers of letter classes; return their number."""
    cdef size_t i = 0
    if len(numbers) > capacity:
        raise ValueError(f"context has {len(numbers)} letters, at most {capacity} are allowed")
    for number in numbers:
        if not 0 <= number < class_count:
            raise ValueError(f"unknown letter class: {number}")
        to[i] = number
        i += 1
    return i


cdef object put_text(uint8_t *to, bytes text):
    cdef const uint8_t *source = text
    if len(text) > TEXT_BYTES:
        raise ValueError(f"{text!r} has more than {TEXT_BYTES} letters")
    memcpy(to, source, len(text))
    return len(text)


cdef uint32_t language_bits(object bits) except? 0:
    if not 0 <= bits <= 0xFFFFFFFF:
        raise ValueError(f"not a bit set of languages: {bits}")
    return bits


cdef class Rules:
    """Compiled rules; see the stub."""

    cdef Table table
    cdef size_t class_count, alternative_count
    cdef uint32_t[LETTERS] letters     # characters of the numbers 1, 2, ...
    cdef size_t letter_count

    def __cinit__(self, letters, classes, guesses, lists):
        cdef Table *t = &self.table
        cdef size_t i
        fill_crc(t)
        if len(letters) >= LETTERS or len(classes) > 0xFFFF:
            raise ValueError("too many letters or letter classes")
        if len(lists) % 2 == 0 or len(lists) // 2 > MAX_LANGUAGES:
            raise ValueError(
                f"{len(lists)} lists of rules: expected 2 per language and 1 common list"
            )
        self.letter_count = len(letters)
        for i, letter in enumerate(letters):
            self.letters[i] = <Py_UCS4>letter
            if self.letters[i] < 128:
                t.numbers[self.letters[i]] = <uint8_t>(i + 1)
        self.class_count = len(classes)
        t.languages = len(lists) // 2
        t.all_languages = (<uint32_t>1 << t.languages) - 2
        t.classes = <uint8_t *>allocate_zeros(len(classes), CLASS_BYTES)
        for i, bits in enumerate(classes):
            if len(bits) != CLASS_BYTES:
                raise ValueError(f"letter class has {len(bits)} bytes, not {CLASS_BYTES}")
            memcpy(t.classes + i * CLASS_BYTES, <const uint8_t *>bits, CLASS_BYTES)
        self.load_guesses(guesses)
        self.load_lists(lists)

    def __dealloc__(self):
        free(self.table.classes)
        free(self.table.alternatives)
        free(self.table.rules)
        free(self.table.lists)
        free(self.table.guesses)
        free(self.table.guess_numbers)

    cdef load_guesses(self, guesses):
        cdef Table *t = &self.table
        cdef LanguageRule *rule
        cdef size_t i, letter, count = 0
        if len(guesses) > 0xFFFF:
            raise ValueError("too many language rules")
        t.guesses = <LanguageRule *>allocate_zeros(len(guesses), sizeof(LanguageRule))
        t.guess_numbers = <uint16_t *>allocate_zeros(len(guesses) * LETTERS, sizeof(uint16_t))
        for i, (numbers, at_start, at_end, languages) in enumerate(guesses):
            rule = t.guesses + i
            rule.count = put_classes(rule.letters, numbers, LANGUAGE_LETTERS, self.class_count)
            if rule.count == 0:
                raise ValueError("language rule has no letters")
            rule.at_start, rule.at_end, rule.languages = at_start, at_end, language_bits(languages)
        for letter in range(LETTERS):
            for i in range(len(guesses)):
                if in_class(t, t.guesses[i].letters[0], <uint8_t>letter):
                    t.guess_numbers[count] = <uint16_t>i
                    count += 1
            t.guess_start[letter + 1] = <uint32_t>count

    cdef load_lists(self, lists):
        cdef Table *t = &self.table
        cdef size_t rule_count = sum(len(rules) for rules in lists)
        cdef size_t i, at = 0
        if rule_count > 0xFFFF:
            raise ValueError("too many rules")
        t.rules = <Rule *>allocate_zeros(rule_count, sizeof(Rule))
        t.lists = <RuleList *>allocate_zeros(len(lists), sizeof(RuleList))
        t.alternatives = <Alternative *>allocate_zeros(
            sum(len(rule[3]) for rules in lists for rule in rules), sizeof(Alternative)
        )
        for i, rules in enumerate(lists):
            at = self.load_rules(t.lists + i, at, rules)

    cdef size_t load_rules(self, RuleList *where, size_t at, rules) except? 0:
        """Load one list, sorted by first letter; return the index for the next list."""
        cdef size_t letter = 0
        cdef Rule *rule
        where.start[0] = <uint16_t>at
        for pattern, left, right, alternatives in rules:
            rule = self.table.rules + at
            rule.length = put_text(rule.pattern, pattern)
            if rule.length == 0 or rule.pattern[0] < letter:
                raise ValueError(f"rule is empty or out of order: {pattern!r}")
            while letter < rule.pattern[0]:
                letter += 1
                where.start[letter] = <uint16_t>at
            rule.left_count = put_classes(rule.left, left[0], CONTEXT_LETTERS, self.class_count)
            rule.right_count = put_classes(rule.right, right[0], CONTEXT_LETTERS, self.class_count)
            rule.to_start, rule.to_end = left[1], right[1]
            where.growth = max(where.growth, self.load_alternatives(rule, alternatives))
            at += 1
        while letter < LETTERS:
            letter += 1
            where.start[letter] = <uint16_t>at
        return at

    cdef uint32_t load_alternatives(self, Rule *rule, alternatives) except 0:
        """Load the replacements of a pattern; return the growth of one letter."""
        cdef Alternative *to
        cdef uint32_t growth = 1
        rule.first = <uint32_t>self.alternative_count
        rule.count = len(alternatives)
        if rule.count == 0:
            raise ValueError("rule has no alternatives")
        for text, languages in alternatives:
            to = self.table.alternatives + self.alternative_count
            to.length = put_text(to.text, text)
            to.languages = ANY_LANGUAGE if languages is None else language_bits(languages)
            rule.bound = rule.bound or languages is not None
            growth = max(growth, (to.length + rule.length - 1) // rule.length)
            self.alternative_count += 1
        return growth

    cdef uint8_t number_of(self, uint32_t letter) noexcept nogil:
        """Return the number of a letter, 0 for a letter of no rule."""
        cdef size_t i
        if letter < 128:
            return self.table.numbers[letter]
        for i in range(self.letter_count):
            if self.letters[i] == letter:
                return <uint8_t>(i + 1)
        return 0

    cdef size_t read_word(
        self, const uint8_t *word, size_t size, uint8_t *letters, uint8_t *numbers
    ) noexcept nogil:
        """Write the first PHONETIC_LETTERS letters, "?" if not ASCII, and their numbers."""
        cdef const uint8_t *end = word + size
        cdef uint32_t letter
        cdef size_t count = 0
        while word < end and count < PHONETIC_LETTERS:
            letter = next_character(&word, end)
            letters[count] = <uint8_t>letter if letter < 128 else c"?"
            numbers[count] = self.number_of(letter)
            count += 1
        return count

    cdef size_t put_word(self, uint8_t *numbers, str word) except? 0:
        cdef uint8_t letters[PHONETIC_LETTERS]
        cdef bytes text = word.encode("utf-8", "surrogatepass")
        return self.read_word(
            <const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text), letters, numbers
        )

    def guess(self, str word not None):
        cdef uint8_t letters[PHONETIC_LETTERS]
        cdef size_t length = self.put_word(letters, word)
        return guess_languages(&self.table, letters, length)

    def codes(self, str word not None, languages, *, rules_of):
        cdef uint8_t letters[PHONETIC_LETTERS]
        cdef size_t length = self.put_word(letters, word)
        cdef uint32_t number = language_number(&self.table, language_bits(rules_of))
        cdef uint32_t bits = language_bits(languages)
        cdef Work w
        cdef Row *row
        cdef size_t i
        if bits == 0 or bits >> self.table.languages:
            raise ValueError(f"not a bit set of languages: {languages}")
        memset(&w, 0, sizeof(Work))
        found = []
        try:
            with nogil:
                encode(&self.table, &w, letters, length, number, bits)
            for i in range(w.spellings.count):
                row = row_at(&w.spellings, i)
                found.append(text_of(row)[:row.length].decode("ascii"))
        finally:
            free_work(&w)
        return found

    cdef int encode_words(
        self, const uint8_t *text, const uint32_t[::1] ends, uint32_t *code_ends, CodeRow *row
    ) except -1 nogil:
        """Append the codes of words, and set where those of each word end."""
        cdef uint8_t letters[PHONETIC_LETTERS]
        cdef uint8_t numbers[PHONETIC_LETTERS]
        cdef size_t begin = 0, length
        cdef Py_ssize_t i
        for i in range(ends.shape[0]):
            reserve(
                <void **>&row.codes, &row.capacity, row.count + WORD_CODES + 1, sizeof(uint32_t)
            )
            length = self.read_word(text + begin, ends[i] - begin, letters, numbers)
            row.count += encode_letters(
                &self.table, &row.work, letters, numbers, length, row.codes + row.count
            )
            code_ends[i] = <uint32_t>row.count
            begin = ends[i]

    def encode(self, const uint8_t[::1] words not None, const uint32_t[::1] ends not None):
        cdef bytes code_ends = PyBytes_FromStringAndSize(NULL, 4 * ends.shape[0])
        cdef uint32_t *to = <uint32_t *>PyBytes_AS_STRING(code_ends)
        cdef const uint8_t *text = &words[0] if words.shape[0] else NULL
        cdef uint32_t before = 0
        cdef CodeRow row
        for end in ends:
            if not before <= end <= words.shape[0]:
                raise ValueError(f"word {before} to {end} of {words.shape[0]} bytes")
            before = end
        memset(&row, 0, sizeof(CodeRow))
        try:
            with nogil:
                self.encode_words(text, ends, to, &row)
            return code_ends, (<const char *>row.codes)[:row.count * sizeof(uint32_t)]
        finally:
            free(row.codes)
            free_work(&row.work)
