"""Merges: the values that kept games get from other records, stored until they are written.

A merge holds its texts, so that it outlives the headers.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from field_rules cimport Text, contains, differ
from header_fields cimport FIELD_BLACK, FIELD_EVENT, FIELD_SITE, FIELD_WHITE
from header_rows cimport NAME_COUNT, TEXT_EXTRA_TAGS, Content, Header, Headers, bytes_before
from memory cimport append_bytes, new_item
from names_by_id cimport PLAYERS, NameCache, append_text, appended_text, text_of_name

cdef enum:
    REASON_BITS = 3
    REASON_MASK = 7
    MONTH_CHARS = 7

cdef inline int field_of_name(int name) noexcept nogil:
    """Return the field of an event (0), a site, White (2) or Black."""
    return FIELD_EVENT + name if name < 2 else FIELD_WHITE + name - 2


cdef inline int name_of_field(int field) noexcept nogil:
    """Return the name of a field, -1 if the field is no name."""
    if field == FIELD_EVENT or field == FIELD_SITE:
        return field - FIELD_EVENT
    return field - FIELD_WHITE + 2 if field == FIELD_WHITE or field == FIELD_BLACK else -1


# The values that a kept game gets from one record. The rows of a kept game are neighbours.
ctypedef struct PairMerge:
    int64_t game_id            # the kept game
    int64_t from_id
    # texts of both records, and names in the fields that are taken, in the arena of the merges
    size_t text[2]
    size_t name_texts[2]
    Content content[2]
    uint32_t taken             # bit n: field n now comes from the other record
    uint64_t reasons           # of field n in REASON_BITS bits

ctypedef struct PairMerges:
    PairMerge *rows
    size_t capacity
    size_t count
    Headers texts              # arena of texts


cdef inline bint are_of_one(const Header *kept, const Header *other) noexcept nogil:
    """Return whether two records have the same facts about their players."""
    return (
        kept.content.numbers[0] == other.content.numbers[0]
        and kept.content.numbers[1] == other.content.numbers[1]
        and (kept.content.nulls ^ other.content.nulls) & 3 == 0
        and kept.core_hash == other.core_hash and kept.has_core_hash == other.has_core_hash
    )


cdef inline bint has_empty_tag(Text tags) noexcept nogil:
    """Return whether a tag has no value."""
    cdef size_t i = 0
    while i + 2 < tags.length:
        if tags.text[i] == c":" and tags.text[i + 1] == c'"':
            i += 2
            while i < tags.length and (tags.text[i] == c"?" or tags.text[i] == c"."):
                i += 1
            if i < tags.length and tags.text[i] == c'"':
                return True
        else:
            i += 1
    return False


cdef inline bint tags_stay(Text tags, Text others, Text date, bint is_replaced) noexcept nogil:
    """Return whether a merge certainly leaves the tags unchanged and takes no date from them.

    `others`: the tags of another record; `date`: the kept game's, after the merge; `is_replaced`: a
    field changes to which tags may belong.
    """
    if tags.length == 0 and others.length == 0:
        return True
    if others.text != NULL and differ(tags, others):
        return False
    if (
        (contains(tags, b'"EventDate"', 11) or contains(others, b'"EventDate"', 11))
        and (date.length < MONTH_CHARS or contains(date, b"?", 1))
    ):
        return False
    return not is_replaced and not has_empty_tag(tags)


cdef inline int put_texts(
    const Headers *all, const Header *header, Headers *merges, size_t *offset
) except -1 nogil:
    """Copy the texts of a header except its tags."""
    offset[0] = merges.arena_bytes
    append_bytes(
        &merges.arena, &merges.arena_bytes, &merges.arena_capacity, all.arena + header.text,
        bytes_before(&header.content, TEXT_EXTRA_TAGS),
    )


cdef inline int put_names(
    NameCache *names, const Header *header, int64_t taken, Headers *merges, size_t *offset
) except -1 nogil:
    """Copy the names in the fields that are taken."""
    cdef Text text
    cdef int name
    offset[0] = merges.arena_bytes
    for name in range(NAME_COUNT):
        if taken >> field_of_name(name) & 1:
            text = text_of_name(names, min(name, <int>PLAYERS), header.content.names[name])
            append_text(
                &merges.arena, &merges.arena_bytes, &merges.arena_capacity, text.text,
                <uint32_t>text.length,
            )


cdef inline Text name_in_merge(
    const PairMerge *row, const uint8_t *arena, int record, int field
) noexcept nogil:
    """Return the name in a taken field of one of the two records."""
    cdef Text text
    cdef const uint8_t *at = arena + row.name_texts[record]
    cdef int name
    for name in range(NAME_COUNT):
        if row.taken >> field_of_name(name) & 1:
            text = appended_text(at)
            if field_of_name(name) == field:
                break
            at = text.text + text.length
    return text


cdef inline int add_merge(
    NameCache *names, const Headers *all, const Header *kept, const Header *other, int64_t taken,
    uint64_t reasons, PairMerges *merges,
) except -1 nogil:
    """Store the values that the kept game gets from another record."""
    cdef PairMerge *row
    row = <PairMerge *>new_item(
        <void **>&merges.rows, &merges.count, &merges.capacity, sizeof(PairMerge)
    )
    row.game_id = kept.game_id
    row.from_id = other.game_id
    row.taken = <uint32_t>taken
    row.reasons = reasons
    row.content[0] = kept.content
    row.content[1] = other.content
    put_texts(all, kept, &merges.texts, &row.text[0])
    put_texts(all, other, &merges.texts, &row.text[1])
    put_names(names, kept, taken, &merges.texts, &row.name_texts[0])
    put_names(names, other, taken, &merges.texts, &row.name_texts[1])
