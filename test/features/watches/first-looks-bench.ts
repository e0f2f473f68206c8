/**
 * Precision and recall of first looks at labeled posts, with the model of PARLEY_FIRST_MODEL or PARLEY_MODEL. FIRST_LOOKS names
 * the set, a JSON list with `text`, `label` (`nothing`, `duplicate` or `look`) and `half` (`open` or `held out`).
 */

import { readFileSync } from "node:fs";
import * as z from "zod";
import { chooseModel, modelsOf } from "../../../src/app/choose-model.ts";
import { readConfig } from "../../../src/app/settings/config.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { askFirstModel } from "../../../src/features/watches/people/ask-first-model.ts";
import { lookText, readLook } from "../../../src/features/watches/people/first-look-prompt.ts";
import { LOOK_DECISIONS, type LookDecisionKind } from "../../../src/features/watches/store/first-looks.ts";
import type { PricedModel } from "../../../src/ports/model.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { Bench } from "../../bench/bench.ts";
import { type Figure, measured } from "../../bench/figure.ts";

export const firstLooksBench: Bench = {
  name: "first-looks",
  what: "precision and recall of first looks at labeled posts",
  run: async (scale, note) => {
    const file = process.env["FIRST_LOOKS"];
    const asked = file === undefined ? null : await realModel();
    if (file === undefined || asked === null)
      return [
        {
          kind: "skipped",
          what: "first looks",
          why: "needs a model of a provider, and labeled posts (FIRST_LOOKS)",
        },
      ];
    const set = labeled.parse(JSON.parse(readFileSync(file, "utf8")));
    const figures: Figure[] = [];
    for (const half of ["open", "held out"] as const) {
      const posts = set.filter((one) => one.half === half).slice(0, scale === "tiny" ? 5 : Infinity);
      const decided: Decided[] = [];
      for (const { text, label } of posts) decided.push({ label, ...(await decide(asked, text)) });
      const { precision, recall } = lookScores(decided);
      note(
        `${half}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${posts.length} posts`,
      );
      figures.push(
        measured(`precision, ${half}`, "x", [precision]),
        measured(`recall, ${half}`, "x", [recall]),
      );
    }
    return figures;
  },
};

interface Decided {
  readonly label: LookDecisionKind;
  readonly decision: LookDecisionKind;
}

/** A reaction is right if the label is the same reaction. A score without anything to count is 1. */
export const lookScores = (all: readonly Decided[]) => {
  const reactions = all.filter(({ decision }) => decision !== "nothing");
  const wanted = all.filter(({ label }) => label !== "nothing");
  const right = reactions.filter(({ label, decision }) => label === decision);
  return {
    precision: reactions.length === 0 ? 1 : right.length / reactions.length,
    recall: wanted.length === 0 ? 1 : right.length / wanted.length,
  };
};

const TASK = "Bug reports, incidents and questions about our code: find the cause or the answer.";

/** An invalid answer is silence, as in the product. */
const decide = async ({ priced, name }: RealModel, post: string): Promise<Pick<Decided, "decision">> => {
  const question = { instructions: TASK, post, matters: [], notes: [], corrections: [] };
  const answer = await askFirstModel(priced, name, lookText(question), new AbortController().signal);
  const read = answer.kind === "answered" ? readLook(answer.text, question) : null;
  return { decision: read?.decision.kind ?? "nothing" };
};

const labeled = z.array(
  z.object({ text: z.string(), label: z.enum(LOOK_DECISIONS), half: z.enum(["open", "held out"]) }),
);

interface RealModel {
  readonly priced: PricedModel;
  readonly name: string;
}

/** Null if the settings name no model of a provider. */
const realModel = async (): Promise<RealModel | null> => {
  const read = readConfig(process.env, process.cwd());
  if (read.kind === "invalid") return null;
  const models = await modelsOf(read.config);
  if (models.kind !== "models") return null;
  const blobs = { get: () => Promise.resolve(null) };
  const priced = await chooseModel(read.config, models, { blobs, log: silentLog, clock: systemClock });
  return { priced, name: read.config.PARLEY_FIRST_MODEL ?? priced.name };
};
