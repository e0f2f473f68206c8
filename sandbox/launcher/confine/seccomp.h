/* The vocabulary shared by the table of rules (seccomp_rules.c) and the generator (seccomp.c). */
#ifndef PARLEY_SECCOMP_H
#define PARLEY_SECCOMP_H

#include "parley.h"

enum how {
  DENY,           /* EPERM */
  ABSENT,         /* ENOSYS: the caller has an older way */
  ONLY_ZERO,      /* `argument` must be 0: oneself */
  NOT_BITS,       /* EPERM when `argument` has one of `bits` */
  CREATES,        /* EPERM when flags `argument` create and the mode after it has one of `bits` */
  CREATES_ONLY,   /* that, and EPERM when they truncate without opening for writing */
  IOCTL,          /* what ordinary programs ask of files, pipes, sockets and terminals; ENOTTY for the rest */
  FCNTL,          /* no leases, no news of directories; EINVAL for what is newer than this list */
  CLONE,          /* no namespaces, and one table of descriptors for all threads of a process */
  NOT_HIDDEN,     /* prctl: a process stays open to who looks after it */
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

/* Fills `rules` for the profile and what the host already guarantees; returns how many. No number occurs twice. */
size_t seccomp_rules(struct rule *rules, const struct spec *spec);

#endif
