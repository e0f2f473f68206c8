/**
 * Who sent a request: whoever knows the hook's secret, by a token or by a signature over the body. What is signed with
 * a time may be a day old and no more: what was delivered is known for longer, so that a replay is the same delivery. Pure.
 */

import { createHmac } from "node:crypto";
import { DAY, type Millis } from "../../../machine/id.ts";
import { bearerOf, equalsInConstantTime } from "../../../../adapters/post/bearer.ts";

/** Clocks that go ahead. */
const AHEAD: Millis = 5 * 60_000;

/** The key of a hook, which follows from the host's: none gives away another. */
const keyOf = (master: string, name: string): Buffer =>
  createHmac("sha256", master).update(`parley hook ${name}`).digest();

/** The secret of a hook in the form of Standard Webhooks, whose libraries decode what follows the prefix. */
export const hookSecret = (master: string, name: string): string =>
  `whsec_${keyOf(master, name).toString("base64")}`;

/** Forms in which senders may have one hook's secret. */
export interface Secrets {
  /** As people copy it: tokens, and keys of HMACs over the body. */
  readonly texts: readonly string[];
  /** Keys of Standard Webhooks. */
  readonly keys: readonly Buffer[];
}

/** Until November 2026 `parley hook` printed the key in hex, and those secrets stay valid. */
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

/** Signatures of one request: several while a key is exchanged. */
const MOST_SIGNATURES = 10;

type Headers = Pick<globalThis.Headers, "get">;

export type SignatureCheck =
  /** `delivery`: the sender's own id of it; null if there is none, or if anyone could have changed it. */
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
  // The signature covers no id: whoever recorded the request could send it again under another one.
  return isRight ? { kind: "right", delivery: null } : WRONG;
};

/** As the standard for webhooks has it: over id, time and body; several signatures where a key is changed. */
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
