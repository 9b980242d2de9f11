"""Compiled phonetic rules: where a rule matches in a word, and which languages are possible.

Letters are numbers. The caller numbers the letters of words, with 0 for a letter of no rule;
letters of a spelling are ASCII.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from memory cimport allocate_zeros, reserve

# --- lists of spellings ---------------------------------------------------------------------------

cdef enum:
    ROW_SLACK = 8              # a row is written in steps of this many bytes
    FIRST_SLOTS = 64

cdef enum:
    ANY_LANGUAGE = 0xFFFFFFFF  # a spelling that no rule restricts to languages

ctypedef struct Row:
    uint32_t languages         # 0: no language is left, so the spelling is invalid
    uint32_t length            # bytes of text; the text follows
    uint32_t hash

ctypedef struct Rows:
    uint8_t *memory
    size_t capacity            # bytes
    size_t stride              # bytes from row to row
    size_t count

ctypedef struct RowSet:
    uint32_t *slots            # numbers of rows, plus one; 0 is free
    size_t size                # slots in use now, a power of two
    size_t capacity            # allocated slots


cdef inline Row *row_at(const Rows *rows, size_t i) noexcept nogil:
    return <Row *>(rows.memory + i * rows.stride)


cdef inline uint8_t *text_of(Row *row) noexcept nogil:
    return <uint8_t *>row + sizeof(Row)


cdef inline void begin_rows(Rows *rows, size_t letters) noexcept nogil:
    """Empty the list; later texts have at most `letters` letters."""
    cdef size_t bytes_of_row = sizeof(Row) + letters + ROW_SLACK
    rows.stride = (bytes_of_row + ROW_SLACK - 1) // ROW_SLACK * ROW_SLACK
    rows.count = 0


cdef inline int reserve_rows(Rows *rows, size_t count) except -1 nogil:
    """Reserve memory for `count` rows in all; the caller limits the count."""
    return reserve(<void **>&rows.memory, &rows.capacity, count * rows.stride, 1)


cdef inline void put_blank(Rows *rows) noexcept nogil:
    """Append an empty spelling, for which memory is reserved."""
    cdef Row *row = row_at(rows, rows.count)
    row.languages = ANY_LANGUAGE
    row.length = 0
    rows.count += 1


cdef inline void copy_text(uint8_t *to, const uint8_t *text, size_t length) noexcept nogil:
    """Copy in whole steps: up to ROW_SLACK - 1 bytes too many, for which rows have space."""
    cdef size_t i = 0
    while i < length:
        memcpy(to + i, text + i, ROW_SLACK)
        i += ROW_SLACK


cdef inline uint64_t first_bytes(uint64_t word, size_t count) noexcept nogil:
    """Clear all bytes of a word behind the first ones in memory."""
    memset(<uint8_t *>&word + count, 0, sizeof(uint64_t) - count)
    return word


cdef inline uint32_t hash_row(Row *row) noexcept nogil:
    """Return a hash of text and languages; it is never stored."""
    cdef const uint8_t *text = text_of(row)
    cdef uint64_t h = row.languages, letters
    cdef size_t i = 0
    while i < row.length:
        memcpy(&letters, text + i, ROW_SLACK)    # which the row has behind the text
        if row.length - i < ROW_SLACK:
            letters = first_bytes(letters, row.length - i)
        h = (h ^ letters) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
        i += ROW_SLACK
    return <uint32_t>(h ^ h >> 32)


cdef inline bint same_row(Row *a, Row *b) noexcept nogil:
    return a.hash == b.hash and a.length == b.length and a.languages == b.languages and (
        memcmp(text_of(a), text_of(b), a.length) == 0
    )


cdef inline int size_set(RowSet *s, size_t size) except -1 nogil:
    """Empty the set and set its number of slots."""
    reserve(<void **>&s.slots, &s.capacity, size, sizeof(uint32_t))
    s.size = size
    memset(s.slots, 0, size * sizeof(uint32_t))


cdef inline void put_slot(RowSet *s, uint32_t hash, uint32_t number) noexcept nogil:
    cdef size_t slot = hash & (s.size - 1)
    while s.slots[slot] != 0:
        slot = (slot + 1) & (s.size - 1)
    s.slots[slot] = number


cdef inline int append_if_new(RowSet *s, Rows *rows) except -1 nogil:
    """Append the row after the last one, unless the list has an equal row."""
    cdef Row *row = row_at(rows, rows.count)
    cdef size_t slot, i
    row.hash = hash_row(row)
    slot = row.hash & (s.size - 1)
    while s.slots[slot] != 0:
        if same_row(row, row_at(rows, s.slots[slot] - 1)):
            return 0
        slot = (slot + 1) & (s.size - 1)
    rows.count += 1
    s.slots[slot] = <uint32_t>rows.count
    if 2 * rows.count > s.size:
        size_set(s, 2 * s.size)
        for i in range(rows.count):
            put_slot(s, row_at(rows, i).hash, <uint32_t>(i + 1))


# --- whether a rule fits --------------------------------------------------------------------------

cdef enum:
    TEXT_BYTES = 8             # of a pattern, or of one alternative of a rule
    CONTEXT_LETTERS = 3
    LANGUAGE_LETTERS = 8
    CLASS_BYTES = 32
    LETTERS = 256
    NO_LETTER = LETTERS        # behind a text
    NOT_GUESSED = 1            # the language "any" of the rules

ctypedef struct Alternative:
    uint8_t text[TEXT_BYTES]
    uint32_t languages
    uint32_t length

ctypedef struct Rule:
    uint8_t pattern[TEXT_BYTES]
    uint16_t left[CONTEXT_LETTERS]  # letter classes, the nearest one first
    uint16_t right[CONTEXT_LETTERS]
    uint8_t length, left_count, right_count
    bint to_start, to_end      # the context must reach the start or end of the word
    bint bound                 # an alternative is restricted to languages
    uint32_t first, count      # alternatives

ctypedef struct LanguageRule:
    uint16_t letters[LANGUAGE_LETTERS]
    uint8_t count
    bint at_start, at_end
    uint32_t languages         # languages that a word with these letters may be of

ctypedef struct RuleList:
    uint16_t start[LETTERS + 1]  # of the rules whose pattern begins with a letter
    uint32_t growth            # letters of a spelling for one of the text, at most

ctypedef struct Table:
    uint8_t *classes
    Alternative *alternatives
    Rule *rules
    RuleList *lists            # for words by language, the common one, final ones by language
    LanguageRule *guesses
    uint16_t *guess_numbers
    uint32_t guess_start[LETTERS + 1]
    uint32_t crc[LETTERS]
    uint8_t numbers[LETTERS]   # of ASCII letters
    uint32_t languages         # how many
    uint32_t all_languages     # the bits of all of them, without "any"


cdef inline bint in_class(const Table *t, size_t number, uint8_t letter) noexcept nogil:
    return (t.classes[number * CLASS_BYTES + (letter >> 3)] >> (letter & 7)) & 1


cdef inline bint guess_fits(
    const Table *t, const LanguageRule *rule, const uint8_t *word, size_t length, size_t at
) noexcept nogil:
    """Return whether the rule's letters match here; the caller has matched the first letter."""
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
            if (left & ~rule.languages) and guess_fits(t, rule, word, length, at):
                left &= rule.languages
    return left if left != 0 else NOT_GUESSED


cdef inline uint32_t language_number(const Table *t, uint32_t languages) noexcept nogil:
    """Return the index of the rules: those of the only language, otherwise of any (0)."""
    cdef uint32_t number = 0
    if languages & (languages - 1):
        return 0
    while number < t.languages and languages != <uint32_t>1 << number:
        number += 1
    return number if number < t.languages else 0


cdef inline bint fits(
    const Table *t, const Rule *rule, const uint8_t *text, size_t length, size_t at
) noexcept nogil:
    """Return whether the pattern, whose first letter matches, and its context match here."""
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


# --- rewriting a word -----------------------------------------------------------------------------

# Rewrite a word by phonetic rules into its spellings. A "spelling" is one way to write a word's
# sound. A rule may split each spelling into several, which may be restricted to languages. All
# stages keep the order of the rules.

cdef enum:
    MAX_SPELLINGS = 1 << 15    # of a word, at each stage; real names stay far below
    MAX_TRIED = 1 << 17        # spellings made at one stage, equal ones counted each time

ctypedef struct Work:
    Rows spellings             # of the whole word
    Rows next
    Rows state                 # of the text that is being rewritten
    Rows spare
    RowSet seen
    bint bound                 # a row of the state is restricted to languages
    uint32_t *pairs            # of each list, two letters: their row in `candidates`, 0 unknown
    uint16_t *candidates       # rows of rules that may fit: their number, then the rules
    size_t candidate_count, candidate_capacity


cdef inline void free_work(Work *w) noexcept nogil:
    free(w.spellings.memory)
    free(w.next.memory)
    free(w.state.memory)
    free(w.spare.memory)
    free(w.seen.slots)
    free(w.pairs)
    free(w.candidates)


cdef inline bint may_fit(const Table *t, const Rule *rule, uint32_t second) noexcept nogil:
    """Return whether a rule for the first letter may fit before the second one, or NO_LETTER."""
    if rule.length > 1:
        return rule.pattern[1] == second
    if rule.right_count:
        return second != NO_LETTER and in_class(t, rule.right[0], <uint8_t>second)
    return not rule.to_end or second == NO_LETTER


cdef inline int add_candidates(
    const Table *t, Work *w, const RuleList *rules, uint32_t first, uint32_t second, uint32_t *pair
) except -1 nogil:
    """Store the rules of a list that may fit two letters, and set the place of the row."""
    cdef size_t begin = max(w.candidate_count, <size_t>1), k    # 0: unknown
    cdef uint16_t *row
    reserve(
        <void **>&w.candidates, &w.candidate_capacity,
        begin + 1 + rules.start[first + 1] - rules.start[first], sizeof(uint16_t),
    )
    row = w.candidates + begin
    row[0] = 0
    for k in range(rules.start[first], rules.start[first + 1]):
        if may_fit(t, &t.rules[k], second):
            row[0] += 1
            row[row[0]] = <uint16_t>k
    w.candidate_count = begin + 1 + row[0]
    pair[0] = <uint32_t>begin


cdef inline const uint16_t *candidates_at(
    const Table *t, Work *w, const RuleList *rules, const uint8_t *text, size_t length, size_t at
) except NULL nogil:
    """Return the number of rules that may fit here, and the rules."""
    cdef size_t lists = 2 * t.languages + 1
    cdef uint32_t second = NO_LETTER
    cdef uint32_t *pair
    if at + 1 < length:
        second = text[at + 1]
    if w.pairs == NULL:
        w.pairs = <uint32_t *>allocate_zeros(
            lists * LETTERS * (LETTERS + 1), sizeof(uint32_t)
        )
    pair = w.pairs + ((rules - t.lists) * LETTERS + text[at]) * (LETTERS + 1) + second
    if not pair[0]:
        add_candidates(t, w, rules, text[at], second, pair)
    return w.candidates + pair[0]


cdef inline void append_text(Work *w, const uint8_t *text, size_t length) noexcept nogil:
    """Append one piece of up to ROW_SLACK bytes, all readable, to every spelling."""
    cdef Row *row
    cdef size_t i
    for i in range(w.state.count):
        row = row_at(&w.state, i)
        memcpy(text_of(row) + row.length, text, TEXT_BYTES)
        row.length += <uint32_t>length


cdef inline void append_spelling(
    Rows *rows, Row *row, const Alternative *alternative
) noexcept nogil:
    """Append a spelling lengthened by an alternative; memory is reserved."""
    cdef Row *to = row_at(rows, rows.count)
    copy_text(text_of(to), text_of(row), row.length)
    memcpy(text_of(to) + row.length, alternative.text, TEXT_BYTES)
    to.length = row.length + alternative.length
    to.languages = row.languages & alternative.languages
    rows.count += 1


cdef inline bint drop_invalid(Work *w, bint many, uint32_t languages) noexcept nogil:
    """Drop new spellings without a language; return False if the rule cannot apply.

    A rule that leaves only blanks and contradictions is applied as an empty spelling, as in the
    reference implementation, which treats an empty text as success.
    """
    cdef size_t i, kept = 0
    cdef bint possible = False, bound = False
    cdef Row *row
    for i in range(w.spare.count):
        row = row_at(&w.spare, i)
        if many and (row.languages == 0 or (row.languages == ANY_LANGUAGE and row.length == 0)):
            continue
        possible = True
        row.languages &= languages
        if row.languages == 0:
            continue
        bound = bound or row.languages != ANY_LANGUAGE
        if kept != i:
            memcpy(row_at(&w.spare, kept), row, w.spare.stride)
        kept += 1
    if kept == 0 and (possible or not many):
        return False
    w.spare.count = kept
    if kept == 0:
        put_blank(&w.spare)
        row_at(&w.spare, 0).languages = languages
        bound = languages != ANY_LANGUAGE
    w.bound = bound
    return True


cdef inline int apply_rule(
    const Table *t, Work *w, const Rule *rule, uint32_t languages
) except -1 nogil:
    """Append the rule's alternatives to each spelling; return 0 if no language allows it."""
    cdef const Alternative *choice = t.alternatives + rule.first
    cdef bint many = w.state.count > 1 or rule.count > 1
    cdef size_t i, k, count
    if rule.count == 1 and not rule.bound and (choice.length > 0 or not w.bound):
        append_text(w, choice.text, choice.length)
        return 1
    count = min(<size_t>MAX_SPELLINGS, w.state.count * rule.count)
    w.spare.count = 0
    w.spare.stride = w.state.stride
    reserve_rows(&w.spare, count)
    for i in range(w.state.count):
        for k in range(rule.count):
            if w.spare.count < count:
                append_spelling(&w.spare, row_at(&w.state, i), choice + k)
    if (w.bound or rule.bound) and not drop_invalid(w, many, languages):
        return 0
    w.state, w.spare = w.spare, w.state
    return 1


cdef inline int rewrite(
    const Table *t, Work *w, const RuleList *rules, const uint8_t *text, size_t length,
    bint keeps_unmatched, uint32_t languages,
) except -1 nogil:
    """Rewrite a text by the first rule that matches at each index; the spellings are the state."""
    cdef size_t at = 0, k, step
    cdef const Rule *rule
    cdef const uint16_t *candidates
    cdef uint8_t letter[TEXT_BYTES]
    memset(letter, 0, TEXT_BYTES)
    begin_rows(&w.state, length * rules.growth)
    reserve_rows(&w.state, 1)
    put_blank(&w.state)
    w.bound = False
    while at < length:
        step = 0
        candidates = candidates_at(t, w, rules, text, length, at)
        for k in range(1, candidates[0] + 1):
            rule = &t.rules[candidates[k]]
            if fits(t, rule, text, length, at) and apply_rule(t, w, rule, languages):
                step = rule.length
                break
        if step == 0:
            step = 1
            if keeps_unmatched:
                letter[0] = text[at]
                append_text(w, letter, 1)
        at += step


cdef inline int take_state(Work *w, Row *source, bint strip) except -1 nogil:
    """Append the distinct results of a spelling to the next stage; `strip` drops languages."""
    cdef bint many = w.state.count > 1
    cdef size_t i
    cdef Row *row
    cdef Row *to
    for i in range(w.state.count):
        row = row_at(&w.state, i)
        row.languages &= source.languages
        if many and (row.languages == 0 or (row.languages == ANY_LANGUAGE and row.length == 0)):
            continue
        if row.languages == 0:
            row.length = 0
        if strip:
            row.languages = ANY_LANGUAGE
        if (row.length == 0 and row.languages == ANY_LANGUAGE) or w.next.count >= MAX_SPELLINGS:
            continue
        reserve_rows(&w.next, w.next.count + 1)
        to = row_at(&w.next, w.next.count)
        to.languages = row.languages
        to.length = row.length
        copy_text(text_of(to), text_of(row), row.length)
        append_if_new(&w.seen, &w.next)


cdef inline int rewrite_spellings(
    const Table *t, Work *w, const RuleList *rules, bint strip, uint32_t languages
) except -1 nogil:
    """Rewrite every spelling by final rules."""
    cdef size_t i, longest = 0, tried = 0
    cdef Row *row
    for i in range(w.spellings.count):
        longest = max(longest, <size_t>row_at(&w.spellings, i).length)
    begin_rows(&w.next, longest * rules.growth)
    size_set(&w.seen, FIRST_SLOTS)
    for i in range(w.spellings.count):
        row = row_at(&w.spellings, i)
        if row.languages == 0:
            continue
        rewrite(t, w, rules, text_of(row), row.length, True, languages)
        take_state(w, row, strip)
        tried += w.state.count
        if tried > MAX_TRIED:
            break
    if w.next.count == 0:
        reserve_rows(&w.next, 1)
        put_blank(&w.next)
    w.spellings, w.next = w.next, w.spellings


cdef inline int encode(
    const Table *t, Work *w, const uint8_t *word, size_t length, uint32_t number,
    uint32_t languages,
) except -1 nogil:
    """Store the codes of a word in `w.spellings`, by the rules of one language."""
    cdef const RuleList *common = t.lists + t.languages
    cdef const RuleList *final = common + 1 + number
    cdef uint32_t allowed = ANY_LANGUAGE if languages == NOT_GUESSED else languages
    cdef size_t i, kept = 0
    cdef Row *row
    rewrite(t, w, t.lists + number, word, length, False, allowed)
    w.spellings, w.state = w.state, w.spellings
    for i in range(w.spellings.count):
        row = row_at(&w.spellings, i)
        if row.length > 0 or row.languages != ANY_LANGUAGE:
            memcpy(row_at(&w.spellings, kept), row, w.spellings.stride)
            kept += 1
    w.spellings.count = max(kept, <size_t>1)
    rewrite_spellings(t, w, common, False, allowed)
    if final.growth > 0:
        rewrite_spellings(t, w, final, True, allowed)
