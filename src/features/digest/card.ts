/** A weekly digest as a channel post, in the channel's language: figures in the host's words, then people's texts. Pure. */

import type { HostMessage } from "../../ports/alerts.ts";
import type { Digest, Topic } from "./digest.ts";
import type { Label, Say } from "../../i18n/say.ts";
import { dollars } from "../../text/dollars.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";

const TOLD = 3;
const TOPICS = 6;
/** Maximum characters of one person's text, and of all people's texts together, in a message on any platform. */
const CLIP = 140;
const MOST_WORDS = 1_400;

export const cardOf = (digest: Digest, say: Say): Pick<HostMessage, "text" | "words" | "button"> => {
  const words = wordsOf(digest, say);
  const [missed] = lacking(digest.topics);
  const button: HostMessage["button"] | undefined = missed && {
    action: { feature: "page" },
    label: say("Draft the page"),
    value: `${digest.week}/${missed.key}`,
    spoken: say("Draft the page that was missed most"),
  };
  return {
    text: [
      figures(digest, say),
      money(digest, say),
      ...(missed === undefined ? [] : [missing(missed, say)]),
    ].join(" "),
    ...omitUndefined({ words: words === "" ? undefined : words, button }),
  };
};

const figures = ({ week, channels, counts }: Digest, say: Say): string => {
  const { questions, answered, unanswered, again, down, stale } = counts;
  if (questions === 0) return say("No questions were asked in the week of {week}.", { week });
  const parts = [
    say("{count} answered", { count: answered }),
    say("{count} without an answer", { count: unanswered }),
    say("{count} asked again after an answer", { count: again }),
    say(down === 1 ? "{count} thumb down" : "{count} thumbs down", { count: down }),
    say(stale === 1 ? "{count} answer gone stale" : "{count} answers gone stale", { count: stale }),
  ].join(", ");
  return channels === 1
    ? say("Questions in the week of {week}: {questions} in one channel. {parts}.", { week, questions, parts })
    : say("Questions in the week of {week}: {questions} in {channels} channels. {parts}.", {
        week,
        questions,
        channels,
        parts,
      });
};

const money = ({ spent, spentEach, counts: { solved } }: Digest, say: Say): string =>
  spentEach === null
    ? say("The answers cost {spent}.", { spent: dollars(spent) })
    : say("The answers cost {spent}, that is {each} for each of {solved} solved questions.", {
        spent: dollars(spent),
        each: dollars(spentEach),
        solved,
      });

/** Topics that lack a documentation page, the most frequent first. */
const lacking = (topics: readonly Topic[]): readonly Topic[] =>
  topics.filter(({ isMissed }) => isMissed).toSorted((a, b) => b.codeOnly - a.codeOnly);

const missing = ({ codeOnly: count }: Topic, say: Say): string =>
  say("A documentation page is missing: {count} questions about this topic were answered from code alone.", {
    count,
  });

const wordsOf = ({ topics, others, disliked, unanswered, stale, cited }: Digest, say: Say): string => {
  const section = (title: Label, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${say(title)}: ${items.join(", ")}`];
  const list = (title: Label, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${say(title)}:`, ...items.slice(0, TOLD).map((one) => `• ${clip(one)}`)];
  return [
    ...section(
      "Missing page",
      lacking(topics)
        .slice(0, TOLD)
        .map(({ name, codeOnly }) => `${name} (${codeOnly})`),
    ),
    ...list(
      "Thumbs down",
      disliked.map(({ question, reasons }) => [question ?? say("(withdrawn)"), ...reasons].join(" – ")),
    ),
    ...list("Without an answer", unanswered),
    ...section("Asked about", [
      ...topics.slice(0, TOPICS).map(({ name, questions }) => `${name} (${questions})`),
      ...(others === 0 ? [] : [say("anything else ({count})", { count: others })]),
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
};

/** Accepts whole lines while they fit. */
const fitting = (most: number): ((line: string) => boolean) => {
  let room = most;
  return ({ length }) => {
    room -= length + 1;
    return room >= 0;
  };
};

const clip = (text: string, most = CLIP): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
