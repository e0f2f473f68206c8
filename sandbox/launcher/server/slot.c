/* The running launches: their output, input, time limit and end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "family.h"
#include "bounds.h"
#include "relay.h"
#include "watch.h"

#define FORCE_AFTER 1000 /* ms that a supervisor gets to end its command */
#define HELP_AFTER 40    /* ms that it gets alone, where there is no pid namespace that ends with it */
#define MAX_STRAYS 8192
#define DAY (24u * 3600 * 1000)

static struct slot *slots[MAX_SLOTS];
static size_t count;

static const char *start(struct slot *slot, struct spec *spec, const char *bytes, size_t length);
static const char *start_cold(struct slot *slot, struct spec *spec);
static pid_t start_process(struct slot *slot, struct spec *spec, struct channel *channel);
static void read_status(struct slot *slot);
static void finish(struct slot *slot);
static void release(struct slot *slot);
static void force(struct slot *slot, uint64_t now);
static bool scoped(void);
static bool sweep_strays(void);

void slot_open(uint32_t id, struct spec *spec, const char *bytes, size_t length) {
  layers_sweep();
  struct slot *slot = calloc(1, sizeof *slot);
  const char *reason = "out of memory";
  if (slot != NULL) {
    slot->id = id;
    slot->verb = spec->verb;
    slot->profile = spec->profile;
    slot->output = slot->status = slot->input = slot->group = -1;
    slot->began = now_ms();
    slot->joins = layers_apart(spec);
    reason = start(slot, spec, bytes, length);
  }
  if (reason == NULL) {
    watch_begin(slot);
    slots[count++] = slot;
    if (slot->input >= 0) say(SAY_WANT, id, NULL, 0, NULL, 0);
    return;
  }
  answer_refusal(id, reason);
  if (slot != NULL) release(slot);
}

/* Null if the process was made. Later failures inside it arrive over the status pipe. */
static const char *start(struct slot *slot, struct spec *spec, const char *bytes, size_t length) {
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
  struct warm warm;
  if (!warm_take(spec, bytes, length, &warm)) return start_cold(slot, spec);
  slot->pid = warm.pid;
  slot->tmp = warm.tmp;
  slot->output = warm.output;
  slot->status = warm.status;
  slot->group = warm.group;
  fcntl(slot->output, F_SETFL, O_NONBLOCK);
  fcntl(slot->status, F_SETFL, O_NONBLOCK);
  disk_open(slot, spec);
  return NULL;
}

static const char *start_cold(struct slot *slot, struct spec *spec) {
  uid_t uid = identity_uid(spec);
  if (!host.namespaces) {
    if (!tmp_create(&slot->tmp, uid)) return "no temporary directory can be made in /tmp";
    spec->tmp = slot->tmp.path;
  }
  if (host.controls != 0) {
    slot->group = cgroup_take(spec->profile, spec->verb == VERB_START);
    if (slot->group < 0) return "no control group can be made";
  }
  disk_open(slot, spec);
  for (size_t i = 0; i < spec->mount_count; i++) root_prepare(&spec->mounts[i], uid);

  int output[2], status[2], input[2] = {-1, -1};
  if (pipe2(output, O_CLOEXEC) != 0) return "no pipe: too many open files";
  if (pipe2(status, O_CLOEXEC) != 0 || (spec->has_stdin && pipe2(input, O_CLOEXEC) != 0)) {
    close(output[0]);
    close(output[1]);
    return "no pipe: too many open files";
  }
  struct channel channel = {.input = input[0], .output = output[1], .status = status[1], .group = slot->group};
  slot->pid = start_process(slot, spec, &channel);
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
  if (error == EDESTADDRREQ) return "there is no egress proxy";
  return slot->pid > 0 ? NULL : error == EAGAIN ? "the host has no room for another process" : strerror(error);
}

/* Starts the command's process after its relay, because the network must exist first. */
static pid_t start_process(struct slot *slot, struct spec *spec, struct channel *channel) {
  if (!relay_wanted(spec)) return launch(spec, channel);
  struct relay relay;
  if (host.relay_directory == NULL) errno = EDESTADDRREQ;
  if (host.relay_directory == NULL || !relay_start(slot->id, &relay)) return -1;
  slot->relay = relay.pid;
  channel->relay = &relay;
  pid_t pid = launch(spec, channel);
  int error = errno;
  relay_release(&relay);
  errno = error;
  return pid;
}

struct slot *slot_find(uint32_t id) {
  for (size_t i = 0; i < count; i++) {
    if (slots[i]->id == id) return slots[i];
  }
  return NULL;
}

bool slot_any(void) { return count > 0; }

bool slot_waited_for(void) {
  for (size_t i = 0; i < count; i++) {
    if (!slots[i]->answered && slots[i]->verb != VERB_START) return true;
  }
  return false;
}

/*
 * In a pid namespace the supervisor's death ends everything. Two kinds of supervisor get a signal first: a supervisor of a
 * background command, which writes a last line, and a supervisor without a pid namespace, which alone can reach its tree.
 */
void slot_kill(struct slot *slot, enum cause cause) {
  if (slot->cause == CAUSE_NONE) slot->cause = cause;
  if (slot->pid == 0) return;
  if (host.namespaces && slot->verb != VERB_START) {
    kill(slot->pid, SIGKILL);
  } else {
    kill(slot->pid, cause == CAUSE_TIME ? SIGUSR1 : cause == CAUSE_OVERRUN ? SIGUSR2 : SIGTERM);
    if (slot->force_at != 0) return;
    slot->asked_at = now_ms();
    slot->force_at = slot->asked_at + (host.namespaces ? FORCE_AFTER : HELP_AFTER);
  }
}

/*
 * In a pid namespace the supervisor's end ends the tree. Elsewhere, only a supervisor in its scope can kill an endlessly
 * forking tree at once, and the supervisor may be waiting for processor time behind that tree. The server therefore helps the
 * supervisor, and kills it only when nothing else is alive. A supervisor without a scope may have been stopped by its command.
 */
static void force(struct slot *slot, uint64_t now) {
  bool alive = !host.namespaces && family_end(slot->pid);
  if (!scoped() && slot->group >= 0) cgroup_kill(slot->group);
  if (!scoped() || (!alive && now >= slot->asked_at + FORCE_AFTER)) kill(slot->pid, SIGKILL);
  slot->force_at = now_ms() + HELP_AFTER;
}

/* Whether a command can neither stop nor kill its supervisor. */
static bool scoped(void) { return host.namespaces || (rights_known(host.abi).scoped & LL_SCOPE_SIGNAL) != 0; }

void slot_kill_all(void) {
  for (size_t i = 0; i < count; i++) slot_kill(slots[i], CAUSE_STOP);
}

size_t slot_poll(struct pollfd *fds, struct slot **owners) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    struct slot *slot = slots[i];
    const struct pollfd wanted[] = {
        {.fd = stream_paused(slot) || (slot->read_at != 0 && now_ms() < slot->read_at) ? -1 : slot->output, .events = POLLIN},
        {.fd = slot->status, .events = POLLIN},
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
  if (fd == slot->output) stream_read(slot);
  if (fd == slot->status) read_status(slot);
  if (fd == slot->input) stream_write(slot);
}

int slot_tick(void) {
  watch_look(slots, count);
  uint64_t now = now_ms(), next = UINT64_MAX;
  for (size_t i = count; i > 0; i--) {
    struct slot *slot = slots[i - 1];
    if (slot->live_used > 0 && now >= slot->live_at + LIVE_EVERY) stream_flush(slot);
    if (slot->overrun != OVERRUN_NONE && watch_wants(slot)) slot_kill(slot, CAUSE_OVERRUN);
    if (slot->pid != 0 && !slot->ended && slot->cause == CAUSE_NONE && now >= slot->deadline) slot_kill(slot, CAUSE_TIME);
    if (slot->pid != 0 && slot->force_at != 0 && now >= slot->force_at) {
      force(slot, now);
    }
    if (!slot->answered && ((slot->ended && !slot->joins) || (slot->pid == 0 && !slot->lost)) && !stream_paused(slot)) {
      stream_read(slot);
      if (!stream_paused(slot)) finish(slot);
    }
    if (slot->answered && slot->pid == 0) {
      release(slot);
      slots[i - 1] = slots[--count];
      continue;
    }
    /* If the reader does not read, the loop waits instead of polling again and again. */
    bool shows = slot->live_used > 0 && say_waiting() <= CONGESTED;
    if (shows && slot->live_at + LIVE_EVERY < next) next = slot->live_at + LIVE_EVERY;
    if (slot->pid != 0 && !slot->ended && slot->cause == CAUSE_NONE && slot->deadline < next) next = slot->deadline;
    if (slot->pid != 0 && slot->force_at != 0 && slot->force_at < next) next = slot->force_at;
    if (watch_wants(slot) && watch_next(slot) < next) next = watch_next(slot);
    if (slot->read_at > now && slot->read_at < next) next = slot->read_at;
  }
  if (next == UINT64_MAX) return -1;
  now = now_ms();
  return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

void slot_reap(void) {
  pid_t pid;
  int status;
  bool known = true;
  for (size_t i = 0; i < count; i++) known = known && !slots[i]->lost;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    bool ours = tmp_remover(pid, true) || warm_is(pid, true);
    for (size_t i = 0; i < count; i++) {
      struct slot *slot = slots[i];
      ours = ours || slot->measurer == pid || slot->relay == pid || slot->pid == pid;
      if (slot->measurer == pid && disk_measured(slot, status) && watch_wants(slot)) {
        slot->overrun = OVERRUN_DISK;
        slot_kill(slot, CAUSE_OVERRUN);
      }
      if (slot->relay == pid) slot->relay = 0;
      if (slot->pid != pid) continue;
      slot->pid = 0;
      read_status(slot);
      bool supervised = slot->verb == VERB_RUN || slot->verb == VERB_START;
      slot->lost = !host.namespaces && supervised && !slot->ended && !slot->failed;
      ours = ours && !slot->lost;
    }
    known = known && ours;
  }
  /* Kills one generation after the other, because killed processes may have had children. */
  if (known || sweep_strays()) return;
  for (size_t i = 0; i < count; i++) slots[i]->lost = false;
}

static void read_status(struct slot *slot) {
  struct tell heard;
  ssize_t length = -1;
  while (slot->status >= 0 && (length = read(slot->status, &heard, sizeof heard)) == (ssize_t)sizeof heard) {
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
  if (length == 0) stream_shut(&slot->status);
}

/*
 * Every process of the command has ended: the supervisor has reported the end, or is dead. The supervisor may still be exiting.
 */
static void finish(struct slot *slot) {
  if (slot->live_used > 0) {
    say(SAY_OUTPUT, slot->id, NULL, 0, slot->live_bytes, slot->live_used);
    slot->live_used = 0;
  }
  if (slot->overrun == OVERRUN_NONE && slot->group >= 0 && cgroup_overran(slot->group)) slot->overrun = OVERRUN_MEMORY;
  answer_end(slot);
  slot->answered = true;
  stream_shut(&slot->output);
  stream_shut(&slot->input);
  tmp_remove(&slot->tmp);
}

static void release(struct slot *slot) {
  if (slot->group >= 0) cgroup_release(slot->group);
  if (slot->measurer != 0) kill(slot->measurer, SIGKILL);
  disk_close(slot);
  stream_shut(&slot->output);
  stream_shut(&slot->status);
  stream_shut(&slot->input);
  if (slot->relay != 0) kill(slot->relay, SIGKILL);
  tmp_remove(&slot->tmp);
  free(slot->head);
  free(slot->tail);
  free(slot->live_bytes);
  free(slot->input_bytes);
  free(slot);
}

/* A supervisor was killed from outside, so its orphans belong to the server alone. True while orphans remain. */
static bool sweep_strays(void) {
  static pid_t children[MAX_STRAYS];
  size_t found = family_children(getpid(), 1, children, MAX_STRAYS);
  bool strays = false;
  for (size_t c = 0; c < found; c++) {
    pid_t pid = children[c];
    bool ours = tmp_remover(pid, false) || warm_is(pid, false);
    for (size_t i = 0; i < count; i++) ours = ours || slots[i]->pid == pid || slots[i]->measurer == pid || slots[i]->relay == pid;
    if (ours) continue;
    kill(pid, SIGKILL); /* a child keeps its number until it is reaped */
    family_end(pid);
    strays = true;
  }
  return strays;
}
