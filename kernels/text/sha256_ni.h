/* SHA-256 (FIPS 180-4): its constants, and its compression function by the
 * x86 SHA instructions.
 *
 * Owns what a .pxd cannot hold, tables and intrinsics; sha256.pxd owns the
 * portable compression, the padding and the choice between the two.
 */
#ifndef OCG_SHA256_NI_H
#define OCG_SHA256_NI_H

#include <stddef.h>
#include <stdint.h>

/* FIPS 180-4, 4.2.2: first 32 bits of the fractional parts of the cube roots
 * of the first 64 primes. */
static const uint32_t OCG_SHA256_K[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u,
    0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,
    0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u,
    0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u,
    0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u,
    0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

/* FIPS 180-4, 5.3.3: the same of the square roots of the first 8 primes. */
static const uint32_t OCG_SHA256_START[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include <cpuid.h>
#include <immintrin.h>

/* Return whether this processor has the instructions of ocg_sha256_ni_blocks.
 * Call it once: CPUID costs microseconds inside a virtual machine. It uses
 * CPUID since not every compiler's __builtin_cpu_supports knows "sha". */
static inline int ocg_sha256_have_ni(void)
{
    const unsigned ssse3 = 1u << 9, sse41 = 1u << 19; /* leaf 1, ECX */
    const unsigned sha = 1u << 29;                    /* leaf 7, EBX */
    unsigned a, b, c, d;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & ssse3) || !(c & sse41))
        return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha) != 0;
}

/* Four rounds with the schedule words w, which are W[4i] to W[4i+3].
 * One SHA256RNDS2 does two rounds and returns the new ABEF; the new CDGH is the
 * old ABEF, so after two of them each name holds its own half again. */
#define OCG_SHA256_ROUNDS4(w, i)                                              \
    do {                                                                      \
        const __m128i wk = _mm_add_epi32(                                     \
            (w), _mm_loadu_si128((const __m128i *)(OCG_SHA256_K + 4 * (i)))); \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                         \
        abef = _mm_sha256rnds2_epu32(abef, cdgh,                              \
                                     _mm_shuffle_epi32(wk, 0x0E));            \
    } while (0)

/* The same four rounds; w0 then holds the words 16 places later (FIPS 180-4,
 * 6.2.2): MSG1 adds sigma0, ALIGNR picks W[t-7], MSG2 adds sigma1. */
#define OCG_SHA256_ROUNDS4_EXPAND(w0, w1, w2, w3, i)                          \
    do {                                                                      \
        OCG_SHA256_ROUNDS4(w0, i);                                            \
        w0 = _mm_sha256msg2_epu32(                                            \
            _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1),                       \
                          _mm_alignr_epi8(w3, w2, 4)),                        \
            w3);                                                              \
    } while (0)

/* Words in memory are big-endian, lanes little-endian. */
#define OCG_SHA256_LOAD4(p) \
    _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p)), swap)

/* Compress `blocks` consecutive 64-byte blocks into state (A to H). Neither
 * pointer need be aligned. Call it only if ocg_sha256_have_ni(). */
__attribute__((target("sha,sse4.1,ssse3")))
static inline void ocg_sha256_ni_blocks(uint32_t *state, const uint8_t *data,
                                        size_t blocks)
{
    const __m128i swap =
        _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    /* The instructions expect the lanes, low to high, F E B A and H G D C. */
    const __m128i badc = _mm_shuffle_epi32(
        _mm_loadu_si128((const __m128i *)state), 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(
        _mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);

    for (; blocks != 0; blocks--, data += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w0 = OCG_SHA256_LOAD4(data);
        __m128i w1 = OCG_SHA256_LOAD4(data + 16);
        __m128i w2 = OCG_SHA256_LOAD4(data + 32);
        __m128i w3 = OCG_SHA256_LOAD4(data + 48);
        int i;

        for (i = 0; i < 12; i += 4) {
            OCG_SHA256_ROUNDS4_EXPAND(w0, w1, w2, w3, i);
            OCG_SHA256_ROUNDS4_EXPAND(w1, w2, w3, w0, i + 1);
            OCG_SHA256_ROUNDS4_EXPAND(w2, w3, w0, w1, i + 2);
            OCG_SHA256_ROUNDS4_EXPAND(w3, w0, w1, w2, i + 3);
        }
        OCG_SHA256_ROUNDS4(w0, 12);
        OCG_SHA256_ROUNDS4(w1, 13);
        OCG_SHA256_ROUNDS4(w2, 14);
        OCG_SHA256_ROUNDS4(w3, 15);
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    {
        const __m128i abef_up = _mm_shuffle_epi32(abef, 0x1B); /* A B E F */
        const __m128i ghcd = _mm_shuffle_epi32(cdgh, 0xB1);    /* G H C D */
        _mm_storeu_si128((__m128i *)state,
                         _mm_blend_epi16(abef_up, ghcd, 0xF0));
        _mm_storeu_si128((__m128i *)(state + 4),
                         _mm_alignr_epi8(ghcd, abef_up, 8));
    }
}

#undef OCG_SHA256_LOAD4
#undef OCG_SHA256_ROUNDS4_EXPAND
#undef OCG_SHA256_ROUNDS4

#else

#include <stdlib.h>

static inline int ocg_sha256_have_ni(void)
{
    return 0;
}

/* Never called, since ocg_sha256_have_ni() is false here. Abort rather than
 * leave the state unchanged: a wrong hash would be stored. */
static inline void ocg_sha256_ni_blocks(uint32_t *state, const uint8_t *data,
                                        size_t blocks)
{
    (void)state;
    (void)data;
    (void)blocks;
    abort();
}

#endif
#endif
