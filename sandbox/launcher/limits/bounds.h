/* Limits of a command: for each process (limits.c), and for all processes together by a control group (cgroup.c). */
#ifndef PARLEY_BOUNDS_H
#define PARLEY_BOUNDS_H

#include "parley.h"

/* limits.c: bytes that one command may use in memory, and add to the host's disk. */
uint64_t limits_memory(enum profile profile);
uint64_t limits_disk(enum profile profile);
/* Limits the System V segments of this process's own ipc namespace; false if the kernel refuses. */
bool limits_segments(void);
void limits_apply(const struct spec *spec);
void oom_first(void);

/* cgroup.c: a group for each command, if the host permits groups. */
void cgroup_prepare(void);
/* Returns a free group with the profile's limits, or -1. The caller must release it. */
int cgroup_take(enum profile profile, bool background);
void cgroup_release(int group);
int cgroup_descriptor(int group);
bool cgroup_enter(int group);
bool cgroup_overran(int group);
/* Lowers the priority of a command with many processes; true if the priority changed. */
bool cgroup_step_back(int group);
void cgroup_kill(int group);
void cgroup_leave(void);

enum { CONTROL_MEMORY = 1, CONTROL_PIDS = 2, CONTROL_CPU = 4 };

#define MAX_HIERARCHIES 3

struct hierarchy {
  int base; /* directory below which groups can be made */
  bool unified;
  unsigned controls;
};

/* cgroup_find.c: fills `found` and returns the number. Each controller occurs once. */
size_t cgroup_find(struct hierarchy *found);

/* cgroup_sweep.c: the pool's name, unique to this server, and the removal of dead servers' pools. */
const char *cgroup_pool_name(void);
void cgroup_sweep(int base);
void cgroup_remove(int base, const char *pool);

#endif
