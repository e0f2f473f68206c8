/*
 * What every fresh root shares: the programs, /etc and the devices, read-only, mounted once on a tmpfs in the server's
 * own mount namespace. It lies over /sys, which nobody here needs (over "/" the kernel would take the server for
 * chrooted and make no user namespace for it), and is the working directory, so that a launched process, whose
 * namespace is a copy, finds its own copy of it there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "relay.h"

#define MAX_PASSWD (64 * 1024)

static const char *const NAMES[] = {"usr", "bin", "sbin", "lib", "lib64", "lib32", "etc"};
#define NAME_COUNT ((int)(sizeof NAMES / sizeof *NAMES))
static bool is_directory[NAME_COUNT];
static char link_target[NAME_COUNT][64];
static char passwd[MAX_PASSWD];

static int add_directory(const char *name);
static int add_devices(void);
static int add_binary(const char *path);
static void read_passwd(void);
static int empty_network(void);

int base_prepare(void) {
  static const char *const options[] = {"mode", "0755", "size", "1m", NULL};
  struct mnt_attr private = {.propagation = MS_PRIVATE};
  char binary[PATH_MAX] = "";
  /* Before the old mount namespace may end with us leaving it: the name would begin at the mount it lies on. */
  if (readlink("/proc/self/exe", binary, sizeof binary - 1) < 0) return -1;
  if (unshare(CLONE_NEWNS) != 0) return -1;
  if (syscall(SYS_MOUNT_SETATTR, AT_FDCWD, "/", AT_RECURSIVE_, &private, sizeof private) != 0) return -1;
  int base = mount_fresh("tmpfs", options, MNT_NOSUID | MNT_NOEXEC);
  if (base < 0 || mount_attach(base, AT_FDCWD, "/sys") != 0 || fchdir(base) != 0) return -1;
  if (mkdir(BASE_ROOT, 0755) != 0) return -1;
  for (int i = 0; i < NAME_COUNT; i++) {
    char path[16];
    struct stat st;
    snprintf(path, sizeof path, "/%s", NAMES[i]);
    if (lstat(path, &st) != 0) continue;
    if (S_ISLNK(st.st_mode)) {
      ssize_t length = readlink(path, link_target[i], sizeof link_target[i] - 1);
      if (length < 0) return -1;
    } else if (S_ISDIR(st.st_mode)) {
      is_directory[i] = true;
      if (add_directory(NAMES[i]) != 0) return -1;
    }
  }
  if (add_devices() != 0 || add_binary(binary) != 0) return -1;
  struct mnt_attr read_only = {.set = MNT_RDONLY};
  if (syscall(SYS_MOUNT_SETATTR, base, "", AT_EMPTY_PATH_, &read_only, sizeof read_only) != 0) return -1;
  close(base);
  read_passwd();
  host.empty_net = empty_network();
  return 0;
}

int base_count(void) { return NAME_COUNT; }
const char *base_name(int index) { return NAMES[index]; }
/* Whether the base has a directory of that name; else the host has a link there, or nothing. */
bool base_is_directory(int index) { return is_directory[index]; }
/* Where the host's link of that name points, or null. */
const char *base_link(int index) { return link_target[index][0] != '\0' ? link_target[index] : NULL; }
const char *base_passwd(void) { return passwd; }

static int add_directory(const char *name) {
  char path[16];
  snprintf(path, sizeof path, "/%s", name);
  int tree = mount_tree(AT_FDCWD, path);
  if (tree < 0 || mkdir(name, 0755) != 0) return -1;
  if (mount_attributes(tree, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, -1) != 0) return -1;
  if (mount_attach(tree, AT_FDCWD, name) != 0) return -1;
  return close(tree);
}

static int add_devices(void) {
  static const char *const devices[] = {"null", "zero", "full", "random", "urandom"};
  static const char *const links[][2] = {
      {"/proc/self/fd", "dev/fd"},       {"/proc/self/fd/0", "dev/stdin"}, {"/proc/self/fd/1", "dev/stdout"},
      {"/proc/self/fd/2", "dev/stderr"}, {"/tmp", "dev/shm"},
  };
  if (mkdir("dev", 0755) != 0) return -1;
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    char from[24], to[24];
    snprintf(from, sizeof from, "/dev/%s", devices[i]);
    snprintf(to, sizeof to, "dev/%s", devices[i]);
    int tree = mount_tree(AT_FDCWD, from);
    if (tree < 0 || mknod(to, S_IFREG | 0644, 0) != 0) return -1;
    if (mount_attributes(tree, MNT_NOSUID | MNT_NOEXEC, -1) != 0 || mount_attach(tree, AT_FDCWD, to) != 0) return -1;
    close(tree);
  }
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    if (symlink(links[i][0], links[i][1]) != 0) return -1;
  }
  return 0;
}

/* This binary, for commands that need its verb `dial`. */
static int add_binary(const char *path) {
  int tree = mount_tree(AT_FDCWD, path);
  if (tree < 0 || mknod(BASE_BINARY, S_IFREG | 0755, 0) != 0) return -1;
  if (mount_attributes(tree, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, -1) != 0) return -1;
  if (mount_attach(tree, AT_FDCWD, BASE_BINARY) != 0) return -1;
  return close(tree);
}

/* Kept to be shown with one more line; a file that does not fit is shown as it is. */
static void read_passwd(void) {
  int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t length = read(fd, passwd, MAX_PASSWD - 1);
  passwd[length > 0 && length < MAX_PASSWD - 1 ? length : 0] = '\0';
  close(fd);
}

/* One for all commands without network: they have no socket call either, so there is nothing to share in it. */
static int empty_network(void) {
  int hold[2];
  if (pipe2(hold, O_CLOEXEC) != 0) return -1;
  pid_t holder = (pid_t)syscall(__NR_clone, CLONE_NEWNET | SIGCHLD, NULL, NULL, NULL, NULL);
  if (holder == 0) {
    char byte;
    close(hold[1]);
    _exit(read(hold[0], &byte, 1) < 0);
  }
  close(hold[0]);
  int fd = -1;
  if (holder > 0) {
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/ns/net", holder);
    fd = open(path, O_RDONLY | O_CLOEXEC);
  }
  close(hold[1]);
  if (holder > 0) waitpid(holder, NULL, 0);
  return fd;
}
