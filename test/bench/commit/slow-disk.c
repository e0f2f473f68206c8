/* Preloaded into a process: each fsync and fdatasync takes SLOW_DISK_US microseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static void linger(void) {
  const char *text = getenv("SLOW_DISK_US");
  const long us = text == NULL ? 0 : strtol(text, NULL, 10);
  struct timespec rest = {us / 1000000, us % 1000000 * 1000};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  linger();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  linger();
  return real(fd);
}
