/**
 * The operator's file of forges and their credentials (PARLEY_FORGES), read once at start. The host alone holds what
 * is in it: no tool, command or model is ever given a value of it.
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
  /** Root of the forge's API where it is not the usual one of its host. */
  readonly api: string | null;
  /** Root of its git repositories where it is not `https://HOST`. */
  readonly git: string | null;
  readonly access: CredentialSecret;
  /** Authorities in PEM form that this forge's certificate may be of, beside the usual ones; absent means none. */
  readonly ca?: string;
}

export type CredentialSecret = ApiCredential | DeployKey;

/** Opens the forge's API as well as its git. */
export type ApiCredential = GitHubCredential | GitLabCredential;

/** Opens git over ssh, and nothing else. */
export interface DeployKey {
  readonly kind: "deploy-key";
  /** Absolute paths, readable by nobody else. */
  readonly keyFile: string;
  readonly knownHostsFile: string;
  readonly user: string;
  /** Null: the repository's own. */
  readonly host: string | null;
  readonly port: number;
}

export type GitHubCredential =
  | { readonly kind: "github-token"; readonly token: string }
  | { readonly kind: "github-app"; readonly appId: number; readonly privateKey: string };

/** A personal, project or group access token. */
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
  /** Beside the file if it is not absolute. */
  caFile: z.string().min(1).optional(),
};
const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("github-token"), ...common, token: z.string().min(8) }),
  z.strictObject({
    kind: z.literal("deploy-key"),
    repos: common.repos,
    /** Both beside the file where they are not absolute. */
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
    /** Beside the file where it is not absolute. */
    privateKeyFile: z.string().min(1),
  }),
]);
const fileSchema = z.strictObject({ forges: z.array(entrySchema) });

type Entry = z.infer<typeof entrySchema>;

/** `checkPattern` says what is wrong with a pattern of repositories; null where nothing is. */
export const readCredentials = (
  path: string,
  checkPattern: (pattern: string) => string | null,
): CredentialsResult => {
  const problems: string[] = [];
  /** Null, and a problem more, where it cannot be had. */
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
      : [{ repos: entry.repos, ...placesOf(entry), ...trusted, access }];
  });
  return problems.length === 0 ? { kind: "credentials", credentials } : { kind: "invalid", problems };
};

const placesOf = (entry: Entry): Pick<Credential, "api" | "git"> =>
  entry.kind === "deploy-key" ? { api: null, git: null } : { api: entry.api ?? null, git: entry.git ?? null };

const authoritiesOf = (entry: Entry, folder: string): Pick<Credential, "ca"> => {
  if (entry.kind === "deploy-key" || entry.caFile === undefined) return {};
  const path = resolve(folder, entry.caFile);
  try {
    const ca = readFileSync(path, "utf8");
    // The constructor refuses whatever is no certificate.
    const certificates = [...ca.matchAll(CERTIFICATE)].map(([pem]) => new X509Certificate(pem));
    if (certificates.length > 0) return { ca };
  } catch {
    throw new Problem(`${path} cannot be read, or holds a damaged certificate`);
  }
  throw new Problem(`${path} holds no certificate in PEM form`);
};

/** Every secret value in it, so that logs and tool results can be cleaned of them; a deploy key is never read. */
export const secretsIn = (credentials: readonly Credential[]): readonly string[] =>
  credentials.flatMap(({ access }) => {
    if (access.kind === "deploy-key") return [];
    return access.kind === "github-app" ? access.privateKey : access.token;
  });

/** What is wrong, for the operator. */
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
/** What ssh takes as it stands: it would read quotes and percent signs. */
const PLAIN_PATH = /^[A-Za-z0-9_./@+ -]+$/;

const deployKeyOf = (entry: Extract<Entry, { kind: "deploy-key" }>, folder: string): DeployKey => {
  const { user, host = null, port } = entry;
  const keyFile = resolve(folder, entry.keyFile);
  const knownHostsFile = resolve(folder, entry.knownHostsFile);
  const odd = [keyFile, knownHostsFile].find((path) => !PLAIN_PATH.test(path));
  if (odd !== undefined) throw new Problem(`${odd} is a path that ssh would read otherwise`);
  const [key, known] = [readSecret(keyFile), readSecret(knownHostsFile)];
  if (!key.includes(KEY)) throw new Problem(`${entry.keyFile} is not a private key`);
  if (known.trim() === "")
    throw new Problem(`${entry.knownHostsFile} names no host: ssh-keyscan prints the lines to check`);
  return { kind: "deploy-key", keyFile, knownHostsFile, user, host, port };
};

/** Nobody but its owner may read it: then no command of an agent, which runs as somebody else, can. */
const readSecret = (path: string): string => {
  try {
    if ((statSync(path).mode & 0o077) === 0) return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new Problem(`${path} cannot be read (${code})`);
  }
  throw new Problem(`${path} can be read by others: chmod 600 ${path}`);
};
