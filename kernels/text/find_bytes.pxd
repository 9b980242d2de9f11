"""Find bytes in a text."""

cdef extern from *:
    """
    #include <string.h>
    static const char *ocg_find(const void *text, size_t length, const char *needle, size_t size) {
        const char *p = text, *end = p + length;
        while ((p = memchr(p, needle[0], (size_t)(end - p))) != NULL && (size_t)(end - p) >= size) {
            if (memcmp(p, needle, size) == 0) return p;
            p++;
        }
        return NULL;
    }
    """
    const char *ocg_find(const void *text, size_t length, const char *needle, size_t size) nogil


cdef inline bint is_study_address(const void *text, size_t length) noexcept nogil:
    """Return whether a text names a study of Lichess, whose chapters are exported as games."""
    return length > 0 and ocg_find(text, length, b"lichess.org/study/", 18) != NULL
