/** The card of a finished change in a real Chromium: what a person sees before the click, and what stands there after it (D42). */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovedWrite } from "../../../../src/ports/tools.ts";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import { toolResult } from "../../../runtime/world.ts";
import { resultOf } from "../../../threads/drafted.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  turnDone,
} from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const WORDLESS = "Write your text for this answer, then use its button again.";
const green = resultOf(2);
const shown = {
  ...green,
  result: {
    ...green.result,
    commits: [{ title: "Twice", tree: "dead".repeat(10) }, ...green.result.commits],
  },
};

describe.skipIf(chromiumPath === null)("the card of a finished change", () => {
  let rig: Rig;
  let browser: Browser;
  const errands: ApprovedWrite[] = [];
  beforeAll(async () => {
    rig = await createRig({
      drafted: {
        writes: {
          propose: ({ name }) => Promise.resolve(name === "propose" ? shown : { kind: "none" }),
          write: (_run, errand) => {
            errands.push(errand);
            const name = errand.approved.write === "open_pull_request" ? "#7" : "parley/c-1";
            return Promise.resolve({ outcome: toolResult("Done"), wrote: { kind: "done", name } });
          },
        },
        drafts: { tree: () => Promise.resolve({ kind: "tree", tree: shown.result.tree }) },
      },
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  it("names files, test, tree and who asked, shows the diff, quotes the model last, and one click applies it", async () => {
    const { page, faults } = await browser.open(rig.url);
    rig.script.answer(
      { uses: [{ name: "bash", input: { command: "curl" } }] },
      { uses: [{ name: "propose", input: { title: "T", summary: "S" } }] },
      { pieces: ["There it is."] },
    );
    rig.script.tool({ text: "200", reached: [{ host: "docs.example.org", port: 443, allowed: true }] });
    await say(page, "Try three times");
    const card = page.getByRole("group", { name: "Parley has finished a change" });
    await card.waitFor();
    const facts = (await card.locator("dl").textContent()) ?? "";
    for (const fact of [
      "Requested byYou",
      "Untrusted content read so far",
      "docs.example.org",
      "on top ofabc123456",
      "treebeefbeefb",
      "4 files, +10 −1",
      "mode +0 −0.github/workflows/test.yml",
      "binarylogo.png",
      "+1 −1src/retry.js",
      "added +9 −0test/retry.test.js",
      "Look twice: CI .github/workflows/test.yml; new binary file logo.png.",
      "Commit 1 of 2: Twice, tree deaddeadd",
      "Tested by the host with all 2 commits together, not commit by commit: npm test exited with status 0 after 4 s.",
    ])
      expect(facts).toContain(fact);
    const text = (await card.textContent()) ?? "";
    const at = [
      "Tested by the host",
      "export const ATTEMPTS = 3;",
      "3 passed",
      "Three tries, and the test passes.",
    ].map((one) => text.indexOf(one));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
    expect(await card.locator(".choices").getByRole("button").allTextContents()).toEqual(
      expect.arrayContaining([
        "Apply",
        "Open a draft pull request",
        "Ask for changes",
        "Discard",
        "Apply the first commit",
      ]),
    );
    const box = await card.boundingBox();
    expect(box?.width).toBeLessThanOrEqual(1280);
    await card.getByRole("button", { name: "Apply", exact: true }).click();
    await turnDone(page, 1);
    expect(errands).toMatchObject([{ approved: { write: "apply_draft" } }]);
    expect(await page.locator(".decided.yes").textContent()).toMatch(/Approved by you/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("asks for words before it asks for changes, and goes on with them", async () => {
    const { page } = await browser.open(rig.url);
    rig.script.answer(
      { uses: [{ name: "propose", input: { title: "T", summary: "S" } }] },
      { uses: [{ name: "propose", input: { title: "T", summary: "S" } }] },
      { pieces: ["There it is."] },
    );
    await say(page, "Try three times");
    const card = page.getByRole("group", { name: "Parley has finished a change" });
    await card.waitFor();
    await card.getByRole("button", { name: "Ask for changes" }).click();
    await page.getByText(WORDLESS).waitFor();
    await card.getByLabel("What should be changed").fill("Four tries, please.");
    await card.getByRole("button", { name: "Ask for changes" }).click();
    await page.locator(".decided.no", { hasText: "Changes requested by you" }).waitFor();
    await card.getByRole("button", { name: "Discard" }).click();
    await turnDone(page, 1);
    expect(errands.at(-1)).toMatchObject({ approved: { write: "discard_draft" } });
    await page.close();
  });

  it("has a button below an opened pull request that asks for its merge", async () => {
    const { page, faults } = await browser.open(rig.url);
    rig.script.answer(
      { uses: [{ name: "propose", input: { title: "T", summary: "S" } }] },
      { pieces: ["It is open."] },
      { pieces: ["I propose the merge."] },
    );
    await say(page, "Try three times");
    const card = page.getByRole("group", { name: "Parley has finished a change" });
    await card.getByRole("button", { name: "Open a draft pull request" }).click();
    await turnDone(page, 1);
    expect(errands.at(-1)).toMatchObject({ approved: { write: "open_pull_request" } });
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await turnDone(page, 2);
    expect(await page.locator(".is-user .said").allTextContents()).toEqual([
      "Try three times",
      "Propose the merge of #7.",
    ]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
