/** What a failed schema validation has to say to a reader. */

import type { ErrorObject, ValidateFunction } from "ajv";
import { z } from "zod";

interface Complaint {
  /** JSON pointer into what was validated; empty for the whole. */
  readonly pointer: string;
  readonly reason: string;
}

/** The most specific complaint of a failed validation. */
export const deepestComplaint = (errors: readonly ErrorObject[] | null | undefined): Complaint => {
  const deepest = (errors ?? []).toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  return deepest === undefined
    ? { pointer: "", reason: "the schema is not satisfied" }
    : { pointer: deepest.instancePath, reason: reasonOf(deepest) };
};

/** The same as one line, `path: reason`. */
export const complaintOf = (errors: readonly ErrorObject[] | null | undefined): string => {
  const { pointer, reason } = deepestComplaint(errors);
  return `${pointer === "" ? "request" : pointer.slice(1).replaceAll("/", ".")}: ${reason}`;
};

/** Throws when the fake itself made what the SDK's types do not allow. */
export const mustFit = (fits: ValidateFunction, made: unknown): void => {
  if (!fits(made)) {
    throw new Error(`the fake made what the SDK does not know: ${complaintOf(fits.errors)}`);
  }
};

const rankOf = (error: ErrorObject): number =>
  error.instancePath.split("/").length * 2 + (error.keyword === "anyOf" ? 0 : 1);

const reasonOf = (error: ErrorObject): string => {
  const said = z
    .object({ tag: z.string(), tagValue: z.unknown() })
    .or(z.object({ additionalProperty: z.string() }))
    .safeParse(error.params);
  if (!said.success) {
    return error.message ?? error.keyword;
  }
  return "tag" in said.data
    ? `unknown ${said.data.tag} ${JSON.stringify(said.data.tagValue)}`
    : `extra input "${said.data.additionalProperty}" is not permitted`;
};
