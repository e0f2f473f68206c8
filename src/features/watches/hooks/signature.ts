/**
 * Authenticates the sender of a request by a token or by a signature over the body. A signature with a time is valid for one
 * day. Delivery ids are remembered for longer, so a replay is the same delivery. Pure.
 */

import { createHmac } from "node:crypto";
import { DAY, type Millis } from "../../../machine/id.ts";
import { bearerOf, equalsInConstantTime } from "../../../../adapters/post/bearer.ts";

/** Tolerance for clocks that are ahead. */
const AHEAD: Millis = 5 * 60_000;

/** The key of a hook is derived from the host's secret; no key reveals another. */
const keyOf = (master: string, name: string): Buffer =>
  createHmac("sha256", master).update(`parley hook ${name}`).digest();

/** The secret of a hook in the form of Standard Webhooks, whose libraries decode the text after the prefix. */
export const hookSecret = (master: string, name: string): string =>
  `whsec_${keyOf(master, name).toString("base64")}`;

export interface Secrets {
  /** As people copy the secret: tokens, and keys of HMACs over the body. */
  readonly texts: readonly string[];
  /** Keys of Standard Webhooks. */
  readonly keys: readonly Buffer[];
}

/** Accepts the key in hex as well, which `parley hook` printed until November 2026. */
export const hookSecretsOf = (master: string, name: string): Secrets => {
  const key = keyOf(master, name);
  const hex = key.toString("hex");
  return {
    texts: [hookSecret(master, name), hex],
    keys: [key, Buffer.from(hex), Buffer.from(hex, "base64")],
  };
};

export const isToken = (token: string, { texts }: Secrets): boolean =>
  texts.filter((text) => equalsInConstantTime(token, text)).length > 0;

/** A request has several signatures while a key is rotated. */
const MOST_SIGNATURES = 10;

type Headers = Pick<globalThis.Headers, "get">;

export type SignatureCheck =
  /** `delivery`: the sender's id of the delivery; null if the id is missing, or could have been changed. */
  | { readonly kind: "right"; readonly delivery: string | null }
  | { readonly kind: "wrong" }
  | { readonly kind: "old" };

export const check = (headers: Headers, body: Uint8Array, secrets: Secrets, now: Millis): SignatureCheck => {
  const delivery =
    headers.get("webhook-id") ?? headers.get("x-github-delivery") ?? headers.get("idempotency-key");
  const token = headers.get("x-gitlab-token") ?? bearerOf(headers.get("authorization"));
  if (token !== null) return isToken(token, secrets) ? { kind: "right", delivery } : WRONG;
  const standard = headers.get("webhook-signature");
  if (standard !== null) return ofStandard(headers, body, secrets, standard, now);
  const given = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("x-hub-signature-256") ?? "")?.[1];
  if (given === undefined) return WRONG;
  const isRight = secrets.texts.some((key) =>
    equalsInConstantTime(given.toLowerCase(), createHmac("sha256", key).update(body).digest("hex")),
  );
  // The signature does not cover an id, so a recorded request could be sent again with another id.
  return isRight ? { kind: "right", delivery: null } : WRONG;
};

/** Checks a signature of Standard Webhooks over id, time and body. */
const ofStandard = (
  headers: Headers,
  body: Uint8Array,
  { keys }: Secrets,
  given: string,
  now: Millis,
): SignatureCheck => {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(time) || id === "") return WRONG;
  const right = keys.map(
    (key) => `v1,${createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64")}`,
  );
  const signatures = given.split(" ", MOST_SIGNATURES);
  const isRight = signatures.some((one) => right.some((other) => equalsInConstantTime(one, other)));
  if (!isRight) return WRONG;
  const age = now - Number(time) * 1_000;
  return age > DAY || age < -AHEAD ? { kind: "old" } : { kind: "right", delivery: id };
};

const WRONG: SignatureCheck = { kind: "wrong" };
