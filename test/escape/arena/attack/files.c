/* Attacks 1 to 5, and every other way to change a file or what is known of it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

#include "attack.h"

#define NOW NULL

static const char *below(const char *folder, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

int attack_write(char **arguments) {
  const char *file = arguments[0], *folder = arguments[1];
  tried("open for writing", open(file, O_WRONLY));
  tried("open for appending", open(file, O_WRONLY | O_APPEND));
  tried("open read and truncate", open(file, O_RDONLY | O_TRUNC));
  tried("open both ways", open(file, O_RDWR));
  tried("truncate", truncate(file, 0));
  int fd = open(file, O_RDONLY);
  tried("ftruncate", ftruncate(fd, 0));
  tried("write by a descriptor for reading", write(fd, "x", 1));
  tried("fallocate", fallocate(fd, 0, 0, 100));
  char again[64];
  snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
  tried("open again for writing by /proc", open(again, O_WRONLY));
  int named = open(file, O_PATH);
  snprintf(again, sizeof again, "/proc/self/fd/%d", named);
  tried("open an O_PATH descriptor for writing", open(again, O_WRONLY));
  tried("map shared and writable", mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0);
  tried("clone a range over it", ioctl(fd, FICLONE, fd));
  close(fd);
  tried("create", open(below(folder, "made-1"), O_WRONLY | O_CREAT, 0666));
  tried("create without a name", open(folder, O_WRONLY | O_TMPFILE, 0666));
  tried("mknod a file", mknod(below(folder, "made-2"), S_IFREG | 0666, 0));
  tried("mkfifo", mkfifo(below(folder, "made-3"), 0666));
  tried("mknod a socket", mknod(below(folder, "made-4"), S_IFSOCK | 0666, 0));
  tried("mkdir", mkdir(below(folder, "made-5"), 0777));
  tried("symlink", symlink("/etc/passwd", below(folder, "made-6")));
  tried("link within", link(file, below(folder, "made-7")));
  tried("link to tmp", link(file, "/tmp/made-8"));
  snprintf(again, sizeof again, "/proc/self/fd/%d", named);
  tried("link a descriptor to tmp", linkat(AT_FDCWD, again, AT_FDCWD, "/tmp/made-9", AT_SYMLINK_FOLLOW));
  tried("rename within", rename(file, below(folder, "made-10")));
  tried("rename to tmp", rename(file, "/tmp/made-11"));
  int mine = open("/tmp/mine", O_WRONLY | O_CREAT, 0666);
  close(mine);
  tried("rename over it", rename("/tmp/mine", file));
  tried("exchange", syscall(SYS_renameat2, AT_FDCWD, "/tmp/mine", AT_FDCWD, file, RENAME_EXCHANGE));
  tried("unlink", unlink(file));
  tried("remove its folder", rmdir(folder));
  return 0;
}

static void attributes(const char *file, int fd) {
  uint64_t raw[3] = {(uint64_t)(uintptr_t) "x", 1, 0};
  tried("setxattr", setxattr(file, "user.escape", "x", 1, 0));
  tried("lsetxattr", lsetxattr(file, "user.escape", "x", 1, 0));
  tried("fsetxattr", fsetxattr(fd, "user.escape", "x", 1, 0));
  tried("setxattrat", syscall(463, AT_FDCWD, file, 0, "user.escape", raw, sizeof raw));
  tried("removexattr", removexattr(file, "user.kept"));
  tried("lremovexattr", lremovexattr(file, "user.kept"));
  tried("fremovexattr", fremovexattr(fd, "user.kept"));
  tried("removexattrat", syscall(466, AT_FDCWD, file, 0, "user.kept"));
  uint64_t whole[4] = {0x00000040 /* nodump */, 0, 0, 0};
  tried("file_setattr", syscall(469, AT_FDCWD, file, whole, 24, 0));
  int flags = FS_NODUMP_FL;
  tried("FS_IOC_SETFLAGS", ioctl(fd, FS_IOC_SETFLAGS, &flags));
  struct fsxattr extended;
  memset(&extended, 0, sizeof extended);
  extended.fsx_xflags = FS_XFLAG_NODUMP;
  tried("FS_IOC_FSSETXATTR", ioctl(fd, FS_IOC_FSSETXATTR, &extended));
}

int attack_metadata(char **arguments) {
  const char *file = arguments[0];
  char again[64];
  int fd = open(file, O_RDONLY), named = open(file, O_PATH);
  tried("chmod", chmod(file, 0777));
  tried("fchmod", fchmod(fd, 0777));
  tried("fchmodat", fchmodat(AT_FDCWD, file, 0777, 0));
  tried("fchmodat2", syscall(452, AT_FDCWD, file, 0777, 0));
  tried("fchmodat2 by O_PATH", syscall(452, named, "", 0777, AT_EMPTY_PATH));
  snprintf(again, sizeof again, "/proc/self/fd/%d", named);
  tried("chmod by /proc", chmod(again, 0777));
  tried("chown", chown(file, getuid(), getgid()));
  tried("lchown", lchown(file, getuid(), getgid()));
  tried("fchown", fchown(fd, getuid(), getgid()));
  tried("fchownat", fchownat(named, "", getuid(), getgid(), AT_EMPTY_PATH));
  tried("utime", utime(file, NOW));
  tried("utimes", utimes(file, NOW));
  tried("utimensat", utimensat(AT_FDCWD, file, NOW, 0));
  tried("futimens", futimens(fd, NOW));
  tried("futimesat", futimesat(AT_FDCWD, file, NOW));
  attributes(file, fd);
  return 0;
}
