/*
 * Limits the disk space that a command writes on the host. The file system's free space is checked often, at no cost. If that
 * space has shrunk, a separate process walks the files and adds up all changes since the command began.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bounds.h"
#include "watch.h"

#define MIB (1024ull * 1024)
#define LOOK_EVERY 250           /* ms */
#define RESERVE (1024 * MIB)     /* with less free space, or a twentieth of a small disk, SCARCE_BYTES is allowed */
#define SCARCE_BYTES (256 * MIB)
#define MAX_FILES 2000000ull
#define WALK_SECONDS 20
#define MAX_DEPTH 128

struct sum {
  uint64_t bytes, files;
  bool partial; /* a directory was unreadable */
};

static bool read_space(const char *path, uint64_t *bytes, uint64_t *files, bool *scarce);
static pid_t measure(const struct slot *slot, uint64_t allowed);
static void add_up(int directory, time_t since, int depth, struct sum *sum);

void disk_open(struct slot *slot, const struct spec *spec) {
  if (spec->verb != VERB_RUN && spec->verb != VERB_START) return;
  slot->began_at = time(NULL) - 1;
  for (size_t i = 0; i <= spec->mount_count && slot->place_count < MAX_PLACES; i++) {
    bool tmp = i == spec->mount_count;
    if (tmp ? slot->tmp.path == NULL : !spec->mounts[i].write) continue;
    struct place *place = &slot->places[slot->place_count];
    bool scarce;
    place->path = strdup(tmp ? slot->tmp.path : spec->mounts[i].source);
    if (place->path == NULL || !read_space(place->path, &place->free_bytes, &place->free_files, &scarce)) {
      free(place->path);
      continue;
    }
    place->first_bytes = place->free_bytes;
    slot->place_count++;
  }
}

void disk_close(struct slot *slot) {
  for (size_t i = 0; i < slot->place_count; i++) free(slot->places[i].path);
  slot->place_count = 0;
}

void disk_look(struct slot *slot, uint64_t now) {
  if (slot->place_count == 0 || slot->measurer != 0 || now < slot->disk_at) return;
  slot->disk_at = now + LOOK_EVERY;
  uint64_t allowed = limits_disk(slot->profile);
  bool suspect = false;
  for (size_t i = 0; i < slot->place_count; i++) {
    struct place *place = &slot->places[i];
    uint64_t bytes, files;
    bool scarce;
    if (!read_space(place->path, &bytes, &files, &scarce)) continue;
    if (scarce && allowed > SCARCE_BYTES) allowed = SCARCE_BYTES;
    if (bytes + allowed / 8 > place->free_bytes && files + MAX_FILES / 8 > place->free_files) continue;
    suspect = true;
    place->free_bytes = bytes;
    place->free_files = files;
  }
  if (suspect) slot->measurer = measure(slot, allowed);
}

/* Reads the result of the measuring process; true if the command has written more than allowed. */
bool disk_measured(struct slot *slot, int status) {
  slot->measurer = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static bool read_space(const char *path, uint64_t *bytes, uint64_t *files, bool *scarce) {
  struct statvfs st;
  if (statvfs(path, &st) != 0) return false;
  uint64_t all = (uint64_t)st.f_blocks * st.f_frsize;
  *bytes = (uint64_t)st.f_bavail * st.f_frsize;
  *files = st.f_files == 0 ? MAX_FILES * 2 : st.f_favail; /* some file systems do not count files */
  *scarce = *bytes < (all / 20 < RESERVE ? all / 20 : RESERVE);
  return true;
}

/* The process's exit status is 1 if the command's files exceed `allowed`. */
static pid_t measure(const struct slot *slot, uint64_t allowed) {
  pid_t pid = fork();
  if (pid != 0) return pid > 0 ? pid : 0;
  struct sum sum = {0};
  uint64_t lost = 0;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || syscall(SYS_CLOSE_RANGE, 0, ~0u, 0) != 0) _exit(125);
  alarm(WALK_SECONDS);
  for (size_t i = 0; i < slot->place_count; i++) {
    const struct place *place = &slot->places[i];
    add_up(open(place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), slot->began_at, 0, &sum);
    if (place->first_bytes > place->free_bytes) lost += place->first_bytes - place->free_bytes;
  }
  /* A command that hides files is charged for all missing space. */
  if (sum.partial && lost > sum.bytes) sum.bytes = lost;
  _exit(sum.bytes > allowed || sum.files > MAX_FILES);
}

/* Follows no link and changes nothing. The kernel sets ctime, which no command can set back. */
static void add_up(int directory, time_t since, int depth, struct sum *sum) {
  DIR *list = directory < 0 || depth > MAX_DEPTH ? NULL : fdopendir(directory);
  if (list == NULL) {
    if (directory >= 0) close(directory);
    sum->partial = true;
    return;
  }
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    struct stat st;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (st.st_ctime >= since) {
      sum->files++;
      sum->bytes += (uint64_t)st.st_blocks * 512 / (st.st_nlink > 1 && !S_ISDIR(st.st_mode) ? st.st_nlink : 1);
    }
    if (S_ISDIR(st.st_mode)) add_up(openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), since, depth + 1, sum);
  }
  closedir(list);
}
