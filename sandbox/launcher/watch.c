/*
 * What no control group binds is looked at ten times a second and ended when it is too much. The looks of all
 * commands together take a tenth of one processor at most, so they become rarer when there are many.
 */
#define _GNU_SOURCE
#include <time.h>

#include "cgroup.h"
#include "watch.h"

#define LOOK_EVERY 100 /* ms; also how long a command runs before the first look */
#define MAX_SESSIONS 32
#define RECOUNTS 8
#define TURN_US 5000   /* of looking at once: requests wait meanwhile */

static uint64_t now_us(void);
static enum overrun find_overrun(struct slot *slot, uint64_t now);
static bool holds_too_much(pid_t root, const struct census *most);

uint64_t watch_first(void) { return now_ms() + LOOK_EVERY; }

/* Looks at those that are due, `count` of all; the rest of them is due still. */
void watch_look(struct slot **slots, size_t count) {
  uint64_t now = now_ms(), began = now_us();
  for (size_t i = 0; i < count; i++) {
    struct slot *slot = slots[i];
    if (!watch_wants(slot) || now < slot->look_at) continue;
    uint64_t before = now_us();
    if (before - began > TURN_US) return;
    enum overrun overrun = find_overrun(slot, now);
    if (overrun != OVERRUN_NONE) slot_overran(slot, overrun);
    uint64_t rest = (now_us() - before) * 10 * count / 1000;
    slot->look_at = now + (rest > LOOK_EVERY ? rest : LOOK_EVERY);
  }
}

bool watch_wants(const struct slot *slot) {
  return slot->pid != 0 && !slot->ended && slot->cause == CAUSE_NONE && (slot->verb == VERB_RUN || slot->verb == VERB_START);
}

static enum overrun find_overrun(struct slot *slot, uint64_t now) {
  /* Version 1 ends one process at a time; version 2 has ended all of them by itself. */
  if (slot->group >= 0 && !host.unified && cgroup_overran(slot->group)) return OVERRUN_MEMORY;
  struct census most = {.tasks = SIZE_MAX, .sessions = SIZE_MAX, .memory = UINT64_MAX};
  if ((host.controls & CONTROL_MEMORY) == 0) most.memory = limits_memory(slot->profile);
  if ((host.controls & CONTROL_PIDS) == 0) most.tasks = host.processes;
  /* The kernel may give each session an equal share of the processor, whatever its priority. */
  if ((host.controls & CONTROL_CPU) == 0) most.sessions = MAX_SESSIONS;
  if (host.controls != (CONTROL_MEMORY | CONTROL_PIDS | CONTROL_CPU)) {
    struct census census = census_take(slot->pid, &most);
    if (census.tasks > most.tasks || census.sessions > most.sessions) return OVERRUN_PROCESSES;
    if (census.memory > most.memory && holds_too_much(slot->pid, &most)) return OVERRUN_MEMORY;
  }
  if (slot->group >= 0 && !slot->stepped_back) slot->stepped_back = cgroup_step_back(slot->group);
  disk_look(slot, now);
  return OVERRUN_NONE;
}

/*
 * What processes share falls, as they end, to those that are counted after them. So it is counted anew as long as one
 * of those counted has ended meanwhile; who keeps ending processes is taken at the last count.
 */
static bool holds_too_much(pid_t root, const struct census *most) {
  for (int tries = 0; tries < RECOUNTS; tries++) {
    struct census census = census_take(root, most);
    if (census.memory <= most->memory) return false;
    if (census.whole) break;
  }
  return true;
}

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
