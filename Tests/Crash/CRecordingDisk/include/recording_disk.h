// A disk that records the calls to one directory, and fails on command.
//
// This library defines the C library's own file calls (open, pwrite, fsync …), so that SQLite,
// Foundation and all other code of a program linked with it call these. Calls that concern the
// watched directory are recorded and then performed; all others are only performed.
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
  disk_linked,
  disk_renamed,
  disk_mapped,
  disk_marked,
};

// Enough for a file in a directory within the watched one that is named by two hashes.
enum { disk_name_size = 192 };

// One call, or one marker of the program under test.
struct disk_event {
  enum disk_action action;
  // The call's number since the watch began; negative for an event that is not a call.
  int64_t call;
  // The errno of a call that failed; 0 if it succeeded.
  int error;
  // The file's name within the directory.
  char name[disk_name_size];
  // The name that a link or a rename gives it, within the same directory.
  char target[disk_name_size];
  // The offset of a write, the new length of a file, or the number of a marker.
  uint64_t offset;
  // The written bytes; owned by the disk until its next watch.
  const uint8_t *bytes;
  size_t count;
};

// The calls that fail, by their number since the watch began; markers are not calls.
struct disk_failure {
  size_t first, last;
  // If this is not negative, only calls of this action fail.
  int action;
  // The errno, or 0 for a write that writes only the first half.
  int error;
};

// Clears the record and watches a directory, by its path without links.
void disk_watch(const char *directory);

// Stops recording. Open files stay known.
void disk_unwatch(void);

// Adds a marker between the calls.
void disk_mark(uint64_t number);

// Makes calls fail from now on; NULL ends all failures.
void disk_fail(const struct disk_failure *failure);

// Makes every sync of one file do nothing and report success, until the watch ends.
void disk_skip_syncs(const char *name);

// The number of events, including markers, and the event at an index.
size_t disk_event_count(void);
struct disk_event disk_event_at(size_t index);

#endif
