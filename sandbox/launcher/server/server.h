/* The server's side: one poll loop (serve.c), the queued replies (queue.c), the launches (slot.c). */
#ifndef PARLEY_SERVER_H
#define PARLEY_SERVER_H

#include <poll.h>
#include <time.h>

#include "confine.h"

#define MAX_SLOTS 512
#define MAX_FRAME (1024u * 1024)
#define HEADER 9 /* length of what follows it (4), type (1), id (4) */

static inline uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
static inline uint64_t now_ms(void) { return now_us() / 1000; }

/* Requests 1 to 4 are enum verb. */
enum { ASK_KILL = 5, ASK_INPUT = 6 };
enum { SAY_HELLO = 1, SAY_OUTPUT = 2, SAY_STARTED = 3, SAY_DONE = 4, SAY_WANT = 5, SAY_FILE = 6 };
enum { DONE_EXITED = 1, DONE_SIGNALLED = 2, DONE_TIMED_OUT = 3, DONE_KILLED = 4, DONE_FAILED = 5 };

/* queue.c: replies, sent as the reader accepts them. Above CONGESTED waiting bytes, producers of many replies stop. */
#define CONGESTED (1024u * 1024)
void say(uint8_t type, uint32_t id, const void *head, size_t head_length, const void *body, size_t length);
void say_flush(void);
/* Drops all further replies, because their reader is gone. */
void say_no_more(void);
size_t say_waiting(void);

enum cause { CAUSE_NONE, CAUSE_TIME, CAUSE_STOP, CAUSE_OVERRUN };
enum overrun { OVERRUN_NONE, OVERRUN_MEMORY, OVERRUN_PROCESSES, OVERRUN_DISK, OVERRUN_FILES };

/* The machine's resource use (pressure.c). */
struct pressure {
  uint64_t total, kernel, shared, tables, files, files_most;
};

/* A host directory that a command may fill, with its free space at the start and at the last check. */
#define MAX_PLACES 8
struct place {
  char *path;
  uint64_t first_bytes, free_bytes, free_files;
};

struct slot {
  uint32_t id;
  enum verb verb;
  enum profile profile;
  int group; /* control group, or -1 */
  pid_t pid; /* 0 when reaped */
  pid_t relay; /* relay of the command's network; 0 if there is none (any more) */
  int output, status, input; /* -1 when closed */
  bool live, file_told, started, ended, failed, answered, stepped_back;
  bool joins; /* has private layers, which occupy the disk until its processes end; the reply waits for that */
  bool glance; /* a quick check of open files only is due */
  bool lost; /* its supervisor was killed from outside, and not all of its processes are dead yet */
  enum cause cause;
  enum overrun overrun;
  uint64_t look_at, disk_at;
  struct pressure least; /* lowest values since the start; all zero before */
  time_t began_at;
  struct place places[MAX_PLACES];
  size_t place_count;
  pid_t measurer; /* process that adds up written files; 0 if none runs */
  uint64_t read_at; /* time of the next read after a flood of output */
  uint64_t began, deadline, asked_at, force_at, live_at;
  int wait_status;
  struct tell file;
  char reason[300];
  char *head, *tail, *live_bytes, *input_bytes;
  struct tmp tmp;
  size_t head_room, tail_room, head_used, live_used, input_used, input_done;
  uint64_t total;
  bool input_ends;
};

/* Starts `spec`, which was decoded from `bytes`; replies with the reason on failure. */
void slot_open(uint32_t id, struct spec *spec, const char *bytes, size_t length);
struct slot *slot_find(uint32_t id);
void slot_kill(struct slot *slot, enum cause cause);
void slot_kill_all(void);
size_t slot_poll(struct pollfd *fds, struct slot **owners);
void slot_ready(struct slot *slot, int fd, short events);
/* Handles every due slot. Returns the milliseconds until the next event, -1 without one. */
int slot_tick(void);
void slot_reap(void);
bool slot_any(void);
/* Whether a caller waits for a running command; background commands have no waiting caller. */
bool slot_waited_for(void);

/* warm.c: the process that waits for the next command. */
struct warm {
  pid_t pid;
  int output, status, request, group;
  struct tmp tmp;
};
/* Called when the server is idle. Makes at most one waiting process. */
void warm_prepare(void);
/*
 * Passes the request, decoded from `bytes`, to the waiting process. True if the process accepted the request; the caller then
 * owns the process.
 */
bool warm_take(struct spec *spec, const char *bytes, size_t length, struct warm *taken);
void warm_drop(void);
/* Whether `pid` is the waiting process; `ended` forgets that process. */
bool warm_is(pid_t pid, bool ended);

#define LIVE_ROOM (512u * 1024)
#define LIVE_EVERY 50 /* ms between two pieces of live output */
bool stream_paused(const struct slot *slot);
void stream_read(struct slot *slot);
void stream_flush(struct slot *slot);
/* False if memory is insufficient. */
bool stream_input(struct slot *slot, const char *bytes, size_t length);
void stream_write(struct slot *slot);
void stream_shut(int *fd);

void answer_end(const struct slot *slot);
/* For requests that did not run. */
void answer_refusal(uint32_t id, const char *reason);

#endif
