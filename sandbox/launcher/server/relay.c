/*
 * A process for each command with network egress. The relay makes the empty network that the command then enters, listens
 * there, and joins each connection to the host's proxy over a local socket. The relay is a child of the server outside the
 * command's pid namespace, so the command cannot name it. It ends with the command's slot or with the server. Before the first
 * byte of a command arrives, `allow_only` restricts the relay to a few calls. The relay sees no directory of the host except
 * the proxy's.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "relay.h"

#define CLONE_PIDFD_ 0x00001000ul
#define BACKLOG 512
#define HOST_SOCKET "s" /* in the host's directory, which is the relay's root (sandbox/egress/egress.ts) */

static _Noreturn void run(uint32_t id, int ready, pid_t server);
static _Noreturn void give_up(const char *stage);
static void raise_loopback(void);
static int listen_inside(void);
static void allow_only(void);

bool relay_wanted(const struct spec *spec) {
  bool runs = spec->verb == VERB_RUN || spec->verb == VERB_START;
  return runs && spec->egress && host.namespaces && host.empty_net >= 0;
}

bool relay_start(uint32_t id, struct relay *relay) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) return false;
  pid_t server = getpid();
  int process = -1;
  relay->pid = (pid_t)syscall(__NR_clone, CLONE_PIDFD_ | SIGCHLD, NULL, &process, NULL, NULL);
  if (relay->pid == 0) run(id, ready[1], server);
  int saved = errno;
  close(ready[1]);
  relay->ready = ready[0];
  relay->process = process;
  if (relay->pid < 0) close(ready[0]);
  errno = saved;
  return relay->pid > 0;
}

void relay_release(const struct relay *relay) {
  close(relay->ready);
  close(relay->process);
}

void relay_join(const struct relay *relay) {
  char said[200];
  ssize_t length;
  while ((length = read(relay->ready, said, sizeof said - 1)) < 0 && errno == EINTR) continue;
  said[length > 0 ? length : 0] = '\0';
  if (strcmp(said, "\n") != 0) refuse_plain(said[0] == '\0' ? "the network relay ended" : said);
  if (setns(relay->process, CLONE_NEWNET) != 0) refuse("setns", "the relay's network");
}

static _Noreturn void run(uint32_t id, int ready, pid_t server) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != server) _exit(125);
  if (dup3(ready, FD_STATUS, O_CLOEXEC) < 0) _exit(125);
  close(0);
  close(1);
  close(2);
  if (syscall(SYS_CLOSE_RANGE, FD_STATUS + 1, ~0u, 0) != 0) give_up("close_range");
  if (unshare(CLONE_NEWNET) != 0) give_up("a network of its own");
  raise_loopback();
  int listener = listen_inside();
  if (chroot(host.relay_directory) != 0 || chdir("/") != 0) give_up("the proxy's directory");
  struct cap_header header = {.version = CAP_VERSION_3};
  struct cap_data none[2] = {{0}};
  if (syscall(__NR_capset, &header, none) != 0) give_up("capset");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up("no_new_privs");
  allow_only();
  if (write(FD_STATUS, "\n", 1) != 1) _exit(125);
  close(FD_STATUS);
  struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = HOST_SOCKET};
  pump_connections(listener, &to, id);
}

static _Noreturn void give_up(const char *stage) {
  char text[160];
  int length = snprintf(text, sizeof text, "network relay: %s: %s", stage, strerror(errno));
  if (write(FD_STATUS, text, (size_t)length) < 0) _exit(124);
  _exit(125);
}

static void raise_loopback(void) {
  struct ifreq lo = {.ifr_name = "lo"};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &lo) != 0) give_up("loopback");
  lo.ifr_flags |= IFF_UP;
  if (ioctl(fd, SIOCSIFFLAGS, &lo) != 0) give_up("loopback");
  close(fd);
}

static int listen_inside(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(RELAY_PORT)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, BACKLOG) != 0) give_up("listen");
  return fd;
}

/* Allows copies between descriptors and local sockets; no file, no other socket, no process. */
static void allow_only(void) {
  static const int calls[] = {
      __NR_read, __NR_write, __NR_close, __NR_accept4, __NR_connect, __NR_shutdown, __NR_ppoll, __NR_brk, __NR_mmap,
      __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_exit_group, __NR_restart_syscall,
#ifdef __NR_poll
      __NR_poll,
#endif
  };
  struct bpf_line code[64];
  size_t used = 0;
  code[used++] = (struct bpf_line){OP_LOAD, 0, 0, DATA_ARCH};
  code[used++] = (struct bpf_line){OP_IF_EQUAL, 1, 0, NATIVE_ARCH};
  code[used++] = (struct bpf_line){OP_ANSWER, 0, 0, ANSWER_KILL};
  code[used++] = (struct bpf_line){OP_LOAD, 0, 0, DATA_NR};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    code[used++] = (struct bpf_line){OP_IF_EQUAL, 0, 1, (uint32_t)calls[i]};
    code[used++] = (struct bpf_line){OP_ANSWER, 0, 0, ANSWER_ALLOW};
  }
  code[used++] = (struct bpf_line){OP_IF_EQUAL, 0, 3, __NR_socket};
  code[used++] = (struct bpf_line){OP_LOAD, 0, 0, DATA_ARGUMENTS};
  code[used++] = (struct bpf_line){OP_IF_EQUAL, 0, 1, AF_UNIX};
  code[used++] = (struct bpf_line){OP_ANSWER, 0, 0, ANSWER_ALLOW};
  code[used++] = (struct bpf_line){OP_ANSWER, 0, 0, ANSWER_KILL};
  struct bpf_program program = {.length = (unsigned short)used, .lines = code};
  if (prctl(PR_SET_SECCOMP, SECCOMP_FILTER, &program) != 0) give_up("seccomp");
}
