/* Network exits that Landlock alone would leave open (hazard K2). A single byte outside is a leak. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attack.h"

#define FAST_OPEN 0x20000000

static struct sockaddr_in loopback(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)attack_port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

static struct sockaddr_un local(void) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  strncpy(to.sun_path, attack_socket, sizeof to.sun_path - 1);
  return to;
}

static bool made(int family, int type, int protocol) {
  int fd = socket(family, type | SOCK_CLOEXEC, protocol);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool sends(int fd, const void *to, socklen_t size, int flags) {
  struct iovec piece = {"leak", 4};
  struct msghdr message = {.msg_name = (void *)to, .msg_namelen = size, .msg_iov = &piece, .msg_iovlen = 1};
  bool sent = sendto(fd, "leak", 4, flags, to, size) >= 0 || sendmsg(fd, &message, flags) >= 0;
  close(fd);
  return sent;
}

static bool tcp(void) {
  struct sockaddr_in to = loopback();
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool udp(void) {
  struct sockaddr_in to = loopback();
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && sends(fd, &to, sizeof to, 0);
}

static bool fast_open(void) {
  struct sockaddr_in to = loopback();
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && sends(fd, &to, sizeof to, FAST_OPEN);
}

static bool multipath(void) { return made(AF_INET, SOCK_STREAM, 262); }
static bool raw(void) { return made(AF_INET, SOCK_RAW, 1) || made(AF_INET, SOCK_DGRAM, 1); }

static bool odd_families(void) {
  static const int families[] = {17 /* PACKET */, 38 /* ALG */, 40 /* VSOCK */, 44 /* XDP */, 31 /* BLUETOOTH */, 30 /* TIPC */, 21 /* RDS */, 29 /* CAN */};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (made(families[i], SOCK_DGRAM, 0) || made(families[i], SOCK_STREAM, 0) || made(families[i], SOCK_SEQPACKET, 0)) return true;
  }
  return false;
}

static bool netlink(void) {
  for (int protocol = 1; protocol < 23; protocol++) {
    if (made(AF_NETLINK, SOCK_RAW, protocol)) return true;
  }
  return false;
}

static bool local_stream(void) {
  struct sockaddr_un to = local();
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool local_datagram(void) {
  struct sockaddr_un to = local();
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && sends(fd, &to, sizeof to, 0);
}

/* Needs neither socket() nor connect(), a hole that several sandboxes had. */
static bool datagram_pair(void) {
  int pair[2];
  return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0 || socketpair(AF_UNIX, SOCK_RAW | SOCK_CLOEXEC, 0, pair) == 0;
}

static bool listens(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && listen(fd, 1) == 0;
}

static const struct attempt network[] = {
    {"tcp", tcp},
    {"udp", udp},
    {"tcp-fast-open", fast_open},
    {"multipath-tcp", multipath},
    {"raw-socket", raw},
    {"odd-families", odd_families},
    {"netlink", netlink},
    {"unix-stream", local_stream},
    {"unix-datagram", local_datagram},
    {"unix-datagram-pair", datagram_pair},
    {"listen", listens},
};

const struct attempt *attack_network(size_t *count) {
  *count = sizeof network / sizeof *network;
  return network;
}
