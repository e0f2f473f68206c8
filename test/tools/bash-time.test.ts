/** Time limits of bash, with every limit a hundred times shorter than the tool asks for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

const asked: number[] = [];

let world: World;
beforeAll(async () => {
  world = await createWorld({}, (sandbox) => ({
    ...sandbox,
    run: (request, hooks) => {
      asked.push(request.timeoutMs);
      if (request.argv.includes("exit 125")) {
        return sandbox.run({ ...request, policy: { ...request.policy, cwd: "/missing" } }, hooks);
      }
      return sandbox.run({ ...request, timeoutMs: request.timeoutMs / 100 }, hooks);
    },
  }));
});
afterAll(() => world.close());

describe("time limits", () => {
  it("end the command after 30 seconds, with what it had written", async () => {
    expect(await world.call("bash", { command: "echo part; sleep 20; echo rest" })).toMatchObject({
      text: "[command timed out after 30s]\npart\n",
      isError: true,
    });
    expect(asked.at(-1)).toBe(30_000);
  });

  it("are 15 minutes in slow mode", async () => {
    const { text } = await world.call("bash", { command: "sleep 1; echo done", mode: "slow" });
    expect(text).toBe("done\n");
    expect(asked.at(-1)).toBe(900_000);
  });

  it("carry no hint about Restricted", async ({ skip }) => {
    skip(!world.sandbox.probe.restricted, world.sandbox.probe.refusal ?? "");
    const { text } = await world.call("bash", { command: "sleep 20" }, { permission: "restricted" });
    expect(text).toBe("[command timed out after 30s]\n");
  });
});

describe("a sandbox that could not be set up", () => {
  it("is told apart from a command that failed", async () => {
    const { text, isError } = await world.call("bash", { command: "exit 125" });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Failed to spawn process: .*\/missing/);
  });
});
