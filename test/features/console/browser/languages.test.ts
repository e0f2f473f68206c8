/** The console in a browser that wants another language: the page's own words, and what the host says in the thread. */

import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRig, field, TOKEN } from "../../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium } from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const UPGRADE = { name: "request_mode_upgrade", input: { reason: "To edit retry.ts" } };

/** Only on request, to be looked at. */
const folder = process.env["SCREENSHOTS"];

/** What anything of the page is called, or says when it is pointed at, in words of English. */
const ENGLISH = `[...document.querySelectorAll("[aria-label], [title], [placeholder]")]
  .flatMap((one) => ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name) ?? ""))
  .filter((text) => /^[\\x20-\\x7e]*[a-z]{2}[\\x20-\\x7e]*$/.test(text))`;

const DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before\n+after\n";

const MARKDOWN = "|a|\n|-|\n|b|\n\n```\ncode\n```\n";

it.skipIf(chromiumPath === null)("a browser that wants Japanese gets it", async () => {
  const rig = await createRig({ language: "es" });
  onTestFinished(() => rig.close());
  const patch = { name: "patch", input: { path: "a.txt" } };
  rig.script.answer({ uses: [UPGRADE, patch] }, { pieces: [MARKDOWN] });
  rig.script.tool({ text: "all", diff: DIFF });
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
  for (const name of ["変更", "表"]) await page.getByRole("region", { name, exact: true }).waitFor();
  await page.getByRole("button", { name: "この回答は役に立たなかった" }).click();
  await page.getByPlaceholder("どこが間違っていましたか？").waitFor();
  // The version, the repository and the work modes are the host's own.
  const own = ["0.0.0-test", "/srv/lantern", "otherwise", "for bugs"];
  expect(await page.evaluate(ENGLISH)).toEqual(own);
  expect(faults).toEqual([]);
});

it.skipIf(chromiumPath === null)(
  "the boards, their numbers and their money are in the language",
  async () => {
    const rig = await createRig();
    onTestFinished(() => rig.close());
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CHELP", repo: "acme/api" });
    const browser = await launchBrowser({ width: 1280, height: 1400, locale: "de" });
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Kanäle" }).waitFor();
    for (const [board, told] of Object.entries({
      channels: "Antworten werden angesehen in",
      watches: "Es gibt noch keine Watches.",
      status: "Die stärkste von vier",
      search: "Alle Gespräche",
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
