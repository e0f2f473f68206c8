/*
 * A launch that is prepared as far as possible without its command and waits for the request. The supervisor has its
 * namespaces, fresh root and scope. Below it, the command's process has its session, the rules that all Restricted and draft
 * commands share, and the filter. The launch runs one command and is never reused. No command has run in it before, and only
 * the server can send to it. Only for `run` of these two profiles without standard input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"
#include "supervise.h"

#define WAITING "parley-warm" /* the names by which people see it in lists of processes */
#define HOLDING "parley-hold"

/* Shared by both processes and written once. */
struct asked {
  size_t length;
  char bytes[READY_MAX];
};

/* Whether the supervisor must act on the request: make mounts, or switch the uid. */
static bool mediates(void) { return host.namespaces || host.root; }

static void keep_only(const int *wanted, size_t count);
static _Noreturn void wait_as_command(struct spec *spec, struct asked *asked, int from, pid_t supervisor, const sigset_t *before);
static void receive(struct asked *asked, int from, int *trees);
static void decode(struct spec *spec, struct asked *asked, const char *tmp);

_Noreturn void ready_wait(const struct channel *channel, int request, const char *tmp, pid_t server, bool placed) {
  static struct spec spec = {.verb = VERB_RUN, .profile = RESTRICTED};
  int root = -1;
  launch_begin(channel, placed);
  prctl(PR_SET_NAME, WAITING);
  spec.tmp = tmp;
  if (host.namespaces) {
    launch_network(&spec);
    root = root_begin(&spec);
  }
  int go[2];
  struct asked *asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (asked == MAP_FAILED || pipe2(go, O_CLOEXEC) != 0) refuse("a place for the request", NULL);
  keep_only((const int[]){request, root, go[0], go[1]}, 4);
  if (mediates()) {
    /* If root lacks CAP_SYS_ADMIN, the kernel requires no_new_privs for a process that confines itself. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
    if (prctl(PR_SET_DUMPABLE, 0) != 0) refuse("dumpable", NULL);
    launch_die_with(SIGKILL, server); /* no tree of processes exists yet */
  } else {
    launch_drop(getuid(), server);
  }
  struct held held = {.file = -1, .started = -1, .scoped = supervise_scope()};
  sigset_t before;
  supervise_signals(&before);
  pid_t supervisor = getpid();
  held.main = fork();
  if (held.main < 0) refuse("fork", NULL);
  if (held.main == 0) wait_as_command(&spec, asked, mediates() ? go[0] : request, supervisor, &before);
  close(go[0]);
  if (mediates()) {
    int trees[MAX_MOUNTS];
    bool segments = spec.segments;
    receive(asked, request, trees);
    decode(&spec, asked, tmp);
    spec.segments = segments;
    for (size_t i = 0; i < spec.mount_count; i++) spec.mounts[i].tree = trees[i];
    if (host.namespaces) root_end(root, &spec, identity_uid(&spec));
    launch_drop(identity_uid(&spec), server);
    if (write(go[1], "", 1) != 1) refuse("write", "to the command's process");
  }
  prctl(PR_SET_NAME, HOLDING);
  keep_only(NULL, 0);
  supervise_main(&held);
}

/* Closes every other descriptor above the status pipe. */
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

static _Noreturn void wait_as_command(struct spec *spec, struct asked *asked, int from, pid_t supervisor, const sigset_t *before) {
  const char *tmp = spec->tmp;
  supervise_child(supervisor, before);
  keep_only(&from, 1);
  if (setsid() < 0) refuse("setsid", NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
  if (!host.root) identity_drop(getuid());
  if (prctl(PR_SET_DUMPABLE, 0) != 0) refuse("dumpable", NULL);
  int ruleset = landlock_prepare(spec);
  seccomp_confine(spec);
  char byte;
  if (!mediates()) {
    receive(asked, from, NULL);
  } else {
    ssize_t length;
    while ((length = read(from, &byte, 1)) < 0 && errno == EINTR) continue;
    if (length != 1) _exit(125);
  }
  decode(spec, asked, tmp);
  if (host.root) {
    identity_drop(identity_uid(spec));
    supervise_child(supervisor, NULL); /* the uid change has cleared the death signal */
  }
  start_command(spec, ruleset, true);
}

/* Without a message the server is dead, so nothing runs and nothing is reported. */
static void receive(struct asked *asked, int from, int *trees) {
  union {
    char bytes[CMSG_SPACE(MAX_MOUNTS * sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct iovec bytes = {.iov_base = asked->bytes, .iov_len = sizeof asked->bytes};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = trees == NULL ? 0 : sizeof control.bytes};
  ssize_t length;
  while ((length = recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  if (length <= 0) _exit(125);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) refuse_plain("the request is too long");
  asked->length = (size_t)length;
  struct cmsghdr *header = trees == NULL ? NULL : CMSG_FIRSTHDR(&message);
  if (header != NULL) memcpy(trees, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
}

/* Decodes the bytes that the server has already decoded and checked. */
static void decode(struct spec *spec, struct asked *asked, const char *tmp) {
  const char *reason;
  if (!spec_decode(spec, VERB_RUN, asked->bytes, asked->length, &reason)) refuse_plain(reason);
  if (!is_held(spec->profile) || spec->egress || spec->has_stdin) refuse_plain("not a request for who waits");
  spec->tmp = tmp;
  set_tmpdir(spec);
}
