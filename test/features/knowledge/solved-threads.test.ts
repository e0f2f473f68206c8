/** A solved thread of a public channel is found from the other channels of its server, as long as it is solved and not forgotten. */

import { expect, it, onTestFinished, vi } from "vitest";
import { createSolvedThreads } from "../../../src/features/knowledge/solved-threads.ts";
import { createKnowledge } from "../../../src/features/knowledge/knowledge.ts";
import { createCut } from "../../../src/runtime/bot/erased-text.ts";
import { archivesOn, conversation, handClock } from "./world.ts";
import { textAnswer } from "../../runtime/world.ts";
import { scratch } from "../../scratch.ts";
import { createConnectReach } from "../../../sandbox/egress/reach.ts";
import { OFTEN } from "../../adapters/rig.ts";
import { createRig } from "../../adapters/discord/rig.ts";
import { openMemory } from "../../store/in-memory.ts";

it("is found with its address and its answer; not before it is solved, not where it is private, and no more once somebody asks on or it is forgotten", async () => {
  const opened = openMemory();
  const rig = await createRig({
    opened,
    answer: (_messages, no) => textAnswer(no === 1 ? "Giraffes retry in backoff.ts." : `Answer ${no}.`),
  });
  const { fake, discord, bot } = rig;
  const clock = handClock();
  const at = { surface: "discord", place: fake.world.channelNamed("help").id };
  const own = createSolvedThreads({
    ...opened,
    clock,
    readThread: (_, thread) => discord.readThread(thread),
    link: (_, thread) => discord.link(thread),
  });
  let looks = 0;
  const threads: typeof own = {
    ...own,
    standing: (community) => {
      looks += 1;
      return own.standing(community);
    },
  };
  const switched = () => ({
    entries: ["threads"],
    repo: null,
    community: threads.communityOf({ ...at, place }),
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { id: thread } = fake.as("bob").say("general", "@parley where do giraffes retry?");
  await rig.reads(thread, /backoff\.ts/);
  const place = fake.world.channelNamed("general").id;
  const knowledge = createKnowledge({
    directory: scratch("threads"),
    archives: await archivesOn(null),
    reach: createConnectReach({
      rules: { names: null, networks: [] },
      lookup: () => Promise.resolve([]),
      unsafeOpen: [],
    }),
    userAgent: "parley-test",
    threads,
    channels: () => [switched()],
    channelOf: switched,
    clock,
    log,
    bounds: { pages: 10, bytes: 2 ** 30, every: 3_600_000 },
  });
  onTestFinished(() => knowledge.close());
  /** What is found once the keeper has looked again. */
  const look = async (does: () => void) => {
    const before = looks;
    does();
    await vi.waitFor(async () => {
      await clock.quiet();
      expect(looks).toBeGreaterThan(before);
    }, OFTEN);
    await clock.quiet();
    const found = knowledge.find(conversation, "giraffes backoff");
    return found.kind === "found" ? found.hits : [];
  };
  const press = async (): Promise<void> => {
    const message = fake.world
      .messages(thread)
      .findLast((one) => JSON.stringify(one.components).includes("solved"));
    fake.as("bob").click({ channel: thread, id: message?.id ?? "" }, "Solved");
    await rig.reads(thread, /Marked as solved/);
  };
  const [{ conversation: id, message } = { conversation: "c-", message: "m-" } as const] =
    opened.answers.answersPage(0, null, 10_000);
  expect(await look(knowledge.threadsChanged)).toEqual([]);
  await press();
  await vi.waitFor(() => expect(opened.feedback.solvedBy(id)).not.toBeNull(), OFTEN);
  expect(await look(knowledge.threadsChanged)).toEqual([]);
  await opened.answers.setAudience({ conversation: id, message }, "public");
  expect(await look(knowledge.threadsChanged)).toMatchObject([
    {
      address: expect.stringMatching(new RegExp(`^https://discord\\.com/channels/\\d+/${thread}`)),
      title: "where do giraffes retry?",
      state: "solved",
      excerpt: expect.stringContaining("Giraffes retry in backoff.ts."),
    },
  ]);
  expect(knowledge.standings(["threads"], null, { ...at, place })).toMatchObject([{ texts: 1, why: null }]);
  expect(knowledge.standings(["threads"], null, { ...at, surface: "slack" })).toMatchObject([{ texts: 0 }]);

  fake.admin.overwrite("general", "@everyone", { deny: ["ViewChannel"] });
  await clock.pass(24 * 3_600_000);
  expect(await look(knowledge.threadsChanged)).toEqual([]);
  fake.admin.overwrite("general", "@everyone", { allow: ["ViewChannel"] });
  await clock.pass(11 * 60_000);
  expect(await look(knowledge.threadsChanged)).toHaveLength(1);
  fake.as("bob").say(thread, "@parley and elephants?");
  await rig.reads(thread, /Answer 2\./);
  expect(await look(() => knowledge.heard(id))).toEqual([]);

  await opened.feedback.solve({ conversation: id, message }, 7);
  expect(await look(knowledge.threadsChanged)).toHaveLength(1);
  const forgetting = {
    by: "discord:1",
    meant: { kind: "all" },
    cut: createCut((text) => ({ text, taken: [] })),
  } as const;
  expect(await bot.forget(id, forgetting)).toEqual({ kind: "done" });
  expect(await look(() => knowledge.heard(id))).toEqual([]);
  expect(fake.violations).toEqual([]);
});
