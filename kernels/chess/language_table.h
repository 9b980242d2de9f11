/* Piece letters of the languages in which scores are written, in the order K Q R B N, upper
 * case ASCII; letters outside ASCII are mapped to these five by san_read.pxd. Languages
 * with the same five letters share a row. */
#ifndef OCG_LANGUAGE_TABLE_H
#define OCG_LANGUAGE_TABLE_H
#include "lex_tables.h"

enum {
    OCG_ENGLISH = 0,
    OCG_CYRILLIC = 1,      /* the first of OCG_CYRILLIC_ROWS */
    OCG_CYRILLIC_ROWS = 4,
    OCG_ENGLISH_P = 5,
    OCG_LANGUAGES = 17
};

static const char OCG_PIECE_LETTERS[OCG_LANGUAGES][6] = {
    "KQRBN",    /* English */
    "     ", "     ", "     ", "     ",    /* see OCG_CYRILLIC_LETTERS */
    "KQRBN",    /* English with P before pawn moves; not before others, P is a Dutch knight */
    "KDTLS",    /* German, Danish, Norwegian, Swedish */
    "KDTLP",    /* Dutch */
    "RDTFC",    /* French */
    "RDTAC",    /* Spanish, Italian, Catalan */
    "RDTBC",    /* Portuguese */
    "KHWGS",    /* Polish */
    "KDVSJ",    /* Czech, Slovak */
    "KVBFH",    /* Hungarian */
    "KDTLR",    /* Finnish */
    "RDTNC",    /* Romanian */
    "KDHBR",    /* Icelandic */
};

/* Code points in the order K Q R B N; 0: the king is written with two letters, as in Russian. */
static const unsigned short OCG_CYRILLIC_LETTERS[OCG_CYRILLIC_ROWS][5] = {
    {0, 0x424, 0x41B, 0x421, 0x41A},        /* Russian, Belarusian: Kr F L S K */
    {0, 0x424, 0x422, 0x421, 0x41A},        /* Ukrainian: Kr F T S K */
    {0x426, 0x414, 0x422, 0x41E, 0x41A},    /* Bulgarian: Ts D T O K */
    {0x41A, 0x414, 0x422, 0x41B, 0x421},    /* Serbian, Macedonian: K D T L S */
};

/* Names of pieces after a promotion, in the languages of most files; 2 to 5: knight to queen. */
static const struct { const char *name; int piece; } OCG_PROMOTIONS[] = {
    {"queen", 5}, {"dame", 5}, {"dama", 5}, {"donna", 5}, {"regina", 5}, {"dronning", 5},
    {"rook", 4}, {"turm", 4}, {"tour", 4}, {"torre", 4}, {"toren", 4},
    {"bishop", 3}, {"laufer", 3}, {"laeufer", 3}, {"fou", 3}, {"alfil", 3}, {"alfiere", 3},
    {"loper", 3}, {"bispo", 3},
    {"knight", 2}, {"springer", 2}, {"cavalier", 2}, {"caballo", 2}, {"cavallo", 2}, {"paard", 2},
    {"cavalo", 2},
};

static int ocg_promotion_of(const uint8_t *text, size_t length) {
    for (size_t i = 0; i < sizeof OCG_PROMOTIONS / sizeof OCG_PROMOTIONS[0]; i++)
        if (ocg_is_word(text, length, OCG_PROMOTIONS[i].name)) return OCG_PROMOTIONS[i].piece;
    return 0;
}

/* Null moves as programs write them. */
static int ocg_is_null_move(const uint8_t *text, size_t length) {
    static const char *const words[] = {"--", "z0", "null", "nullmove", "pass", "0000", "@@@@"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ocg_is_word(text, length, words[i])) return 1;
    return 0;
}

#endif
