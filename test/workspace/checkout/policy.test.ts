import { expect, test } from "vitest";
import { checkoutEnvironment, policyOf, homeInSandbox } from "../../../src/workspace/checkout/policy.ts";

const holding = {
  thread: "/d/threads/c-1",
  work: "/d/trees/k/1/abc",
  under: [],
  generation: "/d/repos/k/1.git",
  slot: 7,
  prepared: null,
};

test("Restricted writes nothing and reaches nothing; Unrestricted writes its checkout and its home only", () => {
  for (const mounts of [true, false]) {
    const restricted = policyOf({ ...holding, mounts, permission: "restricted" });
    expect(restricted.network).toBe("none");
    expect(restricted.mounts.filter((mount) => mount.write)).toEqual([]);
    const own = { ...holding, mounts, work: "/d/threads/c-1/work", permission: "unrestricted" } as const;
    const written = policyOf(own).mounts.filter((mount) => mount.write);
    expect(written.map((mount) => mount.source)).toEqual(["/d/threads/c-1/work", "/d/threads/c-1/home"]);
    expect(policyOf(own).mounts).toContainEqual({
      source: "/d/repos/k/1.git/objects",
      target: "/repo/objects",
      write: false,
    });
  }
});

test("with mounts the paths are fixed; without them the conversation's own name stands for the shared tree", () => {
  const fixed = { ...holding, mounts: true, permission: "restricted" } as const;
  expect(policyOf(fixed).mounts[0]).toMatchObject({
    source: "/d/trees/k/1/abc",
    target: "/work",
    write: false,
  });
  expect(policyOf(fixed).cwd).toBe("/work");
  expect(homeInSandbox({ ...fixed, permission: "unrestricted" })).toBe("/home/agent");
  const named = { ...holding, mounts: false, permission: "restricted" } as const;
  expect(policyOf(named).mounts[0]).toMatchObject({
    source: "/d/threads/c-1/work",
    target: "/work",
    write: false,
  });
  expect(policyOf(named).cwd).toBe("/d/threads/c-1/work");
  expect(homeInSandbox({ ...named, permission: "unrestricted" })).toBe("/d/threads/c-1/home");
  expect(homeInSandbox(named)).toBe("/tmp");
});

test("a command's git trusts the checkout and takes no lock for reading", () => {
  expect(checkoutEnvironment("/work")).toMatchObject({
    PWD: "/work",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  });
});
