/** The benchmarks run, and say what they found in both forms. What they found is not looked at. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { measured } from "./figure.ts";
import { temporary } from "./temporary.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const bench = (...args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, "run.ts"), ...args],
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const figure = z.object({
  kind: z.literal("measured"),
  what: z.string().min(1),
  unit: z.string().min(1),
  samples: z.int().positive(),
  p5: z.number(),
  median: z.number(),
  p95: z.number(),
  p99: z.number(),
  target: z.object({ of: z.string(), is: z.string(), value: z.number() }).nullable(),
  ok: z.boolean().nullable(),
});
const report = z.object({
  machine: z.object({ cpu: z.string(), cores: z.int().positive(), kernel: z.string(), load: z.number() }),
  scale: z.literal("tiny"),
  benches: z.array(z.object({ name: z.string(), figures: z.array(figure).nonempty() })),
});

test("benchmarks named on the command line fill the table and the file", async () => {
  await using place = await temporary();
  const file = join(place.path, "figures.json");
  const ran = await bench("step", "transition", "--tiny", "--json", file);
  expect(ran).toMatchObject({ code: 0 });

  const { benches } = report.parse(JSON.parse(await readFile(file, "utf8")));
  expect(benches.map(({ name }) => name)).toEqual(["transition", "step"]);

  const [head, ...rows] = ran.stdout.trimEnd().split("\n");
  expect(head).toMatch(/^bench +what +n +median +p5 – p95 +p99 +target$/);
  expect(rows).toHaveLength(benches.flatMap(({ figures }) => figures).length);
  expect(rows.filter((row) => /≥ 200,000 \/s +(ok|OVER)$/.test(row))).toHaveLength(1);
  const beside = / ms +\S+ – \S+ +≤ 1\.2 of step 10 +(ok|OVER) +step 10: \S+ ms \(ours \S+ of it\)$/;
  expect(rows.filter((row) => beside.test(row))).toHaveLength(5);
});

test("an unknown name is answered with the names that there are", async () => {
  const ran = await bench("stpe");
  expect(ran.code).toBe(1);
  expect(ran.stdout).toBe("");
  expect(ran.stderr).toMatch(/no benchmark stpe\. There are: transition, step, .*workspace/);
});

test("quantiles lie between the samples in proportion, and a target holds for the one it names", () => {
  const samples = Array.from({ length: 101 }, (_, n) => 100 - n);
  const target = { of: "p99", is: "at most", value: 98.9 } as const;
  expect(measured("w", "ms", samples, target)).toMatchObject({
    p5: 5,
    median: 50,
    p95: 95,
    p99: 99,
    ok: false,
  });
  expect(measured("w", "ms", [1, 2], { ...target, of: "median" })).toMatchObject({ median: 1.5, ok: true });
  expect(() => measured("w", "ms", [])).toThrow("nothing was measured");
});
