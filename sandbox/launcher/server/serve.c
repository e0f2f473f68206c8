/*
 * The spawn server (D24): reads requests from standard input, replies on standard output, and ends everything that it started
 * when its input ends. One thread, one poll loop, no blocking call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bounds.h"
#include "server.h"

#define MAX_FILES (8 * MAX_SLOTS)
#define FAREWELL_MS 3000
#define LOOK_AGAIN_MS 500 /* while leaving */

static bool take_requests(void);
static void dispatch(uint8_t type, uint32_t id, char *bytes, size_t length);
static void turn(int children, uint64_t until);
static void leave(int children);

static char *inbox;
static size_t inbox_used;

int serve(void) {
  char facts[512];
  /* Gives commands the default action of every signal, even if the host ignores some. */
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  signal(SIGPIPE, SIG_IGN);
  setsid(); /* keeps a terminal's Ctrl-C for the host, which then ends the server in order; fails for a group leader */
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  inbox = malloc(MAX_FRAME + HEADER);
  if (children < 0 || inbox == NULL) return 1;
  if (!host.namespaces && prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 1;
  /* Three descriptors for each command. Commands have a separate limit for open files (limits.c). */
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max < MAX_FILES ? files.rlim_max : MAX_FILES;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  tmp_sweep();
  fcntl(0, F_SETFL, O_NONBLOCK);
  fcntl(1, F_SETFL, O_NONBLOCK);
  say(SAY_HELLO, 0, NULL, 0, facts, probe_json(facts, sizeof facts));
  bool listening = true;
  while (listening) {
    turn(children, 0);
    listening = take_requests();
  }
  leave(children);
  return 0;
}

/* Waits once and handles every ready event. `until`: deadline while leaving, or 0 while requests are accepted. */
static void turn(int children, uint64_t until) {
  static struct pollfd fds[MAX_SLOTS * 3 + 3];
  static struct slot *owners[MAX_SLOTS * 3];
  int wait = slot_tick(); /* first, because it ends slots, whose descriptors must not be polled */
  if (until == 0 && !slot_waited_for()) warm_prepare();
  if (until != 0 && (wait < 0 || wait > LOOK_AGAIN_MS)) wait = LOOK_AGAIN_MS;
  size_t used = slot_poll(fds, owners);
  size_t own = used;
  fds[used++] = (struct pollfd){.fd = children, .events = POLLIN};
  fds[used++] = (struct pollfd){.fd = until == 0 ? 0 : -1, .events = POLLIN};
  fds[used++] = (struct pollfd){.fd = say_waiting() > 0 ? 1 : -1, .events = POLLOUT};
  if (poll(fds, used, wait) < 0) return;
  if (fds[own + 2].revents != 0) say_flush();
  for (size_t i = 0; i < own; i++) slot_ready(owners[i], fds[i].fd, fds[i].revents);
  if (fds[own].revents != 0) {
    struct signalfd_siginfo info;
    while (read(children, &info, sizeof info) > 0) continue;
    slot_reap();
  }
}

/* False at the end of input: the host is gone. */
static bool take_requests(void) {
  for (;;) {
    ssize_t count = read(0, inbox + inbox_used, MAX_FRAME + HEADER - inbox_used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    inbox_used += (size_t)count;
    size_t at = 0;
    while (inbox_used - at >= HEADER) {
      uint32_t size, id;
      memcpy(&size, inbox + at, 4);
      memcpy(&id, inbox + at + 5, 4);
      if (size < HEADER - 4 || size > MAX_FRAME) return false; /* not this protocol, so stop */
      if (inbox_used - at < size + 4u) break;
      dispatch((uint8_t)inbox[at + 4], id, inbox + at + HEADER, size + 4u - HEADER);
      at += size + 4u;
    }
    memmove(inbox, inbox + at, inbox_used - at);
    inbox_used -= at;
  }
}

static void dispatch(uint8_t type, uint32_t id, char *bytes, size_t length) {
  struct slot *slot = slot_find(id);
  if (type == ASK_KILL) {
    if (slot != NULL) slot_kill(slot, CAUSE_STOP);
    return;
  }
  if (type == ASK_INPUT) {
    if (slot != NULL && !stream_input(slot, bytes, length)) slot_kill(slot, CAUSE_STOP);
    return;
  }
  struct spec spec;
  const char *reason = "unknown request";
  bool good = type >= VERB_RUN && type <= VERB_PUT && slot == NULL && spec_decode(&spec, (enum verb)type, bytes, length, &reason);
  if (good && is_held(spec.profile) && !restricted_possible()) {
    good = false;
    reason = "this kernel cannot hold Restricted";
    spec_free(&spec);
  }
  if (!good) {
    answer_refusal(id, reason);
    return;
  }
  slot_open(id, &spec, bytes, length);
  spec_free(&spec);
}

/*
 * Kills every process before the server ends, however long that takes, because no other process could. The reader gets a while
 * to read the last replies.
 */
static void leave(int children) {
  uint64_t until = now_ms() + FAREWELL_MS;
  warm_drop();
  slot_kill_all();
  while (slot_any()) {
    if (now_ms() >= until) say_no_more();
    turn(children, until);
    slot_reap();
  }
  cgroup_leave();
}
