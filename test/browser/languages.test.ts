/** The console in a browser that wants another language: the page's own words, and what the host says in the thread. */

import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRig, field, TOKEN } from "../adapters/console/rig.ts";
import { openWeek } from "../adapters/console/week.ts";
import { chromiumPath, launchBrowser, noChromium } from "./browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const UPGRADE = { name: "request_mode_upgrade", input: { reason: "To edit retry.ts" } };

/** Only on request, to be looked at. */
const folder = process.env["SCREENSHOTS"];

it.skipIf(chromiumPath === null)("a browser that wants Japanese gets it", async () => {
  const rig = await createRig({ language: "es" });
  onTestFinished(() => rig.close());
  rig.script.answer({ uses: [UPGRADE] }, { pieces: ["OK."] });
  const browser = await launchBrowser({ width: 1280, height: 860, locale: "ja" });
  onTestFinished(() => browser.close());
  const { page, faults } = await browser.open(rig.url);
  await page.getByRole("heading", { name: "何を知りたいですか？" }).waitFor();
  await page.getByLabel("メッセージ", { exact: true }).fill("Add a line");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "承認", exact: true }).waitFor();
  if (folder !== undefined) await page.screenshot({ path: join(folder, "languages.png") });
  await page.getByRole("button", { name: "承認", exact: true }).click();
  await page.locator(".is-footer", { hasText: "制限なし" }).waitFor();
  expect(faults).toEqual([]);
});

it.skipIf(chromiumPath === null)(
  "the boards, their numbers and their money are in the language",
  async () => {
    const rig = await createRig({ opened: openWeek() });
    onTestFinished(() => rig.close());
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CHELP", repo: "acme/api" });
    const browser = await launchBrowser({ width: 1280, height: 1400, locale: "de" });
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Kanäle" }).waitFor();
    for (const [board, told] of Object.entries({
      channels: "Antworten werden angesehen in",
      watches: "Es gibt noch keine.",
      status: "Die stärkste von vier",
      search: "Alle Gespräche",
      questions: "In 2 Kanälen. Die Antworten haben 0,27\u00a0$ gekostet",
    })) {
      await page.evaluate(`location.hash = "#/${board}"`);
      await page.locator(".board").getByText(told).first().waitFor();
      if (folder !== undefined) await page.screenshot({ path: join(folder, `languages-${board}.png`) });
    }
    expect(faults).toEqual([]);
  },
);

it("a browser that wants none of them gets the host's, and one that wants English English", async () => {
  const rig = await createRig({ language: "es" });
  onTestFinished(() => rig.close());
  const languageFor = async (accepts: string): Promise<string> => {
    const answer = await fetch(`${rig.origin}/page/words.json`, {
      headers: { authorization: `Bearer ${TOKEN}`, "accept-language": accepts },
    });
    return field(await answer.json(), "language");
  };
  expect(await languageFor("fr, *;q=0.5")).toBe("es");
  expect(await languageFor("en-GB, de;q=0.5")).toBe("en");
});
