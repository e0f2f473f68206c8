/* Attacks on other processes, on the command's rights and on needless parts of the kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"
#include "confine.h"

/*
 * In a pid namespace the number belongs to no process: ESRCH. Signals cannot reach a supervisor that is the init of such a
 * namespace or has a scope. An older kernel has neither; its supervisor is no more valuable than its command, because the
 * server ends every process that the supervisor leaves behind.
 */
static bool sends_signal(void) {
  bool scopes = getppid() != 1 && (rights_known(landlock_abi()).scoped & LL_SCOPE_SIGNAL) != 0;
  if (kill(attack_pid, 0) == 0 || (scopes && kill(getppid(), 0) == 0)) return true;
  int fd = (int)syscall(434 /* pidfd_open */, attack_pid, 0);
  return fd >= 0 && syscall(SYS_PIDFD_SEND_SIGNAL, fd, 0, NULL, 0) == 0;
}

static bool reads_process(void) {
  static const char *const names[] = {"environ", "mem", "maps", "cmdline"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", attack_pid, names[i]);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) return true;
  }
  return false;
}

static bool changes_process(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  struct sched_param plain = {0};
  return syscall(__NR_prlimit64, attack_pid, RLIMIT_CPU, NULL, &(struct rlimit){0}) == 0 ||
         setpriority(PRIO_PROCESS, (id_t)attack_pid, 19) == 0 || sched_setaffinity(attack_pid, sizeof one, &one) == 0 ||
         syscall(__NR_sched_setscheduler, attack_pid, 5 /* IDLE */, &plain) == 0 ||
         syscall(__NR_ioprio_set, 1, attack_pid, 3 << 13) == 0;
}

static bool traces(void) {
  char byte;
  struct iovec mine = {&byte, 1}, theirs = {(void *)attack_kernel, 1};
  return syscall(__NR_ptrace, 0x4206 /* SEIZE */, attack_pid, 0, 0) == 0 ||
         syscall(__NR_process_vm_readv, getppid(), &mine, 1, &theirs, 1, 0) == 1 ||
         syscall(__NR_kcmp, getpid(), attack_pid, 0, 0, 0) >= 0 ||
         syscall(__NR_ptrace, 0x4206, getppid(), 0, 0) == 0;
}

static bool io_uring(void) {
  char parameters[128] = {0};
  return syscall(SYS_IO_URING_SETUP, 2, parameters) >= 0;
}

static bool kernel_surface(void) {
  char zero[128] = {0};
  return syscall(__NR_bpf, 0, zero, 64) >= 0 || syscall(__NR_perf_event_open, zero, 0, -1, -1, 0) >= 0 ||
         syscall(__NR_userfaultfd, 1) >= 0 || syscall(__NR_fanotify_init, 0, 0) >= 0 ||
         syscall(__NR_name_to_handle_at, AT_FDCWD, "/", zero, zero, 0) >= 0;
}

static bool keys(void) {
  return syscall(__NR_keyctl, 0, -3, 1) >= 0 || syscall(__NR_add_key, "user", "parley", "x", 1, -3) >= 0 ||
         syscall(__NR_request_key, "user", "parley", NULL, 0) >= 0 || errno != EPERM;
}

static bool namespaces(void) {
  if (unshare(CLONE_NEWUSER) == 0) return true;
  static const unsigned long kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWUTS};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    pid_t child = (pid_t)syscall(__NR_clone, kinds[i] | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    if (child > 0) return true;
  }
  uint64_t modern[11] = {CLONE_NEWUSER};
  modern[4] = SIGCHLD;
  long child = syscall(SYS_CLONE3, modern, sizeof modern);
  if (child == 0) _exit(0);
  return child > 0;
}

static bool mounts(void) {
  return syscall(__NR_mount, "none", "/tmp", "tmpfs", 0, NULL) == 0 || syscall(SYS_FSOPEN, "tmpfs", 0) >= 0 ||
         syscall(SYS_OPEN_TREE, AT_FDCWD, "/tmp", 1) >= 0 || syscall(__NR_umount2, "/proc", 2) == 0 ||
         syscall(__NR_pivot_root, ".", ".") == 0 || chroot("/tmp") == 0;
}

static bool rights(void) {
  struct cap_header header = {.version = CAP_VERSION_3};
  struct cap_data held[2] = {{0}};
  if (syscall(__NR_capget, &header, held) != 0 || held[0].permitted != 0 || held[1].permitted != 0) return true;
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || setuid(0) == 0 || setgid(0) == 0 || geteuid() == 0;
}

/* Standard input is no terminal, so an unfiltered kernel would return ENOTTY. */
static bool terminal_input(void) {
  return ioctl(0, 0x5412, "x") == 0 || errno != EPERM || ioctl(0, 0x541C, "x") == 0 || errno != EPERM;
}

/* Every open of a leased file waits for the end of the lease, also on the host. */
static bool lease(void) {
  int fd = open(attack_readable, O_RDONLY | O_CLOEXEC);
  return fcntl(fd, F_SETLEASE, F_RDLCK) == 0 || errno != EPERM;
}

static bool asynchronous_io(void) {
  unsigned long context = 0;
  return syscall(__NR_io_setup, 1, &context) == 0 || errno != ENOSYS;
}

static bool watching(void) {
  return syscall(__NR_inotify_init1, 0) >= 0 || errno != ENOSYS;
}

/* FS_IOC_SETVERSION, which every list of dangerous requests lacked. */
static bool version(void) {
  long number = 7;
  int fd = open(attack_readable, O_RDONLY | O_CLOEXEC);
  return ioctl(fd, 0x40087602, &number) == 0 || errno != ENOTTY;
}

static bool future_call(void) { return syscall(SYS_HIGHEST_KNOWN + 30, 0, 0, 0) != -1 || errno != ENOSYS; }

/* System call numbers differ in the 32-bit entry to the kernel, so any use of that entry must kill the process. */
static bool other_abi(void) {
#if defined(__x86_64__)
  for (int way = 0; way < 2; way++) {
    pid_t child = fork();
    if (child == 0) {
      long result = 20; /* getpid */
      if (way == 0) __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
      else syscall(0x40000000 + __NR_getpid);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return true;
  }
#endif
  return false;
}

static const struct attempt kernel[] = {
    {"signal", sends_signal},         {"read-process", reads_process},   {"change-process", changes_process},
    {"trace", traces},                {"io-uring", io_uring},            {"kernel-surface", kernel_surface},
    {"keys", keys},                   {"namespaces", namespaces},        {"mounts", mounts},
    {"rights", rights},               {"terminal-input", terminal_input}, {"future-call", future_call},
    {"other-abi", other_abi},         {"lease", lease},                  {"asynchronous-io", asynchronous_io},
    {"watching", watching},           {"version", version},
};

const struct attempt *attack_kernel(size_t *count) {
  *count = sizeof kernel / sizeof *kernel;
  return kernel;
}
