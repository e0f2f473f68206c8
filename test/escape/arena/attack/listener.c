/* The host's side of the network attacks: prints its two ports, then one line for everything that arrives. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "attack.h"

#define KINDS 6
static const char *const KIND[KINDS] = {"tcp", "udp", "stream", "datagram", "packets", "abstract"};
static const int TYPE[KINDS] = {SOCK_STREAM, SOCK_DGRAM, SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_STREAM};

static int on_port(int type, int *port) {
  struct sockaddr_in here = {.sin_family = AF_INET};
  socklen_t size = sizeof here;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
  if (bind(fd, (struct sockaddr *)&here, size) != 0 || getsockname(fd, (struct sockaddr *)&here, &size) != 0) exit(1);
  *port = ntohs(here.sin_port);
  return fd;
}

static int on_name(int type, const char *folder, const char *name, int abstract) {
  struct sockaddr_un here = {.sun_family = AF_UNIX};
  socklen_t size = sizeof here;
  if (abstract) {
    strncpy(here.sun_path + 1, name, sizeof here.sun_path - 2);
    size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  } else {
    snprintf(here.sun_path, sizeof here.sun_path, "%s/%s", folder, name);
  }
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (bind(fd, (struct sockaddr *)&here, size) != 0) exit(1);
  if (!abstract) chmod(here.sun_path, 0777);
  return fd;
}

int listener(char **arguments) {
  struct pollfd wait[KINDS];
  int tcp = 0, udp = 0;
  for (int i = 0; i < KINDS; i++) {
    wait[i].events = POLLIN;
    wait[i].fd = i < 2 ? on_port(TYPE[i], i == 0 ? &tcp : &udp) : on_name(TYPE[i], arguments[0], i == 5 ? arguments[1] : KIND[i], i == 5);
    if (TYPE[i] != SOCK_DGRAM && listen(wait[i].fd, 64) != 0) return 1;
  }
  printf("ports %d %d\n", tcp, udp);
  fflush(stdout);
  while (poll(wait, KINDS, -1) > 0) {
    for (int i = 0; i < KINDS; i++) {
      char bytes[64];
      if (wait[i].revents == 0) continue;
      if (TYPE[i] == SOCK_DGRAM) recv(wait[i].fd, bytes, sizeof bytes, 0);
      else close(accept(wait[i].fd, NULL, NULL));
      printf("reached %s\n", KIND[i]);
      fflush(stdout);
    }
  }
  return 1;
}
