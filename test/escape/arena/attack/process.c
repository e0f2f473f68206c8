/* Attacks 12 and 16 to 19 on a process of the host. Where the number names nobody here, the kernel says ESRCH. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "attack.h"

/* The kernel sends the signal itself when the pipe becomes ready: no kill call is made. */
static long by_readiness(pid_t pid, int signal) {
  int ends[2];
  if (pipe(ends) != 0 || fcntl(ends[0], F_SETOWN, pid) != 0 || fcntl(ends[0], F_SETSIG, signal) != 0) return -1;
  if (fcntl(ends[0], F_SETFL, O_ASYNC) != 0) return -1;
  return write(ends[1], "x", 1);
}

int attack_signals(char **arguments) {
  pid_t pid = atoi(arguments[0]);
  int signal = atoi(arguments[1]);
  siginfo_t information;
  memset(&information, 0, sizeof information);
  information.si_signo = signal;
  information.si_code = SI_QUEUE;
  tried("kill 0", kill(pid, 0));
  tried("kill", kill(pid, signal));
  tried("kill its group", kill(-pid, signal));
  tried("tkill", syscall(SYS_tkill, pid, signal));
  tried("tgkill", syscall(SYS_tgkill, pid, pid, signal));
  tried("sigqueue", syscall(SYS_rt_sigqueueinfo, pid, signal, &information));
  tried("thread sigqueue", syscall(SYS_rt_tgsigqueueinfo, pid, pid, signal, &information));
  int handle = (int)syscall(SYS_pidfd_open, pid, 0);
  tried("pidfd_send_signal", syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0));
  int folder = open("/proc", O_RDONLY | O_DIRECTORY);
  int by_proc = openat(folder, arguments[0], O_RDONLY | O_DIRECTORY);
  tried("pidfd_send_signal by /proc", syscall(SYS_pidfd_send_signal, by_proc, signal, NULL, 0));
  by_readiness(pid, signal);
  return 0;
}

int attack_around(char **arguments) {
  (void)arguments;
  pid_t supervisor = getppid();
  tried("stop the supervisor", kill(supervisor, SIGSTOP));
  tried("kill the supervisor", kill(supervisor, SIGKILL));
  tried("trace the supervisor", ptrace(PTRACE_SEIZE, supervisor, 0, 0));
  tried("limit the supervisor", prlimit(supervisor, RLIMIT_NOFILE, &(struct rlimit){3, 3}, NULL));
  tried("the supervisor's descriptor", syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, supervisor, 0), 3, 0));
  tried("renice all of the user's", setpriority(PRIO_USER, getuid(), 18));
  tried("i/o class of all of the user's", syscall(SYS_ioprio_set, 3, getuid(), 3 << 13));
  return 0;
}

static long limit(pid_t pid, int which, rlim_t value) {
  struct rlimit wanted = {value, value};
  return syscall(SYS_prlimit64, pid, which, &wanted, NULL);
}

int attack_limits(char **arguments) {
  pid_t pid = atoi(arguments[0]);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  struct sched_param plain = {0};
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } wanted = {.size = 48, .policy = SCHED_BATCH, .nice = 19};
  tried("prlimit files", limit(pid, RLIMIT_NOFILE, 17));
  tried("prlimit core", limit(pid, RLIMIT_CORE, 0));
  tried("prlimit address space", limit(pid, RLIMIT_STACK, 1 << 20));
  tried("prlimit, high bits set", syscall(SYS_prlimit64, 0x100000000ul | (unsigned long)pid, RLIMIT_NOFILE, &(struct rlimit){19, 19}, NULL));
  tried("setpriority", setpriority(PRIO_PROCESS, (id_t)pid, 19));
  tried("sched_setaffinity", sched_setaffinity(pid, sizeof one, &one));
  tried("sched_setscheduler", sched_setscheduler(pid, SCHED_IDLE, &plain));
  tried("sched_setparam", sched_setparam(pid, &plain));
  tried("sched_setattr", syscall(SYS_sched_setattr, pid, &wanted, 0));
  tried("ioprio_set", syscall(SYS_ioprio_set, 1, pid, 3 << 13));
  return 0;
}

static long reads(const char *pid, const char *name) {
  char path[128], byte;
  snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
  int fd = open(path, O_RDONLY);
  long result = fd < 0 ? -1 : read(fd, &byte, 1);
  close(fd);
  return result;
}

static long links(const char *pid, const char *name) {
  char path[128], target[256];
  snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
  return readlink(path, target, sizeof target);
}

int attack_spying(char **arguments) {
  pid_t pid = atoi(arguments[0]);
  static char bytes[8];
  struct iovec mine = {bytes, 8}, theirs = {(void *)0x400000, 8};
  int handle = (int)syscall(SYS_pidfd_open, pid, 0);
  tried("ptrace seize", ptrace(PTRACE_SEIZE, pid, 0, 0));
  tried("ptrace attach", ptrace(PTRACE_ATTACH, pid, 0, 0));
  tried("process_vm_readv", process_vm_readv(pid, &mine, 1, &theirs, 1, 0));
  tried("process_vm_writev", process_vm_writev(pid, &mine, 1, &theirs, 1, 0));
  tried("pidfd_getfd", syscall(SYS_pidfd_getfd, handle, 0, 0));
  tried("kcmp", syscall(SYS_kcmp, getpid(), pid, 0, 0, 0));
  tried("process_madvise", syscall(SYS_process_madvise, handle, &theirs, 1, 21, 0));
  tried("process_mrelease", syscall(SYS_process_mrelease, handle, 0));
  void *head;
  size_t size;
  tried("get_robust_list", syscall(SYS_get_robust_list, pid, &head, &size));
  tried("move_pages", syscall(SYS_move_pages, pid, 0, NULL, NULL, NULL, 0));
  tried("migrate_pages", syscall(SYS_migrate_pages, pid, 0, NULL, NULL));
  static const char *const files[] = {"environ", "mem", "maps", "smaps", "auxv", "io", "cmdline", "status", "stat", "syscall", "stack"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) tried(files[i], reads(arguments[0], files[i]));
  static const char *const ties[] = {"cwd", "root", "exe", "ns/mnt", "ns/user", "fd/0", "fd/1"};
  for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) tried(ties[i], links(arguments[0], ties[i]));
  return 0;
}
