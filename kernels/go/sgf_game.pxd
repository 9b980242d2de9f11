"""Parse one SGF record: root, mainline, annotations, start, keys; and handle faults.

The mainline is the first branch everywhere. A record is parsed up to the first fault. Its text ends
where its last parenthesis closes, or where another record must begin.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from go_board cimport go_keys, go_message_bytes
from sgf_lex cimport (
    AB, AE, AW, B, C, MOST_BRANCHES, SZ, W, SgfReader, fail_at, limit_record, sgf_code,
    sgf_is_blank, sgf_is_letter, sgf_is_root_name, sgf_lacks_value, sgf_name_end, sgf_skip_blanks,
    value_end,
)
from sgf_records cimport (
    SGF_BRANCH, SGF_COMMENT, SGF_NODE, SGF_NO_VALUE, SGF_OPEN_TREE, SGF_OPEN_VALUE, SGF_PROPERTIES,
    SGF_STRAY, SGF_TOO_DEEP, SgfAnnotation, SgfProperty, SgfRecord, sgf_add_annotation,
    sgf_add_property, sgf_reserve,
)
from sgf_root cimport (
    find_charset, is_tag_property, read_move, read_root_setup, root_end, set_up, write_start,
)

cdef enum:
    IN_START = 0xFFFFFFFF         # code of a property that is part of the start


# --- properties ---------------------------------------------------------------------------------

cdef inline void add_annotation(
    SgfReader *r, int type, uint32_t start, uint32_t length
) noexcept nogil:
    cdef SgfAnnotation *annotation = sgf_add_annotation(&r.out)
    if annotation != NULL:
        annotation.type = type
        annotation.start = start
        annotation.length = length
        annotation.ply = -1
        annotation.before = 0


cdef inline const uint8_t *read_values(
    SgfReader *r, SgfRecord *g, SgfProperty *property, const uint8_t *p
) noexcept nogil:
    """Parse the values of a property; return their end, NULL at a fault.

    Moves and setup stones are stored at once.
    """
    cdef const uint8_t *stop
    cdef const uint8_t *cut
    cdef bint is_move = property.code == B or property.code == W
    cdef bint is_stones = property.code == AB or property.code == AW or property.code == AE
    cdef bint is_setup = is_stones and r.out.move_count == g.first_move
    property.values = property.value_length = 0
    property.value = <uint32_t>(p - r.base)
    property.length = property.name_length
    while p < r.stop and p[0] == b'[':
        p += 1
        stop = value_end(r, p, not (is_move or is_stones))
        if stop == NULL:
            fail_at(r, g, SGF_OPEN_VALUE, p - 1)
            return NULL
        cut = root_end(property.code, p, stop) if r.in_root else NULL
        if cut != NULL:
            stop = cut
        if property.values == 0:
            property.value = <uint32_t>(p - r.base)
            property.value_length = <uint32_t>(stop - p)
        property.values += 1
        if is_move:
            if read_move(r, g, property.code, p, stop) < 0:
                return NULL
        elif is_setup and set_up(r, g, property.code, p, stop) < 0:
            return NULL
        elif property.code == C:
            add_annotation(r, SGF_COMMENT, <uint32_t>(p - r.base), <uint32_t>(stop - p))
        property.length = <uint32_t>(stop - r.base) - property.start + (cut == NULL)
        p = sgf_skip_blanks(stop + 1, r.stop)
        if cut != NULL:
            break
    if is_setup or (property.code == SZ and r.in_root):
        property.code = IN_START
    return p


cdef inline void close_node(
    SgfReader *r, SgfRecord *g, size_t first_annotation, size_t first_move, bint has_sign
) noexcept nogil:
    """Set the move of the annotations of a node; a node with a move needs no ";"."""
    cdef SgfAnnotation *annotations = r.out.annotations
    cdef size_t i
    cdef int ply = <int>(r.out.move_count - g.first_move) - 1
    cdef bint is_plain = r.in_root or r.out.move_count > first_move
    for i in range(first_annotation, r.out.annotation_count):
        annotations[i].ply = ply
    if is_plain and annotations[first_annotation].length > <uint32_t>has_sign:
        annotations[first_annotation].type = SGF_PROPERTIES
        annotations[first_annotation].start += has_sign
        annotations[first_annotation].length -= has_sign
    elif annotations[first_annotation].length == <uint32_t>has_sign and (
        is_plain or r.out.annotation_count == first_annotation + 1
    ):
        for i in range(first_annotation + 1, r.out.annotation_count):
            annotations[i - 1] = annotations[i]
        r.out.annotation_count -= 1


cdef inline const uint8_t *read_node(SgfReader *r, SgfRecord *g, const uint8_t *p) noexcept nogil:
    """Parse a node of the mainline from its ";"; return its end, NULL at a fault.

    The root may lack its ";".
    """
    cdef size_t first_annotation = r.out.annotation_count, first_move = r.out.move_count
    cdef bint is_open = True           # the last annotation continues with the next property
    cdef SgfProperty property
    cdef SgfProperty *added
    cdef SgfAnnotation *last
    cdef const uint8_t *name
    cdef bint has_sign = p[0] == b';'
    add_annotation(r, SGF_NODE, <uint32_t>(p - r.base), has_sign)
    p += has_sign
    while not r.out.out_of_memory:
        p = sgf_skip_blanks(p, r.stop)
        if p == r.stop or p[0] == b';' or p[0] == b'(' or p[0] == b')':
            break
        name = p
        p = sgf_name_end(name, r.stop)
        if p == name:
            fail_at(r, g, SGF_STRAY, name)
            p = NULL
            break
        property.name = property.start = <uint32_t>(name - r.base)
        property.name_length = <uint32_t>(p - name)
        property.code = sgf_code(name, p)
        p = sgf_skip_blanks(p, r.stop)
        if p == r.stop or (p[0] != b'[' and not sgf_lacks_value(name, r.stop)):
            fail_at(r, g, SGF_NO_VALUE, name)
            p = NULL
            break
        p = read_values(r, g, &property, p)
        if p == NULL:
            g.fault_at = property.start
            break
        if (
            property.code == B or property.code == W or property.code == C
            or property.code == IN_START
        ):
            is_open = False
        elif r.in_root and is_tag_property(r, &property):
            added = sgf_add_property(&r.out)
            if added != NULL:
                added[0] = property
            is_open = False
        elif is_open:
            last = &r.out.annotations[r.out.annotation_count - 1]
            last.length = property.start + property.length - last.start
        else:
            add_annotation(r, SGF_PROPERTIES, property.start, property.length)
            is_open = True
    if r.out.annotation_count > first_annotation:
        close_node(r, g, first_annotation, first_move, has_sign)
    r.in_root = False
    return p


# --- the tree -----------------------------------------------------------------------------------

cdef inline const uint8_t *tree_end(SgfReader *r, const uint8_t *p, int depth) noexcept nogil:
    """Return the end of a tree with `depth` open parentheses before `p`, NULL if it has none."""
    cdef const uint8_t *stop
    while p < r.stop:
        if p[0] == b'[':
            stop = value_end(r, p + 1, True)
            if stop == NULL:
                return NULL
            p = stop
        elif p[0] == b'(':
            depth += 1
        elif p[0] == b')':
            depth -= 1
            if depth <= 0:
                return p + 1
        p += 1
    return NULL


cdef inline const uint8_t *read_branch(SgfReader *r, SgfRecord *g, const uint8_t *p) noexcept nogil:
    """Store a branch that is not the mainline; return its end, NULL at a fault."""
    cdef const uint8_t *stop = tree_end(r, p, 0)
    if stop == NULL:
        fail_at(r, g, SGF_OPEN_TREE, p)
        return NULL
    add_annotation(r, SGF_BRANCH, <uint32_t>(p - r.base), <uint32_t>(stop - p))
    if not r.out.out_of_memory:
        r.out.annotations[r.out.annotation_count - 1].ply = r.branch_ply[r.depth]
        r.out.annotations[r.out.annotation_count - 1].before = r.branch_before[r.depth]
        g.has_branches = True
    return stop


cdef inline bint is_second_root(
    const SgfReader *r, const SgfRecord *g, const uint8_t *p
) noexcept nogil:
    """Return whether the nodes so far are empty, and the node at `p` has the root properties."""
    return (
        r.out.property_count == g.first_property
        and r.out.annotation_count == g.first_annotation
        and r.out.move_count == g.first_move
        and sgf_is_root_name(sgf_skip_blanks(p + 1, r.stop), r.stop)
    )


cdef inline const uint8_t *read_tree(SgfReader *r, SgfRecord *g, const uint8_t *p) noexcept nogil:
    """Parse a record from its "("; return its end, NULL at a fault.

    A record without "(" ends with the matching ")", or with its text.
    """
    cdef bint in_mainline = True
    cdef bint is_bare = p < r.stop and p[0] != b'('
    r.depth = is_bare
    r.in_root = True
    while not r.out.out_of_memory:
        p = sgf_skip_blanks(p, r.stop)
        if p == r.stop and is_bare and r.depth == 1:
            r.saw_end = True
            return p
        if p == r.stop:
            fail_at(r, g, SGF_OPEN_TREE, p)
            return NULL
        if p[0] == b')':
            in_mainline = False
            r.depth -= 1
            p += 1
            if r.depth == 0:
                return p
        elif p[0] == b'(' and not in_mainline:
            p = read_branch(r, g, p)
        elif p[0] == b'(' and r.depth == MOST_BRANCHES:
            fail_at(r, g, SGF_TOO_DEEP, p)
            return NULL
        elif p[0] == b'(':
            r.branch_before[r.depth] = <uint32_t>(r.out.annotation_count - g.first_annotation)
            r.branch_ply[r.depth] = <int>(r.out.move_count - g.first_move) - 1
            r.depth += 1
            p += 1
        elif in_mainline and (p[0] == b';' or (r.in_root and sgf_is_letter(p[0]))):
            r.in_root = r.in_root or is_second_root(r, g, p)
            p = read_node(r, g, p)
        else:
            fail_at(r, g, SGF_STRAY, p)
            return NULL
        if p == NULL:
            return NULL
    return NULL


cdef inline const uint8_t *end_after_fault(SgfReader *r, const SgfRecord *g) noexcept nogil:
    """Return where the text of a faulty record ends: at another record or where its tree closes."""
    cdef const uint8_t *closed
    if g.fault == SGF_OPEN_VALUE:
        return r.stop
    closed = tree_end(r, r.base + g.fault_at, r.depth)
    return r.stop if closed == NULL else closed


# --- a record -----------------------------------------------------------------------------------

cdef inline void find_keys(SgfReader *r, SgfRecord *g) noexcept nogil:
    if not sgf_reserve(
        &r.out, <void **>&r.out.message, &r.out.message_capacity,
        go_message_bytes(g.start_length, g.move_count), 1,
    ):
        return
    go_keys(
        r.out.letters + g.first_letter, g.start_length, r.out.moves + g.first_move, g.move_count,
        r.out.message, r.use_ni, &g.keys,
    )


cdef inline const uint8_t *read_record(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Parse a record from its "(", or its ";" or first name if that is missing; return its end.

    Returns r.end if the end is not in the text.
    """
    cdef const uint8_t *stop
    cdef const uint8_t *root = p       # its first name
    while root < r.end and (root[0] == b'(' or root[0] == b';' or sgf_is_blank(root[0])):
        root += 1
    memset(g, 0, sizeof(SgfRecord))
    g.start = <uint32_t>(p - r.base)
    g.first_property = <uint32_t>r.out.property_count
    g.first_annotation = <uint32_t>r.out.annotation_count
    g.first_move = <uint32_t>r.out.move_count
    r.saw_end = False
    limit_record(r, root)
    find_charset(r, root, g)
    g.double_byte = <uint8_t>r.double_byte
    read_root_setup(r, root, g)
    stop = read_tree(r, g, p)
    if stop == NULL:
        stop = end_after_fault(r, g)
    if r.stop < r.end:
        r.saw_end = False              # another record follows, whatever comes after it
    g.end = <uint32_t>(stop - r.base)
    g.property_count = <uint32_t>r.out.property_count - g.first_property
    g.annotation_count = <uint32_t>r.out.annotation_count - g.first_annotation
    g.move_count = <uint32_t>r.out.move_count - g.first_move
    write_start(r, g)
    if not r.out.out_of_memory:
        find_keys(r, g)
    return stop


cdef inline void forget_record(SgfReader *r, const SgfRecord *g) noexcept nogil:
    """Remove the last record, to parse it again with more text."""
    r.out.property_count = g.first_property
    r.out.annotation_count = g.first_annotation
    r.out.move_count = g.first_move
    r.out.letter_count = g.first_letter
    r.out.game_count -= 1
