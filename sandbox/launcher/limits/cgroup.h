/* Control groups: where they can be made (cgroup_find.c), one for each command (cgroup.c), who goes when (cgroup_sweep.c). */
#ifndef PARLEY_CGROUP_H
#define PARLEY_CGROUP_H

#include "parley.h"

enum { CONTROL_MEMORY = 1, CONTROL_PIDS = 2, CONTROL_CPU = 4 };

#define MAX_HIERARCHIES 3

struct hierarchy {
  int base; /* directory below which groups can be made */
  bool unified;
  unsigned controls;
};

/* Fills `found`; returns how many. No controller occurs twice. */
size_t cgroup_find(struct hierarchy *found);

/* False with errno. `file` is relative to the directory. */
bool cgroup_write(int directory, const char *file, const char *value);
/* The number in `file`, or of its line that begins with `name`; `absent` when there is none. */
uint64_t cgroup_read(int directory, const char *file, const char *name, uint64_t absent);

/* cgroup_sweep.c: the pool's name, unique to this server; and the pools of servers that are no more. */
const char *cgroup_pool_name(void);
void cgroup_sweep(int base);
void cgroup_remove(int base, const char *pool);

#endif
