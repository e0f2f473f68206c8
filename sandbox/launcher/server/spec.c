/*
 * Decodes a request and checks it against its profile, without trusting the sender. Integers are little-endian. A string is its
 * length with the final zero byte, its bytes and a zero byte.
 */
#define _GNU_SOURCE
#include <string.h>

#include "parley.h"

#define MAX_WORDS 4096
#define MAX_KEEP (4u * 1024 * 1024)
#define TMP_PATH "/tmp"

struct reader {
  char *at;
  size_t left;
  bool bad;
};

static uint64_t number(struct reader *in, size_t width);
static const char *string(struct reader *in);
static char **words(struct reader *in, size_t room);
static const char *check(const struct spec *spec);
static bool clean_path(const char *path);
static bool inside(const char *path, const char *root);

bool spec_decode(struct spec *spec, enum verb verb, char *bytes, size_t length, const char **reason) {
  struct reader in = {bytes, length, false};
  memset(spec, 0, sizeof *spec);
  spec->verb = verb;
  spec->profile = (enum profile)number(&in, 1);
  spec->egress = number(&in, 1) != 0;
  uint64_t flags = number(&in, 1);
  spec->has_stdin = (flags & 1) != 0;
  spec->live = (flags & 2) != 0;
  spec->identity = (uint32_t)number(&in, 4);
  spec->timeout_ms = (uint32_t)number(&in, 4);
  spec->keep_head = (uint32_t)number(&in, 4);
  spec->keep_tail = (uint32_t)number(&in, 4);
  spec->max_bytes = number(&in, 8);
  spec->mount_count = (size_t)number(&in, 2);
  if (spec->mount_count > MAX_MOUNTS) in.bad = true;
  for (size_t i = 0; i < spec->mount_count && !in.bad; i++) {
    spec->mounts[i].write = number(&in, 1) != 0;
    spec->mounts[i].source = string(&in);
    spec->mounts[i].target = string(&in);
    spec->mounts[i].under_count = (size_t)number(&in, 1);
    if (spec->mounts[i].under_count > MAX_UNDER) in.bad = true;
    for (size_t j = 0; !in.bad && j < spec->mounts[i].under_count; j++) spec->mounts[i].under[j] = string(&in);
    spec->mounts[i].idmap = -1;
    spec->mounts[i].tree = -1;
  }
  spec->cwd = string(&in);
  spec->argv = words(&in, 0);
  spec->env = words(&in, 1);
  spec->path_mount = (uint32_t)number(&in, 2);
  spec->path = string(&in);
  spec->tmp = TMP_PATH;
  *reason = in.bad || in.left != 0 ? "malformed request" : check(spec);
  if (*reason != NULL) spec_free(spec);
  return *reason == NULL;
}

void spec_free(struct spec *spec) {
  free(spec->argv);
  free(spec->env);
  spec->argv = NULL;
  spec->env = NULL;
}

/* Null if the request obeys the rules of its profile (D25). */
static const char *check(const struct spec *spec) {
  if (spec->profile > DRAFT) return "unknown profile";
  if (spec->egress && spec->profile != UNRESTRICTED && spec->profile != FETCH) return "this profile has no network";
  if (spec->identity > MAX_IDENTITY) return "identity out of range";
  if (spec->keep_head > MAX_KEEP || spec->keep_tail > MAX_KEEP) return "more output kept than allowed";
  for (size_t i = 0; i < spec->mount_count; i++) {
    const struct mount *mount = &spec->mounts[i];
    if (!clean_path(mount->source) || !clean_path(mount->target)) return "a mount needs two plain absolute paths";
    if (inside(mount->target, "/proc") || inside(mount->target, "/dev")) return "a mount cannot cover /proc or /dev";
    for (size_t j = 0; j < mount->under_count; j++) {
      if (!clean_path(mount->under[j])) return "a layer needs a plain absolute path";
    }
    if (mount->under_count > 0 && !host.namespaces) return "there are no layers without mounts";
    if (mount->write && spec->profile == RESTRICTED) return "restricted has no writable mount";
    if (!host.namespaces && inside(mount->source, "/proc")) return "a mount cannot cover /proc";
  }
  if (spec->cwd[0] != '/') return "cwd is not absolute";
  bool runs = spec->verb == VERB_RUN || spec->verb == VERB_START;
  if (runs && spec->argv[0] == NULL) return "no command";
  bool shown = spec->verb == VERB_START && spec->live; /* the output goes to the server instead of a file */
  if (spec->verb != VERB_RUN && spec->verb != VERB_TRIAL && !shown) {
    if (spec->path_mount >= spec->mount_count) return "the path is in no mount";
    if (spec->verb == VERB_START && !spec->mounts[spec->path_mount].write) return "the output file is in a read-only mount";
    if (spec->path[0] == '\0' || spec->path[0] == '/') return "the path is not below its mount";
  }
  return NULL;
}

/* Whether the path is absolute, is not the root and needs no resolution. */
static bool clean_path(const char *path) {
  if (path[0] != '/' || path[1] == '\0') return false;
  for (const char *at = path; *at == '/';) {
    size_t length = strcspn(at + 1, "/");
    if (length == 0 || (length == 1 && at[1] == '.') || (length == 2 && at[1] == '.' && at[2] == '.')) return false;
    at += 1 + length;
  }
  return true;
}

static bool inside(const char *path, const char *root) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static uint64_t number(struct reader *in, size_t width) {
  if (in->bad || in->left < width) {
    in->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = width; i > 0; i--) value = value << 8 | (uint8_t)in->at[i - 1];
  in->at += width;
  in->left -= width;
  return value;
}

static const char *string(struct reader *in) {
  size_t length = (size_t)number(in, 4);
  if (in->bad || length == 0 || length > in->left || strnlen(in->at, length) != length - 1) {
    in->bad = true;
    return "";
  }
  const char *text = in->at;
  in->at += length;
  in->left -= length;
  return text;
}

/* Reads a null-terminated vector with `room` free places before its end. */
static char **words(struct reader *in, size_t room) {
  size_t count = (size_t)number(in, 2);
  if (in->bad || count > MAX_WORDS) {
    in->bad = true;
    return NULL;
  }
  char **list = calloc(count + room + 1, sizeof *list);
  if (list == NULL) {
    in->bad = true;
    return NULL;
  }
  for (size_t i = 0; i < count && !in->bad; i++) list[i] = (char *)string(in);
  return list;
}
