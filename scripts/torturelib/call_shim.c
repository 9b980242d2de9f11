/* Preloaded into the program: counts its calls on files below one folder, and at the n-th one kills
 * the whole process group, or lets the call fail.
 *
 * TORTURE_FOLDER   calls on files below it count; others are left alone
 * TORTURE_COUNTER  a file of struct shared, shared by all processes of the program
 * TORTURE_CALLS    which calls count, as ",open,write,"
 * TORTURE_AT       number of the call to hit, from 1; 0 only counts
 * TORTURE_ERRNO    0 kills, else the call fails so
 * TORTURE_ON       1: the calls after it fail too
 * TORTURE_TORN     1: half of a write is done before the kill
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct shared {
    uint64_t count;
    uint64_t hit;
    char call[24];
    char path[PATH_MAX];
};

static struct shared *shared;
static const char *folder, *calls;
static size_t folder_length;
static uint64_t at;
static int with_errno, on, torn;

/* The call below, whatever other libraries think of it. */
#define REAL(name) ((__typeof__(&name)) real_call(&real_##name, #name))
#define DECLARE(name) static void *real_##name
static void *real_call(void **known, const char *name) {
    if (*known == NULL) *known = dlsym(RTLD_NEXT, name);
    return *known;
}

DECLARE(open);

__attribute__((constructor)) static void begin(void) {
    const char *counter = getenv("TORTURE_COUNTER");
    folder = getenv("TORTURE_FOLDER");
    calls = getenv("TORTURE_CALLS");
    if (counter == NULL || folder == NULL || calls == NULL) return;
    folder_length = strlen(folder);
    at = strtoull(getenv("TORTURE_AT"), NULL, 10);
    with_errno = atoi(getenv("TORTURE_ERRNO"));
    on = atoi(getenv("TORTURE_ON"));
    torn = atoi(getenv("TORTURE_TORN"));
    int file = REAL(open)(counter, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) shared = page;
}

static int below_folder(const char *path) {
    if (path[0] != '/') return strncmp(path, "..", 2) != 0; /* commands start in the folder */
    return strncmp(path, folder, folder_length) == 0;
}

static int of_descriptor(int file, char *path) {
    char link[48];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return path[0] == '/' && below_folder(path);
}

/* Return 0 to go on, 1 if the call shall fail; does not return from a kill. */
static int hit(const char *call, const char *path, int file, const void *bytes, size_t size) {
    char name[32], place[PATH_MAX];
    if (shared == NULL) return 0;
    snprintf(name, sizeof name, ",%s,", call);
    if (strstr(calls, name) == NULL) return 0;
    if (path == NULL) {
        if (!of_descriptor(file, place)) return 0;
        path = place;
    } else if (!below_folder(path)) {
        return 0;
    }
    uint64_t number = __atomic_add_fetch(&shared->count, 1, __ATOMIC_SEQ_CST);
    if (at == 0 || (on ? number < at : number != at)) return 0;
    if (!shared->hit) {
        snprintf(shared->call, sizeof shared->call, "%s", call);
        snprintf(shared->path, sizeof shared->path, "%s", path);
        shared->hit = number;
    }
    if (with_errno == 0) {
        if (torn && bytes != NULL && size > 1) {
            static void *real_write;
            ssize_t (*plain)(int, const void *, size_t) = real_call(&real_write, "write");
            if (plain(file, bytes, size / 2) < 0) { /* killed all the same */
            }
        }
        kill(0, SIGKILL);
        for (;;) pause();
    }
    errno = with_errno;
    return 1;
}

#define OPENED(name, first, with_first)                                                            \
    int name(first const char *path, int flags, ...) {                                             \
        DECLARE(name);                                                                             \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = va_arg(rest, mode_t);                                                        \
        va_end(rest);                                                                              \
        const char *call = flags & (O_WRONLY | O_RDWR | O_CREAT) ? "open" : "openread";            \
        if (hit(call, path, -1, NULL, 0)) return -1;                                               \
        return REAL(name)(with_first path, flags, mode);                                           \
    }
#define NOTHING
#define DIRECTORY_TYPE int directory,
#define DIRECTORY directory,
OPENED(open, NOTHING, NOTHING)
OPENED(open64, NOTHING, NOTHING)
OPENED(openat, DIRECTORY_TYPE, DIRECTORY)
OPENED(openat64, DIRECTORY_TYPE, DIRECTORY)

#define CALL(result, name, called, path, file, bytes, size, parameters, arguments)                 \
    result name parameters {                                                                       \
        DECLARE(name);                                                                             \
        if (hit(called, path, file, bytes, size)) return -1;                                       \
        return REAL(name) arguments;                                                               \
    }
#define ON_PATH(name, called, path, parameters, arguments)                                         \
    CALL(int, name, called, path, -1, NULL, 0, parameters, arguments)
#define ON_FILE(result, name, called, bytes, size, parameters, arguments)                          \
    CALL(result, name, called, NULL, file, bytes, size, parameters, arguments)

ON_FILE(ssize_t, write, "write", bytes, size, (int file, const void *bytes, size_t size),
        (file, bytes, size))
ON_FILE(ssize_t, writev, "write", NULL, 0, (int file, const struct iovec *parts, int count),
        (file, parts, count))
ON_FILE(ssize_t, pwrite, "write", NULL, 0, (int file, const void *bytes, size_t size, off_t place),
        (file, bytes, size, place))
ON_FILE(ssize_t, pwrite64, "write", NULL, 0,
        (int file, const void *bytes, size_t size, off64_t place), (file, bytes, size, place))
ON_FILE(ssize_t, read, "read", NULL, 0, (int file, void *bytes, size_t size), (file, bytes, size))
ON_FILE(ssize_t, pread, "read", NULL, 0, (int file, void *bytes, size_t size, off_t place),
        (file, bytes, size, place))
ON_FILE(ssize_t, pread64, "read", NULL, 0, (int file, void *bytes, size_t size, off64_t place),
        (file, bytes, size, place))
ON_FILE(int, fsync, "fsync", NULL, 0, (int file), (file))
ON_FILE(int, fdatasync, "fsync", NULL, 0, (int file), (file))
ON_FILE(int, ftruncate, "ftruncate", NULL, 0, (int file, off_t size), (file, size))
ON_FILE(int, ftruncate64, "ftruncate", NULL, 0, (int file, off64_t size), (file, size))
ON_FILE(int, fchmod, "chmod", NULL, 0, (int file, mode_t mode), (file, mode))
ON_PATH(rename, "rename", to, (const char *from, const char *to), (from, to))
ON_PATH(renameat, "rename", to, (int left, const char *from, int right, const char *to),
        (left, from, right, to))
ON_PATH(link, "link", to, (const char *from, const char *to), (from, to))
ON_PATH(linkat, "link", to, (int left, const char *from, int right, const char *to, int flags),
        (left, from, right, to, flags))
ON_PATH(unlink, "unlink", path, (const char *path), (path))
ON_PATH(unlinkat, "unlink", path, (int directory, const char *path, int flags),
        (directory, path, flags))
ON_PATH(rmdir, "rmdir", path, (const char *path), (path))
ON_PATH(mkdir, "mkdir", path, (const char *path, mode_t mode), (path, mode))
ON_PATH(mkdirat, "mkdir", path, (int directory, const char *path, mode_t mode),
        (directory, path, mode))
CALL(ssize_t, sendfile, "write", NULL, file, NULL, 0,
     (int file, int from, off_t *place, size_t size), (file, from, place, size))
CALL(ssize_t, sendfile64, "write", NULL, file, NULL, 0,
     (int file, int from, off64_t *place, size_t size), (file, from, place, size))
CALL(ssize_t, copy_file_range, "write", NULL, file, NULL, 0,
     (int from, off64_t *left, int file, off64_t *right, size_t size, unsigned flags),
     (from, left, file, right, size, flags))
