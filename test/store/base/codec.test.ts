/** What is written is what is read, whatever the core's types allow; and nothing more than that is believed. */

import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { Event } from "../../../src/machine/event.ts";
import type { Refusal } from "../../../src/machine/refusal.ts";
import type { State } from "../../../src/machine/state.ts";
import type { Entry } from "../../../src/machine/transcript.ts";
import type { ClaimOutcome } from "../../../src/ports/claims.ts";
import type { Base, Repo, ToolSpec } from "../../../src/ports/conversation.ts";
import { createRead, encode, encodeState, hashState, json } from "../../../src/store/base/codec.ts";
import * as conversation from "../../../src/store/schema/conversation.ts";
import * as traced from "../../../src/store/schema/event.ts";
import { postSchema } from "../../../src/store/schema/post.ts";
import { wordsSchema } from "../../../src/store/schema/prompt.ts";
import { stateSchema } from "../../../src/store/schema/state.ts";
import { entrySchema } from "../../../src/store/schema/transcript.ts";
import { canonical } from "../../../src/text/canonical.ts";
import type { Post } from "../../../src/thread/post.ts";
import type { StoredContent } from "../../../src/thread/prompt.ts";
import * as arbitrary from "../arbitrary.ts";
import { listening } from "../kit.ts";
import { stateOf } from "../plain.ts";

const RUNS = { numRuns: 300 };

/** Through the text of a column and back. */
const through = <S extends z.ZodType>(schema: S, text: string): z.output<S> => json(schema).parse(text);

/** Both ways: a field or a kind that one side lacks does not compile. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;

describe("schemas", () => {
  it("say exactly what the core's types say", () => {
    expectTypeOf<Same<z.output<typeof stateSchema>, State>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof traced.eventSchema>, Event>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof entrySchema>, Entry>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof wordsSchema>, StoredContent>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof postSchema>, Post>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof conversation.repoSchema>, Repo>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof conversation.baseSchema>, Base>>().toEqualTypeOf<true>();
    expectTypeOf<
      Same<z.output<typeof conversation.toolSpecsSchema>, readonly ToolSpec[]>
    >().toEqualTypeOf<true>();
    expectTypeOf<
      Same<z.output<typeof conversation.claimOutcomeSchema>, ClaimOutcome>
    >().toEqualTypeOf<true>();
    expectTypeOf<Same<(ClaimOutcome & { kind: "refused" })["why"], Refusal>>().toEqualTypeOf<true>();
    expectTypeOf<Same<z.output<typeof stateSchema>, Event>>().toEqualTypeOf<false>();
  });

  it("read an answer that was reused for a question in other words, whose likeness was stored", () => {
    const answered = {
      kind: "answered",
      by: "e1",
      message: "m-1",
      text: 3,
      calls: [],
      stop: "end",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costMicroUsd: 0 },
      at: 2,
    };
    const reused = { conversation: "c-old", message: "m-old", at: 1 };
    const stored = encode({ ...answered, reused: { ...reused, shared: 80, spare: 20 } });
    expect(through(traced.eventSchema, stored)).toEqual({ ...answered, reused });
  });

  const cases: readonly (readonly [string, z.ZodType, fc.Arbitrary<unknown>])[] = [
    ["event", traced.eventSchema, arbitrary.event],
    ["entry", entrySchema, arbitrary.entry],
    ["words", wordsSchema, arbitrary.words],
    ["post", postSchema, arbitrary.post],
  ];

  it.each(cases)("any %s survives the way to the disk and back", (_, schema, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonical(through(schema, encode(value)))).toBe(canonical(value));
      }),
      RUNS,
    );
  });

  it("row 115: a state is written without its grants (C27)", () => {
    const standing = [{ scope: "linear/create", by: { id: "slack:U1" } }] as const;
    const given = encodeState({ ...stateOf("c-1"), grants: ["SUDO"], standing });
    expect(given).toBe(encodeState(stateOf("c-1")));
    expect(encodeState(stateOf("c-1"))).not.toContain("grants");
  });

  it("forged grants in a stored state are not read (row 115)", () => {
    const forged = JSON.stringify({ ...JSON.parse(encodeState(stateOf("c-1"))), grants: ["SUDO"] });
    expect(through(stateSchema, forged)).toMatchObject({ grants: [] });
  });

  it("any state survives, without its grants", () => {
    fc.assert(
      fc.property(arbitrary.state, (value) => {
        expect(canonical(through(stateSchema, encodeState(value)))).toBe(canonical({ ...value, grants: [] }));
      }),
      RUNS,
    );
  });

  it("grants in a stored state count for nothing, however they are spelled (C27)", () => {
    const forged = fc.oneof(
      arbitrary.grants,
      fc.constant("SUDO"),
      fc.constant({ SUDO: true }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(arbitrary.state, forged, (value, grants) => {
        expect(through(stateSchema, encode({ ...value, grants })).grants).toEqual([]);
      }),
      RUNS,
    );
  });

  it("fields that this version does not know are passed over", () => {
    fc.assert(
      fc.property(arbitrary.state, (value) => {
        const later = { ...value, later: [1], turn: { ...value.turn, mood: "calm" }, grants: [] };
        expect(canonical(through(stateSchema, encode(later)))).toBe(canonical({ ...value, grants: [] }));
      }),
      RUNS,
    );
  });

  it("a schema of a tool keeps its key order", () => {
    const tools = [{ name: "b", description: "", inputSchema: { type: "object", a: { z: 1, b: 2 } } }];
    expect(encode(through(conversation.toolSpecsSchema, encode(tools)))).toBe(encode(tools));
  });

  it("input that was undefined is read as null", () => {
    const answer = { kind: "answer", blocks: [{ kind: "toolUse", id: "t", name: "n", input: undefined }] };
    expect(through(wordsSchema, encode(answer))).toEqual({
      kind: "answer",
      blocks: [{ kind: "toolUse", id: "t", name: "n", input: null }],
    });
  });
});

describe("hash of a state", () => {
  it("covers grants, and not the order of keys", () => {
    const plain = stateOf("c-1");
    const turned = Object.fromEntries(Object.entries(plain).toReversed());
    expect(hashState(through(stateSchema, encode(turned)))).toBe(hashState(plain));
    expect(hashState({ ...plain, grants: ["SUDO"] })).not.toBe(hashState(plain));
  });
});

describe("a row that cannot be read", () => {
  const row = z.object({ body: json(wordsSchema) });

  it.each([
    ["not JSON", "secret words"],
    ["another shape", '{"kind":"comment","text":{"secret":"words"}}'],
    ["an unknown kind", '{"kind":"secret words"}'],
  ])("is null, and the log says where but never what: %s", (_, body) => {
    const { log, errors } = listening();
    expect(createRead(log)(row, { body }, { table: "messages", id: "m-1" })).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('"table":"messages","id":"m-1"');
    expect(errors[0]).not.toContain("secret");
  });

  it("allow twin: a row that can be read is read, and nothing is logged", () => {
    const { log, errors } = listening();
    const body = '{"kind":"comment","text":"words"}';
    expect(createRead(log)(row, { body }, {})).toEqual({ body: { kind: "comment", text: "words" } });
    expect(errors).toEqual([]);
  });
});
