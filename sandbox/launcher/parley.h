/*
 * The launcher: a spawn server (D24) that confines what it starts (D25, D26) and the one place where the meaning
 * of a policy is enforced. Files, in the order in which a command passes through them: serve -> spec -> launch ->
 * root, identity, limits -> landlock -> seccomp -> execve, with supervise waiting and reply answering.
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
enum profile { RESTRICTED, UNRESTRICTED, SETUP, FETCH };
enum verb { VERB_RUN = 1, VERB_START = 2, VERB_GET = 3, VERB_PUT = 4, VERB_TRIAL = 100 };

/* What this host lets us do, found out by doing it (probe.c). One instance, filled before the first launch. */
struct host {
  int abi;             /* Landlock ABI; 0 when absent or switched off */
  int errata;
  bool root;           /* commands get a uid of their own */
  bool namespaces;     /* mount, pid and ipc namespaces with a fresh root */
  bool userns;         /* those namespaces come from a user namespace */
  bool proc;           /* a fresh /proc can be mounted */
  int empty_net;       /* a network namespace without any interface in use, or -1 */
  unsigned controls;   /* what control groups bound (cgroup.h) */
  bool unified;        /* they are of version 2 */
  const char *relay_directory; /* where the egress proxy listens, or null */
  bool off;            /* Landlock switched off by the operator */
  uid_t uid_base;
  uint64_t memory, processes, disk; /* bounds that the operator sets (limits.c) */
  char why[160];       /* why there are no namespaces; empty when there are */
};
extern struct host host;

struct mount {
  const char *source;
  const char *target;
  bool write;
  int idmap; /* user namespace that keeps the owner of what is written (identity.c), or -1 */
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
  const char *path; /* of START's output unless it is live, GET and PUT; relative to mounts[path_mount] */
  const char *tmp;  /* the command's private temporary directory, as it sees it */
  bool segments;    /* System V memory is bounded, so it may be used */
};

/* spec.c: false with a reason when the bytes are not a request or break a rule of the profile. */
bool spec_decode(struct spec *spec, enum verb verb, char *bytes, size_t length, const char **reason);
void spec_free(struct spec *spec);

/* Where a launched process tells the server how it fares; gone at exec. The server keeps 3 free for it. */
#define FD_STATUS 3

/* What a launched process tells the server: one write below PIPE_BUF each. */
enum { TELL_FAILED = 'F', TELL_STARTED = 'S', TELL_ENDED = 'E', TELL_FILE = 'G' };
struct tell {
  uint8_t kind;
  int32_t value; /* ENDED: wait status. FILE: enum file_error */
  uint32_t mode; /* FILE of a GET: permission bits */
  char text[300];
};
void tell(int kind, int value, uint32_t mode, const char *text);
/* Reports why the confinement could not be built and ends the process: nothing runs (exit status 125). */
_Noreturn void refuse(const char *stage, const char *detail);
_Noreturn void refuse_plain(const char *text);

enum file_error { FILE_OK, FILE_NOT_FOUND, FILE_NOT_A_FILE, FILE_OUTSIDE, FILE_TOO_LARGE, FILE_DENIED, FILE_NO_SPACE, FILE_FAILED };

/* launch.c */
struct channel {
  int input;  /* read end of standard input, or -1 for /dev/null */
  int output; /* write end for both output streams */
  int status;
  int group; /* control group, or -1 */
  const struct relay *relay; /* null where the command has none (relay.h) */
};
/* Starts the process that becomes the confinement; its pid, or -1 with errno. The rest is told over `status`. */
pid_t launch(struct spec *spec, const struct channel *channel);
/* The steps of it, in order, for who takes them at two times (ready.c). As fork, into the namespaces and the group: */
pid_t launch_split(int group, bool *placed);
void launch_begin(const struct channel *channel, bool placed);
void launch_network(struct spec *spec);
/* From here on the bot's rights are gone, and its end is ours. */
void launch_drop(uid_t uid, pid_t server);
void launch_die_with(int signal, pid_t server);
void set_tmpdir(const struct spec *spec);
_Noreturn void run_command(const struct spec *spec);
/* The last steps; `filtered` when seccomp holds already. */
_Noreturn void start_command(const struct spec *spec, int ruleset, bool filtered);

/* ready.c: becomes the process that waits for the next command. */
#define READY_MAX 32768 /* bytes of a request */
_Noreturn void ready(const struct channel *channel, int request, const char *tmp, pid_t server, bool placed);

/* supervise.c */
_Noreturn void supervise(const struct spec *spec);

/* base.c: what every fresh root shares, made once in a mount namespace of the server's own; -1 with errno. */
#define BASE_ROOT "root" /* where below the base a command mounts its own root before it moves there */
#define BASE_BINARY "launcher" /* this binary, in the base */
int base_prepare(void);
int base_count(void);
const char *base_name(int index);
bool base_is_directory(int index);
const char *base_link(int index);
const char *base_passwd(void);

/* root.c */
void root_build(struct spec *spec, uid_t uid);
/* In two parts: all that does not depend on the command, and its mounts and name. */
int root_begin(const struct spec *spec);
void root_end(int root, struct spec *spec, uid_t uid);
/* Opens the source, with its attributes: null, or what went wrong, with errno. */
const char *root_source(struct mount *mount, uid_t uid);

/* mount.c: thin, all without a string that the kernel would have to parse. -1 with errno. */
int mount_tree(int at, const char *path);
int mount_attributes(int fd, uint64_t set, int userns);
int mount_attach(int tree, int at, const char *path);
int mount_fresh(const char *type, const char *const *options, uint64_t attributes);

/* identity.c */
uid_t identity_uid(const struct spec *spec);
bool userns_enter(void);
void identity_limit(void);
void identity_drop(uid_t uid);
int idmap_userns(uid_t owner, gid_t group, uid_t uid);

/* limits.c */
/* Bytes that one command may hold in memory, and add to the host's disk. */
uint64_t limits_memory(enum profile profile);
uint64_t limits_disk(enum profile profile);
/* Bounds the System V segments of this process's own ipc namespace; false when that is not allowed here. */
bool limits_segments(void);
void limits_apply(const struct spec *spec);
void oom_first(void);

/* cgroup.c: a group of its own for each command, where the host lets us make any. */
void cgroup_prepare(void);
/* A free group with the profile's limits, or -1. Whoever takes it releases it. */
int cgroup_take(enum profile profile, bool background);
void cgroup_release(int group);
int cgroup_descriptor(int group);
bool cgroup_enter(int group);
bool cgroup_overran(int group);
/* True when the command has so many processes that it stands behind others now. */
bool cgroup_step_back(int group);
void cgroup_kill(int group);
void cgroup_leave(void);

/* rights.c: what a kernel of that Landlock ABI knows of what policies name. */
struct rights {
  uint64_t fs, scoped, net;
  size_t size; /* of struct ll_ruleset there */
  uint32_t flags; /* for landlock_restrict_self */
};
struct rights rights_known(int abi);
uint64_t rights_network(int abi, enum profile profile, bool egress);
/* Null, or what nobody would hold without it. */
const char *rights_missing(int abi, bool own_uid, bool namespaces);
int rights_print(void);

/* landlock.c */
int landlock_abi(void);
int landlock_errata(void);
/* In two parts: the rules that every such command has, and those of this one, which also puts them into force. */
int landlock_prepare(const struct spec *spec);
void landlock_confine(const struct spec *spec, int ruleset);
bool landlock_scope_only(void);

/* seccomp.c */
void seccomp_confine(const struct spec *spec);

/* files.c */
_Noreturn void file_get(const struct spec *spec);
_Noreturn void file_put(const struct spec *spec);
int file_output(const struct spec *spec);

/* tree.c: the private temporary directory where there is no mount namespace. */
struct tmp {
  char *path; /* null where there is none */
  int lock;
};
bool tmp_create(struct tmp *tmp, uid_t uid);
/* Nothing where there is none. */
void tmp_remove(struct tmp *tmp);
void tmp_sweep(void);
/* Whether `pid` is removing one; `ended` forgets it. */
bool tmp_remover(pid_t pid, bool ended);

/* probe.c */
void probe_host(bool off, uid_t uid_base);
/* D26: Landlock, and beside it a uid of its own, namespaces, or at least scopes. */
bool restricted_possible(void);
size_t probe_json(char *out, size_t size);

/* serve.c, attack.c */
int serve(void);
int attack(int argc, char **argv);

#endif
