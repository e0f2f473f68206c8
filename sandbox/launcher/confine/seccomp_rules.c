/* The rules: calls that are always denied, calls denied at a shared uid, and calls for the profile's network. */
#include <string.h>

#include "confine.h"
#include "bounds.h"
#include "seccomp.h"

#define NEW_NAMESPACES 0x7E020000u
#define SET_ID_BITS 06000u
#define FAST_OPEN 0x20000000u
#define NO_FAMILY 0xffffu

static struct rule *table;
static size_t filled;

static void put(int nr, enum how how, uint8_t argument, uint32_t bits);
static void deny_kernel_surface(void);
static void deny_set_id_creation(const struct spec *spec);
static void deny_set_id_change(void);
static void deny_others(void);
static void deny_segments(void);
static void deny_queues(void);
static void deny_metadata(void);
static void deny_watching(void);
static void deny_hiding(void);
static void network(const struct spec *spec);

size_t seccomp_rules(struct rule *rules, const struct spec *spec) {
  table = rules;
  filled = 0;
  deny_kernel_surface();
  bool own_identity = host.root || host.namespaces;
  if (!spec->segments) deny_segments();
  if (!host.namespaces || (host.controls & CONTROL_MEMORY) == 0) deny_queues();
  if (!own_identity) deny_others();
  deny_set_id_creation(spec);
  /* Without read-only mounts, the command could change metadata of its own uid's files in the checkout. */
  if (!host.namespaces && is_held(spec->profile)) {
    deny_metadata();
  } else {
    deny_set_id_change();
  }
  if (is_held(spec->profile)) deny_watching();
  deny_hiding();
  network(spec);
  return filled;
}

static void deny_kernel_surface(void) {
  static const int always[] = {
      __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, SYS_PIDFD_GETFD, SYS_PROCESS_MADVISE,
      SYS_PROCESS_MRELEASE, __NR_kcmp, __NR_get_robust_list, SYS_IO_URING_SETUP, SYS_IO_URING_ENTER,
      SYS_IO_URING_REGISTER, __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key,
      __NR_request_key, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, SYS_OPEN_TREE, SYS_MOVE_MOUNT,
      SYS_FSOPEN, SYS_FSCONFIG, SYS_FSMOUNT, SYS_FSPICK, SYS_MOUNT_SETATTR, SYS_OPEN_TREE_ATTR, __NR_setns,
      __NR_unshare, __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot,
      __NR_swapon, __NR_swapoff, __NR_acct, __NR_quotactl, SYS_QUOTACTL_FD, __NR_open_by_handle_at,
      __NR_name_to_handle_at, __NR_fanotify_init, __NR_settimeofday, __NR_clock_settime,
      __NR_adjtimex, __NR_clock_adjtime, __NR_sethostname, __NR_setdomainname, __NR_syslog, __NR_vhangup,
      __NR_migrate_pages, __NR_move_pages, __NR_mbind, __NR_set_mempolicy, __NR_vmsplice,
#ifdef __NR_lookup_dcookie
      __NR_lookup_dcookie,
#endif
#ifdef __NR_kexec_file_load
      __NR_kexec_file_load,
#endif
#if defined(__x86_64__)
      __NR_iopl, __NR_ioperm, __NR_modify_ldt,
#endif
  };
  for (size_t i = 0; i < sizeof always / sizeof *always; i++) put(always[i], DENY, 0, 0);
  put(SYS_CLONE3, ABSENT, 0, 0); /* its flags are behind a pointer; every libc falls back to clone */
  put(__NR_clone, CLONE, 0, NEW_NAMESPACES);
  put(__NR_personality, PERSONALITY, 0, 0);
  put(__NR_fcntl, FCNTL, 0, 0);
  put(__NR_ioctl, IOCTL, 0, 0);
  /* Asynchronous I/O uses a limit of the whole machine (fs.aio-max-nr), and programs have alternatives. */
  static const int aio[] = {
      __NR_io_setup, __NR_io_destroy, __NR_io_submit, __NR_io_cancel, __NR_io_getevents,
#ifdef __NR_io_pgetevents
      __NR_io_pgetevents,
#endif
  };
  for (size_t i = 0; i < sizeof aio / sizeof *aio; i++) put(aio[i], ABSENT, 0, 0);
}

/*
 * A writable mount keeps its owner on the host (id-mapped), so a set-id file inside would carry the host owner's identity.
 * Set-id bits can therefore be neither set nor created. openat2 has its mode behind a pointer, so commands lack the call; the
 * launcher's own get and put need it.
 */
static void deny_set_id_creation(const struct spec *spec) {
  put(__NR_mknodat, NOT_BITS, 2, SET_ID_BITS);
  /* Before ABI 3, Landlock permits truncation by calls that do not open for writing. */
  bool truncates = !host.namespaces && (rights_known(host.abi).fs & LL_TRUNCATE) == 0;
  if (truncates) put(__NR_truncate, DENY, 0, 0);
  put(__NR_openat, truncates ? CREATES_ONLY : CREATES, 2, SET_ID_BITS);
  if (spec->verb == VERB_RUN || spec->verb == VERB_START) put(SYS_OPENAT2, ABSENT, 0, 0);
#if defined(__x86_64__)
  put(__NR_creat, NOT_BITS, 1, SET_ID_BITS);
  put(__NR_mknod, NOT_BITS, 1, SET_ID_BITS);
  put(__NR_open, truncates ? CREATES_ONLY : CREATES, 1, SET_ID_BITS);
#endif
}

static void deny_set_id_change(void) {
  put(__NR_fchmod, NOT_BITS, 1, SET_ID_BITS);
  put(__NR_fchmodat, NOT_BITS, 2, SET_ID_BITS);
  put(SYS_FCHMODAT2, NOT_BITS, 2, SET_ID_BITS);
  put(SYS_FILE_SETATTR, DENY, 0, 0);
#if defined(__x86_64__)
  put(__NR_chmod, NOT_BITS, 1, SET_ID_BITS);
#endif
}

/* If the bot's own processes have the same uid and can be named, scheduling and limits apply to the caller only. */
static void deny_others(void) {
  static const int first[] = {__NR_prlimit64, __NR_sched_setaffinity, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) put(first[i], ONLY_ZERO, 0, 0);
  put(__NR_setpriority, ONLY_ZERO, 1, 0);
  put(__NR_ioprio_set, ONLY_ZERO, 1, 0);
}

/* Without an ipc namespace, System V memory would be shared with the host and outlive the command. */
static void deny_segments(void) {
  static const int segments[] = {__NR_shmget, __NR_shmat, __NR_shmctl};
  for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) put(segments[i], DENY, 0, 0);
}

/* Without an ipc namespace, queues would be shared too. In a namespace, only a control group limits their kernel memory. */
static void deny_queues(void) {
  static const int queues[] = {__NR_semget, __NR_semctl, __NR_msgget, __NR_msgctl, __NR_mq_open, __NR_mq_unlink};
  for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) put(queues[i], DENY, 0, 0);
}

/* For Restricted and drafts without mounts: Landlock does not cover metadata, and the files may belong to the caller. */
static void deny_metadata(void) {
  static const int metadata[] = {
      __NR_fchmod, __NR_fchmodat, SYS_FCHMODAT2, __NR_fchown, __NR_fchownat, __NR_utimensat, __NR_setxattr,
      __NR_lsetxattr, __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, SYS_SETXATTRAT,
      SYS_REMOVEXATTRAT, SYS_FILE_SETATTR,
#if defined(__x86_64__)
      __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
  };
  for (size_t i = 0; i < sizeof metadata / sizeof *metadata; i++) put(metadata[i], DENY, 0, 0);
}

/* Hides other users' file access in shared directories. Programs that watch files fall back to polling. */
static void deny_watching(void) {
  static const int watching[] = {
#ifdef __NR_inotify_init
      __NR_inotify_init,
#endif
      __NR_inotify_init1, __NR_inotify_add_watch,
  };
  for (size_t i = 0; i < sizeof watching / sizeof *watching; i++) put(watching[i], ABSENT, 0, 0);
}

/*
 * A census (census.c) counts memory maps and the descriptors of a process's first thread. A thread must therefore not have
 * separate descriptors, no process may hide its descriptors from the bot's user, and uncounted Landlock rules must not pile up
 * in the kernel.
 */
static void deny_hiding(void) {
  put(SYS_CLOSE_RANGE, NOT_BITS, 2, 2 /* CLOSE_RANGE_UNSHARE */);
  if (!host.root) put(__NR_prctl, NOT_HIDDEN, 0, 0);
  if ((host.controls & CONTROL_MEMORY) == 0) put(SYS_LANDLOCK_CREATE_RULESET, ABSENT, 0, 0);
}

static void network(const struct spec *spec) {
  put(__NR_socketpair, PAIR, 0, 0);
  if (!spec->egress) {
    /* Socket pairs send messages without an address, including descriptors, which are not counted in transit. */
    static const int sockets[] = {__NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4, __NR_sendmsg, __NR_sendmmsg};
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++) put(sockets[i], DENY, 0, 0);
    return;
  }
  put(__NR_socket, SOCKET, 0, host.abi >= 9 ? 1 : NO_FAMILY);
  put(__NR_sendto, NOT_BITS, 3, FAST_OPEN);
  put(__NR_sendmsg, NOT_BITS, 2, FAST_OPEN);
  put(__NR_sendmmsg, NOT_BITS, 3, FAST_OPEN);
  put(__NR_setsockopt, SOCKET_OPTION, 0, 0);
  if (spec->profile == FETCH) {
    put(__NR_listen, DENY, 0, 0);
    put(__NR_accept, DENY, 0, 0);
    put(__NR_accept4, DENY, 0, 0);
  }
}

static void put(int nr, enum how how, uint8_t argument, uint32_t bits) {
  if (filled >= MAX_RULES) refuse_plain("seccomp: more rules than room");
  table[filled++] = (struct rule){nr, how, argument, bits};
}
