/**
 * Precision and recall of first looks at the labeled posts, with the model of PARLEY_FIRST_MODEL or PARLEY_MODEL. The prompt may
 * be tuned with the open half only.
 */

import { chooseModel, modelsOf } from "../../../src/app/choose-model.ts";
import { readConfig } from "../../../src/app/settings/config.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { askFirstModel } from "../../../src/features/watches/people/ask-first-model.ts";
import type { PricedModel } from "../../../src/ports/model.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import type { Bench } from "../../bench/bench.ts";
import { type Figure, measured } from "../../bench/figure.ts";
import { judgeAll } from "./posts/judge.ts";
import { LABELED, scoreOf, scoreText } from "./posts/labeled.ts";

export const firstLooksBench: Bench = {
  name: "first-looks",
  what: "precision and recall of first looks at labeled posts",
  run: async (scale, note) => {
    const model = await realModel();
    if (model === null)
      return [
        { kind: "skipped", what: "first looks", why: "needs a model of a provider (PARLEY_FIRST_MODEL)" },
      ];
    const ask = async (text: string): Promise<string> => {
      const answer = await askFirstModel(model.priced, model.name, text, new AbortController().signal);
      return answer.kind === "answered" ? answer.text : "";
    };
    const figures: Figure[] = [];
    for (const half of ["open", "held out"] as const) {
      const posts = LABELED.filter((one) => one.half === half).slice(0, scale === "tiny" ? 5 : Infinity);
      const score = scoreOf(await judgeAll(ask, posts));
      note(`${half}: ${scoreText(score)}`);
      figures.push(
        measured(`precision, ${half}`, "x", [score.precision]),
        measured(`recall, ${half}`, "x", [score.recall]),
      );
    }
    return figures;
  },
};

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
