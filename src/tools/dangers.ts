/**
 * What safe mode would ask for before a call may run (Phase 5, C26): BASH-007 first, whose refusals nobody can
 * approve, then the nine categories. What the text alone cannot tell is looked up in the checkout, read-only.
 */

import * as z from "zod";
import type { Sandbox } from "../../sandbox/types.ts";
import type { DangerWords } from "../core/prompt.ts";
import type { ToolRun, Tools } from "../runtime/ports-tools.ts";
import { JUDGED } from "./danger/classify.ts";
import type { Classifier } from "./danger/classifier.ts";
import type { Facts, Standing } from "./danger/facts.ts";
import { readMakeTargets, readPackageScripts } from "./danger/project-files.ts";
import type { FindPlace } from "./place.ts";
import type { Redactor } from "./redact.ts";
import type { Judge } from "./safety/judge.ts";

export interface DangerDeps {
  readonly sandbox: Pick<Sandbox, "run">;
  readonly findPlace: FindPlace;
  readonly judge: Judge;
  readonly classify: Classifier;
  readonly redactor: Redactor;
}

const LOOK_MS = 10_000;
const KEEP = { head: 1_024 * 1_024, tail: 0 };
const never = new AbortController().signal;

export const createDangers =
  (deps: DangerDeps): Tools["dangers"] =>
  async (run) => {
    if (!JUDGED.has(run.name) || (await isRefused(deps, run))) return [];
    const home = await deps.findPlace({ ...run, signal: never });
    const facts = factsOf(run, home.kind === "place" ? home.home : null);
    const call = { name: run.name, input: run.input };
    const first = await deps.classify(call, facts, never);
    const unsettled = first?.unsettled ?? [];
    const looked = needsLook(run, unsettled) ? await look(deps, run, unsettled) : null;
    const known = looked === null ? first : await deps.classify(call, { ...facts, ...looked }, never);
    return (known?.dangers ?? []).map(
      ({ category, what, why, risk, changes }): DangerWords => ({
        category,
        what: deps.redactor.text(what),
        why,
        risk,
        changes: changes.map((change) => deps.redactor.text(change)),
      }),
    );
  };

const Command = z.object({ command: z.string() });

/** Such a call is answered with the refusal and runs nothing. */
const isRefused = async ({ judge }: DangerDeps, { name, input }: ToolRun): Promise<boolean> => {
  const parsed = name === "bash" ? Command.safeParse(input) : null;
  if (parsed?.success !== true) return false;
  return ((await judge(parsed.data.command, never))?.refusal ?? null) !== null;
};

const factsOf = ({ base }: ToolRun, home: string | null): Facts => ({
  workspace: base.cwd,
  home,
  scratch: ["/tmp"],
  standing: new Map(),
  scripts: new Map(),
  targets: new Map(),
});

const RUNNERS = /\b(?:npm|pnpm|yarn|bun|make|gmake)\b/;

const needsLook = ({ input }: ToolRun, unsettled: readonly string[]): boolean =>
  unsettled.length > 0 || RUNNERS.test(Command.safeParse(input).data?.command ?? "");

/** Four parts, each ended by an empty name: what git tracks, what is there, package.json, the Makefile. */
const LOOK = `git ls-files -z -- "$@"; printf '\\0'
for path do if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi; done; printf '\\0'
head -c 200000 package.json 2>/dev/null; printf '\\0\\0'
for file in GNUmakefile makefile Makefile; do if [ -f "$file" ]; then head -c 200000 "$file"; break; fi; done`;

/** In the Restricted place, whatever the call may do itself. */
const look = async (
  { sandbox, findPlace }: DangerDeps,
  run: ToolRun,
  paths: readonly string[],
): Promise<Pick<Facts, "standing" | "scripts" | "targets"> | null> => {
  const place = await findPlace({ ...run, permission: "restricted", signal: never });
  if (place.kind === "failed") return null;
  const argv = ["/bin/bash", "--noprofile", "--norc", "-c", LOOK, "look", ...paths];
  const { policy, env } = place;
  const ran = await sandbox.run({ policy, argv, env, timeoutMs: LOOK_MS, keep: KEEP }, { signal: never });
  if (ran.kind !== "exited") return null;
  const [tracked = "", there = "", manifest = "", makefile = ""] = sections(ran.head.toString("utf8"));
  const isTracked = new Set(tracked.split("\0"));
  const isThere = new Set(there.split("\0"));
  const standing = new Map<string, Standing>(
    paths.map((path) => [path, isTracked.has(path) ? "tracked" : isThere.has(path) ? "untracked" : "new"]),
  );
  return { standing, scripts: readPackageScripts(manifest), targets: readMakeTargets(makefile) };
};

/** A list of names ends with an empty one, which is two zero bytes, or one where there are no names. */
const sections = (text: string): readonly string[] => {
  const [tracked, rest] = cut(text);
  const [there, files] = cut(rest);
  const [manifest = "", makefile = ""] = files.split("\0\0");
  return [tracked, there, manifest, makefile];
};

const cut = (text: string): readonly [string, string] => {
  if (text.startsWith("\0")) return ["", text.slice(1)];
  const at = text.indexOf("\0\0");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 2)];
};
