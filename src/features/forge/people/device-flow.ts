/**
 * OAuth at the wire: the device flow (RFC 8628), the renewal of tokens, and the account that a token belongs to. No function
 * throws or rejects. GitHub answers errors with status 200, GitLab with 400; both name the error in `error`. Results contain
 * tokens and must not be logged.
 */

import { z } from "zod";
import type { Millis } from "../../../machine/id.ts";
import { jsonIn } from "../../../text/json.ts";
import { oneLine } from "../../../text/one-line.ts";
import type { ConnectClient } from "./client.ts";

export interface ForgeTokens {
  readonly access: string;
  /** Milliseconds until the access token ends; null if it does not end. */
  readonly lasts: Millis | null;
  /** Null if the token cannot be renewed. */
  readonly refresh: string | null;
}

export interface DeviceCode {
  readonly device: string;
  /** The code that the person types at `page`. */
  readonly code: string;
  readonly page: string;
  readonly interval: Millis;
  readonly lasts: Millis;
}

/** `refused`: the forge does not accept the app; `why` is the forge's name of the error. */
export type DeviceStart =
  | { readonly kind: "started"; readonly code: DeviceCode }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unreached" };

export type DevicePoll =
  | { readonly kind: "granted"; readonly tokens: ForgeTokens }
  | { readonly kind: "pending" }
  /** `interval`: the new interval, if the forge names one. */
  | { readonly kind: "slower"; readonly interval: Millis | null }
  | { readonly kind: "denied" }
  | { readonly kind: "expired" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unreached" };

export type TokenRenewal =
  | { readonly kind: "granted"; readonly tokens: ForgeTokens }
  /** The forge knows the refresh token no longer: it was used, revoked, or it ended. */
  | { readonly kind: "refused" }
  | { readonly kind: "unreached" };

export interface ForgeAccount {
  readonly login: string;
  /** Name for commits. */
  readonly name: string;
  /** Address for commits, which shows no private address. */
  readonly email: string;
}

export type AccountRead =
  | { readonly kind: "account"; readonly account: ForgeAccount }
  | { readonly kind: "refused" }
  | { readonly kind: "unreached" };

const SECOND: Millis = 1_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Rights of a GitLab token; GitHub takes the rights of the app. */
const SCOPE = "api";

export const startDeviceFlow = async (client: ConnectClient, signal: AbortSignal): Promise<DeviceStart> => {
  const path = client.kind === "github" ? "/login/device/code" : "/oauth/authorize_device";
  const asked = client.kind === "github" ? {} : { scope: SCOPE };
  const answer = await post(client, path, { client_id: client.clientId, ...asked }, signal);
  if (answer === null) return { kind: "unreached" };
  const started = startWire.safeParse(answer);
  if (!started.success) return { kind: "refused", why: errorIn(answer) };
  const { device_code: device, user_code: code, verification_uri: page, expires_in, interval } = started.data;
  if (URL.parse(page)?.host !== client.host) return { kind: "refused", why: "foreign page" };
  return {
    kind: "started",
    code: { device, code, page, interval: interval * SECOND, lasts: expires_in * SECOND },
  };
};

export const pollDeviceFlow = async (
  client: ConnectClient,
  device: string,
  signal: AbortSignal,
): Promise<DevicePoll> => {
  const form = { ...idOf(client), device_code: device, grant_type: DEVICE_GRANT };
  const answer = await post(client, tokenPath(client), form, signal);
  if (answer === null) return { kind: "unreached" };
  const tokens = tokensIn(answer);
  if (tokens !== null) return { kind: "granted", tokens };
  const why = errorIn(answer);
  switch (why) {
    case "authorization_pending":
      return { kind: "pending" };
    case "slow_down": {
      const { interval } = slowWire.parse(answer);
      return { kind: "slower", interval: interval === undefined ? null : interval * SECOND };
    }
    case "access_denied":
      return { kind: "denied" };
    case "expired_token":
      return { kind: "expired" };
    default:
      return { kind: "refused", why };
  }
};

/** The forge invalidates the refresh token, so the result must be stored before anything else. */
export const renewTokens = async (
  client: ConnectClient,
  refresh: string,
  signal: AbortSignal,
): Promise<TokenRenewal> => {
  const form = { ...idOf(client), grant_type: "refresh_token", refresh_token: refresh };
  const answer = await post(client, tokenPath(client), form, signal);
  if (answer === null) return { kind: "unreached" };
  const tokens = tokensIn(answer);
  if (tokens !== null) return { kind: "granted", tokens };
  return REFUSALS.has(errorIn(answer)) ? { kind: "refused" } : { kind: "unreached" };
};

/** GitLab's tokens end at once; GitHub ends a token only for the app's secret, so the person is told the page. */
export const revokeToken = async (
  client: ConnectClient,
  token: string,
  signal: AbortSignal,
): Promise<void> => {
  if (client.kind === "gitlab") await post(client, "/oauth/revoke", { ...idOf(client), token }, signal);
};

export const readAccount = async (
  { kind, api, host, userAgent, wire }: ConnectClient,
  token: string,
  signal: AbortSignal,
): Promise<AccountRead> => {
  try {
    const response = await wire.fetch(`${api}/user`, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(wire.time)]),
      headers: { authorization: `Bearer ${token}`, accept: "application/json", "user-agent": userAgent },
    });
    if (response.status === 401 || response.status === 403) return { kind: "refused" };
    const said = jsonIn(await textOf(response));
    return {
      kind: "account",
      account: kind === "github" ? githubAccount(said, host) : gitlabAccount(said, host),
    };
  } catch {
    return { kind: "unreached" };
  }
};

const seconds = z
  .int()
  .min(1)
  .max(60 * 60 * 24 * 366);
/** Without spaces and control characters, because the token becomes part of a header. */
const tokenText = z.string().regex(/^[\x21-\x7e]{8,4096}$/);
const startWire = z.object({
  device_code: tokenText,
  user_code: z.string().regex(/^[A-Za-z0-9-]{4,20}$/),
  verification_uri: z.url({ protocol: /^https?$/ }).max(300),
  expires_in: seconds,
  interval: seconds.default(5),
});
const tokensWire = z.object({
  access_token: tokenText,
  expires_in: seconds.nullish(),
  refresh_token: tokenText.nullish(),
});
const errorWire = z.object({ error: z.string() });
const slowWire = z.object({ interval: seconds.optional().catch(undefined) });

/** Errors that no repetition of the renewal can change. */
const REFUSALS: ReadonlySet<string> = new Set([
  "bad_refresh_token",
  "invalid_grant",
  "incorrect_client_credentials",
  "invalid_client",
  "unauthorized_client",
]);

const tokenPath = ({ kind }: ConnectClient): string =>
  kind === "github" ? "/login/oauth/access_token" : "/oauth/token";

const idOf = ({ clientId, clientSecret }: ConnectClient): Readonly<Record<string, string>> => ({
  client_id: clientId,
  ...(clientSecret === null ? {} : { client_secret: clientSecret }),
});

const tokensIn = (answer: unknown): ForgeTokens | null => {
  const { data } = tokensWire.safeParse(answer);
  if (data === undefined) return null;
  const { access_token: access, expires_in: lasts, refresh_token: refresh = null } = data;
  return { access, lasts: lasts == null ? null : lasts * SECOND, refresh };
};

/** Letters and underscores alone, because people and logs read the error. */
const errorIn = (answer: unknown): string =>
  (errorWire.safeParse(answer).data?.error ?? "no answer of OAuth").replaceAll(/[^\w ]/g, "").slice(0, 60);

const MAX_ANSWER = 64 * 1024;

/** Null if the forge did not answer with JSON. */
const post = async (
  { web, userAgent, wire }: ConnectClient,
  path: string,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> => {
  try {
    const response = await wire.fetch(`${web}${path}`, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(wire.time)]),
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": userAgent,
      },
      body: new URLSearchParams(form).toString(),
    });
    const text = await textOf(response);
    if (response.status >= 500 || response.status === 429) return null;
    const said = jsonIn(text);
    return typeof said === "object" ? said : null;
  } catch {
    return null;
  }
};

const textOf = async (response: Response): Promise<string> => {
  let text = "";
  for await (const part of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_ANSWER) throw new Error("the answer is too long");
  }
  return text;
};

const login = z.string().regex(/^[\w.-]{1,255}$/);
const githubUser = z.object({ id: z.int(), login, name: z.string().nullish() });
const gitlabUser = z.object({
  id: z.int(),
  username: login,
  name: z.string().nullish(),
  commit_email: z.string().nullish(),
});

const githubAccount = (said: unknown, host: string): ForgeAccount => {
  const { id, login: known, name } = githubUser.parse(said);
  return { login: known, name: personName(name, known), email: `${id}+${known}@${noReply(host)}` };
};

const noReply = (host: string): string => `users.noreply.${host.replace(/:\d+$/, "")}`;

const gitlabAccount = (said: unknown, host: string): ForgeAccount => {
  const { id, username, name, commit_email: address } = gitlabUser.parse(said);
  const usable = address != null && /^[^\s<>\p{Cc}]{3,200}$/u.test(address) ? address : null;
  return {
    login: username,
    name: personName(name, username),
    email: usable ?? `${id}-${username}@${noReply(host)}`,
  };
};

const MAX_NAME = 100;

/** A line that git accepts as a name. */
const personName = (name: string | null | undefined, otherwise: string): string =>
  oneLine((name ?? "").replaceAll(/[<>\p{Cc}\p{Cf}]/gu, " "))
    .slice(0, MAX_NAME)
    .trim() || otherwise;
