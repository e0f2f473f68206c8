/*
 * Checks resources without a control group ten times a second and ends commands above a limit. The checks of all commands
 * together use at most a tenth of one processor, so they become rarer with many commands. The whole machine is checked more
 * often, which costs little. If the machine's resources fill quickly, a quick check of the commands' open files follows
 * immediately.
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

static struct pressure pressure, felt; /* the current values, and those to compare the next with */
static uint64_t feel_at, felt_at;

/* Reads nothing yet, because most commands end before a value would be useful. */
void watch_begin(struct slot *slot) {
  uint64_t now = now_ms();
  slot->look_at = now + LOOK_EVERY;
  if (feel_at < now) feel_at = now + FEEL_EVERY;
}

uint64_t watch_next(const struct slot *slot) { return slot->glance ? 0 : slot->look_at < feel_at ? slot->look_at : feel_at; }

/* Checks the due slots among `count`; slots beyond the time limit remain due. The result is in `overrun`. */
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

/* A round of quick checks must end before the next round starts. */
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

/* Thresholds: an eightieth of the epoll entries that one user may have, which use a twenty-fifth of the memory. */
static bool fills(const struct pressure *growth) {
  return growth->kernel > growth->total / 2000 || growth->files > growth->files_most / 80 || growth->shared > growth->total / 64 ||
         growth->tables > growth->total / 64;
}

bool watch_wants(const struct slot *slot) {
  return slot->pid != 0 && !slot->ended && slot->cause == CAUSE_NONE && (slot->verb == VERB_RUN || slot->verb == VERB_START);
}

static enum overrun find_overrun(struct slot *slot, uint64_t now, size_t count) {
  /* Version 1 kills one process at a time; version 2 has already killed all processes. */
  if (slot->group >= 0 && !host.unified && cgroup_overran(slot->group)) return OVERRUN_MEMORY;
  struct pressure growth = pressure_growth(&slot->least, &pressure);
  struct census most = bounds_of(slot, &growth, count), census = {0};
  bool bound = is_bound(&growth);
  if (!bound) census = census_take(slot->pid, &most);
  if (census.tasks > most.tasks || census.sessions > most.sessions) return OVERRUN_PROCESSES;
  if (census.files > most.files || census.watches > most.watches) return OVERRUN_FILES;
  if (census.exact && census.memory > most.memory && holds_too_much(slot->pid, &most)) return OVERRUN_MEMORY;
  /* A command that hides resources is charged for the growth of all commands and other processes. */
  bool shared = (host.controls & CONTROL_MEMORY) == 0 && growth.shared > limits_memory(slot->profile);
  if (!bound && (shared || growth.kernel > growth.total / 50) && census_hides(slot->pid, shared)) return OVERRUN_MEMORY;
  if (slot->group >= 0 && !slot->stepped_back) slot->stepped_back = cgroup_step_back(slot->group);
  disk_look(slot, now);
  return OVERRUN_NONE;
}

/* Whether control groups and a separate uid enforce all limits. Open files still have a limit for the whole machine. */
static bool is_bound(const struct pressure *growth) {
  return host.root && host.controls == (CONTROL_MEMORY | CONTROL_PIDS | CONTROL_CPU) && pressure.files <= growth->files_most / 2;
}

/*
 * All commands together may use a quarter of a user's limit. Open files of the machine count only once half of the limit is in
 * use.
 */
static struct census bounds_of(const struct slot *slot, const struct pressure *growth, size_t count) {
  struct census most = {.tasks = SIZE_MAX, .sessions = SIZE_MAX, .memory = UINT64_MAX};
  uint64_t watches = pressure_watches() / 4 / count, files = growth->files_most / 4 / count;
  bool scarce = pressure.files > growth->files_most / 2;
  most.watches = watches < MAX_WATCHES ? watches : MAX_WATCHES;
  most.files = is_held(slot->profile) ? MAX_FILES : 2 * MAX_FILES;
  if (scarce && files < most.files) most.files = files;
  /* A quick check of short-lived processes would count memory twice. */
  if ((host.controls & CONTROL_MEMORY) == 0 && !slot->glance) {
    most.memory = limits_memory(slot->profile);
    most.exact = growth->tables > most.memory / 4;
  }
  if ((host.controls & CONTROL_PIDS) == 0) most.tasks = host.processes;
  /* The kernel may give each session an equal share of the processor, regardless of priority. */
  if ((host.controls & CONTROL_CPU) == 0) most.sessions = MAX_SESSIONS;
  return most;
}

/*
 * When a process ends, its share of memory passes to processes that are counted later. The count is therefore repeated while
 * counted processes end in between. If this happens at every try, the last count decides.
 */
static bool holds_too_much(pid_t root, const struct census *most) {
  for (int tries = 0; tries < RECOUNTS; tries++) {
    struct census census = census_take(root, most);
    if (!census.exact || census.memory <= most->memory) return false;
    if (census.whole) break;
  }
  return true;
}
