/** Queries to GitLab, and the meaning of its refusals. */

import { z } from "zod";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import type { GitLabAccess } from "../api/access.ts";
import {
  type ForgeQuery,
  createAsk,
  inBrackets,
  type RateLimit,
  type QueryPurpose,
  unansweredForge,
} from "../api/ask.ts";
import { type Client, createGitlabClient, Refused } from "./client.ts";

export const askGitLab = (access: GitLabAccess, verb: QueryPurpose["verb"]): ForgeQuery<Client> => {
  const { address } = access;
  return createAsk(
    {
      address,
      isStranger: false,
      noun: "project",
      ...omitUndefined({ account: access.account }),
      open: (signal) => Promise.resolve(createGitlabClient(access, signal)),
      read: (error) => {
        if (error instanceof z.ZodError || error instanceof SyntaxError) {
          return `${address.host} answers with something that is not GitLab's; the operator should check the entry's \`api\` in the file that PARLEY_FORGES names.`;
        }
        if (!(error instanceof Refused)) return unansweredForge(error, address);
        const { status, headers, said } = error;
        const limit = status === 429 ? limitOf(headers) : null;
        return { status, limit, lacking: lacking(said), said: saidIn(said) };
      },
    },
    verb,
  );
};

const limitOf = (headers: Headers): RateLimit => {
  const after = headers.get("retry-after");
  return after !== null && /^\d+$/.test(after)
    ? { when: `try again in ${after} s`, wait: Number(after) * 1000 }
    : { when: "try again later", wait: null };
};

const scoped = z.object({ error: z.literal("insufficient_scope"), scope: z.string() });

/** The missing scope, or that the role of the token's owner is too low. */
const lacking = (said: unknown): string => {
  const { scope } = scoped.safeParse(said).data ?? {};
  return scope === undefined
    ? "; its role there is too small"
    : `; it lacks the scope ${scope.replaceAll(/[^\w ]/g, "").slice(0, 60)}`;
};

const worded = z.object({ message: z.unknown().optional(), error: z.unknown().optional() });

const saidIn = (said: unknown): string => {
  const { message, error } = worded.safeParse(said).data ?? {};
  const given = message ?? error ?? "";
  return inBrackets(typeof given === "string" ? given : JSON.stringify(given));
};
