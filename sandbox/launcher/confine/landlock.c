/*
 * The rules for files, network and signals, an allowlist: without a rule, access is denied. Rules are bound to inodes, so they
 * are made after the mounts, from paths as the command sees them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "relay.h"

#define FS_READ (LL_READ_FILE | LL_READ_DIR)
#define FS_RUN (FS_READ | LL_EXECUTE)
#define FS_WRITE                                                                                              \
  (LL_WRITE_FILE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR | LL_MAKE_REG | LL_MAKE_SOCK | LL_MAKE_FIFO | \
   LL_MAKE_SYM | LL_REFER | LL_TRUNCATE)
/* Rights that apply to files other than directories; further rights cause EINVAL. */
#define FS_FILE_ONLY (LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV)

/* If commands share the bot's uid, /etc may contain that uid's secrets, so only files that programs need are listed. */
static const char *const ETC[] = {
    "alternatives", "bash.bashrc",     "ca-certificates", "crypto-policies", "debian_version", "environment",
    "fonts",        "gai.conf",        "gitconfig",       "group",           "host.conf",      "hosts",
    "inputrc",      "java",            "ld.so.cache",     "ld.so.conf",      "ld.so.conf.d",   "ld.so.preload",
    "locale.alias", "localtime",       "lsb-release",     "magic",           "mailcap",        "mime.types",
    "nsswitch.conf","os-release",      "passwd",          "perl",            "pki",            "profile",
    "protocols",    "python3",         "resolv.conf",     "rpc",             "services",       "shells",
    "ssl",          "terminfo",        "timezone",        "wgetrc",          "xattr.conf",     "ssh/ssh_config",
    "ssh/ssh_config.d", "ssh/ssh_known_hosts",
};

static const char *const PROGRAMS[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"};
static const char *const DEVICES[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

static void allow(int ruleset, const char *path, uint64_t access, bool required);
static void allow_etc(int ruleset);
static int create(const struct ll_ruleset *attr);

int landlock_abi(void) {
  long abi = syscall(SYS_LANDLOCK_CREATE_RULESET, NULL, 0, LL_QUERY_VERSION);
  return abi > 0 ? (int)abi : 0;
}

int landlock_errata(void) {
  long errata = syscall(SYS_LANDLOCK_CREATE_RULESET, NULL, 0, LL_QUERY_ERRATA);
  return errata > 0 ? (int)errata : 0;
}

int landlock_prepare(const struct spec *spec) {
  if (is_held(spec->profile) && rights_missing(host.abi, host.root, host.namespaces) != NULL) refuse_plain("this kernel cannot hold Restricted");
  if (host.abi == 0) return -1;
  struct rights known = rights_known(host.abi);
  struct ll_ruleset attr = {.fs = known.fs, .net = rights_network(host.abi, spec->profile, spec->egress), .scoped = known.scoped};
  int ruleset = create(&attr);
  if (ruleset < 0) refuse("landlock_create_ruleset", NULL);

  for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) allow(ruleset, PROGRAMS[i], FS_RUN, false);
  for (size_t i = 0; i < sizeof DEVICES / sizeof *DEVICES; i++) {
    allow(ruleset, DEVICES[i], LL_READ_FILE | LL_WRITE_FILE, false);
  }
  allow_etc(ruleset);
  if (host.namespaces) {
    /* root.c creates everything below this root. The names are no secret, and /run contains only resolv.conf. */
    allow(ruleset, "/", LL_READ_DIR, true);
    allow(ruleset, "/proc", FS_READ, false);
    allow(ruleset, "/run", FS_READ, false);
    if (relay_wanted(spec)) allow(ruleset, RELAY_BINARY, FS_RUN, true);
  } else if (spec->egress) {
    char resolver[PATH_MAX];
    if (realpath("/etc/resolv.conf", resolver) != NULL) allow(ruleset, resolver, LL_READ_FILE, false);
  }
  return ruleset;
}

void landlock_confine(const struct spec *spec, int ruleset) {
  if (ruleset < 0) return;
  allow(ruleset, spec->tmp, FS_RUN | FS_WRITE, true);
  for (size_t i = 0; i < spec->mount_count; i++) {
    const struct mount *mount = &spec->mounts[i];
    const char *path = host.namespaces ? mount->target : mount->source;
    allow(ruleset, path, mount->write ? FS_RUN | FS_WRITE : FS_RUN, true);
  }
  if (syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset, rights_known(host.abi).flags) != 0) refuse("landlock_restrict_self", NULL);
  close(ruleset);
}

/*
 * Confines the supervisor to signals for itself and its children, so that its kill(-1) reaches exactly the command's tree. A
 * layer that does not handle REFER denies it, hence the rule on "/". Returns true only if a test proves that the scope works.
 */
bool landlock_scope_only(void) {
  if ((rights_known(host.abi).scoped & LL_SCOPE_SIGNAL) == 0) return false;
  struct ll_ruleset attr = {.fs = LL_REFER, .scoped = LL_SCOPE_SIGNAL};
  int ruleset = create(&attr);
  if (ruleset < 0) refuse("landlock_create_ruleset", "scope");
  allow(ruleset, "/", LL_REFER, true);
  if (syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset, rights_known(host.abi).flags) != 0) refuse("landlock_restrict_self", "scope");
  close(ruleset);
  return true;
}

static int create(const struct ll_ruleset *attr) {
  return (int)syscall(SYS_LANDLOCK_CREATE_RULESET, attr, rights_known(host.abi).size, 0);
}

static void allow(int ruleset, const char *path, uint64_t access, bool required) {
  int fd = (int)syscall(__NR_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0); /* the C library would add another system call */
  if (fd < 0) {
    if (!required && (errno == ENOENT || errno == EACCES)) return;
    refuse("open", path);
  }
  struct stat st;
  if (fstat(fd, &st) != 0) refuse("stat", path);
  if (!S_ISDIR(st.st_mode)) access &= FS_FILE_ONLY;
  access &= rights_known(host.abi).fs;
  struct ll_path rule = {.access = access, .parent = fd};
  if (access != 0 && syscall(SYS_LANDLOCK_ADD_RULE, ruleset, LL_RULE_PATH, &rule, 0) != 0) refuse("landlock_add_rule", path);
  close(fd);
}

static void allow_etc(int ruleset) {
  if (host.root) {
    allow(ruleset, "/etc", FS_READ, false);
    return;
  }
  char path[64];
  for (size_t i = 0; i < sizeof ETC / sizeof *ETC; i++) {
    snprintf(path, sizeof path, "/etc/%s", ETC[i]);
    allow(ruleset, path, FS_READ, false);
  }
}
