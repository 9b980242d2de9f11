/* Everything that depends on the C compiler: bit operations, hints, code that runs at load.

   Other files of kernels/ use no compiler-specific function, except sha256_ni.h, which has a
   portable equivalent in sha256.pxd. OCG_PLAIN_C selects the portable functions, to test them. */
#ifndef OCG_COMPILER_H
#define OCG_COMPILER_H
#include <stdint.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(OCG_PLAIN_C)

#define OCG_LOWEST_BIT(word) ((int)__builtin_ctzll(word))     /* of a word that is not 0 */
#define OCG_HIGHEST_BIT(word) (63 - (int)__builtin_clzll(word))
#define OCG_COUNT_BITS(word) ((int)__builtin_popcountll(word))
#define OCG_LIKELY(x) __builtin_expect(!!(x), 1)
#define OCG_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* GCC drops calls of functions that do nothing but prefetch; the empty statement keeps them. */
#define OCG_PREFETCH(address) do { __builtin_prefetch(address); __asm__ volatile (""); } while (0)

#else

static inline int OCG_LOWEST_BIT(uint64_t word) {
    int bit = 0;
    for (int step = 32; step; step >>= 1) {
        if (!(word & (((uint64_t)1 << step) - 1))) {
            word >>= step;
            bit += step;
        }
    }
    return bit;
}

static inline int OCG_HIGHEST_BIT(uint64_t word) {
    int bit = 0;
    for (int step = 32; step; step >>= 1) {
        if (word >> step) {
            word >>= step;
            bit += step;
        }
    }
    return bit;
}

static inline int OCG_COUNT_BITS(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555ULL;
    word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((word * 0x0101010101010101ULL) >> 56);
}

#define OCG_LIKELY(x) (x)
#define OCG_UNLIKELY(x) (x)
#define OCG_PREFETCH(address) ((void)(address))

#endif

/* OCG_AT_LOAD(name) { ... } is run once, before any function of the module. */
#if defined(_MSC_VER) && !defined(__clang__)
#define OCG_THREAD_LOCAL __declspec(thread)
#define OCG_EXPORTED __declspec(dllexport)
#pragma section(".CRT$XCU", read)
#define OCG_AT_LOAD(name)                                                     \
    static void name(void);                                                   \
    __declspec(allocate(".CRT$XCU")) static void (*name##_entry)(void) = name; \
    static void name(void)
#else
#define OCG_THREAD_LOCAL __thread
#if defined(_WIN32)
#define OCG_EXPORTED __declspec(dllexport)
#else
#define OCG_EXPORTED __attribute__((visibility("default")))
#endif
#define OCG_AT_LOAD(name) __attribute__((constructor)) static void name(void)
#endif

#endif
