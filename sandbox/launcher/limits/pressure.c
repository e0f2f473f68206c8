/*
 * Resources of the whole machine that cannot be attributed to a process: kernel memory, shared memory, page tables, open files.
 * Growth triggers an early check of commands. Commands that hide resources are charged for that growth.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "watch.h"

#define KIB 1024ull
#define FEW_WATCHES 65536 /* where the kernel does not say */

static size_t read_text(int *fd, const char *path, char *text, size_t size);
static uint64_t field(const char *text, const char *name);

struct pressure pressure_read(void) {
  char text[4096];
  struct pressure now = {.files_most = UINT64_MAX};
  static int memory = -1, files = -1; /* kept open, because they are read a hundred times a second */
  if (read_text(&memory, "/proc/meminfo", text, sizeof text) > 0) {
    now.total = field(text, "MemTotal:");
    now.kernel = field(text, "SUnreclaim:");
    now.shared = field(text, "Shmem:");
    now.tables = field(text, "\nPageTables:");
  }
  unsigned long long used, most;
  if (read_text(&files, "/proc/sys/fs/file-nr", text, sizeof text) > 0 && sscanf(text, "%llu %*u %llu", &used, &most) == 2) {
    now.files = used;
    now.files_most = most;
  }
  return now;
}

/* Growth since each value was lowest. */
struct pressure pressure_growth(struct pressure *least, const struct pressure *now) {
  if (now->kernel < least->kernel) least->kernel = now->kernel;
  if (now->shared < least->shared) least->shared = now->shared;
  if (now->tables < least->tables) least->tables = now->tables;
  if (now->files < least->files) least->files = now->files;
  return (struct pressure){
      .total = now->total,
      .kernel = now->kernel - least->kernel,
      .shared = now->shared - least->shared,
      .tables = now->tables - least->tables,
      .files = now->files - least->files,
      .files_most = now->files_most,
  };
}

uint64_t pressure_watches(void) {
  static uint64_t most;
  char text[32];
  int fd = -1;
  if (most == 0) most = read_text(&fd, "/proc/sys/fs/epoll/max_user_watches", text, sizeof text) > 0 ? strtoull(text, NULL, 10) : FEW_WATCHES;
  if (fd >= 0) close(fd);
  return most;
}

static size_t read_text(int *fd, const char *path, char *text, size_t size) {
  if (*fd < 0) *fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = *fd < 0 ? -1 : pread(*fd, text, size - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  return length > 0 ? (size_t)length : 0;
}

static uint64_t field(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at == NULL ? 0 : strtoull(at + strlen(name), NULL, 10) * KIB;
}
