/** The menu beside each conversation, in a real Chromium: renamed, archived, brought back, deleted. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRig, field, type Rig } from "../../../adapters/http/rig.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  screenshot,
} from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

describe.skipIf(chromiumPath === null)("the list of conversations", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));

  beforeAll(async () => {
    rig = await createRig();
    browser = await launchBrowser();
    ({ page, faults } = await browser.open(rig.url));
    // The list that asks again by itself would hide whether it is told.
    await page.addInitScript("window.setInterval = () => 0");
    await page.reload();
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
    rmSync(shots, { recursive: true, force: true });
  });

  const make = async (title: string): Promise<string> => {
    const { body } = await rig.call("POST", "/api/conversations", { title });
    await page.reload();
    await page.goto(`${rig.origin}/#/c/${field(body, "id")}`);
    await page.locator("h1", { hasText: title }).waitFor();
    return field(body, "id");
  };

  const entry = (title: string) => page.locator("#sidebar .entry-title", { hasText: title });
  const choose = async (title: string, item: string): Promise<void> => {
    await page.getByRole("button", { name: `Menu of ${title}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };

  it("a conversation is renamed from its menu: the entry and the heading say so", async () => {
    const id = await make("Untidy");
    await choose("Untidy", "Rename…");
    await page.getByRole("textbox", { name: "Name" }).fill("The retry policy");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await entry("The retry policy").waitFor();
    await page.locator("h1", { hasText: "The retry policy" }).waitFor();
    expect(await rig.call("GET", `/api/conversations/${id}`)).toMatchObject({
      body: { title: "The retry policy" },
    });
  });

  it("the menu is one of the keyboard too, and Escape closes it without stopping anything", async () => {
    await page.getByRole("button", { name: "Menu of The retry policy" }).press("Enter");
    const items = page.getByRole("menuitem");
    await items.first().waitFor();
    expect(await items.allTextContents()).toEqual(["Rename…", "Archive", "Delete…"]);
    await screenshot(page, shots, "manage-menu");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Archive");
    await page.keyboard.press("Escape");
    await items.first().waitFor({ state: "detached" });
  });

  it("an archived one leaves the list and its page, and is brought back from Archived", async () => {
    await make("Old news");
    await choose("Old news", "Archive");
    await entry("Old news").waitFor({ state: "detached" });
    await page.getByLabel("Repository").waitFor();
    await page.getByRole("button", { name: "Archived", exact: true }).click();
    await entry("Old news").waitFor();
    expect(await entry("The retry policy").count()).toBe(0);
    await choose("Old news", "Bring back");
    await page.getByText("Nothing is archived.").waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await entry("Old news").waitFor();
  });

  it("one is deleted after a question, and nothing is left of it", async () => {
    const id = await make("Mistake");
    await choose("Mistake", "Delete…");
    await page.getByRole("dialog").getByText("permanently removes").waitFor();
    await screenshot(page, shots, "manage-delete");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await rig.call("GET", `/api/conversations/${id}`)).toMatchObject({ status: 200 });
    await choose("Mistake", "Delete…");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await entry("Mistake").waitFor({ state: "detached" });
    await page.getByLabel("Repository").waitFor();
    expect(await rig.call("GET", `/api/conversations/${id}`)).toMatchObject({ status: 404 });
  });

  it("the new thread of a conversation that goes on elsewhere is in the list at once", async () => {
    const id = await make("Long one");
    const entries = page.locator("#sidebar .entry");
    const { body } = await rig.call("GET", "/api/conversations");
    const before = z.object({ conversations: z.array(z.unknown()) }).parse(body).conversations.length;
    await expect.poll(() => entries.count()).toBe(before);
    rig.script.answer({ pieces: ["Short."] });
    await rig.call("POST", `/api/conversations/${id}/messages`, { text: "Begin" });
    await page.locator(".is-footer").waitFor();
    rig.script.answer({ pieces: ["A summary of all."] }, { pieces: ["Going on."] });
    await page.getByRole("button", { name: "Continue in a new thread" }).click();
    await page.getByRole("button", { name: "Continue with this summary" }).click();
    await expect.poll(() => entries.count()).toBe(before + 1);
    expect(await page.locator("#thread").textContent()).not.toContain("console:operator");
    expect(faults).toEqual([]);
  });
});
