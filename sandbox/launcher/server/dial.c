/*
 * parley-launcher dial HOST PORT: joins standard input and output to a destination through the proxy. For programs that support
 * no proxy but accept a command (ssh). Runs inside the sandbox like any command.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "relay.h"

#define MAX_ANSWER 4096

static int reach_relay(void);
static bool read_answer(int fd, char *answer);
static void copy(int from, int to);
static bool write_all(int fd, const char *bytes, size_t length);

int dial(int argc, char **argv) {
  char request[1200], answer[MAX_ANSWER];
  if (argc != 2 || strlen(argv[0]) > 255 || strlen(argv[1]) > 5 || strpbrk(argv[0], "\r\n \t") != NULL) {
    fputs("usage: parley-launcher dial HOST PORT\n", stderr);
    return 2;
  }
  bool v6 = strchr(argv[0], ':') != NULL;
  const char *form = v6 ? "CONNECT [%s]:%s HTTP/1.1\r\nHost: [%s]:%s\r\n\r\n" : "CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\n\r\n";
  int length = snprintf(request, sizeof request, form, argv[0], argv[1], argv[0], argv[1]);
  int fd = reach_relay();
  if (fd < 0 || !write_all(fd, request, (size_t)length) || !read_answer(fd, answer)) {
    fprintf(stderr, "no way out of this network: %s\n", strerror(errno));
    return 1;
  }
  if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0) {
    copy(fd, 2); /* the proxy's error message */
    return 1;
  }
  /* Two processes, so that neither direction waits for the other. */
  pid_t up = fork();
  if (up < 0) return 1;
  if (up == 0) {
    copy(0, fd);
    shutdown(fd, SHUT_WR);
    _exit(0);
  }
  copy(fd, 1);
  kill(up, SIGKILL);
  waitpid(up, NULL, 0);
  return 0;
}

static int reach_relay(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(RELAY_PORT)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) return -1;
  return fd;
}

/* Reads exactly to the empty line, because later bytes belong to the caller. */
static bool read_answer(int fd, char *answer) {
  for (size_t used = 0; used < MAX_ANSWER - 1;) {
    ssize_t length = read(fd, answer + used, 1);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return false;
    answer[++used] = '\0';
    if (used >= 4 && strcmp(answer + used - 4, "\r\n\r\n") == 0) return true;
  }
  errno = EMSGSIZE;
  return false;
}

static void copy(int from, int to) {
  static char bytes[65536];
  for (;;) {
    ssize_t length = read(from, bytes, sizeof bytes);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0 || !write_all(to, bytes, (size_t)length)) return;
  }
}

static bool write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = write(fd, bytes, length);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    length -= (size_t)sent;
  }
  return true;
}
