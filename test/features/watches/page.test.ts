/** Watches in a real Chromium: listed with their bounds and what they began, switched on, paused, resumed, bounded and removed. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { conversationIdSchema } from "../../../src/store/schema/id.ts";
import { createRig } from "../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium, screenshot } from "../../browser/browser.ts";
import { openMemory } from "../../store/in-memory.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createWatchRows } from "../../../src/features/watches/store/rows.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const EVENT = {
  watch: "alerts",
  delivery: "d1",
  fingerprint: "disk",
  title: "Disk <b>full</b>",
  text: "",
  link: null,
  at: 1_700_000_000_000,
};

describe.skipIf(chromiumPath === null)("the watches", () => {
  it("are listed with what they began, switched on, bounded, paused, resumed and removed", async () => {
    const opened = openMemory();
    const rig = await createRig({ opened });
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));
    onTestFinished(() => rmSync(shots, { recursive: true, force: true }));
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CGENERAL", repo: "acme/api" });
    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Watches" }).click();
    await page.getByText("There are no watches yet.").waitFor();

    const form = page.getByRole("form", { name: "another watch" });
    await form.getByLabel("Channel id").fill("CGENERAL");
    await form.getByLabel("When").fill("blue moon");
    await form.getByLabel("What to do").fill("Read the log.");
    await form.getByRole("button", { name: "Switch on" }).click();
    await form.getByRole("status").getByText("blue moon").waitFor();
    await form.getByLabel("When").fill("weekday 09:00 Europe/Berlin");
    await form.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("heading", { name: /^every-/ }).waitFor();
    await form.getByLabel("Trigger").selectOption("Signed webhooks");
    await form.getByLabel("Channel id").fill("CGENERAL");
    await form.getByLabel("Name").fill("alerts");
    await form.getByLabel("What to do").fill("Find the cause.");
    await form.getByRole("button", { name: "Switch on" }).click();
    const alerts = page.getByRole("group", { name: "alerts" });
    await alerts.getByText("signed webhooks").waitFor();

    await alerts.getByLabel("Threads an hour").fill("0");
    await alerts.getByRole("button", { name: "Set" }).click();
    await alerts.getByText("A watch can start 1 to 1000 threads an hour.").waitFor();
    await alerts.getByLabel("Threads an hour").fill("12");
    await alerts.getByLabel("Dollars a day").fill("none");
    await alerts.getByRole("button", { name: "Set" }).click();
    await alerts.getByText("$0.00 of", { exact: false }).waitFor({ state: "detached" });
    expect(await alerts.getByLabel("Threads an hour").inputValue()).toBe("12");

    const conversation = conversationIdSchema.parse(await rig.begin());
    const thread = { conversation, place: "CGENERAL", message: "1.1", event: EVENT, began: 1, last: 2 };
    await createWatchRows(opened.rows, silentLog).begin({ ...thread, count: 40, told: 40 }, "alerts/d1");
    await alerts.getByRole("button", { name: "Pause" }).click();
    await alerts.getByText("paused by You").waitFor();
    await alerts.getByText(/40 times/).waitFor();
    expect(await alerts.getByRole("link", { name: "Disk <b>full</b>" }).getAttribute("href")).toBe(
      `#/c/${conversation}`,
    );
    await screenshot(page, shots, "watches");
    expect(await rig.call("GET", "/api/watches")).toMatchObject({
      body: {
        watches: [
          { id: "alerts", perHour: 12, budgetUsd: null, instructions: "Find the cause." },
          { source: { kind: "schedule", text: "Read the log." }, standing: { kind: "on" } },
        ].toReversed(),
      },
    });
    await alerts.getByRole("button", { name: "Resume" }).click();
    await alerts.getByRole("button", { name: "Pause" }).waitFor();
    await alerts.getByRole("button", { name: "Remove" }).click();
    await page.getByText("alerts is removed.").waitFor();
    await alerts.waitFor({ state: "detached" });
    // The answers that refused stand on the console of the browser.
    expect(faults.filter((one) => !one.includes("400"))).toEqual([]);
  });
});
