/* The descendants of a process, as /proc shows them (family.c). */
#ifndef PARLEY_FAMILY_H
#define PARLEY_FAMILY_H

#include "parley.h"

struct member {
  char state; /* 'Z' when dead */
  pid_t parent;
  int session;
  size_t threads;
  unsigned long long since; /* when it began, in ticks since the machine did */
};
/* False when there is no such process (any more). */
bool family_look(pid_t pid, struct member *member);
/* The children of a process that has so many threads; as many as there is room for. */
size_t family_children(pid_t pid, size_t threads, pid_t *out, size_t room);
/* A live thread of a process whose first has ended, by a number that /proc knows as well; or 0. */
pid_t family_survivor(pid_t pid);
/* Kills everything below `root`, which is the reaper of its orphans, but not `root`. True when some of it was alive. */
bool family_end(pid_t root);
/* A file of /proc/PID, ended by a zero; -1 when it cannot be read. */
ssize_t family_read(pid_t pid, const char *file, char *text, size_t size);

#endif
