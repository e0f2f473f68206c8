/** One question to a forge; whatever goes wrong becomes a sentence that says who can do what about it. */

import type { ForgeResult } from "../../../ports/forge.ts";
import { type Address, projectName } from "../../../ports/address.ts";
import { omitUndefined } from "../../../text/given.ts";
import { Perhaps, TooMuch } from "./idempotent.ts";

/** What is asked for, as in `issue #12`; ITSELF where it is the project. */
export const ITSELF = "";

export interface QueryPurpose {
  readonly what: string;
  /** What the credential may not do, where the forge refuses it. */
  readonly verb: "read" | "write";
}

/** What of a forge's refusal makes a difference. */
interface Refusal {
  readonly status: number;
  /** When to ask again, where it is a limit; null where it is none. */
  readonly limit: RateLimit | null;
  /** The right that is missing, as it goes on behind "Parley's credential may not read this in acme/shop". */
  readonly lacking: string;
  /** What the forge has against it, in brackets. */
  readonly said: string;
}

export interface RateLimit {
  /** As it goes on behind "limits how often Parley may ask;". */
  readonly when: string;
  /** Milliseconds from now, where the forge says it. */
  readonly wait: number | null;
}

interface Client<C> {
  readonly address: Address;
  /** Without a credential only what everybody may read is read. */
  readonly isStranger: boolean;
  /** How the forge calls a project. */
  readonly noun: "repository" | "project";
  open(signal: AbortSignal): Promise<C>;
  /** The refusal of the forge; a sentence where it has not answered. */
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
      return { kind: "trouble", why, ...omitUndefined({ perhaps, wait }) };
    }
  };

const reasonOf = <C>(
  { address, isStranger, noun }: Client<C>,
  /** Null: there was too much. */
  refusal: Refusal | string | null,
  { what, verb }: QueryPurpose,
): string => {
  const project = projectName(address);
  const { host } = address;
  if (refusal === null) return tooMuchIn(address);
  if (typeof refusal === "string") return refusal;
  const { status, limit, lacking, said } = refusal;
  if (limit !== null) return `${host} limits how often Parley may ask; ${limit.when}.`;
  if (status >= 300 && status < 400)
    return `${project} has moved: bind the channel to it under its new name.`;
  switch (status) {
    case 401:
      return `${host} refuses Parley's credential for ${project}: the operator must renew it.`;
    case 403:
      return `Parley's credential may not ${verb} this in ${project}${lacking === "" ? said : lacking}.`;
    case 404:
    case 410: {
      const asked = what === ITSELF ? `${noun} ${project}` : `${what} in ${project}`;
      return isStranger
        ? `There is no ${asked} that everybody may read, and Parley has no credential for it.`
        : `There is no ${asked} that Parley's credential may ${verb}.`;
    }
    case 400:
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

/** Why no answer came. */
export const unansweredForge = (error: unknown, { host }: Address): string =>
  isUntrustedHost(error) ? untrustedHost(host) : `${host} cannot be reached; try again later.`;

/** Node's names for a certificate that does not hold. */
const CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/;
/** Errors that are wrapped in each other. */
const MAX_DEPTH = 5;

/** Whether a request failed because the host's certificate does not hold. */
export const isUntrustedHost = (error: unknown): boolean => {
  let inner = error;
  for (let depth = 0; inner instanceof Error && depth < MAX_DEPTH; depth += 1) {
    if ("code" in inner && CODES.test(String(inner.code))) return true;
    inner = inner.cause;
  }
  return false;
};

/** What the operator does about it, one sentence for people. */
export const untrustedHost = (host: string): string =>
  `${host} could not prove who it is: its certificate is of no authority that Parley trusts. If it is your own authority's, the operator starts Parley with NODE_EXTRA_CA_CERTS (docs/forges.md).`;

/** Characters of what a forge says that stand in a sentence of ours. */
const MAX_WORDS = 300;

/** A forge's own words: one line of printable ASCII, because they reach people and the model beside ours. Pure. */
export const errorTextOf = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);

/** In brackets, to stand behind a sentence; empty where nothing was said. */
export const inBrackets = (text: string): string => {
  const words = errorTextOf(text);
  return words === "" ? "" : ` (${words})`;
};
