/**
 * Builds Slack's blocks from content. Pure. Model text is in Markdown blocks alone; the host's words are in
 * separate blocks.
 */

import type { types } from "@slack/bolt";
import type { Below, Content, StepRow } from "../../../src/ports/surface.ts";
import { type ConsoleButton, controlsOf } from "../../post/controls.ts";
import { escapeMarkup } from "./markup.ts";
import { richTextOf } from "./rich-text.ts";
import { textsAndTablesOf } from "./table.ts";

/** Maximum characters of the text for notifications and screen readers (TH9). */
const MAX_FALLBACK = 3_900;
const CONTINUES = "… (continues in the message)";
/** Maximum characters of a section's or a context's text. */
const MAX_LEAD = 3_000;

export const blocksOf = (content: Content): types.KnownBlock[] => blocksBy(content, read);

/** Builds the same blocks without Markdown blocks, for calls that do not accept Markdown blocks. */
export const unmarkedBlocksOf = (content: Content): types.KnownBlock[] => blocksBy(content, readRich);

type ReadText = (text: string) => readonly types.KnownBlock[];

const blocksBy = (content: Content, readText: ReadText): types.KnownBlock[] => {
  const { tone, lead, text, plain, below = [], buttons } = content;
  const said = text === "" ? [] : plain === true ? [asWritten(text)] : readText(text);
  const host =
    lead === undefined
      ? []
      : partsIn(lead).map((part) => (tone === "status" ? small(part) : { ...section(part), expand: true }));
  // Progress grows upwards, so that its last line and its button remain in place.
  const order = tone === "status" ? [...said, ...host] : [...host, ...said];
  const controls = controlsOf(buttons);
  const [thumbs, others] = [controls.filter(isThumb), controls.filter((one) => !isThumb(one))];
  return [
    ...order,
    ...below.flatMap((one) => lower(one, readText)),
    ...buttonRow(others),
    ...thumbRow(thumbs),
  ];
};

const isThumb = ({ action }: ConsoleButton): boolean => action === "thumb_up" || action === "thumb_down";

export const THUMBS = "parley_thumbs";

/** Slack's own thumbs. The chosen thumb precedes the value in a click. */
const thumbRow = ([up, down]: readonly ConsoleButton[]): readonly types.ContextActionsBlock[] =>
  up === undefined || down === undefined
    ? []
    : [
        {
          type: "context_actions",
          elements: [
            {
              type: "feedback_buttons",
              action_id: THUMBS,
              positive_button: thumb(up),
              negative_button: thumb(down),
            },
          ],
        },
      ];

const thumb = ({ action, label, value, spoken = label }: ConsoleButton) => ({
  text: { type: "plain_text" as const, text: label },
  value: `${action}:${value}`,
  accessibility_label: spoken.slice(0, MAX_SPOKEN),
});

/** Text for people who cannot see blocks. Names in the host's words remain names; model text is escaped. */
export const fallbackOf = ({ lead, text, below = [] }: Content): string => {
  const last = below.findLast((one) => one.kind === "host")?.text ?? "";
  const said = [lead ?? "", text === "" ? "" : escapeMarkup(text)].filter((part) => part !== "").join("\n");
  const room = MAX_FALLBACK - last.length - 1;
  const shown = said.length <= room ? said : `${clipped(said, room - CONTINUES.length)} ${CONTINUES}`;
  return [shown, last].filter((part) => part !== "").join("\n");
};

const lower = (one: Below, readText: ReadText): readonly types.KnownBlock[] => {
  switch (one.kind) {
    case "host":
      return partsIn(one.text).map(small);
    case "text":
      return readText(one.text);
    case "steps":
      return [plan(one.title, one.rows)];
  }
};

/** Slack folds the plan until a person opens it. */
const plan = (title: string, rows: readonly StepRow[]): types.PlanBlock => ({
  type: "plan",
  title,
  tasks: rows.map(({ title: done, detail, failed }, index) => ({
    type: "task_card",
    task_id: String(index + 1),
    title: unlinked(done),
    status: failed ? "error" : "complete",
    ...(detail === ""
      ? {}
      : {
          details: {
            type: "rich_text",
            elements: [{ type: "rich_text_section", elements: [{ type: "text", text: detail }] }],
          },
        }),
  })),
});

const read = (text: string): readonly types.KnownBlock[] =>
  textsAndTablesOf(text).map((part) => (part.kind === "text" ? markdown(part.text) : part.block));

const readRich: ReadText = (text) =>
  textsAndTablesOf(text).map((part) => (part.kind === "text" ? richTextOf(part.text) : part.block));

/** Formats text as code without mentions or links. */
const asWritten = (text: string): types.RichTextBlock => ({
  type: "rich_text",
  elements: [
    {
      type: "rich_text_preformatted",
      elements: [{ type: "text", text: unmarked(text) }],
    },
  ],
});

export const unmarked = (text: string): string => text.replaceAll(/<(?=[@#!h])/gi, "<\u200b");

/** Also removes addresses that Slack could turn into links, because a title cannot contain code. */
export const unlinked = (text: string): string => unmarked(text).replaceAll(/https?:(?=\/\/)/gi, "$&\u200b");

const markdown = (text: string): types.MarkdownBlock => ({ type: "markdown", text });

export const section = (text: string): types.SectionBlock => ({
  type: "section",
  text: { type: "mrkdwn", text, verbatim: true },
});

/** Mark by which a Parley recognizes posts of another Parley at the top of a channel. */
export const SIGN = "parley";

export const signedBlocks = (texts: readonly string[]): types.SectionBlock[] =>
  texts.map((text, index) => ({ ...section(text), ...(index === 0 ? { block_id: SIGN } : {}) }));

export const buttonRow = (buttons: readonly ConsoleButton[]): readonly types.ActionsBlock[] =>
  buttons.length === 0 ? [] : [{ type: "actions", elements: buttons.map(control) }];

const small = (text: string): types.ContextBlock => ({
  type: "context",
  elements: [{ type: "mrkdwn", text, verbatim: true }],
});

/**
 * Splits text into as many blocks as needed, because the host's words must not be cut. Parts end at a line,
 * otherwise between words, names and links.
 */
const partsIn = (text: string): readonly string[] => {
  const parts: string[] = [];
  let part = "";
  for (const [unit] of text.matchAll(/`[^`\n]*`|<[^<>\n]*>|[^\s`<]+|[^]/g)) {
    // The remaining line can itself be too long for this unit.
    while (part !== "" && part.length + unit.length > MAX_LEAD) {
      const line = part.lastIndexOf("\n");
      parts.push(line > 0 ? part.slice(0, line) : part);
      part = line > 0 ? part.slice(line + 1) : "";
    }
    part += clipped(unit, MAX_LEAD);
  }
  return [...parts, part];
};

const MAX_SPOKEN = 75;

const control = (
  { action, label, value, first, spoken }: ConsoleButton,
  index: number,
  row: readonly ConsoleButton[],
): types.Button => ({
  type: "button",
  action_id: actionIdOf(action, first ?? row.slice(0, index).filter((one) => one.action === action).length),
  text: { type: "plain_text", text: label },
  value,
  ...(spoken === undefined ? {} : { accessibility_label: spoken.slice(0, MAX_SPOKEN) }),
  ...(action === "approve" || action === "send" || (action === "apply" && first === undefined)
    ? { style: "primary" }
    : action === "stop"
      ? { style: "danger" }
      : {}),
});

/** Action ids must be unique within a row. */
const actionIdOf = (action: string, no: number): string => `parley_${action}${no === 0 ? "" : `/${no}`}`;

/** Cuts the text before a Slack mark that would be cut in two. */
const clipped = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const start = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.replace(/[<&][^>;]*$/, "")}…`;
};
