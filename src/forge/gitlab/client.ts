/**
 * GitLab keeps no client for JavaScript of its own. Of the one that others keep, gitbeaker, the operations with their
 * paths, attributes and pages are used (@gitbeaker/core), and its transport is not: @gitbeaker/rest repeats a request, a
 * write too, up to ten times after a bad gateway, does not look at how long the forge asks to wait, and cannot be ended
 * with a turn.
 */

import {
  Commits,
  IssueNotes,
  Issues,
  Jobs,
  MergeRequestNotes,
  MergeRequests,
  ProjectLabels,
  Projects,
} from "@gitbeaker/core";
import { createRequesterFn } from "@gitbeaker/requester-utils";
import type { GitLabAccess } from "../choose.ts";
import { createTransport } from "./transport.ts";

export type Client = ReturnType<typeof createClient>;

/** Operations whose requests end with the signal. Answers are what GitLab sent: nobody has looked at them yet. */
export const createClient = (access: GitLabAccess, signal: AbortSignal) => {
  const requesterFn = createRequesterFn(
    (_, request) => Promise.resolve(request),
    createTransport(access, signal),
  );
  // The client is told neither host nor token, keeps no time and counts no requests: the transport does.
  const options = { requesterFn, host: "", queryTimeout: null, rateLimits: {} };
  return {
    signal,
    /** The one project that is asked about. */
    projectId: `${access.address.owner}/${access.address.name}`,
    projects: new Projects(options),
    issues: new Issues(options),
    issueNotes: new IssueNotes(options),
    merges: new MergeRequests(options),
    mergeNotes: new MergeRequestNotes(options),
    labels: new ProjectLabels(options),
    commits: new Commits(options),
    jobs: new Jobs(options),
  };
};
