/** The settings of chat channels in a real Chromium: shown, set, and what is refused is said. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRig } from "../adapters/console/rig.ts";
import { chromiumPath, launchBrowser, noChromium, screenshot } from "./browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

describe.skipIf(chromiumPath === null)("the channels", () => {
  it("are listed with what they have, and all four are set", async () => {
    const rig = await createRig();
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));
    onTestFinished(() => rmSync(shots, { recursive: true, force: true }));
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CGENERAL", repo: "acme/api" });
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Channels" }).click();
    const form = page.getByRole("form", { name: "slack CGENERAL" });
    expect(await form.getByLabel("Repository").inputValue()).toBe("acme/api");
    await form.getByLabel("Approvers").fill("alice");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("alice names nobody of slack.").waitFor();
    await form.getByLabel("Approvers").fill("U024BE7LH");
    await form.getByLabel("Work mode").selectOption("triage");
    await form.getByLabel("Dollars a day").fill("12.50");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved for slack CGENERAL.").waitFor();
    await page.getByRole("form", { name: "slack CGENERAL" }).getByText("slack CGENERAL").waitFor();
    await screenshot(page, shots, "channels");
    expect(await rig.call("GET", "/api/channels")).toMatchObject({
      body: {
        channels: [{ repo: "acme/api", mode: "triage", approvers: ["U024BE7LH"], budgetUsd: 12.5 }],
      },
    });
    // The answer that refused stands on the console of the browser.
    expect(faults.filter((one) => !one.includes("400"))).toEqual([]);
  });
});
