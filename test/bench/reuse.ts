/**
 * Questions that are asked again: how many of the labelled ones are known again, and how long it takes to find one among many that were
 * answered. See `test/answers/questions`.
 */

import { join } from "node:path";
import { createAsked } from "../../src/runtime/answers/asked.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { knownAgain, projects } from "../answers/known-again.ts";
import type { Bench } from "./bench.ts";
import { atLeast, atMost, type Figure, measured } from "./figure.ts";
import { postAnswer } from "./stale/posted.ts";
import { temporary } from "./temporary.ts";

export const reuseBench: Bench = {
  name: "reuse",
  what: "questions that were answered before, in other words",
  run: async (scale) => [...labelled(), ...(await found(scale === "tiny" ? 20 : 2_000))],
};

const labelled = (): readonly Figure[] =>
  (["tuned", "heldOut", "later"] as const).flatMap((lot) => {
    const { paraphrases, reused, asked, wrong } = knownAgain(projects(lot));
    const name = { tuned: "tuned on", heldOut: "held out", later: "written later" }[lot];
    const target = lot === "later" ? null : atLeast(60);
    return [
      measured(`paraphrases known again, ${name}`, "%", [(100 * reused) / paraphrases], target),
      measured(`questions taken for another one, ${name}`, "%", [(100 * wrong) / asked], atMost(1)),
    ];
  });

const REPO = { kind: "url", location: "https://github.com/acme/shop" } as const;

const CITED = [{ path: "a.ts", from: 1, to: 2, status: "found", file: "a.ts" }] as const;

/** The rows are read anew for each question; their forms are made once. */
const found = async (answers: number): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const opened = openStore(join(place.path, "data"));
  if (opened.kind === "failed") throw new Error(opened.message);
  try {
    const topics = [...projects("tuned"), ...projects("heldOut")].flatMap((one) => one.topics);
    for (let no = 0; no < answers; no += 1) {
      const question = topics[no % topics.length]?.question ?? "";
      await postAnswer(opened, {
        no,
        repo: REPO,
        commit: "c",
        at: no,
        citations: CITED,
        asked: `${question} (${no})`,
      });
    }
    for (const { conversation, message } of opened.answers.answersPage(0, null, 10_000))
      await opened.answers.setAudience({ conversation, message }, "public");
    const like = createAsked(opened.answers, opened.store);
    const times: number[] = [];
    for (const text of topics.flatMap(({ paraphrases }) => paraphrases)) {
      const begun = performance.now();
      await like(text, REPO, 0, () => true);
      times.push(performance.now() - begun);
    }
    const [first = 0, ...later] = times;
    return [
      measured(`looked for among ${answers} answers, the first time`, "ms", [first]),
      measured(`looked for among ${answers} answers`, "ms", later),
    ];
  } finally {
    await opened.store.close();
  }
};
