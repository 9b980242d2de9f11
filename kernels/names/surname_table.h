/* Surnames of Korea and China that are one in several Latin spellings: a group each.

   Of Korean ones, those of ocgdedup/matching/names/hangul.py, which names its sources; of Chinese
   ones, pinyin and Wade-Giles of common surnames. A spelling of two surnames joins their groups:
   Chang is Jang or Zhang. tests/kernels/test_player_names.py holds both tables together. */
#ifndef OCG_SURNAME_TABLE_H
#define OCG_SURNAME_TABLE_H
#include "compiler.h"
#include <string.h>

enum { OCG_SPELLING_BYTES = 9 };
static const struct { char text[OCG_SPELLING_BYTES]; uint8_t group; } OCG_SURNAMES[] = {
    {"ahn", 1}, {"an", 1},
    {"back", 2}, {"baek", 2}, {"baik", 2}, {"paek", 2}, {"paik", 2},
    {"bae", 3}, {"bai", 3}, {"pae", 3}, {"pai", 3},
    {"bahn", 4}, {"ban", 4}, {"pahn", 4}, {"pan", 4},
    {"bak", 5}, {"pak", 5}, {"park", 5},
    {"bang", 6}, {"pang", 6},
    {"bao", 7}, {"pao", 7},
    {"bok", 8}, {"pok", 8},
    {"boo", 9}, {"bu", 9}, {"pu", 9},
    {"byeon", 10}, {"byon", 10}, {"byun", 10}, {"pyon", 10},
    {"cai", 11}, {"tsai", 11},
    {"cao", 12}, {"tsao", 12},
    {"chang", 13}, {"jang", 13}, {"zhang", 13},
    {"chao", 14}, {"zhao", 14},
    {"chee", 15}, {"chi", 15}, {"jee", 15}, {"ji", 15},
    {"chegal", 16}, {"jegal", 16}, {"jekal", 16},
    {"cheng", 17}, {"zheng", 17},
    {"cheon", 18}, {"chon", 18}, {"chun", 18}, {"jeon", 18}, {"jun", 18},
    {"cheong", 19}, {"chong", 19}, {"chung", 19}, {"jeong", 19}, {"jong", 19}, {"joong", 19},
    {"joung", 19}, {"jung", 19},
    {"chiang", 20}, {"jiang", 20},
    {"chien", 21}, {"qian", 21},
    {"chin", 22}, {"jin", 22},
    {"chiu", 23}, {"qiu", 23},
    {"cho", 24}, {"jo", 24}, {"joh", 24},
    {"choe", 25}, {"choi", 25},
    {"choo", 26}, {"chu", 26}, {"joo", 26}, {"ju", 26}, {"zhu", 26},
    {"chou", 27}, {"zhou", 27},
    {"cui", 28}, {"tsui", 28},
    {"dai", 29}, {"tai", 29},
    {"deng", 30}, {"teng", 30},
    {"ding", 31}, {"ting", 31},
    {"do", 32}, {"doh", 32}, {"toh", 32},
    {"dokgo", 33}, {"dokko", 33}, {"tokko", 33},
    {"dong", 34}, {"tung", 34},
    {"dongbang", 35}, {"tongbang", 35},
    {"doo", 36}, {"du", 36}, {"tu", 36},
    {"eo", 37}, {"uh", 37},
    {"eom", 38}, {"eum", 38}, {"om", 38}, {"uhm", 38}, {"um", 38},
    {"gam", 39}, {"kam", 39},
    {"gang", 40}, {"kang", 40},
    {"gao", 41}, {"kao", 41},
    {"geum", 42}, {"gum", 42}, {"keum", 42}, {"kum", 42},
    {"gi", 43}, {"kee", 43}, {"ki", 43},
    {"gil", 44}, {"kil", 44},
    {"gim", 45}, {"kim", 45},
    {"go", 46}, {"goh", 46}, {"ko", 46}, {"koh", 46},
    {"gong", 47}, {"kong", 47}, {"kung", 47},
    {"goo", 48}, {"gu", 48}, {"koo", 48}, {"ku", 48},
    {"gook", 49}, {"guk", 49}, {"kook", 49}, {"kuk", 49},
    {"guan", 50}, {"kuan", 50},
    {"guo", 51}, {"kuo", 51},
    {"gwak", 52}, {"kwack", 52}, {"kwak", 52},
    {"gwon", 53}, {"kwon", 53}, {"kwun", 53},
    {"gye", 54}, {"kye", 54},
    {"gyeon", 55}, {"kyeon", 55}, {"kyun", 55},
    {"gyeong", 56}, {"kyung", 56},
    {"ha", 57}, {"hah", 57},
    {"hahm", 58}, {"ham", 58},
    {"hahn", 59}, {"han", 59},
    {"he", 60}, {"heo", 60}, {"ho", 60}, {"hu", 60}, {"huh", 60}, {"hur", 60},
    {"hong", 61}, {"hung", 61},
    {"hsiao", 62}, {"xiao", 62},
    {"hsieh", 63}, {"xie", 63},
    {"hsiung", 64}, {"xiong", 64},
    {"hsu", 65}, {"xu", 65},
    {"hsueh", 66}, {"xue", 66},
    {"huang", 67}, {"hwang", 67}, {"whang", 67},
    {"hwangbo", 68}, {"whangbo", 68},
    {"hyeon", 69}, {"hyon", 69}, {"hyun", 69},
    {"hyeong", 70}, {"hyung", 70},
    {"i", 71}, {"lee", 71}, {"rhee", 71}, {"rhi", 71}, {"rhie", 71}, {"ri", 71}, {"yee", 71},
    {"yi", 71},
    {"ihn", 72}, {"in", 72},
    {"im", 73}, {"leem", 73}, {"lim", 73}, {"rhim", 73}, {"rim", 73}, {"yim", 73},
    {"jae", 74}, {"je", 74},
    {"jen", 75}, {"ren", 75},
    {"lo", 76}, {"luo", 76},
    {"ma", 77}, {"mah", 77},
    {"mo", 78}, {"moh", 78},
    {"mock", 79}, {"mok", 79},
    {"moon", 80}, {"mun", 80},
    {"myeong", 81}, {"myong", 81}, {"myung", 81},
    {"na", 82}, {"nah", 82}, {"ra", 82}, {"rah", 82},
    {"namgoong", 83}, {"namgung", 83}, {"namkoong", 83}, {"namkung", 83},
    {"no", 84}, {"noh", 84}, {"ro", 84}, {"roh", 84},
    {"o", 85}, {"oh", 85},
    {"ock", 86}, {"ok", 86},
    {"ohn", 87}, {"on", 87},
    {"pyeon", 88}, {"pyun", 88},
    {"ryang", 89}, {"yang", 89},
    {"ryoo", 90}, {"ryu", 90}, {"yoo", 90}, {"you", 90}, {"yu", 90},
    {"sagong", 91}, {"sakong", 91},
    {"seo", 92}, {"so", 92}, {"suh", 92},
    {"seog", 93}, {"seok", 93}, {"sok", 93}, {"suk", 93},
    {"seol", 94}, {"sol", 94}, {"sul", 94}, {"sull", 94},
    {"seomoon", 95}, {"seomun", 95}, {"suhmoon", 95},
    {"seon", 96}, {"sun", 96},
    {"seong", 97}, {"song", 97}, {"soung", 97}, {"sung", 97},
    {"seonu", 98}, {"seonwoo", 98}, {"sonu", 98}, {"sunu", 98}, {"sunwoo", 98},
    {"shim", 99}, {"sim", 99},
    {"shin", 100}, {"shinn", 100}, {"sin", 100}, {"syn", 100},
    {"sohn", 101}, {"son", 101},
    {"tseng", 102}, {"zeng", 102},
    {"tso", 103}, {"zuo", 103},
    {"tsou", 104}, {"zou", 104},
    {"u", 105}, {"woo", 105}, {"wu", 105},
    {"wee", 106}, {"wi", 106},
    {"weon", 107}, {"won", 107},
    {"yan", 108}, {"yen", 108},
    {"ye", 109}, {"yeh", 109},
    {"yeo", 110}, {"yo", 110}, {"yuh", 110},
    {"yeom", 111}, {"yom", 111}, {"youm", 111}, {"yum", 111},
    {"yeon", 112}, {"yeun", 112}, {"yon", 112}, {"yoon", 112}, {"youn", 112}, {"yun", 112},
    {"yook", 113}, {"yuk", 113},
};
enum { OCG_SURNAME_COUNT = sizeof OCG_SURNAMES / sizeof OCG_SURNAMES[0] };
/* By first letter: one more than the place of the first spelling, and of the next after one. */
static uint16_t OCG_FIRST_SURNAME[256], OCG_NEXT_SURNAME[OCG_SURNAME_COUNT];
OCG_AT_LOAD(ocg_index_surnames) {
    for (int i = OCG_SURNAME_COUNT - 1; i >= 0; i--) {
        uint8_t first = (uint8_t)OCG_SURNAMES[i].text[0];
        OCG_NEXT_SURNAME[i] = OCG_FIRST_SURNAME[first];
        OCG_FIRST_SURNAME[first] = (uint16_t)(i + 1);
    }
}

/* Return the group of a word of small letters, 0 if it is in none. */
static inline int ocg_surname_group(const uint8_t *word, int length) {
    if (length >= OCG_SPELLING_BYTES) return 0;
    for (int i = OCG_FIRST_SURNAME[word[0]]; i; i = OCG_NEXT_SURNAME[i - 1])
        if (memcmp(word, OCG_SURNAMES[i - 1].text, (size_t)length) == 0
                && OCG_SURNAMES[i - 1].text[length] == 0)
            return OCG_SURNAMES[i - 1].group;
    return 0;
}

#endif
