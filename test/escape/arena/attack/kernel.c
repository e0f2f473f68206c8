/* Attacks 27 to 33, 35 and 38: more kernel, more rights, other rooms. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "attack.h"

int attack_kernel(char **arguments) {
  (void)arguments;
  static char zero[256];
  int number = 0;
  tried("io_uring_setup", syscall(425, 2, zero));
  tried("io_uring_enter", syscall(426, 0, 0, 0, 0, NULL, 0));
  tried("io_uring_register", syscall(427, 0, 0, NULL, 0));
  tried("bpf", syscall(SYS_bpf, 0, zero, 64));
  tried("perf_event_open", syscall(SYS_perf_event_open, zero, 0, -1, -1, 0));
  tried("userfaultfd", syscall(SYS_userfaultfd, 1));
  tried("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
  tried("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, "/", zero, &number, 0));
  tried("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, zero, 0));
  tried("keyctl", syscall(SYS_keyctl, 0, -3, 1));
  tried("add_key", syscall(SYS_add_key, "user", "escape", "x", 1, -3));
  tried("request_key", syscall(SYS_request_key, "user", "escape", NULL, -3));
  tried("init_module", syscall(SYS_init_module, zero, 0, ""));
  tried("finit_module", syscall(SYS_finit_module, 0, "", 0));
  tried("delete_module", syscall(SYS_delete_module, "none", 0));
  tried("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0));
  tried("swapon", syscall(SYS_swapon, "/tmp/none", 0));
  tried("acct", syscall(SYS_acct, NULL));
  tried("quotactl", syscall(SYS_quotactl, 0x800007 << 8, NULL, 0, NULL));
  tried("sethostname", syscall(SYS_sethostname, "x", 1));
  tried("setdomainname", syscall(SYS_setdomainname, "x", 1));
  tried("settimeofday", syscall(SYS_settimeofday, zero, NULL));
  tried("clock_settime", syscall(SYS_clock_settime, 0, zero));
  tried("adjtimex", syscall(SYS_adjtimex, zero));
  tried("syslog", syscall(SYS_syslog, 3, zero, 100));
  tried("vhangup", syscall(SYS_vhangup));
  tried("vmsplice", syscall(SYS_vmsplice, 1, NULL, 0, 0));
  tried("personality, reading implies executing", syscall(SYS_personality, 0x0400000));
#if defined(__x86_64__)
  tried("modify_ldt", syscall(SYS_modify_ldt, 0, zero, 16));
  tried("iopl", syscall(SYS_iopl, 3));
  tried("ioperm", syscall(SYS_ioperm, 0x80, 1, 1));
#endif
  return 0;
}

static long forks(unsigned long flags) {
  pid_t child = (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

static long forks_modern(uint64_t flags) {
  uint64_t wanted[11] = {flags};
  wanted[4] = SIGCHLD;
  pid_t child = (pid_t)syscall(SYS_clone3, wanted, sizeof wanted);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

int attack_spaces(char **arguments) {
  (void)arguments;
  static const struct {
    const char *name;
    unsigned long flag;
  } kinds[] = {{"user", CLONE_NEWUSER}, {"mount", CLONE_NEWNS}, {"network", CLONE_NEWNET}, {"pid", CLONE_NEWPID},
               {"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS},  {"cgroup", CLONE_NEWCGROUP}, {"time", 0x80}};
  char name[64];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    snprintf(name, sizeof name, "unshare %s", kinds[i].name);
    tried(name, unshare((int)kinds[i].flag));
    snprintf(name, sizeof name, "clone %s", kinds[i].name);
    if (kinds[i].flag != 0x80) tried(name, forks(kinds[i].flag)); /* where it is part of the signal's number */
    snprintf(name, sizeof name, "clone3 %s", kinds[i].name);
    tried(name, forks_modern(kinds[i].flag));
    snprintf(name, sizeof name, "clone %s beside user", kinds[i].name);
    if (kinds[i].flag != 0x80) tried(name, forks(kinds[i].flag | CLONE_NEWUSER));
  }
  tried("clone user, high bits set", forks(0x10000000000ul | CLONE_NEWUSER));
  tried("unshare mount, high bits set", syscall(SYS_unshare, 0x100000000ul | CLONE_NEWNS));
  tried("setns by a file", setns(open("/proc/self/ns/mnt", O_RDONLY), 0));
  tried("setns by a process", setns((int)syscall(SYS_pidfd_open, getppid(), 0), CLONE_NEWNS));
  tried("mount tmpfs", mount("none", "/tmp", "tmpfs", 0, NULL));
  tried("bind mount", mount("/", "/tmp", NULL, MS_BIND | MS_REC, NULL));
  tried("remount writable", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
  tried("umount", umount2("/tmp", MNT_DETACH));
  tried("umount /proc", umount2("/proc", MNT_DETACH));
  tried("open_tree clone", syscall(428, AT_FDCWD, "/", 1 | 0x8000));
  tried("move_mount", syscall(429, AT_FDCWD, "/tmp", AT_FDCWD, "/tmp", 0));
  tried("fsopen", syscall(430, "tmpfs", 0));
  tried("fsconfig", syscall(431, 0, 6, NULL, NULL, 0));
  tried("fsmount", syscall(432, 0, 0, 0));
  tried("fspick", syscall(433, AT_FDCWD, "/tmp", 0));
  uint64_t clear[4] = {0, 1, 0, 0};
  tried("mount_setattr", syscall(442, AT_FDCWD, "/", 0, clear, sizeof clear));
  tried("open_tree_attr", syscall(467, AT_FDCWD, "/", 1, clear, sizeof clear));
  tried("pivot_root", syscall(SYS_pivot_root, ".", "."));
  tried("chroot", chroot("/tmp"));
  return 0;
}

/* How a child ended that made one call in another way: `through` when it lived to tell. */
static void deadly(const char *name, void (*call)(void)) {
  pid_t child = fork();
  if (child == 0) {
    call();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  errno = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? EPERM : EFAULT;
  tried(name, WIFEXITED(status) ? 0 : -1);
}

#if defined(__x86_64__)
static void by_interrupt(void) {
  long number = 20;
  __asm__ volatile("int $0x80" : "+a"(number) : : "memory");
}
static void by_sysenter(void) {
  long number = 359 /* socket, in the 32-bit table */;
  __asm__ volatile("int $0x80" : "+a"(number) : "b"(2), "c"(1), "d"(0) : "memory");
}
static void by_x32(void) { syscall(0x40000000 + SYS_getpid); }
static void by_x32_open(void) { syscall(0x40000000 + SYS_socket, 2, 1, 0); }
#endif

int attack_numbers(char **arguments) {
  (void)arguments;
#if defined(__x86_64__)
  deadly("32-bit getpid", by_interrupt);
  deadly("32-bit socket", by_sysenter);
  deadly("x32 getpid", by_x32);
  deadly("x32 socket", by_x32_open);
#endif
  for (long number = 470; number < 560; number++) {
    if (syscall(number, 0, 0, 0, 0, 0, 0) >= 0 || errno != ENOSYS) {
      char name[32];
      snprintf(name, sizeof name, "call %ld", number);
      tried(name, 0);
    }
  }
  return 0;
}

int attack_terminal(char **arguments) {
  int there = open(arguments[0], O_RDWR | O_NOCTTY);
  tried("open the terminal", there);
  tried("open /dev/tty", open("/dev/tty", O_RDWR));
  tried("open /dev/ptmx", open("/dev/ptmx", O_RDWR));
  const int fds[] = {0, 1, 2, there};
  for (size_t i = 0; i < 4; i++) {
    char name[48];
    snprintf(name, sizeof name, "TIOCSTI on %d", fds[i]);
    tried(name, ioctl(fds[i], TIOCSTI, "x"));
    snprintf(name, sizeof name, "TIOCSTI on %d, high bits set", fds[i]);
    tried(name, syscall(SYS_ioctl, fds[i], 0x100000000ul | TIOCSTI, "x"));
    snprintf(name, sizeof name, "TIOCLINUX on %d", fds[i]);
    tried(name, ioctl(fds[i], 0x541C, "\3"));
    snprintf(name, sizeof name, "TIOCSCTTY on %d", fds[i]);
    tried(name, ioctl(fds[i], TIOCSCTTY, 1));
  }
  return 0;
}

int attack_shared(char **arguments) {
  key_t key = (key_t)strtol(arguments[0], NULL, 0);
  int segment = shmget(key, 0, 0);
  tried("the host's shared memory", segment);
  tried("attach it", shmat(segment, NULL, 0) == (void *)-1 ? -1 : 0);
  tried("the host's semaphores", semget(key, 0, 0));
  tried("the host's messages", msgget(key, 0));
  tried("the host's message queue", mq_open(arguments[1], O_RDONLY));
  return 0;
}
