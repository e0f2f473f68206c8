/** Seals the text of a secret form, so that the inbox stores no value. */

import * as z from "zod";
import type { Conceal } from "../../../src/ports/sealing.ts";
import { isSecretForm } from "../../post/controls.ts";
import { FORM_WORDS, type Interaction } from "../read/read.ts";
import { decidedOf } from "./acknowledge.ts";

/** `one`: the parsed interaction. Other interactions are returned unchanged. */
export const concealDiscordForm = (data: unknown, one: Interaction, conceal: Conceal): unknown => {
  const decided = one.kind === "form" ? decidedOf(one.form) : null;
  if (one.kind !== "form" || decided === null || !isSecretForm(decided.action)) return data;
  const value = one.words === "" ? "" : (conceal(one.words) ?? "");
  const components = [{ type: 1, components: [{ type: 4, custom_id: FORM_WORDS, value }] }];
  // Only the known parts of the form remain, because every other part might repeat the value.
  return { ...interaction.parse(data), data: { custom_id: one.form, components } };
};

const interaction = z.looseObject({});
