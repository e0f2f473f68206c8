/** One request to the fake, as tests see it. */

import type { Exchange } from "../shared/exchange.ts";
import type { Json } from "./world.ts";

export interface Call {
  /** 1 for the first request of this fake. */
  readonly seq: number;
  /** The Web API method, or `upload`, `download`, `response_url`. */
  readonly method: string;
  /** The arguments, JSON fields parsed, the token left out. */
  readonly args: Json;
  readonly exchange: Exchange;
}

/** The arguments of a form or JSON body. */
export const argsOf = (contentType: string, text: string): Json => {
  const given = contentType.startsWith("application/json") ? jsonRecord(text) : formRecord(text);
  const { token: _token, ...args } = given;
  return args;
};

const formRecord = (text: string): Json =>
  Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name,
      jsonFields.has(name) ? parsedOr(value) : value,
    ]),
  );

/** What a form carries as JSON; everything else is text, whatever it looks like. */
const jsonFields = new Set([
  "attachments",
  "blocks",
  "chunks",
  "files",
  "loading_messages",
  "metadata",
  "prompts",
  "view",
]);

const parsedOr = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

const jsonRecord = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
};
