/* Spellings of results, in the Result tag and at the end of the moves. */
#ifndef OCG_RESULT_TABLE_H
#define OCG_RESULT_TABLE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    OCG_RESULT_CODE = 7,     /* bits of a Termination, or OCG_BOTH_LOST */
    OCG_BOTH_LOST = 5,       /* PGN has no value for it */
    OCG_IS_SIGN = 8,         /* also an evaluation of the last move, or castling */
    OCG_UNCLEAR_TAG = 16,    /* also an evaluation in the tag of a game with moves */
    OCG_IS_FORFEIT = 32      /* the score is followed by a mark such as "ff" */
};

/* Without blanks, in small letters, with "-" for a dash, and for a colon if there is no plus. */
static const struct { const char *text; int code; } OCG_RESULTS[] = {
    {"1-0", 1}, {"0-1", 2}, {"1/2-1/2", 3}, {"1/2", 3}, {"*", 4}, {"?", 4},
    {"1-o", 1}, {"o-1", 2}, {"1f-0", 1}, {"0f-1", 2}, {"+:-", 1}, {"-:+", 2},
    {"+-", 1 | OCG_IS_SIGN}, {"-+", 2 | OCG_IS_SIGN},
    {"+--", 1 | OCG_IS_SIGN}, {"--+", 2 | OCG_IS_SIGN},
    {"+/-", 1 | OCG_IS_SIGN | OCG_UNCLEAR_TAG}, {"-/+", 2 | OCG_IS_SIGN | OCG_UNCLEAR_TAG},
    {"=", 3 | OCG_IS_SIGN | OCG_UNCLEAR_TAG}, {"=-=", 3}, {"=:=", 3},
    {"0-0", OCG_BOTH_LOST | OCG_IS_SIGN}, {"0f-0", OCG_BOTH_LOST},
    {"-/-", OCG_BOTH_LOST | OCG_IS_SIGN}, {"---", OCG_BOTH_LOST | OCG_IS_SIGN},
    {"whitewins", 1}, {"whitewon", 1}, {"whitewinsbyforfeit", 1}, {"whitewonbyforfeit", 1},
    {"blackwins", 2}, {"blackwon", 2}, {"blackwinsbyforfeit", 2}, {"blackwonbyforfeit", 2},
    {"whiteresigns", 2}, {"whiteresigned", 2}, {"blackresigns", 1}, {"blackresigned", 1},
    {"draw", 3}, {"drawn", 3}, {"remis", 3}, {"remise", 3}, {"tablas", 3}, {"patta", 3},
    {"nulle", 3}, {"\xD0\xBD\xD0\xB8\xD1\x87\xD1\x8C\xD1\x8F", 3},
    {"\xD0\x9D\xD0\xB8\xD1\x87\xD1\x8C\xD1\x8F", 3},
};

/* Marks behind a score: one side did not play. */
static const char *const OCG_FORFEITS[] = {
    "f", "ff", "wo", "w.o", "w.o.", "wo.", "w0", "w.0.", "w/o", "forfeit", "forfait", "forf",
    "forf.", "kampflos", "default",
};

enum { OCG_MOST_RESULT = 60 };   /* bytes without blanks; a longer text is not a result */

static int ocg_is_half(const uint8_t *p, const uint8_t *end) {
    return end - p >= 2 && (p[0] == '.' || p[0] == ',') && p[1] == '5';
}

/* Return whether a hyphen, a dash or a minus sign of Unicode, three bytes of UTF-8, is at `p`. */
static int ocg_is_unicode_dash(const uint8_t *p) {
    return p[0] == 0xE2 && ((p[1] == 0x80 && p[2] >= 0x90 && p[2] <= 0x95)
                            || (p[1] == 0x88 && p[2] == 0x92));
}

/* Write a text in the form of the table; return its length, 0 if it is too long. */
static size_t ocg_squeeze_result(const uint8_t *p, const uint8_t *end, char *out) {
    char *start = out;
    while (p < end) {
        if (out - start > OCG_MOST_RESULT) return 0;
        if (*p <= ' ') {
            p++;
        } else if (end - p >= 3 && ocg_is_unicode_dash(p)) {
            *out++ = '-';
            p += 3;
        } else if (end - p >= 3 && memcmp(p, "\xE2\x81\x84", 3) == 0) {   /* fraction slash */
            *out++ = '/';
            p += 3;
        } else if (end - p >= 2 && p[0] == 0xC2 && p[1] == 0xBD) {
            memcpy(out, "1/2", 3);
            out += 3;
            p += 2;
        } else if (ocg_is_half(p, end) || (*p == '0' && ocg_is_half(p + 1, end))) {
            memcpy(out, "1/2", 3);
            out += 3;
            p += *p == '0' ? 3 : 2;
        } else {
            *out++ = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
            p++;
        }
    }
    return (size_t)(out - start);
}

static int ocg_ends_in_digit(const char *text, size_t length) {
    return length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
}

/* Return the length of the score that a remark follows, `length` if none does. */
static size_t ocg_score_length(const char *text, size_t length, int *flags) {
    size_t i, size, stop, end = length;
    int in_brackets = length > 0 && text[length - 1] == ')';
    end -= in_brackets;
    for (i = 0; i < sizeof OCG_FORFEITS / sizeof OCG_FORFEITS[0]; i++) {
        size = strlen(OCG_FORFEITS[i]);
        if (end <= size + in_brackets || memcmp(text + end - size, OCG_FORFEITS[i], size) != 0)
            continue;
        stop = end - size - in_brackets;
        if (ocg_ends_in_digit(text, stop) && (!in_brackets || text[stop] == '(')) {
            *flags |= OCG_IS_FORFEIT;
            return stop;
        }
    }
    if (!in_brackets) return length;
    for (stop = end; stop > 0 && text[stop - 1] != '('; stop--)
        if (text[stop - 1] == ')' || ocg_ends_in_digit(text, stop)) return length;
    return stop > 0 && ocg_ends_in_digit(text, stop - 1) ? stop - 1 : length;
}

/* Return the code and flags of a text, 0 if it is not a result. */
static int ocg_result_of(const uint8_t *text, size_t length) {
    char squeezed[OCG_MOST_RESULT + 8];
    int flags = 0;
    size_t i, size = ocg_squeeze_result(text, text + length, squeezed);
    size = ocg_score_length(squeezed, size, &flags);
    if (memchr(squeezed, '+', size) == NULL && memchr(squeezed, '=', size) == NULL)
        for (i = 0; i < size; i++)
            if (squeezed[i] == ':') squeezed[i] = '-';
    for (i = 0; i < sizeof OCG_RESULTS / sizeof OCG_RESULTS[0]; i++)
        if (strlen(OCG_RESULTS[i].text) == size
            && memcmp(OCG_RESULTS[i].text, squeezed, size) == 0)
            return OCG_RESULTS[i].code | flags;
    return 0;
}

#endif
