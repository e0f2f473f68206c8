/** A conversation on Slack or Discord as its people live it, and how it reads in the end: who said what, and whom it called. */

import { expect, vi } from "vitest";
import { z } from "zod";
import type { ChatStore } from "../../src/ports/chat-rows.ts";
import type { ChatSurface } from "../../src/ports/connection.ts";
import type { Ledger } from "../../src/ports/surface.ts";
import type { RunningBot } from "../../src/runtime/bot/bot.ts";
import type { StorePorts } from "../../src/store/write/grouped.ts";
import { createRig as createDiscordRig } from "../adapters/discord/rig.ts";
import { type HostOptions, OFTEN } from "../adapters/rig.ts";
import { createRig as createSlackRig } from "../adapters/slack/rig.ts";
import { messageAsText as discordMessageAsText } from "../fakes/discord/render.ts";
import { ephemeralAsText, messageAsText, viewAsText } from "../fakes/slack/render.ts";

export interface Stage {
  readonly platform: "slack" | "discord";
  /** Whoever may approve. */
  readonly approver: string;
  /** The first opens the thread. */
  say(who: string, text: string, files?: readonly File[]): void;
  /** A message in the channel that asks nothing. The next two are about it. */
  remark(who: string, text: string, files?: readonly File[]): Promise<void>;
  /** Answers the remark: on Slack in its thread. Opens the thread. */
  reply(who: string, text: string): void;
  /** Forwards the remark with a question. Opens the thread. */
  forward(who: string, text: string): void;
  /** Changes the person's newest message of the thread, and waits until the host has handled that. */
  edit(who: string, text: string): Promise<void>;
  /** Deletes the person's newest message in the thread. */
  unsay(who: string): void;
  /** The newest button of that label, in a reply to the person if there is one. `whose`: another person, whose reply it is. */
  click(who: string, label: string, whose?: string): Promise<void>;
  /** Presses a button that opens a form, and sends it with these words. */
  fill(who: string, label: string, words: string): Promise<void>;
  /** The newest button of that label, as a screen has it that is not renewed: what it presses later. */
  keep(label: string): Promise<(who: string) => Promise<void>>;
  /** Waits until the thread reads as wanted. */
  until(wanted: RegExp): Promise<void>;
  restart(): Promise<void>;
  /** Platform id of a person. */
  idOf(who: string): string;
  /** The next message opens another thread, which the story then shows. */
  leave(): void;
  /** Parts of the running process. */
  host(): StageHost;
  /** Once nothing moves any more. */
  story(): Promise<string>;
  /** Messages of ours that stand, with what people see of them as JSON. */
  posts(): readonly Post[];
  /** All messages in order, as the platform received them; mentions carry names instead of ids. */
  payloads(): readonly Payload[];
}

export interface StageHost {
  readonly opened: StorePorts;
  readonly bot: Pick<RunningBot, "forgetPerson">;
  readonly chat: ChatStore;
  readonly ledger: Ledger;
  readonly surface: ChatSurface;
}

export interface Payload {
  readonly who: string;
  /** Empty if `parts` says the same. */
  readonly text: string;
  /** Blocks of Slack, components of Discord. */
  readonly parts: readonly unknown[];
}

interface File {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Post {
  readonly id: string;
  readonly shown: string;
}

export interface StageOptions extends HostOptions {
  /** The channel has no repository yet. */
  readonly isNew?: true;
  /** Between one person and the bot. */
  readonly isDirect?: true;
  /** The thread is a forum's post: Discord has them. */
  readonly isForum?: true;
  /** Besides whoever may approve, bob, carol, dave and erin are there. */
  readonly isCrowd?: true;
}

const CROWD = ["bob", "carol", "dave", "erin"] as const;

interface Line {
  readonly at: number;
  readonly text: string;
}

const COMMIT = "abc1234567".repeat(4);
const TREE = "7ee7ee7ee";

/** In order, without what differs from run to run. */
const told = (lines: readonly Line[]): string =>
  lines
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text.trimEnd())
    .join("\n\n")
    .replaceAll(/(?<=^|[\s(])(?:\d+ min )?[\d.,]+ (s|秒)(?!\w)/gm, "N $1")
    .replaceAll(/^(>> .*) · N s$/gm, "$1")
    .replaceAll(/<!date\^[^>]*>|<t:\d+:[tf]>/g, "23:11")
    .replaceAll(/\d\d:\d\d UTC/g, "23:11 UTC")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://forge.example")
    .replaceAll(/127\.0\.0\.1:\d+/g, "forge.example")
    .replaceAll(/(?<=\/archives\/\w+\/p)\d+/g, "17")
    .replaceAll(/parley\/c-[a-z0-9]+/g, "parley/c-ID")
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, (commit) => COMMIT.slice(0, commit.length))
    // Previews that Discord adds a moment later.
    .replaceAll(/^\[link [^\n]*\]\n?/gm, "")
    .replaceAll(/(?<=tree `)[0-9a-f]{9}/g, TREE)
    .concat("\n");

/** `head`: whose it is; the rest is what a renderer of the fakes makes of a message, below a head of its own. */
const under = (head: string, rendered: string): string =>
  [head, ...rendered.trimEnd().split("\n").slice(1)].join("\n");

export const slackStage = async ({
  isNew,
  isDirect,
  isForum: _none,
  isCrowd,
  ...options
}: StageOptions): Promise<Stage> => {
  let rig = await createSlackRig({
    ...options,
    ...(isNew === true ? { bound: [] } : {}),
    ...(isCrowd === true
      ? { fake: { users: [{ name: "alice", role: "owner" }, ...CROWD.map((name) => ({ name }))] } }
      : {}),
  });
  const { fake } = rig;
  const { world } = fake;
  /** What the stand-in keeps no record of. */
  const picks: Line[] = [];
  /** Of those who asked for steps: Slack shows them in a modal. */
  const windows: { readonly at: number; readonly who: string }[] = [];
  let root: { readonly channel: string; readonly ts: string } | null = null;
  let remarked: { readonly channel: string; readonly ts: string } | null = null;
  const at = () => root ?? { channel: "CGENERAL", ts: "0" };

  const lines = (): readonly Line[] => {
    const { channel, ts } = at();
    return [
      ...world.thread(channel, ts).map((message) => {
        const rendered = messageAsText(world, message);
        const [, who = ""] = /^--- from: (.*)/.exec(rendered) ?? [];
        const calls = [...JSON.stringify(message.blocks ?? message.text).matchAll(/<@(U[A-Z]+)>/g)].map(
          ([, id = ""]) => `@${world.users.get(id)?.name ?? id}`,
        );
        const named = calls.length === 0 ? "" : `, names ${[...new Set(calls)].join(" and ")}`;
        const head = message.botId === undefined ? `${who}:` : `${who}, to all who follow${named}:`;
        return { at: Number(message.ts), text: under(head, rendered) };
      }),
      ...world.ephemerals
        .filter((one) => one.channel === channel && (one.threadTs === ts || one.threadTs === undefined))
        .map((one) => ({
          at: Number(one.ts),
          text: under(
            `parley, to @${world.users.get(one.for)?.name ?? "?"} alone:`,
            ephemeralAsText(world, one),
          ),
        })),
      ...world.deeds
        .filter((one) => one.channel === channel)
        .map(({ ts: when, user, what }) => ({
          at: Number(when),
          text: `[@${world.users.get(user)?.name ?? "?"} ${what.replace(/ of \[.*$/, "")}]`,
        })),
      ...picks,
      ...windows.flatMap(({ at: when, who }) =>
        fake
          .as(who)
          .views()
          .slice(-1)
          .map(({ view }) => ({
            at: when,
            text: under(`parley, in a window for @${who} alone:`, viewAsText(world, view)),
          })),
      ),
    ];
  };
  const carrying = (
    label: string,
    who: string | null,
  ): { readonly channel: string; readonly ts: string } | null => {
    const { channel, ts } = at();
    const alone = world.ephemerals.filter((one) => who === null || one.for === fake.as(who).id);
    const said = [...world.thread(channel, ts), ...alone].toSorted((a, b) => Number(a.ts) - Number(b.ts));
    const found = said.findLast(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"text":"${label}"`));
    return found === undefined ? null : { channel, ts: found.ts };
  };

  const cardWith = (label: string, who: string | null = null) =>
    vi.waitFor(() => {
      const found = carrying(label, who);
      if (found === null) throw new Error(`no button says ${label}`);
      return found;
    }, OFTEN);

  return {
    platform: "slack",
    approver: "alice",
    fill: async (who, label, words) => {
      const opened = fake.as(who).views().length;
      fake.as(who).click(await cardWith(label), label);
      await vi.waitFor(() => expect(fake.as(who).views().length).toBeGreaterThan(opened), OFTEN);
      fake.as(who).submit({ words });
    },
    keep: async (label) => {
      const card = await cardWith(label);
      const kept = world.message(card.channel, card.ts)?.blocks;
      return (who) => {
        const message = world.message(card.channel, card.ts);
        if (message === undefined) throw new Error("the card is gone");
        const now = message.blocks;
        Object.assign(message, { blocks: kept });
        fake.as(who).click(card, label);
        Object.assign(message, { blocks: now });
        return Promise.resolve();
      };
    },
    say: (who, text, files = []) => {
      const thread = root === null ? {} : { thread: root.ts };
      const place = { ...(isDirect === true ? {} : { channel: "general" }), ...thread, files };
      const said = fake.as(who).say(text, place);
      root ??= said;
    },
    remark: async (who, text, files = []) => {
      remarked = fake.as(who).say(text, { channel: "general", files });
      // Slack has two sockets: the next message could overtake this one.
      await fake.settled();
    },
    reply: (who, text) => {
      root = remarked;
      fake.as(who).say(text, { channel: "general", thread: at().ts });
    },
    forward: (who, text) => {
      if (remarked !== null) root = fake.as(who).share(remarked, text, { channel: "general" });
    },
    edit: (who, text) => {
      const { channel, ts } = at();
      const { id } = fake.as(who);
      const said = world.thread(channel, ts).findLast(({ user }) => user === id);
      return handled(rig.chat, "slack", () => fake.as(who).edit({ channel, ts: said?.ts ?? ts }, text));
    },
    unsay: (who) => {
      const { channel, ts } = at();
      const said = world.thread(channel, ts).findLast(({ user }) => user === fake.as(who).id);
      if (said !== undefined) fake.as(who).remove({ channel, ts: said.ts });
      picks.push({ at: Date.now() / 1_000, text: `[@${who} deletes the message]` });
    },
    click: async (who, label, whose = who) => {
      const card = await cardWith(label, whose);
      const alone = world.ephemerals.find(({ ts }) => ts === card.ts);
      const menu = (alone ?? world.message(card.channel, card.ts))?.blocks ?? [];
      if (JSON.stringify(menu).includes("static_select")) {
        picks.push({ at: Date.now() / 1_000, text: `[@${who} picks ${label}]` });
        fake.as(who).choose(card, label);
        return;
      }
      fake.as(who).click(card, label);
      if (label === "Steps") windows.push({ at: Date.now() / 1_000 + 1, who });
    },
    until: (wanted) => vi.waitFor(() => expect(told(lines())).toMatch(wanted), OFTEN),
    restart: async () => {
      rig = await rig.restart();
    },
    host: () => ({ ...rig, surface: rig.slack }),
    idOf: (who) => fake.as(who).id,
    leave: () => {
      root = null;
    },
    story: async () => {
      await fake.settled();
      expect(fake.violations).toEqual([]);
      return told(lines());
    },
    posts: () => {
      const { channel, ts } = at();
      return world
        .thread(channel, ts)
        .flatMap(({ botId, ts: id, blocks, files }) =>
          botId === undefined ? [] : [{ id, shown: JSON.stringify({ blocks, files: filesOf(files) }) }],
        );
    },
    payloads: () => {
      const { channel, ts } = at();
      const named = withNames(/<@(U[A-Z]+)>/g, (id) => world.users.get(id)?.name);
      return world.thread(channel, ts).map(({ botId, user, text, blocks }) => ({
        who: botId === undefined ? (world.users.get(user)?.name ?? "?") : "parley",
        text: botId === undefined ? named(text) : "",
        parts: z.array(z.unknown()).parse(JSON.parse(named(JSON.stringify(blocks ?? [])))),
      }));
    },
  };

  function filesOf(ids: readonly string[]): readonly string[] {
    return ids.map((id) => String(world.files.get(id)?.bytes ?? ""));
  }
};

/** Arrivals are told apart by their time. */
const handled = async (chat: ChatStore, surface: string, act: () => void): Promise<void> => {
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(chat.lastArrival(surface) ?? 0), { interval: 1 });
  const from = Date.now();
  act();
  await vi.waitFor(() => {
    expect(chat.lastArrival(surface)).toBeGreaterThanOrEqual(from);
    expect(chat.unhandled(surface)).toEqual([]);
  }, OFTEN);
};

/** What Discord's ids count from: milliseconds. */
const DISCORD_BEGAN = 1_420_070_400_000;

const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + DISCORD_BEGAN;

export const discordStage = async ({
  isNew,
  isDirect,
  isForum,
  isCrowd,
  ...options
}: StageOptions): Promise<Stage> => {
  let rig = await createDiscordRig({
    ...(isCrowd === true
      ? {
          fake: {
            guilds: [
              {
                name: "Community",
                channels: [{ name: "general" }, { name: "help", kind: "forum" }],
                members: [{ name: "maria", roles: ["maintainer"] }, ...CROWD.map((name) => ({ name }))],
              },
            ],
          },
        }
      : {}),
    ...options,
    ...(isNew === true ? { bound: [] } : {}),
    ...(isDirect === true ? { env: { PARLEY_DISCORD_DIRECT: "on" } } : {}),
  });
  const { fake } = rig;
  const { world } = fake;
  const deeds: Line[] = [];
  let root: string | null = null;
  let remarked: { readonly channel: string; readonly id: string } | null = null;
  const general = world.channelNamed("general").id;

  const whole = () => [
    ...world.messages(general),
    ...(root !== null && world.channels.has(root) ? world.messages(root) : []),
  ];
  const lines = (): readonly Line[] => [
    ...whole()
      .filter(({ type }) => type !== 18 && type !== 21)
      .map((message) => {
        const rendered = discordMessageAsText(world, message);
        const [, who = ""] = /^--- from: (.*?)(?: \(only for .*)?\n/.exec(rendered) ?? [];
        const calls = message.mentions.users.map((id) => `@${world.users.get(id)?.name ?? id}`);
        const alone = message.onlyFor === null ? null : `@${world.users.get(message.onlyFor)?.name ?? "?"}`;
        const whom =
          alone !== null
            ? `to ${alone} alone`
            : (message.flags & 4_096) !== 0
              ? "silently"
              : calls.length > 0
                ? `calls ${calls.join(" and ")}`
                : "to all who follow";
        const isOurs = message.author === world.app.bot;
        return { at: timeOf(message.id), text: under(isOurs ? `${who}, ${whom}:` : `${who}:`, rendered) };
      }),
    ...deeds,
  ];
  const carrying = (
    label: string,
    who: string | null,
  ): { readonly channel: string; readonly id: string } | null => {
    const person = who === null ? "" : fake.as(who).id;
    const all = whole().filter(
      ({ components, content, onlyFor }) =>
        (onlyFor === null || who === null || onlyFor === person) &&
        (who === null || !/^<@\d+>/.test(content) || content.startsWith(`<@${person}>`)) &&
        JSON.stringify(components).includes(`"label":"${label}"`),
    );
    const own = all.findLast(
      ({ content, onlyFor }) => onlyFor === person || content.includes(`<@${person}>`),
    );
    const found = own ?? all.at(-1);
    return found === undefined ? null : { channel: found.channel, id: found.id };
  };

  const cardWith = (label: string, who: string | null = null) =>
    vi.waitFor(() => {
      const found = carrying(label, who);
      if (found === null) throw new Error(`no button says ${label}`);
      return found;
    }, OFTEN);

  return {
    platform: "discord",
    approver: "maria",
    fill: async (who, label, words) => {
      const opened = fake.as(who).click(await cardWith(label), label);
      expect(await opened.ended).toMatchObject({ kind: "modal" });
      deeds.push({ at: Date.now(), text: `[@${who} clicks ${label} and fills in its form]` });
      await (await fake.as(who).submit(opened, { words })).ended;
    },
    keep: async (label) => {
      const card = await cardWith(label);
      const kept = world.message(card.channel, card.id)?.components;
      return async (who) => {
        const message = world.message(card.channel, card.id);
        if (message === undefined) throw new Error("the card is gone");
        const now = message.components;
        Object.assign(message, { components: kept });
        const pressed = fake.as(who).click(card, label);
        Object.assign(message, { components: now });
        deeds.push({ at: Date.now(), text: `[@${who} clicks ${label} of a card that is over]` });
        await pressed.ended;
      };
    },
    remark: (who, text, files = []) => {
      remarked = fake.as(who).say("general", text, { files });
      return Promise.resolve();
    },
    reply: (who, text) => {
      root = fake.as(who).say("general", text, { replyTo: remarked?.id ?? "" }).id;
    },
    forward: (who, text) => {
      if (remarked !== null) fake.as(who).forward(remarked, "general");
      root = fake.as(who).say("general", text).id;
    },
    edit: (who, text) => {
      const { id } = fake.as(who);
      const said = whole().findLast(({ author, type }) => author === id && type !== 21);
      if (said === undefined) throw new Error(`${who} said nothing`);
      return handled(rig.chat, "discord", () =>
        fake.as(who).edit({ channel: said.channel, id: said.id }, text),
      );
    },
    say: (who, text, files = []) => {
      if (isDirect === true) {
        root = fake.as(who).whisper(text).channel;
        return;
      }
      if (isForum === true && root === null) {
        root = fake.as(who).ask("help", { name: text, text: `@parley ${text}` }).channel;
        return;
      }
      const said = fake.as(who).say(root ?? "general", text, { files });
      root ??= said.id;
    },
    unsay: (who) => {
      const said = whole().findLast(({ author }) => author === fake.as(who).id);
      if (said !== undefined) fake.as(who).remove({ channel: said.channel, id: said.id });
      deeds.push({ at: Date.now(), text: `[@${who} deletes the message]` });
    },
    click: async (who, label, whose = who) => {
      if (label.includes("/") && isDirect === true) {
        const menu = await vi.waitFor(() => {
          const found = world.messages(root ?? "").findLast(({ components }) => components.length > 0);
          if (found === undefined) throw new Error("there is no menu");
          return { channel: found.channel, id: found.id };
        }, OFTEN);
        deeds.push({ at: Date.now(), text: `[@${who} picks ${label}]` });
        await fake.as(who).choose(menu, label).ended;
        return;
      }
      if (label.includes("/")) {
        await rig.run(who, "general", "parley repo", { name: label });
        deeds.push({ at: Date.now(), text: `[@${who} runs /parley repo name:${label}]` });
        return;
      }
      const card = await cardWith(label, whose);
      deeds.push({ at: Date.now(), text: `[@${who} clicks ${label}]` });
      await fake.as(who).click(card, label).ended;
    },
    until: (wanted) => vi.waitFor(() => expect(told(lines())).toMatch(wanted), OFTEN),
    restart: async () => {
      rig = await rig.restart();
    },
    host: () => ({ ...rig, surface: rig.discord }),
    idOf: (who) => fake.as(who).id,
    leave: () => {
      root = null;
    },
    story: () => {
      expect(fake.violations).toEqual([]);
      return Promise.resolve(told(lines()));
    },
    posts: () =>
      whole().flatMap(({ author, id, content, components, attachments, type, onlyFor }) =>
        author === world.app.bot && onlyFor === null && type !== 18 && type !== 21
          ? [
              {
                id,
                shown: JSON.stringify({
                  content,
                  components,
                  files: attachments.map(({ bytes }) => String(bytes)),
                }),
              },
            ]
          : [],
      ),
    payloads: () => {
      const named = withNames(/<@!?(\d+)>/g, (id) => world.users.get(id)?.name);
      return whole()
        .filter(({ type, onlyFor }) => type !== 18 && type !== 21 && onlyFor === null)
        .map(({ author, content, components }) => ({
          who: world.users.get(author)?.name ?? "?",
          text: named(content),
          parts: components,
        }));
    },
  };
};

const withNames =
  (mention: RegExp, nameOf: (id: string) => string | undefined) =>
  (text: string): string =>
    text.replaceAll(mention, (_, id: string) => `<@${nameOf(id) ?? "?"}>`);
