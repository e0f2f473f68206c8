/** One question to GitLab; whatever goes wrong becomes a sentence that says who can do what about it. */

import { z } from "zod";
import type { Asked } from "../../ports/forge.ts";
import { projectName } from "../address.ts";
import { Perhaps, TooMuch } from "../once.ts";
import { isUntrustedHost, untrustedHost } from "../untrusted-host.ts";
import { inBrackets } from "../words.ts";
import type { Client } from "./client.ts";
import { type GitLabAccess, Refused } from "./transport.ts";

/** `what` is what is asked for, as in `issue #12`. */
export type Ask = <T>(
  what: string,
  signal: AbortSignal,
  question: (client: Client) => Promise<T>,
) => Promise<Asked<T>>;

export const createAsk =
  (access: GitLabAccess, verb: "read" | "write" = "read"): Ask =>
  async (what, signal, question) => {
    try {
      // The client's library is large, and most hosts start without ever asking a forge.
      const { createClient } = await import("./client.ts");
      return { kind: "found", value: await question(createClient(access, signal)) };
    } catch (error) {
      const isPerhaps = error instanceof Perhaps;
      const cause = isPerhaps ? error.cause : error;
      const why = signal.aborted ? "The request was cancelled." : reasonOf(cause, { what, verb }, access);
      return { kind: "trouble", why, ...(isPerhaps ? { perhaps: true } : {}) };
    }
  };

/** What is asked for where it is the project itself. */
export const PROJECT = "project";

interface Question {
  readonly what: string;
  readonly verb: "read" | "write";
}

const reasonOf = (error: unknown, { what, verb }: Question, { address }: GitLabAccess): string => {
  const project = projectName(address);
  const { host } = address;
  if (error instanceof TooMuch) return `There is too much in ${project} to look through.`;
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return `${host} answers with something that is not GitLab's; the operator should check the entry's \`api\` in the file that PARLEY_FORGES names.`;
  }
  if (!(error instanceof Refused)) {
    return isUntrustedHost(error) ? untrustedHost(host) : `${host} cannot be reached; try again later.`;
  }
  const { status, headers, said } = error;
  if (status >= 300 && status < 400) {
    return `${project} has moved: bind the channel to it under its new name.`;
  }
  switch (status) {
    case 401:
      return `${host} refuses Parley's credential for ${project}: the operator must renew it.`;
    case 403:
      return `Parley's credential may not ${verb} this in ${project}${lacking(said)}.`;
    case 404:
      return `There is no ${what === PROJECT ? `project ${project}` : `${what} in ${project}`} that Parley's credential may ${verb}.`;
    case 429:
      return `${host} limits how often Parley may ask; ${limitOf(headers)}.`;
    case 400:
    case 409:
    case 422:
      return verb === "read"
        ? `${host} does not understand the request for ${what}.`
        : `${project} does not take it${saidIn(said)}.`;
    default:
      return `${host} does not answer as it should (status ${status}); try again later.`;
  }
};

const limitOf = (headers: Headers): string => {
  const after = headers.get("retry-after");
  return after !== null && /^\d+$/.test(after) ? `try again in ${after} s` : "try again later";
};

const scoped = z.object({ error: z.literal("insufficient_scope"), scope: z.string() });

/** The scope that the forge asks for, or that the person behind the token has too small a role. */
const lacking = (said: unknown): string => {
  const { scope } = scoped.safeParse(said).data ?? {};
  return scope === undefined
    ? "; its role there is too small"
    : `; it lacks the scope ${scope.replaceAll(/[^\w ]/g, "").slice(0, 60)}`;
};

const worded = z.object({ message: z.unknown().optional(), error: z.unknown().optional() });

/** What the forge has against it, in its own words. */
const saidIn = (said: unknown): string => {
  const { message, error } = worded.safeParse(said).data ?? {};
  const given = message ?? error ?? "";
  return inBrackets(typeof given === "string" ? given : JSON.stringify(given));
};
