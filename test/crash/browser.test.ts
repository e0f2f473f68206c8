/**
 * The real process ended by SIGKILL again and again while a person in front of a real Chromium talks, approves and
 * stops: her thread ends as one without it, notices of the interruption aside.
 */

import { expect, it } from "vitest";
import { chromiumPath, launchBrowser, noChromium, say } from "../browser/browser.ts";
import { freePort } from "../free-port.ts";
import type { Task } from "./answers.ts";
import { createReal, type Point } from "./real.ts";
import { attend, talk, threadOn } from "./platforms/visitor.ts";

if (chromiumPath === null) console.log(`skipped: ${noChromium}`);

/** `npm run crash` ends it more often. */
const ENDS = Number(process.env["CRASH_ENDS"] ?? 3);

const tasks: readonly Task[] = ["change", "hang"];

/** Sooner and later ones by turns; a process that starts writes a few times before anybody says anything. */
const pointOf = (index: number): Point => ({
  kind: index % 3 === 2 ? "a request to the model" : "a commit",
  no: index % 3 === 2 ? 1 : 5 + ((index * 7) % 19),
});

const NEVER: Point = { kind: "a commit", no: Number.POSITIVE_INFINITY };

it.skipIf(chromiumPath === null)(
  "a thread in the browser is as if nothing had happened, notices aside",
  async () => {
    const real = await createReal({ PARLEY_PORT: String(await freePort()) });
    const host = await real.start();
    const browser = await launchBrowser();
    try {
      const { page } = await browser.open(host.url);
      const begin = async (): Promise<void> => {
        await page.goto(`${host.origin}/#/`);
        await page.getByLabel("Repository").waitFor();
        await say(page, "hello");
        await attend(page, "hello", 0);
      };
      await begin();
      for (const task of tasks) await talk(page, task);
      const whole = await threadOn(page);

      let ends = 0;
      let threads = 0;
      let up = host;
      while (ends < ENDS) {
        await begin();
        const lived = (async () => {
          for (const task of tasks) await talk(page, task);
        })();
        const over = lived.then(
          () => undefined,
          () => undefined,
        );
        await up.stop("SIGKILL");
        ends += 1;
        while (await real.endAt(ends < ENDS ? pointOf(ends) : NEVER, over)) ends += 1;
        await lived;
        expect(await threadOn(page)).toBe(whole);
        threads += 1;
        if (ends < ENDS) up = await real.start();
      }
      console.log(`killed ${ends} times; ${threads} threads in the browser as if nothing had happened`);
      expect(real.model.violations).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
