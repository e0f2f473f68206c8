/**
 * Builds the message with a turn's steps for one person (TH4). The buttons contain the turn and the page.
 * Pure.
 */

import { ButtonStyle, ComponentType, MessageFlags } from "discord-api-types/v10";
import type { StepSheet } from "../../../src/ports/chat.ts";
import { type PagedStep, type StepPage, stepPage } from "../../post/step-page.ts";
import { fencedText } from "../../text/changes.ts";
import { discordProse } from "./prose.ts";
import { neutralize } from "../../text/neutral.ts";
import { smallText } from "./blocks.ts";
import { discordDialect, discordPlain } from "./render.ts";

export const STEPS_BUTTON = "steps";
const STEPS_PAGE = "steps_page";
/** Page number that requests all steps as a file. */
export const WHOLE = -1;

/** Limits that fit into a message with three steps a page and their surroundings. */
const ROOM = { steps: 3, output: 600, input: 300 } as const;
/** UTF-16 code units of all texts in a components v2 message. */
const MAX_TEXT = 3_900;

export interface StepsWanted {
  readonly value: string;
  readonly page: number;
}

/** Parses the id of a clicked button; null for any other button. */
export const stepsWanted = (name: string, value: string): StepsWanted | null => {
  if (name === STEPS_BUTTON) return { value: value.replace(/(?<=.)~\d+$/, ""), page: 0 };
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
  [...head.map(smallText), ...steps.map(stepText)].join("\n").slice(0, MAX_TEXT);

const stepText = ({ title, facts, said, input, output }: PagedStep): string =>
  [
    `**${discordPlain(title)}**`,
    smallText(discordPlain(facts)),
    ...(said === "" ? [] : [neutralize(discordProse(said), [])]),
    ...[input, output ?? ""].filter((one) => one.trim() !== "").map((one) => neutralize(fencedText(one))),
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
