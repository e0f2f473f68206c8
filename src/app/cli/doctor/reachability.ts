/** Tries to read a repository as a conversation would: git in the sandbox lists the branches. */

import type { Repo } from "../../../ports/conversation.ts";
import type { GitProxies } from "../../../ports/forge.ts";
import { attemptGit, sentence } from "../../../workspace/run/git-trouble.ts";
import { createGenerations, type GenerationDeps } from "../../../workspace/mirror/generation.ts";
import { reach, withDoor } from "../../../workspace/mirror/remote.ts";
import { readSource } from "../../../workspace/mirror/source.ts";

interface ReachDeps extends Omit<GenerationDeps, "maxFetchBytes"> {
  readonly doors: GitProxies;
  /** Slot of the identity that git runs as. */
  readonly slot: number;
}

export type Reachability =
  | { readonly kind: "readable"; readonly branches: number }
  | { readonly kind: "unreadable"; readonly why: string };

/** Never rejects. */
export const reachRepository = async (
  deps: ReachDeps,
  repo: Repo,
  signal: AbortSignal,
): Promise<Reachability> => {
  const read = readSource(repo);
  if (read.kind === "refused") return { kind: "unreadable", why: read.message };
  const { source } = read;
  const answer = await attemptGit(() =>
    withDoor(deps.doors, source, async (door) => {
      const remote = await reach(deps.sandbox, source, null, door);
      return createGenerations({ ...deps, maxFetchBytes: 0 }).list(remote, deps.slot, signal);
    }),
  );
  if (answer.kind === "aborted") return { kind: "unreadable", why: `${source.name} did not answer in time.` };
  if (answer.kind === "trouble") return { kind: "unreadable", why: sentence(answer.trouble, source.name) };
  const branches = answer.value.refs.filter(({ name }) => name.startsWith("refs/heads/")).length;
  return { kind: "readable", branches };
};
