/*
 * parley-launcher attack SECRET READABLE PORT PID SOCKET: runs as a confined command, tries forbidden actions and prints `held
 * NAME` or `LEAK NAME` for each action.
 * SECRET: a file outside every mount. READABLE: a file in a read-only mount. PORT: a listener on the host's loopback. PID: a
 * process of the host. SOCKET: path of a local socket.
 * The self-test and the escape tests also check the host afterwards, which reveals a wrong "held".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "attack.h"

const char *attack_secret, *attack_readable, *attack_socket;
int attack_port, attack_pid;

static bool opens(const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC, 0644);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool open_descriptors(void) {
  for (int fd = 3; fd < 1024; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) return true;
  }
  return false;
}

static bool read_secret(void) { return opens(attack_secret, O_RDONLY); }

static bool read_by_link(void) {
  if (symlink(attack_secret, "/tmp/link") != 0) return false;
  char path[4096];
  snprintf(path, sizeof path, "/proc/self/root%s", attack_secret);
  return opens("/tmp/link", O_RDONLY) || opens(path, O_RDONLY);
}

/* The secret's directory may be the command's own tmp, so the host checks for new files there. */
static bool write_outside(void) {
  static const char *const places[] = {"/made", "/etc/made", "/usr/made", "/dev/made", "/var/made", "/root/made", "/home/made"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (opens(places[i], O_WRONLY | O_CREAT)) return true;
  }
  return opens(attack_secret, O_WRONLY);
}

static bool write_readable(void) { return opens(attack_readable, O_WRONLY) || opens(attack_readable, O_RDONLY | O_TRUNC); }
static bool truncate_readable(void) { return truncate(attack_readable, 0) == 0; }

static bool make_beside(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.new", attack_readable);
  return mkdir(path, 0755) == 0 || mkfifo(path, 0644) == 0 || symlink("x", path) == 0 || opens(path, O_WRONLY | O_CREAT);
}

static bool remove_readable(void) { return unlink(attack_readable) == 0; }

static bool rename_readable(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.moved", attack_readable);
  return rename(attack_readable, path) == 0 || rename(attack_readable, "/tmp/moved") == 0;
}

static bool link_readable(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.link", attack_readable);
  return link(attack_readable, path) == 0 || link(attack_readable, "/tmp/hard") == 0;
}

static bool chmod_readable(void) { return chmod(attack_readable, 0777) == 0 || chown(attack_readable, getuid(), getgid()) == 0; }
static bool chmod_new_call(void) { return syscall(SYS_FCHMODAT2, AT_FDCWD, attack_readable, 0777, 0) == 0; }
static bool touch_readable(void) { return utimensat(AT_FDCWD, attack_readable, NULL, 0) == 0; }
static bool attribute_readable(void) { return syscall(__NR_setxattr, attack_readable, "user.parley", "x", 1, 0) == 0; }
static bool chmod_secret(void) { return chmod(attack_secret, 0777) == 0 || truncate(attack_secret, 0) == 0; }

/* Docker masks /proc/kcore with the null device, which every command may open. */
static bool is_null(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISCHR(found.st_mode) && major(found.st_rdev) == 1 && minor(found.st_rdev) == 3;
}

static bool devices(void) {
  static const char *const paths[] = {"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/proc/kcore", "/proc/kmsg"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    if (!is_null(paths[i]) && opens(paths[i], O_RDONLY)) return true;
  }
  return mknod("/tmp/device", S_IFBLK | 0600, 0x0800) == 0;
}

static bool proc_write(void) {
  static const char *const paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/proc/self/uid_map", "/sys/fs/cgroup/cgroup.procs"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    if (opens(paths[i], O_WRONLY)) return true;
  }
  return false;
}

/* In an id-mapped mount, a set-id file would carry the host owner's identity. */
static bool set_id(void) {
  char path[64];
  const char *tmp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/set-id", tmp == NULL ? "/tmp" : tmp);
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 04755);
  if (fd >= 0) return true;
  if (!opens(path, O_WRONLY | O_CREAT)) return false;
  return chmod(path, 04755) == 0 || syscall(SYS_FCHMODAT2, AT_FDCWD, path, 02755, 0) == 0 ||
         (mknod(path, S_IFREG | 04755, 0) == 0);
}

static const struct attempt files[] = {
    {"open-descriptors", open_descriptors}, /* first, because the others leave open descriptors */
    {"read-secret", read_secret},         {"read-by-link", read_by_link},   {"write-outside", write_outside},
    {"write-readable", write_readable},   {"truncate", truncate_readable},  {"make-beside", make_beside},
    {"remove", remove_readable},          {"rename", rename_readable},      {"hard-link", link_readable},
    {"chmod", chmod_readable},            {"fchmodat2", chmod_new_call},    {"utimes", touch_readable},
    {"xattr", attribute_readable},        {"chmod-secret", chmod_secret},   {"devices", devices},
    {"proc-write", proc_write},           {"set-id-bits", set_id},
};

static void try_all(const struct attempt *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    printf("%s %s\n", list[i].gets_through() ? "LEAK" : "held", list[i].name);
    fflush(stdout);
  }
}

int attack(int argc, char **argv) {
  if (argc != 5) return 2;
  attack_secret = argv[0];
  attack_readable = argv[1];
  attack_port = atoi(argv[2]);
  attack_pid = atoi(argv[3]);
  attack_socket = argv[4];
  size_t count;
  try_all(files, sizeof files / sizeof *files);
  const struct attempt *list = attack_network(&count);
  try_all(list, count);
  list = attack_kernel(&count);
  try_all(list, count);
  return 0;
}
