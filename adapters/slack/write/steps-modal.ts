/** Builds the modal with a turn's steps (TH4). The metadata contains the subject. Pure. */

import type { types } from "@slack/bolt";
import * as z from "zod";
import { jsonIn } from "../../../src/text/json.ts";
import type { StepSheet } from "../../../src/ports/chat.ts";
import { type PagedStep, stepPage } from "../../post/step-page.ts";
import { unmarked } from "./blocks.ts";
import { slackDialect } from "./render.ts";

export const STEPS_MODAL = "parley_steps";
/** Prefix for the buttons that turn pages; the page number follows. */
export const STEPS_PAGE = "parley_steps_page";

export const SHOW_STEPS = "parley_show_steps";

const ROOM = { steps: 10, output: 2_500, input: 1_500 } as const;
const MAX_HEADER = 150;

const about = z.object({ channel: z.string(), root: z.string().nullable(), value: z.string() });
export type StepsAbout = Readonly<z.output<typeof about>>;

/** Null if the metadata is not this app's. */
export const readStepsAbout = (metadata: string): StepsAbout | null =>
  about.safeParse(jsonIn(metadata)).data ?? null;

export const stepsModal = (sheet: StepSheet, page: number, of: StepsAbout): types.ModalView => {
  const { say } = sheet;
  const { head, steps, older, newer } = stepPage(sheet, page, ROOM, slackDialect(say));
  const turning = [turn("Older", say("Older"), older), turn("Newer", say("Newer"), newer)].flat();
  return {
    type: "modal",
    callback_id: STEPS_MODAL,
    private_metadata: JSON.stringify(of),
    title: plain(say("Steps")),
    close: plain(say("Close")),
    blocks: [
      ...head.map(small),
      ...steps.flatMap(stepBlocks),
      ...(turning.length === 0 ? [] : [{ type: "actions", elements: turning } as const]),
    ],
  };
};

const stepBlocks = ({ title, facts, said, input, output }: PagedStep): readonly types.KnownBlock[] => {
  const shown = [input, output ?? ""].filter((one) => one.trim() !== "");
  return [
    { type: "header", text: plain(title.slice(0, MAX_HEADER)) },
    { type: "context", elements: [plain(facts)] },
    ...(said === "" ? [] : [words([{ type: "rich_text_section", elements: [text(said)] }])]),
    ...(shown.length === 0
      ? []
      : [words(shown.map((one) => ({ type: "rich_text_preformatted", elements: [text(one)] })))]),
  ];
};

const words = (elements: types.RichTextBlockElement[]): types.RichTextBlock => ({
  type: "rich_text",
  elements,
});

const text = (shown: string): types.RichTextText => ({ type: "text", text: unmarked(shown) });

const turn = (name: string, label: string, page: number | null): readonly types.Button[] =>
  page === null
    ? []
    : [{ type: "button", action_id: `${STEPS_PAGE}:${name}`, text: plain(label), value: String(page) }];

const small = (line: string): types.ContextBlock => ({
  type: "context",
  elements: [{ type: "mrkdwn", text: line.slice(0, 3_000), verbatim: true }],
});

const plain = (shown: string): types.PlainTextElement => ({ type: "plain_text", text: shown });
