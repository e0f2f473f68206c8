/*
 * Maps the rights in a policy to the rights that a kernel supports, by its Landlock ABI alone; `parley-launcher rights` prints
 * the result. Other means or the tier close gaps of older kernels: seccomp denies sockets and, before ABI 3, truncation. A uid
 * or a namespace protects other processes.
 */
#include <stdio.h>

#include "confine.h"

#define FIRST_FS ((1ull << 13) - 1)
#define NET_TCP (LL_NET_BIND_TCP | LL_NET_CONNECT_TCP)
#define NET_UDP (LL_NET_BIND_UDP | LL_NET_CONNECT_SEND_UDP)

/* `since`: the ABI that introduced the right. */
static const struct {
  int since;
  uint64_t fs, net, scoped;
  uint32_t flags;
} STEPS[] = {
    {1, FIRST_FS, 0, 0, 0},
    {2, LL_REFER, 0, 0, 0},
    {3, LL_TRUNCATE, 0, 0, 0},
    {4, 0, NET_TCP, 0, 0},
    {5, LL_IOCTL_DEV, 0, 0, 0},
    {6, 0, 0, LL_SCOPE_ABSTRACT_UNIX | LL_SCOPE_SIGNAL, 0},
    {7, 0, 0, 0, LL_LOG_SUBDOMAINS_OFF}, /* a command that makes Landlock domains must not flood the audit log */
    {8, 0, 0, 0, LL_TSYNC},
    {9, LL_RESOLVE_UNIX, 0, 0, 0},
    {10, 0, NET_UDP, 0, 0},
};

struct rights rights_known(int abi) {
  struct rights known = {.size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8};
  for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
    if (abi < STEPS[i].since) break;
    known.fs |= STEPS[i].fs;
    known.net |= STEPS[i].net;
    known.scoped |= STEPS[i].scoped;
    known.flags |= STEPS[i].flags;
  }
  return known;
}

/* A handled right without a rule is denied. FETCH must not listen even with a network. */
uint64_t rights_network(int abi, enum profile profile, bool egress) {
  uint64_t wanted = !egress ? NET_TCP | NET_UDP : profile == FETCH ? LL_NET_BIND_TCP : 0;
  return wanted & rights_known(abi).net;
}

/* Returns null if Restricted can be enforced: files by Landlock, other processes by a uid, a namespace or a scope (D26). */
const char *rights_missing(int abi, bool own_uid, bool namespaces) {
  if (abi < 1) return "files";
  if (!own_uid && !namespaces && (rights_known(abi).scoped & LL_SCOPE_SIGNAL) == 0) return "signals";
  return NULL;
}

int rights_print(void) {
  for (int abi = 0; abi <= 12; abi++) {
    struct rights known = rights_known(abi);
    printf("{\"abi\":%d,\"fs\":%llu,\"scoped\":%llu,\"size\":%zu,\"flags\":%u,\"network\":{\"none\":%llu,\"fetch\":%llu,\"egress\":%llu},"
           "\"missing\":{\"T0\":%s,\"T1\":%s,\"T2\":%s}}\n",
           abi, (unsigned long long)known.fs, (unsigned long long)known.scoped, known.size, known.flags,
           (unsigned long long)rights_network(abi, RESTRICTED, false), (unsigned long long)rights_network(abi, FETCH, true),
           (unsigned long long)rights_network(abi, UNRESTRICTED, true), rights_missing(abi, true, false) != NULL ? "true" : "false",
           rights_missing(abi, false, true) != NULL ? "true" : "false", rights_missing(abi, false, false) != NULL ? "true" : "false");
  }
  return 0;
}
