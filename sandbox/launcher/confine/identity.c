/* Who a command is: a uid of its own (T0), or the bot's own uid without any capability. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parley.h"

#define SECURE_BITS 0x2b /* NOROOT set; NO_SETUID_FIXUP and KEEP_CAPS clear; all three locked */

static bool write_file(const char *path, const char *text, size_t length);
static size_t swap_map(char *out, size_t size, unsigned owner, unsigned uid);

uid_t identity_uid(const struct spec *spec) { return host.root ? host.uid_base + spec->identity : getuid(); }

/* Moves this process into a user namespace that maps its own uid and gid to themselves. */
bool userns_enter(void) {
  uid_t uid = getuid();
  gid_t gid = getgid();
  if (unshare(CLONE_NEWUSER) != 0) return false;
  char map[64];
  int length = snprintf(map, sizeof map, "%u %u 1", uid, uid);
  if (!write_file("/proc/self/setgroups", "deny", 4)) return false;
  if (!write_file("/proc/self/uid_map", map, (size_t)length)) return false;
  length = snprintf(map, sizeof map, "%u %u 1", gid, gid);
  return write_file("/proc/self/gid_map", map, (size_t)length);
}

/*
 * The server never execs, so it can give up what exec could regain, once for all commands; they inherit it. Without
 * CAP_SETPCAP the set stays, but no_new_privs alone already keeps exec from taking anything out of it.
 */
void identity_limit(void) {
  for (int cap = 0; cap < 64 && prctl(PR_CAPBSET_DROP, cap) == 0; cap++) continue;
}

/* From here on: no group but its own, no capability in any set, none to be had by exec, no new privilege. */
void identity_drop(uid_t uid) {
  if (host.root) {
    if (prctl(PR_SET_SECUREBITS, SECURE_BITS) != 0 && errno != EPERM) refuse("secure bits", NULL);
    if (setgroups(0, NULL) != 0) refuse("setgroups", NULL);
    if (setresgid(uid, uid, uid) != 0) refuse("setresgid", NULL);
    if (setresuid(uid, uid, uid) != 0) refuse("setresuid", NULL);
    if (getuid() != uid || geteuid() != uid || setuid(0) == 0) refuse_plain("the uid did not change");
  }
  struct cap_header header = {.version = CAP_VERSION_3};
  struct cap_data none[2] = {{0}};
  if (syscall(__NR_capset, &header, none) != 0) refuse("capset", NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
}

/*
 * A user namespace whose map swaps the mount's owner and the command's uid (and their groups), for an id-mapped
 * mount: what the command writes belongs on the host to the owner. Returns its descriptor, or -1 with errno.
 */
int idmap_userns(uid_t owner, gid_t group, uid_t uid) {
  int hold[2];
  if (pipe2(hold, O_CLOEXEC) != 0) return -1;
  pid_t holder = (pid_t)syscall(__NR_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
  if (holder == 0) {
    char byte;
    close(hold[1]);
    _exit(read(hold[0], &byte, 1) < 0);
  }
  close(hold[0]);
  int fd = -1;
  if (holder > 0) {
    char path[64], map[256];
    snprintf(path, sizeof path, "/proc/%d/uid_map", holder);
    bool mapped = write_file(path, map, swap_map(map, sizeof map, owner, uid));
    snprintf(path, sizeof path, "/proc/%d/gid_map", holder);
    mapped = mapped && write_file(path, map, swap_map(map, sizeof map, group, uid));
    snprintf(path, sizeof path, "/proc/%d/ns/user", holder);
    if (mapped) fd = open(path, O_RDONLY | O_CLOEXEC);
  }
  int saved = errno;
  close(hold[1]);
  if (holder > 0) waitpid(holder, NULL, 0);
  errno = saved;
  return fd;
}

static size_t swap_map(char *out, size_t size, unsigned owner, unsigned uid) {
  unsigned low = owner < uid ? owner : uid;
  unsigned high = owner < uid ? uid : owner;
  size_t length = 0;
  if (low > 0) length += (size_t)snprintf(out + length, size - length, "0 0 %u\n", low);
  length += (size_t)snprintf(out + length, size - length, "%u %u 1\n", low, high);
  if (high > low + 1) length += (size_t)snprintf(out + length, size - length, "%u %u %u\n", low + 1, low + 1, high - low - 1);
  length += (size_t)snprintf(out + length, size - length, "%u %u 1\n", high, low);
  length += (size_t)snprintf(out + length, size - length, "%u %u %u\n", high + 1, high + 1, 4294967294u - high);
  return length;
}

static bool write_file(const char *path, const char *text, size_t length) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool done = write(fd, text, length) == (ssize_t)length;
  int saved = errno;
  close(fd);
  errno = saved;
  return done;
}
