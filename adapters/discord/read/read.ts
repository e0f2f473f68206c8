/**
 * Parses Discord interactions: commands, buttons, menus, forms. Other files see no platform detail of
 * interactions. Pure.
 */

import { MessageFlags } from "discord-api-types/v10";
import * as z from "zod";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import { placed, type ThreadLocation, spotOf } from "./threads.ts";
import { member, type MemberInfo } from "./message.ts";
import { user } from "./visible.ts";
import type { Label } from "../../../src/i18n/say.ts";

/** The actor, the location, and a token that permits replies for fifteen minutes. */
interface Acted extends ThreadLocation {
  readonly id: string;
  readonly application: string;
  readonly token: string;
  /** Null in direct messages. */
  readonly guild: string | null;
  readonly channel: string;
  readonly person: string;
  /** Discord's member data in the event; null in direct messages. */
  readonly seen: MemberInfo | null;
  readonly locale?: string;
}

export type Interaction = Acted &
  (
    | { readonly kind: "ask"; readonly question: string; readonly isPrivate: boolean }
    /** `/parley …`. `words`: values of the options. */
    | { readonly kind: "command"; readonly name: string; readonly words: readonly string[] }
    /** "Ask about this", which opens a form. */
    | { readonly kind: "about"; readonly message: string }
    | { readonly kind: "form"; readonly form: string; readonly words: string }
    /** `name`, `value`: from the button's id; both empty if the button is not Parley's. */
    | {
        readonly kind: "press";
        readonly name: string;
        readonly value: string;
        readonly message: string;
        /** Whether only this person sees the message with the button. */
        readonly isAlone: boolean;
      }
    | { readonly kind: "choice"; readonly pressed: string; readonly value: string; readonly message: string }
  );

export const ASK = "ask";
export const PARLEY = "parley";
export const ASK_ABOUT: Label = "Ask about this";
export const FORM_WORDS = "words";

/** Null if the interaction is not Parley's or unreadable. */
export const readInteraction = (data: unknown): Interaction | null => {
  const read = interaction.safeParse(data);
  if (!read.success) return null;
  const one = read.data;
  const person = one.member?.user.id ?? one.user?.id;
  if (person === undefined) return null;
  const locale = omitUndefined({ locale: one.locale });
  const acted: Acted = {
    ...spotOf(one.channel),
    id: one.id,
    application: one.application_id,
    token: one.token,
    guild: one.guild_id ?? null,
    channel: one.channel.id,
    person,
    seen: one.member === undefined ? null : { ...one.member, ...locale },
    ...locale,
  };
  switch (one.type) {
    case 2:
      return readCommand(acted, one.data);
    case 3:
      return readPress(acted, one.data, one.message);
    case 5:
      return readForm(acted, one.data);
  }
};

const readCommand = (acted: Acted, data: unknown): Interaction | null => {
  const about = messageCommand.safeParse(data);
  if (about.success && about.data.name === ASK_ABOUT) {
    return { ...acted, kind: "about", message: about.data.target_id };
  }
  const read = command.safeParse(data);
  if (!read.success) return null;
  const { name, options } = read.data;
  if (name === ASK) {
    const question = options.find((one) => one.name === "question")?.value;
    const isPrivate = options.find((one) => one.name === "private")?.value === true;
    return { ...acted, kind: "ask", question: typeof question === "string" ? question : "", isPrivate };
  }
  const [sub] = options;
  if (name !== PARLEY || sub === undefined) return null;
  const words = (sub.options ?? []).map(({ value }) => String(value));
  return { ...acted, kind: "command", name: sub.name, words };
};

const readPress = (
  acted: Acted,
  data: unknown,
  { id: message, flags }: Pressed = { id: "", flags: 0 },
): Interaction | null => {
  const read = component.safeParse(data);
  if (!read.success) return null;
  const { custom_id: pressed, values } = read.data;
  const [value] = values ?? [];
  if (value !== undefined) return { ...acted, kind: "choice", pressed, value, message };
  const [, name = "", own = ""] = /^parley_([a-z_]+):(.+)$/.exec(pressed) ?? [];
  const isAlone = (flags & MessageFlags.Ephemeral) !== 0;
  return { ...acted, kind: "press", name, value: own, message, isAlone };
};

const readForm = (acted: Acted, data: unknown): Interaction | null => {
  const read = form.safeParse(data);
  if (!read.success) return null;
  const inputs = read.data.components.flatMap(({ components = [] }) => components);
  const words = inputs.find((one) => one.custom_id === FORM_WORDS)?.value ?? "";
  return { ...acted, kind: "form", form: read.data.custom_id, words };
};

const pressed = z.object({ id: z.string(), flags: z.number().default(0) });
type Pressed = z.output<typeof pressed>;
const interaction = z.object({
  id: z.string(),
  application_id: z.string(),
  type: z.union([z.literal(2), z.literal(3), z.literal(5)]),
  token: z.string(),
  guild_id: z.string().optional(),
  channel: placed,
  member: member.extend({ user }).optional(),
  user: user.optional(),
  locale: z.string().optional(),
  message: pressed.optional(),
  data: z.unknown(),
});
const value = z.union([z.string(), z.number(), z.boolean()]);
const command = z.object({
  name: z.string(),
  options: z
    .array(
      z.object({
        name: z.string(),
        value: value.optional(),
        options: z.array(z.object({ name: z.string(), value })).optional(),
      }),
    )
    .default([]),
});
const messageCommand = z.object({ name: z.string(), target_id: z.string() });
const component = z.object({ custom_id: z.string(), values: z.array(z.string()).optional() });
const form = z.object({
  custom_id: z.string(),
  components: z.array(
    z.object({ components: z.array(z.object({ custom_id: z.string(), value: z.string() })).optional() }),
  ),
});
