/** BASH-007 comes first, because no person can override its refusals. The nine categories follow (Phase 5, C26). */

import type { Sandbox } from "../../../sandbox/types.ts";
import type { DangerContent } from "../../thread/prompt.ts";
import type { ToolRun, Tools } from "../../ports/tools.ts";
import type { ClassifiedCall, InputKind } from "../../shell-risk/classify.ts";
import type { Classifier } from "../../shell-risk/classifier.ts";
import { type CheckoutFacts, factsOf, type FileText, type PathState } from "../../shell-risk/danger/facts.ts";
import type { CallPlace, FindCallPlace } from "../resolve-execution.ts";
import { isInDraft } from "../drafts/where.ts";
import type { Redactor } from "../../text/secrets/known-values.ts";
import { unless } from "../tool.ts";
import { dangerWords } from "./danger-words.ts";

interface DangerDeps {
  readonly sandbox: Pick<Sandbox, "run">;
  readonly findPlace: FindCallPlace;
  readonly classify: Classifier;
  readonly redactor: Redactor;
  /** Null if nothing is judged. */
  readonly judgeOf: (name: string) => InputKind | null;
}

const LOOK_MS = 10_000;
const KEEP = { head: 1_024 * 1_024, tail: 0 };

export const createDangers =
  (deps: DangerDeps): Tools["dangers"] =>
  async (run, { signal }) => {
    // A command in a draft has no effect before people have seen the result.
    const judge = deps.judgeOf(run.name);
    if (judge === null || isInDraft(run.input)) return [];
    const place = await unless<CallPlace | null>(() => deps.findPlace({ ...run, signal }), nowhere);
    const call = { judge, input: run.input };
    let facts = factsOf(run.base.cwd, place?.home ?? null);
    let known = await deps.classify(call, facts, signal);
    // A refused call is answered with the refusal and runs nothing.
    if ((known?.refusal ?? null) !== null) return [];
    for (let looks = 0; looks < MAX_LOOKS && needsLook(known, looks); looks += 1) {
      const looked = await look(deps, run, known?.unsettled ?? [], known?.runs ?? [], signal);
      if (looked === null) break;
      facts = joined(facts, looked);
      known = await deps.classify(call, facts, signal);
    }
    return (known?.dangers ?? []).map(dangerWords).map(
      (words): DangerContent => ({
        ...words,
        what: deps.redactor.text(words.what),
        changes: words.changes.map((change) => deps.redactor.text(change)),
      }),
    );
  };

/** Rounds of reading the checkout: a script may run another script, and so on. */
const MAX_LOOKS = 3;

const needsLook = (known: ClassifiedCall | null, looks: number): boolean =>
  (known?.runs.length ?? 0) > 0 || (looks === 0 && (known?.unsettled.length ?? 0) > 0);

const nowhere = (): null => null;

type Looked = Pick<CheckoutFacts, "standing" | "files">;

const joined = (facts: CheckoutFacts, looked: Looked): CheckoutFacts => ({
  ...facts,
  standing: new Map([...facts.standing, ...looked.standing]),
  files: new Map([...facts.files, ...looked.files]),
});

const MAX_FILE = 50_000;

// Prints the tracked ones of the `$1` paths, then the existing ones; an empty path ends each list.
// Then prints for each file the state in git, the content, and the lines that git does not have.
const LOOK = `count=$1; shift
if [ "$count" -gt 0 ]; then git ls-files -z -- "\${@:1:count}"; fi; printf '\\0'
for path in "\${@:1:count}"; do if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi; done; printf '\\0'
for file in "\${@:count+1}"; do
  git status --porcelain --ignored -- "$file" | head -c 2; printf '\\0'
  if [ -f "$file" ]; then head -c ${MAX_FILE + 1} -- "$file" | tr '\\0' '\\1'; fi; printf '\\0'
  git diff HEAD -U0 --no-color --no-ext-diff --no-textconv -- "$file" | sed -n '/^+++ /d; s/^+//p' | head -c ${MAX_FILE} | tr '\\0' '\\1'
  printf '\\0'
done`;

/** Reads under the Restricted permission, whatever permission the call has. */
const look = async (
  { sandbox, findPlace }: DangerDeps,
  run: ToolRun,
  paths: readonly string[],
  files: readonly string[],
  signal: AbortSignal,
): Promise<Looked | null> => {
  const asked = { ...run, permission: "restricted", signal } as const;
  const place = await unless<CallPlace | null>(() => findPlace(asked), nowhere);
  if (place === null) return null;
  const argv = [
    "/bin/bash",
    "--noprofile",
    "--norc",
    "-c",
    LOOK,
    "look",
    `${paths.length}`,
    ...paths,
    ...files,
  ];
  const { policy, env } = place;
  const ran = await sandbox.run({ policy, argv, env, timeoutMs: LOOK_MS, keep: KEEP }, { signal });
  if (ran.kind !== "exited") return null;
  const [tracked, rest] = cut(ran.head.toString("utf8"));
  const [there, texts] = cut(rest);
  const isTracked = new Set(tracked.split("\0"));
  const isThere = new Set(there.split("\0"));
  const standing = new Map<string, PathState>(
    paths.map((path) => [path, isTracked.has(path) ? "tracked" : isThere.has(path) ? "untracked" : "new"]),
  );
  return { standing, files: fileTexts(files, texts.split("\0")) };
};

const fileTexts = (files: readonly string[], parts: readonly string[]): ReadonlyMap<string, FileText> =>
  new Map(
    files.map((file, at): [string, FileText] => {
      const [state = "", text = "", lines = ""] = parts.slice(at * 3, at * 3 + 3);
      const whole = text.length > MAX_FILE || text.includes("\u0001") ? null : text;
      if (state === "" || state === "!!") return [file, { whole, written: "nothing" }];
      return [file, { whole, written: state === "??" || lines === "" ? "all" : { lines } }];
    }),
  );

/** A list of paths ends with an empty one: two zero bytes, or one if there are no paths. */
const cut = (text: string): readonly [string, string] => {
  if (text.startsWith("\0")) return ["", text.slice(1)];
  const at = text.indexOf("\0\0");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 2)];
};
