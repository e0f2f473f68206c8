/* The process between the server and a command (supervise.c), and the process that waits for the next command (ready.c). */
#ifndef PARLEY_SUPERVISE_H
#define PARLEY_SUPERVISE_H

#include <signal.h>

#include "parley.h"

_Noreturn void supervise(const struct spec *spec);
/*
 * Steps of supervise(), for ready.c, which runs them at two times. supervise_scope returns true if kill(-1) reaches only the
 * command's processes.
 */
bool supervise_scope(void);
void supervise_signals(sigset_t *before);
/* Runs in the child, which ends with its supervisor. `before` is null if the signals need no change. */
void supervise_child(pid_t supervisor, const sigset_t *before);
struct held {
  pid_t main;
  bool scoped;
  int file, started; /* for a background command, or -1; no file if the server receives the output */
};
_Noreturn void supervise_main(const struct held *held);

/* ready.c: becomes the process that waits for the next command. */
#define READY_MAX 32768 /* bytes of a request */
_Noreturn void ready_wait(const struct channel *channel, int request, const char *tmp, pid_t server, bool placed);

#endif
