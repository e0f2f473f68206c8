/* Attacks 20 to 23: a byte or a connection that arrives is a leak. The host listens on 127.0.0.1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "attack.h"

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif
#define MULTIPATH 262
#define FAST_OPEN_CONNECT 30

static struct sockaddr_in address(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

static struct sockaddr_in6 mapped(int port) {
  struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  inet_pton(AF_INET6, "::ffff:127.0.0.1", &to.sin6_addr);
  return to;
}

static long connects(int family, int protocol, int port) {
  struct sockaddr_in four = address(port);
  struct sockaddr_in6 six = mapped(port);
  int fd = socket(family, SOCK_STREAM, protocol);
  if (fd < 0) return -1;
  return family == AF_INET ? connect(fd, (struct sockaddr *)&four, sizeof four) : connect(fd, (struct sockaddr *)&six, sizeof six);
}

enum form { TO, MESSAGE, MESSAGES };

static long sends(int fd, enum form form, int flags, int port) {
  struct sockaddr_in to = address(port);
  struct iovec piece = {"leak", 4};
  struct mmsghdr many = {.msg_hdr = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &piece, .msg_iovlen = 1}};
  if (fd < 0) return -1;
  if (form == TO) return sendto(fd, "leak", 4, flags | MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to);
  return form == MESSAGE ? sendmsg(fd, &many.msg_hdr, flags | MSG_NOSIGNAL) : sendmmsg(fd, &many, 1, flags | MSG_NOSIGNAL);
}

/* Ends the handshake of an earlier option, so that connect() itself sends nothing. */
static long fast_open_connect(int port) {
  struct sockaddr_in to = address(port);
  int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || setsockopt(fd, IPPROTO_TCP, FAST_OPEN_CONNECT, &one, sizeof one) != 0) return -1;
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return -1;
  return send(fd, "leak", 4, MSG_NOSIGNAL);
}

int attack_network(char **arguments) {
  int tcp = atoi(arguments[0]), udp = atoi(arguments[1]);
  tried("tcp connect", connects(AF_INET, 0, tcp));
  tried("tcp connect, mapped into IPv6", connects(AF_INET6, 0, tcp));
  tried("multipath tcp", connects(AF_INET, MULTIPATH, tcp));
  tried("fast open by sendto", sends(socket(AF_INET, SOCK_STREAM, 0), TO, MSG_FASTOPEN, tcp));
  tried("fast open by sendmsg", sends(socket(AF_INET, SOCK_STREAM, 0), MESSAGE, MSG_FASTOPEN, tcp));
  tried("fast open by sendmmsg", sends(socket(AF_INET, SOCK_STREAM, 0), MESSAGES, MSG_FASTOPEN, tcp));
  tried("fast open by option", fast_open_connect(tcp));
  tried("udp sendto", sends(socket(AF_INET, SOCK_DGRAM, 0), TO, 0, udp));
  tried("udp sendmsg", sends(socket(AF_INET, SOCK_DGRAM, 0), MESSAGE, 0, udp));
  tried("udp sendmmsg", sends(socket(AF_INET, SOCK_DGRAM, 0), MESSAGES, 0, udp));
  struct sockaddr_in here = address(0);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  tried("bind", bind(fd, (struct sockaddr *)&here, sizeof here));
  tried("listen", listen(socket(AF_INET, SOCK_STREAM, 0), 1));
  return 0;
}

int attack_families(char **arguments) {
  (void)arguments;
  for (int family = 0; family < 48; family++) {
    if (family == AF_UNSPEC || family == AF_INET || family == AF_INET6) continue;
    for (int type = 1; type <= 6; type++) {
      for (int protocol = 0; protocol < 24; protocol++) {
        if (family == AF_NETLINK && protocol == 0 /* route */) continue;
        if (family == AF_UNIX) continue; /* has a file of its own */
        int fd = socket(family, type, protocol);
        char name[64];
        snprintf(name, sizeof name, "family %d type %d protocol %d", family, type, protocol);
        if (fd >= 0) tried(name, fd);
        close(fd);
      }
    }
  }
  tried("vsock, high bits set", syscall(SYS_socket, 0x100000000ul | AF_VSOCK, SOCK_STREAM, 0));
  tried("raw icmp, high bits set", syscall(SYS_socket, AF_INET, 0x100000000ul | SOCK_RAW, IPPROTO_ICMP));
  tried("raw icmp", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  tried("raw ip", socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
  tried("ping", socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
  tried("ping of IPv6", socket(AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6));
  tried("sctp", socket(AF_INET, SOCK_STREAM, 132));
  tried("sctp packets", socket(AF_INET, SOCK_SEQPACKET, 132));
  tried("smc", socket(AF_INET, SOCK_STREAM, 256));
  tried("dccp", socket(AF_INET, SOCK_DCCP, 33));
  tried("udp-lite", socket(AF_INET, SOCK_DGRAM, 136));
  tried("multipath tcp of IPv6", socket(AF_INET6, SOCK_STREAM, MULTIPATH));
  return 0;
}
