/* Sends replies in their order. Code that produces many replies must check say_waiting() first. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

#define REPLY_FD 1

static char *bytes;
static size_t room, used, sent;
static bool gone; /* the reader is gone */

static void append(const void *data, size_t length);

void say(uint8_t type, uint32_t id, const void *head, size_t head_length, const void *body, size_t length) {
  uint32_t size = (uint32_t)(head_length + length + HEADER - 4);
  char header[HEADER];
  memcpy(header, &size, 4);
  header[4] = (char)type;
  memcpy(header + 5, &id, 4);
  append(header, HEADER);
  append(head, head_length);
  append(body, length);
  say_flush();
}

void say_flush(void) {
  while (sent < used) {
    ssize_t count = write(REPLY_FD, bytes + sent, used - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {
      say_no_more();
      return;
    }
    sent += (size_t)count;
  }
  sent = used = 0;
  if (room > MAX_FRAME) {
    free(bytes);
    bytes = NULL;
    room = 0;
  }
}

void say_no_more(void) {
  gone = true;
  used = sent = 0;
}

size_t say_waiting(void) { return used - sent; }

static void append(const void *data, size_t length) {
  if (length == 0 || gone) return;
  if (used + length > room) {
    if (sent > 0) memmove(bytes, bytes + sent, used - sent);
    used -= sent;
    sent = 0;
    while (used + length > room) room = room == 0 ? 65536 : room * 2;
    char *grown = realloc(bytes, room);
    if (grown == NULL) _exit(3); /* every command dies with the server, so none is left without its supervisor */
    bytes = grown;
  }
  memcpy(bytes + used, data, length);
  used += length;
}
