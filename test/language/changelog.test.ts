import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../app/cli/host.ts";

const GROUPS = ["Added", "Changed", "Fixed", "Security", "Upgrade"];

it("each version of the changelog has a date, known groups, at most 60 lines, and short lines", () => {
  const [, ...versions] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  expect(versions.length).toBeGreaterThan(0);
  for (const version of versions) {
    const lines = version.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/);
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 200)).toEqual([]);
    const groups = lines.filter((line) => line.startsWith("### ")).map((line) => line.slice(4));
    expect(groups).toEqual(GROUPS.filter((group) => groups.includes(group)));
  }
});
