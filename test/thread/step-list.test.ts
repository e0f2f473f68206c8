/** What a turn's steps say: from stored words alone, without secrets, and nothing of what was erased (TA12). */

import { describe, expect, it } from "vitest";
import type { Entry, Outcome } from "../../src/machine/transcript.ts";
import type { TranscriptMessage, StoredContent } from "../../src/thread/prompt.ts";
import { stepList } from "../../src/thread/step-list.ts";
import { looks } from "../looks.ts";

const KEY = `ghp_${"a1B2".repeat(9)}`;
const call = (no: number) => ({ id: `t${no}`, name: "bash", intent: "tool" }) as const;

const answer = (count: number, text: string, at = 1_000): TranscriptMessage => ({
  entry: {
    kind: "answer",
    turn: 1,
    seq: 1,
    at,
    message: "m-1",
    text: text.length,
    stop: "tools",
    calls: Array.from({ length: count }, (_, no) => call(no)),
  },
  words: {
    kind: "answer",
    blocks: [
      { kind: "text", text },
      ...Array.from({ length: count }, (_, no) => ({
        kind: "toolUse" as const,
        id: `t${no}`,
        name: "bash",
        input: { command: `run ${no} ${KEY}` },
      })),
    ],
  },
});

const result = (no: number, at: number, words: StoredContent, exit?: number): TranscriptMessage => {
  const ended = exit === undefined ? {} : { exit };
  const outcome: Outcome = { kind: "ran", message: "m-2", isError: exit !== 0, ...ended };
  return {
    entry: { kind: "result", turn: 1, seq: 2, at, call: call(no), outcome, origin: "checkout" },
    words,
  };
};

const wrote = (text: string): StoredContent => ({ kind: "result", text, images: [], diff: null });

const permission = (to: "restricted" | "unrestricted"): TranscriptMessage => ({
  entry: {
    kind: "notice",
    turn: 1,
    seq: 2,
    at: 2_500,
    notice: { kind: "permission", to, by: "slack:UALICE" },
  },
  words: null,
});

describe("steps", () => {
  it("tell how each ended and how long it took, from the response or the step before it", () => {
    const told = [answer(3, ""), result(0, 5_000, wrote("a"), 0), result(1, 5_200, wrote("b"), 2)];
    expect(stepList(told, "restricted", looks).map(({ facts }) => facts)).toEqual([
      "exit 0 · 4 s · Restricted",
      "exit 2 · 0.2 s · Restricted",
      "not finished · Restricted",
    ]);
  });

  it("tell what each was allowed, also where that changed between two of them", () => {
    const told = [
      answer(2, ""),
      result(0, 2_000, wrote(""), 0),
      permission("unrestricted"),
      result(1, 3_000, wrote(""), 0),
    ];
    expect(stepList(told, "unrestricted", looks).map(({ facts }) => facts.split(" · ").at(-1))).toEqual([
      "Restricted",
      "Unrestricted",
    ]);
  });

  it("begin with what the model said before its tools, which no post shows", () => {
    const [first, second] = stepList([answer(2, "I look at it.")], "restricted", looks);
    expect([first?.said, second?.said]).toEqual(["I look at it.", ""]);
    expect(stepList([answer(1, "A long plan. ".repeat(40))], "restricted", looks)[0]?.said).toBe("");
  });

  it("mask what looks like a key, in what was said, given and written", () => {
    const shown = JSON.stringify(
      stepList([answer(1, `with ${KEY}`), result(0, 2_000, wrote(`KEY=${KEY}`), 0)], "restricted", looks),
    );
    expect(shown).not.toContain(KEY);
    expect(shown.match(/‹masked›/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it("have nothing of words that were erased, and stay as many", () => {
    const gone: StoredContent = { kind: "gone" };
    const told = [{ ...answer(1, ""), words: gone }, result(0, 2_000, gone, 0)];
    expect(stepList(told, "restricted", looks)).toEqual([
      { title: "Ran", facts: "exit 0 · 1 s · Restricted", said: "", input: "[erased]", output: "[erased]" },
    ]);
  });

  it("do not repeat the exit status that the step tells", () => {
    const told = [answer(1, ""), result(0, 2_000, wrote("[command failed: exit code 2]\noh"), 2)];
    expect(stepList(told, "restricted", looks)[0]?.output).toBe("oh");
  });

  it("of what people said alone are none", () => {
    const said: Entry = {
      kind: "said",
      turn: 1,
      seq: 0,
      at: 0,
      message: "m-0",
      images: 0,
      speaker: { id: "slack:UBOB", mayDrive: true, mayApprove: false },
    };
    expect(
      stepList([{ entry: said, words: { kind: "said", text: "hi", images: [] } }], "restricted", looks),
    ).toEqual([]);
  });
});
