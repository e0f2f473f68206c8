/** Answers that come faster than Slack takes messages begin as native streams, and each such stream is ended. */

import { expect, it, vi } from "vitest";
import type { ReusedAnswer } from "../../../src/ports/reuse.ts";
import { OFTEN } from "../rig.ts";
import { createRig } from "./rig.ts";

const GIVEN: ReusedAnswer = {
  conversation: "c-before",
  message: "m-before",
  at: Date.now() - 90_000_000,
  words: { kind: "answer", blocks: [{ kind: "text", text: "Uploads are tried three times." }] },
};

it("40.B ten answers that were given before, within seconds in one channel: no stream stays open", async () => {
  const rig = await createRig({
    isPaced: true,
    reuse: () => ({ find: () => Promise.resolve(GIVEN), similar: () => Promise.resolve([]) }),
  });
  const { fake } = rig;
  const roots = Array.from({ length: 10 }, (_, no) =>
    fake.as("bob").say(`@parley How often are uploads tried? (${no})`, { channel: "general" }),
  );
  // Below the words stand what the answer is and its button: the end of the message.
  for (const root of roots)
    await rig.thread(root, /three times\.[^]*This question was answered[^]*\[Ask again from scratch\]/);
  await vi.waitFor(() => expect(rig.ledger.behind("slack")).toEqual([]), OFTEN);
  const made = (method: string): number => fake.calls.filter((call) => call.method === method).length;
  expect(made("chat.startStream")).toBeGreaterThan(0);
  expect(made("chat.stopStream")).toBe(made("chat.startStream"));
  const rows = roots.flatMap(({ channel, ts }) => {
    const thread = rig.ledger.find("slack", channel, ts);
    return thread === null ? [] : rig.ledger.rows(thread.conversation, ["turn/1/1"]);
  });
  expect(rows).toHaveLength(roots.length);
  expect(rows.filter(({ id }) => id?.startsWith("~") !== false)).toEqual([]);
  expect(fake.violations).toEqual([]);
});
