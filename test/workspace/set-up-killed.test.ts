/**
 * SIGKILL at every step of a set-up, and of showing what it left: before each change that the host makes on the disk, and
 * around each command, the data directory is copied as it stands. Whatever it was, the next process finds nothing
 * half-made where something whole belongs, and uses what is there or does it anew.
 */

import { execFileSync } from "node:child_process";
import fs, { readdirSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/types.ts";
import type { Setup } from "../../src/machine/vocabulary.ts";
import { createLayout } from "../../src/workspace/disk/layout.ts";
import { createPins } from "../../src/workspace/mirror/pins.ts";
import { sweepWorkspace } from "../../src/workspace/parts.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { commit, conversation, createScene, type Scene, startSandbox } from "./scene.ts";

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => {
  sandbox = await startSandbox();
  scene = await createScene(sandbox);
});
afterAll(async () => {
  await sandbox.close();
  await scene[Symbol.asyncDispose]();
});

const CHANGES = ["mkdir", "mkdtemp", "rename", "rm", "link", "symlink", "writeFile", "utimes"] as const;
const SCRIPT =
  "mkdir -p node_modules/a/b ~/.store\necho one > node_modules/a/one; echo two > node_modules/a/b/two; echo three > ~/.store/three\n";
const SHOWN = "cat node_modules/a/one node_modules/a/b/two ~/.store/three";
const WHOLE = "one\ntwo\nthree";

type Workspaces = Scene["workspaces"];

const attend = async (workspaces: Workspaces, id: `c-${string}`, location: string) => {
  const told: Setup["kind"][] = [];
  const over = Promise.withResolvers<void>();
  await workspaces.open(conversation(id, { kind: "path", location }, null), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onSetUp: ({ kind }) => {
      told.push(kind);
      if (kind !== "began") over.resolve();
    },
  });
  if (told.length > 0) await over.promise;
  return told;
};

const show = async (workspaces: Workspaces, held: Sandbox, id: `c-${string}`): Promise<string> => {
  const place = await workspaces.policy(id, "restricted");
  if (place.kind === "failed") throw new Error(place.message);
  const ran = await held.run({
    policy: place.policy,
    argv: ["/bin/sh", "-c", SHOWN],
    env: { PATH: "/usr/bin:/bin", HOME: place.home, ...place.extraEnv },
    timeoutMs: 60_000,
    keep: { head: 10_000, tail: 10_000 },
  });
  return ran.kind === "exited" ? Buffer.concat([ran.head, ran.tail]).toString("utf8").trim() : ran.kind;
};

/** Files below a folder with what they hold. */
const holding = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".git") && entry.name !== "done.json")
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(folder, path)}: ${readFileSync(path, "utf8")}`)
    .toSorted()
    .join("");

/** Directories that a command may be shown as whole, by what they are. */
const places = (data: string): readonly (readonly [kind: string, path: string])[] => {
  const below = (name: string, form: RegExp, kind: string) =>
    fs.existsSync(join(data, name))
      ? readdirSync(join(data, name), { recursive: true, encoding: "utf8" })
          .filter((path) => form.test(path))
          .map((path) => [kind, join(data, name, path)] as const)
      : [];
  return [
    ...below("prepared", /^\w+\/[0-9a-f]{32}$/, "prepared"),
    ...below("trees", /^\w+\/\d+\/[0-9a-f]{40}-[0-9a-f]{32}$/, "tree"),
    ...below("threads", /^c-own\/(work|home)$/, "own"),
  ];
};

it("leaves nothing half-made, and the next process uses it or does it anew", async () => {
  const repo = await scene.repository("killed");
  await commit(repo, { ".gitignore": "node_modules/\n", "README.md": "# It\n", ".parley/setup.sh": SCRIPT });
  const copies: string[] = [];
  let before = "";
  const copy = (): void => {
    const now = execFileSync("find", [scene.data, "-printf", "%P %y %s\\n"]).toString();
    if (now === before) return;
    before = now;
    const to = join(scene.root, `copy${copies.length}`);
    execFileSync("cp", ["-a", scene.data, to]);
    copies.push(to);
  };
  const watched: Sandbox = {
    ...sandbox,
    run: async (...asked) => {
      copy();
      const ran = await sandbox.run(...asked);
      copy();
      return ran;
    },
  };
  const make = (directory: string, held: Sandbox): Workspaces =>
    createWorkspaces({
      directory,
      sandbox: held,
      clock: scene.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });

  // The mirror is there before: how that is made is another test's.
  await scene.open("c-first", repo, { workspaces: scene.restart({ setUp: null }) });
  const giveBack = watchChanges(copy);
  const first = make(scene.data, watched);
  expect(await attend(first, "c-shared", repo)).toEqual(["began", "ready"]);
  expect(await show(first, watched, "c-shared")).toBe(WHOLE);
  await scene.open("c-own", repo, { workspaces: first });
  expect((await first.policy("c-own", "unrestricted")).kind).toBe("policy");
  giveBack();

  const whole = new Map(
    places(scene.data).map(([kind, path]) => [`${kind} ${relative(scene.data, path)}`, holding(path)]),
  );
  expect([...whole.keys()].map((name) => name.split(" ")[0])).toEqual(["prepared", "tree", "own", "own"]);
  let begun = 0;
  for (const data of copies) {
    const layout = createLayout(data);
    await sweepWorkspace(data, layout, createPins(layout), 0);
    for (const [kind, path] of places(data)) {
      expect(holding(path), `${path} is whole`).toBe(whole.get(`${kind} ${relative(data, path)}`));
      if (kind !== "prepared") begun += 1;
    }
  }
  // Some were stopped while that was shown, and most before there was anything to show.
  expect(begun).toBeGreaterThan(0);
  expect(copies.length).toBeGreaterThan(10);
  const sample = [0, 0.3, 0.6, 1].map((part) => copies[Math.floor(part * (copies.length - 1))] ?? "");
  const said: string[] = [];
  for (const data of sample) {
    const next = make(data, sandbox);
    said.push((await attend(next, "c-next", repo)).join(" "));
    expect(await show(next, sandbox, "c-next"), data).toBe(WHOLE);
  }
  expect([said[0], said.at(-1)]).toEqual(["began ready", ""]);
});

/** Calls `look` before each change that the host makes; answers the way to stop. */
const watchChanges = (look: () => void): (() => void) => {
  const real = CHANGES.map((name) => [name, fs.promises[name]] as const);
  for (const [name, change] of real) {
    Reflect.set(fs.promises, name, (...given: readonly unknown[]): unknown => {
      look();
      return Reflect.apply(change, fs.promises, given);
    });
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, change] of real) Reflect.set(fs.promises, name, change);
    syncBuiltinESMExports();
  };
};
