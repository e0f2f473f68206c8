/**
 * What safe mode would ask for before a call may run (Phase 5, C26): BASH-007 first, whose refusals nobody can
 * approve, then the nine categories. What the text alone cannot tell is looked up in the checkout, read-only.
 */

import * as z from "zod";
import type { Sandbox } from "../../sandbox/types.ts";
import type { DangerWords } from "../core/prompt.ts";
import type { ToolRun, Tools } from "../runtime/ports-tools.ts";
import type { Classifier } from "./danger/classifier.ts";
import type { Facts, Standing } from "./danger/facts.ts";
import type { FindPlace, Place } from "./place.ts";
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
const KEEP = { head: 256 * 1_024, tail: 0 };
const never = new AbortController().signal;

export const createDangers =
  (deps: DangerDeps): Tools["dangers"] =>
  async (run) => {
    if (await isRefused(deps, run)) return [];
    const place = await deps.findPlace({ ...run, permission: "restricted", signal: never });
    const home = await deps.findPlace({ ...run, signal: never });
    const facts = factsOf(run, home.kind === "place" ? home.home : null);
    const call = { name: run.name, input: run.input };
    const first = await deps.classify(call, facts, never);
    const unsettled = first?.unsettled ?? [];
    const looked =
      place.kind === "place" && needsLook(run, unsettled) ? await look(deps, place, unsettled) : null;
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
});

const RUNNERS = /\b(?:npm|pnpm|yarn|bun)\b/;

const needsLook = ({ input }: ToolRun, unsettled: readonly string[]): boolean =>
  unsettled.length > 0 || RUNNERS.test(Command.safeParse(input).data?.command ?? "");

/** Three lists, each ended by an empty name: what git tracks, what is there, and package.json's own text. */
const LOOK = `git ls-files -z -- "$@"; printf '\\0'
for path do if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi; done; printf '\\0'
cat package.json 2>/dev/null`;

const look = async (
  { sandbox }: DangerDeps,
  place: Place,
  paths: readonly string[],
): Promise<Pick<Facts, "standing" | "scripts"> | null> => {
  const argv = ["/bin/bash", "--noprofile", "--norc", "-c", LOOK, "look", ...paths];
  const { policy, env } = place;
  const ran = await sandbox.run({ policy, argv, env, timeoutMs: LOOK_MS, keep: KEEP }, { signal: never });
  if (ran.kind !== "exited") return null;
  const [tracked = "", there = "", text = ""] = sections(ran.head.toString("utf8"));
  const isTracked = new Set(tracked.split("\0"));
  const isThere = new Set(there.split("\0"));
  const standing = new Map<string, Standing>(
    paths.map((path) => [path, isTracked.has(path) ? "tracked" : isThere.has(path) ? "untracked" : "new"]),
  );
  return { standing, scripts: scriptsOf(text) };
};

/** Each of the first two ends with an empty name, which is two zero bytes, or one at the beginning. */
const sections = (text: string): readonly string[] => {
  const [first, rest] = cut(text);
  const [second, last] = cut(rest);
  return [first, second, last];
};

const cut = (text: string): readonly [string, string] => {
  if (text.startsWith("\0")) return ["", text.slice(1)];
  const at = text.indexOf("\0\0");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 2)];
};

const Package = z.object({ scripts: z.record(z.string(), z.string()).optional() });

const scriptsOf = (text: string): ReadonlyMap<string, string> => {
  const parsed = Package.safeParse(parsedJson(text));
  return new Map(Object.entries(parsed.data?.scripts ?? {}));
};

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // No package.json, or none that can be read: scripts are judged by their names.
    return null;
  }
};
