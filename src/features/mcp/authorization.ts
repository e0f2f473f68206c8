/**
 * Access to a server by OAuth without a browser: by client credentials, or by a refresh token of the operator. The SDK finds
 * the issuer and sends the requests; this module prevents parallel renewals and keeps the issuer's messages out of the console.
 */

import type * as Sdk from "@modelcontextprotocol/client";
import type { AuthProvider, FetchLike, OAuthClientProvider, OAuthTokens } from "@modelcontextprotocol/client";
import { omitUndefined } from "../../text/omit-undefined.ts";
import type { OAuth } from "./entry.ts";
import type { Tokens } from "./tokens.ts";

export type AuthSdk = Pick<
  typeof Sdk,
  | "auth"
  | "ClientCredentialsProvider"
  | "extractWWWAuthenticateParams"
  | "OAuthError"
  | "PrivateKeyJwtProvider"
  | "UnauthorizedError"
>;

interface Access {
  readonly server: string;
  readonly oauth: OAuth;
  readonly tokens: Tokens;
  readonly fetch: FetchLike;
}

const WAIT_MS = 30_000;

export const createAuthorization = (sdk: AuthSdk, access: Access): AuthProvider => {
  const { oauth } = access;
  const provider = providerOf(sdk, access);
  const fetchFn = discreet(access.fetch);
  const renew = async (response: Response, serverUrl: URL): Promise<void> => {
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    try {
      const asked = omitUndefined({ resourceMetadataUrl, scope: oauth.scope ?? scope });
      await sdk.auth(provider, { serverUrl, fetchFn, ...asked });
    } catch (error) {
      throw new sdk.UnauthorizedError(refusal(sdk, oauth, error));
    }
  };
  /** An issuer accepts a refresh token once, so calls that are rejected together share one renewal. */
  let renewal: Promise<void> | null = null;
  return {
    token: async () => (await provider.tokens())?.access_token,
    onUnauthorized: ({ response, serverUrl }) => {
      renewal ??= renew(response, serverUrl).finally(() => {
        renewal = null;
      });
      return renewal;
    },
  };
};

const providerOf = (sdk: AuthSdk, { server, oauth, tokens }: Access): OAuthClientProvider => {
  const { issuer, clientId, clientSecret, privateKey, algorithm = "RS256", refreshToken } = oauth;
  const client = { clientId, expectedIssuer: issuer };
  const provider =
    privateKey === undefined
      ? new sdk.ClientCredentialsProvider({ ...client, clientSecret: clientSecret ?? "" })
      : new sdk.PrivateKeyJwtProvider({ ...client, privateKey, algorithm });
  const save = provider.saveTokens.bind(provider);
  return Object.assign(provider, {
    saveTokens: async (fresh: OAuthTokens) => {
      tokens.learn(fresh.access_token);
      if (refreshToken !== undefined && fresh.refresh_token !== undefined)
        await tokens.keep(server, refreshToken, fresh.refresh_token);
      save(fresh);
    },
    ...(refreshToken === undefined
      ? {}
      : {
          clientInformation: () =>
            omitUndefined({ client_id: clientId, issuer, client_secret: clientSecret }),
          prepareTokenRequest: async () =>
            new URLSearchParams({
              grant_type: "refresh_token",
              refresh_token: await tokens.current(server, refreshToken),
            }),
        }),
  });
};

/** Keeps only the issuer's error code: the SDK prints the rest to the console, and the rest may contain a token. */
const discreet =
  (fetch: FetchLike): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(WAIT_MS) });
    const { status, headers, ok } = response;
    const text = await response.text();
    const [, code] = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(text) ?? [];
    if (ok && code === undefined) return new Response(text, { status, headers });
    return Response.json({ error: code ?? "server_error" }, { status: ok ? 400 : status, headers });
  };

const refusal = (sdk: AuthSdk, { issuer, refreshToken }: OAuth, error: unknown): string => {
  if (!(error instanceof sdk.OAuthError))
    return `no token was received from ${issuer}: ${error instanceof Error ? error.message : String(error)}`;
  return refreshToken !== undefined && error.code === "invalid_grant"
    ? `${issuer} refused the refresh token (invalid_grant): create a new one as in docs/mcp.md`
    : `${issuer} refused the client (${error.code}): check the credentials of the entry in the file of PARLEY_MCP`;
};
