"""Parse dates, rounds, results, events and sites into numbers, and compare them."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memset

from find_bytes cimport is_study_address, ocg_find
from game_record cimport (
    RESULT_BLACK, RESULT_DRAW, RESULT_UNDECIDED, RESULT_WHITE, EventText, hash_bytes, joined,
)
from thresholds cimport DOUBTFUL_ROUND, MONTH_DAYS, NAMED_ROUND, NEAR_DAYS, YEAR_DAYS

cdef enum:
    DATE_UNKNOWN = 0
    DATE_SAME_DAY = 1
    DATE_NEAR = 2          # up to NEAR_DAYS apart
    DATE_SLIP = 3          # day and month swapped, or one of the three numbers differs
    DATE_SAME_MONTH = 4    # a day is unknown
    DATE_SAME_YEAR = 5     # a month is unknown, or the months are neighbours
    DATE_OTHER_DAY = 6     # up to MONTH_DAYS apart
    DATE_OTHER_MONTH = 7   # up to YEAR_DAYS apart
    DATE_OTHER_YEAR = 8    # in neighbouring years
    DATE_YEARS_APART = 9

cdef enum:
    ROUND_UNKNOWN = 0
    ROUND_SAME = 1
    ROUND_PART = 2         # 3 and 3.2
    ROUND_OTHER = 3

cdef enum:
    TEXT_UNKNOWN = 0
    TEXT_EQUAL = 1         # or one is a prefix of the other
    TEXT_SIMILAR = 2       # half of the words are equal
    TEXT_OTHER = 3
    FIRST_ROUND = 1 << 15      # round 1 in the format of read_round()


cdef extern from *:
    """
    /* Words beside the number of a round, in small letters. */
    static const char *const ocg_round_words[] = {
        "round", "rd", "rnd", "r", "game", "g", "runde", "ronde", "ronda", "partie", "partida",
        "board", "st", "nd", "th",
    };
    """
    enum:
        WORD_COUNT "(sizeof(ocg_round_words) / sizeof(*ocg_round_words))"
    const char *const *ROUND_WORDS "ocg_round_words"


cdef inline int digit(uint8_t letter) noexcept nogil:
    return letter - 48 if 48 <= letter <= 57 else -1


cdef inline int read_digits(const uint8_t *text, int count) noexcept nogil:
    """Return a number of `count` digits, 0 if a character is not a digit."""
    cdef int number = 0, i
    for i in range(count):
        if digit(text[i]) < 0:
            return 0
        number = 10 * number + digit(text[i])
    return number


cdef inline uint32_t read_date(const uint8_t *text, size_t length) noexcept nogil:
    """Read "YYYY.MM.DD" with "?" for unknown parts; return 0 without a year."""
    cdef uint32_t year, month, day
    if length < 10:
        return 0
    year = read_digits(text, 4)
    month = read_digits(text + 5, 2)
    day = read_digits(text + 8, 2)
    if year == 0:
        return 0
    if not 1 <= month <= 12:
        month = day = 0
    if day > 31:
        day = 0
    return year << 9 | month << 5 | day


cdef inline int day_number(uint32_t date) noexcept nogil:
    """Return the day number of a full date, counted from about the year 0.

    Days of the civil calendar: H. Hinnant, "chrono-compatible low-level date algorithms".
    """
    cdef int year = date >> 9, month = date >> 5 & 15, day = date & 31
    cdef int era_year, day_of_year
    if month <= 2:
        year -= 1
    era_year = year % 400
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return year // 400 * 146097 + era_year * 365 + era_year // 4 - era_year // 100 + day_of_year


cdef inline int compare_full_dates(uint32_t a, uint32_t b) noexcept nogil:
    cdef int days = day_number(a) - day_number(b)
    cdef bint same_year = a >> 9 == b >> 9
    cdef bint same_month = (a >> 5 & 15) == (b >> 5 & 15)
    cdef bint same_day = (a & 31) == (b & 31)
    if days < 0:
        days = -days
    if days == 0:
        return DATE_SAME_DAY
    if days <= NEAR_DAYS:
        return DATE_NEAR
    if same_month and same_day and days <= YEAR_DAYS:
        return DATE_SLIP
    if same_year and (a >> 5 & 15) == (b & 31) and (b >> 5 & 15) == (a & 31):
        return DATE_SLIP
    if days <= MONTH_DAYS:
        return DATE_OTHER_DAY
    if days <= YEAR_DAYS:
        return DATE_OTHER_MONTH
    return DATE_YEARS_APART


cdef inline int compare_dates(uint32_t a, uint32_t b) noexcept nogil:
    """Compare two dates as far as both are known; return DATE_...."""
    cdef int years = <int>(a >> 9) - <int>(b >> 9)
    cdef int months
    if a == 0 or b == 0:
        return DATE_UNKNOWN
    if a & 31 and b & 31:
        return compare_full_dates(a, b)
    if years < 0:
        years = -years
    if years:
        return DATE_OTHER_YEAR if years == 1 else DATE_YEARS_APART
    if not (a >> 5 & 15 and b >> 5 & 15):
        return DATE_SAME_YEAR
    months = <int>(a >> 5 & 15) - <int>(b >> 5 & 15)
    if months == 0:
        return DATE_SAME_MONTH
    return DATE_SAME_YEAR if months == 1 or months == -1 else DATE_OTHER_MONTH


cdef inline bint is_word(const uint8_t *text, size_t length, const char *word) noexcept nogil:
    """Return whether a text is a word in small letters, in any case."""
    cdef size_t i
    for i in range(length):
        if text[i] | 32 != word[i]:
            return False
    return word[length] == 0


cdef inline size_t word_of_round(const uint8_t *text, size_t length) noexcept nogil:
    """Return the length of a word beside a number: "Round 2", "Game 3", "1st"; else 0."""
    cdef const char *word
    cdef size_t end = 0
    while end < length and b"a" <= text[end] | 32 <= b"z":
        end += 1
    if end == 0:
        return 0
    for word in ROUND_WORDS[:WORD_COUNT]:
        if is_word(text, end, word):
            return end
    return 0


cdef inline bint is_blank_in_round(uint8_t char) noexcept nogil:
    return char == c" " or char == c"?" or char == c"-" or char == c")" or char == c"#"


cdef inline uint32_t read_round(const uint8_t *text, size_t length) noexcept nogil:
    """Read "7", "7.2", "7(2)", "Game 7" (16 bits for the round, 15 for the board or game in it).

    Both count from 1. Return 0 for an unknown round. Other texts become a hash with the highest bit
    set.
    """
    cdef uint32_t numbers[2]
    cdef int part = 0, digits = 0          # digits: of this part
    cdef size_t i = 0, word
    cdef bint is_over = False              # the number of this part
    numbers[0] = numbers[1] = 0
    while i < length:
        word = word_of_round(text + i, length - i)
        if digit(text[i]) >= 0 and numbers[part] < 3000 and not is_over:
            numbers[part] = 10 * numbers[part] + digit(text[i])
            digits += 1
        elif part == 0 and digits and (text[i] == c"." or text[i] == c"(" or word):
            part, digits, is_over = 1, 0, False
        elif part and text[i] == c".":
            break                                              # 3.2.1
        elif word or is_blank_in_round(text[i]):
            is_over = digits > 0
        else:                              # "3-2" is not a number
            return NAMED_ROUND | <uint32_t>hash_bytes(text, length) & ~<uint32_t>DOUBTFUL_ROUND
        i += max(word, 1)
        if word and i < length and text[i] == c".":
            i += 1                                             # Rd.3
    return numbers[0] << 15 | numbers[1]


cdef inline int compare_rounds(uint32_t a, uint32_t b) noexcept nogil:
    if a == 0 or b == 0 or (a | b) & DOUBTFUL_ROUND:
        return ROUND_UNKNOWN
    if a == b:
        return ROUND_SAME
    if (a | b) & NAMED_ROUND:
        # "Final" and "7": named and numbered rounds are not comparable.
        return ROUND_OTHER if a & b & NAMED_ROUND else ROUND_UNKNOWN
    if a >> 15 == b >> 15 and not ((a & 0x7FFF) and (b & 0x7FFF)):
        return ROUND_PART
    return ROUND_OTHER


cdef inline uint8_t read_result(const uint8_t *text, size_t length) noexcept nogil:
    if length < 3:
        return RESULT_UNDECIDED
    if text[1] == 47:          # 1/2-1/2
        return RESULT_DRAW
    if text[1] == 45:          # 1-0, 0-1
        return RESULT_WHITE if text[0] == 49 else RESULT_BLACK
    return RESULT_UNDECIDED


cdef inline uint8_t plain(uint8_t letter) noexcept nogil:
    """Return a lower-case letter, a digit or a non-ASCII byte; 0 for anything else."""
    if 65 <= letter <= 90:
        return letter + 32
    if 97 <= letter <= 122 or 48 <= letter <= 57 or letter >= 128:
        return letter
    return 0


cdef inline void end_word(EventText *out, uint64_t word, int length, bint named) noexcept nogil:
    cdef int i
    # Short words ("of", "GM") and numbers say little about an event; each word counts once.
    if length >= 3 and named and out.word_count < 6:
        for i in range(out.word_count):
            if out.words[i] == word:
                return
        out.words[out.word_count] = word
        out.word_count += 1


cdef inline void read_event(const uint8_t *text, size_t length, EventText *out) noexcept nogil:
    """Split the text of an event or a site into words."""
    cdef uint64_t word = 0
    cdef int word_length = 0
    cdef bint named = False
    cdef size_t i
    cdef uint8_t letter
    memset(out, 0, sizeof(EventText))
    out.is_study = is_study_address(text, length)
    for i in range(length):
        letter = plain(text[i])
        if letter == 0:
            end_word(out, word, word_length, named)
            word = word_length = 0
            named = False
            continue
        named = named or letter > 57
        word = joined(word, letter)
        word_length += 1
        out.key = joined(out.key, letter)
        if out.letter_count < 24:
            out.letters[out.letter_count] = letter
            out.letter_count += 1
    end_word(out, word, word_length, named)


cdef inline int compare_events(const EventText *a, const EventText *b) noexcept nogil:
    """Compare two texts of events or sites; return TEXT_...."""
    cdef int shorter = min(a.letter_count, b.letter_count)
    cdef int shared = 0, i, k
    if a.key == 0 or b.key == 0:
        return TEXT_UNKNOWN
    if a.key == b.key:
        return TEXT_EQUAL
    if shorter >= 4 and memcmp(a.letters, b.letters, shorter) == 0:
        return TEXT_EQUAL if shorter < 24 else TEXT_SIMILAR
    for i in range(a.word_count):
        for k in range(b.word_count):
            if a.words[i] == b.words[k]:
                shared += 1
                break
    if shared and 2 * shared >= min(a.word_count, b.word_count):
        return TEXT_SIMILAR
    return TEXT_OTHER


cdef inline bint begins_with_name(
    const EventText *event, const uint8_t *tags, size_t length, const char *tag, size_t size
) noexcept nogil:
    """Return whether an event begins with the value of a tag in a JSON object."""
    cdef EventText name
    cdef const char *at = ocg_find(tags, length, tag, size)
    cdef const char *end
    if at == NULL:
        return False
    at += size
    end = <const char *>memchr(at, b'"', tags + length - <const uint8_t *>at)
    if end == NULL:
        return False
    read_event(<const uint8_t *>at, end - at, &name)
    return 0 < name.letter_count <= event.letter_count and memcmp(
        event.letters, name.letters, name.letter_count
    ) == 0


cdef inline bint is_study_name(
    const EventText *event, const uint8_t *tags, size_t length
) noexcept nogil:
    """Return whether an event is the name of a study or of its chapter, according to other tags.

    Lichess writes "Study: Chapter" for Event if the chapter has no event.
    """
    return begins_with_name(event, tags, length, b'"StudyName":"', 13) or begins_with_name(
        event, tags, length, b'"ChapterName":"', 15
    )
