#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own arguments; it calls `callback` for each input.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));

/// What this process used since `costs_begin`.
struct costs {
    /// The bytes allocated, whether they were freed or not.
    size_t allocated_bytes;
    /// The bytes allocated and not freed; negative if older ones were freed.
    ptrdiff_t held_bytes;
    /// The signatures checked.
    size_t checks;
};

/// Begins to count from zero.
void costs_begin(void);

/// Returns what was counted so far.
struct costs costs_so_far(void);
