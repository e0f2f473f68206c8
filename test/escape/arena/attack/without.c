/*
 * without CALL ERROR COMMAND…: runs COMMAND on a kernel, or in a container, that answers CALL with ERROR. The rest of
 * its life and its children's too. It can only take away: what is tested is that nothing runs half confined.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "attack.h"

#define ANY 0xffffffffu

/* `first` is the call's first argument where it is one of several calls in one. */
static const struct {
  const char *name;
  unsigned call, first;
} CALLS[] = {
    {"landlock_create_ruleset", 444, ANY}, {"landlock_add_rule", 445, ANY}, {"landlock_restrict_self", 446, ANY},
    {"filter", SYS_prctl, 22},             {"no_new_privs", SYS_prctl, 38}, {"dumpable", SYS_prctl, 4},
    {"pdeathsig", SYS_prctl, 1},           {"subreaper", SYS_prctl, 36},    {"capset", SYS_capset, ANY},
    {"setresuid", SYS_setresuid, ANY},     {"setresgid", SYS_setresgid, ANY}, {"setgroups", SYS_setgroups, ANY},
    {"unshare", SYS_unshare, ANY},         {"setns", SYS_setns, ANY},       {"pivot_root", SYS_pivot_root, ANY},
    {"umount2", SYS_umount2, ANY},         {"mount_setattr", 442, ANY},     {"open_tree", 428, ANY},
    {"move_mount", 429, ANY},              {"fsopen", 430, ANY},            {"fsmount", 432, ANY},
    {"close_range", 436, ANY},             {"openat2", 437, ANY},           {"clone3", 435, ANY},
    {"setsid", SYS_setsid, ANY},           {"limits", SYS_prlimit64, ANY},  {"setpriority", SYS_setpriority, ANY},
};

static int install(unsigned call, unsigned first, unsigned error) {
  struct sock_filter lines[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 0, first == ANY ? 0 : 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof lines / sizeof *lines, lines};
  /* As root without no_new_privs, which would be inherited and change what is tested. */
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) return 0;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0;
}

int without(char **words) {
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
    if (strcmp(CALLS[i].name, words[0]) != 0) continue;
    if (install(CALLS[i].call, CALLS[i].first, (unsigned)atoi(words[1])) != 0) return 3;
    execv(words[2], words + 2);
    return 4;
  }
  return 2;
}
