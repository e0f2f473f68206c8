import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Told } from "./tier-child.ts";

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0;
const ORDINARY = 64_124;
const compiler = ["/usr/bin/musl-gcc", "/usr/bin/cc"].find((path) => existsSync(path));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-workspace-tiers-"));
  await chmod(folder, 0o777);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the story as an ordinary user or as root, with or without namespaces, in a directory of that user's. */
const tell = async (namespaces: boolean, who: "ordinary" | "root" = "ordinary"): Promise<Told> => {
  const become =
    asRoot && who === "ordinary"
      ? ["/usr/bin/setpriv", `--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, "--clear-groups"]
      : [];
  const deny = join(folder, "deny");
  if (!namespaces) {
    const source = join(import.meta.dirname, "../sandbox/deny.c");
    await run(compiler ?? "cc", ["-O2", "-static", source, "-o", deny]);
  }
  const story = join(import.meta.dirname, "tier-child.ts");
  const [program, ...args] = [
    ...become,
    ...(namespaces ? [] : [deny, "namespaces"]),
    process.execPath,
    story,
  ];
  const env = { PATH: process.env["PATH"], TMPDIR: folder, HOME: folder };
  const { stdout } = await run(program, args, { env, cwd: folder });
  return JSON.parse(stdout);
};

/** What every tier has to show; only the name of the working directory differs. */
const story = (cwd: string): Told["lines"] => ({
  drafted: [
    cwd.startsWith("DATA") ? "DATA/threads/c-2/draft/work" : cwd,
    "old",
    "third",
    "first",
    " M a.txt",
    "?? tool",
    "refused",
    "home",
  ],
  between: ["old"],
  attacks: ["canary", "0-app.log", "canary", "0-app.log", "canary", "0-app.log", "canary", "0-app.log"],
  otherFiles: ["hidden"],
  tested: ["0 drafted"],
  applying: ["applied"],
  applied: [cwd.replace("c-1", "c-2"), "drafted", "exact", "refused"],
  restricted: [cwd, "old", "second", "first", "refused"],
  unrestricted: [cwd, "old", "second", "first", "home"],
  downgraded: [cwd, "new", "second", "first", " M a.txt", "refused"],
  parks: ["parked"],
  rested: [cwd, "new", "second", "first", " M a.txt", "refused"],
  goesOn: ["newer", "x"],
  peek: ["hidden"],
  prepared: ["runs", "kept", "refused"],
  edited: ["runs", "kept", "bad"],
  untouched: ["runs", "kept"],
});

const readable = await run("/usr/bin/setpriv", [
  `--reuid=${ORDINARY}`,
  `--regid=${ORDINARY}`,
  "--clear-groups",
  process.execPath,
  "--version",
]).then(
  () => true,
  () => false,
);
const reason = asRoot && !readable ? "an ordinary user cannot run this Node here" : null;
const noCompiler = reason ?? (compiler === undefined ? "no C compiler for the test's helper" : null);
for (const [tier, why] of [
  ["T1", reason],
  ["T2", noCompiler],
])
  if (why !== null) console.log(`skipped: ${tier}: ${why}`);

describe("an ordinary user's conversation", () => {
  test.skipIf(reason !== null)(
    "has the same directory, rights and secrets where there are namespaces",
    async () => {
      const told = await tell(true);
      expect(told).toMatchObject({ tier: "T1", mounts: true, cwd: "/work", lines: story("/work") });
      expect(told.lines["other"]).toEqual(["/work", "old", "third", "first", "unreadable"]);
    },
  );

  test.skipIf(noCompiler !== null)("has them where there are none: the path never changes", async () => {
    const told = await tell(false);
    const cwd = "DATA/threads/c-1/work";
    expect(told).toMatchObject({ tier: "T2", mounts: false, cwd, lines: story(cwd) });
    expect(told.lines["other"]).toEqual(["DATA/threads/c-2/work", "old", "third", "first", "unreadable"]);
  });

  test.skipIf(!asRoot || compiler === undefined)(
    "has them as root in a container without namespaces: each directory belongs to who writes in it",
    async () => {
      const told = await tell(false, "root");
      const cwd = "DATA/threads/c-1/work";
      expect(told).toMatchObject({ tier: "T0", mounts: false, cwd, lines: story(cwd) });
      expect(told.lines["other"]).toEqual(["DATA/threads/c-2/work", "old", "third", "first", "unreadable"]);
    },
  );
});
