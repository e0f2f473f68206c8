/** What a streamed answer costs in calls, and how fresh its text is, at the pace that the platforms like (TA1, TA28). */

import { describe, expect, it } from "vitest";
import { textAnswer } from "../runtime/world.ts";
import { createRig } from "./slack/rig.ts";

/** 3,000 bytes at 50 pieces a second. */
const PIECE = "So it is tried once.";
const COUNT = 150;
const ANSWER = PIECE.repeat(COUNT);

const textIn = (args: unknown): string =>
  [Object(args).blocks, Object(args).chunks]
    .flat()
    .filter((one) => one?.type === "markdown" || one?.type === "markdown_text")
    .map((one) => String(one.text))
    .join("");

describe("an answer of 3,000 bytes on Slack", () => {
  it.each([
    ["as a native stream", "all", 6],
    ["by edits", "off", 8],
  ] as const)("%s: few calls, and what is read is fresh (TA1)", async (_, streams, most) => {
    const said: number[] = [];
    const rig = await createRig({
      isPaced: true,
      env: { PARLEY_SLACK_STREAMS: streams },
      stream: async (text) => {
        const begun = Date.now();
        for (let no = 1; no <= COUNT; no += 1) {
          text(PIECE);
          said.push(Date.now());
          await new Promise((resolve) => setTimeout(resolve, begun + no * 20 - Date.now()));
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
    const lateBy = said.map((at, index) => {
      const seen = shown.find((one) => one.visible >= (index + 1) * PIECE.length);
      return Math.max(0, (seen?.at ?? Infinity) - at);
    });
    const [passes = Infinity] = said.slice(Math.ceil(401 / PIECE.length) - 1);
    const p95 = lateBy.toSorted((a, b) => a - b)[Math.floor(lateBy.length * 0.95)] ?? Infinity;
    const first = (shown[0]?.at ?? Infinity) - passes;
    console.log(
      `${streams}: ${calls.length} calls, first text after ${first.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    );
    expect(calls.length).toBeLessThanOrEqual(most);
    expect(first).toBeLessThanOrEqual(1_500);
    expect(p95).toBeLessThanOrEqual(2_100);
    expect(rig.fake.violations).toEqual([]);
  });
});
