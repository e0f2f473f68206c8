/* One attempt of the attack verb; returns true if it succeeded. */
#ifndef PARLEY_ATTACK_H
#define PARLEY_ATTACK_H

#include "parley.h"

struct attempt {
  const char *name;
  bool (*gets_through)(void);
};

extern const char *attack_secret, *attack_readable, *attack_socket;
extern int attack_port, attack_pid;

const struct attempt *attack_network(size_t *count);
const struct attempt *attack_kernel(size_t *count);

#endif
