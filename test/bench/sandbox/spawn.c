/*
 * spawn PROGRAM ARG…: for each byte read from standard input starts the program with posix_spawn, waits for it, and
 * writes on a line how many nanoseconds that took. What a start costs with nothing of ours around it. The program gets
 * this one's environment.
 */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

int main(int argc, char **argv) {
  char byte;
  if (argc < 2) return 2;
  while (read(0, &byte, 1) == 1) {
    long long from = now();
    pid_t pid;
    int status;
    if (posix_spawn(&pid, argv[1], NULL, NULL, argv + 1, environ) != 0) return 1;
    if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
    printf("%lld\n", now() - from);
    fflush(stdout);
  }
  return 0;
}
