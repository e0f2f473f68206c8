/* What bounds a command: each process (limits.c), all of them together by a control group (cgroup.c). */
#ifndef PARLEY_BOUNDS_H
#define PARLEY_BOUNDS_H

#include "parley.h"

/* limits.c */
/* Bytes that one command may hold in memory, and add to the host's disk. */
uint64_t limits_memory(enum profile profile);
uint64_t limits_disk(enum profile profile);
/* Bounds the System V segments of this process's own ipc namespace; false when that is not allowed here. */
bool limits_segments(void);
void limits_apply(const struct spec *spec);
void oom_first(void);

/* cgroup.c: a group of its own for each command, where the host lets us make any. */
void cgroup_prepare(void);
/* A free group with the profile's limits, or -1. Whoever takes it releases it. */
int cgroup_take(enum profile profile, bool background);
void cgroup_release(int group);
int cgroup_descriptor(int group);
bool cgroup_enter(int group);
bool cgroup_overran(int group);
/* True when the command has so many processes that it stands behind others now. */
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

/* cgroup_find.c: fills `found`; returns how many. No controller occurs twice. */
size_t cgroup_find(struct hierarchy *found);

/* cgroup_sweep.c: the pool's name, unique to this server; and the pools of servers that are no more. */
const char *cgroup_pool_name(void);
void cgroup_sweep(int base);
void cgroup_remove(int base, const char *pool);

#endif
