/** The settings of chat channels in a real Chromium: shown, set, and what is refused is said. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChannelName } from "../../../../src/ports/channels.ts";
import { createRig } from "../../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium, screenshot } from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const GENERAL: ChannelName = { kind: "named", name: "#general", note: null };
const GONE: ChannelName = { kind: "gone", why: "Slack has no such channel." };

describe.skipIf(chromiumPath === null)("the channels", () => {
  it("are listed by name with what they have, and all of it is set", async () => {
    const called = { slack: (place: string) => Promise.resolve(place === "CGENERAL" ? GENERAL : GONE) };
    const rig = await createRig({ called });
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));
    onTestFinished(() => rmSync(shots, { recursive: true, force: true }));
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CGENERAL", repo: "acme/api" });
    await rig.call("POST", "/api/channels", { surface: "slack", place: "COLD", repo: "acme/api" });
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Channels" }).click();
    const form = page.getByRole("form", { name: "#general Slack CGENERAL" });
    expect(await form.getByLabel("Repository").inputValue()).toBe("acme/api");
    await form.getByLabel("Approvers").fill("alice");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("alice names nobody of slack.").waitFor();
    await form.getByLabel("Approvers").fill("U024BE7LH");
    await form.getByLabel("Work mode").selectOption("triage");
    await form.getByLabel("Language").selectOption("Deutsch");
    await form.getByLabel("Dollars a day").fill("12.50");
    await form.getByLabel("Instructions").fill("Answer in German.\nCite lines.");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved for #general.").waitFor();
    await form.getByText(/Instructions set by You/).waitFor();
    expect(await form.getByLabel("Instructions").inputValue()).toBe("Answer in German.\nCite lines.");
    await page.getByRole("form", { name: "Slack COLD" }).getByText("Slack has no such channel.").waitFor();
    await screenshot(page, shots, "channels");
    expect(await rig.call("GET", "/api/channels")).toMatchObject({
      body: {
        channels: [
          {
            repo: "acme/api",
            mode: "triage",
            approvers: ["U024BE7LH"],
            language: "de",
            budgetUsd: 12.5,
            instructions: { text: "Answer in German.\nCite lines.", by: "console:operator" },
          },
          {},
        ],
      },
    });
    // The answer that refused stands on the console of the browser.
    expect(faults.filter((one) => !one.includes("400"))).toEqual([]);
  });
});
