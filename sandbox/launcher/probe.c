/* Tests the capabilities of the host by using all of them in a temporary child. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "bounds.h"

struct host host = {.empty_net = -1, .memory = 2048ull << 20, .processes = 512, .disk = 8192ull << 20};

static bool can_switch_uid(void);
static bool can_have_namespaces(void);
static int try_namespaces(void);
static int try_launch(struct tell *record);

void probe_host(bool off, uid_t uid_base) {
  host.off = off;
  host.uid_base = uid_base;
  host.abi = off ? 0 : landlock_abi();
  host.errata = off ? 0 : landlock_errata();
  host.root = geteuid() == 0 && can_switch_uid();
  host.userns = !host.root;
  cgroup_prepare();
  host.proc = true;
  if (!can_have_namespaces()) {
    host.proc = false;
    if (!can_have_namespaces()) {
      identity_limit();
      return;
    }
  }
  host.why[0] = '\0';
  if ((host.userns && !userns_enter()) || base_prepare() != 0) {
    snprintf(host.why, sizeof host.why, "prepare: %s", strerror(errno));
    return;
  }
  host.namespaces = true;
  identity_limit();
}

bool restricted_possible(void) { return rights_missing(host.abi, host.root, host.namespaces) == NULL; }

size_t probe_json(char *out, size_t size) {
  char why[sizeof host.why];
  size_t length = 0;
  for (const char *at = host.why; *at != '\0'; at++) {
    if (*at >= ' ' && *at != '"' && *at != '\\') why[length++] = *at;
  }
  why[length] = '\0';
  int written = snprintf(out, size,
                         "{\"abi\":%d,\"errata\":%d,\"off\":%s,\"root\":%s,\"namespaces\":%s,\"userns\":%s,\"proc\":%s,"
                         "\"network\":%s,\"memory\":%s,\"processes\":%s,\"processor\":%s,\"why\":\"%s\"}",
                         host.abi, host.errata, host.off ? "true" : "false", host.root ? "true" : "false",
                         host.namespaces ? "true" : "false", host.namespaces && host.userns ? "true" : "false",
                         host.namespaces && host.proc ? "true" : "false", host.empty_net >= 0 ? "true" : "false",
                         (host.controls & CONTROL_MEMORY) != 0 ? "true" : "false",
                         (host.controls & CONTROL_PIDS) != 0 ? "true" : "false", (host.controls & CONTROL_CPU) != 0 ? "true" : "false", why);
  return written > 0 ? (size_t)written : 0;
}

static bool can_switch_uid(void) {
  pid_t child = fork();
  if (child == 0) _exit(setresgid(host.uid_base, host.uid_base, host.uid_base) != 0 || setresuid(host.uid_base, host.uid_base, host.uid_base) != 0);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool can_have_namespaces(void) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return false;
  pid_t child = fork();
  if (child == 0) {
    struct tell record = {.kind = 0};
    int result = try_namespaces();
    if (result != 0) {
      snprintf(record.text, sizeof record.text, "%s", strerror(errno));
    } else {
      result = try_launch(&record);
    }
    if (write(report[1], record.text, sizeof record.text) < 0) result = 1;
    _exit(result != 0);
  }
  close(report[1]);
  int status = 1;
  ssize_t length = read(report[0], host.why, sizeof host.why - 1);
  host.why[length > 0 ? length : 0] = '\0';
  close(report[0]);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int try_namespaces(void) {
  if (host.userns && !userns_enter()) return -1;
  return base_prepare();
}

/* Tries a complete launch without a command. Returns 0 if every step before exec worked. */
static int try_launch(struct tell *record) {
  static char *none[] = {NULL, NULL};
  host.namespaces = true;
  struct spec spec = {.verb = VERB_TRIAL, .profile = SETUP, .cwd = "/tmp", .tmp = "/tmp", .env = none, .argv = none};
  int status[2], output[2], code = 1;
  if (pipe2(status, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) return -1;
  struct channel channel = {.input = -1, .output = output[1], .status = status[1], .group = -1};
  pid_t child = launch(&spec, &channel);
  close(status[1]);
  close(output[1]);
  if (child < 0) {
    snprintf(record->text, sizeof record->text, "clone: %s", strerror(errno));
    return -1;
  }
  struct tell heard;
  while (read(status[0], &heard, sizeof heard) == (ssize_t)sizeof heard) {
    if (heard.kind == TELL_FAILED) *record = heard;
  }
  return waitpid(child, &code, 0) == child && code == 0 ? 0 : -1;
}
