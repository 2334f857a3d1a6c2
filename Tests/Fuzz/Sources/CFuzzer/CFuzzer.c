#include "CFuzzer.h"

#include <stdbool.h>

// Of the sanitizers' interface (sanitizer/allocator_interface.h).
int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *pointer);

static bool is_counting;
static size_t allocated, freed, checks;

static void count_allocated(const volatile void *pointer, size_t size) {
    (void)pointer;
    allocated += size;
}

static void count_freed(const volatile void *pointer) {
    if (pointer) freed += __sanitizer_get_allocated_size(pointer);
}

void costs_begin(void) {
    if (!is_counting) __sanitizer_install_malloc_and_free_hooks(count_allocated, count_freed);
    is_counting = true;
    allocated = freed = checks = 0;
}

struct costs costs_so_far(void) {
    return (struct costs){
        .allocated_bytes = allocated, .held_bytes = (ptrdiff_t)(allocated - freed), .checks = checks};
}

// The linker directs every call of the function to the one with __wrap_ in front of its name, and
// calls of __real_ to the function (its option --wrap).
int __real_CCryptoBoringSSLShims_ED25519_verify(
    const void *message, size_t length, const void *signature, const void *key);
int __wrap_CCryptoBoringSSLShims_ED25519_verify(
    const void *message, size_t length, const void *signature, const void *key) {
    checks++;
    return __real_CCryptoBoringSSLShims_ED25519_verify(message, length, signature, key);
}
