/**
 * The operator's file of forges and their credentials (PARLEY_FORGES), read once at start. Only the host has
 * these values: no tool, command or model receives them.
 */

import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { plainUrl } from "../../../settings/kinds.ts";
import { jsonIn } from "../../../text/json.ts";

export interface Credential {
  /** Patterns of repositories, as in PARLEY_REPOS. */
  readonly repos: readonly string[];
  /** Root of the forge's API; null for the usual address of the host. */
  readonly api: string | null;
  /** Root of the forge's git repositories; null for `https://HOST`. */
  readonly git: string | null;
  readonly access: CredentialSecret;
  /** PEM certificates of additional authorities for this forge's certificate; absent if there are none. */
  readonly ca?: string;
  /** The app with which people connect their own accounts; absent if nobody can. */
  readonly connect?: ConnectApp;
}

export interface ConnectApp {
  readonly clientId: string;
  /** Null for an app whose device flow needs no secret. */
  readonly clientSecret: string | null;
  /** Root of the forge's web pages; null for the usual address. */
  readonly web: string | null;
}

export type CredentialSecret = ApiCredential | DeployKey;

/** Credential for both the forge's API and its git repositories. */
export type ApiCredential = GitHubCredential | GitLabCredential;

/** Credential for git over ssh only. */
export interface DeployKey {
  readonly kind: "deploy-key";
  /** Absolute paths, readable only by the owner. */
  readonly keyFile: string;
  readonly knownHostsFile: string;
  readonly user: string;
  /** Null means the host of the repository. */
  readonly host: string | null;
  readonly port: number;
}

export type GitHubCredential =
  | { readonly kind: "github-token"; readonly token: string }
  | { readonly kind: "github-app"; readonly appId: number; readonly privateKey: string };

export interface GitLabCredential {
  readonly kind: "gitlab-token";
  readonly token: string;
}

type CredentialsResult =
  | { readonly kind: "credentials"; readonly credentials: readonly Credential[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

const common = {
  repos: z.array(z.string().min(1)).min(1),
  api: plainUrl.optional(),
  git: plainUrl.optional(),
  /** Path relative to the file, unless absolute. */
  caFile: z.string().min(1).optional(),
  /** The GitHub App or GitLab application with which people connect their accounts (device flow). */
  clientId: z
    .string()
    .regex(/^[\w.-]{8,200}$/)
    .optional(),
  clientSecret: z.string().min(8).optional(),
  web: plainUrl.optional(),
};
const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("github-token"), ...common, token: z.string().min(8) }),
  z.strictObject({
    kind: z.literal("deploy-key"),
    repos: common.repos,
    /** Paths relative to the file, unless absolute. */
    keyFile: z.string().min(1),
    knownHostsFile: z.string().min(1),
    user: z
      .string()
      .regex(/^[a-z_][a-z0-9_-]*$/i)
      .default("git"),
    host: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]*$/)
      .optional(),
    port: z.int().min(1).max(65_535).default(22),
  }),
  z.strictObject({ kind: z.literal("gitlab-token"), ...common, token: z.string().min(8) }),
  z.strictObject({
    kind: z.literal("github-app"),
    ...common,
    appId: z.int().positive(),
    /** Path relative to the file, unless absolute. */
    privateKeyFile: z.string().min(1),
  }),
]);
const fileSchema = z.strictObject({ forges: z.array(entrySchema) });

type Entry = z.infer<typeof entrySchema>;

/** `checkPattern`: returns the problem of a repository pattern, or null if it is valid. */
export const readCredentials = (
  path: string,
  checkPattern: (pattern: string) => string | null,
): CredentialsResult => {
  const problems: string[] = [];
  /** Null after an error, which is added to the problems. */
  const had = <T>(where: string, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`${where}${error.message}`);
      return null;
    }
  };
  const text = had("", () => readSecret(path));
  if (text === null) return { kind: "invalid", problems };
  const parsed = fileSchema.safeParse(jsonIn(text));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(
      (issue) => `${path}: ${issue.path.join(".") || "the file"}: ${issue.message}`,
    );
    return { kind: "invalid", problems: wrong };
  }
  const credentials = parsed.data.forges.flatMap((entry, index) => {
    const where = `${path}: forges.${index}`;
    for (const pattern of entry.repos) {
      const problem = checkPattern(pattern);
      if (problem !== null) problems.push(`${where}.repos: ${pattern} ${problem}`);
    }
    const folder = dirname(resolve(path));
    const access = had(`${where}: `, () => accessOf(entry, folder));
    const trusted = had(`${where}: `, () => authoritiesOf(entry, folder));
    return access === null || trusted === null
      ? []
      : [{ repos: entry.repos, ...placesOf(entry), ...trusted, ...connectOf(entry), access }];
  });
  return problems.length === 0 ? { kind: "credentials", credentials } : { kind: "invalid", problems };
};

const placesOf = (entry: Entry): Pick<Credential, "api" | "git"> =>
  entry.kind === "deploy-key" ? { api: null, git: null } : { api: entry.api ?? null, git: entry.git ?? null };

const connectOf = (entry: Entry): Pick<Credential, "connect"> => {
  if (entry.kind === "deploy-key" || entry.clientId === undefined) return {};
  const { clientId, clientSecret = null, web = null } = entry;
  return { connect: { clientId, clientSecret, web } };
};

const authoritiesOf = (entry: Entry, folder: string): Pick<Credential, "ca"> => {
  if (entry.kind === "deploy-key" || entry.caFile === undefined) return {};
  const path = resolve(folder, entry.caFile);
  try {
    const ca = readFileSync(path, "utf8");
    // The constructor throws for invalid certificates.
    const certificates = [...ca.matchAll(CERTIFICATE)].map(([pem]) => new X509Certificate(pem));
    if (certificates.length > 0) return { ca };
  } catch {
    throw new Problem(`${path} cannot be read, or contains a damaged certificate`);
  }
  throw new Problem(`${path} contains no certificate in PEM form`);
};

/**
 * Every secret value in the credentials, for masking logs and tool results. A deploy key is not included,
 * because it is never kept in memory.
 */
export const secretsIn = (credentials: readonly Credential[]): readonly string[] =>
  credentials.flatMap(({ access, connect }) => {
    const ofApp = connect?.clientSecret ?? null;
    const rest = ofApp === null ? [] : [ofApp];
    if (access.kind === "deploy-key") return rest;
    return [access.kind === "github-app" ? access.privateKey : access.token, ...rest];
  });

/** A sentence for the operator. */
class Problem extends Error {}

const accessOf = (entry: Entry, folder: string): CredentialSecret => {
  if (entry.kind === "deploy-key") return deployKeyOf(entry, folder);
  if (entry.kind !== "github-app") return { kind: entry.kind, token: entry.token };
  const privateKey = readSecret(resolve(folder, entry.privateKeyFile));
  if (!privateKey.includes(KEY))
    throw new Problem(`${entry.privateKeyFile} is not a private key in PEM form`);
  return { kind: "github-app", appId: entry.appId, privateKey };
};

const KEY = "PRIVATE KEY-----";
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
/** Paths without characters that ssh interprets, such as quotes and percent signs. */
const PLAIN_PATH = /^[A-Za-z0-9_./@+ -]+$/;

const deployKeyOf = (entry: Extract<Entry, { kind: "deploy-key" }>, folder: string): DeployKey => {
  const { user, host = null, port } = entry;
  const keyFile = resolve(folder, entry.keyFile);
  const knownHostsFile = resolve(folder, entry.knownHostsFile);
  const odd = [keyFile, knownHostsFile].find((path) => !PLAIN_PATH.test(path));
  if (odd !== undefined) throw new Problem(`${odd} is a path that ssh would read differently`);
  const [key, known] = [readSecret(keyFile), readSecret(knownHostsFile)];
  if (!key.includes(KEY)) throw new Problem(`${entry.keyFile} is not a private key`);
  if (known.trim() === "")
    throw new Problem(`${entry.knownHostsFile} lists no host: ssh-keyscan prints the lines to check`);
  return { kind: "deploy-key", keyFile, knownHostsFile, user, host, port };
};

/**
 * Reads a file that only its owner can read. An agent's command runs as another user and cannot read such a
 * file.
 */
const readSecret = (path: string): string => {
  try {
    if ((statSync(path).mode & 0o077) === 0) return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new Problem(`${path} cannot be read (${code})`);
  }
  throw new Problem(`${path} can be read by others: chmod 600 ${path}`);
};
