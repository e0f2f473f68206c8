/** What becomes of a write whose tool breaks: nobody takes it for not done. */

import { expect, it } from "vitest";
import type { Tool } from "../../src/tools/tool.ts";
import { writesOf } from "../../src/tools/writing.ts";
import type { ApprovedWrite, ToolRun } from "../../src/ports/tools.ts";
import { conversationOf } from "../store/plain.ts";
import { UNKNOWN } from "../../src/thread/call-text.ts";

const { signal } = new AbortController();

const call: ToolRun = {
  conversation: conversationOf("c-1"),
  base: { commit: "a".repeat(40), ref: "main", cwd: "/work" },
  name: "file_issue",
  input: { title: "Uploads crash" },
  permission: "restricted",
  grants: [],
  safeMode: true,
};

const errand: ApprovedWrite = {
  approved: { write: "file_issue", by: { id: "slack:U2", name: "dora" }, at: 1, fingerprint: "f".repeat(64) },
  asker: null,
  key: "k".repeat(64),
  since: 1,
  again: false,
  interrupted: false,
};

const broken = (): Promise<never> => Promise.reject(new Error("a socket hung up in the middle"));

const writes = (logged: string[]) => {
  const tool: Tool = {
    spec: { name: "file_issue", description: "", inputSchema: {} },
    origin: "forge",
    look: UNKNOWN,
    judge: null,
    run: broken,
    intent: () => null,
    writes: { propose: broken, write: broken },
  };
  return writesOf([tool], { error: (message) => void logged.push(message) });
};

it("a write that breaks may have been done, and says so", async () => {
  const logged: string[] = [];
  const { wrote, outcome } = await writes(logged).write(call, errand, { signal });
  expect(wrote).toEqual({ kind: "unknown", why: "file_issue broke inside Parley." });
  expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("Read the forge before") });
  expect(logged).toHaveLength(1);
});

it("a proposal that breaks asks nobody and did nothing", async () => {
  const proposed = await writes([]).propose(call, { signal });
  expect(proposed).toMatchObject({
    kind: "refused",
    outcome: { text: "file_issue broke inside Parley.", isError: true },
  });
});
