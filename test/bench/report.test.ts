/** results.md and the table of docs/performance.md contain the measured results. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measured, skipped } from "./figure.ts";
import { causesIn, keptResults, PAGE, pageOf, pageOfResults, SUMMARY } from "./report.ts";
import { MOST_LINES, renderScreen } from "./screen.ts";
import { withSummary } from "./summary.ts";

test("the page is what its results and causes say: npm run bench -- report test/bench/results.json", () => {
  const page = pageOfResults();
  expect(readFileSync(PAGE, "utf8")).toBe(page);
  expect(page).not.toContain("nobody has said why");
  const summary = readFileSync(SUMMARY, "utf8");
  expect(summary).toBe(withSummary(summary, keptResults()));
  expect(summary).not.toContain("not measured");
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

test("one screen has what is asked first; what is missing says how one has it", () => {
  const lines = renderScreen(keptResults().benches).split("\n");
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThan(MOST_LINES);
  const what = "Slack, one of 6,000 characters: processor time for each";
  const why = "chat is not installed: npm run bench -- peers";
  const peers = { other: [4], away: why };
  const figures = [
    measured(what, "ms", [2], { of: "median", is: "at most", value: 0.4, than: "other" }, peers),
    measured("Slack, one of 7 characters", "ms", [1]),
  ];
  const screen = renderScreen([{ name: "answers-alone", what: "", seconds: 1, figures }]).split("\n");
  expect(screen).toHaveLength(2);
  expect(screen[1]).toMatch(
    /^answers-alone: Slack, one .* each +2 ms +over ≤ 0\.4 of other +other: 4 ms \[0\.5\]; away: chat is not installed: npm run bench -- peers$/,
  );
});
