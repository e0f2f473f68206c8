/** 9, item 3: an approved write to the forge is an errand with a key: carried out by whichever process is there, told once. */

import { describe, expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { ApprovedWrite, ProposedWrite, Writes, WrittenResult } from "../../../src/ports/tools.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const PROPOSED: ProposedWrite = {
  kind: "proposal",
  write: "file_issue",
  proposal: { project: "acme/shop", facts: [], files: [], unlisted: 0, texts: [] },
  fingerprint: "f1",
};
const DONE: WrittenResult = {
  outcome: toolResult("Done"),
  wrote: { kind: "done", name: "acme/shop#2", url: "https://forge.invalid/2" },
};

/** Writes that are answered by the test, in the order in which they are asked for. */
const desk = () => {
  const errands: ApprovedWrite[] = [];
  const answers: ((written: WrittenResult) => void)[] = [];
  let heard = Promise.withResolvers<void>();
  const writes: Writes = {
    propose: ({ name }) => Promise.resolve(name === "file_issue" ? PROPOSED : { kind: "none" }),
    write: (_run, errand, { signal }) =>
      new Promise((answer) => {
        errands.push(errand);
        answers.push(answer);
        signal.addEventListener("abort", () => answer({ ...DONE, wrote: { kind: "failed", why: "cut" } }));
        heard.resolve();
        heard = Promise.withResolvers<void>();
      }),
  };
  const next = async (count: number): Promise<void> => {
    while (errands.length < count) await heard.promise;
  };
  return { writes, errands, next, answer: (written: WrittenResult) => answers.at(-1)?.(written) };
};

const asked = async (world: World): Promise<ConversationId> => {
  const id = await world.begin();
  await world.say(id, "file it");
  (await world.nextModel()).answer(toolAnswer({ name: "file_issue", input: { title: "T" } }));
  await phase(world, id, "awaitingApproval");
  return id;
};

const phase = async (world: World, id: ConversationId, wanted: string): Promise<void> => {
  const now = (await world.bot.read(id))?.state.phase.kind;
  if (now === wanted) return;
  await new Promise<void>((resolve) => {
    const stop = world.bot.subscribe(id, (change) => {
      if (change.kind !== "state" || change.overview.state.phase.kind !== wanted) return;
      stop();
      resolve();
    });
  });
};

const approve = async (world: World, id: ConversationId): Promise<void> => {
  const question = (await world.bot.read(id))?.question?.wire ?? "";
  const done = await world.bot.act(id, {
    kind: "decide",
    question,
    choice: "approve",
    by: operator,
    comment: null,
  });
  expect(done).toEqual({ kind: "done" });
};

const notices = async (world: World, id: ConversationId): Promise<readonly string[]> =>
  ((await world.bot.read(id))?.posts ?? []).flatMap(({ post: { body } }) =>
    body.kind === "notice" && body.notice.kind === "wrote" ? [body.notice.wrote.kind] : [],
  );

describe("a write to the forge", () => {
  it("is carried out after the click, with requester and approver, and told to people and the model", async () => {
    const { writes, errands, next, answer } = desk();
    const world = createWorld({ writes });
    const id = await asked(world);
    expect(errands).toEqual([]);
    await approve(world, id);
    await next(1);
    expect(errands[0]).toMatchObject({
      asker: { id: operator.id },
      approved: { write: "file_issue", by: { id: operator.id }, fingerprint: "f1" },
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    answer(DONE);
    const after = await world.nextModel();
    expect(JSON.stringify(after.request.messages.at(-1))).toContain("Done");
    expect(await notices(world, id)).toEqual(["done"]);
    after.answer(textAnswer("Filed."));
  });

  it("whose process is killed is carried out by the next one, under the same key, and told once", async () => {
    const { writes, errands, next, answer } = desk();
    const world = createWorld({ writes });
    const id = await asked(world);
    await approve(world, id);
    await next(1);
    const second = world.restart();
    await second.bot.recover();
    await next(2);
    const third = second.restart();
    await third.bot.recover();
    await next(3);
    expect(new Set(errands.map(({ key }) => key)).size).toBe(1);
    expect(errands.map(({ again }) => again)).toEqual([false, true, true]);
    answer(DONE);
    (await third.nextModel()).answer(textAnswer("Filed."));
    await phase(third, id, "idle");
    expect(await notices(third, id)).toEqual(["done"]);
  });

  it("is left to the next process by one that ends in good order", async () => {
    const { writes, next, answer } = desk();
    const world = createWorld({ writes });
    const id = await asked(world);
    await approve(world, id);
    await next(1);
    await world.bot.close();
    const later = world.restart();
    await later.bot.recover();
    await next(2);
    answer(DONE);
    (await later.nextModel()).answer(textAnswer("Filed."));
    await phase(later, id, "idle");
    expect(await notices(later, id)).toEqual(["done"]);
  });

  it("that is void writes nothing and says so in the thread", async () => {
    const { writes, next, answer } = desk();
    const world = createWorld({ writes });
    const id = await asked(world);
    await approve(world, id);
    await next(1);
    answer({
      outcome: { ...toolResult("Changed"), isError: true },
      wrote: { kind: "void", why: "it changed" },
    });
    (await world.nextModel()).answer(textAnswer("I see."));
    await phase(world, id, "idle");
    expect(await notices(world, id)).toEqual(["void"]);
  });

  it("of which nobody knows is tried again as the same errand, by a later process too, and as another once it is done", async () => {
    const { writes, errands, next, answer } = desk();
    const first = createWorld({ writes });
    const id = await asked(first);
    await approve(first, id);
    await next(1);
    answer({
      outcome: { ...toolResult("Lost"), isError: true },
      wrote: { kind: "unknown", why: "an answer was lost." },
    });
    (await first.nextModel()).answer(textAnswer("Nobody knows."));
    await phase(first, id, "idle");

    const world = first.restart();
    await world.bot.recover();
    for (const count of [2, 3]) {
      await world.say(id, "file it");
      (await world.nextModel()).answer(toolAnswer({ name: "file_issue", input: { title: "T" } }));
      await phase(world, id, "awaitingApproval");
      await approve(world, id);
      await next(count);
      answer(DONE);
      (await world.nextModel()).answer(textAnswer("Filed."));
      await phase(world, id, "idle");
    }
    expect(await notices(world, id)).toEqual(["unknown", "done", "done"]);
    const [lost, again, other] = errands;
    expect([lost?.again, again?.again, other?.again]).toEqual([false, true, false]);
    expect([again?.key, again?.since]).toEqual([lost?.key, lost?.since]);
    expect(again?.approved.at).toBeGreaterThanOrEqual(again?.since ?? Number.NaN);
    expect(other?.key).not.toBe(lost?.key);
  });

  it("that is stopped is not done again, and people are told that nobody knows", async () => {
    const { writes, errands, next } = desk();
    const world = createWorld({ writes });
    const id = await asked(world);
    await approve(world, id);
    await next(1);
    await world.bot.act(id, { kind: "stop", by: operator.id });
    await phase(world, id, "idle");
    expect(await notices(world, id)).toEqual(["failed"]);
    await world.restart().bot.recover();
    expect(errands).toHaveLength(1);
  });
});
