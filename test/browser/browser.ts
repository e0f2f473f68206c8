/** A real Chromium for the tests of the page; they are skipped, with the reason, only where there is none. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { MOST_WAIT } from "../patience.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of the browser, or null where there is none. */
export const chromiumPath: string | null = PLACES.find((path) => existsSync(path)) ?? null;

export const noChromium = `no Chromium here (looked for ${PLACES.join(", ")}); install the package chromium`;

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface View {
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  readonly locale?: string;
}

export interface Browser {
  readonly context: BrowserContext;
  /** A page with its faults collected: uncaught errors, errors on its console, refusals by the content policy. */
  open(url: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }>;
  close(): Promise<void>;
}

/** A browser of its own with an empty profile that goes when it is closed. */
export const launchBrowser = async (view: View = { width: 1280, height: 860 }): Promise<Browser> => {
  if (chromiumPath === null) throw new Error(noChromium);
  const profile = mkdtempSync(join(tmpdir(), "parley-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    headless: true,
    args: FLAGS,
    viewport: { width: view.width, height: view.height },
    colorScheme: view.dark === true ? "dark" : "light",
    reducedMotion: view.reducedMotion === false ? "no-preference" : "reduce",
    locale: view.locale ?? "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(MOST_WAIT);
  return {
    context,
    open: async (url) => {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      await page.goto(url);
      // Whoever leaves before the page has taken the key of a start link has none.
      await page.waitForURL(({ hash }) => !hash.startsWith("#key="));
      return { page, faults };
    },
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
};

/** Says something in the open conversation, as a person does. */
export const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
};

/** Waits until the agent has nothing to do: the turn's footer stands last. */
export const turnDone = (page: Page, turns: number): Promise<void> =>
  page
    .locator(".is-footer")
    .nth(turns - 1)
    .waitFor();

/** `directory` is made; a `.png` is written there. */
export const screenshot = async (page: Page, directory: string, name: string): Promise<string> => {
  const path = join(directory, `${name}.png`);
  await page.screenshot({ path });
  return path;
};
