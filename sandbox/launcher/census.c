/*
 * What a command's processes hold together, counted from /proc where no control group counts it. Pages that several
 * processes share count once (PSS); what no process has mapped is counted by its descriptors.
 */
#define _GNU_SOURCE
#include <dirent.h>
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
#define PIPE_ROOM (8 * KIB)      /* what a pipe holds once its user has many */
#define SOCKET_ROOM (208 * KIB)  /* the kernel's standard buffer */
#define HIDDEN_ROOM (65536 * KIB) /* a program that hides what it has open from its own user */

static size_t collect(pid_t root, pid_t *tree, struct census *census, const struct census *enough);
static void count_session(int session, struct census *census);
static bool all_live(const pid_t *tree, size_t count);
static uint64_t resident_of(pid_t pid);
static uint64_t share_of(pid_t pid);
static uint64_t descriptors_of(pid_t pid);
static bool is_new(uint64_t inode);
static uint64_t kilobytes(const char *text, const char *name);

/* Inodes of pipes, sockets and memory files that were counted already; 0 is none. */
static uint64_t seen[OBJECTS];
static size_t seen_count;

struct census census_take(pid_t root, const struct census *enough) {
  static pid_t tree[MAX_TREE];
  struct census census = {0};
  size_t count = collect(root, tree, &census, enough);
  if (census.tasks > enough->tasks || census.sessions > enough->sessions) return census;
  uint64_t resident = 0, objects = 0;
  if (seen_count > 0) memset(seen, 0, sizeof seen);
  seen_count = 0;
  for (size_t i = 0; i < count; i++) {
    resident += resident_of(tree[i]);
    objects += descriptors_of(tree[i]);
  }
  census.memory = resident + objects;
  if (census.memory <= enough->memory) return census; /* too much even so: libraries count in every process */
  census.memory = objects;
  for (size_t i = 0; i < count; i++) census.memory += share_of(tree[i]);
  census.whole = all_live(tree, count);
  return census;
}

static bool all_live(const pid_t *tree, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct member member = {.state = 'Z'};
    family_look(tree[i], &member);
    if (member.state == 'Z') return false;
  }
  return true;
}

/*
 * The descendants of `root`, which stay its descendants: it is the subreaper, or the init of its pid namespace. Who
 * has too many of them leaves us little of the processor, so no more are counted than that takes.
 */
static size_t collect(pid_t root, pid_t *tree, struct census *census, const struct census *enough) {
  size_t found = family_children(root, 1, tree, MAX_TREE), count = 0;
  for (size_t i = 0; i < found && census->tasks <= enough->tasks && census->sessions <= enough->sessions; i++) {
    struct member member = {.state = 'Z', .threads = 1};
    family_look(tree[i], &member);
    census->tasks += member.threads;
    if (member.state != 'Z') count_session(member.session, census);
    found += family_children(tree[i], member.threads, tree + found, MAX_TREE - found);
    if (member.state != 'Z') tree[count++] = tree[i]; /* the dead hold nothing but their number */
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

static uint64_t resident_of(pid_t pid) {
  char text[128];
  unsigned long long pages = 0;
  if (family_read(pid, "statm", text, sizeof text) <= 0 || sscanf(text, "%*u %llu", &pages) != 1) return 0;
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Its part of memory that cannot simply be dropped, page tables included. */
static uint64_t share_of(pid_t pid) {
  char status[4096], rollup[2048];
  if (family_read(pid, "status", status, sizeof status) <= 0) return 0;
  uint64_t tables = kilobytes(status, "VmPTE:");
  if (family_read(pid, "smaps_rollup", rollup, sizeof rollup) > 0) {
    return (tables + kilobytes(rollup, "Pss_Anon:") + kilobytes(rollup, "Pss_Shmem:")) * KIB;
  }
  return (tables + kilobytes(status, "RssAnon:") + kilobytes(status, "RssShmem:")) * KIB;
}

static uint64_t descriptors_of(pid_t pid) {
  char path[32], link[64];
  uint64_t total = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *directory = opendir(path);
  if (directory == NULL) return access(path, F_OK) == 0 ? HIDDEN_ROOM : 0; /* else it has just ended */
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    ssize_t length = readlinkat(dirfd(directory), entry->d_name, link, sizeof link - 1);
    if (length <= 0) continue;
    link[length] = '\0';
    bool memory = strncmp(link, "/memfd:", 7) == 0;
    uint64_t room = memory ? 0 : strncmp(link, "pipe:", 5) == 0 ? PIPE_ROOM : strncmp(link, "socket:", 7) == 0 ? SOCKET_ROOM : 0;
    struct stat st;
    if ((room == 0 && !memory) || fstatat(dirfd(directory), entry->d_name, &st, 0) != 0) continue;
    if (is_new(st.st_ino)) total += memory ? (uint64_t)st.st_blocks * 512 : room;
  }
  closedir(directory);
  return total;
}

/* With three quarters of the places taken everything counts as new: too much rather than too little. */
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
