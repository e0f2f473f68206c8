/* Definitions shared by the table of rules (seccomp_rules.c) and the generator (seccomp.c). */
#ifndef PARLEY_SECCOMP_H
#define PARLEY_SECCOMP_H

#include "parley.h"

enum how {
  DENY,           /* EPERM */
  ABSENT,         /* ENOSYS: the caller falls back to an older call */
  ONLY_ZERO,      /* `argument` must be 0: oneself */
  NOT_BITS,       /* EPERM when `argument` has one of `bits` */
  CREATES,        /* EPERM when flags `argument` create and the mode after it has one of `bits` */
  CREATES_ONLY,   /* as CREATES, and EPERM when the flags truncate without opening for writing */
  IOCTL,          /* requests of ordinary programs to files, pipes, sockets and terminals; ENOTTY otherwise */
  FCNTL,          /* no leases, no directory notifications; EINVAL for operations newer than this list */
  CLONE,          /* no namespaces, and one table of descriptors for all threads of a process */
  NOT_HIDDEN,     /* prctl: a process remains readable for its supervisor */
  PERSONALITY,
  PAIR,
  SOCKET,         /* `bits` is the extra family that is allowed */
  SOCKET_OPTION,
};

struct rule {
  int nr;
  enum how how;
  uint8_t argument;
  uint32_t bits;
};

#define MAX_RULES 200

/* Fills `rules` for the profile and the host's existing guarantees; returns their number. Each system call occurs once. */
size_t seccomp_rules(struct rule *rules, const struct spec *spec);

#endif
