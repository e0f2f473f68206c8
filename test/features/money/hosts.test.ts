/** G1 across hosts: what one has in flight is nobody else's, until it has ended or its host has. */

import { expect, test, vi } from "vitest";
import type { ConversationId } from "../../../src/machine/id.ts";
import type { Speaker } from "../../../src/machine/words.ts";
import { paidBy } from "./paid.ts";
import { type Sharing, usual } from "./usual.ts";
import { textAnswer } from "../../runtime/world.ts";
import { openHosts, type TestHost } from "../../runtime/cluster/hosts.ts";

const asker: Speaker = { id: "discord:7", name: "Ana", mayDrive: false, mayApprove: false };
/** Of one request, not of two. */
const budgets = { ...usual, stranger: 102_000 };
const paid = (sharing: Sharing) => paidBy({ budgets, sharing });

const begin = async () => {
  const hosts = openHosts();
  const one = await hosts.start("one", paid);
  const two = await hosts.start("two", paid);
  let said = 0;
  const say = (at: TestHost, conversation: ConversationId) =>
    at.bot.say({
      surface: "console",
      id: `said ${said++}`,
      conversation,
      speaker: asker,
      text: "go",
      images: [],
    });
  const first = await one.world.begin();
  const second = await two.world.begin();
  await say(one, first);
  const running = await one.world.nextModel();
  await say(two, second);
  await vi.waitFor(() =>
    expect(hosts.store.load(second)?.state.phase).toMatchObject({ failure: { kind: "budget" } }),
  );
  const again = () => two.bot.act(second, { kind: "retry", speaker: asker });
  return { hosts, one, two, first, second, running, again };
};

test("two hosts do not share the rest of a budget; what a request did not cost is there for the other one", async () => {
  const { hosts, two, first, second, running, again } = await begin();
  running.answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(first)?.state.phase.kind).toBe("idle"));
  await again();
  (await two.world.nextModel()).answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(second)?.state.phase.kind).toBe("idle"));
  expect(hosts.purse.spent(["1970-01-01"], "day")).toBe(1_000);
});

test("what a killed host had in flight is free for the others, and is not spent", async () => {
  const { hosts, two, second, again } = await begin();
  await hosts.kill("one");
  await again();
  (await two.world.nextModel()).answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(second)?.state.phase.kind).toBe("idle"));
  expect(hosts.purse.spent(["1970-01-01"], "day")).toBe(500);
});

test("a host that is no member any more asks nothing of the model", async () => {
  const { hosts, one, running, first } = await begin();
  running.answer(textAnswer("done"));
  await vi.waitFor(() => expect(hosts.store.load(first)?.state.phase.kind).toBe("idle"));
  await hosts.rows.leave("one", "start of one");
  await one.world.say(first, "again", asker);
  await vi.waitFor(() =>
    expect(hosts.store.load(first)?.state.phase).toMatchObject({ failure: { kind: "unknown" } }),
  );
});
