/*
 * Writable mounts over other directories without copying them: changes go to a separate layer (overlayfs). Joining layers takes
 * half as long as a command, so the server joins them once and keeps the newest joins mounted in its namespace. Each command
 * gets a copy of that mount. A layer over a draft serves one command only.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

#define KEPT 16
#define LAYERS (MAX_UNDER + 1)

/* The layers, the path of the uppermost layer and its last use; unused if the path is null. */
struct layers {
  char *path;
  size_t count;
  struct stat of[LAYERS];
  uid_t uid;
  uint64_t used;
};
static struct layers kept[KEPT];
static uint64_t uses;

static bool look(struct layers *layers, const struct mount *mount, uid_t uid);
static bool is_same(const struct layers *one, const struct layers *other);
static bool is_one(const struct stat *one, const struct stat *other);
static void let_go(size_t at);
static int make(const struct mount *mount, const struct layers *layers);
static bool lay(const struct mount *mount, size_t layer, const struct layers *layers);
static int join(const struct mount *mount);
static const char *layer_of(const struct mount *mount, size_t layer) { return layer == 0 ? mount->source : mount->under[layer - 1]; }
static const char *place(char *name, const char *kind, size_t number) {
  sprintf(name, "%s%zu", kind, number);
  return name;
}

bool layers_places(void) {
  char name[16];
  for (size_t i = 0; i < KEPT; i++) {
    if (mkdir(place(name, "joined", i), 0755) != 0) return false;
  }
  for (size_t i = 0; i < LAYERS; i++) {
    if (mkdir(place(name, "layer", i), 0755) != 0) return false;
  }
  return true;
}

/* Unmounts removed layers, which would otherwise still occupy the disk. */
void layers_sweep(void) {
  struct stat st;
  for (size_t i = 0; i < KEPT; i++) {
    if (kept[i].path != NULL && (lstat(kept[i].path, &st) != 0 || !is_one(&st, &kept[i].of[0]))) let_go(i);
  }
}

bool layers_apart(const struct spec *spec) {
  for (size_t i = 0; i < spec->mount_count; i++) {
    if (spec->mounts[i].under_count > 1) return true;
  }
  return false;
}

void layers_keep(struct mount *mount, uid_t uid) {
  struct layers wanted;
  size_t at = 0;
  char name[16];
  mount->joined = -1;
  if (mount->under_count != 1 || !look(&wanted, mount, uid)) return;
  for (size_t i = 0; i < KEPT; i++) {
    if (kept[i].path != NULL && is_same(&kept[i], &wanted)) {
      kept[i].used = wanted.used;
      mount->joined = (int)i;
      return;
    }
    /* Two joins must never write through the same layer. */
    if (kept[i].path != NULL && is_one(&kept[i].of[0], &wanted.of[0])) let_go(i);
    if (kept[i].used < kept[at].used) at = i;
  }
  let_go(at);
  int tree = make(mount, &wanted);
  if (tree >= 0 && mount_attach(tree, AT_FDCWD, place(name, "joined", at)) == 0 && (wanted.path = strdup(mount->source)) != NULL) {
    kept[at] = wanted;
    mount->joined = (int)at;
  }
  if (tree >= 0) close(tree);
}

int layers_tree(const struct mount *mount, uid_t uid) {
  char name[16];
  struct layers wanted;
  if (mount->joined >= 0) return mount_tree(AT_FDCWD, place(name, "joined", (size_t)mount->joined));
  errno = EOPNOTSUPP;
  return mount->under_count > 1 && look(&wanted, mount, uid) ? make(mount, &wanted) : -1;
}

static bool look(struct layers *layers, const struct mount *mount, uid_t uid) {
  *layers = (struct layers){.count = mount->under_count + 1, .uid = uid, .used = ++uses};
  for (size_t i = 0; i < layers->count; i++) {
    if (lstat(layer_of(mount, i), &layers->of[i]) != 0 || !S_ISDIR(layers->of[i].st_mode)) return false;
  }
  return true;
}

static bool is_same(const struct layers *one, const struct layers *other) {
  bool same = one->count == other->count && one->uid == other->uid;
  for (size_t i = 0; same && i < one->count; i++) same = is_one(&one->of[i], &other->of[i]);
  return same;
}

/* The ctime is compared too, because an inode number can be reused, though not at the same time. */
static bool is_one(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_ctim.tv_sec == other->st_ctim.tv_sec && one->st_ctim.tv_nsec == other->st_ctim.tv_nsec;
}

static void let_go(size_t at) {
  char name[16];
  if (kept[at].path != NULL) umount2(place(name, "joined", at), MNT_DETACH);
  free(kept[at].path);
  kept[at] = (struct layers){0};
}

static int make(const struct mount *mount, const struct layers *layers) {
  size_t laid = 0;
  char name[16];
  while (laid < layers->count && lay(mount, laid, layers)) laid++;
  int tree = laid == layers->count ? join(mount) : -1;
  int saved = errno;
  while (laid > 0) umount2(place(name, "layer", --laid), MNT_DETACH);
  errno = saved;
  return tree;
}

/*
 * Attaches a layer at a place in the base, because the host's path may contain separators of overlayfs options. Each layer
 * shows its owner as the command's user.
 */
static bool lay(const struct mount *mount, size_t layer, const struct layers *layers) {
  char name[16];
  uid_t owner = layers->of[layer].st_uid;
  /* Without an id-mapped mount, a layer of another owner must be neither written nor made readable. */
  errno = EPERM;
  if (owner != layers->of[0].st_uid || (mount->idmap < 0 && host.root && owner != layers->uid)) return false;
  int tree = mount_tree(AT_FDCWD, layer_of(mount, layer));
  bool good = tree >= 0 && mount_attributes(tree, layer == 0 ? 0 : MNT_RDONLY, mount->idmap) == 0 && mount_attach(tree, AT_FDCWD, place(name, "layer", layer)) == 0;
  if (tree >= 0) close(tree);
  return good;
}

/*
 * The rename of a lower directory is stored in an attribute that only root can set; without root such a rename fails, as
 * between file systems. Without `volatile`, unmounting would sync the whole file system. The kernel's mark of `volatile`
 * prevents the next mount, so the mark is removed first.
 */
static int join(const struct mount *mount) {
  const char *lower = mount->under_count == 1 ? "layer1" : "layer1:layer2";
  const char *const options[] = {
      "source",   "draft",    "lowerdir", lower,         "upperdir", "layer0/upper", "workdir", "layer0/work", "index", "off", "metacopy", "off",
      "volatile", MOUNT_FLAG, host.userns ? "userxattr" : "redirect_dir", host.userns ? MOUNT_FLAG : "on", NULL,
  };
  static const char *const closed[] = {"layer0/work/work", "layer0/work/work/incompat", "layer0/work/work/incompat/volatile", "layer0/work/work/incompat/volatile/dirty"};
  unlinkat(AT_FDCWD, "layer0/work/work/incompat/volatile/dirty", 0);
  unlinkat(AT_FDCWD, "layer0/work/work/incompat/volatile", AT_REMOVEDIR);
  int tree = mount_fresh("overlay", options, MNT_NOSUID | MNT_NODEV);
  /* A backup can then read these directories. */
  for (size_t i = 0; tree >= 0 && i < sizeof closed / sizeof *closed; i++) chmod(closed[i], 0700);
  return tree;
}
