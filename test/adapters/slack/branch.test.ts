/** A mode switch in a new thread, on Slack: a message of its own in the channel, linked both ways, made once. */

import { describe, expect, it, onTestFinished } from "vitest";
import { createSlackOpener } from "../../../adapters/slack/write/open.ts";
import { createSlackClient } from "../../../adapters/slack/api/client.ts";
import type { ThreadOpening } from "../../../src/ports/threads.ts";
import { createFakeSlack } from "../../fakes/slack/fake.ts";
import { modeIntent, mortal, wishes } from "../branching.ts";
import { createRig, type RigOptions, type SlackRig } from "./rig.ts";
import { english } from "../../../src/i18n/say.ts";

const asking = async (options: RigOptions = {}) => {
  const rig = await createRig({ answer: wishes, tools: { intent: modeIntent }, ...options });
  const root = rig.fake.as("bob").say("@parley why does it *fail*?", { channel: "general" });
  await rig.thread(root, /\[Stay\] \[Switch\] \[Switch in a new thread\]/);
  const card = rig.fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks).includes("parley_branch"));
  return { rig, root, card: { channel: root.channel, ts: card?.ts ?? "" } };
};

/** Top-level messages of the bot's in the channel. */
const roots = ({ fake }: Pick<SlackRig, "fake">) =>
  fake.world
    .messages("CGENERAL")
    .filter(({ threadTs, botId }) => threadTs === undefined && botId !== undefined);

const opened = async (rig: SlackRig) => {
  await expect.poll(() => roots(rig).length).toBe(1);
  const [made] = roots(rig);
  return { channel: "CGENERAL", ts: made?.ts ?? "" };
};

describe("Switch in a new thread", () => {
  it("row 100: posts a message in the channel whose thread is the conversation in that mode; each links to the other", async () => {
    const { rig, root, card } = await asking();
    rig.fake.as("bob").click(card, "Switch in a new thread");
    const child = await opened(rig);
    const text = await rig.thread(child, /It is the cache\.[^]*Restricted ·/);
    expect(text).toContain("Continued from");
    expect(text).toContain(`p${root.ts.replace(".", "")}`);
    expect(text).toContain("in mode `triage`, opened by @bob.");
    expect(text).not.toContain("*fail*");
    const old = await rig.thread(root, /Continued here: /);
    expect(old).toContain(`p${child.ts.replace(".", "")}`);
    expect(old).not.toContain("[Switch in a new thread]");
    await rig.fake.settled();
    expect(rig.fake.violations).toEqual([]);
  });

  it("the new thread is a conversation like any other: plain replies drive it, and a second person has to mention", async () => {
    const { rig, card } = await asking();
    rig.fake.as("bob").click(card, "Switch in a new thread");
    const child = await opened(rig);
    await rig.thread(child, /It is the cache\.[^]*Restricted ·/);
    rig.fake.as("carol").say("hm", { channel: "general", thread: child.ts });
    await expect
      .poll(() => rig.fake.world.ephemerals.map(({ text }) => text).join())
      .toContain("mention @parley");
    rig.fake.as("bob").say("@parley and now?", { channel: "general", thread: child.ts });
    await rig.thread(child, /Still the cache\./);
    const id = rig.ledger.find("slack", "CGENERAL", child.ts)?.conversation;
    const made = id === undefined ? null : await rig.bot.read(id);
    expect(made?.state).toMatchObject({ mode: "triage", permission: "restricted", grants: [] });
    expect(rig.bot.list(10, null)).toHaveLength(2);
    await rig.fake.settled();
    expect(rig.fake.violations).toEqual([]);
  });

  it("a channel that is closed to the bot: the old thread says that it could not be opened", async () => {
    const { rig, root, card } = await asking();
    rig.fake.fault(
      { kind: "error", error: "restricted_action" },
      { match: { method: "chat.postMessage", contains: "parley_thread" } },
    );
    rig.fake.as("bob").click(card, "Switch in a new thread");
    await rig.thread(root, /The new thread could not be opened \(restricted\S*action\)\./);
    expect(roots(rig)).toEqual([]);
    expect(rig.bot.list(10, null)).toHaveLength(1);
  });
});

describe("D6: one new thread, wherever the process ends", () => {
  it("whatever deed was its last", async () => {
    for (let endAt = 0; ; endAt += 1) {
      const life = mortal(endAt);
      const { rig, root, card } = await asking({ threads: life.threads, store: life.store });
      rig.fake.as("bob").click(card, "Switch in a new thread");
      const finished = rig.thread(root, /Continued here: /).then(() => "finished");
      const how = await Promise.race([life.ended, finished.catch(() => "never")]);
      const next = how === "finished" ? rig : await rig.restart({ threads: (it) => it, store: (it) => it });
      const child = await opened(next);
      // A turn that the process took with it is begun again by a person, as anywhere.
      if ((await next.thread(child, /Restricted ·|Try again/)).includes("Try again")) {
        const last = next.fake.world.thread(child.channel, child.ts).at(-1);
        next.fake.as("bob").click({ channel: child.channel, ts: last?.ts ?? "" }, "Try again");
      }
      await next.thread(child, /It is the cache\.[^]*Restricted ·/);
      const old = await next.thread(root, /Continued here: /);
      expect(old.match(/Continued here: /g), `deed ${endAt}`).toHaveLength(1);
      expect(roots(next), `deed ${endAt}`).toHaveLength(1);
      expect(next.bot.list(10, null), `deed ${endAt}`).toHaveLength(2);
      await next.close();
      if (how === "finished") break;
    }
  });
});

const opening = (from: string): ThreadOpening => ({
  key: "c-new",
  from: { place: "CGENERAL", root: from },
  title: "Why <!channel> does it fail?",
  mode: "triage",
  by: "slack:UBOB",
  why: "branch",
  people: ["UBOB"],
  say: english,
});

const scene = async () => {
  const fake = await createFakeSlack({ rates: "off" });
  onTestFinished(() => fake.close());
  const from = fake.as("bob").say("hello", { channel: "general" });
  const opener = createSlackOpener(
    createSlackClient(fake.botToken, { apiUrl: fake.apiUrl, timeout: 60_000 }),
  );
  return { fake, opener, wish: opening(from.ts) };
};

describe("the opener", () => {
  it("calls nobody in the first message, and finds it again", async () => {
    const { fake, opener, wish } = await scene();
    const first = await opener.open(wish);
    expect(first).toMatchObject({ kind: "opened", thread: { place: "CGENERAL" } });
    expect(await opener.open(wish)).toEqual(first);
    expect(roots({ fake })).toHaveLength(1);
    expect(JSON.stringify(roots({ fake })[0]?.blocks)).not.toContain("<!channel>");
    expect(await opener.open({ ...wish, key: "c-other" })).not.toEqual(first);
    expect(fake.violations).toEqual([]);
  });

  it.each([true, false])(
    "opens one thread where the answer of any one call is lost (applied: %s)",
    async (applied) => {
      const { fake, opener, wish } = await scene();
      await opener.open({ ...wish, key: "c-count" });
      const needed = fake.calls.length;
      for (let at = 1; at <= needed; at += 1) {
        const key = `c-${at}` as const;
        let seen = 0;
        fake.fault({ kind: "cut", applied }, { match: () => ++seen === at });
        await opener.open({ ...wish, key });
        const again = await opener.open({ ...wish, key });
        expect(again.kind, `call ${at}`).toBe("opened");
        const made = roots({ fake }).filter(({ metadata }) => JSON.stringify(metadata).includes(`"${key}"`));
        expect(made, `call ${at}`).toHaveLength(1);
      }
    },
  );

  it("a copy that came late is taken back", async () => {
    const { fake, opener, wish } = await scene();
    await opener.open(wish);
    const [one] = roots({ fake });
    if (one !== undefined) fake.world.put({ ...one, ts: fake.world.nextTs() });
    expect(await opener.open(wish)).toMatchObject({ thread: { root: one?.ts } });
    expect(roots({ fake }).map(({ ts }) => ts)).toEqual([one?.ts]);
  });
});
