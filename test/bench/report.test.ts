/** docs/performance.md says what was measured, and nothing else. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measured, skipped } from "./figure.ts";
import { causesIn, PAGE, pageOf, pageOfResults } from "./report.ts";

test("the page is what its results and causes say: npm run bench -- report test/bench/results.json", () => {
  const page = pageOfResults();
  expect(readFileSync(PAGE, "utf8")).toBe(page);
  expect(page).not.toContain("nobody has said why");
});

const machine = {
  at: "2026-11-25T22:00:00.000Z",
  cpu: "a processor",
  cores: 2,
  memoryMB: 24_105,
  kernel: "6.18",
  node: "24.21.0",
  uid: 0,
  load: 0.3,
};

const pageWith = (figures: Parameters<typeof pageOf>[0]["benches"][number]["figures"], causes = ""): string =>
  pageOf(
    { machine, scale: "full", benches: [{ name: "b", what: "what it does", seconds: 61, figures }] },
    causesIn(causes),
  );

test("a figure stands beside those of its peers, with the ratio's spread, what is asked and whether it holds", () => {
  const peers = { other: [2, 4, 8], away: "it is not installed" };
  const page = pageWith([
    measured("time", "ms", [1, 2, 3], { of: "median", is: "at most", value: 0.5, than: "other" }, peers),
  ]);
  expect(page).toContain("| what | Parley | other | away | asked |  |");
  expect(page).toContain(
    "| time | 2 ms (1.1 – 2.9) | 4 ms [0.5: 0.388 – 0.5] | it is not installed | ≤ 0.5 of other | holds |",
  );
});

test("what falls short has its cause beside it, and what was not measured its reason", () => {
  const figures = [
    measured("time", "ms", [7], { of: "median", is: "at most", value: 5 }),
    skipped("more", "not measured yet"),
  ];
  const page = pageWith(figures, "# how to write causes\nb: ti*\n  The disk\n  is slow.\n");
  expect(page).toContain("| time | 7 ms | ≤ 5 ms | falls short: The disk is slow. |");
  expect(page).toContain("| more |  |  | not measured yet |");
  expect(pageWith(figures)).toContain("falls short: nobody has said why");
});
