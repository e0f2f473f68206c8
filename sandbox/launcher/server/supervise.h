/* The steps of supervise.c, for who takes them at two times (ready.c). */
#ifndef PARLEY_SUPERVISE_H
#define PARLEY_SUPERVISE_H

#include <signal.h>

#include "parley.h"

/* True when kill(-1) reaches what the command starts, and nothing else. */
bool supervise_scope(void);
void supervise_signals(sigset_t *before);
/* In the child, which ends with its supervisor; null where the signals are as they should be. */
void supervise_child(pid_t supervisor, const sigset_t *before);
struct held {
  pid_t main;
  bool scoped;
  int file, started; /* of a background command, or -1; no file where the server takes the output */
};
_Noreturn void supervise_main(const struct held *held);

#endif
