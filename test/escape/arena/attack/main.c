#define _GNU_SOURCE
#include <string.h>

#include "attack.h"

static const struct {
  const char *name;
  int (*run)(char **arguments);
  int arguments;
} verbs[] = {
    {"write", attack_write, 2},     {"metadata", attack_metadata, 1}, {"signals", attack_signals, 2},
    {"around", attack_around, 0},   {"limits", attack_limits, 1},     {"spying", attack_spying, 1},     {"network", attack_network, 2},
    {"families", attack_families, 0}, {"local", attack_local, 4},     {"kernel", attack_kernel, 0},
    {"spaces", attack_spaces, 0},   {"numbers", attack_numbers, 0},   {"terminal", attack_terminal, 1},
    {"shared", attack_shared, 2},   {"listener", listener, 2},
    {"unnamed", attack_unnamed, 1}, {"reads", attack_reads, 1},     {"outlive", attack_outlive, 1},
    {"leases", attack_leases, 2},   {"watching", attack_watching, 1}, {"ioctls", attack_ioctls, 1},
    {"machine", attack_machine, 0}, {"hiding", attack_hiding, 0},     {"watches", attack_watches, 2},
};

const char *program_path;

int main(int count, char **words) {
  program_path = words[0];
  if (count > 4 && strcmp(words[1], "without") == 0) return without(words + 2);
  for (size_t i = 0; count > 1 && i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(verbs[i].name, words[1]) != 0 || count - 2 != verbs[i].arguments) continue;
    int status = verbs[i].run(words + 2);
    printf("end\n");
    return status;
  }
  return 2;
}

void tried(const char *name, long result) {
  int error = errno;
  if (result >= 0) printf("through %s\n", name);
  else printf("%s %s\n", strerrorname_np(error) == NULL ? "?" : strerrorname_np(error), name);
  fflush(stdout);
  errno = 0;
}
