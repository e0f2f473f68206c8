/**
 * The apps of a workspace as its developers have them: manifests, tokens, what the installation was granted. Slack's page
 * for new apps (July 2026) takes the manifest from a link and shows both tokens after *Create and Install*.
 */

import type { FakeClock } from "../shared/clock.ts";
import { complaintsAbout, type ManifestComplaint, type ManifestWire, manifestIn } from "./rules/manifest.ts";
import { app as own } from "./world.ts";

export type TokenKind = "app" | "bot" | "config";

/** Who makes a call, by the token. */
export interface Caller {
  readonly kind: TokenKind;
  /** Id of the app; empty for a configuration token, which is a person's. */
  readonly app: string;
  readonly scopes: ReadonlySet<string>;
  /** Why Slack refuses the token; null while it works. */
  readonly error: string | null;
}

export interface Tokens {
  readonly app: string;
  readonly botToken: string;
  readonly appToken: string;
}

export type CreatedApp =
  | ({ readonly kind: "installed" } & Tokens)
  /** An admin has to approve the app first; the app-level token is there already. */
  | { readonly kind: "requested"; readonly app: string; readonly appToken: string }
  | { readonly kind: "refused"; readonly errors: readonly ManifestComplaint[] };

/** What a developer does on Slack's pages. */
export interface Developer {
  /** Opens the link with a manifest in it, and clicks *Create and Install*. `without`: scopes that are not granted. */
  create(link: string, how?: { readonly without?: readonly string[] }): CreatedApp;
  /** Installs the app, or installs it again: its scopes are those of the manifest. */
  install(app: string, how?: { readonly without?: readonly string[] }): CreatedApp;
  /** An admin approves what was requested. */
  approve(): void;
  switchSocketMode(isOn: boolean): void;
  /** *Generate Token and Scopes*. */
  appToken(app: string, scopes: readonly string[]): string;
  /** *Your App Configuration Tokens*, *Generate Token*: for 12 hours, with a refresh token for one use. */
  configurationToken(): { readonly token: string; readonly refresh: string };
  /** An app that was created before, whatever its manifest has. */
  existing(app: string, manifest: object): void;
  manifestOf(app: string): ManifestWire | undefined;
}

export interface Apps extends Developer {
  /** Undefined for a token that Slack never gave out. */
  caller(token: string): Caller | undefined;
  readonly isSocketMode: () => boolean;
  /** Null while every event arrives. */
  readonly events: () => readonly string[] | null;
  /** Of the app that this workspace has installed. */
  readonly granted: () => ReadonlySet<string>;
  grant(scopes: readonly string[]): void;
  put(manifest: ManifestWire, app: string | null): { readonly app: string; readonly isChanged: boolean };
  /** Null for a refresh token that was used or never existed. */
  rotate(refresh: string): { readonly token: string; readonly refresh: string; readonly exp: number } | null;
}

export interface AppsOptions {
  readonly scopes: readonly string[];
  readonly events?: readonly string[];
  /** Unset: an app is there, with the tokens of `FakeSlack`. */
  readonly isEmpty?: boolean;
  readonly approval?: "none" | "pending";
  readonly socketMode?: boolean;
  readonly isRevoked: () => boolean;
}

const LIFETIME = 12 * 3_600_000;

export const botToken = "xoxb-test";
export const appToken = "xapp-1-test";

export const createApps = (clock: FakeClock, options: AppsOptions): Apps => {
  const manifests = new Map<string, ManifestWire>();
  const callers = new Map<string, () => Caller>();
  const refreshTokens = new Set<string>();
  let scopes: ReadonlySet<string> = new Set(options.scopes);
  let events: readonly string[] | null = options.events ?? null;
  let isSocketMode = options.socketMode ?? true;
  let isPending = options.approval === "pending";
  let isOwnThere = options.isEmpty !== true;
  let count = 0;

  const nextSecret = (): string => `${(count += 1)}${"0".repeat(9)}-${"f".repeat(24)}${count}`;
  const give = (token: string, caller: () => Omit<Caller, "error">, error: () => string | null): string => {
    callers.set(token, () => ({ ...caller(), error: error() }));
    return token;
  };
  const revoked = (): string | null => (options.isRevoked() ? "token_revoked" : null);
  const giveBot = (token: string, app: string, held: () => ReadonlySet<string>): string =>
    give(token, () => ({ kind: "bot", app, scopes: held() }), revoked);
  const giveApp = (token: string, app: string, held: readonly string[]): string =>
    give(token, () => ({ kind: "app", app, scopes: new Set(held) }), revoked);
  const giveConfiguration = (): {
    readonly token: string;
    readonly refresh: string;
    readonly exp: number;
  } => {
    const exp = clock.now() + LIFETIME;
    const token = `xoxe.xoxp-1-${nextSecret()}`;
    const refresh = `xoxe-1-${nextSecret()}`;
    give(
      token,
      () => ({ kind: "config", app: "", scopes: new Set() }),
      () => (clock.now() < exp ? null : "token_expired"),
    );
    refreshTokens.add(refresh);
    return { token, refresh, exp };
  };

  if (isOwnThere) {
    giveBot(botToken, own.id, () => scopes);
    giveApp(appToken, own.id, ["connections:write"]);
  }

  const put: Apps["put"] = (manifest, known) => {
    const id = known ?? (isOwnThere ? `A${(count += 1)}OTHER` : own.id);
    const former = manifests.get(id);
    manifests.set(id, manifest);
    if (id === own.id) {
      isOwnThere = true;
      isSocketMode = manifest.settings?.socket_mode_enabled === true;
      events = manifest.settings?.event_subscriptions?.bot_events ?? [];
    }
    return { app: id, isChanged: String(scopesOf(former)) !== String(scopesOf(manifest)) };
  };

  const install: Apps["install"] = (id, { without = [] } = {}) => {
    const token = giveApp(`xapp-1-${id}-${nextSecret()}`, id, ["connections:write"]);
    if (isPending) return { kind: "requested", app: id, appToken: token };
    const held = new Set(scopesOf(manifests.get(id)).filter((scope) => !without.includes(scope)));
    if (id === own.id) scopes = held;
    const bot = giveBot(`xoxb-${nextSecret()}`, id, () => (id === own.id ? scopes : held));
    return { kind: "installed", app: id, botToken: bot, appToken: token };
  };

  return {
    caller: (token) => callers.get(token)?.(),
    isSocketMode: () => isSocketMode,
    events: () => events,
    granted: () => scopes,
    grant: (granted) => {
      scopes = new Set(granted);
    },
    put,
    rotate: (refresh) => (refreshTokens.delete(refresh) ? giveConfiguration() : null),
    create: (link, how) => {
      const read = manifestIn(new URL(link).searchParams.get("manifest_json") ?? "");
      const errors = read.kind === "manifest" ? complaintsAbout(read.manifest, null) : read.errors;
      if (read.kind !== "manifest" || errors.length > 0) return { kind: "refused", errors };
      return install(put(read.manifest, null).app, how);
    },
    install,
    approve: () => {
      isPending = false;
    },
    switchSocketMode: (isOn) => {
      isSocketMode = isOn;
    },
    appToken: (id, held) => giveApp(`xapp-1-${id}-${nextSecret()}`, id, held),
    configurationToken: giveConfiguration,
    existing: (id, manifest) => {
      const read = manifestIn(JSON.stringify(manifest));
      if (read.kind === "refused") throw new Error(JSON.stringify(read.errors));
      put(read.manifest, id);
    },
    manifestOf: (id) => manifests.get(id),
  };
};

const scopesOf = (manifest: ManifestWire | undefined): readonly string[] =>
  manifest?.oauth_config?.scopes?.bot ?? [];
