/** Names of threads. Pure. */

import * as z from "zod";
import { BREAK } from "../../text/code.ts";
import { spellInvisibleInProse } from "../../../src/text/invisible.ts";

const MAX_NAME = 90;

/** A message on which a thread hangs, as far as it is named after it. */
export const starter = z.object({
  content: z.string().default(""),
  components: z.array(z.object({ content: z.string().optional() })).default([]),
  embeds: z.array(z.object({ title: z.string().nullish(), description: z.string().nullish() })).default([]),
});

/** After its own words, what a line of the host's is about, or what an app posted. */
export const nameOfStarter = ({ content, components, embeds }: z.output<typeof starter>): string => {
  const quoted = components[0]?.content?.split("\n").find((line) => line.startsWith("> "));
  return threadNameOf([content, quoted, embeds[0]?.title, embeds[0]?.description].find(Boolean) ?? "");
};

/**
 * The first line that says something, as a thread's name. Mentions, emoji and times of Discord's own form are left out, and so
 * are spoilers: a name shows what they hide. The host's own break behind an `@` goes, because a name calls nobody.
 */
export const threadNameOf = (content: string): string => {
  const lines = withoutSpoilers(spellInvisibleInProse(content.replaceAll(`@${BREAK}`, "@")))
    .replaceAll(/```[\w+#.-]{0,30}(?=\n)/g, "")
    .replaceAll(/<[@#:/a-z][^<>\n]{0,200}>/g, (token) => (/^<https?:/.test(token) ? token.slice(1, -1) : ""))
    .split("\n");
  const words =
    lines.map((line) => line.replaceAll(/[\s`*_~|>#]+/g, " ").trim()).find((line) => line !== "") ?? "";
  const points = Array.from(words);
  if (points.length === 0) return "Parley";
  return points.length <= MAX_NAME ? words : `${points.slice(0, MAX_NAME - 1).join("")}…`;
};

/**
 * Each second bar pair ends the spoiler that the one before it began; one without an end hides nothing, and one in code is an
 * operator (WD12).
 */
const withoutSpoilers = (text: string): string => {
  const bars = [...text.matchAll(CODE_OR_BARS)].flatMap(({ 0: mark, index }) => (mark === "||" ? index : []));
  let shown = "";
  let from = 0;
  for (let at = 0; at < bars.length; at += 1) {
    const bar = bars[at] ?? text.length;
    const isHiding = at % 2 === 1;
    shown += `${isHiding ? "" : text.slice(from, bar)} `;
    from = bar + 2;
  }
  return shown + text.slice(from);
};

/** Code on its own comes first: bars in it are none. */
const CODE_OR_BARS = /(?<!`)(`{1,3})(?!`)[^`]*\1(?!`)|\|\|/g;
