/* The launches that are under way: their output, their input, their time, their end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

#define LIVE_ROOM (512u * 1024)
#define LIVE_EVERY 50
#define CONGESTED (1024u * 1024)
#define FORCE_AFTER 1000
#define DAY (24u * 3600 * 1000)

static struct slot *slots[MAX_SLOTS];
static size_t count;

static const char *start(struct slot *slot, struct spec *spec);
static bool paused(const struct slot *slot);
static void read_output(struct slot *slot);
static void keep(struct slot *slot, const char *bytes, size_t length);
static void flush_live(struct slot *slot);
static void write_input(struct slot *slot);
static void read_status(struct slot *slot);
static void finish(struct slot *slot);
static void answer_end(const struct slot *slot);
static void release(struct slot *slot);
static void shut(int *fd);
static void sweep_strays(void);

uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void slot_open(uint32_t id, struct spec *spec) {
  struct slot *slot = calloc(1, sizeof *slot);
  const char *reason = "out of memory";
  if (slot != NULL) {
    slot->id = id;
    slot->verb = spec->verb;
    slot->output = slot->status = slot->input = -1;
    slot->began = now_ms();
    reason = start(slot, spec);
  }
  if (reason == NULL) {
    slots[count++] = slot;
    if (slot->input >= 0) say(SAY_WANT, id, NULL, 0, NULL, 0);
    return;
  }
  uint8_t done[17] = {DONE_FAILED};
  say(SAY_DONE, id, done, sizeof done, reason, strlen(reason));
  if (slot != NULL) release(slot);
}

/* Null when the process was made; what goes wrong inside it is told over the status pipe. */
static const char *start(struct slot *slot, struct spec *spec) {
  if (count >= MAX_SLOTS) return "too many commands at once";
  if (spec->timeout_ms == 0) return "no time limit given";
  slot->deadline = slot->began + (spec->timeout_ms < DAY ? spec->timeout_ms : DAY);
  slot->live = spec->live;
  slot->head_room = spec->keep_head;
  slot->tail_room = spec->keep_tail;
  slot->head = malloc(spec->keep_head + 1u);
  slot->tail = malloc(spec->keep_tail + 1u);
  if (slot->live) slot->live_bytes = malloc(LIVE_ROOM);
  if (slot->head == NULL || slot->tail == NULL || (slot->live && slot->live_bytes == NULL)) return "out of memory";
  uid_t uid = identity_uid(spec);
  if (!host.namespaces) {
    slot->tmp = tmp_create(uid);
    if (slot->tmp == NULL) return "no temporary directory can be made in /tmp";
    spec->tmp = slot->tmp;
  }
  for (size_t i = 0; i < spec->mount_count; i++) spec->mounts[i].idmap = idmap_for(spec->mounts[i].source, uid);

  int output[2], status[2], input[2] = {-1, -1};
  if (pipe2(output, O_CLOEXEC) != 0) return "no pipe: too many open files";
  if (pipe2(status, O_CLOEXEC) != 0 || (spec->has_stdin && pipe2(input, O_CLOEXEC) != 0)) {
    close(output[0]);
    close(output[1]);
    return "no pipe: too many open files";
  }
  struct channel channel = {.input = input[0], .output = output[1], .status = status[1]};
  slot->pid = launch(spec, &channel);
  int error = errno;
  close(output[1]);
  close(status[1]);
  if (input[0] >= 0) close(input[0]);
  slot->output = output[0];
  slot->status = status[0];
  slot->input = input[1];
  fcntl(slot->output, F_SETFL, O_NONBLOCK);
  fcntl(slot->status, F_SETFL, O_NONBLOCK);
  if (slot->input >= 0) fcntl(slot->input, F_SETFL, O_NONBLOCK);
  return slot->pid > 0 ? NULL : error == EAGAIN ? "the host has no room for another process" : strerror(error);
}

struct slot *slot_find(uint32_t id) {
  for (size_t i = 0; i < count; i++) {
    if (slots[i]->id == id) return slots[i];
  }
  return NULL;
}

bool slot_any(void) { return count > 0; }

/*
 * In a pid namespace the death of the supervisor is the death of all. A background command's supervisor, and one
 * without a pid namespace, is asked first: it has a line to write, or a tree that only it can reach.
 */
void slot_kill(struct slot *slot, enum cause cause) {
  if (slot->cause == CAUSE_NONE) slot->cause = cause;
  if (slot->pid == 0) return;
  if (host.namespaces && slot->verb != VERB_START) {
    kill(slot->pid, SIGKILL);
  } else {
    kill(slot->pid, cause == CAUSE_TIME ? SIGUSR1 : SIGTERM);
    if (slot->force_at == 0) slot->force_at = now_ms() + FORCE_AFTER;
  }
}

void slot_kill_all(void) {
  for (size_t i = 0; i < count; i++) slot_kill(slots[i], CAUSE_STOP);
}

/* An empty `bytes` is the end of the command's standard input. The sender waits for SAY_WANT between two pieces. */
void slot_input(struct slot *slot, const char *bytes, size_t length) {
  if (slot->input < 0 || slot->input_bytes != NULL) return;
  if (length == 0) {
    shut(&slot->input);
    return;
  }
  slot->input_bytes = malloc(length);
  if (slot->input_bytes == NULL) {
    slot_kill(slot, CAUSE_STOP);
    return;
  }
  memcpy(slot->input_bytes, bytes, length);
  slot->input_used = length;
  slot->input_done = 0;
  write_input(slot);
}

size_t slot_poll(struct pollfd *fds, struct slot **owners) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    struct slot *slot = slots[i];
    const struct pollfd wanted[] = {
        {.fd = paused(slot) ? -1 : slot->output, .events = POLLIN},
        {.fd = slot->verb == VERB_START && !slot->started ? slot->status : -1, .events = POLLIN},
        {.fd = slot->input_bytes != NULL ? slot->input : -1, .events = POLLOUT},
    };
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
      if (wanted[w].fd < 0) continue;
      owners[used] = slot;
      fds[used++] = wanted[w];
    }
  }
  return used;
}

void slot_ready(struct slot *slot, int fd, short events) {
  if (events == 0) return;
  if (fd == slot->output) read_output(slot);
  if (fd == slot->status) read_status(slot);
  if (fd == slot->input) write_input(slot);
}

int slot_tick(void) {
  uint64_t now = now_ms(), next = UINT64_MAX;
  for (size_t i = count; i > 0; i--) {
    struct slot *slot = slots[i - 1];
    if (slot->live_used > 0 && now >= slot->live_at + LIVE_EVERY) flush_live(slot);
    if (slot->pid != 0 && slot->cause == CAUSE_NONE && now >= slot->deadline) slot_kill(slot, CAUSE_TIME);
    if (slot->pid != 0 && slot->force_at != 0 && now >= slot->force_at) {
      kill(slot->pid, SIGKILL);
      slot->force_at = now + FORCE_AFTER;
    }
    if (slot->pid == 0 && !paused(slot)) {
      read_output(slot);
      if (!paused(slot)) {
        finish(slot);
        slots[i - 1] = slots[--count];
        continue;
      }
    }
    if (slot->live_used > 0 && slot->live_at + LIVE_EVERY < next) next = slot->live_at + LIVE_EVERY;
    if (slot->pid != 0 && slot->cause == CAUSE_NONE && slot->deadline < next) next = slot->deadline;
    if (slot->pid != 0 && slot->force_at != 0 && slot->force_at < next) next = slot->force_at;
  }
  if (next == UINT64_MAX) return -1;
  now = now_ms();
  return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

void slot_reap(void) {
  pid_t pid;
  int status;
  bool lost = false;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (size_t i = 0; i < count; i++) {
      if (slots[i]->pid != pid) continue;
      slots[i]->pid = 0;
      read_status(slots[i]);
      lost = lost || (!host.namespaces && !slots[i]->ended);
    }
  }
  if (lost) sweep_strays();
}

/* Full of what the reader has not taken yet: the command waits in its write. */
static bool paused(const struct slot *slot) {
  if (slot->output < 0) return false;
  if (slot->verb == VERB_GET) return say_waiting() > CONGESTED;
  return slot->live && (slot->live_used == LIVE_ROOM || (slot->live_used > 0 && say_waiting() > CONGESTED));
}

static void read_output(struct slot *slot) {
  static char bytes[65536];
  for (int turn = 0; slot->output >= 0 && !paused(slot) && turn < 16; turn++) {
    size_t room = slot->live && LIVE_ROOM - slot->live_used < sizeof bytes ? LIVE_ROOM - slot->live_used : sizeof bytes;
    ssize_t length = read(slot->output, bytes, room);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {
      shut(&slot->output);
      return;
    }
    if (slot->verb == VERB_GET) {
      say(SAY_OUTPUT, slot->id, NULL, 0, bytes, (size_t)length);
      continue;
    }
    keep(slot, bytes, (size_t)length);
    if (!slot->live) continue;
    memcpy(slot->live_bytes + slot->live_used, bytes, (size_t)length);
    slot->live_used += (size_t)length;
  }
}

/* The head fills once; the tail is a ring whose next place follows from how much has come. */
static void keep(struct slot *slot, const char *bytes, size_t length) {
  size_t first = slot->head_room - slot->head_used < length ? slot->head_room - slot->head_used : length;
  memcpy(slot->head + slot->head_used, bytes, first);
  slot->head_used += first;
  slot->total += length;
  bytes += first;
  length -= first;
  if (slot->tail_room == 0) return;
  if (length > slot->tail_room) {
    bytes += length - slot->tail_room;
    length = slot->tail_room;
  }
  size_t place = (size_t)((slot->total - slot->head_used - length) % slot->tail_room);
  size_t before = slot->tail_room - place < length ? slot->tail_room - place : length;
  memcpy(slot->tail + place, bytes, before);
  memcpy(slot->tail, bytes + before, length - before);
}

static void flush_live(struct slot *slot) {
  if (say_waiting() > CONGESTED) return;
  say(SAY_OUTPUT, slot->id, NULL, 0, slot->live_bytes, slot->live_used);
  slot->live_used = 0;
  slot->live_at = now_ms();
}

static void write_input(struct slot *slot) {
  while (slot->input >= 0 && slot->input_done < slot->input_used) {
    ssize_t length = write(slot->input, slot->input_bytes + slot->input_done, slot->input_used - slot->input_done);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length < 0) shut(&slot->input); /* the command reads no more */
    else slot->input_done += (size_t)length;
  }
  free(slot->input_bytes);
  slot->input_bytes = NULL;
  if (slot->input >= 0) say(SAY_WANT, slot->id, NULL, 0, NULL, 0);
}

static void read_status(struct slot *slot) {
  struct tell heard;
  while (slot->status >= 0 && read(slot->status, &heard, sizeof heard) == (ssize_t)sizeof heard) {
    heard.text[sizeof heard.text - 1] = '\0';
    if (heard.kind == TELL_FAILED && !slot->failed) {
      slot->failed = true;
      memcpy(slot->reason, heard.text, sizeof slot->reason);
    } else if (heard.kind == TELL_STARTED && !slot->failed) {
      slot->started = true;
      uint32_t pid = (uint32_t)slot->pid;
      say(SAY_STARTED, slot->id, &pid, sizeof pid, NULL, 0);
    } else if (heard.kind == TELL_ENDED) {
      slot->ended = true;
      slot->wait_status = heard.value;
    } else if (heard.kind == TELL_FILE) {
      slot->file_told = true;
      slot->file = heard;
    }
  }
}

static void finish(struct slot *slot) {
  if (slot->live_used > 0) {
    say(SAY_OUTPUT, slot->id, NULL, 0, slot->live_bytes, slot->live_used);
    slot->live_used = 0;
  }
  answer_end(slot);
  release(slot);
}

static void answer_end(const struct slot *slot) {
  const char *reason = slot->failed ? slot->reason : slot->cause == CAUSE_TIME ? "timed out" : "the process was killed";
  if (slot->verb == VERB_GET || slot->verb == VERB_PUT) {
    int32_t head[2] = {slot->file_told ? slot->file.value : FILE_FAILED, (int32_t)slot->file.mode};
    const char *text = slot->file_told ? slot->file.text : reason;
    say(SAY_FILE, slot->id, head, sizeof head, text, strlen(text));
    return;
  }
  uint8_t head[17];
  int32_t code = 0;
  if (slot->cause != CAUSE_NONE) head[0] = slot->cause == CAUSE_TIME ? DONE_TIMED_OUT : DONE_KILLED;
  else if (slot->failed) head[0] = DONE_FAILED;
  else if (slot->ended && WIFEXITED(slot->wait_status)) head[0] = DONE_EXITED;
  else head[0] = DONE_SIGNALLED;
  if (head[0] == DONE_EXITED) code = WEXITSTATUS(slot->wait_status);
  if (head[0] == DONE_SIGNALLED) code = slot->ended ? WTERMSIG(slot->wait_status) : SIGKILL;
  uint32_t took = (uint32_t)(now_ms() - slot->began);
  memcpy(head + 1, &code, 4);
  memcpy(head + 5, &slot->total, 8);
  memcpy(head + 13, &took, 4);
  if (head[0] == DONE_FAILED) {
    say(SAY_DONE, slot->id, head, sizeof head, reason, strlen(reason));
    return;
  }
  uint64_t beyond = slot->total - slot->head_used;
  size_t tail = beyond < slot->tail_room ? (size_t)beyond : slot->tail_room;
  size_t place = tail == 0 || tail < slot->tail_room ? 0 : (size_t)(beyond % slot->tail_room);
  char *body = malloc(slot->head_used + tail + 1);
  if (body == NULL) _exit(3);
  memcpy(body, slot->head, slot->head_used);
  memcpy(body + slot->head_used, slot->tail + place, tail - place);
  memcpy(body + slot->head_used + tail - place, slot->tail, place);
  say(SAY_DONE, slot->id, head, sizeof head, body, slot->head_used + tail);
  free(body);
}

static void release(struct slot *slot) {
  shut(&slot->output);
  shut(&slot->status);
  shut(&slot->input);
  if (slot->tmp != NULL) {
    pid_t remover = fork();
    if (remover == 0) {
      tmp_remove(slot->tmp);
      _exit(0);
    }
    free(slot->tmp);
  }
  free(slot->head);
  free(slot->tail);
  free(slot->live_bytes);
  free(slot->input_bytes);
  free(slot);
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* A supervisor was killed by somebody else: its orphans are ours now, and nobody else's. */
static void sweep_strays(void) {
  char path[64], list[8192];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : read(fd, list, sizeof list - 1);
  if (fd >= 0) close(fd);
  list[length > 0 ? length : 0] = '\0';
  for (char *at = list, *end; ; at = end) {
    long pid = strtol(at, &end, 10);
    if (end == at) return;
    bool ours = false;
    for (size_t i = 0; i < count; i++) ours = ours || slots[i]->pid == pid;
    if (!ours) kill((pid_t)pid, SIGKILL);
  }
}
