/* The identity of a command: a separate uid (T0), or the bot's uid without capabilities. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confine.h"

#define SECURE_BITS 0x2b /* NOROOT set; NO_SETUID_FIXUP and KEEP_CAPS clear; all three locked */

uid_t identity_uid(const struct spec *spec) { return host.root ? host.uid_base + spec->identity : getuid(); }

/*
 * Drops capabilities that exec could regain, once for all commands, which inherit the result. The server never execs, so it
 * loses nothing. Without CAP_SETPCAP the set remains, but no_new_privs alone keeps exec from using it.
 */
void identity_limit(void) {
  for (int cap = 0; cap < 64 && prctl(PR_CAPBSET_DROP, cap) == 0; cap++) continue;
}

/* Afterwards, the process has no foreign group and no capability in any set. Exec grants no capability or privilege. */
void identity_drop(uid_t uid) {
  if (host.root) {
    if (prctl(PR_SET_SECUREBITS, SECURE_BITS) != 0 && errno != EPERM) refuse("secure bits", NULL);
    if (setgroups(0, NULL) != 0) refuse("setgroups", NULL);
    if (setresgid(uid, uid, uid) != 0) refuse("setresgid", NULL);
    if (setresuid(uid, uid, uid) != 0) refuse("setresuid", NULL);
    if (getuid() != uid || geteuid() != uid || setuid(0) == 0) refuse_plain("the uid did not change");
  }
  struct cap_header header = {.version = CAP_VERSION_3};
  struct cap_data none[2] = {{0}};
  if (syscall(__NR_capset, &header, none) != 0) refuse("capset", NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs", NULL);
}
