/** L15 in a running host: what was read after a click closes the network again, until somebody is asked and lets it through. */

import { expect, it } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Choice } from "../../../src/machine/vocabulary.ts";
import { createWorld, operator, textAnswer, toolAnswer, toolResult, type World } from "../world.ts";

const install = { name: "bash", input: { command: "npm ci" } };
const issue = { name: "read_issue", input: { number: 7 } };
const reached = (host: string) => [{ host, port: 443, allowed: true }];

const asked = async (world: World, id: ConversationId) => {
  await expect.poll(async () => (await world.bot.read(id))?.question ?? null).not.toBeNull();
  const row = (await world.bot.read(id))?.question;
  if (row === null || row === undefined) throw new Error("nothing is asked");
  return row;
};

const decide = async (world: World, id: ConversationId, choice: Choice) => {
  const { wire } = await asked(world, id);
  return world.bot.act(id, { kind: "decide", question: wire, choice, by: operator, comment: null });
};

/** Every command wants the network; an upgraded conversation without safe mode. */
const upgraded = async () => {
  const needs = { category: "NETWORK_RISK", what: "npm ci", why: "w", risk: "r", changes: [] } as const;
  const world = createWorld({ dangers: () => Promise.resolve([needs]) });
  const id = await world.begin();
  await world.bot.act(id, { kind: "safeMode", on: false, by: operator });
  await world.say(id, "go");
  (await world.nextModel()).answer(toolAnswer({ name: "request_mode_upgrade", input: { reason: "r" } }));
  await decide(world, id, "approve");
  return { world, id };
};

it("a command has the network that a click opened, and what it answers closes nothing", async () => {
  const { world } = await upgraded();
  (await world.nextModel()).answer(toolAnswer(install, install));
  const first = await world.nextTool();
  expect(first.request).not.toHaveProperty("sealed");
  first.answer({ ...toolResult("ok"), reached: reached("registry.npmjs.org") });
  expect((await world.nextTool()).request).not.toHaveProperty("sealed");
});

it("after an issue was read it is asked for on a card that names it; for this thread it holds again", async () => {
  const { world, id } = await upgraded();
  (await world.nextModel()).answer(
    toolAnswer({ ...install, input: { command: "npm start" } }, issue, install),
  );
  (await world.nextTool()).answer({ ...toolResult("started"), background: true });
  (await world.nextTool()).answer({ ...toolResult("#7"), reached: reached("github.com") });
  expect((await asked(world, id)).type).toBe("danger");
  const shown = (await world.bot.read(id))?.posts.map(({ post }) => post.body);
  expect(JSON.stringify(shown)).toContain("github.com");
  expect(world.background).toEqual([id]);
  await decide(world, id, "session");
  const again = await world.nextTool();
  expect(again.request).toMatchObject({ grants: ["NETWORK_RISK"] });
  again.answer(toolResult("ok"));
  (await world.nextModel()).answer(toolAnswer(install));
  expect((await world.nextTool()).request).not.toHaveProperty("sealed");
});

it("a link in an answer is one that somebody else wrote", async () => {
  const world = createWorld();
  const id = await world.begin();
  await world.say(id, "What of https://docs.example/a ?");
  const idle = new Promise<void>((resolve) =>
    world.bot.subscribe(id, (change) => {
      if (change.kind === "state" && change.overview.state.phase.kind === "idle") resolve();
    }),
  );
  (await world.nextModel()).answer(
    textAnswer("https://docs.example/a is out, see https://evil.example/?d=1"),
  );
  await idle;
  const said = world.store.history(id, 0).flatMap(({ words }) => (words?.kind === "answer" ? [words] : []));
  expect(said).toMatchObject([{ links: ["https://docs.example/a"] }]);
});
