import { configDefaults, defineConfig } from "vitest/config";
import { LongFirst } from "./test/long-first.ts";
import { MOST, MOST_WAIT } from "./test/patience.ts";

/** Tests that fill the machine on purpose or compare speeds: nothing else runs beside them. */
const ALONE = [
  "test/sandbox/bombs.test.ts",
  "test/sandbox/egress/cost.test.ts",
  "test/sandbox/hunger.test.ts",
  "test/sandbox/limits.test.ts",
  "test/adapters/text/speed.test.ts",
];

/** Where scratch directories lie in memory (test/run.ts). */
const memory = process.env["TEST_MEMORY"];

/** What a command writes into memory counts as its own, which these tests bound: their directories lie on the disk. */
const KERNEL = ["test/sandbox/**/*.test.ts", "test/escape/**/*.test.ts"];

/** One more than CI has cores: tests wait for processes, timers and the disk about a third of their time. */
const TOGETHER = { maxWorkers: 3, sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    testTimeout: MOST,
    hookTimeout: MOST,
    pool: "forks",
    // No test changes what another reads: loading everything anew for each file took a third of the time.
    isolate: false,
    setupFiles: ["test/set-up.ts"],
    // The default of a second is not enough on a busy machine.
    expect: { poll: { timeout: MOST_WAIT } },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...KERNEL, ...ALONE],
          env: memory === undefined ? {} : { TMPDIR: memory },
          ...TOGETHER,
        },
      },
      {
        extends: true,
        test: {
          name: "kernel",
          include: KERNEL,
          exclude: [...configDefaults.exclude, ...ALONE],
          ...TOGETHER,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
