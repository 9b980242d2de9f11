/* Chess variants with other rules, by the names that servers and programs give them: FICS, ICC,
 * Lichess, chess.com, XBoard, PyChess. Games of Chess960, and of shuffled positions with a FEN, are
 * games of chess. */
#ifndef OCG_VARIANT_TABLE_H
#define OCG_VARIANT_TABLE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Letters and digits only, in small letters. */
static const char *const OCG_OTHER_VARIANTS[] = {
    "3check", "3checks", "4player", "alice", "antichess", "asean", "ataxx", "atomic", "berolina",
    "bughouse", "cambodian", "capablanca", "capahouse", "caparandom", "chak", "chennis", "chu",
    "codrus", "courier", "crazyhouse", "cylinder", "dobutsu", "duck", "embassy", "empire",
    "extinction", "fairy", "falcon", "fogofwar", "fourplayer", "giveaway", "gothic", "grand",
    "grandhouse", "great", "horde", "hordechess", "hoppelpoppel", "janggi", "janus", "kingofthehill",
    "knightmate", "koth", "kriegspiel", "kungfu", "losers", "losing", "makruk", "mansindam",
    "minishogi", "orda", "placement", "racingkings", "schess", "seirawan", "shako", "shatranj",
    "shinobi", "shogi", "shouse", "sittuyin", "spartan", "spell", "suicide", "synochess", "threecheck",
    "threechecks", "torpedo", "twokings", "wild9", "wild16", "wild17", "wild23", "wild24", "wild25",
    "wild26", "wild27", "wild28", "xiangqi",
};

/* Return whether a text names a variant, alone or followed by "chess" or "960". */
static int ocg_is_other_variant(const uint8_t *text, size_t length) {
    char name[24];
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = text[i];
        if (c >= 'A' && c <= 'Z') c |= 32;
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) continue;
        if (size == sizeof name - 1) return 0;
        name[size++] = (char)c;
    }
    if (size == 0) return 0;
    name[size] = 0;
    for (size_t i = 0; i < sizeof OCG_OTHER_VARIANTS / sizeof OCG_OTHER_VARIANTS[0]; i++) {
        size_t known = strlen(OCG_OTHER_VARIANTS[i]);
        if (strncmp(name, OCG_OTHER_VARIANTS[i], known) != 0) continue;
        const char *rest = name + known;
        if (!*rest || strcmp(rest, "chess") == 0 || strcmp(rest, "960") == 0) return 1;
    }
    return 0;
}

/* Find the variant in the event that a server gives its games: "FICS rated atomic game", "ICS unrated
 * suicide match". Return its length, 0 if there is none. */
static size_t ocg_variant_of_event(const uint8_t *event, size_t length, size_t *start) {
    size_t end = length > 6 && memcmp(event + length - 6, " match", 6) == 0 ? length - 6
        : length > 5 && memcmp(event + length - 5, " game", 5) == 0 ? length - 5 : 0;
    for (size_t i = 0; i + 6 < end; i++)
        if (memcmp(event + i, "ated ", 5) == 0) {
            *start = i + 5;
            return ocg_is_other_variant(event + *start, end - *start) ? end - *start : 0;
        }
    return 0;
}

#endif
