/** Diffs as the page reads them: every change of a real unified diff is a row, whatever the lines look like. */

import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import { type Browser, chromiumPath, launchBrowser, noChromium } from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

interface Row {
  readonly kind: string;
  readonly before: number | "";
  readonly after: number | "";
  readonly text: string;
}

describe.skipIf(chromiumPath === null)("a diff", () => {
  let rig: Rig;
  let browser: Browser;
  let diffRowsOf: (diffs: readonly string[]) => Promise<readonly (readonly Row[])[]>;

  beforeAll(async () => {
    rig = await createRig();
    browser = await launchBrowser();
    const { page } = await browser.open(rig.url);
    diffRowsOf = (diffs) =>
      page.evaluate(
        `import("/page/thread/diff.js").then(({ diffRowsOf }) => ${JSON.stringify(diffs)}.map((diff) => diffRowsOf(diff)))`,
      );
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  it("shows the new and the old file, line by line, with their numbers", async () => {
    const line = fc.constantFrom("a", "b", "", " c", "- d", "-- e", "++ f", "@@ g", "\\ h", "+++ i", "--- j");
    const file = fc.array(line, { maxLength: 12 });
    const pairs = fc.sample(fc.tuple(file, file), { numRuns: 400, seed: 2 });
    const diffs = pairs.map(([a, b]) =>
      createTwoFilesPatch("x", "x", text(a), text(b), "", "", { context: 99 }),
    );
    const shown = await diffRowsOf(diffs);
    for (const [index, rows] of shown.entries()) {
      const [a, b] = pairs[index] ?? [[], []];
      if (text(a) === text(b)) continue;
      const old = rows.filter(({ kind }) => kind === "same" || kind === "removed");
      const now = rows.filter(({ kind }) => kind === "same" || kind === "added");
      expect(old.map((row) => row.text)).toEqual(a);
      expect(now.map((row) => row.text)).toEqual(b);
      expect(old.map((row) => row.before)).toEqual(a.map((_, at) => at + 1));
      expect(now.map((row) => row.after)).toEqual(b.map((_, at) => at + 1));
    }
  });
});

const text = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join("");
