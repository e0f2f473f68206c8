/** The page in a real Chromium, in front of the real runtime: what a person sees and does (BED-011). */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  screenshot,
  turnDone,
} from "../../../browser/browser.ts";

const gate = () => Promise.withResolvers<void>();

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

const UPGRADE = { name: "request_mode_upgrade", input: { reason: "To edit <b>retry.ts</b>" } };

const DIFF = `--- a/retry.ts
+++ b/retry.ts
@@ -1,2 +1,2 @@
-export const ATTEMPTS = 3;
+export const ATTEMPTS = 5;
 export const DELAY = 1;
`;

describe.skipIf(chromiumPath === null)("the page", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  const shots = mkdtempSync(join(tmpdir(), "parley-shots-"));

  beforeAll(async () => {
    rig = await createRig();
    browser = await launchBrowser();
    ({ page, faults } = await browser.open(rig.url));
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
    rmSync(shots, { recursive: true, force: true });
  });

  const fresh = async (): Promise<void> => {
    rig.script.clear();
    await page.goto(`${rig.origin}/#/`);
    await page.getByLabel("Repository").waitFor();
  };

  it("opens by the link, which leaves no token in the address", async () => {
    await page.getByLabel("Repository").waitFor();
    expect(page.url()).toBe(`${rig.origin}/`);
    expect(await page.getByLabel("Repository").inputValue()).toBe("/srv/lantern");
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  it("a first message makes the conversation, and the answer streams in before it is whole", async () => {
    const held = Promise.withResolvers<void>();
    rig.script.answer({ pieces: ["The policy is ", "in **retry.ts**"], until: held.promise });
    await say(page, "Where is the retry policy?");
    await page.locator(".live strong", { hasText: "retry.ts" }).waitFor();
    expect(await page.locator(".is-footer").count()).toBe(0);
    await page.getByText("Thinking").waitFor();
    held.resolve();
    await turnDone(page, 1);
    expect(await page.locator(".is-answer strong").allTextContents()).toEqual(["retry.ts"]);
    expect(await page.locator("h1").first().textContent()).toBe("Where is the retry policy?");
    expect(page.url()).toMatch(/#\/c\/c-/);
  });

  it("an answer is judged below it, and a thumb down is asked why", async () => {
    const judge = page.locator(".is-footer .judge");
    await judge.getByLabel("This answer did not help").click();
    await judge.getByLabel("Reason for your vote, optional").fill("It is in backoff.ts.");
    await judge.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Maintainers read your comment, without your name.").waitFor();
    await judge.getByLabel("This answer helped").click();
    await judge.locator('[aria-pressed="true"][aria-label="This answer helped"]').waitFor();
    expect(await judge.locator("form").isVisible()).toBe(false);
  });

  it("a change is asked for, approved and shown", async () => {
    rig.script.answer(
      { uses: [UPGRADE, { name: "patch", input: { path: "retry.ts" } }] },
      { pieces: ["Done."] },
    );
    rig.script.tool({ text: "all", diff: DIFF });
    await say(page, "Make it five");
    const card = page.getByRole("group", { name: "Parley asks for write access" });
    await card.waitFor();
    expect(await card.locator("blockquote").textContent()).toBe("To edit <b>retry.ts</b>");
    const facts = await card.locator("dl").textContent();
    expect(facts).toContain("/srv/lantern");
    expect(facts).toContain("Untrusted content read so farnone");
    expect(await page.title()).toMatch(/^\(!\)/);
    await page.locator(".badge", { hasText: /^Restricted/ }).waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await turnDone(page, 2);
    await page.locator(".badge", { hasText: "Unrestricted" }).waitFor();
    expect(await page.locator(".row.added .text").allTextContents()).toEqual(["export const ATTEMPTS = 5;"]);
    expect(await page.locator(".row.removed .text").allTextContents()).toEqual([
      "export const ATTEMPTS = 3;",
    ]);
    await page.getByText("Approved by you").waitFor();
    await page.locator(".head").getByRole("button", { name: "Restrict" }).click();
    await page.locator(".badge", { hasText: /^Restricted/ }).waitFor();
  });

  it("D53 a question of the agent takes a choice or other words, and then says who answered what", async () => {
    const ask = { name: "ask_person", input: { question: "Which cache?", choices: ["In memory", "Redis"] } };
    rig.script.answer({ uses: [ask] }, { uses: [ask] }, { pieces: ["Both are noted."] });
    await say(page, "Add a cache");
    const card = page.getByRole("group", { name: "Parley asks a question" });
    await card.waitFor();
    expect(await card.locator("blockquote").textContent()).toBe("Which cache?");
    expect(await card.getByRole("button").allTextContents()).toEqual(["In memory", "Redis", "Other …"]);
    await card.getByRole("button", { name: "Redis" }).click();
    await page
      .locator("details.decided", { hasText: "Answered by you" })
      .filter({ hasText: "Redis" })
      .waitFor();
    await card.getByLabel("An answer in your own words").fill("SQLite");
    await card.getByRole("button", { name: "Other …" }).click();
    await page
      .locator("details.decided", { hasText: "Answered by you" })
      .filter({ hasText: "SQLite" })
      .waitFor();
    await page.getByText("Both are noted.").waitFor();
  });

  it("a reload shows the same thread, nothing lost and nothing twice, and keeps the draft", async () => {
    const keys = () =>
      page.locator(".post").evaluateAll((posts) => posts.map((post) => post.getAttribute("data-key")));
    const before = await keys();
    await page.getByLabel("Message", { exact: true }).fill("half a thou");
    await page.reload();
    await turnDone(page, 2);
    expect((await keys()).filter((key) => key !== null)).toEqual(before.filter((key) => key !== null));
    expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("half a thou");
    await page.getByLabel("Message", { exact: true }).fill("");
  });

  it("a call unfolds by keyboard to what went in and came out", async () => {
    await fresh();
    rig.script.answer(
      { uses: [{ name: "bash", input: { command: "ls -l\nwc" } }] },
      { pieces: ["Two files."] },
    );
    rig.script.tool({ text: "a.ts\n<script>alert(1)</script>" });
    await say(page, "What is here?");
    await turnDone(page, 1);
    const line = page.locator(".call summary");
    expect(await line.textContent()).toContain("ls -l");
    await line.focus();
    await page.keyboard.press("Enter");
    await page.locator(".io pre").nth(1).waitFor();
    expect(await page.locator(".io pre").allTextContents()).toEqual([
      "ls -l\nwc",
      "a.ts\n<script>alert(1)</script>",
    ]);
  });

  const refused = () => page.locator(".refused");
  const field = () => page.getByLabel("Message", { exact: true });
  const said = () => page.locator(".is-user:not(.refused, .pending) .said").allTextContents();

  it("while the agent works a message is refused in the thread; Stop and send, then Esc, do what they say", async () => {
    await fresh();
    const never = new Promise(() => undefined);
    rig.script.answer({ pieces: ["Busy at it"], until: never }, { pieces: ["On it"], until: never });
    await say(page, "Begin");
    await page.getByText("Busy at it").waitFor();
    await say(page, "No, this");
    await refused().getByText("The agent is busy").waitFor();
    await refused().getByText("Not sent", { exact: true }).waitFor();
    expect(await refused().locator(".said").textContent()).toBe("No, this");
    expect(await refused().getByRole("button").allTextContents()).toEqual([
      "Stop and send this",
      "Send when done",
      "Add to this turn",
      "Stop",
      "Edit",
      "Discard",
    ]);
    expect(await field().inputValue()).toBe("");
    await page.getByRole("button", { name: "Stop and send this" }).click();
    await page.getByText("On it").waitFor();
    await refused().waitFor({ state: "detached" });
    expect(await said()).toEqual(["Begin", "No, this"]);
    await page.keyboard.press("Escape");
    await page.locator(".is-notice", { hasText: "Stopped by" }).nth(1).waitFor();
    await page.locator(".status").waitFor({ state: "detached" });
  });

  it("D51 a message waits below the thread until it is removed, and an addition joins the thread at once", async () => {
    await fresh();
    const held = Promise.withResolvers<void>();
    rig.script.answer({ pieces: ["Busy at it"], until: held.promise }, { pieces: ["Both."] });
    await say(page, "Begin");
    await page.getByText("Busy at it").waitFor();
    await say(page, "Later");
    await refused().getByRole("button", { name: "Send when done" }).click();
    const waiting = page.locator(".pending", { hasText: "Later" });
    await waiting.getByText("message waits until the turn ends.").waitFor();
    await page.locator(".status", { hasText: "1 message waits, from @operator" }).waitFor();
    await say(page, "Also");
    await refused().getByRole("button", { name: "Add to this turn" }).click();
    await refused().waitFor({ state: "detached" });
    await expect.poll(said).toEqual(["Begin", "Also"]);
    await waiting.getByRole("button", { name: "Remove" }).click();
    await waiting.waitFor({ state: "detached" });
    held.resolve();
    await page.getByText("Both.").waitFor();
    await page.locator(".status").waitFor({ state: "detached" });
    expect(await said()).toEqual(["Begin", "Also"]);
  });

  it("39.D a message refused while busy stands in the thread as not sent, until the person sends, edits or discards it", async () => {
    await fresh();
    const gates = [gate(), gate()] as const;
    rig.script.answer(
      { pieces: ["First work"], until: gates[0].promise },
      { pieces: ["The next answer"] },
      { pieces: ["Third work"], until: gates[1].promise },
    );
    const unsent = refused().getByText("Your message was not sent, because the agent was busy.");
    await say(page, "Begin");
    await page.getByText("First work").waitFor();
    await say(page, "And this");
    await refused().getByText("The agent is busy").waitFor();
    gates[0].resolve();
    await turnDone(page, 1);
    await unsent.waitFor();
    expect(await refused().getByRole("button").allTextContents()).toEqual(["Send", "Edit", "Discard"]);
    await refused().getByRole("button", { name: "Send", exact: true }).click();
    await turnDone(page, 2);
    expect(await said()).toEqual(["Begin", "And this"]);
    expect(await refused().count()).toBe(0);
    // Several refused messages stand in their order; each has its own buttons.
    await say(page, "Again");
    await page.getByText("Third work").waitFor();
    for (const text of ["Never mind", "Rather this"]) {
      await say(page, text);
      await refused().filter({ hasText: text }).getByText("The agent is busy").waitFor();
    }
    expect(await refused().locator(".said").allTextContents()).toEqual(["Never mind", "Rather this"]);
    await refused().first().getByRole("button", { name: "Discard" }).click();
    expect(await refused().locator(".said").allTextContents()).toEqual(["Rather this"]);
    await field().fill("typed since");
    await refused().getByRole("button", { name: "Edit" }).click();
    expect(await field().inputValue()).toBe("Rather this\ntyped since");
    expect(await refused().count()).toBe(0);
    await field().fill("");
    gates[1].resolve();
    await turnDone(page, 3);
    expect(await said()).toEqual(["Begin", "And this", "Again"]);
    expect(await page.evaluate("Object.keys(localStorage)")).toEqual(["parley.key"]);
  });

  it("a refused message and its picture are still there after a reload, and are sent once", async () => {
    await fresh();
    const held = gate();
    rig.script.answer({ pieces: ["Long work"], until: held.promise }, { pieces: ["I see it."] });
    await say(page, "Begin");
    await page.getByText("Long work").waitFor();
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#c84" } })
      .png()
      .toBuffer();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "shot.png", mimeType: "image/png", buffer: bytes });
    await page.locator(".tray img").waitFor();
    await say(page, "Look");
    await refused().locator("img").waitFor();
    await page.reload();
    await refused().getByText("1 file").waitFor();
    await refused().getByText("The agent is busy").waitFor();
    held.resolve();
    await refused().getByRole("button", { name: "Send", exact: true }).click();
    await turnDone(page, 2);
    expect(await said()).toEqual(["Begin", "Look"]);
    expect(await page.locator(".is-user:not(.pending) .said img").count()).toBe(1);
    expect(await refused().count()).toBe(0);
  });

  it("two pages show the same refused messages, and what one sends or discards leaves the other", async () => {
    await fresh();
    const held = gate();
    rig.script.answer({ pieces: ["Long work"], until: held.promise }, { pieces: ["Done."] });
    await say(page, "Begin");
    await page.getByText("Long work").waitFor();
    const { page: second } = await browser.open(page.url());
    await second.getByText("Long work").waitFor();
    for (const text of ["Alpha", "Omega"]) {
      await say(page, text);
      await second.locator(".refused", { hasText: text }).getByText("The agent is busy").waitFor();
    }
    await second.locator(".refused", { hasText: "Alpha" }).getByRole("button", { name: "Discard" }).click();
    await refused().filter({ hasText: "Alpha" }).waitFor({ state: "detached" });
    await second.getByRole("button", { name: "Stop and send this" }).click();
    await refused().waitFor({ state: "detached" });
    await turnDone(page, 1);
    expect(await said()).toEqual(["Begin", "Omega"]);
    await second.close();
    held.resolve();
  });

  it("a refused message whose sending fails stays with its buttons, and one that was sent meanwhile leaves", async () => {
    await fresh();
    rig.script.answer({ pieces: ["Long work"], until: new Promise(() => undefined) }, { pieces: ["Done."] });
    await say(page, "Begin");
    await page.getByText("Long work").waitFor();
    await say(page, "This");
    const click = () => page.getByRole("button", { name: "Stop and send this" }).click();
    await refused().waitFor();
    await page.route("**/actions", (route) => route.abort());
    await click();
    await page.getByText("The host cannot be reached.").waitFor();
    await page.unroute("**/actions");
    await page.route("**/actions", (route) => route.fulfill({ json: { result: "no_op" } }));
    await click();
    await page.getByText("Cancellation in progress.").waitFor();
    expect(await refused().count()).toBe(1);
    await page.unroute("**/actions");
    // The host sends it, and its answer is lost.
    await page.route("**/actions", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await click();
    await turnDone(page, 1);
    await page.unroute("**/actions");
    await refused().getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("That message has already been sent").waitFor();
    await refused().waitFor({ state: "detached" });
    expect(await said()).toEqual(["Begin", "This"]);
  });

  it("39.D text that was typed while a refused message was under way stays in the field", async () => {
    await fresh();
    const held = gate();
    rig.script.answer({ pieces: ["Long work"], until: held.promise });
    await say(page, "Begin");
    await page.getByText("Long work").waitFor();
    const slow = gate();
    await page.route("**/messages", async (route) => {
      await slow.promise;
      await route.continue();
    });
    await say(page, "The first");
    await field().fill("the second");
    slow.resolve();
    await refused().getByText("The agent is busy").waitFor();
    expect(await field().inputValue()).toBe("the second");
    expect(await refused().locator(".said").textContent()).toBe("The first");
    await page.unroute("**/messages");
    await field().fill("");
    await refused().getByRole("button", { name: "Discard" }).click();
    held.resolve();
    await turnDone(page, 1);
  });

  it("a denial takes its comment along, and an answered question offers no button", async () => {
    await fresh();
    rig.script.answer({ uses: [UPGRADE] }, { pieces: ["Then not."] });
    await say(page, "Change it");
    await page.getByLabel("Comment for the agent, optional").fill("Only read");
    await page.getByRole("button", { name: "Deny" }).click();
    await turnDone(page, 1);
    await page.locator(".decided", { hasText: "Denied by you" }).waitFor();
    expect(await page.getByText("Only read").first().isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });

  it("safe mode holds a dangerous call, a person lets it go once, and the menus set mode and safe mode", async () => {
    await fresh();
    rig.script.answer(
      { uses: [UPGRADE, { name: "bash", input: { command: "sudo ls" } }] },
      { pieces: ["Listed."] },
    );
    await say(page, "List it");
    await page.getByRole("button", { name: "Approve" }).click();
    const card = page.getByRole("group", { name: "Safe mode holds a call" });
    await card.waitFor();
    expect(await card.locator("pre").textContent()).toBe("sudo ls");
    expect(await card.locator("dl").textContent()).toContain("SUDO");
    await card.getByRole("button", { name: "Copy this command", exact: true }).waitFor();
    const choices = card.locator(".choices").getByRole("button");
    expect(await choices.allTextContents()).toEqual(["Once", "This thread", "Deny"]);
    await card.getByRole("button", { name: "Once" }).click();
    await turnDone(page, 1);
    await page.locator(".decided", { hasText: "Allowed once by you" }).waitFor();
    await page.getByLabel("Work mode").selectOption("triage");
    await page.locator(".is-notice", { hasText: "changed the work mode from general to triage" }).waitFor();
    await page.getByRole("button", { name: "safe mode on" }).click();
    await page.getByRole("button", { name: "safe mode off" }).waitFor();
  });

  it("the model's menu changes who answers from then on, also after a reload", async () => {
    await fresh();
    rig.script.answer({ pieces: ["One."] }, { pieces: ["Two."] });
    await say(page, "Count");
    await turnDone(page, 1);
    const menu = page.getByLabel("Model", { exact: true });
    expect(await menu.inputValue()).toBe("scripted-1");
    await menu.selectOption("other");
    await page.reload();
    await page.locator(".is-footer").waitFor();
    expect(await menu.inputValue()).toBe("other");
    await say(page, "Go on");
    await turnDone(page, 2);
    expect(rig.script.asked.at(-1)).toBe("other");
  });

  it("a proposed mode that opens a thread of its own is linked both ways", async () => {
    await fresh();
    rig.script.answer(
      { uses: [{ name: "agent_change_mode", input: { mode: "triage", branch: true, reason: "A bug" } }] },
      { pieces: ["Because."] },
    );
    await say(page, "Why does it fail?");
    const card = page.getByRole("group", { name: "Parley proposes another work mode" });
    expect(await card.locator("blockquote").textContent()).toBe("A bug");
    await card.getByRole("button", { name: "Switch in a new thread" }).click();
    const from = page.url();
    await page.getByRole("link", { name: "Open the other thread" }).click();
    await turnDone(page, 1);
    expect(await page.locator(".is-user .said").allTextContents()).toEqual(["Why does it fail?"]);
    expect(await page.getByLabel("Work mode").inputValue()).toBe("triage");
    await page.locator(".is-notice").getByRole("link", { name: "Open the other thread" }).click();
    expect(page.url()).toBe(from);
  });

  it("a picture that is pasted is shown, sent and still there after a reload", async () => {
    await fresh();
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#c84" } })
      .png()
      .toBuffer();
    const picture = { name: "shot.png", mimeType: "image/png", buffer: bytes };
    await page.locator("input[type=file]").setInputFiles(picture);
    await page.locator(".tray img").waitFor();
    rig.script.answer({ pieces: ["I see it."] });
    await say(page, "Look");
    await turnDone(page, 1);
    await page.reload();
    await turnDone(page, 1);
    const width = await page.evaluate(
      "(async () => { const img = document.querySelector('.said img'); await img.decode(); return img.naturalWidth; })()",
    );
    expect(width).toBe(40);
  });

  it("a picture that cannot be taken is named with its fault, and what was written is kept", async () => {
    await fresh();
    const choose = (name: string, mimeType: string, bytes: Buffer) =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer: bytes });
    await choose("IMG_1.heic", "image/heic", Buffer.from("heic"));
    // No picture of a browser's kinds: it is sent as a file.
    await page.getByRole("button", { name: "Remove IMG_1.heic" }).click();
    await choose("broken.png", "image/png", Buffer.from("89504e470d0a1a0a00", "hex"));
    await page.locator(".tray img").waitFor();
    await say(page, "Look");
    await page.getByText("A picture was not taken: the picture is damaged.").first().waitFor();
    await page.getByRole("button", { name: "Remove broken.png" }).click();
    rig.script.answer({ pieces: ["Without it, then."] });
    await page.getByLabel("Message", { exact: true }).press("Enter");
    await turnDone(page, 1);
    expect(await page.locator(".is-user:not(.pending) .said").allInnerTexts()).toEqual(["Look"]);
  });

  it("a message whose answer never came is sent again after a reload, and taken once", async () => {
    await fresh();
    rig.script.answer({ pieces: ["One."] }, { pieces: ["Two."] });
    await say(page, "First");
    await turnDone(page, 1);
    await page.route("**/messages", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await say(page, "Only once");
    await turnDone(page, 2);
    await page.unroute("**/messages");
    await page.reload();
    await turnDone(page, 2);
    await page.locator(".outbox").waitFor({ state: "hidden" });
    expect(await page.locator(".is-user:not(.pending) .said").allInnerTexts()).toEqual([
      "First",
      "Only once",
    ]);
    expect(await page.evaluate("Object.keys(localStorage)")).toEqual(["parley.key"]);
  });

  it("a failed turn offers another try", async () => {
    await fresh();
    rig.script.answer({ fails: "The key is wrong." }, { pieces: ["Now."] });
    await say(page, "Hello");
    await page.getByRole("button", { name: "Try again" }).click();
    await turnDone(page, 1);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  it("shows the last posts of a long conversation, and earlier ones where one scrolls up, which moves nothing", async () => {
    rig.script.clear();
    const id = await rig.begin();
    for (let turn = 1; turn <= 50; turn += 1) {
      rig.script.answer({ pieces: [`Answer ${turn}.`] });
      await rig.call("POST", `/api/conversations/${id}/messages`, { text: `Question ${turn}` });
      await expect
        .poll(async () => (await rig.bot.read(`c-${id.slice(2)}`))?.state.turn)
        .toMatchObject({ no: turn, end: { why: "answered" } });
    }
    await page.goto(`${rig.origin}/#/c/${id}`);
    await page.getByText("Answer 50.").waitFor();
    const asked = () => page.locator(".is-user .said").allTextContents();
    const last = await asked();
    expect(last.at(-1)).toBe("Question 50");
    expect(last).not.toContain("Question 1");
    const read = page.locator(".said", { hasText: last[0] ?? "" });
    await page.locator("#scroll").evaluate((scroll) => scroll.scrollTo({ top: 700 }));
    const before = await read.boundingBox();
    await page.locator("#scroll").evaluate((scroll) => scroll.scrollBy({ top: -300 }));
    await expect.poll(asked).not.toEqual(last);
    expect((await read.boundingBox())?.y).toBeCloseTo((before?.y ?? 0) + 300, 0);
    await expect
      .poll(async () => {
        await page.locator(".post").first().scrollIntoViewIfNeeded();
        return asked();
      })
      .toContain("Question 1");
    expect(await asked()).toEqual(Array.from({ length: 50 }, (_, turn) => `Question ${turn + 1}`));
    expect(await page.getByRole("button", { name: "Older" }).count()).toBe(0);
  });

  it("when the host is gone says so, keeps what is sent, and goes on where it was after the restart", async () => {
    await fresh();
    rig.script.answer({ pieces: ["Before."] });
    await say(page, "First");
    await turnDone(page, 1);
    await rig.close();
    await page.getByText("Connection lost").waitFor();
    await say(page, "Second");
    await page.getByText("Sending…").waitFor();
    rig = await rig.restart();
    rig.script.answer({ pieces: ["After."] });
    await turnDone(page, 2);
    expect(await page.locator(".is-user .said").allTextContents()).toEqual(["First", "Second"]);
    expect(await page.locator(".is-answer:not(.live)").allInnerTexts()).toEqual(["Before.", "After."]);
    expect(await page.getByText("Connection lost").isVisible()).toBe(false);
  });

  it("is used by keyboard alone: help, message field, conversations", async () => {
    await page.keyboard.press("Tab");
    await page.locator(".wordmark").click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("text");
    const here = page.url();
    await page.keyboard.press("Alt+ArrowDown");
    await page.waitForURL((url) => url.href !== here);
    await page.keyboard.press("Alt+n");
    await page.getByLabel("Repository").waitFor();
  });

  it("fits 320 pixels in light and dark without scrolling sideways", async () => {
    await page.goBack();
    await page.locator(".is-user").first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(overflow)).toBe(0);
      const { dominant } = await sharp(await screenshot(page, shots, colorScheme)).stats();
      expect(dominant.r > 128).toBe(colorScheme === "light");
    }
    await page.getByRole("button", { name: "Show conversations" }).click();
    await page.locator(".entry.here").waitFor();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it("names every control, and breaks no rule of its own content policy", async () => {
    const unnamed = await page.evaluate(UNNAMED);
    expect(unnamed).toEqual([]);
    const own = faults.filter((fault) => !/Failed to load resource|ERR_/.test(fault));
    expect(own).toEqual([]);
  });
});

/** Controls that a screen reader could not name. */
const UNNAMED = `[...document.querySelectorAll("button, input:not([type=file]), textarea, summary, a")]
  .filter((control) => (control.getAttribute("aria-label") ?? control.textContent).trim() === "")
  .filter((control) => control.id === "" || document.querySelector("label[for=" + control.id + "]") === null)
  .map((control) => control.outerHTML)`;
