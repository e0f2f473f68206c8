/* Per-process limits and priorities of a command (sandbox.md 3b, 3c). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "parley.h"

#define MIB (1024ull * 1024)
#define PROCESSES 512
#define FILES 4096

static void limit(int which, rlim_t value, const char *name);

void limits_apply(const struct spec *spec) {
  /*
   * A uid of its own counts only its own processes. Elsewhere the kernel counts all of the bot's uid, so the bound is
   * everything that runs on the machine now, plus what the command may add.
   */
  rlim_t processes = PROCESSES;
  struct sysinfo info;
  if (!host.root && sysinfo(&info) == 0) processes += info.procs;
  limit(RLIMIT_NPROC, processes, "processes");
  limit(RLIMIT_NOFILE, FILES, "open files");
  limit(RLIMIT_CORE, 0, "core size");
  limit(RLIMIT_MEMLOCK, 64 * 1024, "locked memory");
  static const rlim_t file_size[] = {512 * MIB, 8192 * MIB, 8192 * MIB, 65536 * MIB};
  limit(RLIMIT_FSIZE, file_size[spec->profile], "file size");
  /* DATA and not AS: runtimes reserve address space far beyond what they use. */
  limit(RLIMIT_DATA, spec->profile == RESTRICTED ? 2048 * MIB : 4096 * MIB, "data size");
  if (setpriority(PRIO_PROCESS, 0, 5) != 0) refuse("setpriority", NULL);
}

/* Commands are the first to go when memory runs out. Raising the score needs no right; Landlock keeps it raised. */
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
