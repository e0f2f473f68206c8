/**
 * Opening a draft of a checkout with 30,000 files, and what a command in it costs beside one in Restricted.
 *
 * The real workspaces over the real sandbox: first of the shared tree, then of checkouts of the conversations' own. Whether
 * one is written on copy is told by what was made of it, and is the kernel's and the file system's matter (TMPDIR says
 * which). An ext4 without a journal makes files slowly for minutes after many were deleted: that is told by itself. Commands are run by turns, so that both see the same machine.
 */

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { locateLauncher } from "../../sandbox/locate.ts";
import { createSandbox } from "../../sandbox/server.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { systemClock } from "../../src/app/system-clock.ts";
import type { ConversationId } from "../../src/machine/id.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import type { CommandMode } from "../../src/workspace/checkout/policy.ts";
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
      scale === "tiny"
        ? { files: 50, drafts: 1, copies: 1, commands: 2 }
        : { files: 30_000, drafts: 5, copies: 3, commands: 200 };
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
  size: { readonly drafts: number; readonly copies: number; readonly commands: number },
): Promise<readonly Figure[]> => {
  const deps = { directory: join(root, "data"), sandbox, clock: systemClock, log: silentLog };
  const workspaces = createWorkspaces(deps);
  const begin = async (id: ConversationId): Promise<ConversationId> => {
    const conversation = conversationOf(id, { repo: { kind: "path", location: repo } });
    const opened = await workspaces.open(conversation, { signal, onProgress: () => undefined });
    if (opened.kind !== "ready") throw new Error(`not opened: ${JSON.stringify(opened)}`);
    return id;
  };
  const open = async (id: ConversationId): Promise<number> => {
    const from = performance.now();
    const draft = await workspaces.drafts.open(id, signal);
    if (draft.kind === "failed" || draft.again) throw new Error(JSON.stringify(draft));
    return performance.now() - from;
  };
  note("drafts");
  const id = await begin("c-bench");
  const opening: number[] = [];
  for (let n = 0; n < size.drafts; n++) {
    await workspaces.drafts.discard(id);
    opening.push(await open(id));
  }
  const shares = existsSync(join(deps.directory, "threads", id, "draft/work/upper"));
  const run = async (where: CommandMode): Promise<number> => {
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
  const change = async (of: ConversationId, content: string): Promise<readonly [number, number]> => {
    const place = await workspaces.policy(of, "draft");
    if (place.kind === "failed") throw new Error(place.message);
    await sandbox.put(place.policy, `${place.policy.cwd}/d0/f0`, Buffer.from(content));
    const sealing = performance.now();
    const sealed = await workspaces.drafts.seal(of, { title: "A change" }, signal);
    if (sealed.kind !== "sealed") throw new Error(JSON.stringify(sealed));
    const { tree, base } = sealed.result;
    const applying = performance.now();
    const applied = await workspaces.drafts.apply(of, { tree, base }, signal);
    if (applied.kind !== "applied") throw new Error(JSON.stringify(applied));
    return [applying - sealing, performance.now() - applying];
  };
  note("a change, shown and applied");
  const first = [await change(id, "changed\n")];
  const own: ConversationId[] = [id];
  for (let n = 1; n < size.copies; n++) {
    const another = await begin(`c-bench${n}`);
    await open(another);
    first.push(await change(another, "changed\n"));
    own.push(another);
  }
  note("drafts of the checkouts that there are now");
  const copying: number[] = [];
  for (const of of own) copying.push(await open(of));
  const later: (readonly [number, number])[] = [];
  for (const of of own) later.push(await change(of, "changed again\n"));
  note("one more, where files by the ten thousand were deleted just now");
  await workspaces.drafts.open(id, signal);
  await workspaces.drafts.discard(id);
  const after = await open(id);
  const [middle = 1] = middleOf(held);
  const [other = 1] = middleOf(drafted);
  return [
    measured(
      `opening, ${shares ? "copy on write" : "plain copy"}`,
      "ms",
      opening,
      atMost(shares ? 1_000 : 5_000),
    ),
    measured("opening of a checkout of its own", "ms", copying, atMost(5_000)),
    measured("the same, right after such a draft was discarded", "ms", [after]),
    measured("a command in Restricted", "ms", held),
    measured("a command in the draft", "ms", drafted),
    measured("draft beside Restricted, medians", "x", [other / middle], atMost(1.1)),
    measured(
      "a proposal without a test",
      "ms",
      first.map(([proposing]) => proposing),
    ),
    measured(
      "Apply, the first",
      "ms",
      first.map(([, applying]) => applying),
    ),
    measured(
      "a proposal, later",
      "ms",
      later.map(([proposing]) => proposing),
    ),
    measured(
      "Apply, later",
      "ms",
      later.map(([, applying]) => applying),
    ),
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
