/*
 * What no control group binds is looked at ten times a second and ended when it is too much. The looks of all
 * commands together take a tenth of one processor at most, so they become rarer when there are many. The machine as a
 * whole is looked at more often, which costs next to nothing: when it fills quickly, a glance at what commands have open
 * is not put off.
 */
#define _GNU_SOURCE
#include "bounds.h"
#include "watch.h"

#define LOOK_EVERY 100 /* ms; also how long a command runs before the first look */
#define FEEL_EVERY 10  /* ms; in that time a processor adds 16,000 entries of epoll */
#define MAX_SESSIONS 32
#define MAX_FILES 16384
#define MAX_WATCHES 16384
#define RECOUNTS 8
#define TURN_US 5000   /* of looking at once: requests wait meanwhile */

static bool is_due(const struct slot *slot, uint64_t now);
static void feel(struct slot **slots, size_t count, uint64_t now);
static bool fills(const struct pressure *growth);
static enum overrun find_overrun(struct slot *slot, uint64_t now, size_t count);
static bool is_bound(const struct pressure *growth);
static struct census bounds_of(const struct slot *slot, const struct pressure *growth, size_t count);
static bool holds_too_much(pid_t root, const struct census *most);

static struct pressure pressure, felt; /* now, and what the next is compared with */
static uint64_t feel_at, felt_at;

/* Nothing is read yet: most commands are over before it would be of use. */
void watch_begin(struct slot *slot) {
  uint64_t now = now_ms();
  slot->look_at = now + LOOK_EVERY;
  if (feel_at < now) feel_at = now + FEEL_EVERY;
}

uint64_t watch_next(const struct slot *slot) { return slot->glance ? 0 : slot->look_at < feel_at ? slot->look_at : feel_at; }

/* Looks at those that are due, `count` of all; the rest of them is due still. What it finds is in `overrun`. */
void watch_look(struct slot **slots, size_t count) {
  uint64_t now = now_ms(), began = now_us();
  feel(slots, count, now);
  for (size_t i = 0; i < count; i++) {
    struct slot *slot = slots[i];
    if (!is_due(slot, now)) continue;
    uint64_t before = now_us();
    if (before - began > TURN_US) return;
    slot->glance = now < slot->look_at;
    slot->overrun = find_overrun(slot, now, count);
    bool glanced = slot->glance;
    slot->glance = false;
    if (glanced) continue;
    uint64_t rest = (now_us() - before) * 10 * count / 1000;
    slot->look_at = now + (rest > LOOK_EVERY ? rest : LOOK_EVERY);
  }
}

static bool is_due(const struct slot *slot, uint64_t now) { return watch_wants(slot) && (slot->glance || now >= slot->look_at); }

/* A round of glances is ended before the next is called for. */
static void feel(struct slot **slots, size_t count, uint64_t now) {
  bool any = false, due = false;
  for (size_t i = 0; i < count; i++) {
    any = any || watch_wants(slots[i]);
    due = due || is_due(slots[i], now);
  }
  if (!any || now < feel_at) return;
  feel_at = now + FEEL_EVERY;
  pressure = pressure_read();
  struct pressure growth = pressure_growth(&felt, &pressure);
  bool quick = !due && fills(&growth);
  if (quick || now >= felt_at + LOOK_EVERY) {
    felt = pressure;
    felt_at = now;
  }
  for (size_t i = 0; i < count; i++) {
    if (slots[i]->least.total == 0) slots[i]->least = pressure;
    if (quick) slots[i]->glance = true;
  }
}

/* By an eightieth of what a user's entries of epoll may take: a twenty-fifth of the memory. */
static bool fills(const struct pressure *growth) {
  return growth->kernel > growth->total / 2000 || growth->files > growth->files_most / 80 || growth->shared > growth->total / 64 ||
         growth->tables > growth->total / 64;
}

bool watch_wants(const struct slot *slot) {
  return slot->pid != 0 && !slot->ended && slot->cause == CAUSE_NONE && (slot->verb == VERB_RUN || slot->verb == VERB_START);
}

static enum overrun find_overrun(struct slot *slot, uint64_t now, size_t count) {
  /* Version 1 ends one process at a time; version 2 has ended all of them by itself. */
  if (slot->group >= 0 && !host.unified && cgroup_overran(slot->group)) return OVERRUN_MEMORY;
  struct pressure growth = pressure_growth(&slot->least, &pressure);
  struct census most = bounds_of(slot, &growth, count), census = {0};
  bool bound = is_bound(&growth);
  if (!bound) census = census_take(slot->pid, &most);
  if (census.tasks > most.tasks || census.sessions > most.sessions) return OVERRUN_PROCESSES;
  if (census.files > most.files || census.watches > most.watches) return OVERRUN_FILES;
  if (census.exact && census.memory > most.memory && holds_too_much(slot->pid, &most)) return OVERRUN_MEMORY;
  /* Who hides something answers for what all commands and others have taken meanwhile. */
  bool shared = (host.controls & CONTROL_MEMORY) == 0 && growth.shared > limits_memory(slot->profile);
  if (!bound && (shared || growth.kernel > growth.total / 50) && census_hides(slot->pid, shared)) return OVERRUN_MEMORY;
  if (slot->group >= 0 && !slot->stepped_back) slot->stepped_back = cgroup_step_back(slot->group);
  disk_look(slot, now);
  return OVERRUN_NONE;
}

/* By control groups and a uid of its own; of files the machine has so many. */
static bool is_bound(const struct pressure *growth) {
  return host.root && host.controls == (CONTROL_MEMORY | CONTROL_PIDS | CONTROL_CPU) && pressure.files <= growth->files_most / 2;
}

/* A quarter of what a user may have is for all commands; of the machine's files only once half of them are open. */
static struct census bounds_of(const struct slot *slot, const struct pressure *growth, size_t count) {
  struct census most = {.tasks = SIZE_MAX, .sessions = SIZE_MAX, .memory = UINT64_MAX};
  uint64_t watches = pressure_watches() / 4 / count, files = growth->files_most / 4 / count;
  bool scarce = pressure.files > growth->files_most / 2;
  most.watches = watches < MAX_WATCHES ? watches : MAX_WATCHES;
  most.files = is_held(slot->profile) ? MAX_FILES : 2 * MAX_FILES;
  if (scarce && files < most.files) most.files = files;
  /* A glance at processes that come and go would see memory twice. */
  if ((host.controls & CONTROL_MEMORY) == 0 && !slot->glance) {
    most.memory = limits_memory(slot->profile);
    most.exact = growth->tables > most.memory / 4;
  }
  if ((host.controls & CONTROL_PIDS) == 0) most.tasks = host.processes;
  /* The kernel may give each session an equal share of the processor, whatever its priority. */
  if ((host.controls & CONTROL_CPU) == 0) most.sessions = MAX_SESSIONS;
  return most;
}

/*
 * What processes share falls, as they end, to those that are counted after them. So it is counted anew as long as one
 * of those counted has ended meanwhile; who keeps ending processes is taken at the last count.
 */
static bool holds_too_much(pid_t root, const struct census *most) {
  for (int tries = 0; tries < RECOUNTS; tries++) {
    struct census census = census_take(root, most);
    if (!census.exact || census.memory <= most->memory) return false;
    if (census.whole) break;
  }
  return true;
}
