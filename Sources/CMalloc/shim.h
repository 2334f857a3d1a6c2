#pragma once

// The C library's allocator and its settings, which Swift's Glibc module leaves out.
#include <malloc.h>
