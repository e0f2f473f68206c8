import { pageHost, projectPath, type Repo, repoUrl } from "./conversation.ts";

export interface Address {
  /** In lower case, with the port unless it is the default. */
  readonly host: string;
  /** Path between host and name: one part on GitHub, one or more on GitLab. */
  readonly owner: string;
  readonly name: string;
  /** Path below which the forge itself is served, without slashes at its ends; absent for the root. Not part of `owner`. */
  readonly base?: string;
}

const PART = /^(?!\.+$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/** Null for a local path and for an address that names no project. */
export const addressOf = ({ kind, location }: Repo): Address | null => {
  const url = kind === "path" ? null : repoUrl(location);
  if (url === null) return null;
  const parts = projectPath(url).split("/");
  const name = parts.pop() ?? "";
  if (parts.length === 0 || ![...parts, name].every((part) => PART.test(part))) return null;
  return { host: pageHost(url).toLowerCase(), owner: parts.join("/"), name };
};

/** Returns the rest of a page's address after the project, in lower case; null for a page of another project. */
export const pathIn = (address: Address, page: string): string | null => {
  const { host, owner, name } = address;
  const [root, lower] = [
    `https://${host}${belowOf(address)}/${owner}/${name}/`.toLowerCase(),
    page.toLowerCase(),
  ];
  return lower.startsWith(root) ? lower.slice(root.length) : null;
};

export const GITHUB = "github.com";

export const projectName = (address: Address): string => {
  const { host, owner, name } = address;
  return host === GITHUB ? `${owner}/${name}` : `${host}${belowOf(address)}/${owner}/${name}`;
};

/** With a leading slash; empty for the root. */
export const belowOf = ({ base }: Pick<Address, "base">): string => (base === undefined ? "" : `/${base}`);
