/** Slack's asking to wait, heeded where many ask at once who somebody is; with the real client on the wire. */

import { expect, onTestFinished, test, vi } from "vitest";
import { createSlackClient } from "../../../../adapters/slack/api/client.ts";
import { createVirtualClock } from "../../../fakes/shared/clock.ts";
import { createFakeSlack } from "../../../fakes/slack/fake.ts";

const scene = async (perMinute: number, atOnce = 0) => {
  const clock = createVirtualClock();
  const bucket = { size: 2, perMinute };
  const fake = await createFakeSlack({ clock, rates: { "users.info": bucket, "chat.update": bucket } });
  onTestFinished(() => fake.close());
  const waits: number[] = [];
  const client = createSlackClient(fake.botToken, {
    apiUrl: fake.apiUrl,
    wait: async (delay) => {
      waits.push(delay);
      // What is on its way would take what the clock gives.
      await vi.waitFor(() => expect(fake.calls.length).toBeGreaterThanOrEqual(atOnce));
      await statuses();
      clock.advance(delay);
    },
  });
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all(fake.calls.map(async ({ exchange }) => (await exchange.ended).status));
  return { fake, client, statuses, waits };
};

const ALICE = { user: "UALICE" };

test("reads that Slack refuses as too many wait their turn, and few more are refused", async () => {
  const { client, statuses } = await scene(60, 6);
  const read = await Promise.all(Array.from({ length: 6 }, () => client.users.info(ALICE)));
  expect(read.every(({ ok }) => ok)).toBe(true);
  const all = await statuses();
  expect(all.filter((status) => status === 200)).toHaveLength(6);
  // Those that were on their way at the first refusal, and one at a time from then on.
  expect(all.filter((status) => status === 429).length).toBeLessThanOrEqual(8);
});

test("a read that got no usable answer is made again, one that Slack refuses is not", async () => {
  const { fake, client, waits } = await scene(600);
  fake.fault({ kind: "status", status: 503, body: "html" });
  fake.fault({ kind: "cut", applied: true, how: "reset" });
  expect(await client.users.info(ALICE)).toMatchObject({ ok: true });
  expect(waits).toEqual([250, 1_000]);
  await expect(client.users.info({ user: "UNOBODY" })).rejects.toMatchObject({
    data: { error: "user_not_found" },
  });
  expect(waits).toHaveLength(2);
});

test("a read that Slack wants to wait for longer than people would is refused at once", async () => {
  const { client, waits } = await scene(2);
  await Promise.all([client.users.info(ALICE), client.users.info(ALICE)]);
  await expect(client.users.info(ALICE)).rejects.toMatchObject({ retryAfter: 30 });
  expect(waits).toEqual([]);
});

test("what the deliverer paces itself is refused at once", async () => {
  const { client, waits } = await scene(60);
  const change = () => client.chat.update({ channel: "CGENERAL", ts: "1.000001", text: "x" });
  const changes = await Promise.allSettled([change(), change(), change()]);
  expect(changes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  expect(waits).toEqual([]);
});
