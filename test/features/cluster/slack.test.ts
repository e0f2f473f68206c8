/** Slack reaches every one of several hosts before one PostgreSQL; what comes to one that does not lead is done once, as if it had led. */

import { expect, it, vi } from "vitest";
import { systemClock } from "../../../src/app/system-clock.ts";
import { shareOf } from "../../../src/features/cluster/work/share-of-many.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptMessage } from "../../../src/thread/prompt.ts";
import { sharedPostgres } from "../../fakes/postgres.ts";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { createHost } from "./database/fleet.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { createRig, type RigOptions, type SlackRig } from "../../adapters/slack/rig.ts";
import { freePort } from "../../free-port.ts";
import { SECRET, sendSigned } from "../../adapters/slack/signed.ts";

interface Started {
  readonly rig: SlackRig;
  /** What other hosts asked of it, as JSON. */
  readonly errands: readonly string[];
  /** It answers nothing any more. */
  hang(): void;
  /** The others find it gone. */
  isGone(): Promise<void>;
}

const start = async (database: string, name: string, options: RigOptions): Promise<Started> => {
  const { lease, ...opened } = await (await createHost(database, name)).member();
  const errands: string[] = [];
  let isDead = false;
  const rig = await createRig({
    ...options,
    opened,
    share: shareOf({
      fleet: {
        ...lease.fleet,
        serve: (answer) =>
          lease.fleet.serve((errand) => {
            errands.push(JSON.stringify(errand));
            return isDead ? new Promise(() => undefined) : answer(errand);
          }),
      },
      id: lease.id,
      opened,
      clock: systemClock,
      log: silentLog,
    }),
  });
  return {
    rig,
    errands,
    hang: () => {
      isDead = true;
    },
    isGone: () => lease.release(),
  };
};

const overHttp = async () => ({
  SLACK_APP_TOKEN: "",
  SLACK_SIGNING_SECRET: SECRET,
  PARLEY_SLACK_PORT: String(await freePort()),
});

const answer = (messages: readonly PromptMessage[]): ModelOutcome => {
  const results = messages.at(-1)?.content.some(({ kind }) => kind === "toolResult") === true;
  return results || !JSON.stringify(messages).includes("fix it")
    ? textAnswer("All done.")
    : toolAnswer({ name: "request_mode_upgrade", input: { reason: "to fix the test" } });
};

it("what comes to a host that does not lead is stored by the one that does, then acknowledged, and done once", async ({
  skip,
}) => {
  const postgres = await sharedPostgres();
  if (postgres === null) return skip();
  const database = await postgres.create();
  // It hears nothing by itself.
  const leading = await start(database, "one", {
    answer,
    env: await overHttp(),
    fake: { times: { ackTimeoutMs: 10_000, retryDelaysMs: [0, 60_000] } },
  });
  const { fake } = leading.rig;
  const others = { answer, on: fake, bound: [] };
  const env = await overHttp();
  const [following, { rig: listening }] = await Promise.all([
    start(database, "two", others),
    start(database, "three", { ...others, env }),
  ]);
  await fake.sockets.waitFor(1, "opened");
  const turns = (): number =>
    [leading.rig, following.rig, listening].reduce((sum, { asked }) => sum + asked.length, 0);

  const alice = fake.as("alice");
  const root = alice.say("@parley fix it", { channel: "general" });
  await leading.rig.thread(root, /\[Approve\]/);
  const card = fake.world
    .thread(root.channel, root.ts)
    .findLast(({ blocks }) => JSON.stringify(blocks).includes("parley_approve"));
  alice.click({ channel: root.channel, ts: card?.ts ?? "" }, "Deny, and say why");
  await vi.waitFor(() => expect(alice.views()).toHaveLength(1), OFTEN);
  alice.submit({ words: "Say first what you would change." });
  await leading.rig.thread(root, /> Say first what you would change\.[^]*All done\./);
  await fake.settled();
  const ends = await Promise.all(fake.deliveries.map(({ ended }) => ended));
  expect(new Set(ends.map(({ kind }) => kind))).toEqual(new Set(["acknowledged"]));
  expect(new Set(fake.deliveries.flatMap(({ sockets }) => sockets))).toEqual(new Set([1]));
  expect(turns()).toBe(2);
  const [all, handed] = [JSON.stringify(fake.deliveries), leading.errands.join()];
  for (const kind of ["app_mention", "block_actions", "view_submission"]) expect(handed).toContain(kind);
  // Edits of the bot's own posts are nobody's input.
  expect([all, handed].map((one) => one.includes("message_changed"))).toEqual([true, false]);

  fake.deliveryFault({ kind: "drop" }, { times: 2 });
  const another = alice.say("@parley hello", { channel: "general" });
  const body = JSON.stringify(fake.deliveries.at(-1)?.payload);
  const port = Number(env.PARLEY_SLACK_PORT);
  expect(await sendSigned(port, body, "another secret")).toBe(401);
  expect(leading.rig.chat.unhandled("slack")).toEqual([]);
  expect(await sendSigned(port, body)).toBe(200);
  expect(await sendSigned(port, body)).toBe(200);
  await leading.rig.thread(another, /All done\./);
  expect(turns()).toBe(3);

  const before = fake.deliveries.length;
  leading.hang();
  const last = alice.say("@parley hello", { channel: "general" });
  await vi.waitFor(() => {
    const sent = fake.deliveries.slice(before);
    expect(sent.map(({ sockets }) => sockets.length)).toEqual([2, 2]);
  }, OFTEN);
  await leading.isGone();
  expect(fake.deliveries.slice(before).map(({ sockets }) => sockets)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  await following.rig.thread(last, /All done\./);
  await fake.settled();
  expect(turns()).toBe(4);
  expect(following.rig.slack.standing()).toBe("on");
  expect(fake.sockets.changes).toHaveLength(1);
  expect(fake.violations).toEqual([]);
});
