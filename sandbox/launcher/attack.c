#include "parley.h"
int attack(int argc, char **argv) { (void)argc; (void)argv; return 0; }
