"""Read a block of SGF: Go games, their moves, keys and properties.

`SgfBlock.parse` works without the GIL; `records` makes Python values. Only properties for setup and
moves are interpreted here.
"""

from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_Decode, PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t
from libc.string cimport memset

from memory cimport require_memory
from sgf_game cimport forget_record, read_record
from sgf_lex cimport (
    SgfReader, sgf_begins_bare_game, sgf_begins_game, sgf_begins_root, sgf_is_blank,
    sgf_parenthesis, sgf_skip_blanks,
)
from sgf_records cimport (
    SGF_ACCEPTED, SGF_BRANCH, SGF_COMMENT, SGF_NODE, SGF_NO_FAULT, SGF_NO_POINT, SGF_NO_VALUE,
    SGF_OFF_BOARD, SGF_OPEN_TREE, SGF_OPEN_VALUE, SGF_PROPERTIES, SGF_REJECT_BOARD,
    SGF_REJECT_NO_GAME, SGF_REJECT_OTHER_GAME, SGF_STRAY, SGF_TOO_DEEP, SGF_TOO_LONG, SgfAnnotation,
    SgfProperty, SgfRecord, sgf_add_game, sgf_close,
)
from sgf_root cimport double_byte_of
from utf8 cimport is_utf8


NO_GAME, OTHER_GAME, BOARD = SGF_REJECT_NO_GAME, SGF_REJECT_OTHER_GAME, SGF_REJECT_BOARD
COMMENT, PROPERTIES, NODE, BRANCH = SGF_COMMENT, SGF_PROPERTIES, SGF_NODE, SGF_BRANCH
OFF_BOARD, NO_POINT, OPEN_VALUE = SGF_OFF_BOARD, SGF_NO_POINT, SGF_OPEN_VALUE
NO_VALUE, STRAY, OPEN_TREE = SGF_NO_VALUE, SGF_STRAY, SGF_OPEN_TREE
TOO_LONG, TOO_DEEP = SGF_TOO_LONG, SGF_TOO_DEEP


cdef const uint8_t *next_game(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the next "(" with a ";" or a root property after it, or `end`."""
    p = sgf_parenthesis(p, end)
    while p < end and not (
        sgf_begins_game(p, end) or sgf_begins_root(sgf_skip_blanks(p + 1, end), end)
    ):
        p = sgf_parenthesis(p + 1, end)
    return p


cdef int double_byte_named(charset) except -1:
    """Return the bracket mode of a charset, see DoubleByteCharset."""
    cdef bytes name = charset.encode("ascii", "replace")
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(name)
    return double_byte_of(text, text + PyBytes_GET_SIZE(name))


cdef bint is_remark(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether text between games is parentheses, or lines that begin with "%".

    Files of rejects have such lines.
    """
    while p < end:
        while p < end and (sgf_is_blank(p[0]) or p[0] == b'(' or p[0] == b')'):
            p += 1
        if p < end and p[0] != b'%':
            return False
        while p < end and p[0] != b'\n' and p[0] != b'\r':
            p += 1
    return True


cdef size_t parse_records(SgfReader *r, bint final, bint has_more) noexcept nogil:
    """Parse record after record; return the number of bytes that need not be parsed again."""
    cdef const uint8_t *p = r.base
    cdef const uint8_t *start
    cdef const uint8_t *stop
    cdef SgfRecord *g
    cdef bint is_open
    if r.end - p >= 3 and p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:
        p += 3
    while not r.out.out_of_memory:
        p = sgf_skip_blanks(p, r.end)
        start = p if sgf_begins_bare_game(p, r.end) else next_game(p, r.end)
        if p < start:                          # text between games
            if start == r.end and (not final or (has_more and r.out.game_count)):
                return p - r.base
            if not is_remark(p, start):
                g = sgf_add_game(&r.out)
                if g == NULL:
                    break
                memset(g, 0, sizeof(SgfRecord))
                g.start = <uint32_t>(p - r.base)
                g.end = <uint32_t>(start - r.base)
                g.rejection = SGF_REJECT_NO_GAME
        if start == r.end:
            return r.end - r.base
        g = sgf_add_game(&r.out)
        if g == NULL:
            break
        stop = read_record(r, start, g)
        is_open = r.saw_end or (stop == r.end and g.fault != SGF_NO_FAULT)
        if is_open and (not final or (has_more and r.out.game_count > 1)):
            forget_record(r, g)                # the next block begins with it
            return start - r.base
        if has_more and is_open and g.fault != SGF_NO_FAULT:
            g.fault = SGF_TOO_LONG
        p = stop
    return 0


cdef class SgfBlock:
    """A block of SGF text and its parsed games."""
    cdef SgfReader reader
    cdef bytes text
    cdef Py_ssize_t more       # additional records found when records were parsed again
    cdef Py_ssize_t counted    # offset up to which line ends have been counted
    cdef Py_ssize_t lines      # line ends up to there
    cdef bytes line_end
    cdef readonly size_t consumed
    cdef readonly bint parsed

    def __cinit__(self, bytes text not None, default_charset=None, bint overrides=False):
        """Set the text; `default_charset`: for records that declare none and are not UTF-8."""
        if PyBytes_GET_SIZE(text) > 0x7FFFFFF0:
            raise ValueError(f"block is too large: {len(text)} bytes")
        self.text = text
        self.reader.base = <const uint8_t *>PyBytes_AS_STRING(text)
        self.reader.end = self.reader.base + PyBytes_GET_SIZE(text)
        self.reader.use_ni = USE_SHA_NI
        self.reader.overrides_charset = overrides
        if default_charset is not None:
            self.reader.default_double_byte = double_byte_named(default_charset)

    def __dealloc__(self):
        sgf_close(&self.reader.out)

    def parse(self, bint final, bint has_more=False):
        """Parse all games; return the number of records, rejected ones included."""
        cdef const uint8_t *whole
        if self.parsed:
            raise ValueError("block is already parsed")
        self.parsed = True
        with nogil:
            whole = self.reader.end
            if not final:                      # the last letter may continue in the next block
                while whole > self.reader.base and (whole - 1)[0] & 0xC0 == 0x80:
                    whole -= 1
                if whole > self.reader.base and (whole - 1)[0] >= 0xC0:
                    whole -= 1
            self.reader.is_utf8 = is_utf8(self.reader.base, whole)
            self.consumed = parse_records(&self.reader, final, has_more)
        require_memory(not self.reader.out.out_of_memory)
        return self.reader.out.game_count

    @property
    def game_count(self):
        """Number of records, rejected ones included."""
        return self.reader.out.game_count + self.more

    @property
    def move_count(self):
        """Number of moves of all games."""
        return self.reader.out.move_count

    @property
    def newlines(self):
        """Number of line ends in the consumed part."""
        return self.lines_before(self.consumed)

    def lines_before(self, offset):
        """Return the number of line ends before an offset in the text; quick for rising offsets."""
        if self.line_end is None:
            self.line_end = b"\n" if b"\n" in self.text else b"\r"
        if offset < self.counted:
            self.counted = self.lines = 0
        self.lines += self.text.count(self.line_end, self.counted, offset)
        self.counted = offset
        return self.lines

    def raw(self, start, end):
        """Return bytes of the text."""
        return self.text[start:end]

    def records(self, charset_of not None):
        """Return the records as tuples: see SgfRecord in ocgdedup/sgf/rows.py."""
        cdef size_t i, count = self.reader.out.game_count
        cdef list rows = []
        for i in range(count):
            rows += self.records_of(&self.reader.out.games[i], charset_of)
        self.more = len(rows) - count
        return rows

    cdef list records_of(self, const SgfRecord *g, charset_of):
        """Return a record as one tuple, or several if it was parsed again."""
        cdef const uint16_t *moves = self.reader.out.moves + g.first_move
        cdef const uint8_t *base = self.reader.base
        cdef bytes blob
        cdef Py_ssize_t i
        cdef uint8_t *out
        cdef str start = None
        charset = None
        if g.rejection != SGF_ACCEPTED:
            return [(g.rejection, g.start, g.end, 0, 0, b"", None, (0, 0, 0, 0, 0), None, [], [])]
        if not self.reader.is_utf8 and not is_utf8(base + g.start, base + g.end):
            charset = charset_of(
                self.text[g.charset:g.charset + g.charset_length].decode("latin-1")
                if g.charset_length else None,
                self.text[g.start:g.end],
            )
            if double_byte_named(charset) != g.double_byte:
                return self.read_again(g, charset)
        blob = PyBytes_FromStringAndSize(NULL, 2 * <Py_ssize_t>g.move_count)
        out = <uint8_t *>PyBytes_AS_STRING(blob)
        for i in range(<Py_ssize_t>g.move_count):
            store_move(out, i, moves[i])
        if g.start_length:
            start = PyUnicode_DecodeASCII(
                <const char *>self.reader.out.letters + g.first_letter, g.start_length, NULL
            )
        return [(
            g.rejection, g.start, g.end, g.fault, g.fault_at, blob, start,
            (
                <int64_t>g.keys.mainline_hash, <int64_t>g.keys.final_zobrist,
                <int64_t>g.keys.positions_key, <int64_t>g.keys.sampled_key, g.keys.special,
            ),
            charset, self.properties_of(g, charset), self.annotations_of(g, charset),
        )]

    cdef list read_again(self, const SgfRecord *g, charset):
        """Parse a record again that is not in the charset that it declares.

        Its brackets may then be at other offsets, and it may be two records.
        """
        cdef SgfBlock block = SgfBlock(self.text[g.start:g.end], charset, True)
        block.parse(True)
        return [
            (rejection, begin + g.start, end + g.start, fault, fault_at + g.start, *contents)
            for rejection, begin, end, fault, fault_at, *contents
            in block.records(lambda *_: charset)
        ]

    def letters_of(self, start, end, charset):
        """Decode a range of the text; None is UTF-8."""
        if not 0 <= start <= end <= PyBytes_GET_SIZE(self.text):
            raise ValueError(f"range {start} to {end} is outside the text")
        return self.letters(start, end - start, charset)

    cdef str letters(self, uint32_t start, Py_ssize_t length, charset):
        cdef const char *text = <const char *>self.reader.base + start
        cdef bytes name
        if charset is None:
            return PyUnicode_DecodeUTF8(text, length, "replace")
        name = charset.encode()
        return PyUnicode_Decode(text, length, name, "replace")

    cdef list properties_of(self, const SgfRecord *g, charset):
        """Return (name, value) of the root's properties, as written in the text."""
        cdef const SgfProperty *property
        cdef size_t i
        cdef list pairs = []
        for i in range(g.first_property, g.first_property + g.property_count):
            property = &self.reader.out.properties[i]
            pairs.append((
                self.letters(property.name, property.name_length, None),
                self.letters(property.value, property.value_length, charset),
            ))
        return pairs

    cdef list annotations_of(self, const SgfRecord *g, charset):
        """Return (ply, position, type, text) of the annotations, in the order of the text."""
        cdef const SgfAnnotation *annotation
        cdef size_t i
        cdef bint is_branch
        cdef list order = []
        cdef list placed = []
        cdef dict positions = {}
        for i in range(g.annotation_count):
            annotation = &self.reader.out.annotations[g.first_annotation + i]
            is_branch = annotation.type == SGF_BRANCH
            order.append((annotation.before if is_branch else i, not is_branch, i))
        if g.has_branches:
            order.sort()
        for _, _, i in order:
            annotation = &self.reader.out.annotations[g.first_annotation + i]
            position = positions.get(annotation.ply, 0)
            positions[annotation.ply] = position + 1
            placed.append((
                annotation.ply, position, annotation.type,
                self.letters(annotation.start, annotation.length, charset),
            ))
        return placed
