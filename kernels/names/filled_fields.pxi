"""Fill FIDE ID, title and Elo of a player into a game, and withdraw them.

Owns the rules of filling in. Tags are the text of a JSON object, of which only the members that are
filled in change. Bare quotes do not occur within JSON strings, so that a quoted name is a member.
"""

from json import dumps

from filled_bits cimport FILLED_ELO, FILLED_ELO_0, FILLED_FIDE_ID, FILLED_TITLE
from listed_players cimport Span
from memory cimport require_memory, try_reserve
from name_words cimport is_digit

cdef enum:
    FIELDS_OF_SIDES = 6        # bit i of BackFilled marks field i

FIDE_ID, TITLE, ELO, ELO_WAS_0 = FILLED_FIDE_ID, FILLED_TITLE, FILLED_ELO, FILLED_ELO_0
_FILLED_NAMES = ("WhiteFideId", "BlackFideId", "WhiteTitle", "BlackTitle", "WhiteElo", "BlackElo")

cdef Span span_of(bytes text):
    """Return a text that Python keeps; none for None."""
    if text is None:
        return Span(NULL, 0)
    return Span(<const uint8_t *>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))


_FIELDS_AS_BYTES = [name.encode() for name in _FILLED_NAMES]
cdef Span[FIELDS_OF_SIDES] FIELD_NAMES

for _index, _name in enumerate(_FIELDS_AS_BYTES):
    FIELD_NAMES[_index] = span_of(_name)

# What the rating list says of a player, as JSON strings; `since`: the first known day of the title.
# A text is NULL if there is none.
ctypedef struct FilledFacts:
    Span fide_id
    Span title
    Span since
    int64_t rating             # 0: none

ctypedef struct FilledGame:
    Span date
    uint8_t *tags
    size_t length
    size_t capacity
    bint has_tags
    bint[2] has_elo            # not NULL
    bint[2] is_odd             # the Elo is no number, and stays
    int64_t[2] elos
    int bits


# --- the text of tags -----------------------------------------------------------------------------

cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == b' ' or 9 <= c <= 13


cdef inline bint are_same_letters(const uint8_t *text, Span name) noexcept nogil:
    """Return whether a text is a name of letters, in upper or lower case."""
    cdef size_t i
    for i in range(name.length):
        if (text[i] | 32) != (name.at[i] | 32):
            return False
    return True


cdef bint has_member(const FilledGame *game, int field) noexcept nogil:
    """Return whether the tags have a member, in upper or lower case."""
    cdef const uint8_t *tags = game.tags
    cdef Span name = FIELD_NAMES[field]
    cdef size_t i, before, after
    if not game.has_tags:
        return False
    for i in range(1, game.length):
        after = i + name.length + 2
        if tags[i] != b'"' or after >= game.length or tags[after - 1] != b'"':
            continue
        if not are_same_letters(tags + i + 1, name):
            continue
        before = i - 1
        while before and is_space(tags[before]):
            before -= 1
        while after < game.length and is_space(tags[after]):
            after += 1
        if after < game.length and tags[after] == b':' and tags[before] in (b'{', b','):
            return True
    return False


cdef Span filled_member(const FilledGame *game, int field) noexcept nogil:
    """Return a member that was filled in, from the quote before its name to that after its value.

    Its value has no escapes, and there is no blank around it.
    """
    cdef const uint8_t *tags = game.tags
    cdef Span name = FIELD_NAMES[field]
    cdef size_t i = 1, end
    while game.has_tags and i + name.length + 4 < game.length:
        end = i + name.length + 4
        if (
            tags[i] == b'"' and (tags[i - 1] == b',' or (i == 1 and tags[0] == b'{'))
            and memcmp(tags + i + 1, name.at, name.length) == 0
            and memcmp(tags + end - 3, b'":"', 3) == 0
        ):
            while end < game.length and tags[end] != b'"' and tags[end] != b'\\':
                end += 1
            if end < game.length and tags[end] == b'"':
                return Span(tags + i, end + 1 - i)
        i += 1
    return Span(NULL, 0)


cdef void remove_member(FilledGame *game, int field) noexcept nogil:
    """Remove a member that was filled in, and a comma; tags without members become none."""
    cdef Span member = filled_member(game, field)
    cdef size_t begin, end
    if member.at != NULL:
        begin = member.at - game.tags
        end = begin + member.length
        if game.tags[begin - 1] == b',':
            begin -= 1
        elif end < game.length and game.tags[end] == b',':
            end += 1
        memmove(game.tags + begin, game.tags + end, game.length - end)
        game.length -= end - begin
    if game.length == 0 or (game.length == 2 and memcmp(game.tags, b"{}", 2) == 0):
        game.has_tags = False


cdef bint add_member(FilledGame *game, int field, Span value) noexcept nogil:
    """Append a member, without a change of the others; return False if out of memory."""
    cdef Span name = FIELD_NAMES[field]
    cdef size_t at
    cdef bint is_empty = not game.has_tags
    if not try_reserve(
        <void **>&game.tags, &game.capacity, game.length + name.length + value.length + 6, 1
    ):
        return False
    if is_empty:
        game.length = 0
    while game.length and is_space(game.tags[game.length - 1]):
        game.length -= 1
    at = game.length - 1 if game.length else 0
    is_empty |= at == 1 and game.tags[0] == b'{'
    game.tags[at] = b'{' if is_empty else b','
    if is_empty:
        game.tags[0] = b'{'
        at = 0
    at += 1
    game.tags[at] = b'"'
    memcpy(game.tags + at + 1, name.at, name.length)
    at += 1 + name.length
    memcpy(game.tags + at, b'":', 2)
    memcpy(game.tags + at + 2, value.at, value.length)
    game.length = at + 3 + value.length
    game.tags[game.length - 1] = b'}'
    game.has_tags = True
    return True


# --- the rules ------------------------------------------------------------------------------------

cdef int month_number(Span date) noexcept nogil:
    """Return the month of "YYYY.MM..." or "YYYY-MM" as one number; 0 if it is not known."""
    cdef int i
    for i in range(7 if date.at != NULL and date.length > 6 else 0):
        if not (is_digit(date.at[i]) if i != 4 else date.at[i] in (b'.', b'-')):
            return 0
    if date.at == NULL or date.length < 7:
        return 0
    return (
        12 * (1000 * (date.at[0] - 48) + 100 * (date.at[1] - 48) + 10 * (date.at[2] - 48)
              + date.at[3] - 48)
        + 10 * (date.at[5] - 48) + date.at[6] - 48
    )


cdef bint has_title(Span date, Span since, int list_month) noexcept nogil:
    """Return whether a player had the title of the list when a game was played.

    "?" in the date counts as 0. `list_month`: 0 if unknown.
    """
    cdef int month = month_number(date)
    cdef size_t i
    cdef uint8_t c
    if list_month and month and month >= list_month - 1:
        return True
    if since.at == NULL or date.at == NULL:
        return False
    for i in range(min(since.length, date.length)):
        c = b'0' if date.at[i] == b'?' else date.at[i]
        if c != since.at[i]:
            return since.at[i] < c
    return since.length <= date.length


cdef void withdraw(FilledGame *game, int bits) noexcept nogil:
    """Remove the filled-in fields that `bits` name."""
    cdef int field, side
    bits &= game.bits
    for field in range(4):
        if bits >> field & 1:
            remove_member(game, field)
    for side in range(2):
        if bits & FILLED_ELO << side:
            game.elos[side] = 0
            game.has_elo[side] = game.bits & FILLED_ELO_0 << side != 0
            bits |= FILLED_ELO_0 << side
    game.bits &= ~bits


cdef bint fill(
    FilledGame *game, int side, const FilledFacts *facts, int list_month
) noexcept nogil:
    """Fill in one side; return False if out of memory."""
    cdef int month
    if facts.fide_id.at != NULL and not has_member(game, side):
        if not add_member(game, side, facts.fide_id):
            return False
        game.bits |= FILLED_FIDE_ID << side
    if (
        facts.title.at != NULL and has_title(game.date, facts.since, list_month)
        and not has_member(game, 2 + side)
    ):
        if not add_member(game, 2 + side, facts.title):
            return False
        game.bits |= FILLED_TITLE << side
    if facts.rating and list_month and not game.elos[side] and not game.is_odd[side]:
        month = month_number(game.date)
        # An Elo that is not a number is in the tags, so the game has an Elo.
        if month and -1 <= month - list_month <= 1 and not has_member(game, 4 + side):
            game.bits |= (FILLED_ELO | FILLED_ELO_0 * game.has_elo[side]) << side
            game.elos[side] = facts.rating
            game.has_elo[side] = True
    return True


cdef bint is_newly_filled(
    const FilledGame *before, const FilledGame *after, int field
) noexcept nogil:
    """Return whether a field was filled in, for the first time or with another value."""
    cdef Span old, new
    if not after.bits >> field & 1:
        return False
    if not before.bits >> field & 1:
        return True
    if field >= 4:
        return before.elos[field - 4] != after.elos[field - 4]
    old, new = filled_member(before, field), filled_member(after, field)
    return old.length != new.length or memcmp(old.at, new.at, new.length) != 0


# --- called from Python ---------------------------------------------------------------------------

cdef tuple facts_as_bytes(fide_id, title, since):
    """Return the texts of FilledFacts."""
    return (
        None if fide_id is None else f'"{fide_id}"'.encode(),
        dumps(title, ensure_ascii=False).encode() if title else None,
        None if since is None else since.encode(),
    )


cdef FilledFacts facts_of(tuple texts, rating):
    """Return facts that are valid as long as the texts."""
    return FilledFacts(span_of(texts[0]), span_of(texts[1]), span_of(texts[2]), rating or 0)


cdef class OneGame:
    """The fields of one game in Python objects; see the stub."""
    cdef FilledGame game
    cdef bytes date
    cdef tuple elos

    def __cinit__(self, date, tags, white_elo, black_elo, bits):
        cdef bytes text = b"" if tags is None else tags.encode()
        cdef int side
        self.date = None if date is None else date.encode()
        self.elos = (white_elo, black_elo)
        self.game.date = span_of(self.date)
        self.game.has_tags = tags is not None
        self.game.bits = bits
        for side in range(2):
            self.game.has_elo[side] = self.elos[side] is not None
            self.game.is_odd[side] = not isinstance(self.elos[side], int | None)
            self.game.elos[side] = 0 if self.game.is_odd[side] else self.elos[side] or 0
        require_memory(
            try_reserve(<void **>&self.game.tags, &self.game.capacity, len(text) + 1, 1)
        )
        memcpy(self.game.tags, PyBytes_AS_STRING(text), len(text))
        self.game.length = len(text)

    def __dealloc__(self):
        free(self.game.tags)

    def withdraw(self, int bits):
        withdraw(&self.game, bits)

    def fill(self, int side, fide_id, title, rating, since, list_month):
        cdef tuple texts = facts_as_bytes(fide_id, title, since)
        cdef FilledFacts facts = facts_of(texts, rating)
        require_memory(fill(&self.game, side, &facts, month_of(list_month)))

    def columns(self):
        elos = [
            self.elos[side] if self.game.is_odd[side]
            else self.game.elos[side] if self.game.has_elo[side] else None
            for side in range(2)
        ]
        tags = self.game.tags[:self.game.length].decode() if self.game.has_tags else None
        return tags, *elos, self.game.bits


cdef int month_of(date):
    """Return month_number() of a text; 0 for None."""
    cdef bytes text = None if date is None else date.encode()
    return month_number(span_of(text))


def bears_title(date, since, list_month) -> bool:
    cdef bytes day = None if date is None else date.encode()
    cdef bytes first = None if since is None else since.encode()
    return has_title(span_of(day), span_of(first), month_of(list_month))
