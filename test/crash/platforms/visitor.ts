/** A person at the console's page who reads her thread, says the next thing when a turn is over, and clicks what there is to click. */

import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import * as z from "zod";
import { say } from "../../browser/browser.ts";
import type { Task } from "../answers.ts";
import { MOST_WAIT } from "../../patience.ts";

/** How often people look. */
const LOOK = 150;

const posts = z.array(z.object({ kind: z.string(), text: z.string() }));
type Shown = z.output<typeof posts>;

/** From her words to the end of the turn that they set off. */
export const talk = async (page: Page, task: Task): Promise<void> => {
  const before = (await read(page)).filter(({ kind }) => kind === "user").length;
  await say(page, task);
  await attend(page, task, before);
};

/** Until the turn of her message, the one after `before` others, is over. */
export const attend = async (page: Page, task: Task, before: number): Promise<void> => {
  for (let patience = MOST_WAIT; patience > 0; patience -= LOOK) {
    const shown = await read(page);
    const said = shown.filter(({ kind }) => kind === "user").length;
    if (said > before && isOver(shown) && !(await canStop(page))) return;
    if (said > before) await press(page, task);
    await setTimeout(LOOK);
  }
  throw new Error(`she lost patience over ${task}:\n${await threadOn(page)}`);
};

/** The thread as she sees it, without what it took, when it was, and what the agent ran. */
export const threadOn = async (page: Page): Promise<string> =>
  (await read(page))
    .filter(({ kind, text }) => kind !== "activity" && !text.startsWith("I was restarted"))
    .map(({ kind, text }) => `--- ${kind}\n${kind === "footer" ? "" : text}`)
    .join("\n");

const read = async (page: Page): Promise<Shown> => posts.parse(await page.evaluate(READ));

const READ = `[...document.querySelectorAll(".post:not(.live)")].map((post) => {
  const copy = post.cloneNode(true);
  for (const gone of copy.querySelectorAll(".when, time, button")) gone.remove();
  const kind = [...post.classList].find((name) => name.startsWith("is-"))?.slice(3) ?? "";
  return { kind, text: copy.textContent.trim().replace(/\\d\\d:\\d\\d/, "then") };
})`;

const isOver = (shown: Shown): boolean => {
  const last = shown.at(-1);
  return last?.kind === "footer" || (last?.kind === "notice" && last.text.startsWith("Stopped by"));
};

const canStop = (page: Page): Promise<boolean> =>
  page.getByRole("button", { name: /^Stop/ }).first().isVisible();

const press = async (page: Page, task: Task): Promise<void> => {
  const wanted = ["Approve", "Try again", ...(task === "hang" ? ["Stop"] : [])];
  for (const name of wanted) {
    const button = page.locator("button", { hasText: new RegExp(`^${name}`) }).last();
    if (!(await button.isVisible())) continue;
    // It may go while she reaches for it; she looks again.
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    return;
  }
};
