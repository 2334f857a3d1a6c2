#pragma once

#include <spawn.h>

// Swift's Glibc module reads spawn.h without the GNU extensions, so they are missing there.
// Closes all descriptors from this one on in the program that is started (since glibc 2.34).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
