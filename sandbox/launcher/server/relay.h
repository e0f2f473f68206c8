/* The only exit from a command's empty network (relay.c), and its use by a program inside (dial.c). */
#ifndef PARLEY_RELAY_H
#define PARLEY_RELAY_H

#include <sys/un.h>

#include "parley.h"

/* Port on 127.0.0.1 of the command's network, below 1024, so that no program of a command can bind the port first. */
#define RELAY_PORT 1023
/* Path of this binary for a command with the proxy, to run its verb `dial` (sandbox/outbound.ts). */
#define RELAY_BINARY "/opt/parley/launcher"

/* Data of a running relay for the command's process. Both descriptors close at exec. */
struct relay {
  pid_t pid;
  int ready;   /* read end: an empty line once the relay listens, otherwise the reason */
  int process; /* pidfd */
};

/* Whether the command's network is an empty network with a relay. */
bool relay_wanted(const struct spec *spec);
/* Server side: starts the relay; false with errno. `id` names the launch that its connections belong to. */
bool relay_start(uint32_t id, struct relay *relay);
void relay_release(const struct relay *relay);
/* Command side, before confinement: enters the relay's network once it is ready, or refuses. */
void relay_join(const struct relay *relay);

/* pump.c: the relay's main loop. */
_Noreturn void pump_connections(int listener, const struct sockaddr_un *host_socket, uint32_t id);

int dial(int argc, char **argv);

#endif
