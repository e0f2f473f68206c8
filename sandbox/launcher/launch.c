/*
 * The steps between the server's fork and the command's exec. A failed step reports its reason and ends the process, so that
 * nothing runs with less confinement than requested.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "bounds.h"
#include "relay.h"
#include "supervise.h"

static _Noreturn void confine(struct spec *spec, const struct channel *channel, pid_t server, bool placed);
static void own_streams(const struct channel *channel, uid_t uid);
static void check_writable(const struct spec *spec);
static void reset_signals(void);

pid_t launch(struct spec *spec, const struct channel *channel) {
  pid_t server = getpid();
  bool placed;
  pid_t pid = launch_split(channel->group, &placed);
  if (pid == 0) confine(spec, channel, server, placed);
  return pid;
}

/* Places the process in its control group at creation if the kernel can, because a later move makes the whole machine wait. */
pid_t launch_split(int group, bool *placed) {
  unsigned long flags = SIGCHLD;
  if (host.namespaces) flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC;
  *placed = group < 0;
  int directory = cgroup_descriptor(group);
  if (directory >= 0) {
    struct clone_arguments arguments = {.flags = (flags & ~(unsigned long)CSIGNAL) | CLONE_INTO_CGROUP_, .exit_signal = SIGCHLD, .cgroup = (uint64_t)directory};
    pid_t pid = (pid_t)syscall(SYS_CLONE3, &arguments, sizeof arguments);
    int error = errno;
    close(directory);
    *placed = pid == 0;
    errno = error;
    if (pid >= 0 || error != ENOSYS) return pid;
  }
  return (pid_t)syscall(__NR_clone, flags, NULL, NULL, NULL, NULL);
}

static _Noreturn void confine(struct spec *spec, const struct channel *channel, pid_t server, bool placed) {
  uid_t uid = identity_uid(spec);
  own_streams(channel, uid);
  launch_begin(channel, placed);
  if (host.namespaces) {
    launch_network(spec);
    root_build(spec, uid);
    if (channel->relay != NULL) relay_join(channel->relay);
  }
  if (syscall(SYS_CLOSE_RANGE, FD_STATUS + 1, ~0u, 0) != 0) refuse("close_range", NULL);
  launch_drop(uid, server);
  if (host.root && !host.namespaces) check_writable(spec);
  if (spec->verb == VERB_TRIAL || spec->verb == VERB_GET || spec->verb == VERB_PUT) {
    limits_apply(spec);
    landlock_confine(spec, landlock_prepare(spec));
    seccomp_confine(spec);
    if (spec->verb == VERB_GET) file_get(spec);
    if (spec->verb == VERB_PUT) file_put(spec);
    _exit(0);
  }
  set_tmpdir(spec);
  supervise(spec);
}

void launch_begin(const struct channel *channel, bool placed) {
  if (dup3(channel->status, FD_STATUS, O_CLOEXEC) < 0) _exit(125);
  int input = channel->input >= 0 ? channel->input : open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0) refuse("open", "/dev/null");
  if (dup2(channel->output, 1) < 0 || dup2(channel->output, 2) < 0 || dup2(input, 0) < 0) refuse("dup2", NULL);
  if (!placed && !cgroup_enter(channel->group)) refuse("control group", NULL);
  reset_signals();
  umask(022);
  oom_first();
}

void launch_network(struct spec *spec) {
  spec->segments = (host.controls & CONTROL_MEMORY) != 0 || limits_segments();
  if (!spec->egress && host.empty_net >= 0 && setns(host.empty_net, CLONE_NEWNET) != 0) refuse("setns", "network");
}

/* Sets the death signal after the uid change, which clears the signal. A supervisor gets the chance to kill its tree. */
void launch_drop(uid_t uid, pid_t server) {
  identity_drop(uid);
  if (prctl(PR_SET_DUMPABLE, 0) != 0) refuse("dumpable", NULL);
  launch_die_with(host.namespaces ? SIGKILL : SIGTERM, server);
}

/* Commands may reopen /dev/stdout, which checks the pipe's owner. */
static void own_streams(const struct channel *channel, uid_t uid) {
  if (!host.root || (fchown(channel->output, uid, uid) == 0 && (channel->input < 0 || fchown(channel->input, uid, uid) == 0))) return;
  if (errno != EPERM) _exit(125);
}

/* File modes decide if mounts are not id-mapped. A message from here is clearer than the command's own error. */
static void check_writable(const struct spec *spec) {
  for (size_t i = 0; i < spec->mount_count; i++) {
    const struct mount *mount = &spec->mounts[i];
    if (mount->write && access(mount->source, W_OK) != 0) refuse("not writable for the sandbox's user, and there are no id-mapped mounts here:", mount->source);
  }
}

static void reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  if (sigaction(SIGPIPE, &standard, NULL) != 0) refuse("sigaction", NULL); /* the only signal that the server changed */
  sigset_t none;
  sigemptyset(&none);
  if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) refuse("sigprocmask", NULL);
}

/*
 * The parent may have died before this call. In a pid namespace the parent's pid always reads 0, so a failed write to the
 * status pipe shows that the parent has died.
 */
void launch_die_with(int signal, pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, signal) != 0) refuse("pdeathsig", NULL);
  if (!host.namespaces && getppid() != parent) _exit(125);
  if (host.namespaces) {
    struct tell nothing = {.kind = 0};
    if (write(FD_STATUS, &nothing, sizeof nothing) != sizeof nothing) _exit(125);
  }
}
