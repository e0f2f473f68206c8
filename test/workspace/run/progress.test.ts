import fc from "fast-check";
import { expect, test } from "vitest";
import { createMeter, readCounter } from "../../../src/workspace/run/progress.ts";
import { manualClock } from "../scene.ts";

test.each([
  [
    "Receiving objects:  45% (450/1000), 12.50 MiB | 3.20 MiB/s",
    "Receiving objects: 45% (450/1000), 12.50 MiB",
    13_107_200,
  ],
  [
    "Receiving objects: 100% (3/3), 512 bytes | 512.00 KiB/s, done.",
    "Receiving objects: 100% (3/3), 512 bytes",
    512,
  ],
  ["Receiving objects:   1% (1/99)", "Receiving objects: 1% (1/99)", null],
  ["remote: Counting objects:  20% (1/5)        ", "Counting objects: 20% (1/5)", null],
  ["Resolving deltas: 100% (9/9), done.", "Resolving deltas: 100% (9/9)", null],
  ["remote: Enumerating objects: 388726, done.        ", "Enumerating objects: 388726", null],
  ["Updating files:  50% (1/2)", "Updating files: 50% (1/2)", null],
])("%j is one of git's counters", (line, told, bytes) => {
  expect(readCounter(line)).toEqual({ line: told, bytes });
});

test.each([
  "remote: Click https://evil.example to continue",
  "remote: Receiving objects is great",
  "fatal: no",
  "",
  "Writing objects: 1% (1/2)",
])("%j is not told", (line) => {
  expect(readCounter(line)).toBeNull();
});

test("whatever a server writes, a line is printable, short and of the fixed form", () => {
  const noise = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constant("Receiving objects:  45% (1/2), 1.00 MiB \u001b[31m"),
  );
  fc.assert(
    fc.property(fc.array(noise), (parts) => {
      const clock = manualClock();
      const meter = createMeter(
        clock,
        (line) =>
          expect(line).toMatch(/^[A-Z][a-z]+ [a-z]+: (\d{1,3}% \(\d+\/\d+\)(, [\d.]+ \w+)?|\d{1,10})$/),
        (bytes) => expect(bytes).toBeGreaterThanOrEqual(0),
      );
      for (const part of parts) {
        clock.advance(1000);
        meter(Buffer.from(`${part}\r`));
      }
    }),
    { numRuns: 300 },
  );
});

test("lines come at most every 200 ms, cut anywhere; bytes come always", () => {
  const clock = manualClock();
  const lines: string[] = [];
  const bytes: number[] = [];
  const meter = createMeter(
    clock,
    (line) => lines.push(line),
    (n) => bytes.push(n),
  );
  meter(Buffer.from("Receiving objects:  10% (1/10), 1.00 KiB\rReceiving obj"));
  meter(Buffer.from("ects:  20% (2/10), 2.00 KiB\r"));
  clock.advance(199);
  meter(Buffer.from("Receiving objects:  30% (3/10), 3.00 KiB\r"));
  clock.advance(1);
  meter(Buffer.from("Receiving objects:  40% (4/10), 4.00 KiB\r"));
  expect(lines).toEqual([
    "Receiving objects: 10% (1/10), 1.00 KiB",
    "Receiving objects: 40% (4/10), 4.00 KiB",
  ]);
  expect(bytes).toEqual([1024, 2048, 3072, 4096]);
});
