/** Requests to the host. Every outcome is a value; `offline` when no answer came. */

import type { ActionBody } from "../api/schema.ts";
import type { About, SearchPage, Summary, WireAction } from "../render/api-types.ts";
import { keyed } from "./key.ts";
import { say as words } from "./words.ts";

export type Answer<T> = { readonly kind: "ok"; readonly data: T } | Refusal;

type Refusal =
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: "offline"; readonly message: string };

/** Milliseconds; longer than the host waits for the slowest that it asks itself. What is sent may take as long as its line needs. */
const PATIENCE = 90_000;
/** A host of a new version may have to read everything that was said before it finds something. */
const LONG_PATIENCE = 600_000;

export const request = async <T = unknown>(
  method: string,
  path: string,
  body?: object,
  patience = PATIENCE,
): Promise<Answer<T>> => {
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const bound = method === "GET" ? { signal: AbortSignal.timeout(patience) } : {};
  try {
    const response = await keyed(path, { method, ...bound, ...(body === undefined ? {} : json) });
    const data = await response.json();
    if (response.ok) return { kind: "ok", data };
    const { code, message } = data.error;
    return { kind: "refused", status: response.status, code, message: words.stored(message) };
  } catch {
    return { kind: "offline", message: words("The host cannot be reached.") };
  }
};

export const about = () => request<About>("GET", "/api/about");

export const PAGE = 50;

/** `before`: `next` of the page before. */
export const find = (text: string, before: number | null) => {
  const from = before === null ? "" : `&before=${before}`;
  const path = `/api/search?q=${encodeURIComponent(text)}${from}`;
  return request<SearchPage>("GET", path, undefined, LONG_PATIENCE);
};

/** `before`: id of the last one seen; `archived`: those that were put away. */
export const list = (before: string | null, archived = false) =>
  request<{ readonly conversations: readonly Summary[] }>(
    "GET",
    `/api/conversations?limit=${PAGE}${before === null ? "" : `&before=${encodeURIComponent(before)}`}${archived ? "&archived=true" : ""}`,
  );

/** Posts that are shown at first, and that earlier ones are asked for by. */
export const POSTS = 99;

export interface Image {
  readonly mediaType: string;
  readonly data: string;
}

/** What a person says: the text and pictures. */
export const saidBody = (text: string, images: readonly Image[]) => ({
  text,
  ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
});

/** What a click asks for: of the page, or what a post's button stands for. */
export type Act = ActionBody | Omit<WireAction, "label">;
