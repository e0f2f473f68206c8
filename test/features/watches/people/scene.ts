/** A watched channel on Slack or Discord, with an author (bob), a passer-by (carol) and a host approver (alice). */

import { expect } from "vitest";
import type { Core } from "../../../../src/feature.ts";
import type { PeopleSource, WatchSource } from "../../../../src/features/watches/store/watches.ts";
import type { PostRead } from "../../../../src/ports/connection.ts";
import type { StorePorts } from "../../../../src/store/write/grouped.ts";
import type { RunningBot } from "../../../../src/runtime/bot/bot.ts";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { messageAsText as discordMessageAsText } from "../../../fakes/discord/render.ts";
import { messageAsText as slackMessageAsText } from "../../../fakes/slack/render.ts";
import type { HostOptions, Host } from "../../../adapters/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import { tablesWith } from "./tables-with.ts";
import { watchingOf } from "../watching.ts";

export interface LookScene extends Pick<Host, "asked" | "ports"> {
  readonly platform: "slack" | "discord";
  readonly opened: StorePorts;
  readonly bot: RunningBot;
  /** Posts at the top of the channel; answers with the id of the post. */
  post(who: string, text: string): string;
  reply(root: string, who: string, text: string): void;
  react(root: string, who: string): void;
  /** Deletes the post that the person wrote. */
  remove(root: string, who: string): void;
  /** Deletes the thread below the post, but not the post. On Discord alone. */
  removeThread(root: string): void;
  /** Lets the next reads of posts fail, as the platform fails. */
  failReads(times: number, how?: ReadFault): void;
  readPost(root: string): Promise<PostRead | undefined>;
  /** A new process on the same database. */
  again(): Promise<void>;
  click(root: string, who: string, label: string): void;
  reads(root: string, wanted: RegExp): Promise<string>;
  /** The thread as it reads now; empty if there is none. */
  text(root: string): string;
  /** A command in the channel; answers with what the person is told. */
  order(who: string, words: string, values?: Readonly<Record<string, string>>): Promise<string>;
  /** The channel of reviews, as a command names the channel. */
  readonly review: string;
  /** The messages of a channel, without those of threads. */
  channel(name: string): string;
  /** Clicks a button of the newest message of the channel of reviews that has the button. */
  decide(who: string, label: string): void;
  /** Private messages to the person. */
  whispered(who: string): string;
  /** Tables with the text in any cell. */
  stored(text: string): readonly string[];
  /** Number of posts that no watch has decided. */
  waiting(): number;
  /** Everything that was sent has arrived. */
  arrived(): Promise<void>;
  /** Everything that was sent is handled. */
  heard(): Promise<void>;
  /** Messages of Parley that notified somebody. */
  notified(): readonly string[];
  violations(): readonly unknown[];
}

/** A status, a limit of calls, or a lost connection. */
export type ReadFault = 503 | 429 | "cut";

export const PEOPLE_SOURCE: PeopleSource = {
  kind: "people",
  with: [],
  without: [],
  onlyQuestions: false,
  from: null,
  hours: null,
  incidents: null,
  notifyOwners: false,
  postsPerHour: 1_000,
  lookBudget: null,
};

export const EMOJI_SOURCE: WatchSource = { kind: "emoji", emoji: "mag" };

/** The file of the cart has an owner; other files were last changed by Ada. */
export const commitsHere: Core["commits"] = {
  tip: async () => ({ kind: "tip", tip: { commit: "c", mirror: "m" } }),
  within: async (_tip, signal, work) => ({
    kind: "done",
    value: await work({
      signal,
      ask: async (script) =>
        script.includes("CODEOWNERS") ? "/src/cart.ts @acme/shop @everyone\n" : "=\n1\tAda <!channel>\n",
    }),
  }),
};

interface SceneOptions extends Omit<HostOptions, "features"> {
  /** PARLEY_APPROVERS lists alice. Otherwise people who manage the workspace or the server approve. */
  readonly isListed?: true;
}

export const lookScene = async (
  platform: LookScene["platform"],
  source: WatchSource,
  { outside, ...options }: SceneOptions,
): Promise<LookScene> => {
  const whole = { ...options, outside: { commits: commitsHere, ...outside } };
  const made = platform === "slack" ? await onSlack(whole) : await onDiscord(whole);
  const { scene, place } = made;
  const by = `${platform}:1` as const;
  const order = {
    surface: platform,
    place,
    source,
    name: "noticed",
    mode: null,
    instructions: "Find bugs",
    by,
  };
  expect(await watchingOf(scene).book.add(order)).toMatchObject({ kind: "done" });
  await watchingOf(scene).book.change("noticed", { perHour: 1_000, budget: null }, by);
  return scene;
};

const onSlack = async ({
  isListed,
  ...options
}: SceneOptions): Promise<{ readonly scene: LookScene; readonly place: string }> => {
  const channels = [{ name: "general" }, { name: "maintainers" }];
  const rig = await createSlackRig({
    ...options,
    fake: { channels },
    bound: ["CGENERAL", "CMAINTAINERS"],
    env: { ...options.env, ...(isListed === true ? { PARLEY_APPROVERS: "slack:UALICE" } : {}) },
  });
  const { fake } = rig;
  const channel = "CGENERAL";
  const textOf = (root: string): string =>
    fake.world.thread(channel, root).length > 1 ? fake.threadAsText(channel, root) : "";
  const scene: LookScene = {
    ...rig,
    stored: (text) => tablesWith(rig.opened, text),
    waiting: () => rig.chat.unhandled("watch").length,
    platform: "slack",
    post: (who, text) => fake.as(who).say(text, { channel: "general" }).ts,
    reply: (root, who, text) => void fake.as(who).say(text, { channel: "general", thread: root }),
    react: (root, who) => fake.as(who).react({ channel, ts: root }, "mag"),
    remove: (root, who) => fake.as(who).remove({ channel, ts: root }),
    removeThread: () => undefined,
    failReads: (times, how = 503) =>
      fake.fault(
        how === "cut"
          ? { kind: "cut", applied: false, how: "reset" }
          : { kind: "status", status: how, ...(how === 429 ? { retryAfter: "1" } : {}) },
        { times, match: { method: "conversations.replies" } },
      ),
    readPost: async (root) => rig.slack.readPost?.(channel, root),
    again: async () => void (await rig.restart()),
    click: (root, who, label) => {
      const there = fake.world
        .thread(channel, root)
        .findLast((one) => slackMessageAsText(fake.world, one).includes(`[${label}]`));
      void fake.as(who).click({ channel, ts: there?.ts ?? "" }, label);
    },
    reads: (root, wanted) => rig.thread({ channel, ts: root }, wanted),
    text: textOf,
    review: "#maintainers",
    order: async (who, words, values = {}) => {
      const before = fake.world.ephemerals.length;
      fake.as(who).command("/parley", [words, ...Object.values(values)].join(" "), "general");
      await expect.poll(() => fake.world.ephemerals.length).toBeGreaterThan(before);
      return fake.world.ephemerals.at(-1)?.text ?? "";
    },
    channel: (name) =>
      fake.world
        .messages(fake.world.channelNamed(name).id)
        .filter(({ ts, threadTs }) => threadTs === undefined || threadTs === ts)
        .map((one) => slackMessageAsText(fake.world, one))
        .join("\n"),
    decide: (who, label) => {
      const there = fake.world
        .messages("CMAINTAINERS")
        .findLast((one) => slackMessageAsText(fake.world, one).includes(`[${label}]`));
      void fake.as(who).click({ channel: "CMAINTAINERS", ts: there?.ts ?? "" }, label);
    },
    whispered: (who) =>
      fake.world.ephemerals
        .filter((one) => one.for === fake.as(who).id)
        .map((one) => JSON.stringify(one))
        .join("\n"),
    arrived: () => fake.settled(),
    heard: async () => {
      await fake.settled();
      await expect.poll(() => [...rig.chat.unhandled("slack"), ...rig.chat.unhandled("watch")]).toEqual([]);
    },
    notified: () =>
      fake.world
        .messages(channel)
        .filter(({ botId }) => botId !== undefined)
        .map(({ text, blocks }) => `${text} ${JSON.stringify(blocks ?? [])}`)
        .filter((text) => /<!(?:channel|here|everyone|subteam)|<@U/.test(text)),
    violations: () => fake.violations,
  };
  return { scene, place: channel };
};

const onDiscord = async ({
  isListed,
  ...options
}: SceneOptions): Promise<{ readonly scene: LookScene; readonly place: string }> => {
  const names = [{ name: "bob" }, { name: "carol" }, { name: "alice", roles: ["maintainer"] }];
  const channels = [{ name: "general" }, { name: "help", kind: "forum" as const }, { name: "maintainers" }];
  const guild = {
    name: "Community",
    channels,
    members: [...names, { name: "maria", roles: ["maintainer"] }],
  };
  const rig = await createDiscordRig({
    ...options,
    fake: { guilds: [guild] },
    ...(isListed === true
      ? { envOf: (made) => ({ PARLEY_APPROVERS: `discord:${made.as("alice").id}` }) }
      : {}),
  });
  const { fake } = rig;
  const place = fake.world.channelNamed("general").id;
  const scene: LookScene = {
    ...rig,
    stored: (text) => tablesWith(rig.opened, text),
    waiting: () => rig.chat.unhandled("watch").length,
    platform: "discord",
    post: (who, text) => fake.as(who).say("general", text).id,
    reply: (root, who, text) => void fake.as(who).say(root, text),
    react: (root, who) => fake.as(who).react({ channel: place, id: root }, "🔍"),
    remove: (root, who) => fake.as(who).remove({ channel: place, id: root }),
    removeThread: (root) => fake.admin.deleteThread(root),
    failReads: (times, how = 503) =>
      fake.fault(
        how === "cut"
          ? { kind: "cut", applied: false, how: "reset" }
          : how === 429
            ? { kind: "limited", retryAfter: 1 }
            : { kind: "status", status: how },
        { times, match: { route: "GET /channels/{channel}/messages/{message}" } },
      ),
    readPost: async (root) => rig.discord.readPost?.(place, root),
    again: async () => void (await rig.restart()),
    click: (root, who, label) => {
      const there = fake.world
        .messages(root)
        .findLast((one) => discordMessageAsText(fake.world, one).includes(`[${label}]`));
      void fake.as(who).click({ channel: root, id: there?.id ?? "" }, label);
    },
    reads: rig.reads,
    review: `<#${fake.world.channelNamed("maintainers").id}>`,
    order: (who, words, values) => rig.run(who, "general", `parley ${words}`, values),
    channel: (name) =>
      partsOf(fake.asText(name))
        .filter((one) => !one.includes("(only for @"))
        .join(""),
    decide: (who, label) => {
      const channel = fake.world.channelNamed("maintainers").id;
      const there = fake.world
        .messages(channel)
        .findLast((one) => discordMessageAsText(fake.world, one).includes(`[${label}]`));
      void fake.as(who).click({ channel, id: there?.id ?? "" }, label);
    },
    whispered: (who) =>
      [...fake.world.channels.keys()]
        .flatMap((channel) => partsOf(fake.asText(channel)))
        .filter((one) => one.includes(`(only for @${who})`))
        .join(""),
    text: (root) => (fake.world.channels.has(root) ? fake.asText(root) : ""),
    // The gateway tells in order.
    arrived: async () => void (await rig.run("bob", "general", "parley help")),
    heard: async () => {
      await rig.run("bob", "general", "parley help");
      await expect.poll(() => [...rig.chat.unhandled("discord"), ...rig.chat.unhandled("watch")]).toEqual([]);
    },
    notified: () =>
      [...fake.world.channels.keys()]
        .flatMap((channel) => fake.world.messages(channel))
        .filter(
          ({ author, mentions }) =>
            author === fake.world.app.bot &&
            (mentions.users.length > 0 || mentions.everyone || mentions.roles.length > 0),
        )
        .map((one) => discordMessageAsText(fake.world, one)),
    violations: () => fake.violations,
  };
  return { scene, place };
};

/** The messages of a channel as text. */
const partsOf = (text: string): readonly string[] => text.split(/^(?=--- from: )/m);
