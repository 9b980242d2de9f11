"""Scan FIDE's rating lists, XML and text in columns, and insert the players into SQLite.

Nothing is guessed: what is not in the plain form of FIDE's files is left to the caller, a record at
a time. Must not know files, and which text is a whole list.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdlib cimport qsort

from listed_players cimport (
    FIELD_BIRTH_YEAR, FIELD_BLITZ, FIELD_COUNTRY, FIELD_FLAG, FIELD_NAME, FIELD_RAPID,
    FIELD_RATING, FIELD_SEX, FIELD_TITLE, MOST_TITLES, MOST_TITLE_BYTES, NO_NUMBER, NUMBER_FIELDS,
    TEXT_FIELDS, PlayerFields, PlayerStore, Span, StoredPlayer, TitleEntry, by_fide_id,
    close_players, find_title, insert_player, plain_rating, set_plain_fields, store_player,
    stripped,
)

cdef enum:
    MOST_ELEMENT_BYTES = 32
    PERIODS = 64               # cached
    MOST_PERIOD_BYTES = 16

cdef enum Scanned:
    PLAIN, ODD_FIELD, NEW_TITLE, NEW_PERIOD, IRREGULAR

# Classes of bytes in a text of XML.
cdef enum:
    IS_END = 1                 # "<" and control characters
    IS_ODD = 2                 # tab, line end, "&", and ">" because of "]]>"
    IS_HIGH = 4                # not ASCII
    IS_IN_TAG = 8

# The tags that are read, in the order of FIDE's lists.
cdef enum:
    XML_ID, XML_NAME, XML_COUNTRY, XML_SEX, XML_TITLE, XML_W_TITLE, XML_RATING, XML_RAPID,
    XML_BLITZ, XML_BIRTHDAY, XML_FLAG, XML_PERIOD, XML_FIELDS

_XML_TAGS = (
    b"fideid", b"name", b"country", b"sex", b"title", b"w_title", b"rating", b"rapid_rating",
    b"blitz_rating", b"birthday", b"flag", b"period",
)
cdef Span[XML_FIELDS] XML_TAGS
cdef uint8_t[256] XML_CLASSES

# The columns of a text list: their order in the argument of add_lines().
cdef enum:
    COLUMN_ID, COLUMN_NAME, COLUMN_COUNTRY, COLUMN_SEX, COLUMN_TITLE, COLUMN_RATING, COLUMN_RAPID,
    COLUMN_BLITZ, COLUMN_BIRTHDAY, COLUMN_FLAG, COLUMNS

ctypedef struct Scan:
    const uint8_t *p
    const uint8_t *end
    size_t lines               # line ends that were passed

ctypedef struct XmlRecord:
    Span[XML_FIELDS + 1] fields    # the last one: of other tags
    uint32_t present           # bits of fields
    uint8_t classes            # of all texts but the name


cdef int fill_xml_tables() except -1:
    cdef int i
    for i in range(XML_FIELDS):
        XML_TAGS[i].at = <const uint8_t *>PyBytes_AS_STRING(_XML_TAGS[i])
        XML_TAGS[i].length = len(_XML_TAGS[i])
    for i in range(256):
        XML_CLASSES[i] = IS_END if i < 0x20 else IS_HIGH if i >= 0x80 else 0
    XML_CLASSES[c"<"] = IS_END
    XML_CLASSES[c"&"] = XML_CLASSES[c">"] = XML_CLASSES[c"\t"] = XML_CLASSES[c"\n"] = IS_ODD
    for i in range(26):
        XML_CLASSES[c"a" + i] = XML_CLASSES[c"A" + i] = IS_IN_TAG
    for i in range(10):
        XML_CLASSES[c"0" + i] = IS_IN_TAG
    XML_CLASSES[c"_"] = IS_IN_TAG

fill_xml_tables()


cdef inline void skip_space(Scan *s) noexcept nogil:
    """Pass the white space between elements; a lone CR is none."""
    while s.p < s.end:
        if s.p[0] == c"\n":
            s.lines += 1
        elif s.p[0] == c"\r":
            if s.end - s.p < 2 or s.p[1] != c"\n":
                return
        elif s.p[0] != c" " and s.p[0] != c"\t":
            return
        s.p += 1


cdef inline bint pass_text(Scan *s, const char *text, size_t length) noexcept nogil:
    """Pass exactly this text, if it follows."""
    if <size_t>(s.end - s.p) < length or memcmp(s.p, text, length):
        return False
    s.p += length
    return True


cdef inline int field_of_tag(const uint8_t *tag, size_t length) noexcept nogil:
    cdef int i
    for i in range(XML_FIELDS):
        if XML_TAGS[i].length == length and not memcmp(tag, XML_TAGS[i].at, length):
            return i
    return XML_FIELDS


cdef inline bint pass_element(Scan *s, XmlRecord *record) noexcept nogil:
    """Read an element of a player, behind its "<"; return False unless it is plain.

    The text ends with a NUL, which ends each loop.
    """
    cdef const uint8_t *tag = s.p
    cdef const uint8_t *text
    cdef uint8_t classes
    cdef size_t length
    cdef int field
    while XML_CLASSES[s.p[0]] & IS_IN_TAG:
        s.p += 1
    length = s.p - tag
    if not 0 < length <= MOST_ELEMENT_BYTES or c"0" <= tag[0] <= c"9" or (
        length == 6 and not memcmp(tag, b"player", 6)
    ):
        return False
    field = field_of_tag(tag, length)
    # The last of equal tags counts; lxml checks all of them.
    classes = IS_ODD if field < XML_FIELDS and record.present >> field & 1 else 0
    record.present |= 1 << field
    record.fields[field].length = 0
    if s.p[0] == c"/" and s.p[1] == c">":
        s.p += 2
        record.classes |= classes
        return True
    if s.p[0] != c">":
        return False
    s.p += 1
    text = s.p
    while not XML_CLASSES[s.p[0]] & IS_END:
        classes |= XML_CLASSES[s.p[0]]
        s.p += 1
    record.fields[field].at = text
    record.fields[field].length = s.p - text
    record.classes |= classes & (IS_ODD if field == XML_NAME else IS_ODD | IS_HIGH)
    return pass_text(s, b"</", 2) and pass_text(s, <const char *>tag, length) and pass_text(
        s, b">", 1
    )


cdef inline bint pass_record(Scan *s, XmlRecord *record) noexcept nogil:
    """Read a <player>; return False unless it is plain XML."""
    memset(record, 0, sizeof(XmlRecord))
    skip_space(s)
    if not pass_text(s, b"<player>", 8):
        return False
    while True:
        skip_space(s)
        if not pass_text(s, b"<", 1):
            return False
        if s.p[0] == c"/":
            return pass_text(s, b"/player>", 8)
        if not pass_element(s, record):
            return False


cdef inline bint set_fields(
    PlayerFields *player, const XmlRecord *record, int rating_field
) noexcept nogil:
    """Set the fields of a player except the title; return False unless all are plain."""
    cdef const Span *fields = record.fields
    player.texts[FIELD_NAME] = fields[XML_NAME]
    player.texts[FIELD_COUNTRY] = fields[XML_COUNTRY]
    player.texts[FIELD_SEX] = fields[XML_SEX]
    player.texts[FIELD_FLAG] = fields[XML_FLAG]
    player.numbers[FIELD_RATING] = plain_rating(fields[XML_RATING])
    player.numbers[FIELD_RAPID] = plain_rating(fields[XML_RAPID])
    player.numbers[FIELD_BLITZ] = plain_rating(fields[XML_BLITZ])
    if rating_field != FIELD_RATING and not record.present & (1 << XML_RAPID | 1 << XML_BLITZ):
        player.numbers[rating_field] = player.numbers[FIELD_RATING]
        player.numbers[FIELD_RATING] = NO_NUMBER
    return set_plain_fields(player, fields[XML_ID], fields[XML_BIRTHDAY])


cdef inline Span column_of(Span line, const Py_ssize_t *column) noexcept nogil:
    """Return a column of a line, which begins and ends at offsets."""
    cdef size_t begin = min(<size_t>column[0], line.length)
    cdef size_t end = min(<size_t>column[1], line.length)
    cdef Span text
    text.at = line.at + begin
    text.length = end - begin if end > begin else 0
    return text


cdef inline bint set_columns(
    PlayerFields *player, Span line, const Py_ssize_t *columns
) noexcept nogil:
    """Set the fields of a player except the title; return False unless all are plain."""
    cdef Span country = stripped(column_of(line, columns + 2 * COLUMN_COUNTRY))
    player.texts[FIELD_NAME] = column_of(line, columns + 2 * COLUMN_NAME)
    player.texts[FIELD_COUNTRY] = country
    player.texts[FIELD_SEX] = column_of(line, columns + 2 * COLUMN_SEX)
    player.texts[FIELD_FLAG] = column_of(line, columns + 2 * COLUMN_FLAG)
    player.numbers[FIELD_RATING] = plain_rating(column_of(line, columns + 2 * COLUMN_RATING))
    player.numbers[FIELD_RAPID] = plain_rating(column_of(line, columns + 2 * COLUMN_RAPID))
    player.numbers[FIELD_BLITZ] = plain_rating(column_of(line, columns + 2 * COLUMN_BLITZ))
    return set_plain_fields(
        player, column_of(line, columns + 2 * COLUMN_ID),
        column_of(line, columns + 2 * COLUMN_BIRTHDAY),
    ) and (country.length == 0 or country.length == 3)


cdef inline Span next_line(const uint8_t *begin, const uint8_t *end) noexcept nogil:
    """Return a line without its end; "\n" or "\r\n" must follow."""
    cdef Span line
    line.at = begin
    line.length = <const uint8_t *>memchr(begin, c"\n", end - begin) - begin
    if line.length and begin[line.length - 1] == c"\r":
        line.length -= 1
    return line


cdef inline bint is_printable(Span text) noexcept nogil:
    """Return whether a text has neither control characters nor other characters than ASCII."""
    cdef bint has_others = False
    cdef size_t i
    for i in range(text.length):
        has_others |= <uint8_t>(text.at[i] - 0x20) >= 0x60
    return not has_others


cdef class ListedPlayers:
    """Players of a rating list, until they are taken or inserted."""
    cdef PlayerStore store
    cdef PlayerFields player   # the last one that was read
    cdef TitleEntry[MOST_TITLES] titles
    cdef int title_count
    cdef uint8_t[MOST_TITLE_BYTES] written     # titles of the last player
    cdef Span written_title
    cdef uint8_t[PERIODS][MOST_PERIOD_BYTES] periods
    cdef Span period           # of the last player
    cdef readonly size_t added

    def __dealloc__(self):
        close_players(&self.store)

    def __len__(self):
        return self.store.count

    cdef int keep_player(self) except -1 nogil:
        store_player(&self.store, &self.player)
        self.added += 1

    def add(self, player not None):
        cdef Py_ssize_t length = 0
        cdef int i
        fide_id, name, country, sex, title, rating, rapid, blitz, birth_year, flag = player
        texts = (name, country, sex, title, flag)
        numbers = (rating, rapid, blitz, birth_year)
        self.player.fide_id = fide_id
        for i in range(TEXT_FIELDS):
            self.player.texts[i].at = <const uint8_t *>PyUnicode_AsUTF8AndSize(texts[i], &length)
            self.player.texts[i].length = length
        for i in range(NUMBER_FIELDS):
            self.player.numbers[i] = NO_NUMBER if numbers[i] is None else numbers[i]
        self.keep_player()

    def take(self):
        cdef size_t i
        players = [stored_fields(&self.store, &self.store.players[i])
                   for i in range(self.store.count)]
        self.store.count = self.store.text_bytes = 0
        return players

    def insert(self, connection, statements):
        cdef size_t count = self.store.count
        qsort(self.store.players, count, sizeof(StoredPlayer), by_fide_id)
        insert_rows(connection, statements, COLUMNS, insert_player, &self.store, count, count)
        self.store.count = self.store.text_bytes = 0

    # --- titles and periods ---

    cdef Scanned find_title(self) noexcept nogil:
        """Set the title of the player from the titles as written."""
        cdef const TitleEntry *entry
        cdef Span *title = &self.player.texts[FIELD_TITLE]
        title.length = 0
        if not self.written_title.length:
            return PLAIN
        entry = find_title(self.titles, self.title_count, &self.written_title)
        if entry == NULL:
            return ODD_FIELD if self.title_count == MOST_TITLES else NEW_TITLE
        title.at = entry.title
        title.length = entry.title_bytes
        return PLAIN

    cdef int learn_title(self, title_of) except -1:
        cdef TitleEntry *entry = &self.titles[self.title_count]
        cdef Span written = self.written_title
        cdef bytes title = title_of((<const char *>written.at)[:written.length].decode()).encode()
        if len(title) > MOST_TITLE_BYTES:
            raise ValueError(f"title is too long: {title}")
        memcpy(entry.written, written.at, written.length)
        memcpy(entry.title, PyBytes_AS_STRING(title), len(title))
        entry.written_bytes = <uint8_t>written.length
        entry.title_bytes = <uint8_t>len(title)
        self.title_count += 1

    cdef uint8_t *period_slot(self) noexcept nogil:
        cdef uint32_t key = 0
        cdef size_t i
        for i in range(self.period.length):
            key = 31 * key + self.period.at[i]
        return self.periods[key % PERIODS]

    cdef bint is_known_period(self) noexcept nogil:
        """Return whether the period was noted; a slot has its length, then the text."""
        cdef const uint8_t *slot = self.period_slot()
        return slot[0] == self.period.length and not memcmp(
            slot + 1, self.period.at, self.period.length
        )

    cdef int learn_period(self, note_period) except -1:
        cdef uint8_t *slot = self.period_slot()
        slot[0] = <uint8_t>self.period.length
        memcpy(slot + 1, self.period.at, self.period.length)
        note_period((<const char *>self.period.at)[:self.period.length].decode())

    # --- XML ---

    cdef Scanned read_record(self, const XmlRecord *record, int rating_field) noexcept nogil:
        """Set the player and its period from a plain record."""
        cdef Span title = record.fields[XML_TITLE], w_title = record.fields[XML_W_TITLE]
        self.period = record.fields[XML_PERIOD]
        if record.classes or title.length + w_title.length >= MOST_TITLE_BYTES:
            return ODD_FIELD
        if self.period.length >= MOST_PERIOD_BYTES:
            return ODD_FIELD
        if not set_fields(&self.player, record, rating_field):
            return ODD_FIELD
        self.written_title.at = self.written
        self.written_title.length = 0
        if title.length or w_title.length:
            memcpy(self.written, title.at, title.length)
            self.written[title.length] = 0
            memcpy(self.written + title.length + 1, w_title.at, w_title.length)
            self.written_title.length = title.length + 1 + w_title.length
        return self.find_title()

    cdef Scanned scan_xml(self, Scan *s, int rating_field, Scan *begin) except? IRREGULAR nogil:
        """Add players up to a record that is not plain; set where that record begins."""
        cdef XmlRecord record
        cdef Scanned status
        while s.p < s.end:
            begin[0] = s[0]
            if not pass_record(s, &record):
                return IRREGULAR
            status = self.read_record(&record, rating_field)
            if status != PLAIN:
                return status
            if self.period.length and not self.is_known_period():
                return NEW_PERIOD
            self.keep_player()
        begin[0] = s[0]
        return PLAIN

    def add_xml(
        self, bytes text not None, Py_ssize_t start, Py_ssize_t end, *, int rating_field, title_of,
        note_period,
    ):
        cdef Scan s, begin
        cdef Scanned status = NEW_TITLE
        cdef const uint8_t *base = <const uint8_t *>PyBytes_AS_STRING(text)
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"{start} to {end} of {len(text)} bytes")
        if not 0 <= rating_field < FIELD_BIRTH_YEAR:
            raise ValueError(f"no such rating: {rating_field}")
        s.p = base + start
        s.end = base + end
        s.lines = 0
        while status in (NEW_TITLE, NEW_PERIOD):
            with nogil:
                status = self.scan_xml(&s, rating_field, &begin)
            if status == NEW_TITLE:
                self.learn_title(title_of)
                s = begin
            elif status == NEW_PERIOD:
                self.learn_period(note_period)
                s = begin
        if status == IRREGULAR:
            s = begin
        return begin.p - base, s.p - base, begin.lines

    # --- text in columns ---

    cdef Scanned read_line(self, Span line, const Py_ssize_t *columns) noexcept nogil:
        """Set the player from a line that is not blank."""
        cdef Span title = stripped(column_of(line, columns + 2 * COLUMN_TITLE))
        if not is_printable(line) or title.length > MOST_TITLE_BYTES:
            return ODD_FIELD
        if not set_columns(&self.player, line, columns):
            return ODD_FIELD
        self.written_title = title
        return self.find_title()

    cdef Scanned scan_lines(
        self, Scan *s, size_t *most, const Py_ssize_t *columns, Span *line
    ) except? IRREGULAR nogil:
        """Add up to `most` players, up to a line that is not plain; set that line."""
        cdef Scanned status
        while s.p < s.end and most[0]:
            line[0] = next_line(s.p, s.end)
            if stripped(line[0]).length:
                status = self.read_line(line[0], columns)
                if status != PLAIN:
                    return status
                self.keep_player()
                most[0] -= 1
            s.p = <const uint8_t *>memchr(line.at, c"\n", s.end - line.at) + 1
            s.lines += 1
        return PLAIN

    def add_lines(
        self, bytes text not None, Py_ssize_t start, columns not None, *, size_t most, title_of,
    ):
        cdef Py_ssize_t[2 * COLUMNS] offsets
        cdef Scan s
        cdef Span line
        cdef Scanned status = NEW_TITLE
        cdef int i
        cdef const uint8_t *base = <const uint8_t *>PyBytes_AS_STRING(text)
        if not 0 <= start <= len(text) or (text and not text.endswith(b"\n")):
            raise ValueError("not whole lines, or a start that is not in the text")
        if len(columns) != COLUMNS:
            raise ValueError(f"{len(columns)} columns, {COLUMNS} are needed")
        for i in range(COLUMNS):
            offsets[2 * i], offsets[2 * i + 1] = columns[i]
            if offsets[2 * i] < 0 or offsets[2 * i + 1] < 0:
                raise ValueError(f"negative offset of a column: {columns[i]}")
        s.p = base + start
        s.end = base + len(text)
        s.lines = 0
        while status == NEW_TITLE:
            with nogil:
                status = self.scan_lines(&s, &most, offsets, &line)
            if status == NEW_TITLE:
                self.learn_title(title_of)
        start = s.p - base
        return start, start if status == PLAIN else text.index(b"\n", start) + 1, s.lines


cdef tuple stored_fields(const PlayerStore *store, const StoredPlayer *player):
    """Return the fields in the order of FidePlayer."""
    cdef const char *text = <const char *>store.texts + player.texts
    cdef int i
    texts = []
    for i in range(TEXT_FIELDS):
        texts.append(PyUnicode_DecodeUTF8(text, player.lengths[i], NULL))
        text += player.lengths[i]
    numbers = [None if player.numbers[i] == NO_NUMBER else player.numbers[i]
               for i in range(NUMBER_FIELDS)]
    return (player.fide_id, *texts[:FIELD_FLAG], *numbers, texts[FIELD_FLAG])


def distinct_texts(const uint8_t[::1] text not None, const uint32_t[::1] ends not None):
    cdef WordStore store
    cdef uint32_t[::1] to
    cdef uint32_t begin = 0
    cdef const StoredWord *word
    cdef bint is_new
    cdef Py_ssize_t i
    numbers = array.array("I", bytes(4 * ends.shape[0]))
    to = numbers
    memset(&store, 0, sizeof(WordStore))
    open_words(&store)
    try:
        for i in range(ends.shape[0]):
            if not begin <= ends[i] <= text.shape[0]:
                raise ValueError(f"text {begin} to {ends[i]} of {text.shape[0]} bytes")
            to[i] = add_word(
                &store, &text[begin] if begin < ends[i] else <const uint8_t *>b"",
                ends[i] - begin, &is_new,
            ) - 1
            begin = ends[i]
        texts = []
        for i in range(store.count):
            word = &store.words[i]
            texts.append((<char *>store.letters)[word.begin:word.begin + word.length])
        return numbers, texts
    finally:
        close_words(&store)
