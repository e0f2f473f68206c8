/* Names each pool of groups after its server, so that pools of killed servers can be distinguished from active pools. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "family.h"
#include "bounds.h"

static unsigned long long started(pid_t pid);

/* Process ids are valid in one pid namespace only and are reused, hence the namespace and the start time. */
const char *cgroup_pool_name(void) {
  static char name[96];
  struct stat space;
  if (stat("/proc/self/ns/pid", &space) != 0) return NULL;
  snprintf(name, sizeof name, "parley-%llu-%d-%llu", (unsigned long long)space.st_ino, (int)getpid(), started(getpid()));
  return name;
}

/* Removes the pools below `base` whose server is dead. A group with a running process remains. */
void cgroup_sweep(int base) {
  struct stat space;
  DIR *directory = fdopendir(openat(base, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory == NULL || stat("/proc/self/ns/pid", &space) != 0) return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    unsigned long long there, since;
    int pid;
    if (sscanf(entry->d_name, "parley-%llu-%d-%llu", &there, &pid, &since) != 3 || there != space.st_ino) continue;
    if (started(pid) != since) cgroup_remove(base, entry->d_name);
  }
  closedir(directory);
}

void cgroup_remove(int base, const char *pool) {
  DIR *directory = fdopendir(openat(base, pool, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory == NULL) return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') unlinkat(dirfd(directory), entry->d_name, AT_REMOVEDIR);
  }
  closedir(directory);
  unlinkat(base, pool, AT_REMOVEDIR);
}

/* Start time in ticks since the machine started; 0 if the process does not exist. */
static unsigned long long started(pid_t pid) {
  struct member member;
  return family_look(pid, &member) ? member.since : 0;
}
