/** What becomes of a write whose tool breaks: nobody takes it for not done. */

import { expect, it } from "vitest";
import type { Tool } from "../../src/tools/tool.ts";
import { writesOf } from "../../src/tools/writing.ts";
import { signal } from "../forge/world.ts";
import { callOf, errandOf } from "./forge/writing.ts";
import { UNKNOWN } from "../../src/thread/call-text.ts";

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
  const call = callOf("file_issue", { title: "Uploads crash" });
  const { wrote, outcome } = await writes(logged).write(call, errandOf("file_issue", "f".repeat(64)), {
    signal,
  });
  expect(wrote).toEqual({ kind: "unknown", why: "file_issue broke inside Parley." });
  expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining("Read the forge before") });
  expect(logged).toHaveLength(1);
});

it("a proposal that breaks asks nobody and did nothing", async () => {
  const proposed = await writes([]).propose(callOf("file_issue", { title: "Uploads crash" }), { signal });
  expect(proposed).toMatchObject({
    kind: "refused",
    outcome: { text: "file_issue broke inside Parley.", isError: true },
  });
});
