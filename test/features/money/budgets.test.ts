/** Budgets (D33): what no budget covers is not asked, and who can raise it is said. */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Speaker } from "../../../src/machine/vocabulary.ts";
import type { ReusedAnswer } from "../../../src/ports/reuse.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { Defaults } from "../../../src/features/money/scopes.ts";
import { actionLabel } from "../../../src/thread/wording.ts";
import { operator, textAnswer, toolAnswer, toolResult, type World } from "../../runtime/world.ts";
import { createPaidWorld } from "./paid.ts";
import { usual } from "./usual.ts";
import { english } from "../../../src/i18n/say.ts";

const DOLLAR = 1_000_000;
const stranger: Speaker = { id: "discord:7", name: "Ana", mayDrive: false, mayApprove: false };
const member: Speaker = { id: "slack:U1", name: "Bo", mayDrive: true, mayApprove: false };

const costing = (microUsd: number, answer: ModelOutcome = textAnswer("done"), input = 100): ModelOutcome =>
  answer.kind === "answered"
    ? { ...answer, usage: { ...answer.usage, input, costMicroUsd: microUsd } }
    : answer;

const beginIn = async (
  { bot }: World,
  surface: string,
  place: string,
  server?: string,
): Promise<ConversationId> => {
  const created = await bot.create({
    surface,
    repo: { kind: "url", location: "https://git.example/o/r" },
    title: "t",
    by: operator.id,
    thread: { place, root: `${place}-${threads++}`, ...(server === undefined ? {} : { server }) },
  });
  if (created.kind !== "created") throw new Error(created.message);
  return created.overview.state.id;
};
let threads = 0;

const turn = async (world: World, id: ConversationId, speaker: Speaker, cost: number): Promise<void> => {
  await world.say(id, "go", speaker);
  const asked = await world.nextModel();
  asked.answer(costing(cost));
  await settled(world, id);
};

/** Read after what has arrived was handled, until the turn is over. */
const settled = async (world: World, id: ConversationId) => {
  for (;;) {
    const detail = await world.bot.read(id);
    if (detail === null) throw new Error("gone");
    if (detail.state.phase.kind !== "thinking" && detail.state.phase.kind !== "running") return detail.state;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};

const failureOf = async (world: World, id: ConversationId, speaker: Speaker) => {
  await world.say(id, "again", speaker);
  const { phase } = await settled(world, id);
  return phase.kind === "failed" ? phase.failure : null;
};

describe("a budget", () => {
  it("of a stranger ends at 50 cents; others go on, and the next day renews it", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    await turn(world, id, stranger, 0.49 * DOLLAR);
    const failure = await failureOf(world, id, stranger);
    expect(failure).toMatchObject({ kind: "budget", retryAfter: null });
    expect(failure?.message).toMatch(
      /^Ana's budget for today is used up\. The budget starts again at 00:00 UTC, in 23 h \d+ min\. A host approver can raise the budget with \/parley budget @person DOLLARS\. Then try again\.$/,
    );
    await turn(world, id, member, 1);
    world.clock.advance(24 * 3_600_000);
    await turn(world, id, stranger, 1);
  });

  it.each([
    ["channel", "This channel's", "channel"],
    ["server", "This workspace's", "server"],
  ] as const)("of a %s says whose it is and how it is raised", async (kind, whose, word) => {
    const world = createPaidWorld({ budgets: { ...usual, person: null, [kind]: DOLLAR } });
    const id = await beginIn(world, "slack", "C1");
    await turn(world, id, member, 0.999 * DOLLAR);
    const failure = await failureOf(world, id, { ...member, id: "slack:U2" });
    expect(failure?.message).toContain(`${whose} budget for today`);
    expect(failure?.message).toContain(`/parley budget ${word} DOLLARS`);
  });

  it("of the day is the whole host's, and only the operator's to raise", async () => {
    const world = createPaidWorld({ budgets: { ...usual, server: null, day: DOLLAR } });
    const here = await beginIn(world, "discord", "C1", "G1");
    const there = await beginIn(world, "discord", "C2", "G2");
    await turn(world, here, member, 0.999 * DOLLAR);
    expect((await failureOf(world, there, stranger))?.message).toMatch(
      /^This host's budget .* Only the operator can raise this budget: in the console, or with PARLEY_BUDGET_DAY\.$/,
    );
  });

  it("that is raised lets the same turn go on, at once; one that is lowered ends there", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    await turn(world, id, stranger, 0.5 * DOLLAR);
    expect(await failureOf(world, id, stranger)).not.toBeNull();
    await world.set("person:discord:7", DOLLAR, operator.id);
    expect(await world.bot.act(id, { kind: "retry", speaker: stranger })).toEqual({ kind: "done" });
    (await world.nextModel()).answer(costing(1));
    expect((await settled(world, id)).phase.kind).toBe("idle");
    await world.set("person:discord:7", 0.1 * DOLLAR, operator.id);
    expect((await failureOf(world, id, stranger))?.kind).toBe("budget");
  });

  it("is checked before every request: a turn ends in its middle, its history whole", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    await world.say(id, "go", stranger);
    (await world.nextModel()).answer(costing(0.5 * DOLLAR, toolAnswer({ name: "bash" })));
    (await world.nextTool()).answer(toolResult("ok"));
    const { phase } = await settled(world, id);
    expect(phase).toMatchObject({ kind: "failed", failure: { kind: "budget" } });
    expect(world.store.history(id, 0).map(({ entry }) => entry.kind)).toEqual([
      "said",
      "answer",
      "result",
      "notice",
    ]);
  });

  it("survives a restart with what was spent", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    await turn(world, id, stranger, 0.5 * DOLLAR);
    expect((await failureOf(world.restart(), id, stranger))?.kind).toBe("budget");
  });
});

describe("what a request may cost", () => {
  it("is reserved while it runs, so that two at once do not share the rest of a budget", async () => {
    const world = createPaidWorld({ budgets: { ...usual, stranger: 0.102 * DOLLAR } });
    const [one, two] = [await beginIn(world, "discord", "C", "G"), await beginIn(world, "discord", "C", "G")];
    await world.say(one, "go", stranger);
    const running = await world.nextModel();
    expect((await failureOf(world, two, stranger))?.kind).toBe("budget");
    running.answer(costing(1));
    await settled(world, one);
    expect(await world.bot.act(two, { kind: "retry", speaker: stranger })).toEqual({ kind: "done" });
    (await world.nextModel()).answer(costing(1));
    await settled(world, two);
  });

  it("is made to fit: the answer may be shorter before the request is refused", async () => {
    const world = createPaidWorld({ budgets: { ...usual, stranger: 0.05 * DOLLAR } });
    const id = await beginIn(world, "discord", "C", "G");
    await world.say(id, "go", stranger);
    const asked = await world.nextModel();
    expect(asked.request.maxTokens).toBeGreaterThan(4_000);
    expect(asked.request.maxTokens).toBeLessThan(5_000);
    asked.answer(costing(1));
    await turn(world, id, member, 1);
  });

  it("counts where it was stopped: the input, or what the provider had counted", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    await world.say(id, "x".repeat(30_000), stranger);
    await world.nextModel();
    await world.bot.act(id, { kind: "stop", by: stranger.id });
    await expect.poll(() => world.purse.spent(["1970-01-01"], "person:discord:7")).toBeGreaterThan(25_000);
  });

  it("does not count where the provider refused, and does where it broke off", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "discord", "C", "G");
    const failure = { kind: "auth", message: "no", retryAfter: null } as const;
    await world.say(id, "go", stranger);
    (await world.nextModel()).answer({ kind: "failed", failure });
    await settled(world, id);
    expect(world.purse.spent(["1970-01-01"], "day")).toBe(0);
    await world.say(id, "go", stranger);
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, costMicroUsd: 77 };
    (await world.nextModel()).answer({ kind: "failed", failure, usage });
    await settled(world, id);
    expect(world.purse.spent(["1970-01-01"], "day")).toBe(77);
  });

  it("of a turn is in the trace as it is in the budgets", async () => {
    const world = createPaidWorld({ budgets: usual });
    const id = await beginIn(world, "slack", "C");
    await turn(world, id, member, 1_234);
    await turn(world, id, member, 4_321);
    const traced = [...world.store.trace(id)].map(({ event }) =>
      event.kind === "answered" ? event.usage.costMicroUsd : 0,
    );
    const sum = traced.reduce((a, b) => a + b, 0);
    expect(sum).toBe(5_555);
    expect(world.store.load(id)?.state.usage.costMicroUsd).toBe(sum);
    for (const scope of ["person:slack:U1", "channel:slack:C", "server:slack", "day"] as const) {
      expect(world.purse.spent(["1970-01-01"], scope)).toBe(sum);
    }
  });
});

/** A conversation of that many tokens, whose last answer is older than what the provider keeps. */
const long = async (world: World, tokens: number): Promise<ConversationId> => {
  const id = await beginIn(world, "slack", "C");
  await world.say(id, "go", member);
  (await world.nextModel()).answer(costing(1, textAnswer("done"), tokens));
  await settled(world, id);
  world.clock.advance(10 * 60_000);
  return id;
};

describe("a turn that costs more than the operator lets pass unasked", () => {
  /** Dollars a million tokens. */
  const fable = { input: 8, output: 40, cacheRead: 0.8, cacheWrite: 10 };
  const rich: Defaults = { stranger: null, person: null, channel: null, server: null, day: null };

  it("is asked about before it begins, and goes on where somebody says so", async () => {
    const world = createPaidWorld({ budgets: rich, prices: fable });
    const id = await long(world, 150_000);
    const failure = await failureOf(world, id, member);
    expect(failure?.kind).toBe("costly");
    expect(failure?.message).toMatch(
      /^This thread has grown long \(about 150,000 tokens\): the next answer is likely to cost about \$1\.\d\d\. If an answer costs more than \$1\.00, I ask first\./,
    );
    const restarted = world.restart();
    await restarted.bot.act(id, { kind: "retry", speaker: member });
    const asked = await restarted.nextModel();
    expect(asked.request.messages.at(-1)?.content.at(-1)).toEqual({ kind: "text", text: "again" });
    asked.answer(textAnswer("went on"));
    expect((await settled(restarted, id)).phase.kind).toBe("idle");
  });

  it("is asked about once: who writes again has been told", async () => {
    const world = createPaidWorld({ budgets: rich, prices: fable });
    const id = await long(world, 150_000);
    expect((await failureOf(world, id, member))?.kind).toBe("costly");
    await world.say(id, "yes, go on", member);
    (await world.nextModel()).answer(textAnswer("went on"));
    expect((await settled(world, id)).phase.kind).toBe("idle");
  });

  it("is asked about once it has cost as much, and again at twice as much", async () => {
    const world = createPaidWorld({ budgets: rich });
    const id = await beginIn(world, "slack", "C");
    await world.say(id, "go", member);
    const works = async (dollars: number) => {
      (await world.nextModel()).answer(costing(dollars * DOLLAR, toolAnswer({ name: "bash" })));
      (await world.nextTool()).answer(toolResult("ok"));
    };
    await works(0.7);
    await works(0.4);
    const { phase } = await settled(world, id);
    expect(phase).toMatchObject({
      failure: {
        kind: "costly",
        message:
          "This turn has cost $1.10. Above a cost of $1.00, I ask before I continue. Press Go on or write again if the answer is worth the cost, or stop. A new thread costs less.",
      },
    });
    expect(await world.bot.act(id, { kind: "retry", speaker: member })).toEqual({ kind: "done" });
    await works(1.9);
    await works(0.2);
    expect((await settled(world, id)).phase).toMatchObject({
      failure: { message: expect.stringContaining("has cost $2.10. Above a cost of $2.00, I ask") },
    });
  });

  it("has a button to go on and one to stop, which ends the question", async () => {
    const world = createPaidWorld({ budgets: rich, prices: fable });
    const id = await long(world, 150_000);
    await failureOf(world, id, member);
    const last = async () => (await world.bot.read(id))?.posts.at(-1)?.post;
    const asks = await last();
    expect(asks?.actions).toEqual(["retry", "stop"]);
    expect(asks === undefined ? "" : actionLabel("retry", asks.body, english)).toBe("Go on");
    expect(await world.bot.act(id, { kind: "stop", by: member.id })).toEqual({ kind: "done" });
    const { phase, turn: stopped } = await settled(world, id);
    expect([phase.kind, stopped.end?.why]).toEqual(["idle", "stopped"]);
    expect(await world.bot.act(id, { kind: "retry", speaker: member })).toMatchObject({ why: "no_op" });
    expect((await last())?.actions).toEqual([]);
  });

  it("is asked about nowhere where the operator says none, and where the model writes a summary", async () => {
    const unasked = createPaidWorld({ budgets: rich, prices: fable, askAbove: null });
    await turn(unasked, await long(unasked, 150_000), member, 1);
    const world = createPaidWorld({ budgets: rich, prices: fable });
    const id = await long(world, 150_000);
    await world.bot.act(id, { kind: "continue", by: member });
    expect((await world.nextModel()).request.prefix.tools).toEqual([]);
  });

  it("is no other: a smaller one, and one that the provider still holds, begin at once", async () => {
    const world = createPaidWorld({ budgets: rich, prices: fable });
    const small = await long(world, 90_000);
    await turn(world, small, member, 1);
    const large = await long(world, 150_000);
    expect((await failureOf(world, large, member))?.kind).toBe("costly");
    await world.bot.act(large, { kind: "retry", speaker: member });
    (await world.nextModel()).answer(costing(1, textAnswer("done"), 150_000));
    await settled(world, large);
    await turn(world, large, member, 1);
  });
});

it("an answer that was given before is paid by nobody; a new one is", async () => {
  const given: ReusedAnswer = {
    conversation: "c-old",
    message: "m-old",
    at: 0,
    link: "https://chat.example/old",
    words: { kind: "answer", blocks: [{ kind: "text", text: "Three times." }] },
  };
  const world = createPaidWorld({
    budgets: usual,
    reuse: { find: () => Promise.resolve(given), similar: () => Promise.resolve([]) },
  });
  const spent = () => world.purse.spent(["1970-01-01"], "day");
  const id = await world.begin();
  await world.say(id, "How often is it tried?");
  await settled(world, id);
  expect(spent()).toBe(0);
  await world.bot.act(id, { kind: "retry", speaker: operator });
  (await world.nextModel()).answer(costing(700));
  await settled(world, id);
  expect(spent()).toBe(700);
});
