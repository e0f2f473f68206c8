/* What no control group binds, looked at while commands run (watch.c): their trees (census.c), their files (disk.c). */
#ifndef PARLEY_WATCH_H
#define PARLEY_WATCH_H

#include "server.h"

#define SESSIONS_COUNTED 64
struct census {
  size_t tasks;    /* processes and threads */
  size_t sessions; /* different ones; counted up to SESSIONS_COUNTED */
  size_t files;    /* open descriptors */
  size_t watches;  /* entries of epoll; what is inherited or duplicated counts each time */
  uint64_t memory; /* bytes; an upper bound when it does not exceed what was enough */
  bool exact;      /* memory was counted exactly; as `enough`: it is to be */
  bool whole;      /* where it was: nothing that was counted had ended by then */
};
/*
 * Of everything below `root`, itself not counted. Memory is exact where it is more than `enough`; when there is more of
 * something else than `enough`, the rest is not looked at.
 */
struct census census_take(pid_t root, const struct census *enough);
/*
 * Whether something below `root` may hold what a census cannot count: a process that is closed to us, descriptors under
 * way in a message; and where `mapped`, shared memory that need not be in any table of pages.
 */
bool census_hides(pid_t root, bool mapped);

/* pressure.c: of the whole machine, in bytes and in open files. */
struct pressure pressure_read(void);
/* How much more than in `least`, which follows what falls; `total` and `files_most` as they are. */
struct pressure pressure_growth(struct pressure *least, const struct pressure *now);
/* Entries of epoll that one user may have. */
uint64_t pressure_watches(void);

/* disk.c: free space at the start of a command, now and then while it runs, and what a look at its files has found. */
void disk_open(struct slot *slot, const struct spec *spec);
void disk_look(struct slot *slot, uint64_t now);
bool disk_measured(struct slot *slot, int status);
void disk_close(struct slot *slot);

/* watch.c */
void watch_begin(struct slot *slot);
bool watch_wants(const struct slot *slot);
void watch_look(struct slot **slots, size_t count);
/* When it wants to look again at a command that it wants to look at. */
uint64_t watch_next(const struct slot *slot);

#endif
