/* What no control group binds, looked at while commands run (watch.c): their trees (census.c), their files (disk.c). */
#ifndef PARLEY_WATCH_H
#define PARLEY_WATCH_H

#include "server.h"

#define SESSIONS_COUNTED 64
struct census {
  size_t tasks;    /* processes and threads */
  size_t sessions; /* different ones; counted up to SESSIONS_COUNTED */
  uint64_t memory; /* bytes; an upper bound when it does not exceed what was enough */
  bool whole;      /* where it was counted exactly: nothing that was counted had ended by then */
};
/*
 * Of everything below `root`, itself not counted. Memory is exact only where it is more than `enough`; when there are
 * more tasks or sessions than `enough`, the rest is not looked at.
 */
struct census census_take(pid_t root, const struct census *enough);

/* disk.c: free space at the start of a command, now and then while it runs, and what a look at its files has found. */
void disk_open(struct slot *slot, const struct spec *spec);
void disk_look(struct slot *slot, uint64_t now);
bool disk_measured(struct slot *slot, int status);
void disk_close(struct slot *slot);

/* watch.c */
uint64_t watch_first(void);
bool watch_wants(const struct slot *slot);
void watch_look(struct slot **slots, size_t count);

#endif
