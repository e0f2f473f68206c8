/*
 * Finds places where this process may make control groups: version 2 if memory and processes can be limited there, otherwise
 * the hierarchies of version 1. The search tries each place, before the server's mount namespace hides /sys.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "bounds.h"

#define PATH_ROOM 1024
#define LEAF "parley-host" /* where the processes go that stood in a version 2 group that is to have children */

static char *slurp(const char *path);
static bool parse_mount(const char *line, char *root, char *point, char *type, char *options);
static bool own_path(const char *groups, const char *controller, char *out);
static bool place(const char *point, const char *root, const char *own, char *out);
static unsigned wanted(const char *options);
static bool has_word(const char *list, const char *word);
static int find_unified(const char *point, const char *root, const char *own);
static int try_unified(const char *path, bool may_move);
static bool enable(int base, const char *controller);
static bool make_room(int base);
static bool is_delegated(const char *path, const char *own);
static bool ends_with(const char *text, const char *end);

size_t cgroup_find(struct hierarchy *found) {
  char *mounts = slurp("/proc/self/mountinfo"), *groups = slurp("/proc/self/cgroup");
  char root[PATH_ROOM], point[PATH_ROOM], type[32], options[256], own[PATH_ROOM], path[PATH_ROOM];
  size_t count = 0;
  unsigned have = 0;
  /* Version 2 is tried first, because it limits a command as a whole with one group. */
  for (int version = 2; version >= 1 && mounts != NULL && groups != NULL && count == 0; version--) {
    for (char *line = mounts; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
      if (!parse_mount(line, root, point, type, options)) continue;
      if (version == 2 && strcmp(type, "cgroup2") == 0 && own_path(groups, "", own)) {
        int base = find_unified(point, root, own);
        if (base < 0) continue;
        found[count++] = (struct hierarchy){base, true, CONTROL_MEMORY | CONTROL_PIDS | (enable(base, "+cpu") ? CONTROL_CPU : 0)};
        break;
      }
      unsigned controls = version == 1 && strcmp(type, "cgroup") == 0 ? wanted(options) : 0;
      if ((controls & ~have) == 0 || count == MAX_HIERARCHIES) continue;
      const char *name = controls & CONTROL_MEMORY ? "memory" : controls & CONTROL_PIDS ? "pids" : "cpu";
      if (!own_path(groups, name, own) || !place(point, root, own, path)) continue;
      int base = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (base < 0) continue;
      found[count++] = (struct hierarchy){base, false, controls};
      have |= controls;
    }
  }
  free(mounts);
  free(groups);
  return count;
}

static char *slurp(const char *path) {
  size_t room = 1 << 18, used = 0;
  char *text = malloc(room);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  for (ssize_t got = 1; text != NULL && fd >= 0 && got > 0 && used < room - 1; used += got > 0 ? (size_t)got : 0) {
    got = read(fd, text + used, room - 1 - used);
  }
  if (fd >= 0) close(fd);
  if (text != NULL) text[used] = '\0';
  return text;
}

static bool parse_mount(const char *line, char *root, char *point, char *type, char *options) {
  const char *end = strchr(line, '\n'), *dash = strstr(line, " - ");
  if (dash == NULL || (end != NULL && dash > end)) return false;
  if (sscanf(line, "%*d %*d %*s %1023s %1023s", root, point) != 2) return false;
  return sscanf(dash, " - %31s %*s %255s", type, options) == 2;
}

/* Writes this process's path in the hierarchy of a version 1 controller, or with "" in version 2. */
static bool own_path(const char *groups, const char *controller, char *out) {
  for (const char *line = groups; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    char list[256] = "";
    const char *first = strchr(line, ':');
    const char *second = first == NULL ? NULL : strchr(first + 1, ':');
    if (second == NULL || (size_t)(second - first) >= sizeof list) continue;
    memcpy(list, first + 1, (size_t)(second - first - 1));
    if (*controller == '\0' ? list[0] != '\0' : !has_word(list, controller)) continue;
    size_t length = strcspn(second + 1, "\n");
    if (length >= PATH_ROOM) return false;
    memcpy(out, second + 1, length);
    out[length] = '\0';
    return strncmp(out, "/..", 3) != 0;
  }
  return false;
}

/* A container sees its own group as the root of the mount, while the kernel's path starts above it. */
static bool place(const char *point, const char *root, const char *own, char *out) {
  size_t skip = strcmp(root, "/") == 0 ? 0 : strlen(root);
  if (strncmp(own, root, skip) != 0) return false;
  return snprintf(out, PATH_ROOM, "%s%s", point, own + skip) < PATH_ROOM;
}

static unsigned wanted(const char *options) {
  return (has_word(options, "memory") ? CONTROL_MEMORY : 0u) | (has_word(options, "pids") ? CONTROL_PIDS : 0u) |
         (has_word(options, "cpu") ? CONTROL_CPU : 0u);
}

static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; *at != '\0'; at += strcspn(at, ", \n"), at += *at != '\0') {
    if (strcspn(at, ", \n") == length && strncmp(at, word, length) == 0) return true;
  }
  return false;
}

/*
 * Finds the group that may have children for commands. Parley's own group is tried first, then the parent, because the service
 * manager may have placed Parley in a part of a delegated group. Root in a login session without a manager uses the top group.
 */
static int find_unified(const char *point, const char *root, const char *own) {
  char path[PATH_ROOM];
  if (!place(point, root, own, path)) return -1;
  bool managed = ends_with(own, ".service") || ends_with(own, ".scope") || ends_with(own, ".slice");
  if (ends_with(path, "/" LEAF)) *strrchr(path, '/') = '\0';
  int base = try_unified(path, is_delegated(path, own));
  if (base >= 0) return base;
  if (!managed && strcmp(path, point) != 0 && strlen(path) > strlen(point)) {
    *strrchr(path, '/') = '\0';
    return try_unified(path, false);
  }
  return geteuid() == 0 && ends_with(own, ".scope") ? try_unified(point, false) : -1;
}

/* Returns -1 if memory and processes of children cannot be limited there. */
static int try_unified(const char *path, bool may_move) {
  int base = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (base < 0) return -1;
  bool enabled = enable(base, "+memory") && enable(base, "+pids");
  /* A group that contains processes cannot pass controllers to its children. */
  if (!enabled && errno == EBUSY && may_move && make_room(base)) enabled = enable(base, "+memory") && enable(base, "+pids");
  if (enabled && faccessat(base, "cgroup.procs", W_OK, 0) == 0) return base;
  close(base);
  return -1;
}

static bool enable(int base, const char *controller) { return text_write(base, "cgroup.subtree_control", controller); }

/* Moves the processes of the group into a leaf below it. */
static bool make_room(int base) {
  char line[32];
  if (mkdirat(base, LEAF, 0755) != 0 && errno != EEXIST) return false;
  int fd = openat(base, "cgroup.procs", O_RDONLY | O_CLOEXEC);
  FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
  if (list == NULL) return false;
  bool moved = true;
  while (fgets(line, sizeof line, list) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    moved = (text_write(base, LEAF "/cgroup.procs", line) || errno == ESRCH) && moved;
  }
  fclose(list);
  return moved;
}

/* Whether Parley may divide the group: the root of a container's view, or a group that the service manager marked. */
static bool is_delegated(const char *path, const char *own) {
  char value[4];
  if (strcmp(own, "/") == 0 || strcmp(own, "/" LEAF) == 0) return true;
  return getxattr(path, "user.delegate", value, sizeof value) == 1 || getxattr(path, "trusted.delegate", value, sizeof value) == 1;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}
