/* What holds a command: its root, its namespaces, its identity, and what the kernel lets it do. */
#ifndef PARLEY_CONFINE_H
#define PARLEY_CONFINE_H

#include "parley.h"

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
/* What the server has for the mount of a command; then, there or in the launch: */
void root_prepare(struct mount *mount, uid_t uid);
/* Opens the source, with its attributes: null, or what went wrong, with errno. */
const char *root_source(struct mount *mount, uid_t uid);

/* mount.c: thin, all without a string that the kernel would have to parse. -1 with errno. */
int mount_tree(int at, const char *path);
int mount_attributes(int fd, uint64_t set, int userns);
int mount_attach(int tree, int at, const char *path);
/* All three in one. */
int mount_bind(int from, const char *path, uint64_t attributes, int at, const char *target);
#define MOUNT_FLAG "" /* instead of a value */
int mount_fresh(const char *type, const char *const *options, uint64_t attributes);

/* layers.c: first, while the base can be written; before each launch, by the server; and in it. -1 with errno. */
bool layers_places(void);
void layers_sweep(void);
/* Whether the command has layers that are not kept. */
bool layers_apart(const struct spec *spec);
void layers_keep(struct mount *mount, uid_t uid);
int layers_tree(const struct mount *mount, uid_t uid);

/* namespace.c: moves this process into a user namespace that maps its own uid and gid to themselves. */
bool userns_enter(void);
/* A namespace that nothing runs in; `users` and `groups` are the maps of one for users. Its descriptor, or -1 with errno. */
int namespace_make(unsigned long kind, const char *users, const char *groups);

/* idmap.c: the user namespace for a mount of that owner, kept for the next command; -1 when it cannot be had. */
int idmap_for(const char *source, uid_t uid);

/* identity.c */
uid_t identity_uid(const struct spec *spec);
void identity_limit(void);
void identity_drop(uid_t uid);

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

#endif
