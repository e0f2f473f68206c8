/** Generated histories of checks, reviews, pushes by others, clicks and ends of the process: the bounds hold in each. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { openMemory } from "../../../store/in-memory.ts";
import { EVENT_LOOK } from "../../../../src/features/forge/tend/due.ts";
import type { ForgeRight } from "../../../../src/features/forge/tend/forge-right.ts";
import { BRANCH, BUDGET, createForgeModel, type ForgeModel, MOST } from "./forge-model.ts";

const HISTORIES = 500;
const MINUTE = 60_000;

const changes = fc.record(
  { workflow: fc.boolean(), owned: fc.boolean(), large: fc.boolean(), red: fc.boolean() },
  { requiredKeys: [] },
);

/** Weighted so that pushes under the click are common. */
const happenings = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ kind: "work" } as const) },
  { weight: 6, arbitrary: fc.constant({ kind: "check", is: "failure" } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("in progress", "success").map((is) => ({ kind: "check", is }) as const),
  },
  { weight: 6, arbitrary: fc.constant({ kind: "propose", change: {} } as const) },
  { weight: 3, arbitrary: changes.map((change) => ({ kind: "propose", change }) as const) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom("answered", "answered", "interrupted", "failed")
      .map((why) => ({ kind: "end", why }) as const),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom("writer", "outsider", "bot").map((by) => ({ kind: "remark", by }) as const),
  },
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 60).map((minutes) => ({ kind: "pass", minutes }) as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1, 3).map((days) => ({ kind: "pass", minutes: days * 1_440 }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 400_000 }).map((amount) => ({ kind: "spend", amount }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "restart" } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: "lose" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "lose row" } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: "report" } as const) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("stop", "foreign", "force", "late", "spend", "merged", "right")
      .map((what) => ({ kind: "meanwhile", what }) as const),
  },
  { weight: 2, arbitrary: fc.boolean().map((is) => ({ kind: "trouble", is }) as const) },
  { weight: 1, arbitrary: fc.boolean().map((is) => ({ kind: "connected", is }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "steer" } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(true, true, false).map((is) => ({ kind: "approver", is }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<ForgeRight>(
        { kind: "held" },
        { kind: "held" },
        { kind: "unread" },
        { kind: "lost", why: "access" },
        { kind: "lost", why: "connection" },
      )
      .map((is) => ({ kind: "right", is }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("foreign", "force", "human", "click", "ask", "own remark")
      .map((what) => ({ kind: "other", what }) as const),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("merged", "closed", "stop").map((what) => ({ kind: "over", what }) as const),
  },
);

type Happening = typeof happenings extends fc.Arbitrary<infer T> ? T : never;

const play = async (model: ForgeModel, happening: Happening): Promise<void> => {
  switch (happening.kind) {
    case "work":
      return work(model);
    case "check":
      return model.check(happening.is);
    case "propose":
      return model.propose(happening.change);
    case "end":
      return model.endTurn(happening.why);
    case "remark":
      return model.remark(happening.by);
    case "pass":
      return model.pass(happening.minutes * MINUTE);
    case "spend":
      return model.spend(happening.amount);
    case "restart":
      return model.restart();
    case "meanwhile":
      return model.meanwhile(() => suddenly(model, happening.what));
    case "report":
      return void (await model.report({ branches: [BRANCH] }));
    case "lose":
      return model.loseNextPush();
    case "lose row":
      return model.loseNextRow();
    case "trouble":
      return model.setTrouble(happening.is);
    case "steer":
      return model.steer();
    case "approver":
      return model.setApprover(happening.is);
    case "connected":
      return model.setConnected(happening.is);
    case "right":
      return model.setRight(happening.is);
    case "other":
      return other(model, happening.what);
    case "over":
      return happening.what === "stop" ? void (await model.stop()) : model.setState(happening.what);
  }
};

const suddenly = (
  model: ForgeModel,
  what: "stop" | "foreign" | "force" | "late" | "spend" | "merged" | "right",
): unknown => {
  switch (what) {
    case "stop":
      return model.stop();
    case "foreign":
      return model.foreignPush();
    case "force":
      return model.forcePush();
    case "merged":
      return model.setState("merged");
    case "right":
      return model.setRight({ kind: "lost", why: "access" });
    case "late":
      return model.pass(8 * 1_440 * MINUTE);
    case "spend":
      return model.spend(2 * BUDGET);
  }
};

/** A check fails, and the agent fixes what failed. */
const work = async (model: ForgeModel): Promise<void> => {
  // The longest wait while nothing changes.
  model.pass(10 * MINUTE);
  model.check("failure");
  await model.run();
  model.propose({});
  await model.run();
  model.endTurn("answered");
};

const other = async (
  model: ForgeModel,
  what: "foreign" | "force" | "human" | "click" | "ask" | "own remark",
): Promise<void> => {
  switch (what) {
    case "foreign":
      return model.foreignPush();
    case "force":
      return model.forcePush();
    case "human":
      return void (await model.humanPush());
    case "click":
      return model.click();
    case "ask":
      return model.ask();
    case "own remark":
      return model.remark("writer", "Done. <!-- parley:0123456789abcdef -->");
  }
};

const holds = (model: ForgeModel): void => {
  const { pushes, turns, remarks, waits } = model;
  // Times in the histories are whole minutes, a minute and a half after a refusal, and ten seconds for events.
  expect(Math.min(...waits, MINUTE)).toBeGreaterThanOrEqual(EVENT_LOOK);
  expect(model.early()).toBe(0);
  expect(pushes.length).toBeLessThanOrEqual(MOST);
  for (const push of pushes) {
    expect(push).toMatchObject({
      from: push.lastOwn,
      isStopped: false,
      isSteered: false,
      isApprover: true,
      right: "held",
      pullState: "open",
    });
    expect(push.at).toBeLessThan(model.ends);
    expect(push.spent).toBeLessThanOrEqual(BUDGET);
    expect([push.workflow, push.owned, push.large, push.red].includes(true)).toBe(false);
  }
  const stored = model.rows.pushes(model.id).filter(({ standing }) => standing !== "void");
  expect(stored.length).toBeLessThanOrEqual(MOST);
  // A comment begins one turn, and one more for each interruption.
  const writers = new Set(
    remarks.flatMap(({ id, author, text }) => (author === "writer" && !text.includes("<!--") ? [id] : [])),
  );
  for (const { remarks: ids } of turns) for (const id of ids) expect(writers.has(id)).toBe(true);
  for (const id of writers)
    expect(turns.filter(({ remarks: ids }) => ids.includes(id)).length).toBeLessThanOrEqual(2);
};

it(`the bounds hold in each of ${HISTORIES} histories`, async () => {
  const opened = openMemory();
  let no = 0;
  let pushed = 0;
  let ended = 0;
  let full = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(happenings, { minLength: 20, maxLength: 60 }), async (history) => {
      no += 1;
      const model = await createForgeModel(opened, no);
      try {
        for (const happening of history) {
          await play(model, happening);
          await model.run();
          holds(model);
        }
        pushed += model.pushes.length;
        if (model.pushes.length === MOST) full += 1;
        if (model.rows.find(model.id)?.ended != null) ended += 1;
      } finally {
        await model.close();
        await model.rows.toldEnd(model.id);
      }
    }),
    { numRuns: HISTORIES },
  );
  console.log(
    `${HISTORIES} histories: ${pushed} pushes under the click, ${full} with all of them, ${ended} ended`,
  );
  // Otherwise the histories would prove nothing.
  expect([pushed > HISTORIES / 4, full > HISTORIES / 50]).toEqual([true, true]);
});
