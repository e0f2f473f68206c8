/** Steps as a message for one person (TH4). Pure. Its buttons say which turn and which page. */

import { ButtonStyle, ComponentType, MessageFlags } from "discord-api-types/v10";
import type { StepSheet } from "../../../src/ports/chat.ts";
import { type PagedStep, type StepPage, stepPage } from "../../post/step-page.ts";
import { fenced } from "../../text/changes.ts";
import { discordProse } from "./prose.ts";
import { neutralise } from "../../text/neutral.ts";
import { small } from "./blocks.ts";
import { discordDialect, plain } from "./render.ts";

export const STEPS = "steps";
const STEPS_PAGE = "steps_page";
/** In the place of a page: all of it as a file. */
export const WHOLE = -1;

/** With three steps a page and what is set around them, a message has room for that. */
const ROOM = { steps: 3, output: 600, input: 300 } as const;
/** UTF-16 code units of all texts of a message of components v2. */
const MAX_TEXT = 3_900;

export interface StepsWanted {
  readonly value: string;
  readonly page: number;
}

/** By what stands on the button that was pressed; null for any other. */
export const stepsWanted = (name: string, value: string): StepsWanted | null => {
  if (name === STEPS) return { value: value.replace(/(?<=.)~\d+$/, ""), page: 0 };
  const [, page = "", turn = ""] = (name === STEPS_PAGE && /^(-?\d+):(.+)$/.exec(value)) || [];
  return turn === "" ? null : { value: turn, page: Number(page) };
};

export const stepsBody = (sheet: StepSheet | string, page: number, value: string) => {
  const rows = typeof sheet === "string" ? textOnly(sheet) : componentsOf(sheet, page, value);
  return { flags: MessageFlags.IsComponentsV2, allowed_mentions: { parse: [] }, components: rows };
};

const componentsOf = (sheet: StepSheet, page: number, value: string): readonly object[] => {
  const { say } = sheet;
  if (page === WHOLE) {
    const file = { type: ComponentType.File, file: { url: "attachment://steps.txt" } };
    return [...textOnly(say("All steps, with their input and output:")), file];
  }
  const shown = stepPage(sheet, page, ROOM, discordDialect(say));
  const buttons = [
    ...button(say("Older"), shown.older, value),
    ...button(say("Newer"), shown.newer, value),
    ...(sheet.isWhole && sheet.steps.length > 0 ? button(say("Whole output"), WHOLE, value) : []),
  ];
  return [
    ...textOnly(textOf(shown)),
    ...(buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }]),
  ];
};

const textOf = ({ head, steps }: StepPage): string =>
  [...head.map(small), ...steps.map(stepText)].join("\n").slice(0, MAX_TEXT);

const stepText = ({ title, facts, said, input, output }: PagedStep): string =>
  [
    `**${plain(title)}**`,
    small(plain(facts)),
    ...(said === "" ? [] : [neutralise(discordProse(said), [])]),
    ...[input, output ?? ""].filter((one) => one.trim() !== "").map((one) => neutralise(fenced(one))),
  ].join("\n");

const textOnly = (content: string): readonly object[] => [{ type: ComponentType.TextDisplay, content }];

const button = (label: string, page: number | null, value: string): readonly object[] =>
  page === null
    ? []
    : [
        {
          type: ComponentType.Button,
          style: ButtonStyle.Secondary,
          label,
          custom_id: `parley_${STEPS_PAGE}:${page}:${value}`,
        },
      ];
