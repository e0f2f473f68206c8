/*
 * deny landlock|namespaces COMMAND…: runs COMMAND on what looks like another kernel. `landlock` answers ENOSYS to
 * landlock_create_ruleset; `namespaces` answers EPERM to every way of making a namespace. It can only take away.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct line {
  uint16_t op;
  uint8_t yes, no;
  uint32_t k;
};
struct program {
  unsigned short length;
  struct line *lines;
};

static int install(struct line *lines, unsigned short length);

int main(int argc, char **argv) {
  struct line landlock[] = {
      {0x20, 0, 0, 0}, {0x15, 0, 1, 444}, {0x06, 0, 0, 0x00050000u | ENOSYS}, {0x06, 0, 0, 0x7fff0000u},
  };
  struct line namespaces[] = {
      {0x20, 0, 0, 0},
      {0x15, 4, 0, __NR_unshare},
      {0x15, 0, 2, __NR_clone},
      {0x20, 0, 0, 16},
      {0x45, 1, 0, 0x7E020000u},
      {0x06, 0, 0, 0x7fff0000u},
      {0x06, 0, 0, 0x00050000u | EPERM},
  };
  if (argc < 3) return 125;
  int failed = strcmp(argv[1], "landlock") == 0 ? install(landlock, 4) : strcmp(argv[1], "namespaces") == 0 ? install(namespaces, 7) : 1;
  if (failed) return 125;
  execv(argv[2], argv + 2);
  perror(argv[2]);
  return 125;
}

/* As root without no_new_privs, which would be inherited and change what is tested. */
static int install(struct line *lines, unsigned short length) {
  struct program program = {length, lines};
  if (prctl(PR_SET_SECCOMP, 2, &program) == 0) return 0;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, 2, &program) != 0;
}
