/* Attacks 24 to 26: the sockets of the host's own services. */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "attack.h"

static socklen_t name(struct sockaddr_un *to, const char *path) {
  memset(to, 0, sizeof *to);
  to->sun_family = AF_UNIX;
  if (path[0] != '@') {
    strncpy(to->sun_path, path, sizeof to->sun_path - 1);
    return sizeof *to;
  }
  strncpy(to->sun_path + 1, path + 1, sizeof to->sun_path - 2);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
}

static int half_of_pair(int type) {
  int pair[2];
  return socketpair(AF_UNIX, type, 0, pair) == 0 ? pair[0] : -1;
}

static long connects(int fd, const char *path) {
  struct sockaddr_un to;
  socklen_t size = name(&to, path);
  if (fd < 0) return -1;
  return connect(fd, (struct sockaddr *)&to, size);
}

static long sends(int fd, const char *path) {
  struct sockaddr_un to;
  socklen_t size = name(&to, path);
  return fd < 0 ? -1 : sendto(fd, "leak", 4, MSG_NOSIGNAL, (struct sockaddr *)&to, size);
}

/* Carries a descriptor along: what several sandboxes let through a pair that needed neither socket() nor connect(). */
static long sends_message(int fd, const char *path, int passed) {
  struct sockaddr_un to;
  socklen_t size = name(&to, path);
  struct iovec piece = {"leak", 4};
  char control[CMSG_SPACE(sizeof passed)];
  struct msghdr message = {.msg_name = &to, .msg_namelen = size, .msg_iov = &piece, .msg_iovlen = 1};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof passed);
  memcpy(CMSG_DATA(header), &passed, sizeof passed);
  return fd < 0 ? -1 : sendmsg(fd, &message, MSG_NOSIGNAL);
}

int attack_local(char **arguments) {
  const char *stream = arguments[0], *datagram = arguments[1], *packets = arguments[2], *abstract = arguments[3];
  tried("stream connect", connects(socket(AF_UNIX, SOCK_STREAM, 0), stream));
  tried("packets connect", connects(socket(AF_UNIX, SOCK_SEQPACKET, 0), packets));
  tried("datagram connect", connects(socket(AF_UNIX, SOCK_DGRAM, 0), datagram));
  tried("datagram sendto", sends(socket(AF_UNIX, SOCK_DGRAM, 0), datagram));
  tried("datagram sendmsg", sends_message(socket(AF_UNIX, SOCK_DGRAM, 0), datagram, 0));
  tried("datagram pair sendto", sends(half_of_pair(SOCK_DGRAM), datagram));
  tried("datagram pair sendmsg", sends_message(half_of_pair(SOCK_DGRAM), datagram, 0));
  tried("datagram pair connect", connects(half_of_pair(SOCK_DGRAM), datagram));
  tried("raw pair sendmsg", sends_message(half_of_pair(SOCK_RAW), datagram, 0));
  tried("stream pair connect", connects(half_of_pair(SOCK_STREAM), stream));
  tried("stream pair sendto", sends(half_of_pair(SOCK_STREAM), stream));
  tried("packet pair connect", connects(half_of_pair(SOCK_SEQPACKET), packets));
  tried("abstract stream connect", connects(socket(AF_UNIX, SOCK_STREAM, 0), abstract));
  tried("abstract stream pair connect", connects(half_of_pair(SOCK_STREAM), abstract));
  return 0;
}
