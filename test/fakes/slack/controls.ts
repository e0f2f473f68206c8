/** What a person can press, by the words on it. */

import { z } from "zod";
import { controlsIn, labelOf } from "./render.ts";
import type { Json, Message, World } from "./world.ts";

export interface Control {
  readonly block: Json;
  readonly element: Json;
}

export const controlsOf = (blocks: readonly Json[]): readonly Control[] =>
  blocks.flatMap((block) => controlsIn(block).map((element) => ({ block, element })));

/** The button that says `label`. Throws, with the labels there are, when none does. */
export const buttonNamed = (blocks: readonly Json[], label: string): Control => {
  const buttons = controlsOf(blocks);
  const found = buttons.find(({ element }) => labelOf(element) === label);
  if (found === undefined) {
    const there = buttons.map(({ element }) => labelOf(element)).join(", ");
    throw new Error(`no button "${label}"; there are: ${there === "" ? "none" : there}`);
  }
  return found;
};

/** For stories: which buttons stood there, and which was clicked. */
export const noteClick = (
  world: World,
  { channel, ts, threadTs = ts, blocks = [] }: Pick<Message, "channel" | "ts" | "threadTs" | "blocks">,
  user: string,
  label: string,
): void => {
  const there = controlsOf(blocks).map(({ element }) => `[${labelOf(element) ?? ""}]`);
  world.deeds.push({
    channel,
    threadTs,
    ts: world.nextTs(),
    user,
    what: `clicks ${label} of ${there.join(" ")}`,
  });
};

/** The menu that offers `label`, and that option. */
export const optionNamed = (blocks: readonly Json[], label: string): Control & { readonly option: Json } => {
  for (const control of controlsOf(blocks)) {
    const option = optionsOf(control.element).find((one) => labelOf(one) === label);
    if (option !== undefined) {
      return { ...control, option };
    }
  }
  throw new Error(`no option "${label}"`);
};

const record = z.record(z.string(), z.unknown());

/** The options of a menu, those in groups included. */
export const optionsOf = (element: Json): readonly Json[] => {
  const flat = z.array(record).safeParse(element["options"]);
  const groups = z.array(z.object({ options: z.array(record) })).safeParse(element["option_groups"]);
  return [
    ...(flat.success ? flat.data : []),
    ...(groups.success ? groups.data.flatMap(({ options }) => options) : []),
  ];
};
