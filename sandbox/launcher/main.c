/*
 * parley-launcher serve UID_BASE on|off MEMORY PROCESSES DISK [DIRECTORY]
 * The spawn server, on standard input and output. MEMORY: MiB for a Restricted command. PROCESSES: their
 * number. DISK: MiB that other commands may add to the disk. DIRECTORY: the egress proxy's socket.
 *
 * parley-launcher rights
 * Prints the requested Landlock rights for every ABI (rights.c).
 *
 * parley-launcher attack …
 * Tries actions that a confined command must not be able to do (attack.c).
 *
 * parley-launcher dial HOST PORT
 * Used by commands: a connection through the proxy (dial.c).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "relay.h"

static uid_t parse_uid(const char *text);
static uint64_t parse_bound(const char *text);

int main(int argc, char **argv) {
  if (argc >= 2 && strcmp(argv[1], "attack") == 0) return attack(argc - 2, argv + 2);
  if (argc >= 2 && strcmp(argv[1], "dial") == 0) return dial(argc - 2, argv + 2);
  /* Occupies FD_STATUS and all lower descriptors, so that later opens cannot get them. */
  for (int fd = 0; fd <= FD_STATUS; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return 125;
  }
  if ((argc == 7 || argc == 8) && strcmp(argv[1], "serve") == 0) {
    syscall(SYS_CLOSE_RANGE, FD_STATUS + 1, ~0u, 0);
    host.memory = parse_bound(argv[4]) << 20;
    host.processes = parse_bound(argv[5]);
    host.disk = parse_bound(argv[6]) << 20;
    host.relay_directory = argv[7]; /* argv's final null if there is no directory */
    probe_host(strcmp(argv[3], "off") == 0, parse_uid(argv[2]));
    return serve();
  }
  if (argc == 2 && strcmp(argv[1], "rights") == 0) return rights_print();
  fputs("usage: parley-launcher serve UID_BASE on|off MEMORY PROCESSES DISK [DIRECTORY] | rights | attack … | dial HOST PORT\n", stderr);
  return 125;
}

static uint64_t parse_bound(const char *text) {
  char *end;
  unsigned long bound = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || bound == 0 || bound > 1ul << 30) _exit(125);
  return bound;
}

/* A base must be a number of at least 1,000, because lower uids are reserved. The uid switch refuses 0. */
static uid_t parse_uid(const char *text) {
  char *end;
  unsigned long base = strtoul(text, &end, 10);
  if (*text == '\0' || *end != '\0' || base < 1000 || base > 4000000000ul) _exit(125);
  return (uid_t)base;
}
