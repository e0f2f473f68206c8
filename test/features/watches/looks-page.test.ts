/** Decisions of a watch of people in a real Chromium: with reason and cost, corrected with one click, and the examples removed. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createLookRows } from "../../../src/features/watches/store/look-rows.ts";
import { createWatchRows } from "../../../src/features/watches/store/rows.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { conversationIdSchema } from "../../../src/store/schema/id.ts";
import { createRig } from "../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium } from "../../browser/browser.ts";
import { openMemory } from "../../store/in-memory.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const POST = "The <b>cart</b> crashes";

describe.skipIf(chromiumPath === null)("the decisions of a watch", () => {
  it("are listed on request, corrected with one click, and lose their examples", async () => {
    const opened = openMemory();
    const rig = await createRig({ opened });
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    await rig.call("POST", "/api/channels", { surface: "slack", place: "CGENERAL", repo: "acme/api" });
    const added = await rig.call("POST", "/api/watches", {
      surface: "slack",
      place: "CGENERAL",
      people: "",
      instructions: "Find bugs.",
    });
    expect(added.status).toBe(200);
    const listed = await rig.call("GET", "/api/watches");
    const [watch = ""] = /people-\w{4}/.exec(JSON.stringify(listed.body)) ?? [];
    const looks = createLookRows(opened.rows, silentLog);
    const conversation = conversationIdSchema.parse(await rig.begin());
    const look = {
      watch,
      surface: "slack",
      place: "CGENERAL",
      author: "slack:UBOB",
      cost: 1_200,
      conversation: null,
    } as const;
    const now = Date.now();
    await looks.put({ ...look, post: "1.1", at: now - 2_000, decision: { kind: "look" }, reason: "A bug." });
    await looks.put({
      ...look,
      post: "2.2",
      at: now,
      decision: { kind: "nothing" },
      reason: "Only chatter.",
    });
    await looks.begun({ watch, place: "CGENERAL", post: "1.1" }, conversation);
    const event = {
      watch,
      delivery: "CGENERAL/1.1",
      fingerprint: "f",
      title: "Cart",
      text: POST,
      link: null,
      at: 1,
      post: "1.1",
      person: { place: "CGENERAL", author: "slack:UBOB" },
    } as const;
    const thread = { conversation, place: "CGENERAL", message: "1.2", event, count: 1, told: 1 };
    await createWatchRows(opened.rows, silentLog).begin({ ...thread, began: 1, last: 1 }, "none");

    const { page, faults } = await browser.open(rig.url);
    await page.getByRole("link", { name: "Watches" }).click();
    const shown = page.getByRole("group", { name: watch });
    await shown.getByRole("button", { name: "Show decisions" }).click();
    const bug = shown.getByRole("listitem").filter({ hasText: "A bug." });
    await bug.getByText("worth a look").waitFor();
    await bug.getByText("$0.0012").waitFor();
    expect(await bug.getByRole("link", { name: "Thread" }).getAttribute("href")).toBe(`#/c/${conversation}`);
    await shown.getByText("Correct a decision, and the watch gets the post as an example.").waitFor();

    await bug.getByRole("button", { name: "Should be silent" }).click();
    await bug.getByText("corrected").waitFor();
    const example = shown.getByRole("listitem").filter({ hasText: POST });
    await example.getByText("silent").waitFor();
    expect(looks.corrections(watch)).toMatchObject([
      { post: "1.1", decided: "look", correct: "nothing", text: POST },
    ]);

    // The words of this post can no longer be read.
    const chatter = shown.getByRole("listitem").filter({ hasText: "Only chatter." });
    await chatter.getByRole("button", { name: "Was worth a look" }).click();
    await shown.getByText("The post cannot be read any more", { exact: false }).waitFor();
    expect(looks.corrections(watch)).toHaveLength(1);

    await example.getByRole("button", { name: "Remove" }).click();
    await bug.getByRole("button", { name: "Should be silent" }).waitFor();
    expect(looks.corrections(watch)).toEqual([]);
    expect(faults.filter((one) => !one.includes("400"))).toEqual([]);
  });
});
