/** Signature version 4 as a store checks it, written from Amazon's description: independent of the client's library. */

import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface Checked {
  readonly keys: Keys;
  readonly region: string;
  /** Of the store. */
  readonly now: number;
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
/** Milliseconds. */
const MOST_SKEW = 15 * 60_000;

/** Null where it is right, or the code of what is wrong. */
export const refusalOf = (
  request: IncomingMessage,
  body: Buffer,
  { keys, region, now }: Checked,
): string | null => {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const [, id, day = "", scope = "", names = "", signature] = SIGNED.exec(header("authorization")) ?? [];
  if (signature === undefined) return "AccessDenied";
  if (id !== keys.accessKeyId) return "InvalidAccessKeyId";
  if (scope !== region) return "AuthorizationHeaderMalformed";
  const at = header("x-amz-date");
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (!(Math.abs(time - now) <= MOST_SKEW)) return "RequestTimeTooSkewed";
  if ((keys.sessionToken ?? "") !== header("x-amz-security-token")) return "InvalidToken";
  const hash = header("x-amz-content-sha256");
  if (hash !== createHash("sha256").update(body).digest("hex")) return "XAmzContentSHA256Mismatch";
  const signed = names.split(";");
  const due = ["host", ...Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"))];
  if (!due.every((name) => signed.includes(name))) return "AccessDenied";
  const url = new URL(request.url ?? "/", "http://store");
  const query = [...url.searchParams]
    .map(([key, value]) => `${escaped(key)}=${escaped(value)}`)
    .toSorted()
    .join("&");
  const path = decodeURIComponent(url.pathname).split("/").map(escaped).join("/");
  const headers = signed.map((name) => `${name}:${header(name).trim()}\n`).join("");
  const canonical = [request.method, path, query, headers, names, hash].join("\n");
  const digest = createHash("sha256").update(canonical).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", at, `${day}/${scope}/s3/aws4_request`, digest].join("\n");
  const key = [day, scope, "s3", "aws4_request"].reduce<Buffer | string>(
    (from, part) => createHmac("sha256", from).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  const right = createHmac("sha256", key).update(toSign).digest("hex");
  return right === signature ? null : "SignatureDoesNotMatch";
};

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
