/** Tests a GitLab token: its scopes and its expiry. */

import { z } from "zod";
import type { GitLabAccess } from "../api/access.ts";
import { createGitlabClient, Refused } from "./client.ts";
import type { CredentialInspection, NeededRight } from "../api/inspection.ts";

/** Works for personal, project and group access tokens. Never rejects. */
export const inspectGitLab = async (
  access: GitLabAccess,
  signal: AbortSignal,
): Promise<CredentialInspection> => {
  const host = new URL(access.api).host;
  try {
    const client = createGitlabClient(access, signal, "/personal_access_tokens/self");
    const { scopes, expires_at: end, active } = await client.get(self, "");
    if (!active) return refused("GitLab reports that the token is no longer active");
    const expires = end === null ? null : Date.parse(end);
    return { kind: "usable", expires, lacking: lackingOf(scopes), untried: null };
  } catch (error) {
    const status = error instanceof Refused ? error.status : null;
    if (status === 401) return refused(`${host} refuses the token: it has expired or was revoked`);
    if (status === 403) return refused("the token has neither the scope api nor read_api");
    if (status !== null) return { kind: "unreached", why: `${host} answers with status ${status}` };
    return { kind: "unreached", why: `${host} cannot be reached, or does not answer like GitLab` };
  }
};

const refused = (why: string): CredentialInspection => ({ kind: "refused", why, remedy: RENEW });

const RENEW =
  "Create a new token with the required scopes (docs/forges.md), and put it into the file that PARLEY_FORGES names.";

/** The scope `api` includes all others. */
const lackingOf = (scopes: readonly string[]): readonly NeededRight[] => {
  const has = (...any: readonly string[]): boolean => any.some((scope) => scopes.includes(scope));
  if (has("api")) return [];
  return [
    ...(has("read_api") ? [] : [{ right: "read_api", what: "reading issues, merge requests and checks" }]),
    ...(has("read_repository", "write_repository") ? [] : [{ right: "read_repository", what: "cloning" }]),
    { right: "api", what: "proposing: issues, comments, labels and merge requests" },
    ...(has("write_repository")
      ? []
      : [{ right: "write_repository", what: "the branch of a merge request" }]),
  ];
};

const self = z.object({
  scopes: z.array(z.string()),
  /** Date without time. */
  expires_at: z.string().nullable(),
  active: z.boolean().default(true),
});
