/**
 * Precision and recall of first looks at the labeled posts, with the model of PARLEY_FIRST_MODEL or PARLEY_MODEL. The prompt may
 * be tuned with the open half only.
 */

import * as z from "zod";
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
    const figuresOf = async (
      ask: (text: string) => Promise<string>,
      by: string,
    ): Promise<readonly Figure[]> => {
      const figures: Figure[] = [];
      for (const half of ["open", "held out"] as const) {
        const posts = LABELED.filter((one) => one.half === half).slice(0, scale === "tiny" ? 5 : Infinity);
        const score = scoreOf(await judgeAll(ask, posts));
        note(`${half}${by}: ${scoreText(score)}`);
        figures.push(
          measured(`precision, ${half}${by}`, "x", [score.precision]),
          measured(`recall, ${half}${by}`, "x", [score.recall]),
        );
      }
      return figures;
    };
    const rule = await figuresOf(byWords, ", rule of words");
    const model = await realModel();
    if (model === null)
      return [
        ...rule,
        { kind: "skipped", what: "first looks", why: "needs a model of a provider (PARLEY_FIRST_MODEL)" },
      ];
    const ask = async (text: string): Promise<string> => {
      const answer = await askFirstModel(model.priced, model.name, text, new AbortController().signal);
      return answer.kind === "answered" ? answer.text : "";
    };
    return [...rule, ...(await figuresOf(ask, ""))];
  },
};

/** A scripted model: finds a word of trouble or a question mark in the post. A real model must do better. */
const byWords = async (text: string): Promise<string> => {
  const { post } = asked.parse(JSON.parse(text.slice(text.indexOf("\n") + 1)));
  const decision = /[?？]|\b(?:bug|broken|crash|error|exception|fail)/i.test(post) ? "look" : "nothing";
  return JSON.stringify({ decision, link: null, reason: "A rule of words." });
};

const asked = z.object({ post: z.string() });

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
