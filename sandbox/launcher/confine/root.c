/*
 * Builds a fresh root for one command: the shared base, a private /proc and /tmp, and the policy's mounts at their targets.
 * Runs with the server's rights in the command's new mount namespace, before the uid drops, so that a data directory below a
 * 0700 home can be mounted (D26). Afterwards the host's tree is unmounted in this namespace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "relay.h"

static void close_root(int root);
static void check_root(void);
static int make_root(const struct spec *spec);
static void add_base(int root);
static void share(int root, const char *name);
static void add_proc(int root);
static void add_tmp(int root);
static bool has_passwd(void);
static void add_passwd(int root);
static void add_name(int root, const struct spec *spec, uid_t uid);
static void add_resolver(int root);
static void add_dialler(int root);
static void attach(int tree, int root, const char *target);
static int place(int root, const char *target, bool directory);

void root_build(struct spec *spec, uid_t uid) {
  /* Sources are host paths, so they are opened before the new root covers them. */
  for (size_t i = 0; i < spec->mount_count; i++) {
    const char *fault = root_source(&spec->mounts[i], uid);
    if (fault != NULL) refuse(fault, spec->mounts[i].source);
  }
  root_end(root_begin(spec), spec, uid);
}

int root_begin(const struct spec *spec) {
  int root = make_root(spec);
  add_base(root);
  add_proc(root);
  add_tmp(root);
  add_passwd(root);
  if (relay_wanted(spec)) add_dialler(root);
  else if (spec->egress) add_resolver(root);
  if (fchdir(root) != 0 || syscall(__NR_pivot_root, ".", ".") != 0) refuse("pivot_root", NULL);
  if (umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) refuse("unmount", "the host's root");
  check_root();
  return root;
}

void root_end(int root, struct spec *spec, uid_t uid) {
  add_name(root, spec, uid);
  for (size_t i = 0; i < spec->mount_count; i++) attach(spec->mounts[i].tree, root, spec->mounts[i].target);
  close_root(root);
  check_root();
}

static void close_root(int root) {
  struct mnt_attr read_only = {.set = MNT_RDONLY};
  if (syscall(SYS_MOUNT_SETATTR, root, "", AT_EMPTY_PATH_, &read_only, sizeof read_only) != 0) refuse("mount", "/");
}

/* A mount above the new root would be visible one step up. */
static void check_root(void) {
  struct stat here, above;
  if (stat("/", &here) != 0 || stat("/..", &above) != 0) refuse("stat", "/");
  if (here.st_dev != above.st_dev || here.st_ino != above.st_ino) refuse_plain("the host's root is still mounted");
}

void root_prepare(struct mount *mount, uid_t uid) {
  mount->idmap = idmap_for(mount->source, uid);
  if (mount->under_count > 0) layers_keep(mount, uid);
}

/*
 * If the source and the command have different owners, each appears as the owner of the files in an id-mapped mount. On a file
 * system without such mounts, file modes decide about reading. Writing is refused, never enabled by a chown.
 */
const char *root_source(struct mount *mount, uid_t uid) {
  uint64_t flags = MNT_NOSUID | MNT_NODEV | (mount->write ? 0 : MNT_RDONLY);
  if (mount->under_count > 0) {
    mount->tree = layers_tree(mount, uid);
    return mount->tree >= 0 && mount_attributes(mount->tree, flags, -1) == 0 ? NULL : "no layers here:";
  }
  mount->tree = mount_tree(AT_FDCWD, mount->source);
  struct stat st;
  if (mount->tree < 0 || fstat(mount->tree, &st) != 0) return "mount";
  if (S_ISLNK(st.st_mode)) {
    errno = ELOOP;
    return "a mount's source is a symbolic link:";
  }
  if (mount->idmap >= 0 && mount_attributes(mount->tree, flags, mount->idmap) == 0) return NULL;
  if (mount->write && host.root && st.st_uid != uid) return "the file system has no id-mapped mounts and its owner is not the sandbox's user";
  return mount_attributes(mount->tree, flags, -1) == 0 ? NULL : "mount attributes";
}

static int make_root(const struct spec *spec) {
  const char *size = is_held(spec->profile) ? "256m" : "1g";
  const char *const options[] = {"mode", "0755", "size", size, "nr_inodes", "200000", NULL};
  /* Without access times: an update is a write, and a concurrent write would prevent closing the root. */
  int root = mount_fresh("tmpfs", options, MNT_NOSUID | MNT_NODEV | MNT_NOATIME);
  if (root < 0 || mount_attach(root, AT_FDCWD, BASE_ROOT) != 0) refuse("mount", "a fresh root");
  return root;
}

static void add_base(int root) {
  for (int i = 0; i < base_count(); i++) {
    if (base_is_directory(i)) {
      share(root, base_name(i));
    } else if (base_link(i) != NULL && symlinkat(base_link(i), root, base_name(i)) != 0) {
      refuse("symlink", base_name(i));
    }
  }
  share(root, "dev");
}

static void share(int root, const char *name) {
  if (mkdirat(root, name, 0755) != 0 || mount_bind(AT_FDCWD, name, 0, root, name) != 0) refuse("mount", name);
}

/* If the kernel allows no fresh /proc (some containers), the command has no /proc, never the host's. */
static void add_proc(int root) {
  if (mkdirat(root, "proc", 0555) != 0) refuse("mkdir", "/proc");
  if (!host.proc) return;
  static const char *const options[] = {NULL};
  int proc = mount_fresh("proc", options, MNT_RDONLY | MNT_NOSUID | MNT_NODEV | MNT_NOEXEC);
  if (proc < 0 || mount_attach(proc, root, "proc") != 0) refuse("mount", "/proc");
  close(proc);
}

/* The command's only private writable place, limited by the size of the root's tmpfs and removed with the command. */
static void add_tmp(int root) {
  if (mkdirat(root, "tmp", 0777) != 0 || fchmodat(root, "tmp", 01777, 0) != 0) refuse("mkdir", "/tmp");
  if (mount_bind(root, "tmp", 0, root, "tmp") != 0) refuse("mount", "/tmp");
}

static bool has_passwd(void) { return host.root && base_passwd()[0] != '\0'; }

/*
 * An empty file that later contains the user names. The file is closed here, because an open descriptor would prevent closing
 * the root.
 */
static void add_passwd(int root) {
  if (!has_passwd()) return;
  if (mkdirat(root, "run", 0755) != 0) refuse("mkdir", "/run");
  int file = openat(root, "run/passwd", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) refuse("create", "/etc/passwd");
  close(file);
  int tree = mount_tree(root, "run/passwd");
  if (tree < 0 || mount_attributes(tree, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, -1) != 0) refuse("mount", "/etc/passwd");
  attach(tree, root, "/etc/passwd");
}

/* Adds a name for a uid that the host does not know, so that whoami, git and ssh work. */
static void add_name(int root, const struct spec *spec, uid_t uid) {
  if (!has_passwd()) return;
  int passwd = openat(root, "run/passwd", O_WRONLY | O_CLOEXEC);
  const char *home = "/tmp";
  for (char **env = spec->env; *env != NULL; env++) {
    if (strncmp(*env, "HOME=/", 6) == 0 && strpbrk(*env, ":\n") == NULL) home = *env + 5;
  }
  if (passwd < 0 || dprintf(passwd, "%sparley:x:%u:%u:Parley:%s:/bin/bash\n", base_passwd(), uid, uid, home) < 0) refuse("write", "/etc/passwd");
  close(passwd);
}

/* /etc/resolv.conf is often a link into /run, which commands lack. */
static void add_resolver(int root) {
  char path[PATH_MAX];
  if (realpath("/etc/resolv.conf", path) == NULL || strncmp(path, "/run/", 5) != 0) return;
  int tree = mount_tree(AT_FDCWD, path);
  if (tree < 0 || mount_attributes(tree, MNT_RDONLY | MNT_NOSUID | MNT_NODEV, -1) != 0) refuse("mount", path);
  attach(tree, root, path);
}

static void add_dialler(int root) {
  int tree = mount_tree(AT_FDCWD, BASE_BINARY);
  if (tree < 0) refuse("mount", RELAY_BINARY);
  attach(tree, root, RELAY_BINARY);
}

static void attach(int tree, int root, const char *target) {
  struct stat st;
  if (fstat(tree, &st) != 0) refuse("stat", target);
  int at = place(root, target, S_ISDIR(st.st_mode));
  if (mount_attach(tree, at, "") != 0) refuse("mount", target);
  close(at);
  close(tree);
}

/*
 * Opens the mount point and creates missing parts. Every name is walked without following links, and only the root's own tmpfs
 * gets new entries. No foreign tree is therefore changed, or reached through a link.
 */
static int place(int root, const char *target, bool directory) {
  struct stat own, st;
  if (fstat(root, &own) != 0) refuse("stat", "/");
  int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
  const char *name = target + 1;
  while (at >= 0 && *name != '\0') {
    char part[NAME_MAX + 1];
    size_t length = strcspn(name, "/");
    if (length > NAME_MAX) refuse_plain("a mount's target has too long a name");
    memcpy(part, name, length);
    part[length] = '\0';
    name += length + (name[length] == '/');
    bool last = *name == '\0';
    if (fstat(at, &st) != 0) refuse("stat", target);
    if (st.st_dev == own.st_dev) {
      int made = last && !directory ? mknodat(at, part, S_IFREG | 0644, 0) : mkdirat(at, part, 0755);
      if (made != 0 && errno != EEXIST) refuse("make mount point", target);
    }
    int next = openat(at, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0 || fstat(next, &st) != 0) refuse("mount point", target);
    if (S_ISLNK(st.st_mode)) refuse("mount point is a symbolic link", target);
    close(at);
    at = next;
  }
  return at;
}
