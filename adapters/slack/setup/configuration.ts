/**
 * Creates, exports and updates apps by configuration token. Slack accepts each refresh token once, so the next refresh token is
 * stored before any other request.
 */

import { webApi } from "@slack/bolt";
import * as z from "zod";
import type { SetupContext } from "../../../src/ports/platform-setup.ts";
import { createSlackClient } from "../api/client.ts";
import { slackErrorCodeOf, tokenRefusalOf } from "../api/token-trouble.ts";
import { APPS, type SlackCheck, type SlackReach, troubleText } from "./checks.ts";

/** Record of the app that this command created or updated, kept between runs. */
export interface KeptApp {
  readonly app: string | null;
  readonly refresh: string | null;
}

export interface ConfigurationTokens {
  /** Null if the refresh token must create the token. */
  readonly token: string | null;
  readonly refresh: string | null;
}

const FILE = "slack-app.json";

export const keptApp = (context: SetupContext): KeptApp => {
  const nothing = { app: null, refresh: null };
  const text = context.kept(FILE);
  try {
    return text === null ? nothing : kept.parse(JSON.parse(text));
  } catch {
    return nothing;
  }
};

export const keepApp = (context: SetupContext, app: KeptApp): Promise<boolean> =>
  context.keep(FILE, `${JSON.stringify(app)}\n`);

/** `app`: id of the app, stored with the refresh token; null while there is no app. */
export const openConfiguration = async (
  context: SetupContext,
  tokens: ConfigurationTokens,
  app: string | null,
  reach: SlackReach,
): Promise<SlackCheck<ConfigurationCalls>> => {
  const { token, refresh } = tokens;
  if (refresh === null) {
    return token === null
      ? { kind: "refused", why: `Generate an app configuration token at ${APPS}, and paste it` }
      : { kind: "good", value: createCalls(token, reach) };
  }
  if (token !== null) {
    // The refresh token stays valid until it is used.
    await keepApp(context, { app, refresh });
    return { kind: "good", value: createCalls(token, reach) };
  }
  const next = await asking(
    () => createSlackClient("", reach).tooling.tokens.rotate({ refresh_token: refresh }),
    rotated,
  );
  if (next.kind === "refused") return next;
  const isKept = await keepApp(context, { app, refresh: next.value.refresh_token });
  if (!isKept)
    context.asker.print(
      "The next refresh token could not be stored: generate a new one for the next update.",
    );
  return { kind: "good", value: createCalls(next.value.token, reach) };
};

export interface ConfigurationCalls {
  validate(manifest: object, app: string | null): Promise<SlackCheck<null>>;
  create(manifest: object): Promise<SlackCheck<CreatedApp>>;
  export(app: string): Promise<SlackCheck<Record<string, unknown>>>;
  /** True if the app has to be installed again, because its permissions changed. */
  update(app: string, manifest: object): Promise<SlackCheck<boolean>>;
}

export interface CreatedApp {
  readonly app: string;
  /** Page on which a person installs the app. */
  readonly install: string;
}

const createCalls = (token: string, reach: SlackReach): ConfigurationCalls => {
  const client = createSlackClient(token, reach);
  const call = <T>(
    method: string,
    args: Record<string, string>,
    answer: z.ZodType<T>,
  ): Promise<SlackCheck<T>> => asking(() => client.apiCall(method, args), answer);
  return {
    validate: (manifest, app) =>
      mapped(
        call(
          "apps.manifest.validate",
          { manifest: JSON.stringify(manifest), ...(app === null ? {} : { app_id: app }) },
          z.object({}),
        ),
        () => null,
      ),
    create: (manifest) =>
      mapped(call("apps.manifest.create", { manifest: JSON.stringify(manifest) }, created), (answer) => ({
        app: answer.app_id,
        install: answer.oauth_authorize_url ?? `${APPS}/${answer.app_id}/install-on-team`,
      })),
    export: (app) =>
      mapped(call("apps.manifest.export", { app_id: app }, exported), ({ manifest }) => manifest),
    update: (app, manifest) =>
      mapped(
        call("apps.manifest.update", { app_id: app, manifest: JSON.stringify(manifest) }, updated),
        (answer) => answer.permissions_updated,
      ),
  };
};

const mapped = async <T, U>(asked: Promise<SlackCheck<T>>, to: (value: T) => U): Promise<SlackCheck<U>> => {
  const answer = await asked;
  return answer.kind === "good" ? { kind: "good", value: to(answer.value) } : answer;
};

const asking = async <T>(call: () => Promise<unknown>, answer: z.ZodType<T>): Promise<SlackCheck<T>> => {
  try {
    const read = answer.safeParse(await call());
    return read.success
      ? { kind: "good", value: read.data }
      : { kind: "refused", why: "Slack answers in a form that this version does not know: update Parley" };
  } catch (error) {
    const code = error instanceof webApi.WebAPIPlatformError ? { code: error.data.error } : {};
    return { kind: "refused", why: refusalText(error), ...code };
  }
};

const refusalText = (error: unknown): string => {
  if (!(error instanceof webApi.WebAPIPlatformError)) return troubleText(tokenRefusalOf(error));
  const code = error.data.error;
  if (code === "invalid_manifest") return manifestText(error.data);
  const remedy = CODES.get(code);
  return remedy === undefined
    ? troubleText(tokenRefusalOf(error))
    : `${remedy} (Slack answers ${slackErrorCodeOf(error)})`;
};

const NEW_TOKEN = `Generate a new app configuration token at ${APPS}, Your App Configuration Tokens, and paste it with its refresh token`;
const ADMIN = "Ask an admin of the workspace to approve the app, then run the command again";

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied:
      "Only people who may edit the app can change it: generate the configuration token as one of them",
    app_approval_request_denied:
      "An admin of the workspace refused the app: ask them why, then run the command again",
    app_approval_request_eligible: ADMIN,
    app_approval_request_pending: ADMIN,
    app_not_eligible: `Slack does not let commands change this app: paste the manifest at ${APPS}, App Manifest`,
    failed_export: `Slack could not export the manifest: paste the manifest at ${APPS}, App Manifest`,
    invalid_app_id:
      "The configuration token's workspace has no such app: generate the token in the app's workspace",
    invalid_auth: NEW_TOKEN,
    invalid_refresh_token: NEW_TOKEN,
    not_allowed_token_type: NEW_TOKEN,
    token_expired: NEW_TOKEN,
    token_revoked: NEW_TOKEN,
  }),
);

const manifestText = (data: unknown): string => {
  const errors = refusedManifest.safeParse(data).data?.errors ?? [];
  const named = errors.map(
    ({ message, pointer }) => `${message}${pointer === undefined ? "" : ` at ${pointer}`}`,
  );
  return `Slack refuses the manifest (${named.join("; ") || "without a reason"}): update Parley, or create the app from \`parley manifest slack\``;
};

const kept = z.object({ app: z.string().nullable(), refresh: z.string().nullable() });
const rotated = z.object({ token: z.string(), refresh_token: z.string() });
const created = z.object({ app_id: z.string(), oauth_authorize_url: z.string().optional() });
const exported = z.object({ manifest: z.record(z.string(), z.unknown()) });
const updated = z.object({ permissions_updated: z.boolean().default(false) });
const refusedManifest = z.object({
  errors: z.array(z.object({ message: z.string(), pointer: z.string().optional() })),
});
