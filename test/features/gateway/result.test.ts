/** A finished change is told to clients like an upgrade: what it is, and which question waits in the console (D32, D42). */

import { expect, it } from "vitest";
import { toolResult } from "../../runtime/world.ts";
import { resultOf } from "../../threads/drafted.ts";
import { openGateway } from "./rig.ts";

it("is an approval that grants do not give: decided in the console, the turn goes on by itself", async () => {
  const shown = resultOf(2);
  const gateway = await openGateway({
    drafted: {
      writes: {
        propose: () => Promise.resolve(shown),
        write: () =>
          Promise.resolve({ outcome: toolResult("Done"), wrote: { kind: "done", name: "parley/c-1" } }),
      },
      drafts: { tree: () => Promise.resolve({ kind: "tree", tree: shown.result.tree }) },
    },
  });
  gateway.script.answer({ uses: [{ name: "propose", input: {} }] }, { pieces: ["It is applied."] });
  const held: unknown = await gateway.ask("Fix it").catch((error: unknown) => error);
  expect(held).toMatchObject({
    status: 400,
    code: "approval_required",
    error: {
      details: {
        category: null,
        required_categories: [],
        prompt: { what: "The agent has finished a change" },
        question: { conversation: gateway.conversation() },
      },
    },
  });
  const question = (await gateway.bot.read(gateway.conversation()))?.question?.wire ?? "";
  expect(JSON.stringify(held)).toContain(question);
  expect(await gateway.act({ action: "decide", question, choice: "apply" })).toEqual({ result: "done" });
  await expect
    .poll(async () => (await gateway.bot.read(gateway.conversation()))?.state)
    .toMatchObject({ permission: "restricted", phase: { kind: "idle" } });
  await gateway.close();
});

it.each([
  ["mcp_call", "NETWORK_RISK", "The agent asks to call linear/create"],
  ["file_issue", "GIT_PUBLISH", "The agent asks to write to the forge"],
] as const)("of a write says what it is: %s", async (write, category, what) => {
  const proposal = { project: "linear", facts: [], files: [], unlisted: 0, texts: [] };
  const gateway = await openGateway({
    drafted: {
      writes: {
        propose: () =>
          Promise.resolve({
            kind: "proposal",
            write,
            ...(write === "mcp_call" ? { scope: "linear/create" } : {}),
            fingerprint: "f1",
            proposal,
          }),
        write: () => Promise.reject(new Error("nobody approved it")),
      },
      drafts: { tree: () => Promise.resolve({ kind: "none" }) },
    },
  });
  gateway.script.answer({ uses: [{ name: write, input: {} }] });
  const held: unknown = await gateway.ask("Do it").catch((error: unknown) => error);
  expect(held).toMatchObject({
    error: {
      message: expect.stringContaining(`${what}. Decide it in the console`),
      details: { category, prompt: { what } },
    },
  });
  await gateway.close();
});
