/** How questions went, in a real Chromium: charts with their numbers, light and dark, small and empty, a file and a drafted page. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRig, TOKEN } from "../../adapters/http/rig.ts";
import { openWeek } from "./open-week.ts";
import { chromiumPath, launchBrowser, noChromium, screenshot } from "../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

it("its module imports files of the console below the console's path", async () => {
  const rig = await createRig({ publicUrl: "https://parley.example/parley" });
  onTestFinished(() => rig.close());
  const get = (path: string) =>
    fetch(`${rig.origin}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await (await get("/parley/src/features/digest/page/board.js")).text();
  const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name);
  expect(imports.length).toBeGreaterThan(5);
  for (const name of imports) {
    expect(name).toMatch(/^\/parley\/(?:page|src)\//);
    expect((await get(name)).status, name).toBe(200);
  }
});

describe.skipIf(chromiumPath === null)("how questions went", () => {
  it("is drawn with its numbers beneath, by week and channel, saved as a file, and a missed page is drafted", async () => {
    const rig = await createRig({ opened: openWeek() });
    onTestFinished(() => rig.close());
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CHELP", repo: "acme/api" });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));
    onTestFinished(() => rmSync(shots, { recursive: true, force: true }));
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Questions" }).click();
    const topics = page.getByRole("region", { name: "By topic" });
    await topics.getByText("webhooks retry").first().waitFor();
    await screenshot(page, shots, "light");
    const came = page.getByRole("region", { name: "Outcomes" });
    await came.getByText("As a table").click();
    expect(await came.getByRole("table", { name: "Outcomes of the questions" }).innerText()).toMatch(
      /Asked\s+6\s+Answered\s+5\s+Without an answer\s+1/,
    );
    await page.getByText("+It says nothing of the <delay>").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 1600 });
    await screenshot(page, shots, "dark-small");
    for (const bars of await page.locator(".bars").all())
      expect((await bars.boundingBox())?.width ?? Infinity).toBeLessThan(390);
    await page.setViewportSize({ width: 1280, height: 860 });
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    expect(readFileSync(await (await saving).path(), "utf8")).toContain("figure,questions,6");

    await page.getByLabel("Channel", { exact: true }).selectOption({ value: "slack:CHELP" });
    await page.getByText("In one channel.").waitFor();
    await page.getByRole("button", { name: "Week before" }).click();
    await page.getByText("No questions were asked in this week.").waitFor();
    await screenshot(page, shots, "empty");
    await page.getByRole("button", { name: "Week after" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption({ label: "All channels" });
    rig.script.answer({ pieces: ["I look for the documentation."] });
    await page.getByRole("button", { name: /^Draft the page about webhooks/ }).click();
    await page
      .getByRole("article", { name: "Answer", exact: true })
      .getByText("I look for the documentation.")
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("its numbers and its money are in the language", async () => {
    const rig = await createRig({ opened: openWeek() });
    onTestFinished(() => rig.close());
    const browser = await launchBrowser({ width: 1280, height: 1400, locale: "de" });
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Fragen" }).click();
    await page.getByText("In 2 Kanälen. Die Antworten haben 0,27\u00a0$ gekostet").waitFor();
    expect(await page.title()).toBe("Fragen – Parley");
    expect(faults).toEqual([]);
  });
});
