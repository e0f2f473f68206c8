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

static void remove_all(const char *path);
static bool remove_entries(int parent, int top, unsigned long *moved);
static bool move_up(int parent, const char *name, int top, unsigned long *moved);
static int open_directory(int parent, const char *name);

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

/* Starts the removal in a process of its own, where there is room for one: a million files must hold nobody up. */
void tmp_remove(const char *path) {
  pid_t pid = fork();
  if (pid <= 0) remove_all(path);
  if (pid == 0) _exit(0);
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

/* Follows no link. What lies deeper is moved up first, so neither depth nor descriptors bound what can be removed. */
static void remove_all(const char *path) {
  int top = open_directory(AT_FDCWD, path);
  if (top < 0) return;
  unsigned long moved = 0;
  while (remove_entries(top, top, &moved)) continue;
  close(top);
  unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

/* Removes what can be removed, and moves directories that are not empty from below up to `top`. True when it did any. */
static bool remove_entries(int parent, int top, unsigned long *moved) {
  bool done = false;
  int own = dup(parent);
  DIR *directory = own < 0 ? NULL : fdopendir(own);
  if (directory == NULL) return false;
  rewinddir(directory);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    if (unlinkat(parent, name, 0) == 0 || unlinkat(parent, name, AT_REMOVEDIR) == 0) {
      done = true;
      continue;
    }
    int child = open_directory(parent, name);
    if (child < 0) continue;
    done = (parent == top ? remove_entries(child, top, moved) : move_up(parent, name, top, moved)) || done;
    close(child);
  }
  closedir(directory);
  return done;
}

static bool move_up(int parent, const char *name, int top, unsigned long *moved) {
  char place[40];
  snprintf(place, sizeof place, ".parley-%lu", ++*moved);
  return renameat(parent, name, top, place) == 0;
}

/* Directories that the command has closed to its owner are opened again. -1 where there is none. */
static int open_directory(int parent, const char *name) {
  int fd = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  char own[40];
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  chmod(own, 0700);
  close(fd);
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}
