/**
 * Who sent a request: whoever knows the hook's secret, by a token or by a signature over the body. What is signed with
 * a time may be a day old and no more: what was delivered is known for longer, so that a replay is the same delivery. Pure.
 */

import { createHmac } from "node:crypto";
import { DAY, type Millis } from "../../src/machine/id.ts";
import { bearerOf, same } from "../post/bearer.ts";

/** Clocks that go ahead. */
const AHEAD: Millis = 5 * 60_000;

/** The secret of a hook, which follows from the host's: none gives away another. */
export const hookSecret = (master: string, name: string): string =>
  createHmac("sha256", master).update(`parley hook ${name}`).digest("hex");

type Headers = Pick<globalThis.Headers, "get">;

export type Checked =
  /** `delivery`: the sender's own id of it, where it has one. */
  | { readonly kind: "right"; readonly delivery: string | null }
  | { readonly kind: "wrong" }
  | { readonly kind: "old" };

export const check = (headers: Headers, body: Uint8Array, secret: string, now: Millis): Checked => {
  const delivery =
    headers.get("webhook-id") ?? headers.get("x-github-delivery") ?? headers.get("idempotency-key");
  const token = headers.get("x-gitlab-token");
  if (token !== null) return same(token, secret) ? { kind: "right", delivery } : WRONG;
  const bearer = bearerOf(headers.get("authorization"));
  if (bearer !== null) return same(bearer, secret) ? { kind: "right", delivery } : WRONG;
  const standard = headers.get("webhook-signature");
  if (standard !== null) return ofStandard(headers, body, secret, standard, now);
  const given = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("x-hub-signature-256") ?? "")?.[1];
  if (given === undefined) return WRONG;
  const right = createHmac("sha256", secret).update(body).digest("hex");
  return same(given.toLowerCase(), right) ? { kind: "right", delivery } : WRONG;
};

/** As the standard for webhooks has it: over id, time and body; several signatures where a key is changed. */
const ofStandard = (
  headers: Headers,
  body: Uint8Array,
  secret: string,
  given: string,
  now: Millis,
): Checked => {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(time) || id === "") return WRONG;
  const right = createHmac("sha256", secret).update(`${id}.${time}.`).update(body).digest("base64");
  const isRight = given.split(" ").some((one) => same(one, `v1,${right}`));
  if (!isRight) return WRONG;
  const age = now - Number(time) * 1_000;
  return age > DAY || age < -AHEAD ? { kind: "old" } : { kind: "right", delivery: id };
};

const WRONG: Checked = { kind: "wrong" };
