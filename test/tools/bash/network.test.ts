import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Category, NetworkDestination } from "../../../src/machine/vocabulary.ts";
import { mayReachNetwork } from "../../../src/machine/provenance.ts";
import { grants } from "../../store/arbitrary.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({});
});
afterAll(() => world.close());

/** Whether the command was given a way out, and how it ends when it tries. */
const LOOK = `echo "proxy=$http_proxy"; ls /sys/class/net 2>/dev/null; curl -sS -m 5 https://example.invalid/`;
const run = (permission: "restricted" | "unrestricted", safeMode: boolean, given: readonly Category[] = []) =>
  world.call("bash", { command: LOOK }, { permission, safeMode, grants: given });

describe("with safe mode on", () => {
  it("a command has no way out, and a failure says how to ask for one", async () => {
    const { text } = await run("unrestricted", true);
    expect(text).toContain("proxy=\n");
    expect(text).toContain("call bash again with network: true");
  });

  it.each<Category>(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"])("%s opens it", async (category) => {
    const { text } = await run("unrestricted", true, [category]);
    if (world.sandbox.probe.egress === "proxy") expect(text).toMatch(/proxy=http/);
    expect(text).not.toContain("network: true");
  });

  it("another category does not", async () => {
    expect((await run("unrestricted", true, ["SUDO", "GIT_PUBLISH"])).text).toContain("proxy=\n");
  });
});

it("with safe mode off a command has what the operator allows", async () => {
  const { text } = await run("unrestricted", false);
  if (world.sandbox.probe.egress === "proxy") expect(text).toMatch(/proxy=http/);
});

it("where a command asked to go is recorded with its call, allowed or not", async () => {
  const { reached } = await run("unrestricted", false);
  expect(reached).toEqual(
    world.sandbox.probe.egress === "proxy"
      ? [{ host: "example.invalid", port: 443, allowed: expect.any(Boolean) }]
      : [],
  );
  expect((await run("restricted", false)).reached).toEqual([]);
});

it("where a background command asked to go is told once it has ended, with no call of anybody in between", async () => {
  if (world.sandbox.probe.egress !== "proxy") return;
  const told = Promise.withResolvers<readonly NetworkDestination[]>();
  const started = await world.call(
    "bash",
    { command: LOOK, mode: "background" },
    { safeMode: false, onReached: told.resolve },
  );
  expect(started).toMatchObject({ background: true, reached: [] });
  expect(await told.promise).toEqual([{ host: "example.invalid", port: 443, allowed: expect.any(Boolean) }]);
});

it("without a network that the operator has accepted, a failure says what the operator can do", async () => {
  const none = await createWorld({}, (sandbox) => ({
    ...sandbox,
    probe: { ...sandbox.probe, egress: "none" },
  }));
  const { text } = await none.call("bash", { command: "exit 7" });
  expect(text).toMatch(/exit code 7[^]*PARLEY_SHARED_NETWORK=on/);
  expect((await none.call("bash", { command: "exit 0" })).text).toBe("");
  await none.close();
});

it("in Restricted nothing opens it", () => {
  fc.assert(
    fc.property(grants, fc.boolean(), (given, safeMode) => {
      expect(mayReachNetwork({ permission: "restricted", safeMode, grants: given })).toBe(false);
    }),
  );
});
