#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"

bool userns_enter(void) {
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1", getuid(), getuid());
  snprintf(groups, sizeof groups, "%u %u 1", getgid(), getgid());
  return unshare(CLONE_NEWUSER) == 0 && text_write(AT_FDCWD, "/proc/self/setgroups", "deny") && text_write(AT_FDCWD, "/proc/self/uid_map", users) &&
         text_write(AT_FDCWD, "/proc/self/gid_map", groups);
}

int namespace_make(unsigned long kind, const char *users, const char *groups) {
  int hold[2];
  if (pipe2(hold, O_CLOEXEC) != 0) return -1;
  pid_t holder = (pid_t)syscall(__NR_clone, kind | SIGCHLD, NULL, NULL, NULL, NULL);
  if (holder == 0) {
    char byte;
    close(hold[1]);
    _exit(read(hold[0], &byte, 1) < 0);
  }
  close(hold[0]);
  int fd = -1;
  if (holder > 0) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/uid_map", holder);
    bool mapped = users == NULL || text_write(AT_FDCWD, path, users);
    snprintf(path, sizeof path, "/proc/%d/gid_map", holder);
    mapped = mapped && (groups == NULL || text_write(AT_FDCWD, path, groups));
    snprintf(path, sizeof path, "/proc/%d/ns/%s", holder, kind == CLONE_NEWUSER ? "user" : "net");
    if (mapped) fd = open(path, O_RDONLY | O_CLOEXEC);
  }
  int saved = errno;
  close(hold[1]);
  if (holder > 0) waitpid(holder, NULL, 0);
  errno = saved;
  return fd;
}
