/* Without a mount namespace a command's temporary directory is one of the host's: made before it, removed after it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parley.h"

#define MAX_REMOVERS 512
static pid_t removers[MAX_REMOVERS];

static void remove_below(int parent, const char *name, int depth);

/* The path, to be freed, or null with errno. */
char *tmp_create(uid_t uid) {
  char *path = strdup("/tmp/parley-tmp-XXXXXX");
  if (path == NULL) return NULL;
  if (mkdtemp(path) == NULL || (host.root && chown(path, uid, uid) != 0)) {
    free(path);
    return NULL;
  }
  return path;
}

/* Starts the removal in a process of its own: a million files must hold nobody up. */
void tmp_remove(const char *path) {
  pid_t pid = fork();
  if (pid == 0) {
    remove_below(AT_FDCWD, path, 0);
    _exit(0);
  }
  for (size_t i = 0; pid > 0 && i < MAX_REMOVERS; i++) {
    if (removers[i] != 0) continue;
    removers[i] = pid;
    return;
  }
}

bool tmp_remover(pid_t pid, bool ended) {
  for (size_t i = 0; i < MAX_REMOVERS; i++) {
    if (removers[i] != pid) continue;
    if (ended) removers[i] = 0;
    return true;
  }
  return false;
}

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
