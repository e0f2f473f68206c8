/* What is everybody's: leases, news of directories, the machine's asynchronous I/O, and what no census would count. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "attack.h"

int attack_leases(char **arguments) {
  int fd = open(arguments[0], O_RDONLY), folder = open(arguments[1], O_RDONLY | O_DIRECTORY);
  tried("read lease", fcntl(fd, F_SETLEASE, F_RDLCK));
  tried("write lease", fcntl(fd, F_SETLEASE, F_WRLCK));
  tried("read lease, high bits set", syscall(SYS_fcntl, fd, 0x100000000l | F_SETLEASE, F_RDLCK));
  tried("lease of a directory", fcntl(folder, F_SETLEASE, F_RDLCK));
  tried("delegation", fcntl(fd, 1040 /* F_SETDELEG */, "\0\0\0\0\0\0\0"));
  tried("news of a directory", fcntl(folder, F_NOTIFY, DN_ACCESS | DN_MULTISHOT));
  fcntl(fd, F_SETLEASE, F_UNLCK);
  return 0;
}

int attack_watching(char **arguments) {
  int fd = (int)syscall(SYS_inotify_init1, 0);
  tried("inotify_init1", fd);
#ifdef SYS_inotify_init
  tried("inotify_init", syscall(SYS_inotify_init));
#endif
  tried("inotify_add_watch", syscall(SYS_inotify_add_watch, fd, arguments[0], 0xfff));
  return 0;
}

int attack_ioctls(char **arguments) {
  static const struct {
    const char *name;
    unsigned long number;
  } calls[] = {
      {"FS_IOC_SETFLAGS", 0x40086602}, {"FS_IOC_SETVERSION", 0x40087602},  {"EXT4_IOC_SETVERSION_OLD", 0x40086604},
      {"FS_IOC_FSSETXATTR", 0x401C5820}, {"FS_IOC_SET_ENCRYPTION_POLICY", 0x800C6613}, {"FIDEDUPERANGE", 0xC0189436},
      {"EXT4_IOC_MIGRATE", 0x6609},    {"EXT4_IOC_ALLOC_DA_BLKS", 0x660C}, {"FIFREEZE", 0xC0045877},
      {"FITRIM", 0xC0185879},          {"FIOSETOWN", 0x8901},              {"SIOCSPGRP", 0x8902},
      {"NS_GET_USERNS", 0xB701},       {"BLKFLSBUF", 0x1261},
  };
  int fd = open(arguments[0], O_RDONLY);
  uint64_t zero[16] = {7};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    tried(calls[i].name, syscall(SYS_ioctl, fd, calls[i].number, zero));
  }
  tried("FS_IOC_SETVERSION, high bits set", syscall(SYS_ioctl, fd, 0x100000000ul | 0x40087602, zero));
  return 0;
}

int attack_machine(char **arguments) {
  (void)arguments;
  static char zero[256];
  unsigned long context = 0;
  tried("io_setup", syscall(SYS_io_setup, 1, &context));
  tried("io_submit", syscall(SYS_io_submit, context, 0, NULL));
  tried("io_getevents", syscall(SYS_io_getevents, context, 0, 0, NULL, NULL));
  tried("io_cancel", syscall(SYS_io_cancel, context, zero, zero));
  tried("io_destroy", syscall(SYS_io_destroy, context));
  return 0;
}

static int rest(void *unused) {
  (void)unused;
  return 0;
}

int attack_hiding(char **arguments) {
  static char stack[65536] __attribute__((aligned(16)));
  int pair[2];
  (void)arguments;
  tried("a thread with descriptors of its own", clone(rest, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_FS, NULL));
  tried("descriptors of one's own by close_range", syscall(SYS_close_range, 1000000, ~0u, 2 /* UNSHARE */));
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  memset(&control, 0, sizeof control);
  struct iovec byte = {"x", 1};
  struct mmsghdr many = {.msg_hdr = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes}};
  struct cmsghdr *header = CMSG_FIRSTHDR(&many.msg_hdr);
  *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(header), &(int){memfd_create("hidden", 0)}, sizeof(int));
  tried("a memory file under way", sendmsg(pair[0], &many.msg_hdr, 0));
  tried("a memory file under way, by sendmmsg", sendmmsg(pair[0], &many, 1, 0));
  return 0;
}


#define STEP 5000
static void hold(long wanted) {
  struct epoll_event nothing = {0};
  int event = eventfd(0, 0), epoll = -1;
  for (int key = 1000; key < 3000; key++) dup2(event, key);
  for (long made = 0; made < wanted; made++) {
    if (made % 2000 == 0) epoll = epoll_create1(0);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, (int)(1000 + made % 2000), &nothing) != 0) break;
    if (made % STEP == STEP - 1) write(1, "5000\n", 5);
  }
  sleep(20);
}

static void *hold_in_thread(void *wanted) {
  hold(atol(wanted));
  return NULL;
}

/* As fast as can be, in that many processes; in none: in the one thread that is left of a process. */
int attack_watches(char **arguments) {
  int processes = atoi(arguments[1]);
  pthread_t thread;
  prctl(PR_SET_DUMPABLE, 0); /* closed to the bot's user, where that is allowed */
  write(1, "armed\n", 6);
  if (processes == 0 && pthread_create(&thread, NULL, hold_in_thread, arguments[0]) == 0) pthread_exit(NULL);
  for (int i = 1; i < processes; i++) {
    if (fork() == 0) break;
  }
  hold(atol(arguments[0]) / processes);
  return 0;
}
