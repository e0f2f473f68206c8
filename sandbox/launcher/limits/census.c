/*
 * Counts the resources of a command's processes from /proc, if no control group counts them. Shared pages count once (PSS), and
 * unmapped memory is counted by descriptors. Epoll entries have one limit per user on the whole machine; exceeding it would
 * affect the host too.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "family.h"
#include "watch.h"

#define MAX_TREE 4096
#define OBJECTS 16384 /* a power of two, and more than are ever counted */
#define KIB 1024ull
#define PIPE_ROOM (8 * KIB)      /* buffer of a pipe if its user has many */
#define SOCKET_ROOM (208 * KIB)  /* the kernel's standard buffer */
#define MAX_READ (8 * 1024 * KIB) /* limit for reading places where a command may hide resources */
#define HIDDEN_ROOM (65536 * KIB) /* charge for a program that hides its descriptors from its own user */

static size_t collect(pid_t root, pid_t *tree, struct census *census, const struct census *enough);
static void count_session(int session, struct census *census);
static bool all_live(const pid_t *tree, size_t count);
static bool read_memory(pid_t pid, uint64_t *resident);
static uint64_t tables_of(pid_t pid);
static uint64_t share_of(pid_t pid);
static uint64_t descriptors_of(pid_t pid, struct census *census, const struct census *enough);
static size_t watches_of(pid_t pid, const char *descriptor);
static bool is_under_way(pid_t pid, size_t *budget);
static bool maps_shared(pid_t pid, size_t *budget);
static bool too_many(const struct census *census, const struct census *enough);
static bool finds(int file, const char *const *words, size_t *budget);
static bool is_new(uint64_t inode);
static uint64_t kilobytes(const char *text, const char *name);

/* Inodes of pipes, sockets and memory files that were already counted; 0 marks a free place. */
static uint64_t seen[OBJECTS];
static size_t seen_count;

struct census census_take(pid_t root, const struct census *enough) {
  static pid_t tree[MAX_TREE];
  struct census census = {0};
  size_t count = collect(root, tree, &census, enough);
  if (too_many(&census, enough)) return census;
  uint64_t resident = 0, objects = 0;
  if (seen_count > 0) memset(seen, 0, sizeof seen);
  seen_count = 0;
  size_t all = count;
  count = 0;
  for (size_t i = 0; i < all; i++) {
    uint64_t held = 0;
    if (!read_memory(tree[i], &held)) continue; /* exiting, and its descriptors are no longer listed */
    resident += held;
    objects += descriptors_of(tree[i], &census, enough);
    if (too_many(&census, enough)) return census;
    tree[count++] = tree[i];
  }
  census.memory = resident + objects;
  census.exact = enough->exact || census.memory > enough->memory; /* an upper bound, because libraries count in every process */
  if (!census.exact) return census;
  census.memory = objects;
  for (size_t i = 0; i < count; i++) census.memory += tables_of(tree[i]);
  /* If the tables alone exceed the limit, they are not walked any more. */
  for (size_t i = 0; i < count && census.memory <= enough->memory; i++) census.memory += share_of(tree[i]);
  census.whole = all_live(tree, count);
  return census;
}

bool census_hides(pid_t root, bool mapped) {
  static pid_t tree[MAX_TREE];
  const struct census all = {.tasks = SIZE_MAX, .sessions = SIZE_MAX};
  struct census census = {0};
  size_t count = collect(root, tree, &census, &all), budget = MAX_READ;
  for (size_t i = 0; i < count; i++) {
    if (is_under_way(tree[i], &budget) || (mapped && maps_shared(tree[i], &budget))) return true;
  }
  return budget == 0; /* a command that causes so much reading is charged for it */
}

static bool too_many(const struct census *census, const struct census *enough) {
  return census->tasks > enough->tasks || census->sessions > enough->sessions || census->files > enough->files || census->watches > enough->watches;
}

static bool all_live(const pid_t *tree, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t held;
    if (!read_memory(tree[i], &held)) return false;
  }
  return true;
}

/*
 * Collects the descendants of `root`, which is their subreaper or the init of their pid namespace. A command with too many
 * descendants would use up the server's processor time, so counting ends at the limit.
 */
static size_t collect(pid_t root, pid_t *tree, struct census *census, const struct census *enough) {
  size_t found = family_children(root, 1, tree, MAX_TREE), count = 0;
  for (size_t i = 0; i < found && census->tasks <= enough->tasks && census->sessions <= enough->sessions; i++) {
    struct member member = {.state = 'Z', .threads = 1};
    family_look(tree[i], &member);
    census->tasks += member.threads;
    if (member.state != 'Z' || member.threads > 1) count_session(member.session, census);
    found += family_children(tree[i], member.threads, tree + found, MAX_TREE - found);
    /* Dead processes use only their number, unless only their first thread is dead. */
    pid_t live = member.state != 'Z' ? tree[i] : member.threads > 1 ? family_survivor(tree[i]) : 0;
    if (live != 0) tree[count++] = live;
  }
  return count;
}

static void count_session(int session, struct census *census) {
  static int seen_sessions[SESSIONS_COUNTED];
  for (size_t i = 0; i < census->sessions; i++) {
    if (seen_sessions[i] == session) return;
  }
  if (census->sessions < SESSIONS_COUNTED) seen_sessions[census->sessions++] = session;
}

/* Reads the process's resident memory. False if the process has released all memory, which happens some time before its end. */
static bool read_memory(pid_t pid, uint64_t *resident) {
  char text[128];
  unsigned long long size = 0, pages = 0;
  if (family_read(pid, "statm", text, sizeof text) <= 0 || sscanf(text, "%llu %llu", &size, &pages) != 2) return false;
  *resident = pages * (uint64_t)sysconf(_SC_PAGESIZE);
  return size > 0;
}

static uint64_t tables_of(pid_t pid) {
  char status[4096];
  return family_read(pid, "status", status, sizeof status) > 0 ? kilobytes(status, "VmPTE:") * KIB : 0;
}

/* Returns the process's share of memory that the kernel cannot drop. */
static uint64_t share_of(pid_t pid) {
  char text[4096];
  if (family_read(pid, "smaps_rollup", text, sizeof text) > 0) return (kilobytes(text, "Pss_Anon:") + kilobytes(text, "Pss_Shmem:")) * KIB;
  if (family_read(pid, "status", text, sizeof text) <= 0) return 0;
  return (kilobytes(text, "RssAnon:") + kilobytes(text, "RssShmem:")) * KIB;
}

static uint64_t descriptors_of(pid_t pid, struct census *census, const struct census *enough) {
  char path[32], link[64];
  uint64_t total = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *directory = opendir(path);
  uint64_t held;
  if (directory == NULL) return read_memory(pid, &held) ? HIDDEN_ROOM : 0; /* otherwise the process has just ended */
  for (struct dirent *entry; !too_many(census, enough) && (entry = readdir(directory)) != NULL;) {
    ssize_t length = readlinkat(dirfd(directory), entry->d_name, link, sizeof link - 1);
    census->files += entry->d_name[0] != '.';
    if (length <= 0) continue;
    link[length] = '\0';
    if (strcmp(link, "anon_inode:[eventpoll]") == 0) census->watches += watches_of(pid, entry->d_name);
    bool memory = strncmp(link, "/memfd:", 7) == 0;
    uint64_t room = memory ? 0 : strncmp(link, "pipe:", 5) == 0 ? PIPE_ROOM : strncmp(link, "socket:", 7) == 0 ? SOCKET_ROOM : 0;
    struct stat st;
    if ((room == 0 && !memory) || fstatat(dirfd(directory), entry->d_name, &st, 0) != 0) continue;
    if (is_new(st.st_ino)) total += memory ? (uint64_t)st.st_blocks * 512 : room;
  }
  closedir(directory);
  return total;
}

/* The kernel builds the whole list for one read, so no further epoll is read once too many entries were found. */
static size_t watches_of(pid_t pid, const char *descriptor) {
  char path[64], text[16384], last = '\0';
  size_t watches = 0;
  ssize_t length;
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", pid, descriptor);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0; /* the descriptor was just closed */
  while ((length = read(fd, text, sizeof text)) > 0) {
    for (ssize_t i = 0; i < length; last = text[i++]) watches += last == '\n' && text[i] == 't'; /* "tfd:" */
  }
  bool gone = length < 0 && (errno == ENOENT || errno == ESRCH); /* the descriptor or its process has ended since */
  close(fd);
  return length < 0 && !gone ? SIZE_MAX / 2 : watches;
}

/* Whether descriptors are in transit to one of the process's sockets, or its descriptors are not readable. */
static bool is_under_way(pid_t pid, size_t *budget) {
  static const char *const UNDER_WAY[] = {"scm_fds: 1", "scm_fds: 2", "scm_fds: 3", "scm_fds: 4", "scm_fds: 5", "scm_fds: 6", "scm_fds: 7", "scm_fds: 8", "scm_fds: 9", NULL};
  char path[32], link[64];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *directory = opendir(path);
  uint64_t held;
  if (directory == NULL) return read_memory(pid, &held);
  for (struct dirent *entry; !found && (entry = readdir(directory)) != NULL;) {
    ssize_t length = readlinkat(dirfd(directory), entry->d_name, link, sizeof link);
    if (length < 0 && errno == EACCES) found = read_memory(pid, &held);
    if (length < 7 || strncmp(link, "socket:", 7) != 0) continue;
    char file[40];
    snprintf(file, sizeof file, "../fdinfo/%.20s", entry->d_name);
    found = finds(openat(dirfd(directory), file, O_RDONLY | O_CLOEXEC), UNDER_WAY, budget);
  }
  closedir(directory);
  return found;
}

static bool maps_shared(pid_t pid, size_t *budget) {
  static const char *const SHARED[] = {" /memfd:", " /dev/zero", " /SYSV", NULL};
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  return finds(open(path, O_RDONLY | O_CLOEXEC), SHARED, budget);
}

/* Searches a file for words and closes it. /proc returns whole lines, so no word is split. */
static bool finds(int file, const char *const *words, size_t *budget) {
  static char text[65536];
  bool found = false;
  ssize_t length;
  while (file >= 0 && !found && *budget > 0 && (length = read(file, text, sizeof text - 1)) > 0) {
    text[length] = '\0';
    *budget -= (size_t)length < *budget ? (size_t)length : *budget;
    for (size_t i = 0; !found && words[i] != NULL; i++) found = strstr(text, words[i]) != NULL;
  }
  if (file >= 0) close(file);
  return found;
}

/* Once three quarters of the places are used, every inode counts as new: the count is rather too high than too low. */
static bool is_new(uint64_t inode) {
  if (seen_count >= OBJECTS / 4 * 3) return true;
  size_t place = (size_t)(inode * 0x9E3779B97F4A7C15ull >> 32) & (OBJECTS - 1);
  while (seen[place] != 0 && seen[place] != inode) place = (place + 1) & (OBJECTS - 1);
  if (seen[place] == inode) return false;
  seen[place] = inode;
  seen_count++;
  return true;
}

static uint64_t kilobytes(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at == NULL ? 0 : strtoull(at + strlen(name), NULL, 10);
}
