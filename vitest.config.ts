import { configDefaults, defineConfig } from "vitest/config";

/** Tests that fill the machine on purpose or compare speeds: nothing else runs beside them. */
const ALONE = [
  "test/sandbox/**/*.test.ts",
  "test/escape/**/*.test.ts",
  "test/crash/kill.test.ts",
  "test/store/cost.test.ts",
  "test/adapters/text/speed.test.ts",
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // No test changes what another reads: loading everything anew for each file took a third of the time.
    isolate: false,
    setupFiles: ["test/set-up.ts"],
    // The default of a second is not enough on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
