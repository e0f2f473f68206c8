/**
 * What a streamed answer costs in calls, and how fresh its text is, at the pace that the platforms like (TA1, TA28). Freshness counts
 * pieces that were said before a piece was seen, so that a busy machine, which says them more slowly, changes little.
 */

import { describe, expect, it } from "vitest";
import { textAnswer } from "../runtime/world.ts";
import { createRig } from "./slack/rig.ts";

/** 3,000 bytes at 50 pieces a second. */
const PIECE = "So it is tried once.";
const COUNT = 150;
/** Milliseconds between two. */
const PAUSE = 20;
const ANSWER = PIECE.repeat(COUNT);

const textIn = (args: unknown): string =>
  [Object(args).blocks, Object(args).chunks]
    .flat()
    .filter((one) => one?.type === "markdown" || one?.type === "markdown_text")
    .map((one) => String(one.text))
    .join("");

describe("an answer of 3,000 bytes on Slack", () => {
  it.each([
    ["as a native stream", "all", 9],
    ["by edits", "off", 8],
  ] as const)("%s: few calls, and what is read is fresh (TA1)", async (_, streams, most) => {
    const said: number[] = [];
    const rig = await createRig({
      isPaced: true,
      env: { PARLEY_SLACK_STREAMS: streams },
      stream: async (text) => {
        for (let no = 1; no <= COUNT; no += 1) {
          text(PIECE);
          said.push(Date.now());
          await new Promise((resolve) => setTimeout(resolve, PAUSE));
        }
      },
      answer: () => textAnswer(ANSWER),
    });
    const root = rig.fake.as("bob").say("@parley And?", { channel: "general" });
    await rig.thread(root, /tried once\.\s+Restricted/);

    const calls = rig.fake.calls.filter(({ method }) => /^(chat|assistant|files)\./.test(method));
    let visible = 0;
    const shown = calls
      .filter(({ method }) => method.startsWith("chat."))
      .map(({ method, args, exchange: { at } }) => {
        const { length } = textIn(args);
        visible = method.endsWith("Stream") ? visible + length : length;
        return { at, visible };
      });
    const saidBefore = (at: number): number => said.filter((one) => one < at).length;
    const lag = said.map((_, index) => {
      const seen = shown.find((one) => one.visible >= (index + 1) * PIECE.length);
      return Math.max(0, saidBefore(seen?.at ?? Infinity) - index - 1);
    });
    // Text is shown from the piece on that passes 400 characters.
    const first = saidBefore(shown[0]?.at ?? Infinity) - Math.ceil(401 / PIECE.length);
    const p95 = lag.toSorted((a, b) => a - b)[Math.floor(lag.length * 0.95)] ?? Infinity;
    console.log(`${streams}: ${calls.length} calls, first text after ${first} pieces, p95 ${p95} pieces`);
    expect(calls.length).toBeLessThanOrEqual(most);
    expect(first).toBeLessThanOrEqual(COUNT / 2);
    expect(p95).toBeLessThanOrEqual((COUNT * 2) / 3);
    expect(rig.fake.violations).toEqual([]);
  });
});
