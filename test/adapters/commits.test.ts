/** What one message costs on the disk, counted at the store's port: rows of the inbox, and transactions. */

import { expect, it } from "vitest";
import type { StorePorts } from "../../src/store/write/grouped.ts";
import { REPO } from "./rig.ts";
import { createRig as createDiscord } from "./discord/rig.ts";
import { createRig as createSlack } from "./slack/rig.ts";
import { openMemory, writeHere } from "../store/in-memory.ts";

/** A database whose transactions are told, each as the writes that it holds. */
const counted = (): { readonly opened: StorePorts; readonly commits: string[][] } => {
  const commits: string[][] = [];
  const opened = openMemory(undefined, (...given) => {
    const here = writeHere(...given);
    const run: typeof here.run = (jobs) => {
      commits.push(jobs.map(({ port, name }) => `${port}.${name}`));
      return here.run(jobs);
    };
    return { ...here, run };
  });
  return { opened, commits };
};

const TAKEN = 3;
/** With its answer, which is posted whole. */
const WHOLE = 8;

/** Once nothing has been written for a while. */
const rested = async (commits: readonly string[][]): Promise<void> => {
  for (let seen = -1; seen !== commits.length; ) {
    seen = commits.length;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
};

const expectFew = (commits: readonly string[][], rows: number): void => {
  const taken = commits.findIndex((writes) => writes.includes("store.step")) + 1;
  const told = commits.map((writes) => writes.join(" + ")).join("\n");
  expect(taken, told).toBeGreaterThan(0);
  expect(taken, told).toBeLessThanOrEqual(TAKEN);
  expect(commits.length, told).toBeLessThanOrEqual(WHOLE);
  expect(commits.flat().filter((write) => write === "chat.arrive")).toHaveLength(rows);
};

it("one message in a thread of Slack is one row of the inbox and is taken in three transactions", async () => {
  const { opened, commits } = counted();
  const rig = await createSlack({ opened });
  const root = rig.fake.as("alice").say("@parley where is it?", { channel: "general" });
  await rig.thread(root, /Answer 1/);
  await rested(commits);
  commits.length = 0;
  rig.fake.as("alice").say("and why?", { channel: "general", thread: root.ts });
  await rig.thread(root, /Answer 2/);
  await rested(commits);
  expectFew(commits, 1);
});

it("one message in a thread of Discord is one row of the inbox and is taken in three transactions", async () => {
  const { opened, commits } = counted();
  const rig = await createDiscord({ opened, bound: ["general"] });
  const root = rig.fake.as("alice").say("general", "@parley where is it?");
  await rig.reads(root.id, /Answer 1/);
  await rested(commits);
  commits.length = 0;
  rig.fake.as("alice").say(root.id, "and why?");
  await rig.reads(root.id, /Answer 2/);
  await rested(commits);
  expectFew(commits, 1);
});

it("one message in the console is no row of the inbox, and is taken in two transactions and answered in the third", async () => {
  const { opened, commits } = counted();
  const { bot } = await createSlack({ opened });
  const created = await bot.create({ surface: "console", repo: REPO, title: "t", by: "console:1" });
  if (created.kind !== "created") throw new Error(created.message);
  const conversation = created.overview.conversation.id;
  const speaker = { id: "console:1", name: "operator", mayDrive: true, mayApprove: true } as const;
  const say = (id: string) =>
    bot.say({ surface: "console", id, conversation, speaker, text: "why?", images: [] });
  await say("1");
  await rested(commits);
  commits.length = 0;
  await say("2");
  await rested(commits);
  expect(commits.flat()).toEqual(["store.claim", "store.step", "store.step"]);
});
