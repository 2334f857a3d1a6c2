#include "CFuzzer.h"

// Of the sanitizers' interface (sanitizer/allocator_interface.h).
int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));

static size_t allocated;

static void count(const volatile void *pointer, size_t size) { (void)pointer; allocated += size; }
static void ignore(const volatile void *pointer) { (void)pointer; }

void allocations_count(void) { __sanitizer_install_malloc_and_free_hooks(count, ignore); }

size_t allocations_take(void) {
    size_t bytes = allocated;
    allocated = 0;
    return bytes;
}
