/*
 * What a shell cannot say: attacks by system call (hazard K5). Each prints a line of its own, `through NAME` when
 * the kernel let it happen, else the name of its refusal. Written from scratch beside the launcher's own self-test,
 * so that a mistake in one is not repeated in the other. The same program, run outside the sandbox, is the twin.
 */
#ifndef ESCAPE_ATTACK_H
#define ESCAPE_ATTACK_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

extern const char *program_path;

/* Says how one attempt went: `result` below zero is a refusal, with errno. */
void tried(const char *name, long result);

int attack_write(char **arguments);    /* FILE FOLDER: changes to a file, and new names in a folder */
int attack_metadata(char **arguments); /* FILE: mode, owner, times, attributes, flags */
int attack_signals(char **arguments);  /* PID SIGNAL */
int attack_around(char **arguments);   /* the supervisor, and everything of the user: never to be run outside */
int attack_limits(char **arguments);   /* PID: resource limits and priorities */
int attack_spying(char **arguments);   /* PID: memory, descriptors, /proc */
int attack_network(char **arguments);  /* TCP UDP: ports of 127.0.0.1 */
int attack_families(char **arguments); /* every kind of socket that is no plain TCP, UDP or route query */
int attack_local(char **arguments);    /* STREAM DATAGRAM SEQPACKET: paths; ABSTRACT: a name */
int attack_kernel(char **arguments);   /* parts of the kernel that no command needs */
int attack_spaces(char **arguments);   /* namespaces and mounts */
int attack_numbers(char **arguments);  /* other system call tables */
int attack_terminal(char **arguments); /* PATH: terminal input, on PATH and on 0, 1, 2 */
int attack_shared(char **arguments);   /* KEY NAME: IPC objects of the host */
int attack_unnamed(char **arguments);  /* FILE: reads it from a program that lies in memory */
int attack_reads(char **arguments);    /* FILE */
int attack_outlive(char **arguments);  /* FILE: grows as long as anything of it lives */
int attack_leases(char **arguments);   /* FILE FOLDER: what makes others wait for us, or tells us of them */
int attack_watching(char **arguments); /* FOLDER */
int attack_ioctls(char **arguments);   /* FILE: what changes it, or more than it, by ioctl */
int attack_machine(char **arguments);  /* asynchronous I/O, of which the machine has so much */
int attack_hiding(char **arguments);   /* descriptors where no census sees them */
int attack_watches(char **arguments);  /* COUNT PROCESSES: entries of epoll, with a line for each 5,000; stays */
int without(char **words);             /* CALL ERROR COMMAND… */
int listener(char **arguments);        /* FOLDER NAME: the host's side, until it is killed */

#endif
