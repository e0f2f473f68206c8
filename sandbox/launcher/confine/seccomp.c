/*
 * Filters system calls (hazard K3): a table of rules and a generator that compiles the table to classic BPF. On installation
 * the kernel runs the program once for every system call number, which is most of a filter's cost. The program therefore finds
 * a number by binary search.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confine.h"
#include "seccomp.h"

#define MAX_CODE 1200
#define LEAF 6
#define ALLOW ANSWER_ALLOW
#define EPERM_ (ANSWER_ERRNO | EPERM)
#define ENOSYS_ (ANSWER_ERRNO | ENOSYS)
#define EINVAL_ (ANSWER_ERRNO | EINVAL)
#define ENOTTY_ (ANSWER_ERRNO | ENOTTY)

static struct bpf_line code[MAX_CODE];
static size_t used;

static size_t emit(uint16_t op, uint32_t k, uint8_t yes, uint8_t no);
static void load_argument(unsigned index);
static void answer(uint32_t verdict);
static void search(const struct rule *rules, size_t count);
static void check(const struct rule *rule);
static void deny_created(const struct rule *rule);
static void answer_each(const uint32_t *values, size_t count, uint32_t verdict);
static int by_number(const void *a, const void *b);

void seccomp_confine(const struct spec *spec) {
  static struct rule rules[MAX_RULES];
  size_t count = seccomp_rules(rules, spec);
  qsort(rules, count, sizeof *rules, by_number);

  used = 0;
  emit(OP_LOAD, DATA_ARCH, 0, 0);
  emit(OP_IF_EQUAL, NATIVE_ARCH, 1, 0);
  answer(ANSWER_KILL);
  emit(OP_LOAD, DATA_NR, 0, 0);
#if defined(__x86_64__)
  emit(OP_IF_AT_LEAST, 0x40000000, 0, 1); /* the x32 entry */
  answer(ANSWER_KILL);
#endif
  emit(OP_IF_GREATER, SYS_HIGHEST_KNOWN, 0, 1);
  answer(ENOSYS_);
  search(rules, count);

  struct bpf_program program = {.length = (unsigned short)used, .lines = code};
  if (prctl(PR_SET_SECCOMP, SECCOMP_FILTER, &program) != 0) refuse("seccomp", NULL);
}

/* Emits code that decides on the loaded number among `rules`, which are sorted. Every path ends in a verdict. */
static void search(const struct rule *rules, size_t count) {
  if (count > LEAF) {
    size_t half = count / 2;
    emit(OP_IF_AT_LEAST, (uint32_t)rules[half].nr, 0, 1);
    size_t jump = emit(OP_JUMP, 0, 0, 0);
    search(rules, half);
    code[jump].k = (uint32_t)(used - jump - 1);
    search(rules + half, count - half);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    size_t jump = emit(OP_IF_EQUAL, (uint32_t)rules[i].nr, 0, 0);
    check(&rules[i]);
    code[jump].no = (uint8_t)(used - jump - 1);
  }
  answer(ALLOW);
}

/* Only the low 32 bits of an argument are compared, as in the kernel (CVE-2019-10063). */
static void check(const struct rule *rule) {
  static const uint32_t INJECTIONS[] = {0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */};
  static const uint32_t IOCTLS[] = {
      0x5401 /* TCGETS */, 0x802C542A /* TCGETS2 */, 0x5413 /* TIOCGWINSZ */, 0x540F /* TIOCGPGRP */, 0x5429 /* TIOCGSID */,
      0x541B /* FIONREAD */, 0x5411 /* TIOCOUTQ */, 0x5421 /* FIONBIO */, 0x5450 /* FIONCLEX */, 0x5451 /* FIOCLEX */,
      0x40049409 /* FICLONE */, 0x4020940D /* FICLONERANGE */, 0xC020660B /* FS_IOC_FIEMAP */, 2 /* FIGETBSZ */,
      0x80086601 /* FS_IOC_GETFLAGS */, 0x801C581F /* FS_IOC_FSGETXATTR */, 0x8905 /* SIOCATMARK */,
      0x8910 /* SIOCGIFNAME */, 0x8912 /* SIOCGIFCONF */, 0x8913 /* SIOCGIFFLAGS */, 0x8915 /* SIOCGIFADDR */,
      0x8917 /* SIOCGIFDSTADDR */, 0x8919 /* SIOCGIFBRDADDR */, 0x891B /* SIOCGIFNETMASK */, 0x8921 /* SIOCGIFMTU */,
      0x8927 /* SIOCGIFHWADDR */, 0x8933 /* SIOCGIFINDEX */,
  };
  switch (rule->how) {
    case DENY:
      answer(EPERM_);
      return;
    case ABSENT:
      answer(ENOSYS_);
      return;
    case ONLY_ZERO:
      load_argument(rule->argument);
      emit(OP_IF_EQUAL, 0, 1, 0);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case NOT_BITS:
      load_argument(rule->argument);
      emit(OP_IF_BITS, rule->bits, 0, 1);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case CREATES_ONLY: /* Landlock looks at what is opened for, and before ABI 3 not at O_TRUNC (01000) */
      load_argument(rule->argument);
      emit(OP_AND, 01003, 0, 0);
      emit(OP_IF_EQUAL, 01000, 1, 0);
      emit(OP_IF_EQUAL, 01003, 0, 1);
      answer(EPERM_);
      deny_created(rule);
      return;
    case CREATES:
      deny_created(rule);
      return;
    case IOCTL:
      load_argument(1);
      answer_each(IOCTLS, sizeof IOCTLS / sizeof *IOCTLS, ALLOW);
      answer_each(INJECTIONS, 2, EPERM_);
      answer(ENOTTY_);
      return;
    case FCNTL:
      load_argument(1);
      emit(OP_IF_EQUAL, 1024 /* F_SETLEASE */, 1, 0);
      emit(OP_IF_EQUAL, 1026 /* F_NOTIFY */, 0, 1);
      answer(EPERM_);
      emit(OP_IF_GREATER, 1038, 0, 1);
      answer(EINVAL_);
      answer(ALLOW);
      return;
    case CLONE:
      load_argument(0);
      emit(OP_IF_BITS, rule->bits, 3, 0);
      emit(OP_IF_BITS, 0x10000 /* CLONE_THREAD */, 0, 1);
      emit(OP_IF_BITS, 0x400 /* CLONE_FILES */, 0, 1);
      answer(ALLOW);
      answer(EPERM_);
      return;
    case NOT_HIDDEN:
      load_argument(0);
      emit(OP_IF_EQUAL, 4 /* PR_SET_DUMPABLE */, 1, 0);
      answer(ALLOW);
      load_argument(1);
      emit(OP_IF_EQUAL, 1, 1, 0);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case PERSONALITY: /* query, Linux, and Linux without address randomisation (debuggers) */
      load_argument(0);
      emit(OP_IF_EQUAL, 0xffffffff, 3, 0);
      emit(OP_IF_EQUAL, 0, 2, 0);
      emit(OP_IF_EQUAL, 0x0040000, 1, 0);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case PAIR: /* AF_UNIX streams and sequenced packets: a datagram pair can send to any path by name */
      load_argument(0);
      emit(OP_IF_EQUAL, 1, 1, 0);
      answer(EPERM_);
      load_argument(1);
      emit(OP_AND, 0xf, 0, 0);
      emit(OP_IF_EQUAL, 1, 2, 0);
      emit(OP_IF_EQUAL, 5, 1, 0);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case SOCKET: /* per family: TCP and UDP of IPv4 and IPv6, NETLINK_ROUTE, local sockets where Landlock holds them */
      load_argument(0);
      emit(OP_IF_EQUAL, 2, 5, 0);
      emit(OP_IF_EQUAL, 10, 4, 0);
      emit(OP_IF_EQUAL, rule->bits, 11, 0); /* AF_UNIX, or a family that does not exist */
      emit(OP_IF_EQUAL, 16, 0, 9);
      load_argument(2);
      emit(OP_IF_EQUAL, 0, 8, 7);
      load_argument(1); /* an internet family: streams and datagrams, of the protocols 0, TCP and UDP */
      emit(OP_AND, 0xf, 0, 0);
      emit(OP_IF_GREATER, 2, 4, 0);
      load_argument(2);
      emit(OP_IF_EQUAL, 0, 3, 0);
      emit(OP_IF_EQUAL, 6, 2, 0);
      emit(OP_IF_EQUAL, 17, 1, 0);
      answer(EPERM_);
      answer(ALLOW);
      return;
    case SOCKET_OPTION: /* TCP_FASTOPEN_CONNECT: connects without the connect call that Landlock watches */
      load_argument(1);
      emit(OP_IF_EQUAL, 6, 1, 0);
      answer(ALLOW);
      load_argument(2);
      emit(OP_IF_EQUAL, 30, 0, 1);
      answer(EPERM_);
      answer(ALLOW);
      return;
  }
}

/* The mode counts only if the call creates a file (O_CREAT 0100, __O_TMPFILE 020000000). */
static void deny_created(const struct rule *rule) {
  load_argument(rule->argument);
  emit(OP_IF_BITS, 020000100, 1, 0);
  answer(ALLOW);
  load_argument(rule->argument + 1u);
  emit(OP_IF_BITS, rule->bits, 0, 1);
  answer(EPERM_);
  answer(ALLOW);
}

static void answer_each(const uint32_t *values, size_t count, uint32_t verdict) {
  for (size_t i = 0; i < count; i++) emit(OP_IF_EQUAL, values[i], (uint8_t)(count - i), 0);
  emit(OP_JUMP, 1, 0, 0);
  answer(verdict);
}

static void load_argument(unsigned index) {
  emit(OP_LOAD, DATA_ARGUMENTS + 8u * index, 0, 0);
}

static void answer(uint32_t verdict) { emit(OP_ANSWER, verdict, 0, 0); }

static size_t emit(uint16_t op, uint32_t k, uint8_t yes, uint8_t no) {
  if (used >= MAX_CODE) refuse_plain("seccomp: the filter is larger than its buffer");
  code[used] = (struct bpf_line){op, yes, no, k};
  return used++;
}

static int by_number(const void *a, const void *b) {
  return ((const struct rule *)a)->nr - ((const struct rule *)b)->nr;
}
