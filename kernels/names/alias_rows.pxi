"""Short forms that only one listed player has, written as the listed name is, as rows of SQLite.

Writes plain names; the caller writes all others. Which short forms are unique is in
short_forms.pxd.
"""

from libc.stdint cimport int64_t

from listed_players cimport Span, stripped
from name_form cimport (
    OCG_DOTTED, OCG_DOTTED_TITLE, OCG_FEDERATION, OCG_FOURTH, OCG_GUEST, OCG_JUNIOR, OCG_NOBODY,
    OCG_SENIOR, OCG_THIRD, OCG_TITLE,
)
from name_words cimport is_capital, is_small
from row_insert cimport begin_row, end_row, put_double, put_int, put_text as put_row_text
from sqlite_api cimport OCG_STATIC

cdef enum:
    LONGEST_SURNAME = 200      # bytes of a plain one
    MOST_TOGETHER = 3          # initials; more are separated by spaces

ctypedef struct AliasRow:
    uint32_t person
    uint32_t length            # of the alias
    size_t begin               # in the texts
    double probability

ctypedef struct ListedAliases:
    const AliasRow *rows
    const uint8_t *texts
    const uint64_t *fide_ids   # of persons


def are_together(str initials not None):
    cdef Py_ssize_t size
    cdef const char *text = PyUnicode_AsUTF8AndSize(initials, &size)
    return bool(initials_are_together(<const uint8_t *>text, size))


cdef bint initials_are_together(const uint8_t *initials, Py_ssize_t count) noexcept nogil:
    """Return whether initials look neither like a word, as JR and DR do, nor like a federation."""
    cdef int kinds
    if count > MOST_TOGETHER:
        return False
    kinds = ocg_kind_of_word(initials, <int>count)
    if kinds & OCG_TITLE and not kinds & OCG_DOTTED_TITLE:
        return False
    if kinds & (OCG_SENIOR | OCG_JUNIOR | OCG_THIRD | OCG_FOURTH) and not kinds & OCG_DOTTED:
        return False
    return not kinds & OCG_FEDERATION


cdef int letters_of_plain(Span surname, uint8_t *letters) noexcept nogil:
    """Write the letters of a surname in lower case; return their number.

    Return 0 for a surname in capitals, too long, or with other characters than ASCII.
    """
    cdef bint has_small = False, has_capital = False
    cdef uint8_t letter
    cdef size_t i
    cdef int count = 0
    if surname.length > LONGEST_SURNAME:
        return 0
    for i in range(surname.length):
        letter = surname.at[i]
        if letter >= 0x80:
            return 0
        has_small |= is_small(letter)
        has_capital |= is_capital(letter)
        if letter not in (c" ", c"-", c"'", c"."):
            letters[count] = letter | 0x20 if is_capital(letter) else letter
            count += 1
    return 0 if has_capital and not has_small else count


cdef bint has_these_letters(
    const WordStore *store, const NameWords *name, const uint8_t *letters, size_t count
) noexcept nogil:
    """Return whether the words of a surname have these letters."""
    cdef const StoredWord *word
    cdef int i
    for i in range(name.surname):
        word = &store.words[name.numbers[i]]
        if word.length > count or memcmp(store.letters + word.begin, letters, word.length):
            return False
        letters += word.length
        count -= word.length
    return count == 0


cdef bint is_same_short_form(
    const WordStore *store, const NameWords *name, const NameWords *other
) noexcept nogil:
    """Return whether two names have the same surname and initials, or neither has a short form."""
    cdef bint is_short = name.is_ordered and name.count > name.surname
    cdef int i
    if is_short != (other.is_ordered and other.count > other.surname):
        return False
    if not is_short:
        return True
    if name.surname != other.surname or name.count != other.count:
        return False
    for i in range(name.count):
        if i < name.surname and name.numbers[i] != other.numbers[i]:
            return False
        if store.words[name.numbers[i]].letter != store.words[other.numbers[i]].letter:
            return False
    return True


cdef class AliasRows:
    """Short forms by which one person of a list is meant, in the order of the list."""
    cdef ListedNames listed
    cdef AliasRow *rows
    cdef size_t count, capacity
    cdef uint8_t *texts
    cdef size_t text_bytes, text_capacity

    def __cinit__(
        self, ListedNames listed not None, const uint32_t[::1] person_of not None,
        const double[::1] chances not None, names not None, alias_of not None, double least,
    ):
        cdef int64_t last = -1
        cdef uint32_t entry, person
        cdef uint32_t *first_of
        cdef const uint8_t[::1] text = names[0]
        cdef const uint32_t[::1] begins = names[1], ends = names[2]
        self.listed = listed
        if not person_of.shape[0] == chances.shape[0] == listed.names.count:
            raise ValueError(
                f"{person_of.shape[0]} players and {chances.shape[0]} probabilities "
                f"for {listed.names.count} entries"
            )
        for entry in range(listed.names.count):
            if person_of[entry] >= begins.shape[0]:
                raise ValueError(
                    f"entry {entry} is of person {person_of[entry]} of {begins.shape[0]}"
                )
        first_of = <uint32_t *>allocate_zeros(begins.shape[0], sizeof(uint32_t))
        try:
            self.find_readings(person_of, chances, first_of)
            for entry in range(listed.names.count):
                person = person_of[entry]
                if chances[entry] < 0 or person <= last:
                    continue
                if first_of[person] and first_of[person] != entry + 1:
                    continue
                if self.add_alias(entry, name_of_person(text, begins, ends, person), alias_of):
                    last = person
                    self.end_row(person, chances[entry], least)
        finally:
            free(first_of)

    def __dealloc__(self):
        free(self.rows)
        free(self.texts)

    def __len__(self):
        return self.count

    cdef void find_readings(
        self, const uint32_t[::1] person_of, const double[::1] chances, uint32_t *first_of
    ) noexcept nogil:
        """Set the first entry + 1 of each person whose name has several transliterations.

        The highest number if another person has the short form of one of them.
        """
        cdef NameWords name, first
        cdef uint32_t entry, person
        for entry in range(1, self.listed.names.count):
            person = person_of[entry]
            if person_of[entry - 1] != person:
                continue
            if not first_of[person]:
                first_of[person] = entry       # the one before
            if first_of[person] == 0xFFFFFFFFu or chances[entry] >= 0:
                continue
            name = words_of_entry(&self.listed.names, entry)
            first = words_of_entry(&self.listed.names, first_of[person] - 1)
            if not is_same_short_form(&self.listed.store, &name, &first):
                first_of[person] = 0xFFFFFFFFu

    cdef bint add_alias(self, uint32_t entry, Span name, alias_of) except -1:
        """Write the alias of an entry behind the texts; return False if it has none."""
        cdef Py_ssize_t size
        cdef const char *text
        if self.add_plain(entry, name.at, name.length):
            return True
        alias = alias_of(
            PyUnicode_DecodeUTF8(<const char *>name.at, name.length, "surrogatepass"),
            self.listed.form(entry),
        )
        if alias is None:
            return False
        text = PyUnicode_AsUTF8AndSize(alias, &size)
        self.add_text(<const uint8_t *>text, size)
        return True

    cdef int add_text(self, const uint8_t *text, size_t size) except -1 nogil:
        append_items(
            <void **>&self.texts, &self.text_bytes, &self.text_capacity, <const char *>text, size,
            1,
        )

    cdef bint add_plain(self, uint32_t entry, const uint8_t *text, size_t size) except -1:
        """Write the alias of a name whose surname has its letters in nothing but case and marks."""
        cdef uint8_t[LONGEST_SURNAME] letters
        cdef uint8_t[2 * MOST_WORDS + 2] given
        cdef NameWords name = words_of_entry(&self.listed.names, entry)
        cdef const uint8_t *comma = <const uint8_t *>memchr(text, c",", size)
        cdef Span surname
        cdef int count
        surname.at = text
        surname.length = comma - text if comma != NULL else size
        surname = stripped(surname)
        count = letters_of_plain(surname, letters)
        if not count or not has_these_letters(&self.listed.store, &name, letters, count):
            return False
        if ocg_kind_of_word(letters, count) & (OCG_GUEST | OCG_NOBODY):
            return False
        self.add_text(surname.at, surname.length)
        self.add_text(given, self.write_initials(&name, given))
        return True

    cdef size_t write_initials(self, const NameWords *name, uint8_t *text) noexcept nogil:
        """Write a comma and initials, which are plain letters; return the number of bytes."""
        cdef uint8_t[MOST_WORDS] initials
        cdef int i, count = name.count - name.surname
        cdef bint together
        cdef size_t size = 2
        for i in range(count):
            initials[i] = <uint8_t>self.listed.store.words[name.numbers[name.surname + i]].letter
        together = initials_are_together(initials, count)
        memcpy(text, b", ", 2)
        for i in range(count):
            if i and not together:
                text[size] = c" "
                size += 1
            text[size] = initials[i] & 0xDF
            size += 1
        return size

    cdef int end_row(self, uint32_t person, double probability, double least) except -1:
        """Add the row of the last alias, or forget that alias if it is too doubtful."""
        cdef AliasRow *last = &self.rows[self.count - 1]
        cdef AliasRow row
        row.person = person
        row.begin = last.begin + last.length if self.count else 0
        row.length = <uint32_t>(self.text_bytes - row.begin)
        row.probability = probability
        if probability < least:
            self.text_bytes = row.begin
            return 0
        append_items(
            <void **>&self.rows, &self.count, &self.capacity, <const char *>&row, 1,
            sizeof(AliasRow),
        )

    def rows_of_persons(self):
        cdef size_t i
        return [
            (
                PyUnicode_DecodeUTF8(
                    <const char *>self.texts + self.rows[i].begin, self.rows[i].length, NULL
                ),
                self.rows[i].person, self.rows[i].probability,
            )
            for i in range(self.count)
        ]

    def insert(self, connection, statements, const uint64_t[::1] fide_ids not None):
        cdef ListedAliases aliases
        cdef size_t i, count = 0
        for i in range(self.count):
            if self.rows[i].person >= <size_t>fide_ids.shape[0]:
                raise ValueError(f"no FIDE ID of person {self.rows[i].person}")
            count += fide_ids[self.rows[i].person] != 0
        aliases.rows, aliases.texts = self.rows, self.texts
        aliases.fide_ids = NULL
        if self.count:
            aliases.fide_ids = &fide_ids[0]
        insert_rows(connection, statements, 3, insert_alias, &aliases, self.count, count)


cdef void insert_alias(Inserter *i, const void *items, size_t number) noexcept nogil:
    """Insert FIDE ID, alias and probability, if the person has a FIDE ID."""
    cdef const ListedAliases *aliases = <const ListedAliases *>items
    cdef const AliasRow *row = &aliases.rows[number]
    if aliases.fide_ids[row.person]:
        begin_row(i)
        put_int(i, 0, <int64_t>aliases.fide_ids[row.person])
        put_row_text(i, 1, aliases.texts + row.begin, row.length, OCG_STATIC)
        put_double(i, 2, row.probability)
        end_row(i)
