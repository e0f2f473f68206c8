/**
 * Opening a draft of a checkout with 30,000 files, and what a command in it costs beside one in Restricted.
 *
 * The real workspaces over the real sandbox. Whether the copy shares its blocks is the file system's matter (TMPDIR says
 * which): told apart by trying it, as the draft does. Commands are run by turns, so that both see the same machine.
 */

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { systemClock } from "../../src/host/system-clock.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import type { Hold } from "../../src/workspace/checkout/policy.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { conversationOf } from "../store/plain.ts";
import type { Bench } from "./bench.ts";
import { atMost, type Figure, measured, skipped } from "./figure.ts";
import { git, smallRepository } from "./repository.ts";
import { temporary } from "./temporary.ts";

const { signal } = new AbortController();

export const draftsBench: Bench = {
  name: "drafts",
  what: "a draft of a checkout with 30,000 files",
  run: async (scale, note) => {
    const size =
      scale === "tiny" ? { files: 50, drafts: 1, commands: 2 } : { files: 30_000, drafts: 5, commands: 200 };
    await using place = await temporary();
    const located = await locateLauncher(join(place.path, "bin"));
    if (located.kind === "failed") return [skipped("drafts", located.reason)];
    const sandbox = await createSandbox({ launcher: located.path });
    try {
      if (sandbox.probe.refusal !== null) return [skipped("drafts", sandbox.probe.refusal)];
      note(`making a repository of ${size.files} files`);
      const repo = await manyFiles(join(place.path, "repo"), size.files);
      return await measureAll(sandbox, { root: place.path, repo, note }, size);
    } finally {
      await sandbox.close();
    }
  },
};

const measureAll = async (
  sandbox: Sandbox,
  {
    root,
    repo,
    note,
  }: { readonly root: string; readonly repo: string; readonly note: (line: string) => void },
  size: { readonly drafts: number; readonly commands: number },
): Promise<readonly Figure[]> => {
  const deps = { directory: join(root, "data"), sandbox, clock: systemClock, log: silentLog };
  const workspaces = createWorkspaces(deps);
  const id: ConversationId = "c-bench";
  const conversation = conversationOf(id, { repo: { kind: "path", location: repo } });
  const opened = await workspaces.open(conversation, { signal, onProgress: () => undefined });
  if (opened.kind !== "ready") throw new Error(`not opened: ${JSON.stringify(opened)}`);
  const shares = await promisify(execFile)("cp", [
    "--reflink=always",
    join(repo, "d0/f0"),
    join(root, "f"),
  ]).then(
    () => true,
    () => false,
  );
  note("drafts");
  const opening: number[] = [];
  for (let n = 0; n < size.drafts; n++) {
    await workspaces.drafts.discard(id);
    const from = performance.now();
    const draft = await workspaces.drafts.open(id, signal);
    if (draft.kind === "failed") throw new Error(draft.message);
    opening.push(performance.now() - from);
  }
  const run = async (where: Hold): Promise<number> => {
    const from = performance.now();
    const at = await workspaces.policy(id, where);
    if (at.kind === "failed") throw new Error(at.message);
    const ran = await sandbox.run({
      policy: at.policy,
      argv: ["/bin/bash", "--noprofile", "--norc", "-c", "true"],
      env: { PATH: "/usr/bin:/bin", HOME: at.home, ...at.extraEnv },
      timeoutMs: 60_000,
      keep: { head: 4096, tail: 4096 },
    });
    if (ran.kind !== "exited" || ran.code !== 0) throw new Error(JSON.stringify(ran));
    return performance.now() - from;
  };
  note("commands");
  const held: number[] = [];
  const drafted: number[] = [];
  for (let n = 0; n < size.commands; n++) {
    held.push(await run("restricted"));
    drafted.push(await run("draft"));
  }
  note("a change, shown and applied");
  const place = await workspaces.policy(id, "draft");
  if (place.kind === "failed") throw new Error(place.message);
  await sandbox.put(place.policy, `${place.policy.cwd}/d0/f0`, Buffer.from("changed\n"));
  const sealing = performance.now();
  const sealed = await workspaces.drafts.seal(id, { title: "A change" }, signal);
  if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
  const { tree, base } = sealed.result;
  const applying = performance.now();
  const applied = await workspaces.drafts.apply(id, { tree, base }, signal);
  if (applied.kind !== "applied") throw new Error(JSON.stringify(applied));
  const end = performance.now();
  const [middle = 1] = middleOf(held);
  const [other = 1] = middleOf(drafted);
  return [
    measured(
      `opening, ${shares ? "copy on write" : "plain copy"}`,
      "ms",
      opening,
      atMost(shares ? 1_000 : 5_000),
    ),
    measured("a command in Restricted", "ms", held),
    measured("a command in the draft", "ms", drafted),
    measured("draft beside Restricted, medians", "x", [other / middle], atMost(1.1)),
    measured("a proposal without a test", "ms", [applying - sealing]),
    measured("Apply", "ms", [end - applying]),
  ];
};

const middleOf = (samples: readonly number[]): readonly number[] =>
  samples.toSorted((a, b) => a - b).slice(Math.floor(samples.length / 2));

const manyFiles = async (path: string, files: number): Promise<string> => {
  await smallRepository(path);
  for (let n = 0; n < files; n++) {
    const directory = join(path, `d${n % 300}`);
    if (n < 300) await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `f${Math.floor(n / 300)}`), `file ${n}\n`.repeat(20));
  }
  await git(path, "add", "--all");
  await git(path, "commit", "--quiet", "--message", "many");
  return path;
};
