/* Signs and words that stand for numeric annotation glyphs (PGN standard 10, and the numbers that
 * ChessBase and others use above 139). Value 0: a sign that adds nothing to the move. */
#ifndef OCG_NAG_TABLE_H
#define OCG_NAG_TABLE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "lex_tables.h"

static const struct { const char *text; int number; } OCG_NAGS[] = {
    {"!", 1}, {"?", 2}, {"!!", 3}, {"??", 4}, {"!?", 5}, {"?!", 6},
    {"\xE2\x80\xBC", 3}, {"\xE2\x81\x87", 4}, {"\xE2\x81\x89", 5}, {"\xE2\x81\x88", 6},
    {"=", 10}, {"==", 10}, {"~", 13}, {"\xE2\x88\x9E", 13},
    {"+=", 14}, {"+/=", 14}, {"\xE2\xA9\xB2", 14}, {"=+", 15}, {"=/+", 15}, {"\xE2\xA9\xB1", 15},
    {"+/-", 16}, {"\xC2\xB1", 16}, {"\xB1", 16}, {"-/+", 17}, {"\xE2\x88\x93", 17},
    {"+-", 18}, {"+--", 18}, {"-+", 19}, {"--+", 19},
    {"+\xE2\x88\x92", 18}, {"+\xE2\x80\x93", 18}, {"\xE2\x88\x92+", 19}, {"\xE2\x80\x93+", 19},
    {"\xE2\x96\xA1", 7}, {"\xE2\xA8\x80", 22}, {"zz", 22},
    {"\xE2\x86\x91", 36}, {"\xE2\x86\x92", 40}, {"\xE2\x87\x86", 132}, {"\xE2\x8A\x95", 138},
    {"\xE2\x88\x86", 140}, {"\xCE\x94", 140}, {"\xE2\x8C\x93", 142}, {"\xE2\x97\x8B", 26},
    {"=/~", 44}, {"N", 146}, {"TN", 146}, {"n", 146}, {"RR", 145}, {"D", 220}, {"diagram", 220},
    {"Diagram", 220},
    {"\xE2\x80\xA0", 0}, {"\xE2\x80\xA1", 0}, {"+", 0}, {"++", 0}, {"#", 0}, {"##", 0},
};

/* Words that add nothing to a move, in small letters, without "." "+" "#" behind them. */
static const char *const OCG_EMPTY_WORDS[] = {
    "e.p", "ep", "en", "passant", "check", "ch", "dis", "dbl", "dis.ch", "dbl.ch", "disch", "dblch",
    "mate", "mat", "matt", "checkmate", "scacco", "schach",
};

static int ocg_nag_of(const uint8_t *text, size_t length) {
    for (size_t i = 0; i < sizeof OCG_NAGS / sizeof OCG_NAGS[0]; i++)
        if (strlen(OCG_NAGS[i].text) == length && memcmp(OCG_NAGS[i].text, text, length) == 0)
            return OCG_NAGS[i].number;
    while (length && strchr(".+#", text[length - 1])) length--;
    for (size_t i = 0; i < sizeof OCG_EMPTY_WORDS / sizeof OCG_EMPTY_WORDS[0]; i++)
        if (ocg_is_word(text, length, OCG_EMPTY_WORDS[i])) return 0;
    return -1;
}

#endif
