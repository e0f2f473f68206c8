/** An event that brings text is read by hand, and no otherwise than the schema reads it. */

import { describe, expect, it } from "vitest";
import { parseEvent } from "../../src/model/stream-events.ts";

const parsed = (index: unknown, delta: unknown) =>
  parseEvent(JSON.stringify({ type: "content_block_delta", index, delta }));

describe("an event of a streamed answer", () => {
  it("brings text, and nothing that stands beside it", () => {
    expect(parsed(0, { type: "text_delta", text: "a word", more: 1 })).toEqual({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "a word" },
    });
  });

  it("brings other parts as well", () => {
    const delta = { type: "thinking_delta", thinking: "hm" };
    expect(parsed(1, delta)).toEqual({ type: "content_block_delta", index: 1, delta });
    expect(parsed(1, { type: "of tomorrow" })).toMatchObject({ delta: { type: "other" } });
  });

  it.each([
    [0.5, { type: "text_delta", text: "a word" }],
    ["0", { type: "text_delta", text: "a word" }],
    [0, ["text_delta"]],
    [0, null],
  ])("is malformed with the index %j and the part %j", (index, delta) => {
    expect(parsed(index, delta)).toEqual({ type: "malformed" });
  });
});
