/* The descendants of a process. A census counts them, and the server ends them if no supervisor is left. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "family.h"

#define MAX_FAMILY 8192

static size_t read_children(pid_t pid, pid_t thread, pid_t *out, size_t room);
static bool end_one(pid_t pid, pid_t parent, pid_t root, size_t *threads);

ssize_t family_read(pid_t pid, const char *file, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
  return text_read(AT_FDCWD, path, text, size);
}

bool family_look(pid_t pid, struct member *member) {
  char text[1024];
  ssize_t length = family_read(pid, "stat", text, sizeof text);
  const char *name_end = length <= 0 ? NULL : strrchr(text, ')');
  /* Fields 3, 4, 6, 20 and 22; the name may contain any character. */
  return name_end != NULL && sscanf(name_end + 1, " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %zu %*d %llu", &member->state, &member->parent,
                                    &member->session, &member->threads, &member->since) == 5;
}

size_t family_children(pid_t pid, size_t threads, pid_t *out, size_t room) {
  if (threads <= 1) return read_children(pid, pid, out, room);
  char path[32];
  size_t count = 0;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *directory = opendir(path);
  if (directory == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (atoi(entry->d_name) > 0) count += read_children(pid, atoi(entry->d_name), out + count, room - count);
  }
  closedir(directory);
  return count;
}

pid_t family_survivor(pid_t pid) {
  char path[32];
  pid_t thread = 0;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *directory = opendir(path);
  if (directory == NULL) return 0;
  for (struct dirent *entry; thread == 0 && (entry = readdir(directory)) != NULL;) {
    if (atoi(entry->d_name) != pid) thread = atoi(entry->d_name);
  }
  closedir(directory);
  return thread;
}

/*
 * Kills parents before their children. A process with a pending SIGKILL cannot fork, so its list of children is complete
 * afterwards, and an endlessly forking tree shrinks with every pass.
 */
bool family_end(pid_t root) {
  static pid_t pids[MAX_FAMILY], parents[MAX_FAMILY];
  size_t found = family_children(root, 1, pids, MAX_FAMILY);
  bool alive = false;
  for (size_t i = 0; i < found; i++) parents[i] = root;
  for (size_t i = 0; i < found; i++) {
    size_t threads = 1;
    alive = end_one(pids[i], parents[i], root, &threads) || alive;
    size_t more = family_children(pids[i], threads, pids + found, MAX_FAMILY - found);
    for (size_t n = 0; n < more; n++) parents[found + n] = pids[i];
    found += more;
  }
  return alive;
}

/*
 * False if the process was dead. The descriptor always names the same process, so a process with a reused number is not killed.
 */
static bool end_one(pid_t pid, pid_t parent, pid_t root, size_t *threads) {
  struct member member;
  int process = (int)syscall(SYS_PIDFD_OPEN, pid, 0);
  if (process < 0) return false;
  bool known = family_look(pid, &member) && (member.parent == parent || member.parent == root);
  bool alive = known && (member.state != 'Z' || member.threads > 1);
  if (known) {
    *threads = member.threads;
    syscall(SYS_PIDFD_SEND_SIGNAL, process, SIGKILL, NULL, 0);
  }
  close(process);
  return alive;
}

static size_t read_children(pid_t pid, pid_t thread, pid_t *out, size_t room) {
  static char list[65536];
  char file[32];
  snprintf(file, sizeof file, "task/%d/children", thread);
  if (family_read(pid, file, list, sizeof list) <= 0) return 0;
  size_t count = 0;
  for (char *at = list, *end; count < room; at = end) {
    long child = strtol(at, &end, 10);
    if (end == at) break;
    out[count++] = (pid_t)child;
  }
  return count;
}
