/* Attacks that are about what runs: from memory, beside the command instead of below it, deaf to its end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "attack.h"

int attack_reads(char **arguments) {
  char byte;
  int fd = open(arguments[0], O_RDONLY);
  tried("read by a program in memory", fd < 0 ? -1 : read(fd, &byte, 1));
  tried("write by a program in memory", open(arguments[0], O_WRONLY));
  return 0;
}

/* A copy of this program that lies in no file that a rule could name. */
int attack_unnamed(char **arguments) {
  char bytes[65536], self[64];
  int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("escape", 0);
  if (from < 0) from = open(program_path, O_RDONLY);
  for (ssize_t count; (count = read(from, bytes, sizeof bytes)) > 0;) {
    if (write(to, bytes, (size_t)count) != count) return 1;
  }
  snprintf(self, sizeof self, "/proc/self/fd/%d", to);
  char *words[] = {"escape", "reads", arguments[0], NULL}, *none[] = {NULL};
  syscall(SYS_execveat, to, "", words, none, AT_EMPTY_PATH);
  execve(self, words, none);
  printf("%s not run from memory\n", strerrorname_np(errno));
  return 0;
}

/* Lives on as a child of the command's own parent, keeps its orphans, hears no signal, and beats. */
int attack_outlive(char **arguments) {
  if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) != 0) return 0;
  prctl(PR_SET_PDEATHSIG, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();
  for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
  if (fork() == 0 && fork() == 0) setsid();
  for (;;) {
    int fd = open(arguments[0], O_WRONLY | O_APPEND);
    if (write(fd, ".\n", 2) != 2) return 1;
    close(fd);
    usleep(10000);
  }
}
