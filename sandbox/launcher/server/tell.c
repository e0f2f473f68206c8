/* Reports from a launched process to the server: fixed records, one write each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "parley.h"

void tell(int kind, int value, uint32_t mode, const char *text) {
  struct tell record = {.kind = (uint8_t)kind, .value = value, .mode = mode};
  snprintf(record.text, sizeof record.text, "%s", text);
  while (write(FD_STATUS, &record, sizeof record) < 0 && errno == EINTR) continue;
}

void refuse(const char *stage, const char *detail) {
  int error = errno;
  char text[300];
  snprintf(text, sizeof text, "%s%s%.200s: %s", stage, detail == NULL ? "" : " ", detail == NULL ? "" : detail, strerror(error));
  refuse_plain(text);
}

void refuse_plain(const char *text) {
  tell(TELL_FAILED, 125, 0, text);
  _exit(125);
}
