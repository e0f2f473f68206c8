/**
 * Questions that are asked again: how long it takes to find the same words, and similar ones, among many that were answered; and for how
 * many paraphrases the right answer is among the links. See `test/answers/questions`.
 */

import { join } from "node:path";
import { createQuestionIndex } from "../../../src/features/answers/question-index.ts";
import { openStore } from "../../store/open-store.ts";
import { projects, type Topic } from "../../answers/labeled.ts";
import type { Bench } from "../../bench/bench.ts";
import { type Figure, measured } from "../../bench/figure.ts";
import { postAnswer } from "../../store/posted-answer.ts";
import { temporary } from "../../bench/temporary.ts";

export const reuseBench: Bench = {
  name: "reuse",
  what: "questions that were answered before",
  run: async (scale) => {
    const topics = (["tuned", "heldOut", "later"] as const).flatMap(projects).flatMap((one) => one.topics);
    return [
      ...(await among(topics, topics.length, linked)),
      ...(await among(topics, scale === "tiny" ? 20 : 2_000, timed)),
    ];
  },
};

type Asked = ReturnType<typeof createQuestionIndex>;

/** Links that an answer offers at most. */
const LINKS = 3;

const linked = async (asked: Asked, topics: readonly Topic[]): Promise<readonly Figure[]> => {
  const sum = { asked: 0, right: 0, links: 0, wrong: 0, same: 0 };
  for (const { question, paraphrases } of topics)
    for (const text of paraphrases) {
      const found = (await asked.similar(text, 0, () => true)).slice(0, LINKS);
      const right = found.filter((one) => one.question.text === question).length;
      sum.asked += 1;
      sum.right += right;
      sum.links += found.length;
      sum.wrong += found.length - right;
      sum.same += (await asked.same(text, 0, () => true)).length;
    }
  return [
    measured("paraphrases whose answer is among the links", "%", [(100 * sum.right) / sum.asked]),
    measured("links to another answer", "%", [(100 * sum.wrong) / sum.links]),
    measured("paraphrases that count as the same words", "%", [(100 * sum.same) / sum.asked]),
  ];
};

/** The rows are listed anew for each question; their words are read once. */
const timed = async (asked: Asked, topics: readonly Topic[], answers: number): Promise<readonly Figure[]> => {
  const times: Record<"same" | "similar", number[]> = { same: [], similar: [] };
  for (const text of topics.flatMap(({ paraphrases }) => paraphrases))
    for (const how of ["same", "similar"] as const) {
      const begun = performance.now();
      await asked[how](text, 0, () => true);
      times[how].push(performance.now() - begun);
    }
  const [first = 0, ...later] = times.same;
  return [
    measured(`the same words among ${answers} answers, the first time`, "ms", [first]),
    measured(`the same words among ${answers} answers`, "ms", later),
    measured(`similar questions among ${answers} answers`, "ms", times.similar),
  ];
};

const REPO = { kind: "url", location: "https://github.com/acme/shop" } as const;

const CITED = [{ path: "a.ts", from: 1, to: 2, status: "found", file: "a.ts" }] as const;

const among = async (
  topics: readonly Topic[],
  answers: number,
  measure: (asked: Asked, topics: readonly Topic[], answers: number) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> => {
  await using place = await temporary();
  const opened = openStore(join(place.path, "data"));
  if (opened.kind === "failed") throw new Error(opened.message);
  try {
    for (let no = 0; no < answers; no += 1) {
      const asked = topics[no % topics.length]?.question ?? "";
      await postAnswer(opened, { no, repo: REPO, commit: "c", at: no, citations: CITED, asked });
    }
    for (const { conversation, message } of opened.answers.answersPage(0, null, 10_000))
      await opened.answers.setAudience({ conversation, message }, "public");
    return await measure(createQuestionIndex(opened.answers), topics, answers);
  } finally {
    await opened.store.close();
  }
};
