/*
 * Reads and writes files for the host in a process that is confined like a command, so the host never follows a name that a
 * command could have planted. The kernel resolves every path below its mount.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

#define MAX_LINKS 16
#define BUFFER 65536

static int open_mount(const struct spec *spec);
static int open_below(int root, const char *path, uint64_t flags, uint64_t mode);
static int parent_of(int root, char *path, char *name, int links);
static int make_parents(int root, const char *path);
static void copy_input(int file, uint64_t expected);
static _Noreturn void report(int error, const char *text);
static _Noreturn void report_errno(const char *stage);

void file_get(const struct spec *spec) {
  int root = open_mount(spec);
  /* O_NONBLOCK: a FIFO must not block this process until its other end opens. */
  int file = open_below(root, spec->path, O_RDONLY | O_NONBLOCK, 0);
  struct stat st;
  if (file < 0 || fstat(file, &st) != 0) report_errno("open");
  if (!S_ISREG(st.st_mode)) report(FILE_NOT_A_FILE, "not a regular file");
  if ((uint64_t)st.st_size > spec->max_bytes) report(FILE_TOO_LARGE, "larger than allowed");
  uint64_t left = spec->max_bytes;
  for (;;) {
    static char bytes[BUFFER];
    ssize_t count = read(file, bytes, sizeof bytes);
    if (count < 0) report_errno("read");
    if (count == 0) break;
    if ((uint64_t)count > left) report(FILE_TOO_LARGE, "larger than allowed"); /* the file has grown since */
    left -= (uint64_t)count;
    for (ssize_t done = 0; done < count;) {
      ssize_t wrote = write(1, bytes + done, (size_t)(count - done));
      if (wrote < 0) _exit(125);
      done += wrote;
    }
  }
  tell(TELL_FILE, FILE_OK, st.st_mode & 0777, "");
  _exit(0);
}

/* Writes a temporary file next to the target, syncs and renames it. Readers see the old or the new content, never a part. */
void file_put(const struct spec *spec) {
  int root = open_mount(spec);
  char path[PATH_MAX], name[NAME_MAX + 1], temporary[64];
  if (snprintf(path, sizeof path, "%s", spec->path) >= (int)sizeof path) report(FILE_FAILED, "path too long");
  if (make_parents(root, path) != 0) report_errno("make directory");
  int directory = parent_of(root, path, name, 0);
  if (directory < 0) report_errno("open");
  struct stat old;
  mode_t mode = 0644;
  if (fstatat(directory, name, &old, AT_SYMLINK_NOFOLLOW) == 0) {
    if (!S_ISREG(old.st_mode)) report(FILE_NOT_A_FILE, "not a regular file");
    mode = old.st_mode & 0777;
  }
  uint64_t random;
  if (getrandom(&random, sizeof random, 0) != sizeof random) report_errno("random");
  snprintf(temporary, sizeof temporary, ".parley-%016llx.tmp", (unsigned long long)random);
  int file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) report_errno("create");
  copy_input(file, spec->max_bytes);
  int error = errno;
  if (error == 0 && (fchmod(file, mode) != 0 || fsync(file) != 0 || renameat(directory, temporary, directory, name) != 0)) error = errno;
  if (error != 0) {
    unlinkat(directory, temporary, 0);
    errno = error;
    report_errno("write");
  }
  fsync(directory);
  tell(TELL_FILE, FILE_OK, mode, "");
  _exit(0);
}

/* The file for a background command's output is new and empty, never a link. */
int file_output(const struct spec *spec) {
  int root = open_mount(spec);
  int file = open_below(root, spec->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0644);
  struct stat st;
  if (file < 0 || fstat(file, &st) != 0) refuse("output file", spec->path);
  if (!S_ISREG(st.st_mode)) refuse_plain("output file is not a regular file");
  close(root);
  return file;
}

static int open_mount(const struct spec *spec) {
  const struct mount *mount = &spec->mounts[spec->path_mount];
  int root = open(host.namespaces ? mount->target : mount->source, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) refuse("open", mount->target);
  return root;
}

static int open_below(int root, const char *path, uint64_t flags, uint64_t mode) {
  struct open_how_ how = {.flags = flags | O_CLOEXEC, .mode = mode, .resolve = RESOLVE_BENEATH_ | RESOLVE_NO_MAGICLINKS_};
  return (int)syscall(SYS_OPENAT2, root, path, &how, sizeof how);
}

/*
 * Opens the directory that contains the last name of `path`. A link as the last name is followed while it remains below `root`,
 * so that a write through a link changes the link's target. `path` is overwritten.
 */
static int parent_of(int root, char *path, char *name, int links) {
  char *slash = strrchr(path, '/');
  if (strlen(slash == NULL ? path : slash + 1) > NAME_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(name, slash == NULL ? path : slash + 1);
  if (slash != NULL) *slash = '\0';
  const char *above = slash == NULL ? "." : path;
  int directory = open_below(root, above, O_PATH | O_DIRECTORY, 0);
  if (directory < 0) return -1;
  char link[PATH_MAX];
  ssize_t length = readlinkat(directory, name, link, sizeof link - 1);
  if (length < 0) return directory;
  close(directory);
  link[length] = '\0';
  char next[PATH_MAX * 2 + 2];
  if (link[0] == '/' || links >= MAX_LINKS) {
    errno = link[0] == '/' ? EXDEV : ELOOP;
    return -1;
  }
  snprintf(next, sizeof next, "%s/%s", above, link);
  return parent_of(root, next, name, links + 1);
}

static int make_parents(int root, const char *path) {
  for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    char above[PATH_MAX], name[NAME_MAX + 1];
    snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
    int there = open_below(root, above, O_PATH | O_DIRECTORY, 0);
    if (there >= 0) {
      close(there);
      continue;
    }
    if (errno != ENOENT) return -1;
    int directory = parent_of(root, above, name, 0);
    if (directory < 0) return -1;
    int made = mkdirat(directory, name, 0755);
    int error = errno;
    close(directory);
    if (made != 0 && error != EEXIST) {
      errno = error;
      return -1;
    }
  }
  return 0;
}

/* Sets errno to 0 once all expected bytes have arrived; a dead sender must not leave half a file under the name. */
static void copy_input(int file, uint64_t expected) {
  static char bytes[BUFFER];
  while (expected > 0) {
    ssize_t count = read(0, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || (uint64_t)count > expected) {
      errno = EPIPE;
      return;
    }
    expected -= (uint64_t)count;
    for (ssize_t done = 0; done < count;) {
      ssize_t wrote = write(file, bytes + done, (size_t)(count - done));
      if (wrote < 0) return;
      done += wrote;
    }
  }
  errno = 0;
}

static _Noreturn void report(int error, const char *text) {
  tell(TELL_FILE, error, 0, text);
  _exit(0);
}

static _Noreturn void report_errno(const char *stage) {
  int error = errno;
  char text[120];
  snprintf(text, sizeof text, "%s: %s", stage, strerror(error));
  switch (error) {
    case ENOENT:
      report(FILE_NOT_FOUND, text);
    case EXDEV:
    case ELOOP:
      report(FILE_OUTSIDE, text);
    case ENOTDIR:
    case EISDIR:
    case ENXIO:
      report(FILE_NOT_A_FILE, text);
    case EACCES:
    case EPERM:
    case EROFS:
      report(FILE_DENIED, text);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      report(FILE_NO_SPACE, text);
    default:
      report(FILE_FAILED, text);
  }
}
