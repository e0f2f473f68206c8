/* Per-process limits and priorities of a command (hazard K4). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "bounds.h"

#define MIB (1024ull * 1024)
#define FILES 4096
#define SIGNALS 4096 /* and timers; counted for the user, so the host keeps what it may have beyond */
#define NICENESS 5
#define RESTRICTED_TMP (256 * MIB)
#define RESTRICTED_FILE (512 * MIB) /* also limits memory files */

static void limit(int which, rlim_t value, const char *name);

/* Profiles that may build get twice the memory. On a small machine the maximum is half of the memory. */
uint64_t limits_memory(enum profile profile) {
  uint64_t allowed = is_held(profile) ? host.memory : 2 * host.memory;
  struct sysinfo info;
  if (sysinfo(&info) != 0) return allowed;
  uint64_t half = (uint64_t)info.totalram * info.mem_unit / 2;
  return half < allowed ? half : allowed;
}

uint64_t limits_disk(enum profile profile) {
  if (profile == RESTRICTED) return host.disk < RESTRICTED_TMP ? host.disk : RESTRICTED_TMP;
  return profile == FETCH ? 8 * host.disk : host.disk;
}

/* An unattached segment belongs to no process, so only a control group or this limit counts it. */
bool limits_segments(void) {
  char pages[24];
  snprintf(pages, sizeof pages, "%llu", (unsigned long long)(limits_memory(RESTRICTED) / 4 / (uint64_t)sysconf(_SC_PAGESIZE)));
  return text_write(AT_FDCWD, "/proc/sys/kernel/shmall", pages);
}

void limits_apply(const struct spec *spec) {
  /*
   * If control groups count processes, this limit is a second line. A separate uid counts only its own processes. Otherwise the
   * kernel counts all processes of the bot's uid, so the limit is everything that runs on the machine now plus the command's
   * allowance.
   */
  rlim_t processes = (host.controls & CONTROL_PIDS) != 0 ? 4 * host.processes : host.processes;
  struct sysinfo info;
  if (!host.root && sysinfo(&info) == 0) processes += info.procs;
  limit(RLIMIT_NPROC, processes, "processes");
  limit(RLIMIT_NOFILE, FILES, "open files");
  limit(RLIMIT_CORE, 0, "core size");
  limit(RLIMIT_MEMLOCK, 64 * 1024, "locked memory");
  limit(RLIMIT_SIGPENDING, SIGNALS, "queued signals");
  limit(RLIMIT_FSIZE, spec->profile == RESTRICTED ? RESTRICTED_FILE : limits_disk(spec->profile), "file size");
  /* DATA instead of AS, because runtimes reserve far more address space than they use. */
  limit(RLIMIT_DATA, limits_memory(spec->profile), "data size");
  /* A host that started with lower priority has no right to raise it. */
  if (getpriority(PRIO_PROCESS, 0) < NICENESS && setpriority(PRIO_PROCESS, 0, NICENESS) != 0) refuse("setpriority", NULL);
}

/*
 * Makes commands the first victims if memory runs out. Raising the score needs no privilege, and Landlock prevents lowering it.
 */
void oom_first(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, "1000", 4) != 4) refuse("oom_score_adj", NULL);
  close(fd);
}

static void limit(int which, rlim_t value, const char *name) {
  struct rlimit now;
  if (getrlimit(which, &now) != 0) refuse("getrlimit", name);
  if (now.rlim_max < value) value = now.rlim_max;
  struct rlimit wanted = {value, value};
  if (setrlimit(which, &wanted) != 0) refuse("setrlimit", name);
}
