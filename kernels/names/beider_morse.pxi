"""Beider-Morse phonetic codes of many words at once, by rules that the caller has compiled.

Loads the rules, runs them without the GIL, hashes the codes. Does not know the source of the rules,
or names of several words.
"""

from phonetic_rules cimport (
    ANY_LANGUAGE, CLASS_BYTES, CONTEXT_LETTERS, LANGUAGE_LETTERS, LETTERS, TEXT_BYTES, Alternative,
    LanguageRule, Row, Rows, Rule, RuleList, Table, Work, encode, guess_languages, in_class,
    language_number, row_at, text_of,
)
from thresholds cimport PHONETIC_BITS, PHONETIC_LETTERS

cdef enum:
    MAX_CODES = 256            # maximum number of codes that a caller may request
    MAX_LANGUAGES = 30

ctypedef struct Batch:
    Work work
    uint8_t *letters           # PHONETIC_LETTERS for each word
    size_t *lengths            # of the words; afterwards the numbers of codes
    uint32_t *codes


cdef void add_code(uint32_t *codes, size_t *count, size_t capacity, uint32_t code) noexcept nogil:
    """Insert a code into the sorted, distinct lowest ones."""
    cdef size_t i = count[0]
    if i == capacity and code >= codes[i - 1]:
        return
    while i > 0 and codes[i - 1] > code:
        i -= 1
    if i > 0 and codes[i - 1] == code:
        return
    if count[0] < capacity:
        count[0] += 1
    memmove(codes + i + 1, codes + i, (count[0] - 1 - i) * sizeof(uint32_t))
    codes[i] = code


cdef size_t hash_spellings(
    const Table *t, const Rows *rows, uint32_t *codes, size_t capacity, uint32_t system
) noexcept nogil:
    """Write up to `capacity` hashes of spellings, smallest first; return their number."""
    cdef size_t count = 0, i, k
    cdef const uint8_t *text
    cdef uint32_t crc
    cdef Row *row
    for i in range(rows.count):
        row = row_at(rows, i)
        text = text_of(row)
        crc = 0xFFFFFFFF
        for k in range(row.length):
            crc = t.crc[(crc ^ text[k]) & 0xFF] ^ crc >> 8
        if row.length > 0:
            crc = ~crc & ((<uint32_t>1 << PHONETIC_BITS) - 1)
            add_code(codes, &count, capacity, system << PHONETIC_BITS | crc)
    return count


cdef void free_work(Work *w) noexcept nogil:
    free(w.spellings.memory)
    free(w.next.memory)
    free(w.state.memory)
    free(w.spare.memory)
    free(w.seen.slots)


cdef int hash_words(
    const Table *t, Batch *b, size_t count, size_t capacity, uint32_t system
) except -1 nogil:
    """Replace the length of each word by the number of its codes, and write the codes."""
    cdef const uint8_t *word
    cdef uint32_t languages
    cdef size_t i
    for i in range(count):
        word = b.letters + i * PHONETIC_LETTERS
        languages = guess_languages(t, word, b.lengths[i])
        encode(t, &b.work, word, b.lengths[i], language_number(t, languages), languages)
        b.lengths[i] = hash_spellings(
            t, &b.work.spellings, b.codes + i * capacity, capacity, system
        )


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
    cdef dict letters

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
        self.letters = {letter: i + 1 for i, letter in enumerate(letters)}
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

    cdef size_t put_word(self, uint8_t *to, str word) except? 0:
        """Write the first PHONETIC_LETTERS letters as numbers, 0 for a letter of no rule."""
        cdef size_t count = 0
        for letter in word[:PHONETIC_LETTERS]:
            to[count] = self.letters.get(letter, 0)
            count += 1
        return count

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

    def hash_codes(self, list words not None, *, max_codes, system):
        cdef size_t capacity, word_count = len(words), i
        cdef uint32_t top
        cdef Batch batch
        if not 0 < max_codes <= MAX_CODES or not 0 <= system < 4:
            raise ValueError(f"invalid max_codes or system: {max_codes}, {system}")
        capacity, top = max_codes, system
        memset(&batch, 0, sizeof(Batch))
        try:
            batch.letters = <uint8_t *>allocate_zeros(word_count * PHONETIC_LETTERS, 1)
            batch.lengths = <size_t *>allocate_zeros(word_count, sizeof(size_t))
            batch.codes = <uint32_t *>allocate_zeros(word_count * capacity, sizeof(uint32_t))
            for i in range(word_count):
                batch.lengths[i] = self.put_word(batch.letters + i * PHONETIC_LETTERS, words[i])
            with nogil:
                hash_words(&self.table, &batch, word_count, capacity, top)
            return [
                [batch.codes[i * capacity + k] for k in range(batch.lengths[i])]
                for i in range(word_count)
            ]
        finally:
            free(batch.letters)
            free(batch.lengths)
            free(batch.codes)
            free_work(&batch.work)
