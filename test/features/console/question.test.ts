/** A question of the agent in the console: its choices, an answer in words, and who answered (D53). */

import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { createRig, type Rig } from "../../adapters/http/rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const ASK = { name: "ask_person", input: { question: "Which cache?", choices: ["In memory", "Redis"] } };

const asked = z.object({
  question: z.object({ id: z.string(), kind: z.string(), reason: z.string(), choices: z.array(z.unknown()) }),
});

/** A conversation in which the agent asks, and its question as the page reads it. */
const asking = async () => {
  rig.script.clear();
  rig.script.answer({ uses: [ASK] }, { pieces: ["Done."] });
  const id = await rig.begin();
  const path = `/api/conversations/${id}`;
  await rig.call("POST", `${path}/messages`, { text: "Add a cache" });
  await phase(id, "awaitingApproval");
  const { question } = asked.parse((await rig.call("GET", path)).body);
  return { id, path, question };
};

const phase = (id: string, wanted: string) =>
  expect
    .poll(() => rig.bot.list(50, null).find(({ state }) => state.id === id)?.state.phase.kind)
    .toBe(wanted);

const decisionIn = async (path: string): Promise<unknown> => {
  const { body } = await rig.call("GET", path);
  const { posts } = z.object({ posts: z.array(z.looseObject({ kind: z.string() })) }).parse(body);
  return posts.find(({ kind }) => kind === "question");
};

it("has the agent's words, a button for each choice and one for other words", async () => {
  const { question } = await asking();
  expect(question).toMatchObject({
    kind: "person",
    reason: "Which cache?",
    choices: [
      { id: "choose", label: "In memory", option: 1 },
      { id: "choose", label: "Redis", option: 2 },
      { id: "reply", label: "Other …" },
    ],
  });
});

it("shows what was chosen, and by whom", async () => {
  const { id, path, question } = await asking();
  const body = { action: "decide", question: question.id, choice: "choose", option: 2 };
  expect(await rig.call("POST", `${path}/actions`, body)).toMatchObject({ body: { result: "done" } });
  await phase(id, "idle");
  expect(await decisionIn(path)).toMatchObject({
    about: "person",
    reason: "Which cache?",
    decision: { verdict: "Answered", by: "console:operator", comment: "Redis" },
  });
});

it("takes words with the button, and asks for them where they are missing", async () => {
  const { id, path, question } = await asking();
  const decide = { action: "decide", question: question.id, choice: "reply" };
  expect(await rig.call("POST", `${path}/actions`, decide)).toMatchObject({ status: 409 });
  await rig.call("POST", `${path}/actions`, { ...decide, text: "SQLite" });
  await phase(id, "idle");
  expect(await decisionIn(path)).toMatchObject({ decision: { comment: "SQLite" } });
});

it("takes a message as the answer", async () => {
  const { id, path } = await asking();
  expect(await rig.call("POST", `${path}/messages`, { text: "Neither" })).toMatchObject({ status: 202 });
  await phase(id, "idle");
  expect(await decisionIn(path)).toMatchObject({
    decision: { choice: "reply", by: "console:operator", comment: "Neither" },
  });
});
