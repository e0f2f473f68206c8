/** Sends requests to the host. Every outcome is a value; `offline` if no response arrived. */

import { keyed } from "./key.ts";
import { say as words } from "./words.ts";

export type HostAnswer<T> = { readonly kind: "ok"; readonly data: T } | Refusal;

type Refusal =
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: "offline"; readonly message: string };

/**
 * Milliseconds, longer than the host's slowest outgoing request. Uploads have no limit, because their duration depends on the
 * person's connection.
 */
const PATIENCE = 90_000;
export const requestHost = async <T = unknown>(
  method: string,
  path: string,
  body?: object,
  patience = PATIENCE,
): Promise<HostAnswer<T>> => {
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
