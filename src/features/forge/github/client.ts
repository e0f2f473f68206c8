/** GitHub's own client library, with a credential if there is one. A call waits only for short rate limits. */

import { createAppAuth } from "@octokit/auth-app";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/core";
import { RequestError } from "@octokit/request-error";
import { z } from "zod";
import type { GitHubAccess } from "../api/access.ts";
import type { RemoteCredential } from "../api/remote.ts";
import { bounded, withTimeouts } from "../api/http.ts";

/**
 * Maximum number of seconds that a call waits for a rate limit; a longer limit is an error that names the
 * time.
 */
const PATIENCE = 10;

/**
 * Creates a client for one project. With a GitHub app, the client acts as the app's installation in that project. The first
 * call looks up the installation.
 */
export const createGithubClient = (options: GitHubAccess): (() => Promise<Octokit>) => {
  const { access, address } = options;
  if (access?.kind !== "github-app") {
    const client = clientWith(options, access === null ? {} : { auth: access.token });
    return () => Promise.resolve(client);
  }
  const app = { appId: access.appId, privateKey: access.privateKey };
  let installed: Promise<Octokit> | null = null;
  const install = async (): Promise<Octokit> => {
    const { data } = await createAppClient(options).request("GET /repos/{owner}/{repo}/installation", {
      owner: address.owner,
      repo: address.name,
    });
    return clientWith(options, {
      authStrategy: createAppAuth,
      auth: { ...app, installationId: data.id },
    });
  };
  return async () => {
    installed ??= install();
    try {
      return await installed;
    } catch (error) {
      // The error is not cached, so that an app installed later works without a restart.
      installed = null;
      throw error;
    }
  };
};

/** Creates a client for the app itself, not for an installation. Throws if the access is not an app's. */
export const createAppClient = (options: GitHubAccess): Octokit => {
  const { access } = options;
  if (access?.kind !== "github-app") throw new TypeError("the access is no app's");
  const auth = { appId: access.appId, privateKey: access.privateKey };
  return clientWith(options, { authStrategy: createAppAuth, auth });
};

const tokenSchema = z.object({ token: z.string() });

/** Credential for the forge's git remotes; null without an entry in PARLEY_FORGES. */
export const createCredential = (options: GitHubAccess): (() => Promise<RemoteCredential | null>) => {
  const { access } = options;
  if (access === null) return () => Promise.resolve(null);
  if (access.kind === "github-token") return () => Promise.resolve({ user: USER, password: access.token });
  const client = createGithubClient(options);
  return async () => {
    const { token } = tokenSchema.parse(await (await client()).auth({ type: "installation" }));
    return { user: USER, password: token };
  };
};

/** GitHub's user name for a client with a token. */
const USER = "x-access-token";

const wait = (after: number, _options: object, _client: unknown, retries: number): boolean =>
  after <= PATIENCE && retries === 0;

const Throttled = Octokit.plugin(throttling);

const clientWith = ({ api, userAgent, wire }: GitHubAccess, auth: object): Octokit => {
  const client = new Throttled({
    ...auth,
    baseUrl: api,
    userAgent,
    request: { fetch: bounded(withTimeouts(wire), wire.held) },
    // Writes are spaced on each forge separately.
    throttle: {
      id: `${wire.lane} ${api}`,
      onRateLimit: wait,
      onSecondaryRateLimit: wait,
      ...wire.throttle,
    },
    log: silent,
  });
  // A redirect that was not followed is an error, except for requests that want only the address.
  client.hook.after("request", (response, request) => {
    if (response.status < 300 || response.status === 304 || request.request.redirect === "manual") return;
    throw new RequestError("The forge redirects elsewhere", response.status, { response, request });
  });
  return client;
};

/** The client would otherwise write addresses and headers to the console. */
const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
