/**
 * Members of a port that another host carries out: what is given and answered is what JSON can say. A sentence that waits
 * for its language is said in English.
 */

import * as z from "zod";
import { english, type Worded } from "../../i18n/say.ts";

const call = z.object({
  kind: z.literal("call"),
  port: z.string(),
  member: z.string(),
  given: z.array(z.unknown()),
});
export type Call = z.output<typeof call>;

/** Null for what is no call. */
export const readCall = (errand: unknown): Call | null => {
  const read = call.safeParse(decoded(errand));
  return read.success ? read.data : null;
};

export const callOf = (port: string, member: string, given: readonly unknown[]): unknown =>
  encoded({ kind: "call", port, member, given });

/** What is said later becomes what is said now. */
export const encoded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, one: unknown) => (isSentence(one) ? { [SAID]: one(english) } : one)),
  );

const SAID = "says it";
const said = z.object({ [SAID]: z.string() });

export const decoded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, one: unknown) => {
    const read = said.safeParse(one);
    return read.success ? () => read.data[SAID] : one;
  });

const isSentence = (value: unknown): value is Worded => typeof value === "function";
