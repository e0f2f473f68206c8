/*
 * A control group for each command, which limits its memory, processes and share of the processor. Groups are kept in a pool
 * and reused, one command at a time. The pool has limits too, so that all commands together leave room for the host.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "bounds.h"
#include "server.h"

#define GROUPS (MAX_SLOTS + 1) /* and one for the waiting process */
#define CROWD 24  /* processes and threads of one command */
#define BEHIND 25 /* percent of what others have */
#define UNBOUNDED (1ull << 60) /* larger values mean no limit, which version 1 cannot express */

static struct {
  struct hierarchy in;
  int pool;
} pools[MAX_HIERARCHIES];
static size_t pool_count;

static struct {
  bool made, busy;
  enum profile profile;
  uint64_t kills; /* OOM kills during earlier commands of this group */
} groups[GROUPS];

static bool open_pool(const struct hierarchy *in);
static void bound_pool(const struct hierarchy *in, int pool);
static bool make(int group);
static bool bound(int group, enum profile profile);
static bool is_empty(int group);
static bool set(int pool, int group, const char *file, uint64_t value);
static uint64_t kills_of(int group);
static void share_processor(int group, uint64_t percent);
static uint64_t read_number(int directory, const char *file, const char *name, uint64_t absent);

void cgroup_prepare(void) {
  struct hierarchy found[MAX_HIERARCHIES];
  size_t count = cgroup_find(found);
  for (size_t i = 0; i < count; i++) {
    if (!open_pool(&found[i])) close(found[i].base);
  }
  /* Control groups are useless if not even one group can be made. */
  if (pool_count > 0 && !make(0)) cgroup_leave();
}

static bool open_pool(const struct hierarchy *in) {
  const char *name = cgroup_pool_name();
  if (name == NULL) return false;
  cgroup_sweep(in->base);
  if (mkdirat(in->base, name, 0755) != 0) return false;
  int pool = openat(in->base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (pool < 0) return false;
  if (in->unified && (!text_write(pool, "cgroup.subtree_control", "+memory") || !text_write(pool, "cgroup.subtree_control", "+pids") ||
                      ((in->controls & CONTROL_CPU) && !text_write(pool, "cgroup.subtree_control", "+cpu")))) {
    close(pool);
    unlinkat(in->base, name, AT_REMOVEDIR);
    return false;
  }
  bound_pool(in, pool);
  pools[pool_count].in = *in;
  pools[pool_count++].pool = pool;
  host.controls |= in->controls;
  host.unified = in->unified;
  return true;
}

/*
 * Limits the pool to three quarters of the machine's resources, or of the group that Parley runs in. Failures are ignored,
 * because the groups have their own limits.
 */
static void bound_pool(const struct hierarchy *in, int pool) {
  char text[32];
  struct sysinfo info;
  if ((in->controls & CONTROL_MEMORY) && sysinfo(&info) == 0) {
    const char *file = in->unified ? "memory.max" : "memory.limit_in_bytes";
    uint64_t all = (uint64_t)info.totalram * info.mem_unit, ours = read_number(in->base, file, NULL, all);
    snprintf(text, sizeof text, "%llu", (unsigned long long)((ours < all ? ours : all) / 4 * 3));
    text_write(pool, file, text);
  }
  if (in->controls & CONTROL_PIDS) {
    uint64_t all = read_number(AT_FDCWD, "/proc/sys/kernel/pid_max", NULL, 32768), threads = read_number(AT_FDCWD, "/proc/sys/kernel/threads-max", NULL, all);
    uint64_t ours = read_number(in->base, "pids.max", NULL, all);
    if (threads < all) all = threads;
    snprintf(text, sizeof text, "%llu", (unsigned long long)((ours < all ? ours : all) / 4 * 3));
    text_write(pool, "pids.max", text);
  }
}

int cgroup_take(enum profile profile, bool background) {
  for (int i = 0; i < GROUPS && pool_count > 0; i++) {
    if (groups[i].busy || (groups[i].made ? !is_empty(i) : !make(i))) continue;
    if (groups[i].profile != profile && !bound(i, profile)) return -1;
    share_processor(i, background ? BEHIND : 100);
    groups[i].kills = kills_of(i);
    groups[i].busy = true;
    return i;
  }
  return -1;
}

/*
 * A command with many processes, such as a fork bomb, gets less processor time than other commands. Alone, the command loses
 * nothing.
 */
bool cgroup_step_back(int group) {
  char file[32];
  for (size_t p = 0; p < pool_count; p++) {
    if (!(pools[p].in.controls & CONTROL_PIDS)) continue;
    snprintf(file, sizeof file, "%d/pids.current", group);
    if (read_number(pools[p].pool, file, NULL, 0) < CROWD) return false;
    share_processor(group, BEHIND);
    return true;
  }
  return false;
}

void cgroup_release(int group) { groups[group].busy = false; }

/* Returns a descriptor of a version 2 group for clone3, or -1. The caller closes it. */
int cgroup_descriptor(int group) {
  char name[12];
  if (group < 0 || !host.unified) return -1;
  snprintf(name, sizeof name, "%d", group);
  return openat(pools[0].pool, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Moves this single-threaded process into the group. The kernel need not stop other threads if the pid is 0. */
bool cgroup_enter(int group) {
  for (size_t p = 0; p < pool_count; p++) {
    char file[32];
    snprintf(file, sizeof file, "%d/%s", group, pools[p].in.unified ? "cgroup.procs" : "tasks");
    if (!text_write(pools[p].pool, file, "0")) return false;
  }
  return true;
}

/* Whether the kernel has killed a process of the group's command because of memory. */
bool cgroup_overran(int group) { return kills_of(group) > groups[group].kills; }

void cgroup_kill(int group) {
  char file[32], line[32];
  snprintf(file, sizeof file, "%d/cgroup.kill", group);
  if (host.unified && text_write(pools[0].pool, file, "1")) return;
  snprintf(file, sizeof file, "%d/cgroup.procs", group);
  int fd = openat(pools[0].pool, file, O_RDONLY | O_CLOEXEC);
  FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
  if (list == NULL) return;
  while (fgets(line, sizeof line, list) != NULL) {
    if (atoi(line) > 0) kill(atoi(line), SIGKILL); /* 0 is a process that this pid namespace cannot name */
  }
  fclose(list);
}

/* Removes the pool. A process that was just reaped may still be leaving its group. */
void cgroup_leave(void) {
  const struct timespec moment = {.tv_nsec = 1000000};
  for (size_t p = 0; p < pool_count; p++) {
    for (int attempt = 0; attempt < 50; attempt++) {
      cgroup_remove(pools[p].in.base, cgroup_pool_name());
      if (faccessat(pools[p].in.base, cgroup_pool_name(), F_OK, 0) != 0) break;
      nanosleep(&moment, NULL);
    }
    close(pools[p].pool);
    close(pools[p].in.base);
  }
  pool_count = 0;
  host.controls = 0;
}

/* `percent`: relative to the usual share. */
static void share_processor(int group, uint64_t percent) {
  for (size_t p = 0; p < pool_count; p++) {
    if (!(pools[p].in.controls & CONTROL_CPU)) continue;
    set(pools[p].pool, group, pools[p].in.unified ? "cpu.weight" : "cpu.shares", pools[p].in.unified ? percent : percent * 1024 / 100);
  }
}

static bool make(int group) {
  char name[12];
  snprintf(name, sizeof name, "%d", group);
  for (size_t p = 0; p < pool_count; p++) {
    if (mkdirat(pools[p].pool, name, 0755) != 0 && errno != EEXIST) return false;
  }
  groups[group].made = bound(group, RESTRICTED);
  return groups[group].made;
}

static bool bound(int group, enum profile profile) {
  for (size_t p = 0; p < pool_count; p++) {
    const struct hierarchy *in = &pools[p].in;
    uint64_t memory = limits_memory(profile);
    if (in->controls & CONTROL_MEMORY) {
      /* Raised first and lowered later, because version 1 couples the limits of memory and memory with swap. */
      if (!in->unified) set(pools[p].pool, group, "memory.memsw.limit_in_bytes", UNBOUNDED);
      if (!set(pools[p].pool, group, in->unified ? "memory.max" : "memory.limit_in_bytes", memory)) return false;
      /* The file is absent if the kernel does not account for swap. */
      set(pools[p].pool, group, in->unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes", in->unified ? 0 : memory);
      if (in->unified) set(pools[p].pool, group, "memory.oom.group", 1);
    }
    if ((in->controls & CONTROL_PIDS) && !set(pools[p].pool, group, "pids.max", host.processes)) return false;
  }
  groups[group].profile = profile;
  return true;
}

static bool is_empty(int group) {
  char file[32];
  snprintf(file, sizeof file, "%d/cgroup.procs", group);
  return read_number(pools[0].pool, file, NULL, 0) == 0;
}

static bool set(int pool, int group, const char *file, uint64_t value) {
  char path[64], text[32];
  snprintf(path, sizeof path, "%d/%s", group, file);
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  return text_write(pool, path, text);
}

static uint64_t kills_of(int group) {
  for (size_t p = 0; p < pool_count; p++) {
    if (!(pools[p].in.controls & CONTROL_MEMORY)) continue;
    char file[48];
    snprintf(file, sizeof file, "%d/%s", group, pools[p].in.unified ? "memory.events" : "memory.oom_control");
    return read_number(pools[p].pool, file, "oom_kill ", 0);
  }
  return 0;
}

/* Reads the number in `file`, or in its line that begins with `name`; `absent` is the default. */
static uint64_t read_number(int directory, const char *file, const char *name, uint64_t absent) {
  char text[512];
  if (text_read(directory, file, text, sizeof text) <= 0) return absent;
  const char *at = name == NULL ? text : strstr(text, name);
  if (at == NULL) return absent;
  at += name == NULL ? 0 : strlen(name);
  if (*at < '0' || *at > '9') return absent; /* "max" */
  uint64_t value = strtoull(at, NULL, 10);
  return value > UNBOUNDED ? absent : value;
}
