/** Which policies are refused before anything starts, and where a path lies. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mountOrder, placePath, policyFault } from "../../sandbox/policy.ts";
import type { SandboxPolicy } from "../../sandbox/types.ts";

const good: SandboxPolicy = {
  profile: "unrestricted",
  network: "egress",
  mounts: [
    { source: "/srv/data/work", target: "/work", write: true },
    { source: "/srv/data/work/deep", target: "/work/deep", write: false },
  ],
  cwd: "/work",
  identity: 1,
};

describe("policyFault", () => {
  it("accepts each profile with what it may have and refuses what it may not", () => {
    const readOnly = good.mounts.map((mount) => ({ ...mount, write: false }));
    expect(policyFault(good)).toBeNull();
    expect(policyFault({ ...good, profile: "fetch" })).toBeNull();
    expect(policyFault({ ...good, profile: "setup", network: "none" })).toBeNull();
    expect(policyFault({ ...good, profile: "restricted", network: "none", mounts: readOnly })).toBeNull();
    expect(policyFault({ ...good, profile: "fetch", door: 4000 })).toBeNull();
    expect(policyFault({ ...good, door: 4000 })).toMatch(/no door/);
    expect(policyFault({ ...good, profile: "fetch", network: "none", door: 4000 })).toMatch(/no door/);
    expect(policyFault({ ...good, profile: "setup" })).toMatch(/no network/);
    expect(policyFault({ ...good, profile: "restricted", mounts: readOnly })).toMatch(/no network/);
    expect(policyFault({ ...good, profile: "restricted", network: "none" })).toMatch(/no writable mount/);
  });

  it("no accepted policy names a path that would need resolving, or a system directory", () => {
    const name = fc.constantFrom("a", "b", ".", "..", "", "proc", "dev", "work");
    const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join("/")}`);
    fc.assert(
      fc.property(path, path, (source, target) => {
        const accepted = policyFault({ ...good, mounts: [{ source, target, write: true }] }) === null;
        expect(accepted).toBe(plain(source) && plain(target) && !/^\/(proc|dev)(\/|$)/.test(target));
      }),
      { numRuns: 500 },
    );
  });

  it("layers are few, and plain paths", () => {
    expect(over("/s/one", "/s/other")).toBeNull();
    expect(over("/s/one", "/s/other", "/s/third")).toMatch(/not at most 2 plain/);
    expect(over("/s/../etc")).toMatch(/not at most 2 plain/);
  });
});

const over = (...under: readonly string[]): string | null => {
  const mounts = [{ source: "/s/draft", target: "/work", write: true, under }];
  return policyFault({ ...good, profile: "draft", network: "none", mounts });
};

describe("placePath", () => {
  it("finds the innermost mount and what remains below it", () => {
    expect(placePath(good, "/work/a/b", true)).toEqual({ kind: "placed", mount: 0, rest: "a/b" });
    expect(placePath(good, "deep/x", true)).toEqual({ kind: "placed", mount: 1, rest: "x" });
    expect(placePath({ ...good, cwd: "/srv/data/work" }, "x", false)).toEqual({
      kind: "placed",
      mount: 0,
      rest: "x",
    });
    for (const path of ["/work", ".", "..", "../etc/passwd", "/workshop/x", "/etc/passwd", "", "a/../../x"]) {
      expect(placePath(good, path, true)).toEqual({ kind: "outside" });
    }
  });

  it("what is placed never begins with a slash, is never empty, and names nothing above the mount", () => {
    const path = fc
      .array(fc.constantFrom("a", "deep", ".", "..", ""), { maxLength: 8 })
      .map((names) => names.join("/"));
    fc.assert(
      fc.property(path, (text) => {
        const placed = placePath(good, text, true);
        if (placed.kind === "placed") expect(placed.rest).toMatch(/^[^/]+(\/[^/]+)*$/);
        if (placed.kind === "placed") expect(placed.rest.split("/")).not.toContain("..");
      }),
      { numRuns: 500 },
    );
  });
});

describe("mountOrder", () => {
  it("puts what contains before what it contains and loses nothing", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(["/w", "/w/a", "/w/a/b", "/w/c", "/x"]), (targets) => {
        const ordered = mountOrder({
          ...good,
          mounts: targets.map((target) => ({ source: "/s", target, write: false })),
        });
        const names = ordered.mounts.map((mount) => mount.target);
        expect(names.toSorted()).toEqual(targets.toSorted());
        names.forEach((outer, i) =>
          expect(names.slice(0, i).some((inner) => inner.startsWith(`${outer}/`))).toBe(false),
        );
      }),
      { numRuns: 200 },
    );
  });
});

const plain = (text: string): boolean => /^(\/[^/.][^/]*)+$/.test(text);
