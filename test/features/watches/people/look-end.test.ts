/** The host's line below a look: posted once, also by later processes, and only when the platform is connected. */

import { describe, expect, it } from "vitest";
import { createLookEnds } from "../../../../src/features/watches/look-end.ts";
import type { WatchThread } from "../../../../src/features/watches/store/watches.ts";
import { systemClock } from "../../../../src/app/system-clock.ts";
import { english } from "../../../../src/i18n/say.ts";
import { silentLog } from "../../../../src/store/base/silent-log.ts";
import { watchWith } from "../watch.ts";
import { crashes, deciding } from "./first-model.ts";
import { lookScene, PEOPLE_SOURCE } from "./scene.ts";

const END = /\[Ask a maintainer\]/;

describe.each(["slack", "discord"] as const)("on %s", (platform) => {
  it("the line is stored as posted", async () => {
    const scene = await lookScene(platform, PEOPLE_SOURCE, {
      answer: deciding(crashes, "See src/cart.ts:3."),
    });
    const root = scene.post("bob", "The cart crashes");
    await scene.reads(root, END);
    await expect
      .poll(() => scene.opened.rows.select("SELECT ended FROM watch_threads")({}))
      .toEqual([{ ended: 1 }]);
  });
});

const threadOf = (conversation: `c-${string}`): WatchThread => ({
  conversation,
  place: "C1",
  message: "1.1",
  event: {
    watch: "noticed",
    delivery: conversation,
    fingerprint: "f",
    title: "crash",
    text: "crash",
    link: null,
    at: 1,
    post: `${conversation} post`,
    person: { place: "C1", author: "slack:UBOB" },
  },
  count: 1,
  told: 1,
  began: Date.now(),
  last: Date.now(),
});

/** The last answer of a watch's turn, as the thread has it. */
const ANSWERED = {
  state: { turn: { speaker: { id: "watch:noticed" } } },
  conversation: { repo: null },
  posts: [{ post: { body: { kind: "turn", end: "answered", said: ["m-1"], notices: [] } } }],
};

const endsWith = ({ refuses = false }: { readonly refuses?: boolean } = {}) => {
  const told: string[] = [];
  const ended: string[] = [];
  const state = { standing: "reconnecting", atOnce: 0, most: 0 };
  const ends = createLookEnds({
    clock: { ...systemClock, after: (_: number, fire: () => void) => systemClock.after(0, fire) },
    log: silentLog,
    bot: { read: async () => ANSWERED },
    answers: { answer: () => null },
    repos: { usable: () => null },
    ledger: { behind: () => [] },
    watches: () => [watchWith(PEOPLE_SOURCE, { id: "noticed" })],
    rows: {
      thread: threadOf,
      unended: () => [threadOf("c-1"), threadOf("c-2")],
      ended: async (conversation: string) => {
        ended.push(conversation);
        return { kind: "done" };
      },
    },
    surfaces: () => [
      {
        name: "slack",
        off: null,
        standing: () => state.standing,
        say: () => english,
        tell: async (_: string, { id }: { readonly id: string }) => {
          state.atOnce += 1;
          state.most = Math.max(state.most, state.atOnce);
          await new Promise((resolve) => setImmediate(resolve));
          state.atOnce -= 1;
          told.push(id);
          return refuses ? { kind: "refused", why: "no" } : { kind: "put", message: id };
        },
      },
    ],
  } as never);
  return { ends, told, ended, state };
};

describe("a start", () => {
  it("posts the lines that are left one after the other, once the platform is connected", async () => {
    const { ends, told, ended, state } = endsWith();
    ends.start();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    state.standing = "on";
    await expect.poll(() => ended).toEqual(["c-1", "c-2"]);
    expect(told).toEqual(["look/c-1", "look/c-2"]);
    expect(state.most).toBe(1);
    await ends.close();
  });

  it("leaves a line that the platform refuses for the next start", async () => {
    const { ends, told, ended, state } = endsWith({ refuses: true });
    state.standing = "on";
    ends.start();
    await expect.poll(() => told.length).toBe(8);
    await ends.close();
    expect(ended).toEqual([]);
  });
});
