/** Questions that are asked again in the same words: how long it takes to find one among many that were answered. */

import { join } from "node:path";
import { createAsked } from "../../src/runtime/answers/asked.ts";
import { openStore } from "../../src/store/sqlite.ts";
import { projects } from "../answers/labelled.ts";
import type { Bench } from "./bench.ts";
import { type Figure, measured } from "./figure.ts";
import { postAnswer } from "./stale/posted.ts";
import { temporary } from "./temporary.ts";

export const reuseBench: Bench = {
  name: "reuse",
  what: "questions that were answered before",
  run: async (scale) => found(scale === "tiny" ? 20 : 2_000),
};

const REPO = { kind: "url", location: "https://github.com/acme/shop" } as const;

const CITED = [{ path: "a.ts", from: 1, to: 2, status: "found", file: "a.ts" }] as const;

/** The rows are read anew for each question; their words are normalized once. */
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
    const asked = createAsked(opened.answers);
    const times: number[] = [];
    for (const text of topics.flatMap(({ paraphrases }) => paraphrases)) {
      const begun = performance.now();
      await asked(text, 0, () => true);
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
