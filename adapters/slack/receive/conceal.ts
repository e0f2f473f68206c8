/** Seals the text of a secret form, so that neither the inbox nor another host gets the value. */

import * as z from "zod";
import type { Conceal } from "../../../src/ports/sealing.ts";
import { isSecretForm } from "../../post/controls.ts";
import { DECIDE_FORM, readDecided, TEXT_INPUT } from "./modals.ts";

/** Other bodies are returned unchanged. */
export const concealSlackForm = (body: unknown, conceal: Conceal): unknown => {
  const read = submission.safeParse(body);
  if (!read.success) return body;
  const { view, ...rest } = read.data;
  const decided = readDecided(view.private_metadata);
  if (decided === null || !isSecretForm(decided.action)) return body;
  const fields = record.safeParse(view.state?.values[TEXT_INPUT]).data ?? {};
  const typed = field.safeParse(Object.values(fields)[0]).data?.value ?? "";
  const value = typed === "" ? null : conceal(typed);
  // Only the known parts remain, because every other part might repeat the value.
  return {
    ...rest,
    view: {
      id: view.id,
      type: "modal",
      callback_id: view.callback_id,
      private_metadata: view.private_metadata,
      state: { values: { [TEXT_INPUT]: { [TEXT_INPUT]: { type: "plain_text_input", value } } } },
    },
  };
};

const record = z.record(z.string(), z.unknown());
const field = z.object({ value: z.string() });
const submission = z.object({
  type: z.literal("view_submission"),
  team: z.unknown(),
  user: z.unknown(),
  view: z.object({
    id: z.string(),
    callback_id: z.literal(DECIDE_FORM),
    private_metadata: z.string(),
    state: z.object({ values: record }).optional(),
  }),
});
