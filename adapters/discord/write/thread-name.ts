import * as z from "zod";
import { BREAK } from "../../text/code.ts";
import { spellInvisibleInProse } from "../../../src/text/invisible.ts";

const MAX_NAME = 90;

/** Fields of a thread's starter message that decide the thread's name. */
export const starter = z.object({
  content: z.string().default(""),
  components: z.array(z.object({ content: z.string().optional() })).default([]),
  embeds: z.array(z.object({ title: z.string().nullish(), description: z.string().nullish() })).default([]),
});

/** Names a thread after the starter's text, the subject of a host's line, or an app's post. */
export const nameOfStarter = ({ content, components, embeds }: z.output<typeof starter>): string => {
  const quoted = components[0]?.content?.split("\n").find((line) => line.startsWith("> "));
  return threadNameOf([content, quoted, embeds[0]?.title, embeds[0]?.description].find(Boolean) ?? "");
};

/**
 * Returns the first line with text as a thread's name. Mentions, emoji and times in Discord's form are
 * removed, and spoilers too, because a name would reveal them. The host's break after an `@` is removed,
 * because a name notifies nobody.
 */
export const threadNameOf = (content: string): string => {
  const lines = withoutSpoilers(spellInvisibleInProse(content.replaceAll(`@${BREAK}`, "@")))
    .replaceAll(/```[\w+#.-]{0,30}(?=\n)/g, "")
    .replaceAll(/<[@#:/a-z][^<>\n]{0,200}>/g, (token) => (/^<https?:/.test(token) ? token.slice(1, -1) : ""))
    .split("\n");
  const words =
    lines
      .map((line) => line.replaceAll(/(?:[\s`*_~|>#]|<(?=[@#:]))+/g, " ").trim())
      .find((line) => line !== "") ?? "";
  const points = Array.from(words);
  if (points.length === 0) return "Parley";
  return points.length <= MAX_NAME ? words : `${points.slice(0, MAX_NAME - 1).join("")}…`;
};

/**
 * Every second pair of bars ends a spoiler. A pair without an end hides nothing, and a pair in code is an
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

/** Code comes first, because bars in code are no spoilers. */
const CODE_OR_BARS = /(?<!`)(`{1,3})(?!`)[^`]*\1(?!`)|\|\|/g;
