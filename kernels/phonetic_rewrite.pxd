"""Rewrite a word by phonetic rules into its spellings.

A "spelling" is one way to write a word's sound; a rule may split each spelling into several, some
of them bound to languages. All stages keep the order that the rules give.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from code_rows cimport (
    ANY_LANGUAGE, FIRST_SLOTS, Row, Rows, RowSet, begin_rows, copy_text, keep_if_new, put_blank,
    reserve_rows, row_at, size_set, text_of,
)
from phonetic_rules cimport NOT_GUESSED, TEXT_BYTES, Alternative, Rule, RuleList, Table, fits

cdef enum:
    MAX_SPELLINGS = 1 << 15        # of a word, at each stage; real names stay far below
    MAX_TRIED = 1 << 17            # spellings made at one stage, equal ones counted each time

ctypedef struct Work:
    Rows spellings                 # of the whole word
    Rows next
    Rows state                     # of the text that is being rewritten
    Rows spare
    RowSet seen
    bint bound                     # a row of the state is bound to languages


cdef inline void append_text(Work *w, const uint8_t *text, size_t length) noexcept nogil:
    """Append one piece of up to ROW_SLACK bytes, of which all can be read, to every spelling."""
    cdef Row *row
    cdef size_t i
    for i in range(w.state.count):
        row = row_at(&w.state, i)
        memcpy(text_of(row) + row.length, text, TEXT_BYTES)
        row.length += <uint32_t>length


cdef inline void join(Rows *rows, Row *row, const Alternative *alternative) noexcept nogil:
    """Append a spelling lengthened by an alternative to a list that has room."""
    cdef Row *to = row_at(rows, rows.count)
    copy_text(text_of(to), text_of(row), row.length)
    memcpy(text_of(to) + row.length, alternative.text, TEXT_BYTES)
    to.length = row.length + alternative.length
    to.languages = row.languages & alternative.languages
    rows.count += 1


cdef inline bint settle(Work *w, bint many, uint32_t languages) noexcept nogil:
    """Drop the new spellings that no language has; return False if the rule cannot apply.

    A rule that leaves nothing but blanks and contradictions is taken, as an empty spelling: so
    does the reference implementation, which sees an empty text there, not a failure.
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
                join(&w.spare, row_at(&w.state, i), choice + k)
    if (w.bound or rule.bound) and not settle(w, many, languages):
        return 0
    w.state, w.spare = w.spare, w.state
    return 1


cdef inline int rewrite(
    const Table *t, Work *w, const RuleList *rules, const uint8_t *text, size_t length,
    bint keep_unknown, uint32_t languages,
) except -1 nogil:
    """Rewrite a text by the first rule that fits at each place; the spellings are the state."""
    cdef size_t at = 0, k, step
    cdef const Rule *rule
    cdef uint8_t letter[TEXT_BYTES]
    memset(letter, 0, TEXT_BYTES)
    begin_rows(&w.state, length * rules.growth)
    reserve_rows(&w.state, 1)
    put_blank(&w.state)
    w.bound = False
    while at < length:
        step = 0
        for k in range(rules.start[text[at]], rules.start[text[at] + 1]):
            rule = &t.rules[k]
            if fits(t, rule, text, length, at) and apply_rule(t, w, rule, languages):
                step = rule.length
                break
        if step == 0:
            step = 1
            if keep_unknown:
                letter[0] = text[at]
                append_text(w, letter, 1)
        at += step
    return 0


cdef inline int take_state(Work *w, Row *source, bint strip) except -1 nogil:
    """Append what became of one spelling to the next stage's, without equal ones.

    `strip` forgets the languages.
    """
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
        keep_if_new(&w.seen, &w.next)
    return 0


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
    return 0


cdef inline int encode(
    const Table *t, Work *w, const uint8_t *word, size_t length, uint32_t number,
    uint32_t languages,
) except -1 nogil:
    """Leave the codes of a word in `w.spellings`, by the rules of one language."""
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
    return 0
