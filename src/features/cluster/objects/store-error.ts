/** Explains in one sentence why an S3 store failed and what to do. */

import { elementsOf } from "./elements.ts";
import type { S3Settings } from "./bucket.ts";

export interface StoreError {
  readonly kind: "setback";
  /** Whether a retry may succeed. */
  readonly passes: boolean;
  readonly why: string;
}

export interface MissingObject {
  readonly kind: "missing";
}

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Pure. `now`: time of this host. */
export const setbackOf = (
  settings: S3Settings,
  { status, headers, text }: Refusal,
  now: number,
): StoreError | MissingObject => {
  const said = elementsOf(text);
  const [code = ""] = said("Code");
  const [region = headers.get("x-amz-bucket-region") ?? ""] = said("Region");
  if (status <= 400 && region !== "" && region !== settings.region)
    return lasting(
      `the bucket ${settings.bucket} is in the region ${region}: set PARLEY_SHARED_REGION to that region`,
    );
  const why = WHY[code]?.(settings, skewOf(headers, now));
  if (why !== undefined) return lasting(why);
  if (status === 404) return { kind: "missing" };
  if (status >= 300 && status < 400)
    return lasting(
      `the store redirects this host (status ${status}): set PARLEY_SHARED_ENDPOINT and PARLEY_SHARED_REGION to the location of the bucket ${settings.bucket}`,
    );
  if (status === 401 || status === 403) return lasting(whyDenied(settings));
  const what = `the store answers with status ${status}${/^\w{1,60}$/.test(code) ? ` (${code})` : ""}`;
  const passes = status >= 500 || status === 429 || status === 408 || PASSING.has(code);
  return passes
    ? { kind: "setback", passes, why: `${what} repeatedly: wait, or ask the operator of the store` }
    : lasting(
        `${what}: ask the operator of the store, and check PARLEY_SHARED_STORAGE and PARLEY_SHARED_ENDPOINT`,
      );
};

/** Error of a request that received no complete answer. */
export const setbackOfError = (error: unknown, host: string): StoreError => {
  const code = codeBelow(error);
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code))
    return lasting(
      `the store at ${host} could not prove its identity (${code}): add the certificate authority to NODE_EXTRA_CA_CERTS`,
    );
  const why = `the store at ${host} does not answer (${code}): check the network and PARLEY_SHARED_ENDPOINT`;
  return { kind: "setback", passes: true, why };
};

const lasting = (why: string): StoreError => ({ kind: "setback", passes: false, why });

const whyDenied = ({ bucket, prefix }: S3Settings): string =>
  `the access key lacks permissions in the bucket ${bucket}: allow the key to read, write, remove and list objects below ${prefix === "" ? "the bucket" : prefix}`;

const EXPIRED = (): string =>
  "the session token has expired or is invalid: renew AWS_SESSION_TOKEN together with both keys, or use permanent keys";

const WHY: Readonly<Record<string, (settings: S3Settings, skew: string) => string>> = {
  AccessDenied: whyDenied,
  NoSuchBucket: ({ bucket }) =>
    `the bucket ${bucket} does not exist: create the bucket, or correct PARLEY_SHARED_STORAGE`,
  InvalidBucketName: ({ bucket }) => `${bucket} is not a valid bucket name: correct PARLEY_SHARED_STORAGE`,
  InvalidAccessKeyId: () =>
    "the store does not know the access key: correct PARLEY_SHARED_ACCESS_KEY or AWS_ACCESS_KEY_ID",
  SignatureDoesNotMatch: () =>
    "the secret key does not belong to the access key: correct PARLEY_SHARED_SECRET_KEY or AWS_SECRET_ACCESS_KEY",
  ExpiredToken: EXPIRED,
  InvalidToken: EXPIRED,
  RequestTimeTooSkewed: (_, skew) =>
    `the clock of this host ${skew}: correct the clock, for example with NTP`,
};

const PASSING: ReadonlySet<string> = new Set(["RequestTimeout", "OperationAborted"]);

const skewOf = (headers: Headers, now: number): string => {
  const minutes = Math.round((now - Date.parse(headers.get("date") ?? "")) / 60_000);
  if (!Number.isFinite(minutes) || minutes === 0) return "differs from that of the store";
  return `is ${Math.abs(minutes)} min ${minutes > 0 ? "ahead of" : "behind"} that of the store`;
};

const codeBelow = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return codeBelow(inner);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
};
