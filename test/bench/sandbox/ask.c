/*
 * ask REQUEST COMMAND…: starts COMMAND, a spawn server, and for each byte read from standard input asks it for what the
 * file REQUEST says (one frame, sandbox/protocol.ts), waits for its last word, and writes on a line how many nanoseconds
 * that took. The other half of spawn.c: the same clock around a Restricted command.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1 << 20)
#define DONE 4   /* a frame's type (sandbox/launcher/server/server.h) */
#define EXITED 1 /* how a command ended */

static char request[ROOM], answer[ROOM];
static int to_server[2], from_server[2];

static void take(char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = read(from_server[0], bytes, length);
    if (count <= 0) exit(1);
    bytes += count;
    length -= (size_t)count;
  }
}

/* The next frame without its length; its type. */
static int next(void) {
  uint32_t length;
  take((char *)&length, sizeof length);
  if (length > ROOM) exit(1);
  take(answer, length);
  return answer[0];
}

static long long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

int main(int argc, char **argv) {
  FILE *file = argc < 3 ? NULL : fopen(argv[1], "r");
  if (file == NULL || pipe(to_server) != 0 || pipe(from_server) != 0) return 2;
  size_t length = fread(request, 1, sizeof request, file);
  pid_t server = fork();
  if (server == 0) {
    dup2(to_server[0], 0);
    dup2(from_server[1], 1);
    for (int fd = 3; fd < 10; fd++) close(fd);
    execv(argv[2], argv + 2);
    _exit(1);
  }
  close(to_server[0]);
  close(from_server[1]);
  next(); /* what the host can do */
  char byte;
  for (uint32_t id = 1; read(0, &byte, 1) == 1; id++) {
    int32_t code;
    memcpy(request + 5, &id, sizeof id);
    long long from = now();
    if (write(to_server[1], request, length) != (ssize_t)length) return 1;
    while (next() != DONE) continue;
    long long took = now() - from;
    memcpy(&code, answer + 6, sizeof code);
    if (answer[5] != EXITED || code != 0) {
      fprintf(stderr, "ask: ended as %d, code %d\n", answer[5], code);
      return 1;
    }
    printf("%lld\n", took);
    fflush(stdout);
  }
  return 0;
}
