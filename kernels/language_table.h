/* Piece letters of the languages in which scores are written, in the order K Q R B N, upper
 * case ASCII; letters outside ASCII are mapped to these five by san_tolerant.pxd. Languages
 * with the same five letters share a row. */
#ifndef OCG_LANGUAGE_TABLE_H
#define OCG_LANGUAGE_TABLE_H

enum { OCG_ENGLISH = 0, OCG_CYRILLIC = 1, OCG_ENGLISH_P = 2, OCG_LANGUAGES = 14 };

static const char OCG_PIECE_LETTERS[OCG_LANGUAGES][6] = {
    "KQRBN",    /* English */
    "     ",    /* Russian: see cyrillic_piece() */
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

#endif
