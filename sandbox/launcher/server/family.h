/* The descendants of a process, as listed in /proc (family.c). */
#ifndef PARLEY_FAMILY_H
#define PARLEY_FAMILY_H

#include "parley.h"

struct member {
  char state; /* 'Z' when dead */
  pid_t parent;
  int session;
  size_t threads;
  unsigned long long since; /* start time, in ticks since the machine started */
};
/* False if the process does not exist. */
bool family_look(pid_t pid, struct member *member);
/* Lists the children of a process with `threads` threads, up to `room`. */
size_t family_children(pid_t pid, size_t threads, pid_t *out, size_t room);
/* Returns a live thread of a process whose first thread has ended, by a number that /proc accepts; or 0. */
pid_t family_survivor(pid_t pid);
/*
 * Kills everything below `root` without `root` itself, which must be the reaper of its orphans. True if any process was alive.
 */
bool family_end(pid_t root);
/* Reads a file of /proc/PID and adds a zero byte; -1 if the file cannot be read. */
ssize_t family_read(pid_t pid, const char *file, char *text, size_t size);

#endif
