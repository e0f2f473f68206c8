/**
 * Stories for reviewers: what people see in a thread, who said what, which buttons stood there, which were clicked,
 * and what was changed afterwards (test/crash/threads). `vitest -u` writes them anew.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endsAt, live } from "./day.ts";
import { briefly } from "./plainly.ts";
import type { Town } from "./platform.ts";
import { createSlackTown } from "./platforms/slack.ts";
import { createStage } from "./platforms/stage.ts";

let town: Town;

beforeAll(async () => {
  town = await createSlackTown();
});

afterAll(() => town.close());

const file = (name: string): string => `threads/${name}.txt`;

describe("a thread as people see it", () => {
  it("a day: tools, an approval, a long answer, a stop, a failure and another try; and a denial beside it", async () => {
    const { stories } = await live(town);
    await expect(briefly(stories["first"])).toMatchFileSnapshot(file("day-approved"));
    await expect(briefly(stories["second"])).toMatchFileSnapshot(file("day-denied"));
  });

  it("the host ends while a tool runs: it says so, and another try goes on", async () => {
    const { points } = await live(town);
    const at = points.indexOf("before commit ran 1");
    const { stories } = await live(town, { isEnd: endsAt(at) });
    await expect(briefly(stories["first"])).toMatchFileSnapshot(file("interrupted"));
  });

  it("a disk that is full when the checkout is made: it says so, and another try goes on", async () => {
    const { batches } = await live(town);
    for (let at = 0; at < batches; at += 1) {
      const { stories } = await live(town, { disk: { kind: "full", refuses: (batch) => batch === at } });
      if (stories["first"]?.includes("could not be noted") !== true) continue;
      await expect(briefly(stories["first"])).toMatchFileSnapshot(file("disk-full"));
      return;
    }
    throw new Error("the checkout was never refused");
  });

  it("a question asked before a restart is answered by the buttons that were posted then", async () => {
    const stage = await createStage();
    const root = await stage.say("change");
    await stage.restart();
    expect(await stage.click(root, "approve")).toBe("done");
    await expect(briefly(stage.story(root))).toMatchFileSnapshot(file("approved-after-restart"));
  });

  it("messages written while nobody listened are answered after the start", async () => {
    const stage = await createStage();
    const root = await stage.say("list");
    await stage.process().drop();
    stage.whisper("hello", root);
    await stage.restart();
    await expect(briefly(stage.story(root))).toMatchFileSnapshot(file("caught-up"));
  });

  it("a message that Slack refuses for good is named in one post", async () => {
    const stage = await createStage();
    const root = await stage.say("list");
    const error = { kind: "error", error: "invalid_blocks" } as const;
    stage.fake.fault(error, { match: { method: "chat.postMessage", contains: "Hello." } });
    await stage.say("hello", root);
    await expect(briefly(stage.story(root))).toMatchFileSnapshot(file("refused-message"));
  });
});
