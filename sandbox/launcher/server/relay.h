/* The one way out of a command's empty network (relay.c), and how a program inside takes it (dial.c). */
#ifndef PARLEY_RELAY_H
#define PARLEY_RELAY_H

#include <sys/un.h>

#include "parley.h"

/* On 127.0.0.1 of the command's network. Below 1024: nothing that a command starts can be there instead. */
#define RELAY_PORT 1023
/* Where a command with the proxy finds this binary, to run its verb `dial` (sandbox/outbound.ts). */
#define RELAY_BINARY "/opt/parley/launcher"

/* A running relay as its command's process needs it. Both descriptors close by themselves at exec. */
struct relay {
  pid_t pid;
  int ready;   /* read end: an empty line once it listens, else why not */
  int process; /* pidfd */
};

/* Whether the command's network is an empty one with a relay. */
bool relay_wanted(const struct spec *spec);
/* The server's half: starts it; false with errno. `id` tells the host whose connections come. */
bool relay_start(uint32_t id, struct relay *relay);
void relay_release(const struct relay *relay);
/* The command's half, before it is confined: enters the relay's network once that is there, or refuses. */
void relay_join(const struct relay *relay);

/* pump.c: the relay's life. */
_Noreturn void pump_connections(int listener, const struct sockaddr_un *host_socket, uint32_t id);

int dial(int argc, char **argv);

#endif
