/**
 * Many people post at once on each platform, and the process dies several times at sampled commits. Limits hold, nothing doubles,
 * no thread begins in a person's name, and the operator is told once.
 */

import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import type { AlertFacts } from "../../../../src/ports/alerts.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import type { RunningBot } from "../../../../src/runtime/bot/bot.ts";
import { createFakeDiscord } from "../../../fakes/discord/fake.ts";
import { createFakeSlack } from "../../../fakes/slack/fake.ts";
import { ofWhole } from "../../../sample.ts";
import { testSeed } from "../../../seed.ts";
import { watchingOf } from "../watching.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { createLine, type Death, mortalStore } from "./mortal.ts";

const POSTS = ofWhole(1_000, 60);
const PEOPLE = ofWhole(50, 10);
const ENDS = ofWhole(5, 1);
const POSTS_PER_HOUR = 20;
const THREADS_PER_HOUR = 4;

interface Storming {
  readonly opened: StorePorts;
  readonly bot: RunningBot;
  readonly alerted: ReadonlyMap<string, AlertFacts | null>;
  readonly asked: readonly (readonly PromptMessage[])[];
  replace(changes: {
    readonly opened: StorePorts;
    readonly env: Readonly<Record<string, string>>;
  }): Promise<Storming>;
  close(): Promise<void>;
}

/** The work of all processes together. */
interface Outcome extends Pick<Storming, "opened" | "bot"> {
  readonly asked: readonly (readonly PromptMessage[])[];
  /** Times that the operator was told about posts that a limit left out. */
  readonly told: number;
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

const judge = ({ opened, bot, asked, told }: Outcome): void => {
  const looks = asked.flatMap((messages) => lookIn(messages)?.post ?? []);
  // A process that dies during a look asks again.
  expect(looks.length).toBeLessThanOrEqual(POSTS_PER_HOUR + ENDS);
  expect(told).toBe(1);
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

const deaths: readonly Death[] = Array.from({ length: ENDS }, (_, no) => ({
  commit: 2 + ((testSeed() >> (3 * no)) % 16),
  isStored: (testSeed() >> no) % 2 === 0,
}));

interface Town {
  /** Name of the setting with the platform's address. */
  readonly setting: string;
  readonly fake: { readonly port: number; readonly apiUrl: string };
  /** Connections that bring events. */
  connections(): readonly { cut(): void }[];
  begin(opened: StorePorts, env: Readonly<Record<string, string>>): Promise<Storming>;
  say(no: number): void;
  /** Everything that was sent is handled. */
  heard(rig: Storming): Promise<void>;
}

/** Sends the posts in as many parts as there are processes. All but the last die in their part. */
const storm = async (town: Town): Promise<Outcome> => {
  const asked: (readonly PromptMessage[])[] = [];
  const told: (AlertFacts | null)[] = [];
  const part = Math.ceil(POSTS / (ENDS + 1));
  let disk: Buffer | undefined;
  let last: Storming | null = null;
  for (const [no, death] of [...deaths, null].entries()) {
    const line = await createLine();
    const env = { [town.setting]: line.through(town.fake) };
    const { opened, dies } = mortalStore(disk);
    const rig: Storming = await (last === null ? town.begin(opened, env) : last.replace({ opened, env }));
    last = rig;
    const count = (): void => {
      asked.push(...rig.asked);
      told.push(...[...rig.alerted.values()].filter((one) => one?.kind === "postsLeft"));
    };
    const died =
      death === null
        ? null
        : dies(death, () => {
            line.cut();
            for (const one of town.connections()) one.cut();
            count();
          });
    for (let post = no * part; post < Math.min(POSTS, (no + 1) * part); post += 1) town.say(post);
    if (died !== null) disk = await died;
    else {
      await expect.poll(() => looked(rig), SLOWLY).toBe(true);
      for (const surface of ["slack", "discord", "watch"])
        await expect.poll(() => opened.chat.unhandled(surface), SLOWLY).toEqual([]);
      await town.heard(rig);
      await rig.close();
      count();
    }
  }
  if (last === null) throw new Error("no process began");
  return { opened: last.opened, bot: last.bot, asked, told: told.length };
};

const SLOWLY = { timeout: 120_000, interval: 50 };

/** The limit of posts is reached, because more posts are different than it allows. */
const looked = ({ opened }: Storming): boolean =>
  opened.rows.select("SELECT post FROM first_looks")({}).length >= Math.min(POSTS_PER_HOUR, 10);

const people = [{ name: "alice", role: "owner" as const }, ...names.map((name) => ({ name }))];

describe("a storm of posts stays within the limits, doubles nothing, and is nobody's", () => {
  it("on Slack", { timeout: 600_000 }, async () => {
    const fake = await createFakeSlack({ rates: "off", users: people });
    onTestFinished(() => fake.close());
    const roots: { readonly channel: string; readonly ts: string }[] = [];
    const result = await storm({
      setting: "SLACK_API_URL",
      fake,
      connections: () => fake.sockets.open,
      begin: async (opened, env) => {
        const rig = await createSlackRig({ on: fake, opened, env, answer: deciding(crashes) });
        await begin(rig, "slack", "CGENERAL");
        return rig;
      },
      say: (no) => void roots.push(fake.as(nameOf(no)).say(wordsOf(no), { channel: "general" })),
      heard: () => fake.settled(),
    });
    judge(result);
    const lines = roots.map(({ channel, ts }) =>
      fake.world.thread(channel, ts).filter(({ text }) => text.includes("Started automatically")),
    );
    expect(Math.max(...lines.map(({ length }) => length))).toBe(1);
    expect(fake.world.ephemerals).toEqual([]);
    expect(fake.violations).toEqual([]);
  });

  it("on Discord", { timeout: 600_000 }, async () => {
    const fake = await createFakeDiscord({ rates: "off", guilds: [GUILD], times: { identifyWindowMs: 0 } });
    onTestFinished(() => fake.close());
    const posts: string[] = [];
    const result = await storm({
      setting: "DISCORD_API_URL",
      fake,
      connections: () => fake.gateway.open,
      begin: async (opened, env) => {
        const rig = await createDiscordRig({ on: fake, opened, env, answer: deciding(crashes) });
        await begin(rig, "discord", fake.world.channelNamed("general").id);
        return rig;
      },
      say: (no) => void posts.push(fake.as(nameOf(no)).say("general", wordsOf(no)).id),
      heard: async () => undefined,
    });
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
