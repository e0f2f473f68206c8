/** The tools of the forge: the same names, in the same order, for every conversation. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { allForgeTools } from "../../../../src/features/forge/tools/all.ts";
import { createTendGuard } from "../../../../src/features/forge/tend/guard.ts";
import { LOOKS, ORIGINS } from "../../../looks.ts";
import { conversationOf } from "../../../store/plain.ts";
import { nothingChanged } from "../../../tools/nothing-changed.ts";

const tools = allForgeTools(
  { at: () => ({ kind: "none", why: "no forge" }) },
  { redact: (text) => text, ...nothingChanged },
  { guard: createTendGuard(), context: null },
);

it("those that read stand before the tools that people are asked about", () => {
  expect(tools.map(({ spec, before = null }) => [spec.name, before])).toEqual([
    ["read_issue", "spawn_agents"],
    ["search_issues", "spawn_agents"],
    ["read_pull_request", "spawn_agents"],
    ["read_checks", "spawn_agents"],
    ["open_pull_request", null],
    ["file_issue", null],
    ["comment_on_issue", null],
    ["label_issue", null],
    ["merge_pull_request", null],
    ["post_review", null],
    ["answer_review", null],
  ]);
});

it("41.1 each says whose text its results are, and how its calls are told", () => {
  for (const { spec, origin, look } of tools)
    expect([spec.name, origin, look]).toEqual([spec.name, ORIGINS.get(spec.name), LOOKS.get(spec.name)]);
});

it("each says what is required of its input", () => {
  const required = tools.map(({ spec }) => [spec.name, spec.inputSchema["required"]]);
  expect(Object.fromEntries(required)).toEqual({
    read_issue: ["number"],
    search_issues: ["query"],
    read_pull_request: ["number"],
    read_checks: undefined,
    open_pull_request: ["title", "body"],
    file_issue: ["title"],
    comment_on_issue: ["number", "body"],
    label_issue: ["number"],
    answer_review: ["comment", "text"],
    post_review: ["number", "summary", "comments"],
    merge_pull_request: undefined,
  });
});

it("with any input at all each answers, and never throws", async () => {
  const base = { commit: "a".repeat(40), ref: "main", cwd: "/work" };
  const conversation = conversationOf("c-1", { base });
  const call = { conversation, base, permission: "restricted", grants: [], safeMode: false } as const;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools), fc.jsonValue(), async (tool, input) => {
      const outcome = await tool.run(input, { ...call, signal: new AbortController().signal });
      expect([typeof outcome.text, outcome.background]).toEqual(["string", false]);
    }),
    { numRuns: 200 },
  );
});
