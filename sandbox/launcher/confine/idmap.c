/* User namespaces for id-mapped mounts, made once for each pair of owner and command uid. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

#define KEPT 64

static struct {
  uid_t owner, uid;
  gid_t group;
  int fd;
} kept[KEPT];
static size_t used, oldest;

static void swap_map(char *out, size_t size, unsigned owner, unsigned uid);

int idmap_for(const char *source, uid_t uid) {
  struct stat st;
  if (!host.root || !host.namespaces || lstat(source, &st) != 0 || st.st_uid == uid) return -1;
  for (size_t i = 0; i < used; i++) {
    if (kept[i].owner == st.st_uid && kept[i].group == st.st_gid && kept[i].uid == uid) return kept[i].fd;
  }
  char users[256], groups[256];
  swap_map(users, sizeof users, st.st_uid, uid);
  swap_map(groups, sizeof groups, st.st_gid, uid);
  int fd = namespace_make(CLONE_NEWUSER, users, groups);
  if (fd < 0) return -1;
  size_t place = used < KEPT ? used++ : oldest++ % KEPT;
  if (kept[place].fd > 0) close(kept[place].fd);
  kept[place].owner = st.st_uid;
  kept[place].group = st.st_gid;
  kept[place].uid = uid;
  kept[place].fd = fd;
  return fd;
}

/* Swaps the mount's owner and the command's uid, so that files written by the command belong to the owner on the host. */
static void swap_map(char *out, size_t size, unsigned owner, unsigned uid) {
  unsigned low = owner < uid ? owner : uid;
  unsigned high = owner < uid ? uid : owner;
  size_t length = 0;
  if (low > 0) length += (size_t)snprintf(out + length, size - length, "0 0 %u\n", low);
  length += (size_t)snprintf(out + length, size - length, "%u %u 1\n", low, high);
  if (high > low + 1) length += (size_t)snprintf(out + length, size - length, "%u %u %u\n", low + 1, low + 1, high - low - 1);
  length += (size_t)snprintf(out + length, size - length, "%u %u 1\n", high, low);
  snprintf(out + length, size - length, "%u %u %u\n", high + 1, high + 1, 4294967294u - high);
}
