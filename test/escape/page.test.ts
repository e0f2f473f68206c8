/** docs/security.md says what the probe says, tier by tier, and names tests that are there. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProbe, type ProbeFacts, noProbe, REQUIREMENT } from "../../sandbox/probe.ts";
import type { Probe } from "../../sandbox/types.ts";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");

/** Every host there can be, as far as the launcher finds out about it. */
const everyHost = (): readonly ProbeFacts[] => {
  const flags = ["root", "namespaces", "proc", "network", "memory", "processes", "processor"] as const;
  const base = { errata: 0, off: false, userns: false, why: "" };
  return Array.from({ length: 12 << flags.length }, (_, number) => {
    const on = (flag: (typeof flags)[number]): boolean => ((number >> flags.indexOf(flag)) & 1) === 1;
    const [rooted, namespaces] = [on("root"), on("namespaces")];
    return {
      ...base,
      abi: number >> flags.length,
      root: rooted,
      namespaces,
      userns: namespaces && !rooted,
      proc: namespaces && on("proc"),
      network: namespaces && on("network"),
      memory: on("memory"),
      processes: on("processes"),
      processor: on("processor"),
    };
  });
};

const COLUMNS = ["T0", "T0, no namespaces", "T1", "T2", "T3"] as const;

const columnOf = ({ tier, mounts }: Probe): (typeof COLUMNS)[number] =>
  tier === "T0" && !mounts ? "T0, no namespaces" : tier;

/** Sentence to its row: on all hosts of the column, on none, or on some. */
const rowsOf = (say: (probe: Probe) => readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const hosts = [
    ...everyHost().flatMap((facts) => [describeProbe(facts, []), describeProbe(facts, [], true)]),
    noProbe(""),
  ];
  const columns = COLUMNS.map((column) => hosts.filter((probe) => columnOf(probe) === column).map(say));
  const sentences = new Set(columns.flat(2));
  return new Map(
    [...sentences].map((sentence) => [
      sentence,
      columns.map((said) => {
        const count = said.filter((each) => each.includes(sentence)).length;
        return count === said.length ? "yes" : count === 0 ? "" : "some";
      }),
    ]),
  );
};

/** Rows of the first table below the heading: the first cell to the others. */
const tableBelow = (heading: string): ReadonlyMap<string, readonly string[]> => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.slice(1, -1).split("|"))
    .map(([first = "", ...rest]) => [first.trim(), rest.map((cell) => cell.trim())] as const);
  return new Map(rows);
};

/** What differs by host, left out. */
const general = (line: string): string =>
  line.replace(/abi \d+/, "abi N").replace(/^(a (?:control group|watchdog) for each command): .*/, "$1");

describe("docs/security.md", () => {
  it("has every residual leak that the probe can print, word for word, at the tiers where it prints it", () => {
    expect(tableBelow("What stays open")).toEqual(rowsOf((probe) => probe.residual));
  });

  it("has everything that the probe says is enforced, at those tiers", () => {
    expect(tableBelow("What each tier enforces")).toEqual(rowsOf((probe) => probe.enforced.map(general)));
  });

  it("names the requirement as people are told it", () => {
    expect(page.replaceAll(/\s+/g, " ")).toContain(REQUIREMENT.replace("Restricted needs Landlock: ", ""));
  });

  it("proves each claim by tests that exist, and leaves out none of the suite", () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    for (const [claim, [tests = ""]] of tableBelow("How each claim is tested"))
      expect([claim, tests]).toEqual([claim, expect.stringMatching(/`test\/.+\.test\.ts`/)]);
    const suite = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
    expect(suite.filter((name) => !named.includes(`test/escape/${name}`))).toEqual([]);
  });

  it("names settings and commands that exist", () => {
    const example = readFileSync(join(root, ".env.example"), "utf8");
    const settings = [...page.matchAll(/PARLEY_[A-Z_]+/g)].map(([name]) => name);
    expect(settings.filter((name) => !example.includes(name))).toEqual([]);
    const scripts = [...page.matchAll(/npm run ([a-z:]+)/g)].map(([, name = ""]) => name);
    const manifest = readFileSync(join(root, "package.json"), "utf8");
    expect(scripts.filter((name) => !manifest.includes(`"${name}":`))).toEqual([]);
  });
});
