/*
 * A launch that has gone as far as it can without knowing its command, and waits for the rest: a supervisor with its
 * namespaces, its fresh root and its scope, and below it the command's process with its session, the rules that every
 * Restricted and every draft command has, and the filter. It runs one command and is never used again; nothing of a command has run in
 * it, and nobody but the server can send it anything. Only for `run` in these two, without standard input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bounds.h"
#include "confine.h"
#include "supervise.h"

#define WAITING "parley-warm" /* the names by which people see it in lists of processes */
#define HOLDING "parley-hold"
#define STACK 65536 /* bytes, of the command's process */

/* What the command's process is made with. */
struct begun {
  struct spec *spec;
  int request, dropped;
  pid_t supervisor;
  sigset_t before;
};

union one_descriptor {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr aligned;
};

static void hand_over(int holder, int descriptor);
static void keep_only(const int *wanted, size_t count);
static void read_all(int from, void *bytes, size_t length);
static int wait_as_command(void *argument);
static void receive(struct spec *spec, int from);

_Noreturn void ready_wait(const struct channel *channel, int request, int holder, const char *tmp, pid_t server, bool placed) {
  static struct spec spec = {.verb = VERB_RUN, .profile = RESTRICTED};
  static char stack[STACK] __attribute__((aligned(16)));
  int dropped[2];
  launch_begin(channel, placed);
  prctl(PR_SET_NAME, WAITING);
  spec.tmp = tmp;
  if (host.namespaces) {
    int mounts = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    launch_network(&spec);
    root_begin(&spec);
    hand_over(holder, mounts);
  }
  if (pipe2(dropped, O_CLOEXEC) != 0) refuse("pipe", NULL);
  keep_only((const int[]){request, holder, dropped[0], dropped[1]}, 4);
  if (host.root) {
    /* Where root has been left without CAP_SYS_ADMIN, the kernel asks this of whoever confines himself. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
    if (prctl(PR_SET_DUMPABLE, 0) != 0) refuse("dumpable", NULL);
    launch_die_with(SIGKILL, server); /* there is no tree yet that it would have to end */
  } else {
    launch_drop(getuid(), server);
  }
  struct held held = {.file = -1, .started = -1, .scoped = supervise_scope()};
  struct begun begun = {.spec = &spec, .request = request, .dropped = dropped[0], .supervisor = getpid()};
  supervise_signals(&begun.before);
  /*
   * It borrows this one's memory until exec: no copy, and none to be taken down while its command is waited for. So from here
   * on this one allocates nothing and leaves alone what is static, and has no call fail of which the other could read the error.
   */
  held.main = clone(wait_as_command, stack + sizeof stack, CLONE_VM | SIGCHLD, &begun);
  if (held.main < 0) refuse("fork", NULL);
  close(dropped[0]);
  uid_t uid;
  read_all(holder, &uid, sizeof uid);
  if (host.root) {
    launch_drop(uid, server);
    if (write(dropped[1], "", 1) != 1) refuse("write", "to the command's process");
  }
  prctl(PR_SET_NAME, HOLDING);
  keep_only(NULL, 0);
  supervise_main(&held);
}

static void hand_over(int holder, int descriptor) {
  union one_descriptor control = {0};
  struct iovec nothing = {.iov_base = "", .iov_len = 1};
  struct msghdr message = {.msg_iov = &nothing, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (sendmsg(holder, &message, MSG_NOSIGNAL) != 1) refuse("hand over", "the mounts");
}

int ready_receive(int holder) {
  union one_descriptor control;
  char byte;
  struct iovec nothing = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {.msg_iov = &nothing, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  int descriptor = -1;
  struct cmsghdr *header = recvmsg(holder, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header != NULL) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

/* Everything above the status pipe but these is closed. */
static void keep_only(const int *wanted, size_t count) {
  for (int from = FD_STATUS + 1;;) {
    int next = -1;
    for (size_t i = 0; i < count; i++) {
      if (wanted[i] >= from && (next < 0 || wanted[i] < next)) next = wanted[i];
    }
    if (next != from && syscall(SYS_CLOSE_RANGE, from, next < 0 ? ~0u : (unsigned)next - 1, 0) != 0) refuse("close_range", NULL);
    if (next < 0) return;
    from = next + 1;
  }
}

/* The server or the supervisor is gone when nothing comes: nothing runs, and nobody is there to be told. */
static void read_all(int from, void *bytes, size_t length) {
  ssize_t count;
  while ((count = read(from, bytes, length)) < 0 && errno == EINTR) continue;
  if (count != (ssize_t)length) _exit(125);
}

static int wait_as_command(void *argument) {
  const struct begun *begun = argument;
  struct spec *spec = begun->spec;
  supervise_child(begun->supervisor, &begun->before);
  keep_only((const int[]){begun->request, begun->dropped}, 2);
  if (setsid() < 0) refuse("setsid", NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
  if (!host.root) identity_drop(getuid());
  if (prctl(PR_SET_DUMPABLE, 0) != 0) refuse("dumpable", NULL);
  limits_begin(spec->profile);
  int ruleset = landlock_prepare(spec);
  seccomp_confine(spec);
  receive(spec, begun->request);
  if (host.root) {
    identity_drop(identity_uid(spec));
    supervise_child(begun->supervisor, NULL); /* the change of uid has cleared it */
    /* Nothing of a command runs while its supervisor still has rights. */
    char byte;
    read_all(begun->dropped, &byte, 1);
  }
  start_command(spec, ruleset, true);
}

/* The same bytes that the server has decoded and checked. */
static void receive(struct spec *spec, int from) {
  static char bytes[READY_MAX];
  const char *reason, *tmp = spec->tmp;
  ssize_t length;
  while ((length = recv(from, bytes, sizeof bytes, MSG_TRUNC)) < 0 && errno == EINTR) continue;
  if (length <= 0) _exit(125);
  if (length > READY_MAX) refuse_plain("the request is too long");
  if (!spec_decode(spec, VERB_RUN, bytes, (size_t)length, &reason)) refuse_plain(reason);
  if (!is_held(spec->profile) || spec->egress || spec->has_stdin) refuse_plain("not a request for who waits");
  spec->tmp = tmp;
  set_tmpdir(spec);
}
