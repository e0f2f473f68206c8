/** Budgets in a real Chromium. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createRig } from "../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium, say, turnDone } from "../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

describe.skipIf(chromiumPath === null)("the page", () => {
  it("shows what was spent today, sets a budget, and takes no word for an amount (issue 8, item 5)", async () => {
    const rig = await createRig();
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    await page.getByLabel("Repository").waitFor();
    rig.script.answer({ pieces: ["Cheap."] });
    await say(page, "Hello");
    await turnDone(page, 1);
    await page.getByTitle("Click for budgets").click();
    const dialog = page.getByRole("dialog", { name: "Budgets" });
    await dialog.getByText("$0.00 of $50.00").waitFor();
    const amount = dialog.getByLabel("Dollars a day");
    await amount.fill("plenty");
    await dialog.getByRole("button", { name: "Set" }).click();
    await dialog.getByText("Enter dollars a day as a number").waitFor();
    expect(await rig.call("GET", "/api/budgets")).toMatchObject({ body: { budgets: [{ mostUsd: 50 }] } });
    await amount.fill("$120.50");
    await amount.press("Enter");
    await dialog.getByText("$0.00 of $120.50").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await rig.call("GET", "/api/budgets")).toMatchObject({
      body: { budgets: [{ scope: "day", mostUsd: 120.5, isSet: true }] },
    });
    expect(faults).toEqual([]);
  });
});
