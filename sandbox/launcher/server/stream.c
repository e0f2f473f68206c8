/* Streams between a command and the host without blocking: output that is kept and displayed, and input. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

/* A mebibyte every few milliseconds, so that a command's flood of output does not use the processor time of other commands. */
#define PIECES_AT_ONCE 16
#define FLOOD_WAIT_MS 4

static void keep(struct slot *slot, const char *bytes, size_t length);

/* Whether the buffer is full of unread output; the command then blocks in its write. */
bool stream_paused(const struct slot *slot) {
  if (slot->output < 0) return false;
  if (slot->verb == VERB_GET) return say_waiting() > CONGESTED;
  return slot->live && (slot->live_used == LIVE_ROOM || (slot->live_used > 0 && say_waiting() > CONGESTED));
}

void stream_read(struct slot *slot) {
  static char bytes[65536];
  slot->read_at = 0;
  for (int turn = 0; slot->output >= 0 && !stream_paused(slot); turn++) {
    if (turn == PIECES_AT_ONCE) {
      slot->read_at = now_ms() + FLOOD_WAIT_MS;
      return;
    }
    size_t room = slot->live && LIVE_ROOM - slot->live_used < sizeof bytes ? LIVE_ROOM - slot->live_used : sizeof bytes;
    ssize_t length = read(slot->output, bytes, room);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {
      stream_shut(&slot->output);
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

/* The head fills once. The tail is a ring whose next place follows from the number of bytes so far. */
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

void stream_flush(struct slot *slot) {
  if (say_waiting() > CONGESTED) return;
  say(SAY_OUTPUT, slot->id, NULL, 0, slot->live_bytes, slot->live_used);
  slot->live_used = 0;
  slot->live_at = now_ms();
}

void stream_write(struct slot *slot) {
  while (slot->input >= 0 && slot->input_done < slot->input_used) {
    ssize_t length = write(slot->input, slot->input_bytes + slot->input_done, slot->input_used - slot->input_done);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length < 0) stream_shut(&slot->input); /* the command has closed its input */
    else slot->input_done += (size_t)length;
  }
  free(slot->input_bytes);
  slot->input_bytes = NULL;
  if (slot->input >= 0) say(SAY_WANT, slot->id, NULL, 0, NULL, 0);
}

/* Empty `bytes` end the command's standard input. The sender waits for SAY_WANT between two pieces. */
bool stream_input(struct slot *slot, const char *bytes, size_t length) {
  if (slot->input < 0 || slot->input_bytes != NULL) return true;
  if (length == 0) {
    stream_shut(&slot->input);
    return true;
  }
  slot->input_bytes = malloc(length);
  if (slot->input_bytes == NULL) return false;
  memcpy(slot->input_bytes, bytes, length);
  slot->input_used = length;
  slot->input_done = 0;
  stream_write(slot);
  return true;
}

void stream_shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}
