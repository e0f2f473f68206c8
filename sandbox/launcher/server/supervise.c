/*
 * The process between the server and a command: waits for the command and ends its remaining processes. In a pid namespace the
 * supervisor is pid 1, and the kernel ends the rest with it. Otherwise the supervisor is a subreaper inside a Landlock scope,
 * so that kill(-1) reaches exactly the command's tree, including daemons.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "family.h"
#include "supervise.h"

enum ending { RAN, STOPPED, TIMED_OUT, OVERRAN };

static sigset_t taken(void);
static enum ending wait_for(pid_t main, int *status);
static void confirm_start(int started);
static void sweep(bool scoped);
static void complete(int file, enum ending ending, int status);

_Noreturn void supervise(const struct spec *spec) {
  bool background = spec->verb == VERB_START;
  struct held held = {.file = background && !spec->live ? file_output(spec) : -1, .started = -1, .scoped = supervise_scope()};
  sigset_t before;
  supervise_signals(&before);
  int started[2] = {-1, -1};
  if (background && pipe2(started, O_CLOEXEC) != 0) refuse("pipe", NULL);
  pid_t supervisor = getpid();
  /*
   * The command's process borrows the supervisor's memory until exec, without a copy. Only the child's descriptors, limits and
   * rights change. run_command never returns.
   */
  held.main = vfork();
  if (held.main < 0) refuse("fork", NULL);
  if (held.main == 0) {
    supervise_child(supervisor, &before);
    if (held.file >= 0 && (dup2(held.file, 1) < 0 || dup2(held.file, 2) < 0)) refuse("dup2", NULL);
    if (held.file >= 0) close(held.file);
    run_command(spec);
  }
  if (background) close(started[1]);
  held.started = started[0];
  supervise_main(&held);
}

bool supervise_scope(void) {
  if (host.namespaces) return true;
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) refuse("subreaper", NULL);
  /* The scope is proved by a test, because kill(-1) without a working scope would reach the bot. */
  return landlock_scope_only() && kill(getppid(), 0) != 0 && errno == EPERM;
}

void supervise_signals(sigset_t *before) {
  sigset_t signals = taken();
  if (sigprocmask(SIG_BLOCK, &signals, before) != 0) refuse("sigprocmask", NULL);
}

void supervise_child(pid_t supervisor, const sigset_t *before) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) refuse("pdeathsig", NULL);
  if (getppid() != supervisor) _exit(125);
  if (before != NULL && sigprocmask(SIG_SETMASK, before, NULL) != 0) refuse("sigprocmask", NULL);
}

/* Reports the end only after every process of the command has ended, because the server replies immediately. */
_Noreturn void supervise_main(const struct held *held) {
  close(0);
  close(1);
  close(2);
  if (held->started >= 0) confirm_start(held->started);
  int status = 0;
  enum ending ending = wait_for(held->main, &status);
  sweep(held->scoped);
  if (held->file >= 0) complete(held->file, ending, status);
  tell(TELL_ENDED, status, 0, "");
  _exit(0);
}

static sigset_t taken(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM); /* stop */
  sigaddset(&signals, SIGUSR1); /* time is up */
  sigaddset(&signals, SIGUSR2); /* a limit was exceeded */
  return signals;
}

/* Waits without a race between check and sleep: the signals remain blocked and are accepted one by one. */
static enum ending wait_for(pid_t main, int *status) {
  sigset_t signals = taken();
  for (;;) {
    siginfo_t info;
    info.si_pid = -1;
    int signal = sigwaitinfo(&signals, &info);
    if (signal < 0 && errno != EINTR) refuse("sigwaitinfo", NULL);
    /* In a pid namespace only an outside sender has no pid, so the command cannot stop its own supervisor. */
    bool trusted = !host.namespaces || info.si_pid == 0;
    if (signal == SIGTERM && trusted) return STOPPED;
    if (signal == SIGUSR1 && trusted) return TIMED_OUT;
    if (signal == SIGUSR2 && trusted) return OVERRAN;
    pid_t pid;
    int ended;
    while ((pid = waitpid(-1, &ended, WNOHANG)) > 0) {
      if (pid != main) continue;
      *status = ended;
      return RAN;
    }
  }
}

/* Exec closes the write end, so end of file means that the command runs, unless the process reported a failure. */
static void confirm_start(int started) {
  char byte;
  while (read(started, &byte, 1) < 0 && errno == EINTR) continue;
  close(started);
  tell(TELL_STARTED, 0, 0, "");
}

static void sweep(bool scoped) {
  for (;;) {
    /* All remaining processes are descendants. Without a child no process is left, and no search of the machine is needed. */
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    if (ended < 0 && errno == ECHILD) return;
    if (ended > 0) continue;
    if (scoped) {
      kill(-1, SIGKILL);
    } else {
      family_end(getpid());
    }
    waitpid(-1, NULL, 0);
  }
}

/* BASH-003: writes the last line of a background command's file. */
static void complete(int file, enum ending ending, int status) {
  char line[80];
  if (ending == STOPPED) {
    snprintf(line, sizeof line, "failed: stopped");
  } else if (ending == TIMED_OUT) {
    snprintf(line, sizeof line, "failed: timed out");
  } else if (ending == OVERRAN) {
    snprintf(line, sizeof line, "failed: it took more than a command may");
  } else if (WIFSIGNALED(status)) {
    snprintf(line, sizeof line, "failed: signal %d", WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    snprintf(line, sizeof line, "failed: exit code %d", WEXITSTATUS(status));
  } else {
    snprintf(line, sizeof line, "completed");
  }
  dprintf(file, "\n[background process %s]\n", line);
}
