/*
 * The server's side of the process that waits for the next Restricted or draft command (ready.c). At most one such process
 * exists, made when the server is idle, so simultaneous commands wait only for the processor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bounds.h"
#include "server.h"
#include "supervise.h"

#define AGAIN_MS 1000 /* after one that ended by itself */

/*
 * If commands see the host's own tree, the rules are bound to the files that existed when the rules were made. Replacing a file
 * changes the time stamp of its directory.
 */
static const char *const DIRECTORIES[] = {"/", "/etc", "/etc/ssh"};
#define DIRECTORY_COUNT (sizeof DIRECTORIES / sizeof *DIRECTORIES)

static struct warm waiting;
static struct timespec stamps[DIRECTORY_COUNT];
static uint64_t not_before;

static bool start(struct warm *made, int *request);
static void forget(void);
static void report(void);
static void read_stamps(struct timespec *out);
static bool is_stale(void);
static bool own(const struct spec *spec);
static bool send_request(const struct spec *spec, const char *bytes, size_t length);
static void close_trees(const struct spec *spec);

void warm_prepare(void) {
  if (waiting.pid != 0 || host.off || !restricted_possible() || now_ms() < not_before) return;
  struct warm made = {.output = -1, .status = -1, .request = -1, .group = -1};
  int request = -1;
  bool good = start(&made, &request);
  if (request >= 0) close(request);
  waiting = made;
  if (good) return;
  not_before = now_ms() + AGAIN_MS;
  forget();
}

static bool start(struct warm *made, int *request) {
  int output[2], status[2], ends[2];
  if (!host.namespaces && !tmp_create(&made->tmp, getuid())) return false;
  if (host.controls != 0 && (made->group = cgroup_take(RESTRICTED, false)) < 0) return false;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  made->request = ends[0];
  *request = ends[1];
  if (pipe2(output, O_CLOEXEC) != 0) return false;
  made->output = output[0];
  if (pipe2(status, O_CLOEXEC) != 0) {
    close(output[1]);
    return false;
  }
  made->status = status[0];
  read_stamps(stamps);
  struct channel channel = {.input = -1, .output = output[1], .status = status[1], .group = made->group};
  pid_t server = getpid();
  bool placed;
  pid_t pid = launch_split(made->group, &placed);
  if (pid == 0) ready_wait(&channel, *request, host.namespaces ? "/tmp" : made->tmp.path, server, placed);
  close(output[1]);
  close(status[1]);
  made->pid = pid > 0 ? pid : 0;
  return pid > 0;
}

bool warm_take(struct spec *spec, const char *bytes, size_t length, struct warm *taken) {
  if (waiting.pid == 0 || spec->verb != VERB_RUN || !is_held(spec->profile) || spec->has_stdin || length > READY_MAX) return false;
  if (is_stale() || !own(spec)) {
    warm_drop();
    return false;
  }
  uid_t uid = identity_uid(spec);
  bool good = true;
  for (size_t i = 0; host.namespaces && good && i < spec->mount_count; i++) {
    root_prepare(&spec->mounts[i], uid);
    good = root_source(&spec->mounts[i], uid) == NULL;
  }
  /* A separate launch reports problems with a mount. */
  bool sent = good && send_request(spec, bytes, length);
  close_trees(spec);
  if (good && !sent) warm_drop();
  if (!sent) return false;
  close(waiting.request);
  *taken = waiting;
  waiting = (struct warm){0};
  return true;
}

void warm_drop(void) {
  if (waiting.pid == 0) return;
  kill(waiting.pid, SIGKILL); /* its child dies with it */
  while (waitpid(waiting.pid, NULL, 0) < 0 && errno == EINTR) continue;
  forget();
}

bool warm_is(pid_t pid, bool ended) {
  if (pid == 0 || pid != waiting.pid) return false;
  if (!ended) return true;
  not_before = now_ms() + AGAIN_MS;
  report();
  forget();
  return true;
}

/* Without the waiting process, commands only start later. The reason is logged once for the operator. */
static void report(void) {
  static char told[300];
  struct tell heard;
  if (fcntl(waiting.status, F_SETFL, O_NONBLOCK) != 0) return;
  while (read(waiting.status, &heard, sizeof heard) == (ssize_t)sizeof heard) {
    heard.text[sizeof heard.text - 1] = '\0';
    if (heard.kind != TELL_FAILED || strcmp(heard.text, told) == 0) continue;
    memcpy(told, heard.text, sizeof told);
    fprintf(stderr, "no process waits for the next command: %s\n", told);
  }
}

static void forget(void) {
  stream_shut(&waiting.request);
  stream_shut(&waiting.output);
  stream_shut(&waiting.status);
  if (waiting.group >= 0) cgroup_release(waiting.group);
  tmp_remove(&waiting.tmp);
  waiting = (struct warm){0};
}

static void read_stamps(struct timespec *out) {
  struct stat st;
  memset(out, 0, DIRECTORY_COUNT * sizeof *out);
  for (size_t i = 0; i < DIRECTORY_COUNT; i++) {
    if (stat(DIRECTORIES[i], &st) == 0) out[i] = st.st_ctim;
  }
}

static bool is_stale(void) {
  struct timespec now[DIRECTORY_COUNT];
  if (host.namespaces) return false;
  read_stamps(now);
  return memcmp(now, stamps, sizeof now) != 0;
}

/* Gives the command's uid its own resources: the temporary directory, and the output (launch.c). */
static bool own(const struct spec *spec) {
  if (!host.root) return true;
  uid_t uid = identity_uid(spec);
  if (fchown(waiting.output, uid, uid) != 0 && errno != EPERM) return false;
  return waiting.tmp.path == NULL || fchown(waiting.tmp.lock, uid, uid) == 0;
}

static bool send_request(const struct spec *spec, const char *bytes, size_t length) {
  union {
    char bytes[CMSG_SPACE(MAX_MOUNTS * sizeof(int))];
    struct cmsghdr aligned;
  } control = {0};
  struct iovec part = {.iov_base = (char *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (host.namespaces && spec->mount_count > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(spec->mount_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(spec->mount_count * sizeof(int));
    for (size_t i = 0; i < spec->mount_count; i++) memcpy(CMSG_DATA(header) + i * sizeof(int), &spec->mounts[i].tree, sizeof(int));
  }
  return sendmsg(waiting.request, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static void close_trees(const struct spec *spec) {
  for (size_t i = 0; i < spec->mount_count; i++) {
    if (spec->mounts[i].tree >= 0) close(spec->mounts[i].tree);
  }
}
