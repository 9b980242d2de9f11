/* Piece letters of the languages in which scores are written, in the order K Q R B N, upper
 * case ASCII; letters outside ASCII are mapped to these five by san_read.pxd. Languages
 * with the same five letters share a row. */
#ifndef OCG_LANGUAGE_TABLE_H
#define OCG_LANGUAGE_TABLE_H

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

#endif
