#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own arguments; it calls `callback` for each input.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));

/// Starts to count the bytes that this process allocates.
void allocations_count(void);

/// Returns the bytes allocated since the last call of this function.
size_t allocations_take(void);
