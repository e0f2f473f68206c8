/**
 * Posts that arrive late, because the host was away: a watch reads those from while it ran, and none from before the watch, its
 * pause, or an opt-out's end. Replies below a post that a watch reads are not for Parley.
 */

import { describe, expect, it } from "vitest";
import { FEATURES } from "../../../../src/app/features/list.ts";
import { readFeatures } from "../../../../src/app/features/open.ts";
import { readingWith } from "../../../../src/app/outward.ts";
import { createRig as createDiscordRig, type DiscordRig } from "../../../adapters/discord/rig.ts";
import { createRig as createSlackRig, type RigOptions, type SlackRig } from "../../../adapters/slack/rig.ts";
import { type FakeClock, realClock } from "../../../fakes/shared/clock.ts";
import { createLookRows } from "../../../../src/features/watches/store/look-rows.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { watchingOf } from "../watching.ts";
import { crashes, deciding, lookIn } from "./first-model.ts";
import { PEOPLE_SOURCE } from "./scene.ts";
import { tablesWith } from "./tables-with.ts";

const MINUTE = 60_000;

const looksOf = ({ asked }: Pick<SlackRig, "asked">): readonly string[] =>
  asked.flatMap((messages) => lookIn(messages)?.post ?? []);

const heard = async (rig: SlackRig): Promise<void> => {
  await rig.fake.settled();
  await expect.poll(() => [...rig.chat.unhandled("slack"), ...rig.chat.unhandled("watch")]).toEqual([]);
};

const addWatch = async (rig: Pick<SlackRig, "ports">, surface: string, place: string): Promise<void> => {
  const order = { surface, place, source: PEOPLE_SOURCE, name: "noticed", mode: null } as const;
  const added = await watchingOf(rig).book.add({ ...order, instructions: "Find bugs", by: "slack:UALICE" });
  expect(added).toMatchObject({ kind: "done" });
};

/** The channel has an answered question, so that a restart reads the channel from there on. */
const onSlack = async (options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createSlackRig({ answer: deciding(crashes), ...options });
  const asked = rig.fake.as("alice").say("@parley hello", { channel: "general" });
  await rig.thread(asked, /Answer 1\./);
  await heard(rig);
  return rig;
};

const say = (rig: SlackRig, text: string) => rig.fake.as("bob").say(text, { channel: "general" });

const order = async (rig: SlackRig, text: string): Promise<void> => {
  const before = rig.fake.world.ephemerals.length;
  rig.fake.as("bob").command("/parley", text, "general");
  await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
};

/** A post from while the host is away shows that the channel was read. */
const readAfterRestart = async (rig: SlackRig): Promise<readonly string[]> => {
  await rig.close();
  say(rig, "crash while away");
  const next = await rig.restart();
  await expect.poll(() => looksOf(next)).toContain("crash while away");
  await heard(next);
  return looksOf(next);
};

describe("on Slack, a restart reads no post from before", () => {
  it("the watch", async () => {
    const rig = await onSlack();
    say(rig, "crash before");
    await heard(rig);
    await addWatch(rig, "slack", "CGENERAL");
    expect(await readAfterRestart(rig)).toEqual(["crash while away"]);
  });

  it("the end of its pause", async () => {
    const rig = await onSlack();
    await addWatch(rig, "slack", "CGENERAL");
    const { book } = watchingOf(rig);
    await book.change("noticed", { standing: "paused" }, "slack:UALICE");
    say(rig, "crash in the pause");
    await heard(rig);
    await book.change("noticed", { standing: "on" }, "slack:UALICE");
    expect(await readAfterRestart(rig)).toEqual(["crash while away"]);
  });

  it("the end of the author's opt-out", async () => {
    const rig = await onSlack();
    await addWatch(rig, "slack", "CGENERAL");
    await order(rig, "ignore me");
    say(rig, "crash for nobody");
    await heard(rig);
    await order(rig, "ignore me back");
    expect(await readAfterRestart(rig)).toEqual(["crash while away"]);
  });
});

it("on Slack, a post older than ten minutes is left out", async () => {
  let behind = 30 * MINUTE;
  const clock: FakeClock = { ...realClock, now: () => realClock.now() - behind };
  const rig = await onSlack({ fake: { clock } });
  await addWatch(rig, "slack", "CGENERAL");
  await rig.opened.rows.write([{ sql: "UPDATE watches SET at = 1", values: {} }]);
  await rig.close();
  behind = 11 * MINUTE;
  say(rig, "crash long ago");
  behind = 0;
  expect(await readAfterRestart(rig)).toEqual(["crash while away"]);
});

/** The features as the operator sets them. */
const forbidding = () =>
  readFeatures(
    FEATURES.flatMap(({ set }) => {
      const result = set({ PARLEY_WATCH_PEOPLE: "off" });
      return result.kind === "set" ? [result.feature] : [];
    }),
    readingWith({ otherKeys: {} }),
  );

it("a post that waited is not read after the operator has forbidden watches of people", async () => {
  const never = Promise.withResolvers<never>();
  const rig = await createSlackRig({
    answer: (_messages, _no, signal) => {
      signal.addEventListener("abort", () => never.reject(new Error("aborted")));
      return never.promise;
    },
  });
  await addWatch(rig, "slack", "CGENERAL");
  say(rig, "crash one");
  await expect.poll(() => looksOf(rig)).toEqual(["crash one"]);
  say(rig, "crash two");
  await expect.poll(() => rig.chat.unhandled("watch").length).toBe(2);
  await rig.close();
  const next = await createSlackRig({
    answer: deciding(crashes),
    on: rig.fake,
    opened: rig.opened,
    ready: await forbidding(),
  });
  await heard(next);
  expect(looksOf(next)).toEqual([]);
  expect(next.bot.list(10, null)).toEqual([]);
});

it("on Slack, replies below a watched post are not for Parley after a restart either", async () => {
  const rig = await onSlack();
  await addWatch(rig, "slack", "CGENERAL");
  await rig.close();
  const root = say(rig, "lunch?");
  const reply = rig.fake.as("alice").say("yes, pizza", { channel: "general", thread: root.ts });
  const next = await rig.restart();
  await expect.poll(() => looksOf(next)).toEqual(["lunch?"]);
  await heard(next);
  const arrived = next.opened.rows.select("SELECT id FROM inbox WHERE surface = 'slack'")({});
  expect(JSON.stringify(arrived)).toContain(root.ts);
  expect(JSON.stringify(arrived)).not.toContain(reply.ts);
  expect(next.fake.world.thread("CGENERAL", root.ts).length).toBe(2);
});

it("on Discord, a restart reads no post from before the watch", async () => {
  const rig: DiscordRig = await createDiscordRig({ answer: deciding(crashes) });
  const bob = rig.fake.as("bob");
  bob.say("general", "crash before");
  await rig.run("bob", "general", "parley help");
  await addWatch(rig, "discord", rig.fake.world.channelNamed("general").id);
  await rig.close();
  bob.say("general", "crash while away");
  const next = await rig.restart();
  await expect.poll(() => looksOf(next)).toContain("crash while away");
  expect(looksOf(next)).toEqual(["crash while away"]);
});

/** As the console corrects the watch's newest decision. */
const correct = async (
  { opened }: Pick<SlackRig, "opened">,
  place: string,
  post: string,
  text: string,
): Promise<void> => {
  const looks = createLookRows(opened.rows, silentLog);
  const { surface = "", author = null } = looks.lately("noticed", 1).at(0) ?? {};
  const what = { id: post, watch: "noticed", surface, place, post, author, text } as const;
  await looks.correct({ ...what, decided: "nothing", correct: "look", by: "console:operator", at: 9 });
};

describe("a start removes the example of a post that was deleted while the host was away", () => {
  it("on Slack", async () => {
    const rig = await onSlack();
    await addWatch(rig, "slack", "CGENERAL");
    const gone = say(rig, "a zebracat for lunch?");
    const kept = say(rig, "a zebradog for dinner?");
    await expect.poll(() => looksOf(rig).length).toBe(2);
    await heard(rig);
    await correct(rig, "CGENERAL", gone.ts, "a zebracat");
    await correct(rig, "CGENERAL", kept.ts, "a zebradog");
    await rig.close();
    rig.fake.as("bob").remove(gone);
    const next = await rig.restart();
    await expect.poll(() => tablesWith(next.opened, "zebracat")).toEqual([]);
    expect(tablesWith(next.opened, "zebradog")).toEqual(["look_corrections"]);
  });

  it("on Discord", async () => {
    const rig = await createDiscordRig({ answer: deciding(crashes) });
    const place = rig.fake.world.channelNamed("general").id;
    await addWatch(rig, "discord", place);
    const gone = rig.fake.as("bob").say("general", "a zebracat for lunch?");
    await expect.poll(() => looksOf(rig).length).toBe(1);
    await expect.poll(() => tablesWith(rig.opened, "zebracat")).toEqual([]);
    await correct(rig, place, gone.id, "a zebracat");
    await rig.close();
    rig.fake.as("bob").remove(gone);
    const next = await rig.restart();
    await expect.poll(() => tablesWith(next.opened, "zebracat")).toEqual([]);
  });
});
