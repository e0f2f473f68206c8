/* Confinement of a command: its root, its namespaces, its identity and its kernel rights. */
#ifndef PARLEY_CONFINE_H
#define PARLEY_CONFINE_H

#include "parley.h"

/* base.c: the shared part of every fresh root, made once in the server's mount namespace; -1 with errno. */
#define BASE_ROOT "root" /* where below the base a command mounts its own root before it moves there */
#define BASE_BINARY "launcher" /* this binary, in the base */
int base_prepare(void);
int base_count(void);
const char *base_name(int index);
bool base_is_directory(int index);
const char *base_link(int index);
const char *base_passwd(void);

void root_build(struct spec *spec, uid_t uid);
/* The two parts of root_build: the part without the command's data, then its mounts and name. */
int root_begin(const struct spec *spec);
void root_end(int root, struct spec *spec, uid_t uid);
/* Prepares the server's part of a mount, before root_source. */
void root_prepare(struct mount *mount, uid_t uid);
/* Opens the source with its attributes. Returns null, or an error text with errno. */
const char *root_source(struct mount *mount, uid_t uid);

/* mount.c: thin wrappers without option strings for the kernel to parse. Each returns -1 with errno. */
int mount_tree(int at, const char *path);
int mount_attributes(int fd, uint64_t set, int userns);
int mount_attach(int tree, int at, const char *path);
/* Copies, sets attributes and attaches in one call. */
int mount_bind(int from, const char *path, uint64_t attributes, int at, const char *target);
#define MOUNT_FLAG "" /* instead of a value */
int mount_fresh(const char *type, const char *const *options, uint64_t attributes);

/*
 * layers.c: layers_places is called while the base is writable, layers_sweep and layers_keep by the server before each launch,
 * layers_tree in the launch. -1 with errno.
 */
bool layers_places(void);
void layers_sweep(void);
/* Whether the command has layers that the server does not keep. */
bool layers_apart(const struct spec *spec);
void layers_keep(struct mount *mount, uid_t uid);
int layers_tree(const struct mount *mount, uid_t uid);

/* namespace.c: moves this process into a user namespace that maps its uid and gid to themselves. */
bool userns_enter(void);
/* Makes a namespace without a process. `users`, `groups`: maps of a user namespace. Returns a descriptor, or -1 with errno. */
int namespace_make(unsigned long kind, const char *users, const char *groups);

/* idmap.c: returns the user namespace for a mount of that owner, kept for later commands; -1 on failure. */
int idmap_for(const char *source, uid_t uid);

uid_t identity_uid(const struct spec *spec);
void identity_limit(void);
void identity_drop(uid_t uid);

/* rights.c: the policy rights that a kernel of that Landlock ABI supports. */
struct rights {
  uint64_t fs, scoped, net;
  size_t size; /* size of struct ll_ruleset at that ABI */
  uint32_t flags; /* flags for landlock_restrict_self */
};
struct rights rights_known(int abi);
uint64_t rights_network(int abi, enum profile profile, bool egress);
/* Returns null, or the protection that would be missing. */
const char *rights_missing(int abi, bool own_uid, bool namespaces);
int rights_print(void);

int landlock_abi(void);
int landlock_errata(void);
/* Two parts: rules that all such commands share, then rules of this command, which are also enforced. */
int landlock_prepare(const struct spec *spec);
void landlock_confine(const struct spec *spec, int ruleset);
bool landlock_scope_only(void);

void seccomp_confine(const struct spec *spec);

_Noreturn void file_get(const struct spec *spec);
_Noreturn void file_put(const struct spec *spec);
int file_output(const struct spec *spec);

/* tree.c: the private temporary directory on hosts without mount namespaces. */
struct tmp {
  char *path; /* null if there is none */
  int lock;
};
bool tmp_create(struct tmp *tmp, uid_t uid);
/* Does nothing without a directory. */
void tmp_remove(struct tmp *tmp);
void tmp_sweep(void);
/* Whether `pid` is a process that removes such a directory; `ended` forgets that process. */
bool tmp_remover(pid_t pid, bool ended);

#endif
