"""One game record of SGF: root, mainline, notes, start, keys; and what to do about faults.

The mainline is the first branch everywhere. A record is read up to the first fault; its text ends
where its last parenthesis closes, or where another record must begin.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memset

from go_board cimport (
    GO_BLACK_STONE, GO_COLOUR, GO_EMPTY, GO_MOST_LINES, GO_PASS, GO_USUAL_LINES, GO_WHITE_STONE,
    GoBoard, go_clear, go_on_board, go_place, go_point_of, go_put,
)
from go_keys cimport go_keys, go_message_room
from sgf_lex cimport (
    AB, AE, AW, B, C, GC, GM, SZ, W, sgf_code, sgf_hard_start, sgf_is_blank, sgf_is_hard_start,
    sgf_is_letter, sgf_missing_end, sgf_name_end, sgf_plain_end, sgf_skip_blanks, sgf_value_end,
)
from sgf_records cimport (
    SGF_ACCEPTED, SGF_BRANCH, SGF_CHINESE, SGF_COMMENT, SGF_NARROW, SGF_NODE, SGF_NO_POINT,
    SGF_NO_VALUE, SGF_OFF_BOARD, SGF_OPEN_TREE, SGF_OPEN_VALUE, SGF_PROPERTIES, SGF_REJECT_BOARD,
    SGF_REJECT_OTHER_GAME, SGF_SHIFT_JIS, SGF_STRAY, SgfBuffers, SgfNote, SgfProperty, SgfRecord,
    sgf_add_move, sgf_add_note, sgf_add_property, sgf_reserve,
)

cdef enum:
    MOST_DEPTH = 1024          # of branches along the mainline
    CHARSET_WITHIN = 1000      # bytes of a record in which CA is looked for
    PASS_TT = 19 | 19 << 5     # "tt", a pass on boards of up to 19 lines
    START_BYTES = 8 + 4 * 625 + 8
    TAKEN = 0xFFFFFFFF         # code of a property that has become a part of the start

ctypedef struct SgfReader:
    const uint8_t *base
    const uint8_t *end
    SgfBuffers out
    bint use_ni
    bint is_utf8               # the text as a whole: then no letter has a bracket in it
    int usual_wide             # of a record that does not name its charset
    bint saw_end               # more text might change what was read of the record at hand
    # of the record at hand
    int wide
    GoBoard setup
    bint has_setup
    bint in_root
    int depth
    uint32_t[MOST_DEPTH] branch_before     # note, by depth
    int[MOST_DEPTH] branch_ply


cdef inline bint says(const uint8_t *p, const uint8_t *end, const char *word) noexcept nogil:
    """Tell if a text begins with a word, case aside; `word` in small letters."""
    cdef int i = 0
    while word[i]:
        if p + i >= end or (p[i] | 32) != <uint8_t>word[i]:
            return False
        i += 1
    return True


cdef inline int wide_of(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return what a charset that CA names does with brackets."""
    p = sgf_skip_blanks(p, end)
    if says(p, end, b"shift") or says(p, end, b"sjis") or says(p, end, b"cp932"):
        return SGF_SHIFT_JIS
    if says(p, end, b"windows-31j") or says(p, end, b"ms_kanji"):
        return SGF_SHIFT_JIS
    if says(p, end, b"gb") or says(p, end, b"big5") or says(p, end, b"cp936"):
        return SGF_CHINESE
    return SGF_CHINESE if says(p, end, b"cp950") else SGF_NARROW


# --- the root, ahead of reading -----------------------------------------------------------------

cdef inline const uint8_t *first_branch(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the first "(;", of a branch or of the next record, or `end`."""
    while p < end:
        p = <const uint8_t *>memchr(p, 40, end - p)
        if p == NULL:
            return end
        if p + 1 < end and p[1] == 59:
            return p
        p += 1
    return end


cdef inline void find_charset(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find CA near the start of a record: letters before it are not known yet."""
    cdef const uint8_t *end = p + min(r.end - p, CHARSET_WITHIN)
    cdef const uint8_t *stop
    r.wide = SGF_NARROW if r.is_utf8 else r.usual_wide
    p += 1
    end = first_branch(p, end)
    while p + 3 < end:
        p = <const uint8_t *>memchr(p, 67, end - p - 3)        # C
        if p == NULL:
            return
        if p[1] == 65 and p[2] == 91 and not sgf_is_letter((p - 1)[0]):
            stop = sgf_plain_end(p + 3, end, SGF_NARROW)
            if stop != NULL:
                g.charset = <uint32_t>(p + 3 - r.base)
                g.charset_length = <uint32_t>(stop - p - 3)
                if not r.is_utf8:
                    r.wide = wide_of(p + 3, stop)
            return
        p += 1


cdef inline int number_of(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return a number between blanks, "19" or "19:19"; -1 if it is none, or two."""
    cdef int number = 0
    cdef const uint8_t *digits
    p = sgf_skip_blanks(p, end)
    digits = p
    while p < end and 48 <= p[0] <= 57 and number < 10000:
        number = 10 * number + p[0] - 48
        p += 1
    if p == digits:
        return -1
    p = sgf_skip_blanks(p, end)
    if p < end and p[0] == 58:
        return number if number_of(p + 1, end) == number else -1
    return number if p == end else -1


cdef inline const uint8_t *root_end(
    uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Return where a value of the root ends that lacks its bracket, NULL if it has it."""
    if code == C or code == GC:
        return NULL
    return sgf_missing_end(p, stop)


cdef inline void look_at_root(SgfReader *r, const uint8_t *p, SgfRecord *g) noexcept nogil:
    """Find what kind of game it is and the size of its board; `p` is behind the first ";"."""
    cdef const uint8_t *name
    cdef const uint8_t *stop
    cdef const uint8_t *cut
    cdef int lines = GO_USUAL_LINES
    cdef uint32_t code
    while True:
        name = sgf_skip_blanks(p, r.end)
        p = sgf_name_end(name, r.end)
        if p == name:
            break
        code = sgf_code(name, p)
        p = sgf_skip_blanks(p, r.end)
        if p == r.end or p[0] != 91:
            break
        while p < r.end and p[0] == 91:
            stop = sgf_value_end(p + 1, r.end, r.wide, True, &r.saw_end)
            if stop == NULL:
                break
            cut = root_end(code, p + 1, stop)
            if cut != NULL:
                stop = cut
            if code == GM and number_of(p + 1, stop) not in (-1, 1):
                g.rejection = SGF_REJECT_OTHER_GAME
            elif code == SZ and sgf_skip_blanks(p + 1, stop) != stop:
                lines = number_of(p + 1, stop)
            p = sgf_skip_blanks(stop + 1, r.end)
            if cut != NULL:
                break
        if stop == NULL:
            break
    if not 0 < lines <= GO_MOST_LINES:
        if g.rejection == SGF_ACCEPTED:
            g.rejection = SGF_REJECT_BOARD
        lines = GO_USUAL_LINES
    go_clear(&r.setup, lines)
    r.has_setup = False


# --- properties ---------------------------------------------------------------------------------

cdef inline int fail_at(SgfReader *r, SgfRecord *g, int fault, const uint8_t *p) noexcept nogil:
    g.fault = <uint8_t>fault
    g.fault_at = <uint32_t>(p - r.base)
    return -1


cdef inline void trim(const uint8_t **p, const uint8_t **end) noexcept nogil:
    while p[0] < end[0] and sgf_is_blank(p[0][0]):
        p[0] += 1
    while end[0] > p[0] and sgf_is_blank((end[0] - 1)[0]):
        end[0] -= 1


cdef inline int read_move(
    SgfReader *r, SgfRecord *g, uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Add a move; -1 at a fault."""
    cdef const uint8_t *place = p
    cdef uint16_t colour = GO_COLOUR if code == W else 0
    cdef int point
    trim(&p, &stop)
    if p == stop or (stop - p == 4 and says(p, stop, b"pass")):
        sgf_add_move(&r.out, GO_PASS | colour)
        return 0
    if stop - p != 2:
        return fail_at(r, g, SGF_NO_POINT, place)
    point = go_point_of(p)
    if point < 0:
        if sgf_is_letter(p[0]) and sgf_is_letter(p[1]):
            return fail_at(r, g, SGF_OFF_BOARD, place)
        return fail_at(r, g, SGF_NO_POINT, place)
    if point == PASS_TT and r.setup.lines <= GO_USUAL_LINES:
        point = GO_PASS
    elif not go_on_board(r.setup.lines, <uint32_t>point):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    sgf_add_move(&r.out, <uint16_t>point | colour)
    return 0


cdef inline int set_up(
    SgfReader *r, SgfRecord *g, uint32_t code, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Put stones on the start: a point "aa" or a rectangle "aa:cc"; -1 at a fault."""
    cdef const uint8_t *place = p
    cdef uint8_t stone = GO_EMPTY
    cdef int first, last, column, row
    if code == AB:
        stone = GO_BLACK_STONE
    elif code == AW:
        stone = GO_WHITE_STONE
    trim(&p, &stop)
    if p == stop:
        return 0                       # AB[] in some old files
    if stop - p != 2 and (stop - p != 5 or p[2] != 58):
        return fail_at(r, g, SGF_NO_POINT, place)
    first = go_point_of(p)
    last = go_point_of(stop - 2)
    if first < 0 or last < 0:
        return fail_at(r, g, SGF_NO_POINT, place)
    if first == PASS_TT and r.setup.lines <= GO_USUAL_LINES:
        return 0                       # no stone
    if not go_on_board(r.setup.lines, <uint32_t>first):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    if not go_on_board(r.setup.lines, <uint32_t>last):
        return fail_at(r, g, SGF_OFF_BOARD, place)
    for row in range(min(first >> 5, last >> 5), max(first >> 5, last >> 5) + 1):
        for column in range(min(first & 31, last & 31), max(first & 31, last & 31) + 1):
            go_put(&r.setup, <uint32_t>(column | row << 5), stone)
    r.has_setup = True
    return 0


cdef inline bint keeps_as_tag(uint32_t code, uint32_t values) noexcept nogil:
    """Tell if a property of the root says something of the game, not of points on the board."""
    if values != 1:
        return False
    # AR CR DD LB LN MA SL SQ TR TB TW VW FG PM MN N V BM DO IT TE DM GB GW HO UC KO BL WL OB OW
    return not (
        code == 0x5241 or code == 0x5243 or code == 0x4444 or code == 0x424C or code == 0x4E4C
        or code == 0x414D or code == 0x4C53 or code == 0x5153 or code == 0x5254 or code == 0x4254
        or code == 0x5754 or code == 0x5756 or code == 0x4746 or code == 0x4D50 or code == 0x4E4D
        or code == 0x4E or code == 0x56 or code == 0x4D42 or code == 0x4F44 or code == 0x5449
        or code == 0x4554 or code == 0x4D44 or code == 0x4247 or code == 0x5747 or code == 0x4F48
        or code == 0x4355 or code == 0x4F4B or code == 0x4C42 or code == 0x4C57 or code == 0x424F
        or code == 0x574F
    )


cdef inline bint is_points(uint32_t code) noexcept nogil:
    return code == B or code == W or code == AB or code == AW or code == AE


cdef inline void keep_property(SgfReader *r, const SgfProperty *found) noexcept nogil:
    cdef SgfProperty *property = sgf_add_property(&r.out)
    if property != NULL:
        property[0] = found[0]


cdef inline void keep_note(
    SgfReader *r, int kind, uint32_t start, uint32_t length
) noexcept nogil:
    cdef SgfNote *note = sgf_add_note(&r.out)
    if note != NULL:
        note.kind = kind
        note.start = start
        note.length = length
        note.ply = -1
        note.before = 0


cdef inline const uint8_t *read_values(
    SgfReader *r, SgfRecord *g, SgfProperty *found, const uint8_t *p
) noexcept nogil:
    """Read the values of a property; return what is behind them, NULL at a fault.

    Moves and stones of the start are taken at once.
    """
    cdef const uint8_t *stop
    cdef const uint8_t *open_at
    cdef const uint8_t *cut
    cdef bint is_setup = (
        (found.code == AB or found.code == AW or found.code == AE)
        and r.out.move_count == g.first_move
    )
    found.values = 0
    while p < r.end and p[0] == 91:
        p += 1
        stop = sgf_value_end(
            p, r.end, r.wide, not is_points(found.code), &r.saw_end
        )
        open_at = NULL
        if stop != NULL and stop - p > 8:
            open_at = <const uint8_t *>memchr(p, 40, stop - p)
            while open_at != NULL and not sgf_is_hard_start(r.base, open_at, r.end):
                open_at = <const uint8_t *>memchr(open_at + 1, 40, stop - open_at - 1)
        if stop == NULL or open_at != NULL:
            fail_at(r, g, SGF_OPEN_VALUE, p - 1)
            return NULL
        cut = root_end(found.code, p, stop) if r.in_root else NULL
        if cut != NULL:
            stop = cut
        if found.values == 0:
            found.value = <uint32_t>(p - r.base)
            found.value_length = <uint32_t>(stop - p)
        found.values += 1
        if found.code == B or found.code == W:
            if read_move(r, g, found.code, p, stop) < 0:
                return NULL
        elif is_setup and set_up(r, g, found.code, p, stop) < 0:
            return NULL
        elif found.code == C:
            keep_note(r, SGF_COMMENT, <uint32_t>(p - r.base), <uint32_t>(stop - p))
        found.length = <uint32_t>(stop - r.base) - found.start + (cut == NULL)
        p = sgf_skip_blanks(stop + 1, r.end)
        if cut != NULL:
            break
    if is_setup or (found.code == SZ and r.in_root):
        found.code = TAKEN
    return p


cdef inline void close_node(
    SgfReader *r, SgfRecord *g, size_t first_note, size_t first_move
) noexcept nogil:
    """Say which move the notes of a node stand with; a node with a move needs no mark."""
    cdef SgfNote *notes = r.out.notes
    cdef size_t i
    cdef int ply = <int>(r.out.move_count - g.first_move) - 1
    cdef bint is_plain = r.in_root or r.out.move_count > first_move
    for i in range(first_note, r.out.note_count):
        notes[i].ply = ply
    if is_plain and notes[first_note].length > 1:
        notes[first_note].kind = SGF_PROPERTIES
        notes[first_note].start += 1
        notes[first_note].length -= 1
    elif notes[first_note].length == 1 and (is_plain or r.out.note_count == first_note + 1):
        for i in range(first_note + 1, r.out.note_count):
            notes[i - 1] = notes[i]
        r.out.note_count -= 1


cdef inline const uint8_t *read_node(
    SgfReader *r, SgfRecord *g, const uint8_t *p
) noexcept nogil:
    """Read a node of the mainline from its ";"; return what is behind it, NULL at a fault."""
    cdef size_t first_note = r.out.note_count
    cdef size_t first_move = r.out.move_count
    cdef bint is_open = True           # the last note goes on with the next property
    cdef SgfProperty found
    cdef SgfNote *last
    cdef const uint8_t *name
    keep_note(r, SGF_NODE, <uint32_t>(p - r.base), 1)
    p += 1
    while not r.out.out_of_memory:
        p = sgf_skip_blanks(p, r.end)
        if p == r.end or p[0] == 59 or p[0] == 40 or p[0] == 41:
            break
        name = p
        p = sgf_name_end(name, r.end)
        if p == name:
            fail_at(r, g, SGF_STRAY, name)
            p = NULL
            break
        found.name = found.start = <uint32_t>(name - r.base)
        found.name_length = <uint32_t>(p - name)
        found.code = sgf_code(name, p)
        p = sgf_skip_blanks(p, r.end)
        if p == r.end or p[0] != 91:
            fail_at(r, g, SGF_NO_VALUE, name)
            p = NULL
            break
        p = read_values(r, g, &found, p)
        if p == NULL:
            g.fault_at = found.start
            break
        if found.code == B or found.code == W or found.code == C or found.code == TAKEN:
            is_open = False
        elif r.in_root and keeps_as_tag(found.code, found.values):
            keep_property(r, &found)
            is_open = False
        elif is_open:
            last = &r.out.notes[r.out.note_count - 1]
            last.length = found.start + found.length - last.start
        else:
            keep_note(r, SGF_PROPERTIES, found.start, found.length)
            is_open = True
    if r.out.note_count > first_note:
        close_node(r, g, first_note, first_move)
    r.in_root = False
    return p


# --- the tree -----------------------------------------------------------------------------------

cdef inline const uint8_t *tree_end(
    SgfReader *r, const uint8_t *p, const uint8_t *end, int depth
) noexcept nogil:
    """Return the end of a tree with `depth` parentheses open before `p`, NULL if it has none."""
    cdef const uint8_t *stop
    while p < end:
        if p[0] == 91:
            stop = sgf_value_end(p + 1, end, r.wide, True, &r.saw_end)
            if stop == NULL:
                return NULL
            p = stop
        elif p[0] == 40:
            depth += 1
        elif p[0] == 41:
            depth -= 1
            if depth <= 0:
                return p + 1
        p += 1
    return NULL


cdef inline const uint8_t *read_branch(
    SgfReader *r, SgfRecord *g, const uint8_t *p
) noexcept nogil:
    """Keep a branch that is not the mainline; return its end, NULL at a fault."""
    cdef const uint8_t *stop = tree_end(r, p, r.end, 0)
    cdef const uint8_t *other = sgf_hard_start(r.base, p + 1, r.end if stop == NULL else stop)
    if stop == NULL or other < stop:
        fail_at(r, g, SGF_OPEN_TREE, p)
        return NULL
    keep_note(r, SGF_BRANCH, <uint32_t>(p - r.base), <uint32_t>(stop - p))
    if not r.out.out_of_memory:
        r.out.notes[r.out.note_count - 1].ply = r.branch_ply[r.depth]
        r.out.notes[r.out.note_count - 1].before = r.branch_before[r.depth]
        g.has_branches = True
    return stop


cdef inline const uint8_t *read_tree(
    SgfReader *r, SgfRecord *g, const uint8_t *p
) noexcept nogil:
    """Read a record from its "("; return its end, NULL at a fault."""
    cdef bint goes_on = True           # the mainline
    r.depth = 0
    r.in_root = True
    while not r.out.out_of_memory:
        p = sgf_skip_blanks(p, r.end)
        if p == r.end or (r.depth and p[0] == 40 and sgf_is_hard_start(r.base, p, r.end)):
            fail_at(r, g, SGF_OPEN_TREE, p)
            return NULL
        if p[0] == 41:
            goes_on = False
            r.depth -= 1
            p += 1
            if r.depth == 0:
                return p
        elif p[0] == 40 and not goes_on:
            p = read_branch(r, g, p)
        elif p[0] == 40 and r.depth < MOST_DEPTH:
            r.branch_before[r.depth] = <uint32_t>(r.out.note_count - g.first_note)
            r.branch_ply[r.depth] = <int>(r.out.move_count - g.first_move) - 1
            r.depth += 1
            p += 1
        elif p[0] == 59 and goes_on:
            p = read_node(r, g, p)
        else:
            fail_at(r, g, SGF_STRAY, p)
            return NULL
        if p == NULL:
            return NULL
    return NULL


cdef inline const uint8_t *end_after_fault(
    SgfReader *r, const uint8_t *start, const SgfRecord *g
) noexcept nogil:
    """Return where the text of a faulty record ends: at another, or where its tree closes."""
    cdef const uint8_t *fault = r.base + g.fault_at
    cdef const uint8_t *hard = sgf_hard_start(r.base, max(fault, start + 1), r.end)
    cdef const uint8_t *closed
    if g.fault == SGF_OPEN_VALUE:
        return hard
    closed = tree_end(r, fault, hard, r.depth)
    return hard if closed == NULL else closed


# --- start and keys -----------------------------------------------------------------------------

cdef inline uint8_t *write_stones(
    const GoBoard *board, uint8_t stone, uint8_t letter, uint8_t *out
) noexcept nogil:
    cdef bint is_named = False
    cdef int column, row
    for column in range(board.lines):
        for row in range(board.lines):
            if board.stones[go_place(<uint32_t>(column | row << 5))] != stone:
                continue
            if not is_named:
                out[0] = 65
                out[1] = letter
                out += 2
                is_named = True
            out[0] = 91
            out[1] = <uint8_t>(97 + column)
            out[2] = <uint8_t>(97 + row)
            out[3] = 93
            out += 4
    return out


cdef inline void write_start(SgfReader *r, SgfRecord *g) noexcept nogil:
    """Write the start as it is stored (docs/go.md); nothing for the empty board of 19 lines."""
    cdef uint8_t *out
    cdef uint8_t *first
    cdef int lines = r.setup.lines
    g.first_letter = <uint32_t>r.out.letter_count
    g.start_length = 0
    if not sgf_reserve(
        &r.out, <void **>&r.out.letters, &r.out.letter_room, r.out.letter_count + START_BYTES, 1
    ):
        return
    first = out = r.out.letters + r.out.letter_count
    out[0], out[1], out[2] = 83, 90, 91
    out += 3
    if lines > 9:
        out[0] = <uint8_t>(48 + lines // 10)
        out += 1
    out[0] = <uint8_t>(48 + lines % 10)
    out[1] = 93
    out += 2
    if r.has_setup:
        first = out
        out = write_stones(&r.setup, GO_BLACK_STONE, 66, out)
        out = write_stones(&r.setup, GO_WHITE_STONE, 87, out)
        if out == first and lines == GO_USUAL_LINES:
            return
    elif lines == GO_USUAL_LINES:
        return
    g.start_length = <uint32_t>(out - r.out.letters - r.out.letter_count)
    r.out.letter_count += g.start_length


cdef inline void find_keys(SgfReader *r, SgfRecord *g) noexcept nogil:
    if not sgf_reserve(
        &r.out, <void **>&r.out.message, &r.out.message_room,
        go_message_room(g.start_length, g.move_count), 1,
    ):
        return
    go_keys(
        r.out.letters + g.first_letter, g.start_length, r.out.moves + g.first_move, g.move_count,
        r.out.message, r.use_ni, &g.keys,
    )


cdef inline const uint8_t *read_record(
    SgfReader *r, const uint8_t *p, SgfRecord *g
) noexcept nogil:
    """Read a record from its "("; return its end, r.end if that is not in sight."""
    cdef const uint8_t *stop
    memset(g, 0, sizeof(SgfRecord))
    g.start = <uint32_t>(p - r.base)
    g.first_property = <uint32_t>r.out.property_count
    g.first_note = <uint32_t>r.out.note_count
    g.first_move = <uint32_t>r.out.move_count
    r.saw_end = False
    find_charset(r, p, g)
    look_at_root(r, sgf_skip_blanks(p + 1, r.end) + 1, g)
    stop = read_tree(r, g, p)
    if stop == NULL:
        stop = end_after_fault(r, p, g)
    g.end = <uint32_t>(stop - r.base)
    g.property_count = <uint32_t>r.out.property_count - g.first_property
    g.note_count = <uint32_t>r.out.note_count - g.first_note
    g.move_count = <uint32_t>r.out.move_count - g.first_move
    write_start(r, g)
    if not r.out.out_of_memory:
        find_keys(r, g)
    return stop


cdef inline void forget_record(SgfReader *r, const SgfRecord *g) noexcept nogil:
    """Take back the last record, which is to be read again with more text."""
    r.out.property_count = g.first_property
    r.out.note_count = g.first_note
    r.out.move_count = g.first_move
    r.out.letter_count = g.first_letter
    r.out.game_count -= 1
