/**
 * Webhooks at the real process, each sent twice and in no order, while it is ended by SIGKILL again and again: each event
 * began one thread or is counted on one, none is lost, none counts twice, and what was acknowledged was on the disk.
 * `npm run crash` sends 5,000 within a minute and ends it ten times.
 */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hookSecret } from "../../../src/features/watches/hooks/signature.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { openStore } from "../../store/open-store.ts";
import type { FakeSlack } from "../../fakes/slack/fake.ts";
import { isAll } from "../../sample.ts";
import { testSeed } from "../../seed.ts";
import { createReal } from "../../crash/real.ts";
import type { Order, Sent } from "./webhook-sender.ts";
import { createWatchRows } from "../../../src/features/watches/store/rows.ts";

const IS_WHOLE = isAll || process.env["CRASH_ENDS"] !== undefined;
const EVENTS = IS_WHOLE ? 5_000 : 300;
const MATTERS = IS_WHOLE ? 250 : 20;
const ENDS = IS_WHOLE ? 10 : 2;
/** Milliseconds over which they are sent the first time; each is sent again right after it was acknowledged. */
const WITHIN = IS_WHOLE ? 60_000 : 3_000;

const MASTER = "0123456789abcdef";

it("each is one thread or counted on one, and acknowledged once it is stored", async () => {
  const real = await createReal({
    PARLEY_HOOK_SECRET: MASTER,
    PARLEY_BUDGET_STRANGER: "none",
    PARLEY_BUDGET_CHANNEL: "none",
  });
  await watch(real.data);
  const order: Order = {
    secret: hookSecret(MASTER, "alerts"),
    matters: MATTERS,
    order: shuffled(EVENTS),
    within: WITHIN,
  };
  const sender = new Worker(new URL("./webhook-sender.ts", import.meta.url), {
    workerData: order,
    execArgv: [],
  });
  const statuses = new Set<number | null>();
  const took: number[] = [];
  const over = once(sender, "exit");
  sender.on("message", ({ status, took: millis }: Sent) => {
    if (status === 202) took.push(millis);
    statuses.add(status);
  });

  const until = async (share: number): Promise<void> => {
    while (took.length < 2 * EVENTS * share) await once(sender, "message");
  };
  let host = await real.start();
  for (let end = 1; end <= ENDS; end += 1) {
    sender.postMessage(host.origin, []);
    await until(end / (ENDS + 1));
    // In the middle of what is in flight: what was answered must be there afterwards, and the rest is sent again.
    await host.stop("SIGKILL");
    sender.postMessage(null, []);
    host = await real.start();
  }
  sender.postMessage(host.origin, []);
  await over;

  const counted = () => countsOf(real.slack).reduce((sum, one) => sum + one, 0);
  await expect.poll(counted, OFTEN).toBe(EVENTS);
  await expect.poll(() => endsOf(real.slack).filter((ends) => ends === 1), OFTEN).toHaveLength(MATTERS);
  expect(await host.stop("SIGTERM")).toBe(0);
  expect(counted()).toBe(EVENTS);
  expect(countsOf(real.slack)).toHaveLength(MATTERS);
  expect([...statuses].every((status) => status === 202 || status === null)).toBe(true);
  expect([...real.slack.violations, ...real.model.violations]).toEqual([]);
  took.sort((a, b) => a - b);
  const at = (share: number): string => `${Math.round(took[Math.floor(took.length * share)] ?? 0)} ms`;
  console.log(
    `webhooks: ${EVENTS} twice within ${WITHIN / 1_000} s, killed ${ENDS} times, ${MATTERS} threads; ` +
      `acknowledged after p50 ${at(0.5)}, p99 ${at(0.99)}`,
  );
});

const OFTEN = { interval: 500 };

const watch = async (data: string): Promise<void> => {
  const opened = openStore(data, silentLog);
  if (opened.kind === "failed") throw new Error(opened.message);
  await createWatchRows(opened.rows, silentLog).putWatch({
    id: "alerts",
    surface: "slack",
    place: "CGENERAL",
    source: { kind: "hook", title: null, text: null, key: null },
    mode: null,
    instructions: "Say hello",
    perHour: 1_000,
    standing: { kind: "on" },
    failures: 0,
    by: "slack:UALICE",
    at: 1,
  });
  await opened.store.close();
};

/** Events that each first message says it stands for. */
const countsOf = (slack: FakeSlack): readonly number[] =>
  rootsOf(slack).map(({ text }) => Number(/arrived (\d+) times/.exec(text)?.[1] ?? 1));

/** How often each thread says that its turn has come to an end: with an answer, or with a restart in the middle of it. */
const endsOf = (slack: FakeSlack): readonly number[] =>
  rootsOf(slack).map(
    ({ ts }) =>
      slack.threadAsText("CGENERAL", ts).split(/^Hello\.|^I was restarted while working/m).length - 1,
  );

const rootsOf = (slack: FakeSlack) =>
  slack.world
    .messages("CGENERAL")
    .filter(({ text, threadTs = null }) => threadTs === null && text.includes("Started automatically"));

const shuffled = (many: number): readonly number[] => {
  const all = Array.from({ length: many }, (_, no) => no);
  const [order = all] = fc.sample(fc.shuffledSubarray(all, { minLength: many }), {
    seed: testSeed(),
    numRuns: 1,
  });
  return order;
};
