/** What a person puts into a modal, as the payload of its submission carries it. */

import { z } from "zod";
import { optionsOf } from "../controls.ts";
import { labelOf } from "../render.ts";
import type { View } from "./views.ts";
import type { Json } from "../world.ts";

const inputSchema = z.object({
  type: z.literal("input"),
  block_id: z.string(),
  label: z.object({ text: z.string() }),
  optional: z.boolean().optional(),
  element: z.looseObject({ type: z.string(), action_id: z.string() }),
});

type Input = z.infer<typeof inputSchema>;

/** `state.values` of a view. Throws when a name fits no input, or an input that is needed has no value. */
export const filledIn = (view: View, values: Readonly<Record<string, string>>): Json => {
  const inputs = z
    .array(z.unknown())
    .parse(view.view["blocks"])
    .flatMap((block) => {
      const input = inputSchema.safeParse(block);
      return input.success ? [input.data] : [];
    });
  const unknown = Object.keys(values).find((name) => !inputs.some((input) => namesOf(input).includes(name)));
  if (unknown !== undefined) {
    throw new Error(`no input "${unknown}"; there are: ${inputs.map(({ label }) => label.text).join(", ")}`);
  }
  return Object.fromEntries(
    inputs.map((input) => {
      const name = namesOf(input).find((one) => one in values);
      const value = name === undefined ? undefined : values[name];
      if (value === undefined && input.optional !== true) {
        throw new Error(`"${input.label.text}" has to be filled in`);
      }
      return [input.block_id, { [input.element.action_id]: stateOf(input, value) }];
    }),
  );
};

const namesOf = ({ label, block_id, element }: Input): readonly string[] => [
  label.text,
  block_id,
  element.action_id,
];

const stateOf = ({ element }: Input, value: string | undefined): Json => {
  if (element.type === "static_select" || element.type === "radio_buttons") {
    const option = optionsOf(element).find((one) => labelOf(one) === value);
    if (value !== undefined && option === undefined) {
      throw new Error(`no option "${value}"`);
    }
    return { type: element.type, selected_option: option ?? null };
  }
  return { type: element.type, value: value ?? null };
};
