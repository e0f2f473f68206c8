/* Without a mount namespace a command's temporary directory is one of the host's: made before it, removed after it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parley.h"

static void remove_below(int parent, const char *name, int depth);

/* The path, to be freed, or null with errno. */
char *tmp_create(uid_t uid) {
  char *path = strdup("/tmp/parley-XXXXXX");
  if (path == NULL) return NULL;
  if (mkdtemp(path) == NULL || (host.root && chown(path, uid, uid) != 0)) {
    free(path);
    return NULL;
  }
  return path;
}

void tmp_remove(const char *path) { remove_below(AT_FDCWD, path, 0); }

/* Follows no link. Directories that the command has closed to its owner are opened again first. */
static void remove_below(int parent, const char *name, int depth) {
  if (unlinkat(parent, name, 0) == 0 || depth > 256) return;
  int fd = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  char own[40];
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  chmod(own, 0700);
  close(fd);
  fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *directory = fd < 0 ? NULL : fdopendir(fd);
  if (directory != NULL) {
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) remove_below(dirfd(directory), entry->d_name, depth + 1);
    }
    closedir(directory);
  }
  unlinkat(parent, name, AT_REMOVEDIR);
}
