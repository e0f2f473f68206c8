/** Rows of the field: connections that die quietly, pasted text, keys of other keyboards, paper. */

import { createConnection, createServer, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createRig, type Rig, TOKEN } from "../../../adapters/http/rig.ts";
import {
  type Browser,
  chromiumPath,
  launchBrowser,
  noChromium,
  say,
  turnDone,
} from "../../../browser/browser.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

/** A line between browser and host that can go deaf: connections stay open, and nothing more comes through them. */
const deafLine = async (port: number) => {
  const sockets = new Set<Socket>();
  /** Those that carry events. */
  const streams = new Set<Socket>();
  const deaf = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (data) => {
        if (data.includes("/events?")) for (const one of [near, far]) streams.add(one);
        if (!deaf.has(socket)) other.write(data);
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        if (!deaf.has(socket)) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    /** The stream's own, which stays open. Others are ended, and later ones work. */
    deafen: () => {
      for (const socket of sockets) {
        if (streams.has(socket)) deaf.add(socket);
        else socket.destroy();
      }
    },
  };
};

describe.skipIf(chromiumPath === null)("the page in the field", () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  beforeEach(async () => {
    rig = await createRig();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await browser.close();
    await rig.close();
  });
  const field = () => page.getByLabel("Message", { exact: true });

  it("40.C7 a connection that dies quietly is made anew after 45 s without a sign of life, from where it was", async () => {
    const line = await deafLine(rig.port);
    page = await browser.context.newPage();
    await page.clock.install();
    await page.goto(`${line.origin}/?token=${TOKEN}`);
    await page.getByLabel("Repository").waitFor();
    rig.script.answer({ pieces: ["One."] }, { pieces: ["Two."] });
    await say(page, "First?");
    await turnDone(page, 1);
    line.deafen();
    const id = rig.bot.list(1, null)[0]?.state.id ?? "c-none";
    await rig.call("POST", `/api/conversations/${id}/messages`, { id: "from-elsewhere", text: "Second?" });
    await expect.poll(async () => (await rig.bot.read(id))?.state.turn.no).toBe(2);
    await page.clock.runFor(44_000);
    expect(await page.locator(".is-footer").count()).toBe(1);
    await page.clock.runFor(3_000);
    await turnDone(page, 2);
    expect(await page.getByText("First?", { exact: true }).count()).toBeGreaterThan(0);
  });

  it("40.C7 the host keeps a connection longer than the 60 s of balancers", async () => {
    const { headers } = await fetch(`${rig.origin}/healthz`);
    expect(headers.get("keep-alive")).toBe("timeout=65");
  });

  /** What `types` puts on the clipboard, pasted into the field. */
  const paste = (types: Readonly<Record<string, string>>, picture: string | null) =>
    page.evaluate(`(() => {
      const [given, name, dot] = ${JSON.stringify([types, picture, DOT])};
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(given)) data.setData(type, text);
      const bytes = Uint8Array.from(atob(dot), (one) => one.charCodeAt(0));
      if (name !== null) data.items.add(new File([bytes], name, { type: "image/png" }));
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      return document.getElementById("text").dispatchEvent(event);
    })()`);
  const DOT =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

  it("40.C9 cells of a spreadsheet are pasted as text, and a picture or a file as a picture", async () => {
    ({ page } = await browser.open(rig.url));
    const cells = { "text/plain": "a\tb", "text/html": "<table><tr><td>a<td>b</table>" };
    expect(await paste(cells, "image.png")).toBe(true);
    expect(await page.locator(".tray img").count()).toBe(0);
    expect(await paste({}, "image.png")).toBe(false);
    await page.locator(".tray img").waitFor();
    expect(await paste({ "text/plain": "shot.png" }, "shot.png")).toBe(false);
    await expect.poll(() => page.locator(".tray img").count()).toBe(2);
  });

  const key = (init: object) =>
    page.evaluate(`document.getElementById("text").dispatchEvent(
      new KeyboardEvent("keydown", ${JSON.stringify({ key: "Enter", bubbles: true, cancelable: true, ...init })}),
    )`);

  it("40.C9 the Enter that ends a composition does not send; the next one does", async () => {
    ({ page } = await browser.open(rig.url));
    await field().fill("日本");
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) expect(await key(init)).toBe(true);
    expect(await field().inputValue()).toBe("日本");
    rig.script.answer({ pieces: ["はい"] });
    expect(await key({ keyCode: 13 })).toBe(false);
    await turnDone(page, 1);
  });

  it("40.C9 Enter of a touch keyboard makes a line, and the button sends", async () => {
    page = await browser.context.newPage();
    const screen = await browser.context.newCDPSession(page);
    await screen.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const size = { width: 390, height: 844, deviceScaleFactor: 0, mobile: true };
    await screen.send("Emulation.setDeviceMetricsOverride", size);
    await page.goto(rig.url);
    await page.getByLabel("Repository").waitFor();
    expect(await page.evaluate("matchMedia('(hover: none) and (pointer: coarse)').matches")).toBe(true);
    await field().fill("one");
    await field().press("End");
    await field().press("Enter");
    await field().pressSequentially("two");
    expect(await field().inputValue()).toBe("one\ntwo");
    expect(await field().getAttribute("enterkeyhint")).toBe("enter");
    rig.script.answer({ pieces: ["Yes."] });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await turnDone(page, 1);
  });

  it("40.C10 input, output and diff of a call are copied by keyboard, without a clipboard of the page too", async () => {
    ({ page } = await browser.open(rig.url));
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n";
    rig.script.answer(
      { uses: ["ls -l\nwc", "make"].map((command) => ({ name: "bash", input: { command } })) },
      { pieces: ["Two files."] },
    );
    rig.script.tool({ text: "a.ts\nb.ts" }, { text: "made", diff });
    await say(page, "What is here?");
    await turnDone(page, 1);
    await page.locator(".call summary").first().press("Enter");
    const copied = async (name: string): Promise<unknown> => {
      await page.getByRole("button", { name, exact: true }).first().press("Enter");
      return page.evaluate("navigator.clipboard.readText()");
    };
    await expect.poll(() => copied("Copy this output")).toBe("a.ts\nb.ts");
    await expect.poll(() => copied("Copy this diff")).toBe(diff);
    await page.evaluate("Object.defineProperty(window, 'isSecureContext', { value: false })");
    await expect.poll(() => copied("Copy this input")).toBe("ls -l\nwc");
  });

  it("40.C10 paper has the whole conversation, and texts have the direction of their language", async () => {
    ({ page } = await browser.open(rig.url));
    const lines = Array.from({ length: 120 }, (_, index) => `${index}. line`).join("\n\n");
    rig.script.answer({ pieces: [`שלום עולם\n\n${lines}`] });
    await say(page, "שאלה?");
    await turnDone(page, 1);
    const direction = (of: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(of)})).direction`);
    expect([await direction(".said"), await direction(".is-answer p")]).toEqual(["rtl", "rtl"]);
    const height = () => page.evaluate("document.documentElement.scrollHeight");
    const screen = Number(await height());
    await page.emulateMedia({ media: "print" });
    expect(Number(await height())).toBeGreaterThan(3 * screen);
    expect(await page.locator(".sidebar").isVisible()).toBe(false);
  });
});
