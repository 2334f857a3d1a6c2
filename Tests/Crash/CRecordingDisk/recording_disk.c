#define _GNU_SOURCE
#include "recording_disk.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// fcntl.h declares what is defined here, with attributes that would have to agree.
enum { O_CREAT_ = 0100, O_TRUNC_ = 01000, O_TMPFILE_ = 020200000, AT_FDCWD_ = -100 };

enum { descriptors_max = 4096 };

// Everything below is guarded by the lock; calls come from every thread.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char watched[PATH_MAX];
static size_t watched_length;
static bool is_watching;
static struct disk_event *events;
static size_t event_count, event_room, call_count;
static struct disk_failure failure;
static bool is_failing;
// The file whose syncs do nothing; empty for none.
static char unsynced[disk_name_size];
// The names of open files of the directory, by descriptor; empty for others, "." for itself.
static char names[descriptors_max][disk_name_size];

static bool is_known(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors_max && names[descriptor][0] != 0;
}

// The part of a path within the watched directory, or NULL if it is elsewhere or too long.
static const char *name_of(const char *path) {
  if (!is_watching || strncmp(path, watched, watched_length) != 0) return NULL;
  const char *rest = path + watched_length;
  if (*rest == 0) return ".";
  if (*rest != '/' || strlen(rest + 1) >= disk_name_size) return NULL;
  return rest[1] == 0 ? "." : rest + 1;
}

static void append(struct disk_event event) {
  if (event_count == event_room) {
    event_room = event_room == 0 ? 1024 : event_room * 2;
    events = realloc(events, event_room * sizeof *events);
    if (!events) abort();
  }
  events[event_count++] = event;
}

static struct disk_event event_of(enum disk_action action, const char *name, uint64_t offset) {
  struct disk_event event = {.action = action, .call = -1, .offset = offset};
  strncpy(event.name, name, disk_name_size - 1);
  return event;
}

// Counts a call and returns whether it must fail; a failing call is recorded at once.
static bool fails(struct disk_event *event, int *error) {
  size_t number = call_count++;
  event->call = (int64_t)number;
  if (!is_failing || number < failure.first || number > failure.last) return false;
  if (failure.action >= 0 && failure.action != (int)event->action) return false;
  *error = failure.error;
  if (failure.error == 0) return event->action == disk_written;
  event->error = failure.error;
  append(*event);
  return true;
}

static void append_write(struct disk_event event, const void *bytes, size_t count) {
  uint8_t *copy = malloc(count ? count : 1);
  if (!copy) abort();
  memcpy(copy, bytes, count);
  event.bytes = copy;
  event.count = count;
  append(event);
}

// MARK: For the program under test

void disk_watch(const char *directory) {
  pthread_mutex_lock(&lock);
  for (size_t index = 0; index < event_count; index++) free((void *)events[index].bytes);
  event_count = call_count = 0;
  is_failing = false;
  unsynced[0] = 0;
  strncpy(watched, directory, sizeof watched - 1);
  watched_length = strlen(watched);
  memset(names, 0, sizeof names);
  is_watching = true;
  pthread_mutex_unlock(&lock);
}

void disk_unwatch(void) {
  pthread_mutex_lock(&lock);
  is_watching = false;
  is_failing = false;
  unsynced[0] = 0;
  memset(names, 0, sizeof names);
  pthread_mutex_unlock(&lock);
}

void disk_mark(uint64_t number) {
  pthread_mutex_lock(&lock);
  if (is_watching) append(event_of(disk_marked, "", number));
  pthread_mutex_unlock(&lock);
}

void disk_fail(const struct disk_failure *wanted) {
  pthread_mutex_lock(&lock);
  is_failing = wanted != NULL;
  if (wanted) failure = *wanted;
  pthread_mutex_unlock(&lock);
}

void disk_skip_syncs(const char *name) {
  pthread_mutex_lock(&lock);
  strncpy(unsynced, name, disk_name_size - 1);
  pthread_mutex_unlock(&lock);
}

size_t disk_event_count(void) {
  pthread_mutex_lock(&lock);
  size_t count = event_count;
  pthread_mutex_unlock(&lock);
  return count;
}

struct disk_event disk_event_at(size_t index) {
  pthread_mutex_lock(&lock);
  struct disk_event event = events[index];
  pthread_mutex_unlock(&lock);
  return event;
}

// MARK: The C library's calls

static int open_file(int directory, const char *path, int flags, unsigned mode) {
  pthread_mutex_lock(&lock);
  const char *name = name_of(path);
  int descriptor = -1, error = 0;
  if (name) {
    bool exists = syscall(SYS_faccessat, directory, path, F_OK) == 0;
    bool creates = !exists && flags & O_CREAT_;
    struct disk_event event = event_of(creates ? disk_created : disk_opened, name, 0);
    if (fails(&event, &error) && error) {
      pthread_mutex_unlock(&lock);
      errno = error;
      return -1;
    }
    descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (descriptor < 0) event.error = errno;
    append(event);
    error = event.error;
    if (descriptor >= 0) {
      if (exists && flags & O_TRUNC_) append(event_of(disk_resized, name, 0));
      if (descriptor < descriptors_max) strcpy(names[descriptor], event.name);
    }
  } else {
    descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
    error = errno;
    if (descriptor >= 0 && descriptor < descriptors_max) names[descriptor][0] = 0;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

#define MODE(flags)                                             \
  unsigned mode = 0;                                            \
  if (flags & O_CREAT_ || (flags & O_TMPFILE_) == O_TMPFILE_) { \
    va_list arguments;                                          \
    va_start(arguments, flags);                                 \
    mode = va_arg(arguments, unsigned);                         \
    va_end(arguments);                                          \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_file(AT_FDCWD_, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open_file(AT_FDCWD_, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return open_file(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return open_file(directory, path, flags, mode);
}

int close(int descriptor) {
  pthread_mutex_lock(&lock);
  if (descriptor >= 0 && descriptor < descriptors_max) names[descriptor][0] = 0;
  int result = (int)syscall(SYS_close, descriptor);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

static ssize_t write_file(int descriptor, const void *bytes, size_t count, off64_t offset) {
  bool is_placed = offset >= 0;
  pthread_mutex_lock(&lock);
  bool is_noted = is_known(descriptor);
  struct disk_event event;
  if (is_noted) {
    int error = 0;
    if (!is_placed) offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    event = event_of(disk_written, names[descriptor], (uint64_t)offset);
    if (fails(&event, &error)) {
      if (error) {
        pthread_mutex_unlock(&lock);
        errno = error;
        return -1;
      }
      count = count > 1 ? count / 2 : count;
    }
  }
  ssize_t done = is_placed ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                           : syscall(SYS_write, descriptor, bytes, count);
  int error = errno;
  if (is_noted && done >= 0) append_write(event, bytes, (size_t)done);
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (!is_known(descriptor)) return syscall(SYS_write, descriptor, bytes, count);
  return write_file(descriptor, bytes, count, -1);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_file(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return write_file(descriptor, bytes, count, offset);
}

// Records a call without bytes to write; returns whether it must fail, with errno set.
static bool refused(int descriptor, enum disk_action action, uint64_t offset) {
  pthread_mutex_lock(&lock);
  int error = 0;
  if (is_known(descriptor)) {
    struct disk_event event = event_of(action, names[descriptor], offset);
    if (action == disk_synced && strcmp(event.name, ".") == 0) {
      event.action = disk_directory_synced;
    }
    if (!fails(&event, &error) || !error) {
      error = 0;
      append(event);
    }
  }
  pthread_mutex_unlock(&lock);
  if (error) errno = error;
  return error != 0;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (is_known(descriptor) && refused(descriptor, disk_read, 0)) return -1;
  return syscall(SYS_read, descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  if (is_known(descriptor) && refused(descriptor, disk_read, (uint64_t)offset)) return -1;
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  return pread(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
  if (refused(descriptor, disk_resized, (uint64_t)length)) return -1;
  return (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

// Whether a sync is reported as done without being done, and without being recorded.
static bool skips_sync(int descriptor) {
  pthread_mutex_lock(&lock);
  bool skips = unsynced[0] != 0 && is_known(descriptor) && !strcmp(names[descriptor], unsynced);
  pthread_mutex_unlock(&lock);
  return skips;
}

int fsync(int descriptor) {
  if (skips_sync(descriptor)) return 0;
  if (refused(descriptor, disk_synced, 0)) return -1;
  return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
  if (skips_sync(descriptor)) return 0;
  if (refused(descriptor, disk_synced, 0)) return -1;
  return (int)syscall(SYS_fdatasync, descriptor);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  if (is_known(descriptor) && refused(descriptor, disk_mapped, 0)) return (void *)-1;
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap64(
    void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, length, protection, flags, descriptor, offset);
}

// Gives a file of the directory another name in it; a move from or to elsewhere is not recorded.
static int name_again(const char *from, const char *to, enum disk_action action, long call) {
  pthread_mutex_lock(&lock);
  const char *name = name_of(from), *target = name_of(to);
  int result, error = 0;
  if (name && target) {
    struct disk_event event = event_of(action, name, 0);
    strncpy(event.target, target, disk_name_size - 1);
    if (fails(&event, &error) && error) {
      result = -1;
    } else {
      result = (int)syscall(call, from, to);
      event.error = error = result == 0 ? 0 : errno;
      append(event);
    }
  } else {
    result = (int)syscall(call, from, to);
    error = errno;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int link(const char *from, const char *to) { return name_again(from, to, disk_linked, SYS_link); }

int rename(const char *from, const char *to) {
  return name_again(from, to, disk_renamed, SYS_rename);
}

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  const char *name = name_of(path);
  int error = 0;
  if (name) {
    struct disk_event event = event_of(disk_removed, name, 0);
    if (fails(&event, &error) && error) {
      pthread_mutex_unlock(&lock);
      errno = error;
      return -1;
    }
    int result = (int)syscall(SYS_unlink, path);
    event.error = error = result == 0 ? 0 : errno;
    append(event);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
  }
  pthread_mutex_unlock(&lock);
  return (int)syscall(SYS_unlink, path);
}
