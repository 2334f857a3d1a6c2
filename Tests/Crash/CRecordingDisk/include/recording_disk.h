// A disk that remembers what was done to one directory, and fails when it is told to.
//
// This library defines the C library's own file calls (open, pwrite, fsync …), so that a program
// it is linked into calls these: SQLite, Foundation and everyone else. Calls that concern the
// watched directory are noted and then done; all others are only done.
#ifndef RECORDING_DISK_H
#define RECORDING_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum disk_action {
  disk_opened,
  disk_created,
  disk_read,
  disk_written,
  disk_resized,
  disk_synced,
  disk_directory_synced,
  disk_removed,
  disk_mapped,
  disk_noted,
};

enum { disk_name_size = 32 };

// One call, or one note of the program under test.
struct disk_event {
  enum disk_action action;
  // The call's number since the watch began; negative for what is no call of its own.
  int64_t call;
  // The errno of a call that failed; 0 where it was done.
  int error;
  // The file's name within the directory.
  char name[disk_name_size];
  // Where a write begins, what length a file took, or the number of a note.
  uint64_t place;
  // What was written; owned by the disk until it watches anew.
  const uint8_t *bytes;
  size_t count;
};

// Which calls fail, by their number since the watch began; notes are not calls.
struct disk_failure {
  size_t first, last;
  // Only calls of this action fail, where it is not negative.
  int action;
  // The errno, or 0 for a write of which only the first half is done.
  int error;
};

// Forgets what was noted and watches a directory, by its path without links.
void disk_watch(const char *directory);

// Notes nothing more. Files that are open stay known.
void disk_unwatch(void);

// Adds a note of one's own between the calls.
void disk_note(uint64_t number);

// Calls fail from now on, or none where nothing is given.
void disk_fail(const struct disk_failure *failure);

// How many events there are, notes among them; and each of them.
size_t disk_event_count(void);
struct disk_event disk_event_at(size_t index);

#endif
