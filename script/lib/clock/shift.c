// Preloaded into a program: shifts the wall clock it sees by WALL_CLOCK_SHIFT_SECONDS. The clocks
// that pauses and timeouts use stay as they are, so the program waits and ends as usual.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*original)(clockid_t, struct timespec *);
static time_t shift_seconds;

__attribute__((constructor)) static void prepare(void) {
    const char *shift = getenv("WALL_CLOCK_SHIFT_SECONDS");
    shift_seconds = shift ? atol(shift) : 0;
    original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!original) prepare();
    int result = original(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += shift_seconds;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    int result = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return result;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
