/** Requests to the host. Every outcome is a value; `offline` when no answer came. */

import { keyed } from "./key.js";

export const request = async (method, path, body) => {
  try {
    const response = await keyed(path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const data = await response.json();
    if (response.ok) return { kind: "ok", data };
    const { code, message, details } = data.error;
    return { kind: "refused", status: response.status, code, message, details };
  } catch {
    return { kind: "offline", message: "The host cannot be reached." };
  }
};

export const about = () => request("GET", "/api/about");

/** `before`: id of the last one seen; `archived`: those that were put away. */
export const list = (before, archived = false) =>
  request(
    "GET",
    `/api/conversations?limit=50${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}${archived ? "&archived=true" : ""}`,
  );

export const create = (repo) => request("POST", "/api/conversations", repo === "" ? {} : { repo });

/** The same `message.id` may be sent any number of times; it is taken once. */
export const say = (id, message) => request("POST", `/api/conversations/${id}/messages`, message);

export const act = (id, body) => request("POST", `/api/conversations/${id}/actions`, body);

export const budgets = () => request("GET", "/api/budgets");

/** `dollars`: a day; null: no bound. */
export const setBudget = (scope, dollars) => request("POST", "/api/budgets", { scope, dollars });

export const hostStatus = () => request("GET", "/api/status");

/** `before`: `next` of the page before. */
export const search = (text, before) =>
  request(
    "GET",
    `/api/search?q=${encodeURIComponent(text)}${before === undefined ? "" : `&before=${before}`}`,
  );
