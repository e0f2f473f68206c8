/** Which project of which forge a repository's address names. Pure. */

import { pageHost, projectPath, type Repo, repoUrl } from "./conversation.ts";

export interface Address {
  /** In lower case, with a port where it is not the usual one. */
  readonly host: string;
  /** Everything between host and name: one part on GitHub, one or more on GitLab. */
  readonly owner: string;
  readonly name: string;
  /** The path that the forge itself is below, without slashes at its ends; absent for the root. It is no part of `owner`. */
  readonly base?: string;
}

const PART = /^(?!\.+$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/** Null for a path on this machine and for what is no address of a project. */
export const addressOf = ({ kind, location }: Repo): Address | null => {
  const url = kind === "path" ? null : repoUrl(location);
  if (url === null) return null;
  const parts = projectPath(url).split("/");
  const name = parts.pop() ?? "";
  if (parts.length === 0 || ![...parts, name].every((part) => PART.test(part))) return null;
  return { host: pageHost(url).toLowerCase(), owner: parts.join("/"), name };
};

/** What stands behind the project in the address of a page, in lower case; null for a page of another. */
export const pathIn = (address: Address, page: string): string | null => {
  const { host, owner, name } = address;
  const [root, lower] = [
    `https://${host}${belowOf(address)}/${owner}/${name}/`.toLowerCase(),
    page.toLowerCase(),
  ];
  return lower.startsWith(root) ? lower.slice(root.length) : null;
};

export const GITHUB = "github.com";

/** As people write it. */
export const projectName = (address: Address): string => {
  const { host, owner, name } = address;
  return host === GITHUB ? `${owner}/${name}` : `${host}${belowOf(address)}/${owner}/${name}`;
};

/** The path of the forge with its slash; empty for the root. */
export const belowOf = ({ base }: Pick<Address, "base">): string => (base === undefined ? "" : `/${base}`);
