/* The new mount interface: trees are copied, get their attributes while invisible, and are attached last. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "confine.h"

/* Returns a detached copy of the mounts at and below `path`; refuses a link as the last name. */
int mount_tree(int at, const char *path) {
  return (int)syscall(SYS_OPEN_TREE, at, path, OPEN_TREE_CLONE_ | O_CLOEXEC | AT_RECURSIVE_ | AT_SYMLINK_NOFOLLOW);
}

int mount_attributes(int fd, uint64_t set, int userns) {
  struct mnt_attr attr = {.set = set};
  if (userns >= 0) {
    attr.set |= MNT_IDMAP;
    attr.userns = (uint64_t)userns;
  }
  return (int)syscall(SYS_MOUNT_SETATTR, fd, "", AT_EMPTY_PATH_ | AT_RECURSIVE_, &attr, sizeof attr);
}

/* An empty `path` attaches on `at` itself. */
int mount_attach(int tree, int at, const char *path) {
  unsigned flags = MOVE_FROM_EMPTY | (path[0] == '\0' ? MOVE_TO_EMPTY : 0);
  return (int)syscall(SYS_MOVE_MOUNT, tree, "", at, path, flags);
}

int mount_bind(int from, const char *path, uint64_t attributes, int at, const char *target) {
  int tree = mount_tree(from, path);
  if (tree < 0) return -1;
  int result = (attributes != 0 && mount_attributes(tree, attributes, -1) != 0) || mount_attach(tree, at, target) != 0 ? -1 : 0;
  int saved = errno;
  close(tree);
  errno = saved;
  return result;
}

/*
 * Makes a new file system that is not visible yet. `options`: pairs of name and value, ended by NULL; a flag has an empty
 * value.
 */
int mount_fresh(const char *type, const char *const *options, uint64_t attributes) {
  int context = (int)syscall(SYS_FSOPEN, type, 1 /* CLOEXEC */);
  if (context < 0) return -1;
  int mount = -1;
  bool good = true;
  for (; good && options[0] != NULL; options += 2) {
    const char *value = options[1];
    good = syscall(SYS_FSCONFIG, context, value[0] == '\0' ? FSCONFIG_FLAG : FSCONFIG_STRING, options[0], value[0] == '\0' ? NULL : value, 0) == 0;
  }
  if (good && syscall(SYS_FSCONFIG, context, FSCONFIG_CREATE, NULL, NULL, 0) == 0) {
    mount = (int)syscall(SYS_FSMOUNT, context, 1 /* CLOEXEC */, attributes);
  }
  int saved = errno;
  close(context);
  errno = saved;
  return mount;
}
