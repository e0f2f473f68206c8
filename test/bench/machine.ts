/** Facts of the machine that a figure was measured on. */

import { availableParallelism, cpus, getPriority, loadavg, release, totalmem } from "node:os";

export const machineFacts = () => ({
  at: new Date().toISOString(),
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  arch: process.arch,
  memoryMB: Math.round(totalmem() / 2 ** 20),
  kernel: release(),
  node: process.versions.node,
  uid: process.getuid?.() ?? null,
  /** Below zero: ahead of whatever else runs, as `nice -n -19 npm run bench` makes it on a busy machine. */
  niceness: getPriority(),
  /** Of the last minute: what else the machine had to do. */
  load: loadavg()[0] ?? 0,
});
