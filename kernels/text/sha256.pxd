"""SHA-256 (FIPS 180-4) of one message in memory, cut to its first 8 bytes.

Owns the padding, the portable compression and the choice of compression.
Must not know what the bytes mean. Bytes are read by shifts, so the result
is the same on a host of either byte order.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

# --- MD5 ------------------------------------------------------------------------------------------

# MD5 (RFC 1321) of one message in memory, or of eight of the same length at once. It names a
# sequence of moves and is no protection against attacks: other programs identify games by it. Eight
# at once take little longer than two, since compilers use vectors for each step. Callers must pass
# the number of messages as a constant, so that the loops over messages are unrolled. Bytes are read
# by shifts, so the result does not depend on the byte order of the host.

cdef extern from "md5_table.h" nogil:
    const uint32_t[64] OCG_MD5_K

cdef enum:
    MD5_BYTES = 16
    MD5_BLOCK = 64
    MD5_MOST = 8               # messages at once
    HASH_PADDING = 72           # bytes that padding may need after a message


cdef inline uint32_t md5_load(const uint8_t *p) noexcept nogil:
    return (<uint32_t>p[0] | (<uint32_t>p[1] << 8)
            | (<uint32_t>p[2] << 16) | (<uint32_t>p[3] << 24))


cdef inline void md5_step(
    uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d, const uint32_t *w,
    int number, int shift, int messages,
) noexcept nogil:
    # 3.4: a = b + ((a + F(b, c, d) + X[k] + T[i]) <<< s); `w` is X[k] of each message. The forms
    # of F and G have one operation less than those of the RFC and the same truth tables.
    cdef uint32_t k = OCG_MD5_K[number]
    cdef uint32_t f
    cdef int i
    for i in range(messages):
        if number < 16:
            f = d[i] ^ (b[i] & (c[i] ^ d[i]))
        elif number < 32:
            f = c[i] ^ (d[i] & (b[i] ^ c[i]))
        elif number < 48:
            f = b[i] ^ c[i] ^ d[i]
        else:
            f = c[i] ^ (b[i] | ~d[i])
        f += a[i] + w[i] + k
        a[i] = b[i] + (f << shift | f >> (32 - shift))


cdef inline void md5_round(
    uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t *w, int first, int messages,
) noexcept nogil:
    # 16 steps; `first` is 0, 16, 32 or 48. The order of words and the rotations depend on the
    # round.
    cdef int times = 1 if first < 16 else 5 if first < 32 else 3 if first < 48 else 7
    cdef int plus = 0 if first < 16 else 1 if first < 32 else 5 if first < 48 else 0
    cdef int s1 = 7 if first < 16 else 5 if first < 32 else 4 if first < 48 else 6
    cdef int s2 = 12 if first < 16 else 9 if first < 32 else 11 if first < 48 else 10
    cdef int s3 = 17 if first < 16 else 14 if first < 32 else 16 if first < 48 else 15
    cdef int s4 = 22 if first < 16 else 20 if first < 32 else 23 if first < 48 else 21
    cdef int t
    for t in range(0, 16, 4):         # after 4 steps each name is back in place
        md5_step(a, b, c, d, w + messages * ((times * t + plus) & 15), first + t, s1, messages)
        md5_step(d, a, b, c, w + messages * ((times * (t + 1) + plus) & 15), first + t + 1, s2,
                 messages)
        md5_step(c, d, a, b, w + messages * ((times * (t + 2) + plus) & 15), first + t + 2, s3,
                 messages)
        md5_step(b, c, d, a, w + messages * ((times * (t + 3) + plus) & 15), first + t + 3, s4,
                 messages)


cdef inline void md5_block(
    uint32_t *state, const uint8_t *data, size_t stride, int messages
) noexcept nogil:
    # `state`: the first words of all messages, then the second words, ...
    cdef uint32_t[16 * MD5_MOST] w
    cdef uint32_t[4 * MD5_MOST] x
    cdef int i, t
    for t in range(16):
        for i in range(messages):
            w[messages * t + i] = md5_load(data + stride * i + 4 * t)
    for i in range(4 * messages):
        x[i] = state[i]
    for t in range(0, 64, 16):
        md5_round(x, x + messages, x + 2 * messages, x + 3 * messages, w, t, messages)
    for i in range(4 * messages):
        state[i] += x[i]


cdef inline size_t pad_message(
    uint8_t *message, size_t length, uint64_t before, bint big_endian
) noexcept nogil:
    """Pad the rest of a message in place; return the number of its blocks.

    MD5 (3.1, 3.2) and SHA-256 (5.1.1) append a one bit, zeros, and the length in bits, as 64 bits
    little-endian and big-endian. The caller owns HASH_PADDING writable bytes after the message:
    the padding takes 9 to 72 bytes, and to clear always 72 needs neither a call nor a loop.
    `before`: bytes hashed before; `big_endian`: a constant.
    """
    cdef size_t blocks = (length + HASH_PADDING) // MD5_BLOCK
    cdef uint8_t *end = message + MD5_BLOCK * blocks
    cdef uint64_t bits = (before + length) << 3
    cdef int i
    memset(message + length, 0, HASH_PADDING)
    message[length] = 0x80
    for i in range(8):
        end[i - 8] = <uint8_t>(bits >> (56 - 8 * i if big_endian else 8 * i))
    return blocks


cdef inline void md5_digests(
    const uint8_t *padded, size_t stride, size_t blocks, int messages, uint8_t *out
) noexcept nogil:
    """Write the digests of padded messages, `stride` bytes apart, one after another.

    `messages`: a constant, 1 or MD5_MOST.
    """
    cdef uint32_t[4 * MD5_MOST] state
    cdef uint32_t word
    cdef size_t block
    cdef int i, k
    for i in range(messages):
        state[i] = 0x67452301u
        state[messages + i] = 0xefcdab89u
        state[2 * messages + i] = 0x98badcfeu
        state[3 * messages + i] = 0x10325476u
    for block in range(blocks):
        md5_block(state, padded + MD5_BLOCK * block, stride, messages)
    for i in range(messages):
        for k in range(16):
            word = state[(k >> 2) * messages + i]
            out[MD5_BYTES * i + k] = <uint8_t>(word >> (8 * (k & 3)))


# --- SHA-256 --------------------------------------------------------------------------------------

cdef extern from "sha256_ni.h" nogil:
    const uint32_t[64] OCG_SHA256_K
    const uint32_t[8] OCG_SHA256_START
    bint ocg_sha256_have_ni() noexcept
    void ocg_sha256_ni_blocks(uint32_t *state, const uint8_t *data, size_t blocks) noexcept


cdef inline uint32_t sha256_rotr(uint32_t x, int n) noexcept nogil:
    return (x >> n) | (x << (32 - n))


cdef inline uint32_t sha256_load(const uint8_t *p) noexcept nogil:
    # Written so that compilers make one load and one byte swap of it.
    return ((<uint32_t>p[0] << 24) | (<uint32_t>p[1] << 16)
            | (<uint32_t>p[2] << 8) | <uint32_t>p[3])


cdef inline uint32_t sha256_expand(const uint32_t *w) noexcept nogil:
    # W[t] from w = &W[t - 16] (6.2.2 step 1).
    cdef uint32_t x = w[1], y = w[14]
    return (w[0] + w[9]
            + (sha256_rotr(x, 7) ^ sha256_rotr(x, 18) ^ (x >> 3))
            + (sha256_rotr(y, 17) ^ sha256_rotr(y, 19) ^ (y >> 10)))


cdef inline void sha256_round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d,
                              uint32_t e, uint32_t f, uint32_t g, uint32_t *h,
                              uint32_t wk) noexcept nogil:
    # 6.2.2 step 3. Only d and h change: the caller turns the names round
    # instead of moving eight values. The forms of Ch and Maj have one
    # operation less than those of 4.1.2 and the same truth tables.
    cdef uint32_t t = (h[0] + wk + (g ^ (e & (f ^ g)))
                       + (sha256_rotr(e, 6) ^ sha256_rotr(e, 11)
                          ^ sha256_rotr(e, 25)))
    d[0] += t
    h[0] = (t + ((a & b) | (c & (a | b)))
            + (sha256_rotr(a, 2) ^ sha256_rotr(a, 13) ^ sha256_rotr(a, 22)))


cdef inline void sha256_block(uint32_t *state, const uint8_t *data) noexcept nogil:
    cdef uint32_t[64] w
    cdef uint32_t a = state[0], b = state[1], c = state[2], d = state[3]
    cdef uint32_t e = state[4], f = state[5], g = state[6], h = state[7]
    cdef const uint32_t *k = OCG_SHA256_K
    cdef int t
    for t in range(16):
        w[t] = sha256_load(data + 4 * t)
    for t in range(16, 64):
        w[t] = sha256_expand(w + (t - 16))
    for t in range(0, 64, 8):         # after 8 rounds each name is back in place
        sha256_round(a, b, c, &d, e, f, g, &h, w[t] + k[t])
        sha256_round(h, a, b, &c, d, e, f, &g, w[t + 1] + k[t + 1])
        sha256_round(g, h, a, &b, c, d, e, &f, w[t + 2] + k[t + 2])
        sha256_round(f, g, h, &a, b, c, d, &e, w[t + 3] + k[t + 3])
        sha256_round(e, f, g, &h, a, b, c, &d, w[t + 4] + k[t + 4])
        sha256_round(d, e, f, &g, h, a, b, &c, w[t + 5] + k[t + 5])
        sha256_round(c, d, e, &f, g, h, a, &b, w[t + 6] + k[t + 6])
        sha256_round(b, c, d, &e, f, g, h, &a, w[t + 7] + k[t + 7])
    state[0] += a
    state[1] += b
    state[2] += c
    state[3] += d
    state[4] += e
    state[5] += f
    state[6] += g
    state[7] += h


cdef inline void sha256_begin(uint32_t *state) noexcept nogil:
    memcpy(state, OCG_SHA256_START, 32)


cdef inline void sha256_add(uint32_t *state, const uint8_t *data, size_t blocks,
                            bint use_ni) noexcept nogil:
    """Hash whole blocks of 64 bytes of a message."""
    cdef size_t i
    if use_ni:
        ocg_sha256_ni_blocks(state, data, blocks)
        return
    for i in range(blocks):
        sha256_block(state, data + 64 * i)


cdef inline uint64_t sha256_end8(
    uint32_t *state, uint8_t *rest, size_t length, uint64_t before, bint use_ni
) noexcept nogil:
    """Hash the rest of a message, as sha256_first8() does; `before`: bytes hashed by then."""
    sha256_add(state, rest, pad_message(rest, length, before, True), use_ni)
    return (<uint64_t>state[0] << 32) | state[1]


cdef inline uint64_t sha256_first8(uint8_t *message, size_t length, bint use_ni) noexcept nogil:
    """Return the first 8 bytes of the SHA-256 of message as a big-endian integer.

    Pads in place, see pad_message(). `use_ni`: the result of ocg_sha256_have_ni().
    """
    cdef uint32_t[8] state
    sha256_begin(state)
    return sha256_end8(state, message, length, 0, use_ni)
