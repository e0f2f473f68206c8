/* Checks of running commands that no control group limits (watch.c): process trees (census.c) and files (disk.c). */
#ifndef PARLEY_WATCH_H
#define PARLEY_WATCH_H

#include "server.h"

#define SESSIONS_COUNTED 64
struct census {
  size_t tasks;    /* processes and threads */
  size_t sessions; /* different sessions, counted up to SESSIONS_COUNTED */
  size_t files;    /* open descriptors */
  size_t watches;  /* entries of epoll; inherited or duplicated descriptors count each time */
  uint64_t memory; /* bytes; an upper bound unless it exceeds `enough` */
  bool exact;      /* memory was counted exactly; in `enough`: must be counted exactly */
  bool whole;      /* no counted process had ended by then; only with `exact` */
};
/*
 * Counts everything below `root`, without `root` itself. Memory is exact if it exceeds `enough`. Counting stops once another
 * value exceeds `enough`.
 */
struct census census_take(pid_t root, const struct census *enough);
/*
 * Whether a process below `root` may have uncounted resources: an unreadable process, or descriptors in transit in a message.
 * With `mapped`, shared memory that might be in no page table counts as an uncounted resource, too.
 */
bool census_hides(pid_t root, bool mapped);

/* pressure.c: values of the whole machine, in bytes and in open files. */
struct pressure pressure_read(void);
/* Returns the growth over `least`, which is lowered to smaller values. `total` and `files_most` stay unchanged. */
struct pressure pressure_growth(struct pressure *least, const struct pressure *now);
/* Epoll entries that one user may have. */
uint64_t pressure_watches(void);

/* disk.c: free space at the start of a command and from time to time, and the result of a walk. */
void disk_open(struct slot *slot, const struct spec *spec);
void disk_look(struct slot *slot, uint64_t now);
bool disk_measured(struct slot *slot, int status);
void disk_close(struct slot *slot);

void watch_begin(struct slot *slot);
bool watch_wants(const struct slot *slot);
void watch_look(struct slot **slots, size_t count);
/* Returns the time of the next check of a command that watch_wants accepts. */
uint64_t watch_next(const struct slot *slot);

#endif
