/*
 * The shared part of every fresh root: programs, /etc and devices, mounted read-only once on a tmpfs in the server's mount
 * namespace.
 * The tmpfs covers /sys, which no command needs. Over "/", the kernel would treat the server as chrooted and refuse user
 * namespaces. The tmpfs is the working directory too, so that a launched process finds its own copy of the tmpfs in its copied
 * namespace.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

#define MAX_PASSWD (64 * 1024)

static const char *const NAMES[] = {"usr", "bin", "sbin", "lib", "lib64", "lib32", "etc"};
#define NAME_COUNT ((int)(sizeof NAMES / sizeof *NAMES))
static bool is_directory[NAME_COUNT];
static char link_target[NAME_COUNT][64];
static char passwd[MAX_PASSWD];

static int add_devices(void);

int base_prepare(void) {
  static const char *const options[] = {"mode", "0755", "size", "1m", NULL};
  struct mnt_attr private = {.propagation = MS_PRIVATE};
  char binary[PATH_MAX] = "";
  /* Read before the old mount namespace may end, because the name would then start at the mount below. */
  if (readlink("/proc/self/exe", binary, sizeof binary - 1) < 0) return -1;
  if (unshare(CLONE_NEWNS) != 0) return -1;
  if (syscall(SYS_MOUNT_SETATTR, AT_FDCWD, "/", AT_RECURSIVE_, &private, sizeof private) != 0) return -1;
  int base = mount_fresh("tmpfs", options, MNT_NOSUID | MNT_NOEXEC);
  if (base < 0 || mount_attach(base, AT_FDCWD, "/sys") != 0 || fchdir(base) != 0) return -1;
  if (mkdir(BASE_ROOT, 0755) != 0 || !layers_places()) return -1;
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
      if (mkdir(NAMES[i], 0755) != 0 || mount_bind(AT_FDCWD, path, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, AT_FDCWD, NAMES[i]) != 0) return -1;
    }
  }
  if (add_devices() != 0) return -1;
  /* This binary, for commands that need its verb `dial`. */
  if (mknod(BASE_BINARY, S_IFREG | 0755, 0) != 0) return -1;
  if (mount_bind(AT_FDCWD, binary, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, AT_FDCWD, BASE_BINARY) != 0) return -1;
  struct mnt_attr read_only = {.set = MNT_RDONLY};
  if (syscall(SYS_MOUNT_SETATTR, base, "", AT_EMPTY_PATH_, &read_only, sizeof read_only) != 0) return -1;
  close(base);
  /* Read here, and later displayed with one more line. A file that does not fit is displayed unchanged. */
  if (text_read(AT_FDCWD, "/etc/passwd", passwd, MAX_PASSWD) >= MAX_PASSWD - 1) passwd[0] = '\0';
  /* One namespace for all commands without network, which also lack socket calls and therefore share nothing in it. */
  host.empty_net = namespace_make(CLONE_NEWNET, NULL, NULL);
  return 0;
}

int base_count(void) { return NAME_COUNT; }
const char *base_name(int index) { return NAMES[index]; }
/* Whether the base has a directory of that name; otherwise the host has a link of that name, or no entry. */
bool base_is_directory(int index) { return is_directory[index]; }
/* Null if the host has no link of that name. */
const char *base_link(int index) { return link_target[index][0] != '\0' ? link_target[index] : NULL; }
const char *base_passwd(void) { return passwd; }

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
    if (mknod(to, S_IFREG | 0644, 0) != 0 || mount_bind(AT_FDCWD, from, MNT_NOSUID | MNT_NOEXEC, AT_FDCWD, to) != 0) return -1;
  }
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    if (symlink(links[i][0], links[i][1]) != 0) return -1;
  }
  return 0;
}
