/** The labeled posts: well-formed, scored by the harness, and each decision of a scripted first model honored on both platforms. */

import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { PromptMessage } from "../../../../src/thread/prompt.ts";
import { createRig as createDiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig } from "../../../adapters/slack/rig.ts";
import { ofWhole, SAMPLED } from "../../../sample.ts";
import { type AskedLook, deciding, lookIn } from "../people/first-model.ts";
import { watchingOf } from "../watching.ts";
import { judgeAll } from "./judge.ts";
import { KNOWN, LABELED, type LabeledPost, scoreOf, scoreText } from "./labeled.ts";

describe("the set", () => {
  it("has 300 different posts, half of each kind held out", () => {
    expect(new Set(LABELED.map(({ text }) => text)).size).toBe(300);
    for (const kind of new Set(LABELED.map((one) => one.kind))) {
      const own = LABELED.filter((one) => one.kind === kind);
      const held = own.filter(({ half }) => half === "held out").length;
      expect(Math.abs(held - own.length / 2)).toBeLessThanOrEqual(0.5);
    }
  });

  it("has what people and adversaries write", () => {
    expect([...new Set(LABELED.map(({ kind }) => kind))]).toEqual(
      expect.arrayContaining([
        "bug",
        "question",
        "chatter",
        "joke",
        "thanks",
        "announcement",
        "others",
        "other language",
        "injection",
      ]),
    );
  });
});

const postIn = (text: string): string =>
  z.object({ post: z.string() }).parse(JSON.parse(text.slice(text.indexOf("{")))).post;

describe("the harness", () => {
  const labels = new Map(LABELED.map(({ text, label }) => [text, label]));
  const link = KNOWN[0]?.link ?? "";

  it("gives a model that knows all labels full marks", async () => {
    const judged = await judgeAll(async (text) => {
      const decision = labels.get(postIn(text));
      return JSON.stringify({ decision, link: decision === "duplicate" ? link : null, reason: "r" });
    }, LABELED);
    expect(scoreText(scoreOf(judged))).toBe("precision 1.000, recall 1.000, 300 of 300 right");
  });

  it("tells a model that always looks from one that is always silent", async () => {
    const looking = await judgeAll(async () => `{"decision":"look","link":null,"reason":"r"}`, LABELED);
    const silent = await judgeAll(async () => `{"decision":"nothing","link":null,"reason":"r"}`, LABELED);
    expect(scoreOf(looking).precision).toBeLessThan(0.5);
    expect(scoreOf(silent)).toMatchObject({ precision: 1, recall: 0 });
  });

  it("counts what no parser accepts as silence, as the product does", async () => {
    const answers = ["look", "", `{"decision":"duplicate","link":"https://evil.example/","reason":"r"}`];
    for (const answer of answers) expect(scoreOf(await judgeAll(async () => answer, LABELED)).recall).toBe(0);
  });
});

/** Posts of the run: all of the set, or some of each kind. */
const SOME: readonly LabeledPost[] = (() => {
  const most = ofWhole(LABELED.length, 60);
  if (most < LABELED.length) console.log(`labeled posts: ${most} of ${LABELED.length}; ${SAMPLED}`);
  const step = LABELED.length / most;
  return Array.from({ length: most }, (_, no) => LABELED[Math.floor(no * step)]).filter(
    (one) => one !== undefined,
  );
})();

const PEOPLE = Array.from({ length: 20 }, (_, no) => `p${no}`);

const SOURCE = {
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
} as const;

/** The decision of the label. A known matter is looked into where the channel offers no link. */
const labelOf = ({ post, matters }: AskedLook): unknown => {
  const label = LABELED.find(({ text }) => text.startsWith(post.slice(0, 40)))?.label ?? "nothing";
  const link = matters[0]?.link ?? null;
  return label === "duplicate"
    ? { decision: link === null ? "nothing" : "duplicate", link, reason: "Known." }
    : { decision: label, link: null, reason: "Decided." };
};

interface Judged {
  readonly asked: readonly (readonly PromptMessage[])[];
  readonly bot: {
    list(most: number, before: null): readonly { readonly conversation: { readonly createdBy: string } }[];
  };
}

/** `answered`: texts of posts with a reply of Parley. */
const judge = (rig: Judged, answered: readonly string[]): void => {
  const looked = new Set(rig.asked.flatMap((messages) => lookIn(messages)?.post ?? []));
  // Posts to other people's bots and empty ones are not read; everything else is, once.
  expect(looked.size).toBeGreaterThan(SOME.length * 0.8);
  const silent = SOME.filter(({ label }) => label === "nothing").map(({ text }) => text);
  expect(answered.filter((text) => silent.includes(text))).toEqual([]);
  const wanted = SOME.filter(
    ({ label, text }) => label === "look" && [...looked].some((one) => one.startsWith(text.slice(0, 20))),
  );
  const missed = wanted.filter(({ text }) => !answered.includes(text)).length;
  // Posts about one matter share a thread.
  expect(missed).toBeLessThanOrEqual(wanted.length * 0.1);
  for (const { conversation } of rig.bot.list(1_000, null))
    expect(conversation.createdBy).toBe("watch:noticed");
};

describe("each decision is honored", () => {
  it("on Slack", async () => {
    const users = [
      { name: "alice", role: "owner" as const },
      { name: "bob" },
      ...PEOPLE.map((name) => ({ name })),
    ];
    const rig = await createSlackRig({ answer: deciding(labelOf), fake: { users } });
    await watchingOf(rig).book.add({ ...ORDER, surface: "slack", place: "CGENERAL", by: "slack:UALICE" });
    await watchingOf(rig).book.change("noticed", { perHour: 1_000, budget: null }, "slack:UALICE");
    const roots = SOME.map(({ text }, no) => ({
      text,
      root: rig.fake.as(PEOPLE[no % PEOPLE.length] ?? "").say(text, { channel: "general" }),
    }));
    await rig.fake.settled();
    await expect.poll(() => [...rig.chat.unhandled("slack"), ...rig.chat.unhandled("watch")]).toEqual([]);
    judge(
      rig,
      roots.flatMap(({ text, root }) =>
        rig.fake.world.thread(root.channel, root.ts).length > 1 ? [text] : [],
      ),
    );
    expect(rig.fake.violations).toEqual([]);
  });

  it("on Discord", async () => {
    const names = ["alice", "bob", ...PEOPLE].map((name) => ({ name }));
    const guild = {
      name: "Community",
      channels: [{ name: "general" }, { name: "other" }, { name: "help", kind: "forum" as const }],
      members: [...names, { name: "maria", roles: ["maintainer"] }],
    };
    const rig = await createDiscordRig({ answer: deciding(labelOf), fake: { guilds: [guild] } });
    const place = rig.fake.world.channelNamed("general").id;
    await watchingOf(rig).book.add({ ...ORDER, surface: "discord", place, by: "discord:1" });
    await watchingOf(rig).book.change("noticed", { perHour: 1_000, budget: null }, "discord:1");
    const roots = SOME.map(({ text }, no) => ({
      text,
      root: rig.fake.as(PEOPLE[no % PEOPLE.length] ?? "").say("general", text),
    }));
    // The gateway tells in order.
    await rig.run("bob", "general", "parley help");
    await expect.poll(() => [...rig.chat.unhandled("discord"), ...rig.chat.unhandled("watch")]).toEqual([]);
    judge(
      rig,
      roots.flatMap(({ text, root }) => (rig.fake.world.channels.has(root.id) ? [text] : [])),
    );
    expect(rig.fake.violations).toEqual([]);
  });
});

const ORDER = { source: SOURCE, name: "noticed", mode: null, instructions: "Find bugs" };
