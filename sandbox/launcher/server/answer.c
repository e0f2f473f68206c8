#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server.h"

#define DONE_HEAD 18 /* how (1), code (4), bytes of output (8), milliseconds (4), enum overrun (1) */

static void answer_file(const struct slot *slot, const char *reason);

void answer_end(const struct slot *slot) {
  const char *reason = slot->failed ? slot->reason : slot->cause == CAUSE_TIME ? "timed out" : "the process was killed";
  if (slot->verb == VERB_GET || slot->verb == VERB_PUT) {
    answer_file(slot, reason);
    return;
  }
  uint8_t head[DONE_HEAD];
  int32_t code = 0;
  if (slot->cause == CAUSE_OVERRUN) head[0] = DONE_SIGNALLED;
  else if (slot->cause != CAUSE_NONE) head[0] = slot->cause == CAUSE_TIME ? DONE_TIMED_OUT : DONE_KILLED;
  else if (slot->failed) head[0] = DONE_FAILED;
  else if (slot->ended && WIFEXITED(slot->wait_status)) head[0] = DONE_EXITED;
  else head[0] = DONE_SIGNALLED;
  if (head[0] == DONE_EXITED) code = WEXITSTATUS(slot->wait_status);
  if (head[0] == DONE_SIGNALLED) code = slot->ended && slot->cause == CAUSE_NONE ? WTERMSIG(slot->wait_status) : SIGKILL;
  uint32_t took = (uint32_t)(now_ms() - slot->began);
  memcpy(head + 1, &code, 4);
  memcpy(head + 5, &slot->total, 8);
  memcpy(head + 13, &took, 4);
  head[17] = (uint8_t)slot->overrun;
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

void answer_refusal(uint32_t id, const char *reason) {
  const uint8_t head[DONE_HEAD] = {DONE_FAILED};
  say(SAY_DONE, id, head, sizeof head, reason, strlen(reason));
}

static void answer_file(const struct slot *slot, const char *reason) {
  int32_t head[2] = {slot->file_told ? slot->file.value : FILE_FAILED, (int32_t)slot->file.mode};
  const char *text = slot->file_told ? slot->file.text : reason;
  say(SAY_FILE, slot->id, head, sizeof head, text, strlen(text));
}
