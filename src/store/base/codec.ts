/** Parses stored data: unknown fields are dropped, added fields have a default, unreadable rows are logged and skipped. */

import { createHash } from "node:crypto";
import * as z from "zod";
import type { State } from "../../machine/state.ts";
import type { Log, LogFields } from "../../ports/host.ts";
import { canonical } from "../../text/canonical.ts";

/** Increased when `transition` changes the result of replaying a stored log (D9). */
export const CORE_VERSION = "7";

export const encode = (value: unknown): string => JSON.stringify(value);

/** The state without its grants, which are never stored (C27). */
export const encodeState = (state: State): string =>
  JSON.stringify({ ...state, grants: undefined, standing: undefined });

/** SHA-256 of the canonical state, grants included, which replay compares (D9, L12). */
export const hashState = (state: State): string =>
  createHash("sha256").update(canonical(state)).digest("hex");

export const json = <S extends z.ZodType>(schema: S) => z.string().transform(parseJson).pipe(schema);

export const flag = z.number().transform((held) => held === 1);

/** Null if the row is missing or unreadable. */
type ReadOne = <S extends z.ZodType>(schema: S, row: unknown, from: LogFields) => z.output<S> | null;
type ReadAll = <S extends z.ZodType>(
  schema: S,
  rows: Iterable<unknown>,
  from: LogFields,
  most?: number,
) => z.output<S>[];

export type Read = ReadOne & { readonly all: ReadAll };

export const createRead = (log: Log): Read => {
  const read: ReadOne = (schema, row, from) => {
    if (row === undefined) return null;
    const parsed = schema.safeParse(row);
    if (parsed.success) return parsed.data;
    log.error("store: row not read", { ...from, ...NAMES.parse(row), why: explain(parsed.error) });
    return null;
  };
  const all: ReadAll = (schema, rows, from, most = Infinity) => {
    const found: z.output<typeof schema>[] = [];
    for (const row of rows) {
      if (found.length >= most) break;
      const one = read(schema, row, from);
      if (one !== null) found.push(one);
    }
    return found;
  };
  return Object.assign(read, { all });
};

const NAMES = z
  .object({ id: z.string().exactOptional(), conversation: z.string().exactOptional() })
  .catch({});

/** The message of `JSON.parse` would quote stored text. */
const parseJson = (text: string, context: z.core.$RefinementCtx<string>): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    context.issues.push({ code: "custom", message: "not JSON", input: text, continue: false });
    return z.NEVER;
  }
};

const explain = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.map(String).join(".")}: ${issue.code}`)
    .join("; ");
