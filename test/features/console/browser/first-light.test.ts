/**
 * The newcomer's first hour: no key, this very repository, a cited answer by real tools
 * under the real sandbox, a change that is approved in the browser, and a process that is killed in the middle.
 *
 * With SCREENSHOTS=docs the picture of the README is taken anew.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningHost, root, startHost } from "../../../app/cli/host.ts";
import { freePort } from "../../../free-port.ts";
import { scratch } from "../../../scratch.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  turnDone,
} from "../../../browser/browser.ts";
import { MOST_WAIT } from "../../../patience.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

/** Only on request: a test run leaves the work tree as it was. High enough for the answer above the question. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["SCREENSHOTS"];
  if (folder === undefined) return;
  await page.setViewportSize({ width: 1200, height: 1400 });
  await page.screenshot({ path: join(root, folder, `${name}.png`) });
  await page.setViewportSize({ width: 1200, height: 900 });
};

describe.skipIf(chromiumPath === null)("first light", () => {
  const data = scratch("first-light");
  let settings: Readonly<Record<string, string>>;
  let host: RunningHost;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    settings = { PARLEY_PORT: String(await freePort()), PARLEY_REPO: root };
    host = await startHost(data, settings);
    browser = await launchBrowser({ width: 1200, height: 900 });
    ({ page } = await browser.open(host.url));
    page.setDefaultTimeout(MOST_WAIT);
  });
  afterAll(async () => {
    await browser.close();
    await host.stop("SIGKILL");
  });

  it("asks where the retry policy is, and gets an answer that cites files and lines which say so", async () => {
    await say(page, "where is the retry policy implemented?");
    await turnDone(page, 1);
    const answer = (await page.locator(".is-answer:not(.live)").last().textContent()) ?? "";
    const cited = /(src\/machine\/retry\.ts):(\d+)/.exec(answer);
    expect(cited).not.toBeNull();
    const lines = readFileSync(join(root, cited?.[1] ?? ""), "utf8").split("\n");
    expect(lines[Number(cited?.[2]) - 1]).toMatch(/ATTEMPTS|RETRY|retry/);
    expect(await page.locator(".is-activity").count()).toBeGreaterThan(1);
  });

  it("asks for a change, approves it, and sees the diff, while the repository itself stays as it was", async () => {
    const before = readFileSync(join(root, "README.md"), "utf8");
    await say(page, "add a line to README.md");
    const card = page.getByRole("group", { name: "Parley asks for write access" });
    await card.waitFor();
    await picture(page, "approval");
    await card.getByRole("button", { name: "Approve" }).click();
    await turnDone(page, 2);
    expect(await page.locator(".row.added .text").count()).toBeGreaterThan(0);
    await page.locator(".badge", { hasText: "Unrestricted" }).waitFor();
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe(before);
  });

  it("kills the process while a command runs, starts it again, and finds nothing lost", async () => {
    const keys = () =>
      page.locator(".post").evaluateAll((posts) => posts.map((post) => post.getAttribute("data-key") ?? ""));
    await say(page, "slow command");
    await page.getByText("bash", { exact: false }).last().waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor();
    const before = (await keys()).filter((key) => key !== "");
    await host.stop("SIGKILL");
    host = await startHost(data, settings);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    const after = await keys();
    for (const key of before) expect(after.filter((one) => one === key)).toHaveLength(1);
    await say(page, "help");
    await turnDone(page, 3);
  });

  it("shows the same on a narrow dark screen", async () => {
    const narrow = await launchBrowser({ width: 390, height: 844, dark: true });
    const { page: small, faults } = await narrow.open(host.url);
    await small.goto(page.url());
    await small.locator(".is-answer:not(.live)").last().waitFor();
    const overflow = await small.evaluate(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    expect(overflow).toBe(false);
    expect(faults).toEqual([]);
    await narrow.close();
  });
});
