/** One query to a forge. Each failure becomes a sentence that names the person who can fix the cause, and the remedy. */

import type { ForgeResult } from "../../../ports/forge.ts";
import { type Address, projectName } from "../../../ports/address.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { Perhaps, TooMuch } from "./idempotent.ts";

/** Name of the queried item, such as `issue #12`; ITSELF means the project. */
export const ITSELF = "";

export interface QueryPurpose {
  readonly what: string;
  /** Right that the credential needs, for the sentence about a refusal. */
  readonly verb: "read" | "write";
}

interface Refusal {
  readonly status: number;
  /** The rate limit that caused the refusal; null for any other cause. */
  readonly limit: RateLimit | null;
  /** The missing right, as the end of the sentence "Parley's credential may not read this in acme/shop". */
  readonly lacking: string;
  /** The forge's own reason, in brackets. */
  readonly said: string;
}

export interface RateLimit {
  /** End of the sentence "limits how often Parley may ask;". */
  readonly when: string;
  /** Milliseconds from now; null if the forge names no time. */
  readonly wait: number | null;
}

interface Client<C> {
  readonly address: Address;
  /** Whether there is no credential, so that only public content can be read. */
  readonly isStranger: boolean;
  readonly noun: "repository" | "project";
  /** The account of a person who writes; absent for the operator's credential. */
  readonly account?: string;
  open(signal: AbortSignal): Promise<C>;
  /** The forge's refusal, or a sentence if the forge did not answer. */
  read(error: unknown): Refusal | string;
}

export type ForgeQuery<C> = <T>(
  what: string,
  signal: AbortSignal,
  question: (client: C) => Promise<T>,
) => Promise<ForgeResult<T>>;

export const createAsk =
  <C>(client: Client<C>, verb: QueryPurpose["verb"] = "read"): ForgeQuery<C> =>
  async (what, signal, question) => {
    try {
      return { kind: "found", value: await question(await client.open(signal)) };
    } catch (error) {
      const [cause, perhaps] = error instanceof Perhaps ? ([error.cause, true] as const) : [error];
      if (signal.aborted)
        return { kind: "trouble", why: "The request was cancelled.", ...omitUndefined({ perhaps }) };
      const refusal = cause instanceof TooMuch ? null : client.read(cause);
      const wait = typeof refusal === "string" ? undefined : (refusal?.limit?.wait ?? undefined);
      const why = reasonOf(client, refusal, { what, verb });
      const refused = refusal === null || typeof refusal === "string" ? undefined : refusedBy(refusal);
      return { kind: "trouble", why, ...omitUndefined({ perhaps, wait, refused }) };
    }
  };

/** GitHub answers 422 if a person may not open a pull request of a branch. */
const MISSING_RIGHT: readonly number[] = [403, 404, 422];

const refusedBy = ({ status, limit }: Refusal): "credential" | "right" | undefined => {
  if (limit !== null) return undefined;
  if (status === 401) return "credential";
  return MISSING_RIGHT.includes(status) ? "right" : undefined;
};

const reasonOf = <C>(
  { address, isStranger, noun, account }: Client<C>,
  /** Null if the answer is too large. */
  refusal: Refusal | string | null,
  { what, verb }: QueryPurpose,
): string => {
  const project = projectName(address);
  const whose = account === undefined ? "Parley's credential" : `The account ${account}`;
  const { host } = address;
  if (refusal === null) return tooMuchIn(address);
  if (typeof refusal === "string") return refusal;
  const { status, limit, lacking, said } = refusal;
  if (limit !== null) return `${host} limits how often Parley may ask; ${limit.when}.`;
  if (status >= 300 && status < 400)
    return `${project} has moved: bind the channel to it under its new name.`;
  switch (status) {
    case 401:
      return account === undefined
        ? `${host} refuses Parley's credential for ${project}: the operator must renew it.`
        : `${host} no longer accepts the connection of ${account}.`;
    case 403:
      return `${whose} may not ${verb} this in ${project}${lacking === "" ? said : lacking}.`;
    case 404:
    case 410: {
      const asked = what === ITSELF ? `${noun} ${project}` : `${what} in ${project}`;
      return isStranger
        ? `There is no ${asked} that everybody may read, and Parley has no credential for it.`
        : `There is no ${asked} that ${account === undefined ? whose : `the account ${account}`} may ${verb}.`;
    }
    case 400:
    case 405:
    case 409:
    case 422:
      return verb === "read"
        ? `${host} does not understand the request for ${what}${said}.`
        : `${project} does not take it${said}.`;
    default:
      return `${host} does not answer as it should (status ${status}); try again later.`;
  }
};

export const tooMuchIn = (address: Address): string =>
  `There is too much in ${projectName(address)} to look through.`;

/** Explains a missing answer in a sentence. */
export const unansweredForge = (error: unknown, { host }: Address): string =>
  isUntrustedHost(error) ? untrustedHost(host) : `${host} cannot be reached; try again later.`;

/** Node's error codes for an invalid certificate. */
const CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/;
/** Maximum number of nested errors to inspect. */
const MAX_DEPTH = 5;

/** Whether a request failed because the host's certificate is invalid. */
export const isUntrustedHost = (error: unknown): boolean => {
  let inner = error;
  for (let depth = 0; inner instanceof Error && depth < MAX_DEPTH; depth += 1) {
    if ("code" in inner && CODES.test(String(inner.code))) return true;
    inner = inner.cause;
  }
  return false;
};

/** One sentence for people, with the remedy for the operator. */
export const untrustedHost = (host: string): string =>
  `${host} could not prove who it is: its certificate is of no authority that Parley trusts. If it is your own authority's, the operator starts Parley with NODE_EXTRA_CA_CERTS (docs/forges.md).`;

/** Maximum number of characters of a forge's message within one of Parley's sentences. */
const MAX_WORDS = 300;

/**
 * Converts a forge's own words to one line of printable ASCII, because people and the model read the words within Parley's
 * sentences. Pure.
 */
export const errorTextOf = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);

/** The words in brackets, to follow a sentence; empty if there are no words. */
export const inBrackets = (text: string): string => {
  const words = errorTextOf(text);
  return words === "" ? "" : ` (${words})`;
};
