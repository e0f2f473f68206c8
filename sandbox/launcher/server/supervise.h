/* The process between the server and a command (supervise.c), and the one that waits for the next (ready.c). */
#ifndef PARLEY_SUPERVISE_H
#define PARLEY_SUPERVISE_H

#include <signal.h>

#include "parley.h"

_Noreturn void supervise(const struct spec *spec);
/* Its steps, for who takes them at two times. True when kill(-1) reaches what the command starts, and nothing else. */
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

/* ready.c: becomes the process that waits for the next command. */
#define READY_MAX 32768 /* bytes of a request */
_Noreturn void ready_wait(const struct channel *channel, int request, const char *tmp, pid_t server, bool placed);

#endif
