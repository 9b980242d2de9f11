"""The values of a game that Python must decode, and the rows of faults and rejected texts.

Runs with the GIL. The functions of `odd_values` (see OddValues in the stub) decode values that
are not in standard form. A decoded text is a str of the list `texts`, which must outlive the
values.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr

from game_buffers cimport (
    ACCEPTED, ENCODED_TAGS, FAULT_ILLEGAL, FAULT_POSITION, FAULT_UNREADABLE, HAS_HIGH_BYTES,
    ITEM_LOOSE_VARIATION, ITEM_NAG, ITEM_VARIATION, NO_FAULT, ODD_FEN, REJECT_VARIANT, RESULT_NONE,
    GameRecord, Item, Span, TagRecord, type_of_item,
)
from game_columns cimport (
    TAG_BLACK, TAG_BLACK_ELO, TAG_COUNT, TAG_DATE, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_SITE,
    TAG_VARIANT, TAG_WHITE, TAG_WHITE_ELO,
)
from game_values cimport (
    UNKNOWN_QUALITY, UNKNOWN_RESULT, RowContext, Value, Values, agreed_result, is_extra, is_garbled,
    is_odd_elo, is_plain_annotation, literal, result_code, result_text, take_utc_date, text_at,
)
from pgn_game cimport trimmed
from pgn_lex cimport has_escape, has_escapes
from san_read cimport is_cyrillic, token_end
from sqlite_api cimport OCG_TRANSIENT
from utf8 cimport is_utf8


cdef inline str decode(const uint8_t *p, Py_ssize_t length, charset):
    """Decode as UTF-8; decode invalid UTF-8 by the game's 8-bit charset."""
    if charset is None or is_utf8(p, p + length):
        return PyUnicode_DecodeUTF8(<const char *>p, length, "strict")
    return (<const char *>p)[:length].decode(charset)


cdef inline object game_charset(RowContext *c, const GameRecord *g, odd_values):
    """Return None if the game's text is UTF-8, else its 8-bit charset."""
    cdef const uint8_t *text = c.reader.base + g.start
    cdef Py_ssize_t length = g.end - g.start
    if not g.flags & HAS_HIGH_BYTES or is_utf8(text, text + length):
        return None
    if is_cyrillic(g.language) and memchr(text, 0x98, length) == NULL:
        return "windows-1251"                         # the charset of its piece letters; 98 is free
    return odd_values.charset(PyBytes_FromStringAndSize(<const char *>text, length))


cdef inline str unescaped(str text):
    return text.replace('\\"', '"').replace("\\\\", "\\") if "\\" in text else text


cdef inline str decoded(const Value *text, charset):
    return unescaped(decode(text.at, text.length, charset))


cdef inline int set_text(Value *text, str value, list texts) except -1:
    """Have a text point to the UTF-8 of a str."""
    cdef Py_ssize_t length = 0
    texts.append(value)
    text.at = <const uint8_t *>PyUnicode_AsUTF8AndSize(value, &length)
    text.length = length


cdef inline list extra_tag_list(RowContext *c, const GameRecord *g, charset):
    """Return (name, value) of the tags without a column, in order, repeats included."""
    cdef const uint8_t *base = c.reader.base
    cdef const TagRecord *tag
    cdef uint32_t i
    cdef list pairs = []
    cdef str name, value
    for i in range(g.tag_count):
        tag = c.reader.out.tags + g.first_tag + i
        if is_extra(tag, g):
            name = decode(base + tag.name.start, tag.name.length, "latin-1")
            value = decode(base + tag.value.start, tag.value.length, charset)
            pairs.append((name, unescaped(value) if tag.escaped else value))
    return pairs


cdef inline int decode_date(
    RowContext *c, const GameRecord *g, Values *v, charset, odd_values, dict originals, list texts
) except -1:
    cdef Value *date = &v.tags[TAG_DATE]
    cdef str text
    if v.date_quality != UNKNOWN_QUALITY:
        return 0
    text = decoded(date, charset)
    value, v.date_quality = odd_values.date(text)
    set_text(date, value, texts)
    if value != text:
        originals["OriginalDate"] = text
    if v.date_quality == 0:
        take_utc_date(c.reader, g, v)


cdef inline int decode_result(
    RowContext *c, const GameRecord *g, Values *v, charset, odd_values, dict originals
) except -1:
    """Set the result; odd texts, and a marker that contradicts the tag, are kept as extra tags."""
    cdef Value *result = &v.tags[TAG_RESULT]
    cdef Value read = result[0]
    cdef int code = result_code(result)
    cdef str marker = None
    if g.odd_result.length:
        marker = decode(c.reader.base + g.odd_result.start, g.odd_result.length, charset)
    if code == UNKNOWN_RESULT:
        text = originals["OriginalResult"] = decoded(result, charset)
        if marker == text:
            marker = None
        text = odd_values.result(text, without_moves=g.ply_count == 0 and g.fault == NO_FAULT)
        code = RESULT_NONE
        if text is not None:
            read.at = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, <Py_ssize_t *>&read.length)
            code = result_code(&read)
    v.result = agreed_result(code, g.result)
    if v.result == UNKNOWN_RESULT:
        read = result_text(g.result)
        marker = marker or decode(read.at, read.length, None)
        v.result = code
    if marker is not None:
        originals["MovetextResult"] = marker
    result[0] = result_text(v.result)


cdef inline int decode_values(
    RowContext *c, const GameRecord *g, Values *v, charset, odd_values, list texts
) except -1:
    """Set the values that read_values() could not; `texts` gets the strings they point to."""
    cdef Value *values = v.tags
    cdef Value *text
    cdef dict originals = {}           # extra tags, for text that the columns lose
    cdef int tag
    for tag in range(TAG_COUNT):
        text = &values[tag]
        if tag in (TAG_DATE, TAG_RESULT, TAG_WHITE_ELO, TAG_BLACK_ELO) or text.at == NULL:
            continue
        if charset is not None or memchr(text.at, b'\\', text.length) != NULL:
            set_text(text, decoded(text, charset), texts)
    for tag, elo_tag in ((TAG_WHITE_ELO, "WhiteElo"), (TAG_BLACK_ELO, "BlackElo")):
        if is_odd_elo(&values[tag]):
            originals[elo_tag] = decoded(&values[tag], charset)
    decode_date(c, g, v, charset, odd_values, originals, texts)
    decode_result(c, g, v, charset, odd_values, originals)
    if g.odd_tags & ODD_FEN:
        originals["OriginalFEN"] = decode(values[TAG_FEN].at, values[TAG_FEN].length, None)
        values[TAG_FEN] = literal(NULL, 0)
    for tag, original_tag in (
        (TAG_EVENT, "OriginalEvent"), (TAG_SITE, "OriginalSite"), (TAG_WHITE, "OriginalWhite"),
        (TAG_BLACK, "OriginalBlack"),
    ):
        if values[tag].at != NULL and (g.odd_tags & ENCODED_TAGS or is_garbled(&values[tag])):
            name = decode(values[tag].at, values[tag].length, None)
            repaired = odd_values.name(name)
            if repaired != name:
                originals[original_tag] = name
                set_text(&values[tag], repaired, texts)
    date = decode(values[TAG_DATE].at, values[TAG_DATE].length, None)
    tags, v.date_quality = odd_values.extra_tags(
        extra_tag_list(c, g, charset), originals, date, v.date_quality
    )
    v.extra_bytes = 0
    if tags is not None:
        set_text(&v.extra_tags, tags, texts)
    if charset is not None:
        set_text(&v.charset, charset, texts)
    v.lifetime = OCG_TRANSIENT


cdef inline bint may_be_encoded(const uint8_t *text, size_t length) noexcept nogil:
    return has_escapes(text, text + length) or has_escape(text, text + length, b'%')


cdef inline object decoded_annotation(RowContext *c, const Item *item, charset, odd_values):
    """Return the text of a comment or variation, None if it can be stored as written."""
    cdef const uint8_t *text = c.reader.base + item.start
    cdef str text_of_item
    if type_of_item(item) == ITEM_NAG:
        return None
    if is_plain_annotation(c.reader.base, item) and not may_be_encoded(text, item.length) and (
        charset is None or is_utf8(text, text + item.length)
    ):
        return None
    text_of_item = decode(text, item.length, charset)
    if type_of_item(item) not in (ITEM_VARIATION, ITEM_LOOSE_VARIATION):
        return odd_values.comment(text_of_item.replace("\r\n", "\n").replace("\r", "\n"))
    text_of_item = odd_values.variation(text_of_item)
    if type_of_item(item) == ITEM_LOOSE_VARIATION:
        return "(" + text_of_item.replace("{", "(").replace("}", ")") + ")"
    return text_of_item


cdef inline int64_t line_of(RowContext *c, uint32_t at) noexcept nogil:
    """Return the 1-based line of an offset in the block; offsets must come in rising order."""
    while c.line_at < at:
        if c.reader.base[c.line_at] == b'\n' or (
            c.reader.base[c.line_at] == b'\r' and c.reader.base[c.line_at + 1] != b'\n'
        ):
            c.line += 1
        c.line_at += 1
    return c.line + 1


cdef inline str fault_reason(int fault, token):
    return (                                          # by Fault
        "", f"illegal move {token}", f"ambiguous move {token}", f"unreadable move {token}",
        "comment is never closed", "variation is never closed",
        "the FEN tag is not a legal position", "game is longer than 8 MB",
    )[fault]


cdef inline int append_fault(RowContext *c, const GameRecord *g, charset, list faults) except -1:
    """Append (GameID, Line, Ply, Reason, Rest, SourceNumber) to `faults`."""
    cdef Span rest
    cdef const uint8_t *p = c.reader.base + g.fault_at
    cdef Py_ssize_t size = min(token_end(p) - p, 40, g.end - g.fault_at)
    rest.start = g.fault_at
    rest.length = 0 if g.fault == FAULT_POSITION else g.end - g.fault_at
    rest = trimmed(c.reader.base, rest)
    text = decode(c.reader.base + rest.start, rest.length, charset)
    token = (<const char *>p)[:size].decode("utf-8" if charset is None else charset, "replace")
    faults.append((
        c.game_id, line_of(c, g.fault_at), g.ply_count, fault_reason(g.fault, token), text,
        c.number,
    ))


cdef inline dict reject_variants(RowContext *c, odd_values):
    """Reject the games that a move shows to be of a variant; return its name by their index."""
    cdef const uint8_t *base = c.reader.base
    cdef GameRecord *g
    cdef Value event, fen
    cdef dict names = {}
    cdef size_t i
    for i in range(c.reader.out.game_count):
        g = &c.reader.out.games[i]
        if g.rejection != ACCEPTED or g.values[TAG_VARIANT].length or (
            g.fault != FAULT_ILLEGAL and g.fault != FAULT_UNREADABLE
        ):
            continue
        charset = game_charset(c, g, odd_values)
        event = text_at(base, g.values[TAG_EVENT])
        fen = text_at(base, g.values[TAG_FEN])
        name = odd_values.variant(
            decode(event.at, event.length, charset),
            None if not fen.length or g.odd_tags & ODD_FEN else decode(fen.at, fen.length, charset),
            PyBytes_FromStringAndSize(
                <const char *>(c.reader.out.moves + g.first_move), 2 * <Py_ssize_t>g.ply_count
            ),
            decode(base + g.fault_at, g.end - g.fault_at, charset),
        )
        if name is not None:
            g.rejection = REJECT_VARIANT
            names[i] = name
    return names


cdef inline int append_reject(
    RowContext *c, const GameRecord *g, variant_name, list rejects
) except -1:
    """Append (SourceNumber, SourceOffset, Line, Reason, raw bytes) of a rejected text."""
    cdef const char *text = <const char *>c.reader.base + g.start
    cdef Span variant = g.values[TAG_VARIANT]
    reason = "no game: neither tags nor moves"
    if g.rejection == REJECT_VARIANT:
        name = (<const char *>c.reader.base + variant.start)[:variant.length]
        name = variant_name or name.decode("utf-8", "replace")
        reason = f"variant {name} has other rules than chess"
    rejects.append((
        c.number, c.offset + g.start, line_of(c, g.start), reason,
        PyBytes_FromStringAndSize(text, g.end - g.start),
    ))
