/** MCP servers at the end of the channels' board, in a real Chromium: their tools, and a button if somebody has to look. */

import { describe, expect, it, onTestFinished } from "vitest";
import { serverRequests } from "../../../src/features/mcp/feature.ts";
import { createRig, TOKEN } from "../../adapters/http/rig.ts";
import { chromiumPath, launchBrowser, noChromium } from "../../browser/browser.ts";
import { fakeServers } from "./fake-servers.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

it("the page has its module, and lists it as a section", async () => {
  const rig = await createRig();
  onTestFinished(() => rig.close());
  const module = "/src/features/mcp/page/board.js";
  const served = await fetch(`${rig.origin}${module}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(served.status).toBe(200);
  expect((await rig.call("GET", "/page/boards.json")).body).toContainEqual({
    name: "servers",
    title: "MCP servers",
    on: "channels",
    module,
  });
});

describe.skipIf(chromiumPath === null)("the channels' board", () => {
  it("shows servers below the channels, and accepts their tools", async () => {
    const { servers, accepted } = fakeServers();
    const operator = { id: "console:operator", mayDrive: true, mayApprove: true } as const;
    const rig = await createRig({ requests: serverRequests(() => ({ servers, operator })) });
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    expect(await page.getByRole("link", { name: "MCP servers" }).count()).toBe(0);
    await page.getByRole("link", { name: "Channels" }).click();
    const section = page.getByRole("region", { name: "MCP servers" });
    await section.getByText("Cannot be used now: out of luck").waitFor();
    expect(await section.getByRole("listitem").innerText()).toBe("get read, changed: Gets.");
    await section.getByRole("button", { name: "Accept as they are" }).click();
    await page.getByText("The tools of linear are accepted.").waitFor();
    expect(accepted).toEqual(["linear console:operator"]);
    expect(faults).toEqual([]);
  });

  it("twin: has no such section on a host without servers", async () => {
    const rig = await createRig();
    onTestFinished(() => rig.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, faults } = await browser.open(rig.url);
    const answered = page.waitForResponse((one) => one.url().endsWith("/api/servers"));
    await page.getByRole("link", { name: "Channels" }).click();
    await (await answered).finished();
    await page.getByRole("heading", { name: "Another channel" }).waitFor();
    expect(await page.getByRole("heading", { name: "MCP servers" }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
