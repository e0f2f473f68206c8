/*
 * Kernel definitions that the distribution's headers may lack: Debian 12 ends at Landlock ABI 2 and system call 450. Numbers
 * from 424 upwards are equal on x86_64 and aarch64.
 */
#ifndef PARLEY_KERNEL_H
#define PARLEY_KERNEL_H

#include <stdint.h>
#include <sys/syscall.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the launcher knows the system calls of x86_64 and aarch64 only"
#endif

#define SYS_PIDFD_GETFD 438
#define SYS_PIDFD_SEND_SIGNAL 424
#define SYS_IO_URING_SETUP 425
#define SYS_IO_URING_ENTER 426
#define SYS_IO_URING_REGISTER 427
#define SYS_OPEN_TREE 428
#define SYS_MOVE_MOUNT 429
#define SYS_FSOPEN 430
#define SYS_FSCONFIG 431
#define SYS_FSMOUNT 432
#define SYS_FSPICK 433
#define SYS_PIDFD_OPEN 434
#define SYS_CLONE3 435
#define SYS_CLOSE_RANGE 436
#define SYS_OPENAT2 437
#define SYS_PROCESS_MADVISE 440
#define SYS_MOUNT_SETATTR 442
#define SYS_QUOTACTL_FD 443
#define SYS_LANDLOCK_CREATE_RULESET 444
#define SYS_LANDLOCK_ADD_RULE 445
#define SYS_LANDLOCK_RESTRICT_SELF 446
#define SYS_PROCESS_MRELEASE 448
#define SYS_FCHMODAT2 452
#define SYS_SETXATTRAT 463
#define SYS_REMOVEXATTRAT 466
#define SYS_OPEN_TREE_ATTR 467
#define SYS_FILE_SETATTR 469
/* Later calls did not exist when the filter was written, so they return ENOSYS. */
#define SYS_HIGHEST_KNOWN 469

#define LL_QUERY_VERSION 1u
#define LL_QUERY_ERRATA 2u
#define LL_RULE_PATH 1

#define LL_EXECUTE (1ull << 0)
#define LL_WRITE_FILE (1ull << 1)
#define LL_READ_FILE (1ull << 2)
#define LL_READ_DIR (1ull << 3)
#define LL_REMOVE_DIR (1ull << 4)
#define LL_REMOVE_FILE (1ull << 5)
#define LL_MAKE_CHAR (1ull << 6)
#define LL_MAKE_DIR (1ull << 7)
#define LL_MAKE_REG (1ull << 8)
#define LL_MAKE_SOCK (1ull << 9)
#define LL_MAKE_FIFO (1ull << 10)
#define LL_MAKE_BLOCK (1ull << 11)
#define LL_MAKE_SYM (1ull << 12)
#define LL_REFER (1ull << 13)        /* ABI 2 */
#define LL_TRUNCATE (1ull << 14)     /* ABI 3 */
#define LL_IOCTL_DEV (1ull << 15)    /* ABI 5 */
#define LL_RESOLVE_UNIX (1ull << 16) /* ABI 9 */
#define LL_NET_BIND_TCP (1ull << 0)  /* ABI 4 */
#define LL_NET_CONNECT_TCP (1ull << 1)
#define LL_NET_BIND_UDP (1ull << 2) /* ABI 10 */
#define LL_NET_CONNECT_SEND_UDP (1ull << 3)
#define LL_SCOPE_ABSTRACT_UNIX (1ull << 0) /* ABI 6 */
#define LL_SCOPE_SIGNAL (1ull << 1)

#define LL_LOG_SUBDOMAINS_OFF 4u /* flags of restrict_self; ABI 7 */
#define LL_TSYNC 8u              /* ABI 8 */

struct ll_ruleset {
  uint64_t fs;
  uint64_t net;
  uint64_t scoped;
};

struct ll_path {
  uint64_t access;
  int32_t parent;
} __attribute__((packed));

/* The mount interface of Linux 5.2 to 5.12 is older than Landlock, so a kernel with Landlock always has it. */
#define OPEN_TREE_CLONE_ 1u
#define AT_RECURSIVE_ 0x8000u
#define AT_EMPTY_PATH_ 0x1000u
#define MOVE_FROM_EMPTY 0x00000004u
#define MOVE_TO_EMPTY 0x00000040u
#define FSCONFIG_FLAG 0u
#define FSCONFIG_STRING 1u
#define FSCONFIG_CREATE 6u
#define MNT_RDONLY 0x00000001ull
#define MNT_NOSUID 0x00000002ull
#define MNT_NODEV 0x00000004ull
#define MNT_NOEXEC 0x00000008ull
#define MNT_NOATIME 0x00000010ull
#define MNT_IDMAP 0x00100000ull

struct mnt_attr {
  uint64_t set;
  uint64_t clear;
  uint64_t propagation;
  uint64_t userns;
};

#define CLONE_INTO_CGROUP_ 0x200000000ull
struct clone_arguments {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
};

struct open_how_ {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
/* Capabilities and classic BPF have been stable for long; they are defined here because musl ships no linux/ headers. */
#define CAP_VERSION_3 0x20080522u
struct cap_header {
  uint32_t version;
  int pid;
};
struct cap_data {
  uint32_t effective, permitted, inheritable;
};

struct bpf_line {
  uint16_t op;
  uint8_t yes;
  uint8_t no;
  uint32_t k;
};
struct bpf_program {
  unsigned short length;
  struct bpf_line *lines;
};
#define OP_LOAD 0x20       /* 32 bits of struct seccomp_data at k */
#define OP_AND 0x54
#define OP_JUMP 0x05
#define OP_IF_EQUAL 0x15
#define OP_IF_GREATER 0x25
#define OP_IF_AT_LEAST 0x35
#define OP_IF_BITS 0x45
#define OP_ANSWER 0x06
#define DATA_NR 0
#define DATA_ARCH 4
#define DATA_ARGUMENTS 16
#define SECCOMP_FILTER 2
#define ANSWER_KILL 0x80000000u
#define ANSWER_ERRNO 0x00050000u
#define ANSWER_ALLOW 0x7fff0000u
#if defined(__x86_64__)
#define NATIVE_ARCH 0xc000003eu
#else
#define NATIVE_ARCH 0xc00000b7u
#endif

#define RESOLVE_NO_MAGICLINKS_ 0x02u
#define RESOLVE_BENEATH_ 0x08u

#endif
