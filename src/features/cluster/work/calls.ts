/**
 * Calls of port methods that another host carries out; arguments and results are JSON. A sentence that waits for its language
 * is sent in English.
 */

import * as z from "zod";
import { english, type LocalizedText } from "../../../i18n/say.ts";

const call = z.object({
  kind: z.literal("call"),
  port: z.string(),
  member: z.string(),
  given: z.array(z.unknown()),
});

export const createClusterCalls = () => {
  const offered = new Map<string, (given: unknown) => Promise<unknown>>();
  return {
    offer: (port: string, member: string, own: (...given: never) => Promise<unknown>): void => {
      offered.set(nameOf(port, member), (told) => own(...GIVEN.parse(told)));
    },
    /** Null if the errand is not a call, or the method is not offered. */
    carryOut: (errand: unknown): Promise<unknown> | null => {
      const { data } = call.safeParse(decoded(errand));
      const own = data === undefined ? undefined : offered.get(nameOf(data.port, data.member));
      return own?.(data?.given).then(encoded) ?? null;
    },
  };
};

export type Calls = ReturnType<typeof createClusterCalls>;

/** Not validated: hosts of one database run the same code, so the arguments fit the method. */
const GIVEN = z.custom<never>((told) => Array.isArray(told));

const nameOf = (port: string, member: string): string => `${port}/${member}`;

export const callOf = (port: string, member: string, given: readonly unknown[]): unknown =>
  encoded({ kind: "call", port, member, given });

/** Converts to JSON; functions that return a sentence become their English text. */
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

const isSentence = (value: unknown): value is LocalizedText => typeof value === "function";
