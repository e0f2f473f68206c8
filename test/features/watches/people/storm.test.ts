/**
 * A storm of posts of many people on each platform, while the host ends again and again: limits hold, nothing doubles, and no
 * thread begins in anybody's name.
 */

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import type { RunningBot } from "../../../../src/runtime/bot/bot.ts";
import { ofWhole } from "../../../sample.ts";
import { watchingOf } from "../watching.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";

const POSTS = ofWhole(1_000, 60);
const PEOPLE = ofWhole(50, 10);
const ENDS = ofWhole(5, 1);
const POSTS_PER_HOUR = 20;
const THREADS_PER_HOUR = 4;

interface Storming {
  readonly opened: StorePorts;
  readonly bot: RunningBot;
  readonly asked: readonly (readonly PromptMessage[])[];
}

const names = Array.from({ length: PEOPLE }, (_, no) => `p${no}`);

/** Every fifth post is about a crash: of three matters, which people report in different words with the same error. */
const wordsOf = (no: number): string =>
  no % 5 === 0
    ? `crash seen by ${no}\nTypeError: part ${"abc"[(no / 5) % 3] ?? ""} is undefined at ${no}`
    : `chat ${wordOf(no)} and ${wordOf(no * 7)}`;

const wordOf = (no: number): string =>
  no.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");

const source = {
  kind: "people",
  with: [],
  without: [],
  onlyQuestions: false,
  from: null,
  hours: null,
  incidents: null,
  notifyOwners: false,
  postsPerHour: POSTS_PER_HOUR,
  lookBudget: 1_000_000,
} as const;

const orderAt = (surface: string, place: string) => ({
  surface,
  place,
  source,
  name: "noticed",
  mode: null,
  instructions: "Find bugs",
  by: `${surface}:UALICE` as const,
});

const judge = ({ opened, bot, asked }: Storming): void => {
  const looks = asked.flatMap((messages) => lookIn(messages)?.post ?? []);
  // A host that ends during a look may ask again.
  expect(looks.length).toBeLessThanOrEqual(POSTS_PER_HOUR + ENDS);
  const all = bot.list(1_000, null);
  expect(all.length).toBeLessThanOrEqual(THREADS_PER_HOUR);
  expect(all.length).toBeGreaterThan(0);
  for (const { conversation } of all) expect(conversation.createdBy).toBe("watch:noticed");
  const threads = z
    .array(z.object({ conversation: z.string(), message: z.string(), count: z.number() }))
    .parse(opened.rows.select("SELECT conversation, message, count FROM watch_threads")({}));
  expect(threads.length).toBe(all.length);
  expect(threads.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(Math.ceil(POSTS / 5));
  expect(opened.chat.unhandled("watch")).toEqual([]);
};

/** Sends the posts in as many parts as the host lives, and ends the host after each part but the last. */
const storm = async <Rig extends Storming>(
  first: Rig,
  say: (no: number) => void,
  restart: (rig: Rig) => Promise<Rig>,
): Promise<Storming> => {
  const asked: (readonly PromptMessage[])[] = [];
  const part = POSTS / (ENDS + 1);
  let rig = first;
  for (let no = 0, ends = 0; no < POSTS; no += 1) {
    say(no);
    if (ends === ENDS || no + 1 < Math.floor(part * (ends + 1))) continue;
    ends += 1;
    const before = rig;
    rig = await restart(rig);
    asked.push(...before.asked);
  }
  const { opened, bot } = rig;
  await expect.poll(() => looked(rig), SLOWLY).toBe(true);
  for (const surface of ["slack", "discord", "watch"])
    await expect.poll(() => opened.chat.unhandled(surface), SLOWLY).toEqual([]);
  return { opened, bot, asked: [...asked, ...rig.asked] };
};

const SLOWLY = { timeout: 120_000, interval: 50 };

/** The limit of posts is reached, because more posts are different than it allows. */
const looked = ({ opened }: Storming): boolean =>
  opened.rows.select("SELECT post FROM first_looks")({}).length >= Math.min(POSTS_PER_HOUR, 10);

const people = [{ name: "alice", role: "owner" as const }, ...names.map((name) => ({ name }))];

describe("a storm of posts stays within the limits, doubles nothing, and is nobody's", () => {
  it("on Slack", { timeout: 600_000 }, async () => {
    const rig = await createSlackRig({ answer: deciding(crashes), fake: { users: people } });
    await begin(rig, "slack", "CGENERAL");
    const { fake } = rig;
    const roots: { readonly channel: string; readonly ts: string }[] = [];
    const result = await storm(
      rig,
      (no) => void roots.push(fake.as(nameOf(no)).say(wordsOf(no), { channel: "general" })),
      (one) => one.restart(),
    );
    await fake.settled();
    judge(result);
    const lines = roots.map(({ channel, ts }) =>
      fake.world.thread(channel, ts).filter(({ text }) => text.includes("Started automatically")),
    );
    expect(Math.max(...lines.map(({ length }) => length))).toBe(1);
    expect(fake.world.ephemerals).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  it("on Discord", { timeout: 600_000 }, async () => {
    const rig = await createDiscordRig({ answer: deciding(crashes), fake: { guilds: [GUILD] } });
    const { fake } = rig;
    await begin(rig, "discord", fake.world.channelNamed("general").id);
    const posts: string[] = [];
    const result = await storm(
      rig,
      (no) => void posts.push(fake.as(nameOf(no)).say("general", wordsOf(no)).id),
      (one) => one.restart(),
    );
    judge(result);
    const lines = posts
      .filter((id) => fake.world.channels.has(id))
      .map((id) => fake.asText(id).split("Started automatically").length - 1);
    expect(Math.max(...lines)).toBe(1);
    expect(fake.violations).toEqual([]);
  });
});

const GUILD = {
  name: "Community",
  channels: [{ name: "general" }, { name: "other" }, { name: "help", kind: "forum" as const }],
  members: names.map((name) => ({ name })),
};

const begin = async (
  rig: Parameters<typeof watchingOf>[0],
  surface: string,
  place: string,
): Promise<void> => {
  const { book } = watchingOf(rig);
  expect(await book.add(orderAt(surface, place))).toMatchObject({ kind: "done" });
  await book.change("noticed", { perHour: THREADS_PER_HOUR }, `${surface}:UALICE`);
};

const nameOf = (no: number): string => names[no % PEOPLE] ?? "";
