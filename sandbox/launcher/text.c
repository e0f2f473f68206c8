/* Reads and writes small files of /proc and /sys with one call each. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "parley.h"

ssize_t text_read(int directory, const char *file, char *text, size_t size) {
  int fd = openat(directory, file, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
  if (fd >= 0) close(fd);
  if (length >= 0) text[length] = '\0';
  return length;
}

bool text_write(int directory, const char *file, const char *text) {
  int fd = openat(directory, file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  int saved = errno;
  close(fd);
  errno = saved;
  return done;
}
