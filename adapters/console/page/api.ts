/** Requests to the host. Every outcome is a value; `offline` when no answer came. */

import type { ActionBody } from "../api/schema.ts";
import type {
  About,
  ActionResult,
  Budgets,
  PostPage,
  SearchPage,
  Summary,
  WireAction,
} from "../render/api-types.ts";
import type { HostStatusBody } from "../render/host-status.ts";
import { keyed } from "./key.ts";
import { say as words } from "./words.ts";

export type Answer<T> = { readonly kind: "ok"; readonly data: T } | Refusal;

type Refusal =
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: "offline"; readonly message: string };

export const request = async <T = unknown>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer<T>> => {
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const response = await keyed(path, { method, ...(body === undefined ? {} : json) });
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

/** `before`: id of the last one seen; `archived`: those that were put away. */
export const list = (before: string | null, archived = false) =>
  request<{ readonly conversations: readonly Summary[] }>(
    "GET",
    `/api/conversations?limit=${PAGE}${before === null ? "" : `&before=${encodeURIComponent(before)}`}${archived ? "&archived=true" : ""}`,
  );

/** Posts that are shown at first, and that earlier ones are asked for by. */
export const POSTS = 99;

/** Those before the ordinal of one. */
export const posts = (id: string, before: number) =>
  request<PostPage>("GET", `/api/conversations/${id}/posts?last=${POSTS}&before=${before}`);

export const create = (repo: string) =>
  request<Summary>("POST", "/api/conversations", repo === "" ? {} : { repo });

export interface Image {
  readonly mediaType: string;
  readonly data: string;
}

/** What a person says: the text and pictures. */
export const saidBody = (text: string, images: readonly Image[]) => ({
  text,
  ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
});

/** The same `message.id` may be sent any number of times; it is taken once. */
export const say = (id: string, message: ReturnType<typeof saidBody> & { readonly id: string }) =>
  request("POST", `/api/conversations/${id}/messages`, message);

/** What a click asks for: of the page, or what a post's button stands for. */
export type Act = ActionBody | Omit<WireAction, "label">;

export const act = (id: string, body: Act) =>
  request<ActionResult>("POST", `/api/conversations/${id}/actions`, body);

export const budgets = () => request<Budgets>("GET", "/api/budgets");

/** `dollars`: a day; null: no bound. */
export const setBudget = (scope: string, dollars: number | null) =>
  request("POST", "/api/budgets", { scope, dollars });

export const hostStatus = () => request<HostStatusBody>("GET", "/api/status");

export const search = (text: string, before: number | null) =>
  request<SearchPage>(
    "GET",
    `/api/search?q=${encodeURIComponent(text)}${before === null ? "" : `&before=${before}`}`,
  );
