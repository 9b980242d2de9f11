/* Character classes of PGN movetext, filled once at import. */
#ifndef OCG_LEX_TABLES_H
#define OCG_LEX_TABLES_H
#include <stdint.h>
#include <string.h>

enum {
    OCG_WORD = 0,      /* any other byte: starts a word that is not plain SAN */
    OCG_BLANK = 1,     /* white space, NUL, comma */
    OCG_DIGIT = 2,
    OCG_SAN = 3,       /* a-h K Q R B N O */
    OCG_OPEN_BRACE = 4,
    OCG_OPEN_PAREN = 5,
    OCG_CLOSE = 6,     /* ) ] } " without an opening sign */
    OCG_SEMICOLON = 7,
    OCG_DOLLAR = 8,
    OCG_BRACKET = 9,
    OCG_PERCENT = 10,
    OCG_ANGLE = 11,
    OCG_GLYPH = 12,    /* + - = ! ? # ~ / : evaluation glyphs, null moves */
    OCG_STAR = 13,
    OCG_DOT = 14
};

static uint8_t OCG_CLASS[256];
static uint8_t OCG_ENDS_TOKEN[256];   /* 1 for bytes that end a token */
static uint8_t OCG_ENDS_VALUE[256];   /* 1 for bytes of an odd tag value, or after a value: " \ & % = NUL CR LF */
static uint8_t OCG_PIECE_OF[128];     /* piece type of K Q R B N, 0 for other letters */
static uint16_t OCG_SQUARE_TEXT[64];  /* "a1" ... "h8" as two bytes in memory order */

/* Compare text with a word of small letters and signs, ignoring case. */
static int ocg_is_word(const uint8_t *text, size_t length, const char *word) {
    for (size_t i = 0; i < length; i++) {
        uint8_t c = text[i];
        if (c >= 'A' && c <= 'Z') c |= 32;
        if (!c || c != (uint8_t)word[i]) return 0;
    }
    return word[length] == 0;
}

static void ocg_set_class(const char *chars, uint8_t value) {
    for (; *chars; chars++) OCG_CLASS[(uint8_t)*chars] = value;
}

static void ocg_fill_lex_tables(void) {
    ocg_set_class(" \t\r\n\v\f\x1a,", OCG_BLANK);
    OCG_CLASS[0] = OCG_BLANK;
    ocg_set_class("0123456789", OCG_DIGIT);
    ocg_set_class("abcdefghKQRBNO", OCG_SAN);
    ocg_set_class("{", OCG_OPEN_BRACE);
    ocg_set_class("(", OCG_OPEN_PAREN);
    ocg_set_class(")]}\"", OCG_CLOSE);
    ocg_set_class(";", OCG_SEMICOLON);
    ocg_set_class("$", OCG_DOLLAR);
    ocg_set_class("[", OCG_BRACKET);
    ocg_set_class("%", OCG_PERCENT);
    ocg_set_class("<", OCG_ANGLE);
    ocg_set_class("+-=!?#~/", OCG_GLYPH);
    ocg_set_class("*", OCG_STAR);
    ocg_set_class(".", OCG_DOT);
    for (const char *c = "\"\\&%=\r\n"; *c; c++) OCG_ENDS_VALUE[(uint8_t)*c] = 1;
    OCG_ENDS_VALUE[0] = 1;
    for (int i = 0; i < 5; i++) OCG_PIECE_OF[(uint8_t)"NBRQK"[i]] = (uint8_t)(i + 2);
    for (int c = 0; c < 256; c++)
        OCG_ENDS_TOKEN[c] = c == 0 || strchr(" \t\r\n\v\f\x1a,{}()[];$\"*<", c) != NULL;
    for (int s = 0; s < 64; s++) {
        char text[2] = {(char)('a' + (s & 7)), (char)('1' + (s >> 3))};
        memcpy(&OCG_SQUARE_TEXT[s], text, 2);
    }
}

#endif
