/* Temporary directories on hosts without a mount namespace: made before a command, removed after it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

#define TMP_PLACE "/tmp"
#define TMP_PREFIX "parley-tmp-"
#define MAX_REMOVERS 512
static pid_t removers[MAX_REMOVERS];

static bool is_ours(uid_t owner);
static void remove_apart(const char *path);
static void remove_all(const char *path);
static bool remove_entries(int parent, int top, unsigned long *moved);
static bool move_up(int parent, const char *name, int top, unsigned long *moved);
static int open_directory(int parent, const char *name);

/*
 * Returns false with errno. The lock shows later servers that this server is alive. Such a server may hold the lock briefly, or
 * have removed an unlocked directory; another directory is made then.
 */
bool tmp_create(struct tmp *tmp, uid_t uid) {
  for (int attempt = 0; attempt < 8; attempt++) {
    char path[] = TMP_PLACE "/" TMP_PREFIX "XXXXXX";
    if (mkdtemp(path) == NULL) return false;
    struct stat held, there;
    tmp->lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool ours = tmp->lock >= 0 && flock(tmp->lock, LOCK_EX | LOCK_NB) == 0 && fstat(tmp->lock, &held) == 0 &&
                lstat(path, &there) == 0 && held.st_ino == there.st_ino && held.st_dev == there.st_dev;
    if (ours && (!host.root || fchown(tmp->lock, uid, uid) == 0) && (tmp->path = strdup(path)) != NULL) return true;
    int error = errno;
    if (tmp->lock >= 0) close(tmp->lock);
    *tmp = (struct tmp){.lock = -1};
    errno = error;
    if (ours || error == EMFILE || error == ENFILE) break;
  }
  return false;
}

/* Removes the directory in a separate process if possible, because a million files must not block the server. */
void tmp_remove(struct tmp *tmp) {
  if (tmp->path == NULL) return;
  if (rmdir(tmp->path) != 0 && errno != ENOENT) remove_apart(tmp->path); /* most commands leave the directory empty */
  free(tmp->path);
  close(tmp->lock);
  *tmp = (struct tmp){.lock = -1};
}

/* Removes directories of killed servers, whose locks are free. Only directories of this user or its commands are removed. */
void tmp_sweep(void) {
  DIR *directory = opendir(TMP_PLACE);
  if (directory == NULL) return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strncmp(entry->d_name, TMP_PREFIX, sizeof TMP_PREFIX - 1) != 0) continue;
    int lock = openat(dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0) continue;
    char path[sizeof TMP_PLACE + sizeof entry->d_name];
    snprintf(path, sizeof path, TMP_PLACE "/%s", entry->d_name);
    struct stat st;
    if (fstat(lock, &st) == 0 && is_ours(st.st_uid) && flock(lock, LOCK_EX | LOCK_NB) == 0 && rmdir(path) != 0) remove_apart(path);
    close(lock);
  }
  closedir(directory);
}

static bool is_ours(uid_t owner) {
  return owner == geteuid() || (host.root && owner >= host.uid_base && owner - host.uid_base <= MAX_IDENTITY);
}

static void remove_apart(const char *path) {
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

/* Follows no link. Deeper directories are moved up first, so neither depth nor descriptors limit the removal. */
static void remove_all(const char *path) {
  int top = open_directory(AT_FDCWD, path);
  if (top < 0) return;
  unsigned long moved = 0;
  while (remove_entries(top, top, &moved)) continue;
  close(top);
  unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

/* Removes all removable entries and moves non-empty directories up to `top`. Returns true if anything changed. */
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

/* Reopens directories that the command closed to their owner. -1 without a directory. */
static int open_directory(int parent, const char *name) {
  int fd = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  char own[40];
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  chmod(own, 0700);
  close(fd);
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}
