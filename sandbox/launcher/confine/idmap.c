/* User namespaces for id-mapped mounts, made once for each pair of owner and command uid. */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>

#include "server.h"

#define KEPT 64

static struct {
  uid_t owner, uid;
  gid_t group;
  int fd;
} kept[KEPT];
static size_t used, oldest;

int idmap_for(const char *source, uid_t uid) {
  struct stat st;
  if (!host.root || !host.namespaces || lstat(source, &st) != 0 || st.st_uid == uid) return -1;
  for (size_t i = 0; i < used; i++) {
    if (kept[i].owner == st.st_uid && kept[i].group == st.st_gid && kept[i].uid == uid) return kept[i].fd;
  }
  int fd = idmap_userns(st.st_uid, st.st_gid, uid);
  if (fd < 0) return -1;
  size_t place = used < KEPT ? used++ : oldest++ % KEPT;
  if (kept[place].fd > 0) close(kept[place].fd);
  kept[place].owner = st.st_uid;
  kept[place].group = st.st_gid;
  kept[place].uid = uid;
  kept[place].fd = fd;
  return fd;
}
