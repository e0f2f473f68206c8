/** Reads the address of a repository. No address from chat reaches git before it is checked here. */

import { createHash } from "node:crypto";
import { isAbsolute, normalize } from "node:path";
import { type Repo, repoUrl } from "../../ports/conversation.ts";

/** `name` is the repository's name for people; it never contains a credential. */
export type RepositorySource =
  | { readonly kind: "path"; readonly path: string; readonly name: string }
  | {
      readonly kind: "url";
      readonly transport: "https" | "ssh";
      readonly url: string;
      readonly host: string;
      readonly port: number;
      readonly name: string;
    };

/** Directory name of a repository's mirror: the same for every conversation that names the same repository. */
export const mirrorKeyOf = (source: RepositorySource): string =>
  createHash("sha256")
    .update(source.kind === "path" ? `path\0${source.path}` : `url\0${source.url}`)
    .digest("hex")
    .slice(0, 32);

type SourceResult =
  | { readonly kind: "source"; readonly source: RepositorySource }
  | { readonly kind: "refused"; readonly message: string };

/** Checks an address. Pure: a path is only inspected later (remote.ts). */
export const readSource = (repo: Repo): SourceResult =>
  repo.kind === "path" ? readPath(repo.location) : readUrl(repo.location);

const readPath = (location: string): SourceResult => {
  if (!isAbsolute(location) || hasControl(location)) {
    return refused("A local repository is named by its absolute path.");
  }
  const path = normalize(location).replace(/(?<=.)\/+$/, "");
  return { kind: "source", source: { kind: "path", path, name: path } };
};

const NO_ADDRESS = "That is not an address of a git repository.";
const MAX_URL = 2000;
const DEFAULT_PORT = { https: 443, ssh: 22 } as const;
/** Characters of a repository's address; excludes quotes, spaces, controls and everything that a shell interprets. */
const PLAIN = /^[A-Za-z0-9._~/+%@:[\]-]+$/;
const USER = /^([A-Za-z0-9_][A-Za-z0-9._-]*)?$/;

const readUrl = (location: string): SourceResult => {
  if (location.startsWith("-") || location.length > MAX_URL || !PLAIN.test(location)) {
    return refused(NO_ADDRESS);
  }
  /* URL parsers repair bad input, so the parser only sees addresses with a host directly after the slashes. */
  const url = /^([a-z]+:\/\/[^/]|[^:]+@)/.test(location) ? repoUrl(location) : null;
  if (url === null)
    return refused("A repository's address begins with https:// or ssh:// (or is git@host:path).");
  const transport = url.protocol === "https:" ? "https" : "ssh";
  if (url.password !== "" || (transport === "https" && url.username !== "")) {
    return refused("A repository's address must hold no user name, password or token.");
  }
  const host = url.hostname.toLowerCase();
  const path = url.pathname.replace(/\/+$/, "");
  /* ssh decodes percent escapes a second time. */
  if (transport === "ssh" && location.includes("%")) return refused(NO_ADDRESS);
  if (!/^([a-z0-9]|\[)/.test(host) || !USER.test(url.username) || !goodPath(path)) {
    return refused(NO_ADDRESS);
  }
  const user = url.username === "" ? "" : `${url.username}@`;
  const port = url.port === "" ? "" : `:${url.port}`;
  const source: RepositorySource = {
    kind: "url",
    transport,
    url: `${transport}://${user}${host}${port}${path}`,
    host,
    port: url.port === "" ? DEFAULT_PORT[transport] : Number(url.port),
    name: `${host}${port}${path.replace(/\.git$/, "")}`,
  };
  return { kind: "source", source };
};

const goodPath = (path: string): boolean =>
  path.length > 1 && path.split("/").every((part) => part !== ".." && !part.startsWith("-"));

const hasControl = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 32) return true;
  return false;
};

const refused = (message: string): SourceResult => ({ kind: "refused", message });
