/** A week as a channel is told it: figures in the host's words, and below them what people said. Pure. */

import type { Line } from "../../ports/alerts.ts";
import type { Digest, Topic } from "../../ports/digest/digest.ts";
import { dollars } from "../money/money-text.ts";

/** Of each kind. */
const TOLD = 3;
const TOPICS = 6;
/** Characters of what somebody said, and of all that people said, in one message of any platform. */
const CLIP = 140;
const MOST_WORDS = 1_400;

export const cardOf = (digest: Digest): Pick<Line, "text" | "words" | "button"> => {
  const words = wordsOf(digest);
  const [missed] = lacking(digest.topics);
  return {
    text: [figures(digest), money(digest), ...(missed === undefined ? [] : [missing(missed)])].join(" "),
    ...(words === "" ? {} : { words }),
    ...(missed === undefined
      ? {}
      : {
          button: {
            action: "page",
            label: "Draft the page",
            value: `${digest.week}/${missed.key}`,
            spoken: "Draft the page that was missed most",
          },
        }),
  };
};

const figures = ({ week, channels, counts }: Digest): string => {
  const { questions, answered, unanswered, again, down, stale } = counts;
  const asked = `Questions in the week of ${week}: ${questions} in ${channels === 1 ? "one channel" : `${channels} channels`}.`;
  if (questions === 0) return `Nobody asked anything in the week of ${week}.`;
  const parts = [
    `${answered} answered`,
    `${unanswered} without an answer`,
    `${again} asked again after an answer`,
    `${down} ${down === 1 ? "thumb" : "thumbs"} down`,
    `${stale} ${stale === 1 ? "answer" : "answers"} gone stale`,
  ];
  return `${asked} ${parts.join(", ")}.`;
};

const money = ({ spent, spentEach, counts: { solved } }: Digest): string =>
  spentEach === null
    ? `The answers cost ${dollars(spent)}.`
    : `The answers cost ${dollars(spent)}, that is ${dollars(spentEach)} for each of ${solved} solved.`;

/** What a page of documentation would have saved most. */
const lacking = (topics: readonly Topic[]): readonly Topic[] =>
  topics.filter(({ isMissed }) => isMissed).toSorted((a, b) => b.codeOnly - a.codeOnly);

const missing = ({ codeOnly }: Topic): string =>
  `A page of documentation is missing: ${codeOnly} questions about the same were answered from code alone.`;

const wordsOf = ({ topics, others, disliked, unanswered, stale, cited }: Digest): string =>
  [
    ...section(
      "Missing page",
      lacking(topics)
        .slice(0, TOLD)
        .map(({ name, codeOnly }) => `${name} (${codeOnly})`),
    ),
    ...list(
      "Thumbs down",
      disliked.map(({ question, reasons }) => [question ?? "(taken back)", ...reasons].join(" – ")),
    ),
    ...list("Without an answer", unanswered),
    ...section("Asked about", [
      ...topics.slice(0, TOPICS).map(({ name, questions }) => `${name} (${questions})`),
      ...(others === 0 ? [] : [`anything else (${others})`]),
    ]),
    ...list("Gone stale", stale),
    ...section(
      "Cited most",
      cited.slice(0, TOLD).map(({ what, times }) => `${what} (${times})`),
    ),
  ]
    .map((line) => clip(line, 4 * CLIP))
    .filter(fitting(MOST_WORDS))
    .join("\n");

/** Whole lines, as many as there is room for. */
const fitting = (most: number): ((line: string) => boolean) => {
  let room = most;
  return ({ length }) => {
    room -= length + 1;
    return room >= 0;
  };
};

const section = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`${title}: ${items.join(", ")}`];

const list = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`${title}:`, ...items.slice(0, TOLD).map((one) => `• ${clip(one)}`)];

const clip = (text: string, most = CLIP): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
