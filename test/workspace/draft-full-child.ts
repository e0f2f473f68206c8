/** A draft's life on a file system that is full again and again; run in one of its own (drafts-full.test.ts). Prints what happened. */

import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ConversationId } from "../../src/machine/id.ts";
import { commit, createScene, startSandbox } from "./scene.ts";

/** `left`: what stays in the making. */
export interface Told {
  readonly opened: string;
  readonly sealed: string;
  readonly test: readonly unknown[];
  readonly left: readonly string[];
  /** Of each try with more room: what was said of it, and what the checkout is then. */
  readonly applied: readonly (readonly [string, string])[];
}

const { signal } = new AbortController();
const sandbox = await startSandbox();
const scene = await createScene(sandbox, { draft: { bytes: 2 ** 30, entries: 9_999, layersFrom: 0 } });
const { drafts } = scene.workspaces;
const ballast = join(scene.root, "ballast");
const repo = await scene.repository("shop");
const base = await commit(repo, { "a.txt": "one\n", "b.txt": "b\n", ".gitignore": "filler\n" });

const left: string[] = [];

/** All but so many bytes of what is left is taken meanwhile. */
const full = async (
  room: number,
  work: () => Promise<{ readonly kind: string; readonly message?: string }>,
): Promise<string> => {
  const file = openSync(ballast, "w");
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
  ftruncateSync(file, Math.max(0, fstatSync(file).size - room));
  const { kind, message = kind } = await work();
  closeSync(file);
  rmSync(ballast);
  left.push(...readdirSync(join(scene.data, "staging")));
  return message;
};

const tell = async (id: ConversationId, first: string | null): Promise<Told> => {
  await scene.base(id, repo);
  if (first !== null) await scene.shell(id, "unrestricted", first);
  const opened = await full(0, () => drafts.open(id, signal));
  await drafts.open(id, signal);
  await scene.shell(id, "draft", "head -c 300000 /dev/urandom > d.bin; echo two >> a.txt");
  const seal = (testCommand: string) => drafts.seal(id, { title: "Two", testCommand }, signal);
  const unsealed = await full(0, () => seal("true"));
  const sealed = await seal("head -c 200000000 /dev/zero > filler; echo full; cat a.txt");
  if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
  const { tree, test } = sealed.result;
  const look = async (): Promise<string> => (await scene.shell(id, "restricted", "cat a.txt b.txt; ls")).text;
  const applied: (readonly [string, string])[] = [[sealed.kind, await look()]];
  for (let room = 0; applied.at(-1)?.[0] !== "applied"; room += 400 * 1024) {
    const said = await full(room, () => drafts.apply(id, { tree, base }, signal));
    applied.push([said, await look()]);
  }
  const tail = test?.tail.split("\n").slice(1);
  return { opened, sealed: unsealed, test: [test?.status, tail], left: [...left], applied };
};

const told = [await tell("c-own", "echo own > b.txt"), await tell("c-shared", null)];
process.stdout.write(JSON.stringify(told));
await sandbox.close();
