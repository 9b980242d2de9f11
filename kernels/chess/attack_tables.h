/* Tables of the board: attacks on the empty board, squares between two squares, Zobrist keys by
 * colour and piece type. Each kernel holds its own copy and fills it once, at import, with
 * ocg_fill_tables(). 32 kB of `between` beat magic and PEXT tables (see docs/performance.md). */
#ifndef OCG_ATTACK_TABLES_H
#define OCG_ATTACK_TABLES_H
#include <stdint.h>
#include "zobrist_table.h"

static uint64_t OCG_ATTACKS[7][64];          /* [piece type][square]; pawns have their own table */
static uint64_t OCG_PAWN_ATTACKS[2][64];     /* [colour][square] */
static uint64_t OCG_BETWEEN[64][64];         /* squares strictly between; 0 if not on one line */
static uint64_t OCG_ZOBRIST[2][7][64];       /* [colour][piece type][square]; row NO_PIECE is 0 */
static uint64_t OCG_ZOBRIST_CASTLING[16];    /* by rights: 1 WK, 2 WQ, 4 BK, 8 BQ */
static uint64_t OCG_ZOBRIST_EP[8];           /* by file */
static uint64_t OCG_ZOBRIST_WHITE_TO_MOVE;

static uint64_t ocg_walk(int square, int dx, int dy, int steps) {
    uint64_t reached = 0;
    int x = square & 7, y = square >> 3;
    while (steps--) {
        x += dx; y += dy;
        if (x < 0 || x > 7 || y < 0 || y > 7) break;
        reached |= 1ULL << (y * 8 + x);
    }
    return reached;
}

static void ocg_fill_attacks(int s) {
    static const int lines[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (int i = 0; i < 8; i++) {
        uint64_t line = ocg_walk(s, lines[i][0], lines[i][1], 7);
        OCG_ATTACKS[i < 4 ? 4 : 3][s] |= line;
        OCG_ATTACKS[5][s] |= line;
        OCG_ATTACKS[6][s] |= ocg_walk(s, lines[i][0], lines[i][1], 1);
        OCG_ATTACKS[2][s] |= ocg_walk(s, jumps[i][0], jumps[i][1], 1);
        for (int n = 1, t = s; n < 8; n++) {
            uint64_t reached = ocg_walk(s, lines[i][0], lines[i][1], n);
            t += lines[i][0] + 8 * lines[i][1];
            if (t < 0 || t > 63 || !(reached >> t & 1)) break;
            OCG_BETWEEN[s][t] = reached & ~(1ULL << t);
        }
    }
    OCG_PAWN_ATTACKS[0][s] = ocg_walk(s, 1, 1, 1) | ocg_walk(s, -1, 1, 1);
    OCG_PAWN_ATTACKS[1][s] = ocg_walk(s, 1, -1, 1) | ocg_walk(s, -1, -1, 1);
}

static void ocg_fill_tables(void) {
    if (OCG_ZOBRIST_WHITE_TO_MOVE) return;
    for (int s = 0; s < 64; s++) {
        ocg_fill_attacks(s);
        for (int type = 1; type < 7; type++)      /* Polyglot: black pawn 0, white pawn 1, ... */
            for (int colour = 0; colour < 2; colour++)
                OCG_ZOBRIST[colour][type][s] = OCG_POLYGLOT[64 * (2 * (type - 1) + 1 - colour) + s];
    }
    for (int rights = 0; rights < 16; rights++)
        for (int i = 0; i < 4; i++)
            if (rights >> i & 1) OCG_ZOBRIST_CASTLING[rights] ^= OCG_POLYGLOT[768 + i];
    for (int file = 0; file < 8; file++) OCG_ZOBRIST_EP[file] = OCG_POLYGLOT[772 + file];
    OCG_ZOBRIST_WHITE_TO_MOVE = OCG_POLYGLOT[780];
}

#endif
