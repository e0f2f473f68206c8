/* The relay's loop: joins accepted connections with connections to the host and passes half-closes on. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay.h"

/* Maximum number of a command's concurrent connections; further connections wait until one ends. */
#define MAX_PAIRS 128
#define PIECE 65536

/* One direction. Bytes that the receiver has not accepted are kept, and reading pauses until the receiver accepts them. */
struct lane {
  int from, to;
  char *rest;
  size_t length, done;
  bool ended;
};
struct pair {
  struct lane out, in; /* command to host, host to command */
};

static struct pair pairs[MAX_PAIRS];
static size_t count;

static void take(int listener, const struct sockaddr_un *host_socket, uint32_t id);
static bool carry(struct pair *pair, short command, short at_host);
static bool forward(struct lane *lane);
static bool flush(struct lane *lane);
static short wanted(const struct lane *read, const struct lane *write);
static void drop(struct pair *pair);

_Noreturn void pump_connections(int listener, const struct sockaddr_un *host_socket, uint32_t id) {
  static struct pollfd fds[1 + 2 * MAX_PAIRS];
  for (;;) {
    fds[0] = (struct pollfd){.fd = count < MAX_PAIRS ? listener : -1, .events = POLLIN};
    for (size_t i = 0; i < count; i++) {
      short command = wanted(&pairs[i].out, &pairs[i].in), at_host = wanted(&pairs[i].in, &pairs[i].out);
      /* Leaves out a descriptor without wanted events, because poll would report its hang-up forever. */
      fds[1 + 2 * i] = (struct pollfd){.fd = command != 0 ? pairs[i].out.from : -1, .events = command};
      fds[2 + 2 * i] = (struct pollfd){.fd = at_host != 0 ? pairs[i].in.from : -1, .events = at_host};
    }
    if (poll(fds, 1 + 2 * count, -1) < 0) continue;
    for (size_t i = count; i > 0; i--) {
      if (carry(&pairs[i - 1], fds[2 * i - 1].revents, fds[2 * i].revents)) continue;
      drop(&pairs[i - 1]);
      pairs[i - 1] = pairs[--count];
    }
    if (fds[0].revents != 0) take(listener, host_socket, id);
  }
}

static void take(int listener, const struct sockaddr_un *host_socket, uint32_t id) {
  int command = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (command < 0) return;
  int at_host = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool joined = at_host >= 0 && connect(at_host, (const struct sockaddr *)host_socket, sizeof *host_socket) == 0 &&
                write(at_host, &id, sizeof id) == sizeof id;
  if (!joined) {
    close(command);
    if (at_host >= 0) close(at_host);
    return;
  }
  pairs[count++] = (struct pair){.out = {.from = command, .to = at_host}, .in = {.from = at_host, .to = command}};
}

/* False when the connection is over. */
static bool carry(struct pair *pair, short command, short at_host) {
  bool good = true;
  if (command != 0) good = good && (pair->in.rest == NULL || flush(&pair->in)) && forward(&pair->out);
  if (at_host != 0) good = good && (pair->out.rest == NULL || flush(&pair->out)) && forward(&pair->in);
  return good && !(pair->out.ended && pair->in.ended);
}

static bool forward(struct lane *lane) {
  static char bytes[PIECE];
  if (lane->ended || lane->rest != NULL) return true;
  ssize_t length = read(lane->from, bytes, sizeof bytes);
  if (length < 0) return errno == EAGAIN || errno == EINTR;
  if (length == 0) {
    lane->ended = true;
    return shutdown(lane->to, SHUT_WR) == 0;
  }
  ssize_t sent = write(lane->to, bytes, (size_t)length);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
  if (sent < 0) sent = 0;
  if (sent == length) return true;
  lane->length = (size_t)(length - sent);
  lane->done = 0;
  lane->rest = malloc(lane->length);
  if (lane->rest == NULL) return false;
  memcpy(lane->rest, bytes + sent, lane->length);
  return true;
}

static bool flush(struct lane *lane) {
  ssize_t sent = write(lane->to, lane->rest + lane->done, lane->length - lane->done);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  lane->done += (size_t)sent;
  if (lane->done < lane->length) return true;
  free(lane->rest);
  lane->rest = NULL;
  return true;
}

/* Events for the descriptor that `read` reads from and `write` writes to. */
static short wanted(const struct lane *read, const struct lane *write) {
  return (short)((!read->ended && read->rest == NULL ? POLLIN : 0) | (write->rest != NULL ? POLLOUT : 0));
}

static void drop(struct pair *pair) {
  close(pair->out.from);
  close(pair->in.from);
  free(pair->out.rest);
  free(pair->in.rest);
}
