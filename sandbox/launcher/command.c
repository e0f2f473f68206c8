#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "bounds.h"

static _Noreturn void execute(const struct spec *spec);

void set_tmpdir(const struct spec *spec) {
  static char variable[256];
  snprintf(variable, sizeof variable, "TMPDIR=%s", spec->tmp);
  char **env = spec->env;
  while (*env != NULL && strncmp(*env, "TMPDIR=", 7) != 0) env++;
  *env = variable; /* words() left a free place for it */
}

/* Runs in the command's own process, which is confined except for the last three layers. */
_Noreturn void run_command(const struct spec *spec) {
  if (setsid() < 0) refuse("setsid", NULL);
  int ruleset = landlock_prepare(spec);
  start_command(spec, ruleset, false);
}

_Noreturn void start_command(const struct spec *spec, int ruleset, bool filtered) {
  limits_apply(spec);
  if (chdir(spec->cwd) != 0) refuse("working directory", spec->cwd);
  landlock_confine(spec, ruleset);
  if (!filtered) seccomp_confine(spec);
  execute(spec);
}

/* A name without a slash is searched on the PATH of the request's environment. */
static _Noreturn void execute(const struct spec *spec) {
  const char *name = spec->argv[0];
  if (strchr(name, '/') != NULL) {
    execve(name, spec->argv, spec->env);
    refuse("execute", name);
  }
  const char *path = "/usr/local/bin:/usr/bin:/bin";
  for (char **env = spec->env; *env != NULL; env++) {
    if (strncmp(*env, "PATH=", 5) == 0) path = *env + 5;
  }
  int worst = ENOENT;
  while (*path != '\0') {
    char file[4096];
    size_t length = strcspn(path, ":");
    if (length > 0 && (size_t)snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name) < sizeof file) {
      execve(file, spec->argv, spec->env);
      if (errno != ENOENT && errno != ENOTDIR) worst = errno;
    }
    path += length + (path[length] == ':');
  }
  errno = worst;
  refuse("execute", name);
}
