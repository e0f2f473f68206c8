/** What begins by itself, on Slack: one thread for a matter, whoever joins is who is worked for, and nothing twice (D45). */

import { describe, expect, it } from "vitest";
import { createHooks } from "../../../src/features/watches/hooks/hooks.ts";
import { hookSecret } from "../../../src/features/watches/hooks/signature.ts";
import { reposAtForge } from "../../../src/app/repos-at-forge.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { WatchEvent } from "../../../src/features/watches/store/watches.ts";
import { createManualClock, textAnswer, toolAnswer } from "../../runtime/world.ts";
import { told } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { watchingOf } from "./watching.ts";

const BY = "slack:UALICE";
const CHANNEL = { surface: "slack", place: "CGENERAL" };

const event = (delivery: string, changes: Partial<WatchEvent> = {}): WatchEvent => ({
  watch: "alerts",
  delivery,
  fingerprint: "checkout",
  title: "TypeError in checkout",
  text: "cart.total is not a function",
  link: "https://sentry.example/issues/7",
  at: 1,
  ...changes,
});

const watched = async (options: RigOptions = {}): Promise<SlackRig> => {
  const rig = await createRig(options);
  const source = { kind: "hook", title: null, text: null, key: null } as const;
  const order = { ...CHANNEL, by: BY, mode: null, instructions: null, source, name: "alerts" } as const;
  const done = await watchingOf(rig).book.add(order);
  expect(done.kind).toBe("done");
  return rig;
};

/** Top-level messages of the bot's in the channel. */
const roots = ({ fake }: Pick<SlackRig, "fake">) =>
  fake.world
    .messages("CGENERAL")
    .filter(({ threadTs, botId }) => threadTs === undefined && botId !== undefined);

const first = async (rig: SlackRig) => {
  await expect.poll(() => roots(rig).length).toBe(1);
  return { channel: "CGENERAL", ts: roots(rig)[0]?.ts ?? "" };
};

describe("an event that begins a thread", () => {
  it("is a message in the channel with its words quoted, below which the agent answers", async () => {
    const rig = await watched();
    expect(await watchingOf(rig).watcher.take(event("1"))).toEqual({ kind: "stored" });
    const root = await first(rig);
    const text = await rig.thread(root, /Answer 1\./);
    expect(text).toContain("Started automatically: the watch alerts.");
    expect(text).toContain("TypeError in checkout");
    const asked = told(rig.asked[0]);
    expect(asked).toContain('<untrusted-quote author="watch alerts"');
    expect(asked).toContain("| cart.total is not a function");
    expect(asked).toContain("nobody has asked");
    expect(rig.fake.violations).toEqual([]);
  });

  it("an alert that comes 40 times makes one thread, whose first message says how often", async () => {
    const rig = await watched();
    for (let no = 0; no < 40; no += 1) await watchingOf(rig).watcher.take(event(String(no)));
    const root = await first(rig);
    await rig.thread(root, /Answer 1\./);
    await expect.poll(() => JSON.stringify(roots(rig)[0]?.blocks)).toContain("This event arrived 40 times.");
    expect(roots(rig).length).toBe(1);
    expect(rig.asked.length).toBe(1);
  });

  it("the same delivery is the same event, also in the next process; another one joins", async () => {
    const rig = await watched();
    await watchingOf(rig).watcher.take(event("1"));
    const root = await first(rig);
    await rig.thread(root, /Answer 1\./);
    expect(await watchingOf(rig).watcher.take(event("1"))).toEqual({ kind: "known" });
    const next = await rig.restart();
    expect(await watchingOf(next).watcher.take(event("1"))).toEqual({ kind: "known" });
    expect(await watchingOf(next).watcher.take(event("2"))).toEqual({ kind: "stored" });
    await expect.poll(() => JSON.stringify(roots(next)[0]?.blocks)).toContain("This event arrived 2 times.");
    expect(roots(next).length).toBe(1);
  });

  it("nothing is asked for it; a person who joins and asks is who is asked for", async () => {
    const rig = await watched({
      answer: (_, no) =>
        no % 2 === 1 ? toolAnswer({ name: "request_mode_upgrade" }) : textAnswer("It is the cart."),
    });
    await watchingOf(rig).watcher.take(event("1"));
    const root = await first(rig);
    const text = await rig.thread(root, /It is the cart\./);
    expect(text).not.toContain("[Approve]");
    rig.fake.as("alice").say("@parley then fix it", { channel: "general", thread: root.ts });
    const asked = await rig.thread(root, /\[Approve\]/);
    expect(asked).toContain("the event that started this thread");
  });
});

describe("an issue that is opened on the forge", () => {
  it("appears as a thread in the channel of its repository, with a cited triage", async () => {
    const rig = await createRig({ answer: () => textAnswer("The total is summed in src/cart.ts:12.") });
    const source = {
      kind: "forge",
      forge: "github",
      hears: ["issues"],
      label: null,
      called: "parley",
    } as const;
    await watchingOf(rig).book.add({
      ...CHANNEL,
      by: BY,
      mode: null,
      instructions: null,
      source,
      name: null,
    });
    const hooks = createHooks({
      master: "0123456789abcdef",
      watcher: watchingOf(rig).watcher,
      reposOf: ({ surface, place }) => reposAtForge(rig.chat.binding(surface, place)?.repo ?? null),
      clock: systemClock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const body = JSON.stringify({
      action: "opened",
      issue: {
        number: 7,
        title: "Cart total is wrong",
        body: "It is *NaN*.",
        html_url: "https://github.com/acme/api/issues/7",
        user: { login: "mallory" },
        labels: [],
      },
      repository: { html_url: "https://github.com/acme/api", full_name: "acme/api" },
    });
    const headers = {
      authorization: `Bearer ${hookSecret("0123456789abcdef", "github")}`,
      "x-github-event": "issues",
      "x-github-delivery": "1",
    };
    const request = () => new Request("http://host/hooks/github", { method: "POST", body, headers });
    const answers = [await hooks.fetch(request()), await hooks.fetch(request())];
    expect(await Promise.all(answers.map((one) => one.json()))).toEqual([
      { result: "stored" },
      { result: "known" },
    ]);
    const root = await first(rig);
    const text = await rig.thread(root, /The total is summed in/);
    expect(text).toContain("acme/api#7: Cart total is wrong");
    expect(text).toMatch(/src\/cart\.ts:12/);
    expect(JSON.stringify(rig.fake.world.thread(root.channel, root.ts))).toContain("src/cart.ts?plain=1#L12");
    expect(told(rig.asked[0])).toContain("https://github.com/acme/api/issues/7");
  });
});

describe("a watch", () => {
  const FAILED = {
    kind: "failed",
    failure: { kind: "invalid_request", message: "The provider refuses it.", retryAfter: null },
  } as const;

  it("is off after three failures in a row, with the reason; resumed, it hears again", async () => {
    const rig = await watched({ answer: (_, no) => (no <= 3 ? FAILED : textAnswer("Found.")) });
    for (let no = 1; no <= 3; no += 1) {
      await watchingOf(rig).watcher.take(event(String(no), { fingerprint: `f${no}` }));
      await expect.poll(() => rig.asked.length).toBe(no);
    }
    const why = "The provider refuses it.";
    await expect.poll(() => watchingOf(rig).book.all()[0]?.standing).toEqual({ kind: "off", why });
    expect(rig.alerted.get("watch off alerts")).toEqual({ kind: "watchOff", watch: "alerts", why });
    expect(await watchingOf(rig).watcher.take(event("4"))).toEqual({ kind: "off", why: `It is off: ${why}` });
    await watchingOf(rig).book.change("alerts", { standing: "on" }, BY);
    expect(rig.alerted.get("watch off alerts")).toBeNull();
    expect(await watchingOf(rig).watcher.take(event("5", { fingerprint: "f5" }))).toEqual({ kind: "stored" });
    await expect.poll(() => rig.asked.length).toBe(4);
  });

  it("whose failures do not follow each other stays on", async () => {
    const rig = await watched({ answer: (_, no) => (no === 3 ? textAnswer("Found.") : FAILED) });
    for (let no = 1; no <= 5; no += 1) {
      await watchingOf(rig).watcher.take(event(String(no), { fingerprint: `f${no}` }));
      await expect.poll(() => rig.asked.length).toBe(no);
      const failures = [0, 1, 2, 0, 1, 2][no];
      await expect.poll(() => watchingOf(rig).book.all()[0]?.failures).toBe(failures);
    }
    expect(watchingOf(rig).book.all()[0]?.standing).toEqual({ kind: "on" });
  });

  it("is switched on and off by those who may approve, by command, and listed for everybody", async () => {
    const rig = await createRig();
    const said = async (person: string, text: string): Promise<string> => {
      const before = rig.fake.world.ephemerals.length;
      rig.fake.as(person).command("/parley", text, "general");
      await expect.poll(() => rig.fake.world.ephemerals.length).toBeGreaterThan(before);
      return rig.fake.world.ephemerals.at(-1)?.text ?? "";
    };
    expect(await said("bob", "every day 9:00: Look")).toContain("Only host approvers (PARLEY_APPROVERS)");
    expect(await said("alice", "every day 9ish: Look")).toContain("I understood: every day.");
    expect(await said("alice", "every day 9:00 Europe/Berlin: Look at the tests")).toMatch(
      /`every-\w{4}`: every day at 09:00 Europe\/Berlin: Look at the tests; .*; on; next \d{4}-/,
    );
    expect(await said("alice", "watch hook alerts: Find the cause")).toContain("/hooks/alerts");
    expect(await said("alice", "watch alerts limit 3 1.50")).toContain(
      "at most 3 threads an hour, $0.00 of $1.50",
    );
    expect(await said("alice", "watch alerts pause")).toContain("paused by");
    expect(await said("bob", "watches")).toContain("• `alerts`: a signed webhook");
    expect(await said("alice", "unwatch alerts")).toContain("Removed");
    expect(await said("bob", "watches")).not.toContain("alerts");
  });
});

describe("a storm", () => {
  it("what is beyond the bound of an hour waits, is shown, told once to the operator, and comes when there is room", async () => {
    const clock = createManualClock();
    clock.set(Date.UTC(2026, 10, 25, 9));
    const rig = await watched({ clock });
    await watchingOf(rig).book.change("alerts", { perHour: 2 }, BY);
    for (let no = 0; no < 5; no += 1) await take(rig, clock, event(String(no), { fingerprint: `f${no}` }));
    await expect.poll(() => (clock.advance(20), roots(rig).length)).toBe(2);
    await expect.poll(() => (clock.advance(20), watchingOf(rig).book.all()[0]?.held)).toBe("hour");
    expect(watchingOf(rig).book.all()[0]?.waiting).toBe(3);
    expect(rig.alerted.get("watch alerts")).toEqual({ kind: "watch", watch: "alerts", bound: "hour" });
    clock.advance(3_600_000);
    await expect.poll(() => (clock.advance(1_000), roots(rig).length)).toBe(4);
    clock.advance(3_600_000);
    await expect.poll(() => (clock.advance(1_000), roots(rig).length)).toBe(5);
    await expect.poll(() => (clock.advance(20), watchingOf(rig).book.all()[0]?.waiting)).toBe(0);
    expect(rig.alerted.get("watch alerts")).toBeNull();
  });
});

/** The inbox gathers what comes close together: the clock has to move for it. */
const take = async (
  rig: SlackRig,
  clock: ReturnType<typeof createManualClock>,
  one: WatchEvent,
): Promise<void> => {
  let taken: unknown = null;
  void (async () => {
    taken = await watchingOf(rig).watcher.take(one);
  })();
  await expect.poll(() => (clock.advance(10), taken)).toEqual({ kind: "stored" });
};
