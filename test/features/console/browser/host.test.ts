/** The status page and all conversations in a real Chromium. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { asked, phase } from "../../../adapters/http/ask.ts";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  screenshot,
} from "../../../browser/browser.ts";

const WHOLE = { width: 1_280, height: 800 };

/** How far down what stands in the place of a thread is shown. */
const top = (page: Page): Promise<number> =>
  page.locator("#scroll").evaluate(({ scrollTop }: { readonly scrollTop: number }) => scrollTop);

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

describe.skipIf(chromiumPath === null)("the page of whoever looks after the host", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    rig = await createRig();
    browser = await launchBrowser();
    ({ page, faults } = await browser.open(rig.url));
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  const shot = async (name: string): Promise<void> => {
    const where = process.env["SHOTS"];
    if (where !== undefined) await screenshot(page, where, name);
  };

  it("shows what waits for a decision, with the way to it", async () => {
    const { id } = await asked(rig);
    await page.setViewportSize({ ...WHOLE, height: 400 });
    await page.goto(`${rig.origin}/#/c/${id}`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("region", { name: "Waiting for approval" }).getByRole("link").waitFor();
    const text = await page.locator(".board").textContent();
    for (const part of [
      "Surfaces",
      "Consoleon",
      "Slackoff (SLACK_BOT_TOKEN is not set)",
      "T0, Landlock ABI 6",
      "Remains openOne leak.",
      "0.0.0-test",
    ]) {
      expect(text).toContain(part);
    }
    expect(await page.title()).toBe("Status – Parley");
    expect(await page.getByLabel("Message", { exact: true }).isVisible()).toBe(false);
    await shot("status");
    expect(await top(page)).toBe(0);
    await page.setViewportSize(WHOLE);
    await page.getByRole("region", { name: "Waiting for approval" }).getByRole("link").click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(page.url()).toContain(`#/c/${id}`);
    await rig.call("POST", `/api/conversations/${id}/actions`, { action: "stop" });
    await phase(rig, id, "idle");
  });

  it("says that a silent host is not reached, and reads the board again when it answers", async () => {
    await page.evaluate(`{
      const [bound, later] = [AbortSignal.timeout, setTimeout];
      AbortSignal.timeout = (most) => bound.call(AbortSignal, Math.min(most, 200));
      window.setTimeout = (act, wait) => later(act, Math.min(wait, 200));
    }`);
    let isSilent = true;
    await page.route("**/api/status", (route) => (isSilent ? undefined : route.continue()));
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByText("The host cannot be reached.").waitFor();
    isSilent = false;
    await page.getByRole("region", { name: "Surfaces" }).waitFor();
    await page.unroute("**/api/status");
    await page.reload();
  });

  it("lists all conversations, and finds what was said with the words marked and nothing run", async () => {
    rig.script.answer({ pieces: ["The <img src=x onerror=alert(1)> lighthouse is lit."] });
    const id = await rig.begin();
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Who lights the lighthouse?" });
    await phase(rig, id, "idle");
    await page.getByRole("link", { name: "Search" }).click();
    await page.locator(".found li").nth(1).waitFor();
    await rig.call("PATCH", `/api/conversations/${await rig.begin()}`, { title: "Put away", archived: true });
    await page.getByRole("button", { name: "Show archived" }).click();
    await page.locator(".found li", { hasText: "Put away" }).getByText("archived").waitFor();
    expect(await page.getByRole("button", { name: "Show archived" }).isVisible()).toBe(false);
    await page.getByLabel("Search", { exact: true }).fill("LIGHTH");
    await page.locator(".found mark").nth(2).waitFor();
    expect(await page.locator(".found mark").allTextContents()).toEqual([
      "lighthouse",
      "lighthouse",
      "lighthouse",
    ]);
    // What is found in one conversation stands together.
    expect(await page.locator(".found li").count()).toBe(1);
    expect(await page.locator(".found .snippet").first().textContent()).toContain(
      "<img src=x onerror=alert(1)>",
    );
    expect(page.url()).toContain("#/search?q=LIGHTH");
    await shot("search");
    await page.getByLabel("Search", { exact: true }).fill('"nothing of it');
    await page.getByText("Nothing found.").waitFor();
    await page.goBack();
    await page.goto(`${rig.origin}/#/search?q=lit`);
    await page.locator(".found mark", { hasText: "lit" }).first().waitFor();
    await page.locator(".found a").first().click();
    await page.getByText("Who lights the lighthouse?").first().waitFor();
    expect(await page.getByLabel("Message", { exact: true }).isVisible()).toBe(true);
  });

  it("never met an error or a refusal of the content policy", () => {
    expect(faults).toEqual([]);
  });
});
