/*
 * The launcher: a spawn server (D24) that confines its commands (D25, D26), and the only place that enforces policies.
 * Files, in the order in which a command passes through them: serve -> spec -> slot -> launch -> root, identity -> supervise ->
 * command -> limits, landlock, seccomp -> execve, and answer. No file uses a function of a file that uses it
 * (test/sandbox/circles.test.ts). Each folder has a header; this header contains definitions for all folders.
 */
#ifndef PARLEY_H
#define PARLEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include "kernel.h"

struct relay;

#define MAX_IDENTITY 9999
enum profile { RESTRICTED, UNRESTRICTED, SETUP, FETCH, DRAFT };
/*
 * Whether the kernel enforces the profile against any command. DRAFT is RESTRICTED with mounts that the command may write
 * (D42).
 */
static inline bool is_held(enum profile profile) { return profile == RESTRICTED || profile == DRAFT; }
enum verb { VERB_RUN = 1, VERB_START = 2, VERB_GET = 3, VERB_PUT = 4, VERB_TRIAL = 100 };

/* Capabilities of this host, found by trying (probe.c). One instance, filled before the first launch. */
struct host {
  int abi;             /* Landlock ABI; 0 when absent or switched off */
  int errata;
  bool root;           /* each command gets a separate uid */
  bool namespaces;     /* mount, pid and ipc namespaces with a fresh root */
  bool userns;         /* those namespaces come from a user namespace */
  bool proc;           /* a fresh /proc can be mounted */
  int empty_net;       /* a network namespace without any interface in use, or -1 */
  unsigned controls;   /* resources that control groups limit (bounds.h) */
  bool unified;        /* control groups are of version 2 */
  const char *relay_directory; /* directory of the egress proxy's socket, or null */
  bool off;            /* Landlock switched off by the operator */
  uid_t uid_base;
  uint64_t memory, processes, disk; /* limits that the operator sets (limits.c) */
  char why[160];       /* why there are no namespaces; empty if there are */
};
extern struct host host;

#define MAX_UNDER 2

struct mount {
  const char *source;
  const char *target;
  bool write;
  /* Lower directories of a layered mount, the uppermost first. The source contains `upper`, which is written, and `work`. */
  const char *under[MAX_UNDER];
  size_t under_count;
  int joined; /* number of the kept join (layers.c), or -1 */
  int idmap; /* user namespace that keeps the owner of written files (idmap.c), or -1 */
  int tree;  /* detached copy of the source; -1 before it is opened */
};

#define MAX_MOUNTS 32

/* One request, decoded and checked. Strings point into the request's frame. */
struct spec {
  enum verb verb;
  enum profile profile;
  bool egress;
  bool has_stdin;
  bool live;
  uint32_t identity;
  uint32_t timeout_ms;
  uint32_t keep_head;
  uint32_t keep_tail;
  uint64_t max_bytes;
  size_t mount_count;
  struct mount mounts[MAX_MOUNTS];
  const char *cwd;
  char **argv;
  char **env; /* with TMPDIR added by the launcher */
  uint32_t path_mount;
  const char *path; /* for START's output unless live, GET and PUT; relative to mounts[path_mount] */
  const char *tmp;  /* the command's private temporary directory, as the command sees it */
  bool segments;    /* System V memory is bounded, so it may be used */
};

/* spec.c: false with a reason if the bytes are no valid request or break a rule of the profile. */
bool spec_decode(struct spec *spec, enum verb verb, char *bytes, size_t length, const char **reason);
void spec_free(struct spec *spec);

/* Status pipe from a launched process to the server, closed at exec. The server keeps descriptor 3 free for this pipe. */
#define FD_STATUS 3

/* Reports from a launched process to the server. Each report is one write below PIPE_BUF. */
enum { TELL_FAILED = 'F', TELL_STARTED = 'S', TELL_ENDED = 'E', TELL_FILE = 'G' };
struct tell {
  uint8_t kind;
  int32_t value; /* ENDED: wait status. FILE: enum file_error */
  uint32_t mode; /* FILE of a GET: permission bits */
  char text[300];
};
void tell(int kind, int value, uint32_t mode, const char *text);
/* Reports why the confinement failed and ends the process, so that nothing runs (exit status 125). */
_Noreturn void refuse(const char *stage, const char *detail);
_Noreturn void refuse_plain(const char *text);

enum file_error { FILE_OK, FILE_NOT_FOUND, FILE_NOT_A_FILE, FILE_OUTSIDE, FILE_TOO_LARGE, FILE_DENIED, FILE_NO_SPACE, FILE_FAILED };

struct channel {
  int input;  /* read end of standard input, or -1 for /dev/null */
  int output; /* write end for both output streams */
  int status;
  int group; /* control group, or -1 */
  const struct relay *relay; /* null if the command has none (relay.h) */
};
/* Starts the process that builds the confinement. Returns its pid, or -1 with errno; later results arrive over `status`. */
pid_t launch(struct spec *spec, const struct channel *channel);
/*
 * The steps of launch() in order, for ready.c, which runs them at two times. launch_split forks into the namespaces and the
 * group.
 */
pid_t launch_split(int group, bool *placed);
void launch_begin(const struct channel *channel, bool placed);
void launch_network(struct spec *spec);
/* Drops the bot's rights; afterwards the process ends with the server. */
void launch_drop(uid_t uid, pid_t server);
void launch_die_with(int signal, pid_t server);

/* command.c: the last steps before exec, in the command's own process. */
void set_tmpdir(const struct spec *spec);
/* Runs in a process that is confined except for the last three layers. */
_Noreturn void run_command(const struct spec *spec);
/* `filtered`: whether seccomp is already active. */
_Noreturn void start_command(const struct spec *spec, int ruleset, bool filtered);

/*
 * text.c: text_read returns the length and adds a zero byte, or returns -1; text_write returns false with errno. `file` is
 * relative to the directory.
 */
ssize_t text_read(int directory, const char *file, char *text, size_t size);
bool text_write(int directory, const char *file, const char *text);

void probe_host(bool off, uid_t uid_base);
/* D26: whether the host has Landlock, and a separate uid, namespaces, or at least scopes. */
bool restricted_possible(void);
size_t probe_json(char *out, size_t size);

int serve(void);
int attack(int argc, char **argv);

#endif
