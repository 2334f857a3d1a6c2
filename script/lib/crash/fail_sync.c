// Preloaded into a node: makes every sync fail while a file exists, as on a bad disk.
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_or_fail(long call, int descriptor) {
  const char *sign = getenv("FAIL_SYNC_WHILE");
  if (sign && access(sign, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(call, descriptor);
}

int fsync(int descriptor) { return sync_or_fail(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_or_fail(SYS_fdatasync, descriptor); }
