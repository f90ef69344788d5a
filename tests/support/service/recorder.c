/* Record what a process does to the files of one folder, in order. Loaded with LD_PRELOAD (power_loss.py).
 *
 * RECORDED_FOLDER names the folder, RECORDED_LOG the log. A record is a header, the name of the file, and the data. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_FILES = 65536 };

struct header {
    uint32_t kind, name_length;
    uint64_t offset, length;
};

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER; /* a recorded write is complete before a sync is recorded */
static char *names[MAX_FILES];                             /* of the open files in the folder, by descriptor */
static const char *folder;
static int log_file = -1;

#define REAL(type, name) __typeof__(type) real = (type)dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void start(void) {
    folder = getenv("RECORDED_FOLDER");
    const char *path = getenv("RECORDED_LOG");
    if (folder && path) log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* Return the name of a path within the folder ("" for the folder itself), or NULL if it is elsewhere. */
static const char *name_of(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    if (log_file < 0 || strncmp(path, folder, length)) return NULL;
    return path[length] == '/' ? path + length + 1 : path[length] ? NULL : "";
}

static const char *name_of_open(int file) {
    return file >= 0 && file < MAX_FILES ? names[file] : NULL;
}

static void record(char kind, const char *name, uint64_t offset, const void *data, uint64_t length) {
    struct header header = {(uint32_t)kind, (uint32_t)strlen(name), offset, length};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)name, header.name_length}, {(void *)data, data ? length : 0}};
    if (syscall(SYS_writev, log_file, parts, 3) < (long)(sizeof header)) abort();
}

static int open_recorded(const char *real_name, const char *path, int flags, mode_t mode) {
    REAL(int (*)(const char *, int, ...), real_name);
    const char *name = name_of(path);
    if (!name) return real(path, flags, mode);
    pthread_mutex_lock(&order);
    int is_new = (flags & O_CREAT) && access(path, F_OK);
    int file = real(path, flags, mode);
    if (file >= 0 && file < MAX_FILES) {
        free(names[file]);
        names[file] = strdup(name);
        if (is_new) record('c', name, 0, NULL, 0);
        if (!is_new && (flags & O_TRUNC)) record('t', name, 0, NULL, 0);
    }
    pthread_mutex_unlock(&order);
    return file;
}

#define OPEN(function)                                      \
    int function(const char *path, int flags, ...) {        \
        va_list rest;                                       \
        va_start(rest, flags);                              \
        mode_t mode = va_arg(rest, mode_t);                 \
        va_end(rest);                                       \
        return open_recorded(#function, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int close(int file) {
    REAL(int (*)(int), "close");
    if (name_of_open(file)) {
        free(names[file]);
        names[file] = NULL;
    }
    return real(file);
}

#define PWRITE(function)                                                           \
    ssize_t function(int file, const void *data, size_t length, off64_t offset) {  \
        REAL(ssize_t (*)(int, const void *, size_t, off64_t), #function);          \
        const char *name = name_of_open(file);                                     \
        if (!name) return real(file, data, length, offset);                        \
        pthread_mutex_lock(&order);                                                \
        ssize_t written = real(file, data, length, offset);                        \
        if (written > 0) record('w', name, (uint64_t)offset, data, (uint64_t)written); \
        pthread_mutex_unlock(&order);                                              \
        return written;                                                            \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int file, const void *data, size_t length) {
    REAL(ssize_t (*)(int, const void *, size_t), "write");
    const char *name = name_of_open(file);
    if (!name) return real(file, data, length);
    pthread_mutex_lock(&order);
    off64_t offset = lseek64(file, 0, SEEK_CUR);
    ssize_t written = real(file, data, length);
    if (written > 0) record('w', name, (uint64_t)offset, data, (uint64_t)written);
    pthread_mutex_unlock(&order);
    return written;
}

#define TRUNCATE(function)                                                 \
    int function(int file, off64_t length) {                               \
        REAL(int (*)(int, off64_t), #function);                            \
        const char *name = name_of_open(file);                             \
        pthread_mutex_lock(&order);                                        \
        int failed = real(file, length);                                   \
        if (name && !failed) record('t', name, (uint64_t)length, NULL, 0); \
        pthread_mutex_unlock(&order);                                      \
        return failed;                                                     \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC(function)                                \
    int function(int file) {                          \
        REAL(int (*)(int), #function);                \
        const char *name = name_of_open(file);        \
        if (!name) return real(file);                 \
        pthread_mutex_lock(&order);                   \
        record('s', name, 0, NULL, 0);                \
        pthread_mutex_unlock(&order);                 \
        int failed = real(file);                      \
        if (!failed) record('e', name, 0, NULL, 0);   \
        return failed;                                \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int (*)(const char *), "unlink");
    const char *name = name_of(path);
    pthread_mutex_lock(&order);
    int failed = real(path);
    if (name && !failed) record('u', name, 0, NULL, 0);
    pthread_mutex_unlock(&order);
    return failed;
}

int rename(const char *old, const char *new) {
    REAL(int (*)(const char *, const char *), "rename");
    const char *from = name_of(old), *to = name_of(new);
    pthread_mutex_lock(&order);
    int failed = real(old, new);
    if (from && to && !failed) record('r', from, 0, to, strlen(to));
    pthread_mutex_unlock(&order);
    return failed;
}
