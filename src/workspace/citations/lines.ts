/** What became of lines that were cited, up to the newest commit of their branch (`Lines`). */

import { isDeepStrictEqual } from "node:util";
import type { CitedLines, Lines } from "../../ports/citation-tracker.ts";
import type { Since } from "../../text/citation.ts";
import { attempt, type AttemptResult } from "../run/git-trouble.ts";
import { bareOf } from "../mirror/generation.ts";
import { readSource } from "../mirror/source.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { unwatched } from "../run/shared-work.ts";
import { blame } from "./blame.ts";
import { judge, type Verdict } from "./judge.ts";
import type { KnownRenames } from "./renames.ts";
import { openRoom, type Room } from "./room.ts";

export const createLines = (world: CheckoutParts): Lines => {
  /** What was in the way last: the log is told once of the same. */
  const known = new Map<string, string>();
  const found: KnownRenames = new Map();
  const told = (answer: Exclude<AttemptResult<unknown>, { readonly kind: "done" }>, name: string) => {
    if (answer.kind === "aborted") return FAILED;
    const { trouble } = answer;
    if (known.get(name) !== trouble.kind)
      world.log.warn("what was cited could not be looked at again", {
        repository: name,
        trouble: trouble.kind,
      });
    known.set(name, trouble.kind);
    return FAILED;
  };
  return {
    tip: async (repo, since, signal) => {
      const read = readSource(repo);
      if (read.kind === "refused") return FAILED;
      const { source } = read;
      const answer = await attempt(async () => {
        const { swept, refresh, generations, layout } = world;
        await swept();
        const { key, generation, tip } = await refresh(source, unwatched(signal), since);
        const { commit } = await generations.chosen(bareOf(layout, { key, generation }), repo.ref, tip);
        return { commit, mirror: key };
      });
      if (answer.kind !== "done") return told(answer, source.name);
      known.delete(source.name);
      return { kind: "tip", tip: answer.value };
    },
    compare: async (tip, cited, signal) => {
      const answer = await attempt(async () => {
        await using room = await openRoom(world, tip.mirror, tip.commit, signal);
        return await compare(room, tip.commit, cited, found);
      });
      return answer.kind === "done"
        ? { kind: "compared", found: answer.value }
        : told(answer, "the repository");
    },
  };
};

const FAILED = { kind: "failed" } as const;

const compare = async (
  room: Room,
  tip: string,
  cited: readonly CitedLines[],
  known: KnownRenames,
): Promise<readonly (Since | null | "unknown")[]> => {
  const verdicts = await judge(
    room,
    cited.map((span) => ({ span, tip })),
    known,
  );
  const isNew = ({ now }: CitedLines, index: number): boolean =>
    verdicts[index]?.kind === "changed" && now?.kind !== "changed";
  const changed = cited.filter(isNew);
  const blamed = await blame(
    room,
    changed.map((span) => ({ span, tip, stood: span.stood })),
    known,
  );
  const commits = new Map(changed.map((one, index) => [one, blamed[index] ?? tip]));
  return cited.map((one, index) => sinceOf(one, verdicts[index], commits.get(one) ?? null, tip));
};

/** What was known already stays as it was told: a later commit says the same. */
const sinceOf = (
  { file, from, to, now }: CitedLines,
  verdict: Verdict | undefined,
  changedIn: string | null,
  tip: string,
): Since | null | "unknown" => {
  switch (verdict?.kind) {
    case "changed":
      return now?.kind === "changed" ? now : { kind: "changed", commit: changedIn };
    case "stands": {
      const { kind: _, ...place } = verdict;
      if (isDeepStrictEqual(place, { file, from, to })) return null;
      const moved = { kind: "moved", ...place, commit: tip } as const;
      const isTold = now?.kind === "moved" && isDeepStrictEqual({ ...now, commit: tip }, moved);
      return isTold ? now : moved;
    }
    case "unknown":
    case undefined:
      return "unknown";
  }
};
