/** A question of the agent is an answer of the gateway, and the client's next message answers it in the same turn (D53). */

import { expect, it } from "vitest";
import { openGateway } from "./rig.ts";

const ASK = { name: "ask_person", input: { question: "Which cache?", choices: ["In memory", "Redis"] } };

it.each(["ask", "stream"] as const)(
  "%s: the next message of the session answers, and the turn goes on",
  async (how) => {
    const gateway = await openGateway();
    gateway.script.answer({ pieces: ["Two would do."], uses: [ASK] }, { pieces: ["Then Redis."] });
    const asked = "Two would do.\n\nWhich cache?\n\n1. In memory\n2. Redis";
    expect(await gateway[how]("Add a cache")).toBe(asked);
    const waiting = await gateway.bot.read(gateway.conversation());
    expect(waiting?.state).toMatchObject({ turn: { no: 1 }, phase: { kind: "awaitingApproval" } });
    expect(await gateway[how]("2, we have one")).toBe("Then Redis.");
    const over = await gateway.bot.read(gateway.conversation());
    expect(over?.state).toMatchObject({ turn: { no: 1 }, phase: { kind: "idle" } });
    expect(over?.posts.map(({ post }) => post.body)).toContainEqual(
      expect.objectContaining({
        kind: "question",
        decision: expect.objectContaining({ by: "gateway:client" }),
      }),
    );
    await gateway.close();
  },
);

it("the operator answers it in the console, and the turn goes on by itself", async () => {
  const gateway = await openGateway();
  gateway.script.answer({ uses: [ASK] }, { pieces: ["Then in memory."] });
  expect(await gateway.ask("Add a cache")).toBe("Which cache?\n\n1. In memory\n2. Redis");
  const id = gateway.conversation();
  const question = (await gateway.bot.read(id))?.question?.wire ?? "";
  const choice = { action: "decide", question, choice: "choose", option: 1 };
  expect(await gateway.act(choice)).toEqual({ result: "done" });
  await expect.poll(async () => (await gateway.bot.read(id))?.state.phase.kind).toBe("idle");
  const posts = (await gateway.bot.read(id))?.posts ?? [];
  expect(posts.map(({ post }) => post.body)).toContainEqual(
    expect.objectContaining({ decision: expect.objectContaining({ by: "console:operator", option: 1 }) }),
  );
  await gateway.close();
});
