/*
 * deny landlock|namespaces|abiN COMMAND…: runs COMMAND on what looks like another kernel. `landlock` answers ENOSYS to
 * landlock_create_ruleset; `namespaces` answers EPERM to every way of making a namespace; `abiN` answers N to whoever
 * asks for Landlock's version, and stays to do so until COMMAND ends. It can only take away.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

struct question {
  uint64_t id;
  uint32_t pid, flags;
  uint64_t call[8]; /* struct seccomp_data */
};
struct reply {
  uint64_t id;
  int64_t value;
  int32_t error;
  uint32_t flags;
};
#define RECEIVE _IOWR('!', 0, struct question)
#define ANSWER _IOWR('!', 1, struct reply)

static int install(struct line *lines, unsigned short length);
static int answer_version(int abi, char **command);
static void answer_all(int listener, int abi);

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
  if (strncmp(argv[1], "abi", 3) == 0) return answer_version(atoi(argv[1] + 3), argv + 2);
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

/* The filter asks this process only where the version is asked for (flags, the third argument, are 1). */
static int answer_version(int abi, char **command) {
  struct line lines[] = {
      {0x20, 0, 0, 0}, {0x15, 0, 3, 444}, {0x20, 0, 0, 32}, {0x15, 0, 1, 1}, {0x06, 0, 0, 0x7fc00000u}, {0x06, 0, 0, 0x7fff0000u},
  };
  struct program program = {6, lines};
  int listener = (int)syscall(__NR_seccomp, 1, 8 /* NEW_LISTENER */, &program);
  if (listener < 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) listener = (int)syscall(__NR_seccomp, 1, 8, &program);
  if (listener < 0) return 125;
  pid_t child = fork();
  if (child == 0) {
    close(listener);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(command[0], command);
    perror(command[0]);
    _exit(125);
  }
  close(0); /* the command's alone: their end is how it is told to go */
  close(1);
  pid_t watcher = fork();
  if (watcher == 0) answer_all(listener, abi);
  close(listener);
  int status = 0;
  waitpid(child, &status, 0);
  kill(watcher, SIGKILL);
  waitpid(watcher, NULL, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

static void answer_all(int listener, int abi) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    struct question question;
    memset(&question, 0, sizeof question);
    if (ioctl(listener, RECEIVE, &question) != 0) continue;
    struct reply reply = {.id = question.id, .value = abi};
    ioctl(listener, ANSWER, &reply);
  }
}
