/** A real browser and a real second server on the same address: what reaches the other port opens nothing. */

import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRig, type Rig } from "../../../adapters/http/rig.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  turnDone,
} from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

/** A picture of one pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Another local server, which keeps the head of each request for a page. */
const openOther = async () => {
  const heads: IncomingHttpHeaders[] = [];
  const { promise: visited, resolve } = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader("content-type", "text/html").end("<title>another server</title>");
    if (incoming.url !== "/page") return;
    heads.push(incoming.headers);
    resolve();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/page`, heads, visited, close: () => server.close() };
};

const repository = (of: Page) => of.getByLabel("Repository").waitFor();

describe.skipIf(chromiumPath === null)("the console's key", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  let other: Awaited<ReturnType<typeof openOther>>;

  beforeAll(async () => {
    other = await openOther();
    rig = await createRig();
    browser = await launchBrowser();
    ({ page, faults } = await browser.open(rig.url));
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
    other.close();
  });

  it("goes out of the address into the origin's store", async () => {
    await repository(page);
    expect(page.url()).toBe(`${rig.origin}/`);
    expect(await page.evaluate("localStorage.getItem('parley.key')")).toMatch(/^[\w-]{43}$/);
  });

  it("a link in an answer takes the cookie to the other server, and it opens nothing", async () => {
    rig.script.answer({ pieces: [`See [the log](${other.url}).`] });
    await say(page, "Where is the log?");
    await turnDone(page, 1);
    const opens = browser.context.waitForEvent("page", { timeout: 5_000 }).catch(() => null);
    await page.locator(".is-answer a").click();
    await other.visited;
    await (await opens)?.close();
    const [head = {}] = other.heads;
    // Else this test would show nothing: the browser does hand it over.
    expect(head.cookie).toContain(`parley_${rig.port}=`);
    const stolen = Object.entries(head).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !["host", "connection"].includes(name) ? [[name, value]] : [],
    );
    const [conversation] = rig.bot.list(1, null);
    const id = conversation?.state.id ?? "";
    const replay = async (path: string, method = "GET") =>
      (
        await fetch(`${rig.origin}${path}`, {
          method,
          headers: { ...Object.fromEntries(stolen), "content-type": "application/json", accept: "*/*" },
          ...(method === "GET" ? {} : { body: JSON.stringify({ action: "stop", text: "hi" }) }),
        })
      ).status;
    for (const path of ["", `/${id}`, `/${id}/events`, `/${id}/trace`])
      expect([path, await replay(`/api/conversations${path}`)]).toEqual([path, 401]);
    for (const path of [`/${id}/messages`, `/${id}/actions`, ""])
      expect([path, await replay(`/api/conversations${path}`, "POST")]).toEqual([path, 401]);
    for (const path of ["/sample", "/api/status", "/api/budgets"]) expect(await replay(path)).toBe(401);
  });

  it("a reload and a second tab go on, and hear what happens", async () => {
    if (!page.url().startsWith(rig.origin)) await page.goBack();
    await page.reload();
    await turnDone(page, 1);
    const second = await browser.open(page.url());
    await turnDone(second.page, 1);
    rig.script.answer({ pieces: ["Still here."] });
    await say(page, "Are you there?");
    await turnDone(second.page, 2);
    expect(await second.page.locator(".is-answer").last().textContent()).toContain("Still here.");
    expect([...faults, ...second.faults]).toEqual([]);
    await second.page.close();
  });

  it("a shared file is saved under its name", async () => {
    const stored = await rig.blobs.put(Buffer.from("a,b"));
    const hash = stored.kind === "failed" ? "" : stored.hash;
    rig.script.answer({ uses: [{ name: "bash", input: { command: "x" } }] }, { pieces: ["Here."] });
    rig.script.tool({
      text: "",
      files: [{ hash, name: "péage.csv", title: null, mediaType: "text/csv", size: 3 }],
    });
    await say(page, "The table, please");
    await turnDone(page, 3);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "péage.csv" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("péage.csv");
    expect(readFileSync(await download.path(), "utf8")).toBe("a,b");
  });

  it("a picture that a tool looked at is shown", async () => {
    const stored = await rig.blobs.put(Buffer.from(DOT, "base64"));
    const hash = stored.kind === "failed" ? "" : stored.hash;
    rig.script.answer({ uses: [{ name: "read_image", input: { path: "a.png" } }] }, { pieces: ["A dot."] });
    rig.script.tool({ text: "", images: [{ hash, mediaType: "image/png" }] });
    await say(page, "The picture, please");
    await turnDone(page, 4);
    await page.locator(".is-activity summary").last().click();
    const width = () =>
      page.evaluate("[...document.querySelectorAll('.is-activity img')].at(-1)?.naturalWidth");
    await expect.poll(width).toBe(1);
    expect(faults).toEqual([]);
  });

  it("somebody who goes on before it is taken gets there all the same", async () => {
    const thread = new URL(page.url()).hash;
    expect(thread).toMatch(/^#\/c\//);
    const fresh = await launchBrowser();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await fresh.context.route("**/api/about", async (about) => {
      asked.resolve();
      await answered.promise;
      await about.continue();
    });
    const opened = fresh.open(rig.url);
    await asked.promise;
    const early = fresh.context.pages().at(-1) ?? page;
    await early.evaluate(`location.hash = ${JSON.stringify(thread)}`);
    answered.resolve();
    await turnDone(early, 1);
    expect((await opened).faults).toEqual([]);
    await fresh.close();
  });

  it("a link with another key in it takes nobody's away", async () => {
    const { page: lured } = await browser.open(`${rig.origin}/#key=${"x".repeat(43)}`);
    await repository(lured);
    await lured.reload();
    await repository(lured);
    await lured.close();
  });

  it("that is not good any more leads to a page that says what to do, and the link mends it", async () => {
    const draft = "Half a sentence";
    await page.getByLabel("Message", { exact: true }).fill(draft);
    await page.evaluate("localStorage.setItem('parley.key', 'of-another-token')");
    await page.reload();
    await page.getByText("npm start").waitFor();
    expect(page.url()).toBe(`${rig.origin}/sign-in`);
    expect(await page.locator("main").textContent()).toContain("PARLEY_CONSOLE_TOKEN");
    await page.goto(rig.url);
    await repository(page);
    await page.goBack();
  });
});
