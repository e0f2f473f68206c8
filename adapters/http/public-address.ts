/** The address at which a proxy serves the console (PARLEY_PUBLIC_URL), with its path. Pure. */

export interface PublicAddress {
  /** Origin in the form that browsers send. */
  readonly origin: string;
  readonly hostname: string;
  /** `/parley` in `https://example.org/parley/`; empty for the root. */
  readonly base: string;
}

/**
 * Null if the text is no URL, or has parts besides a path of plain characters, because the path becomes part
 * of the page.
 */
export const publicAddress = (text: string): PublicAddress | null => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const { origin, hostname, search, hash, username, password } = url;
  const base = url.pathname.replace(/\/+$/, "");
  const isPlain = [search, hash, username, password].every((part) => part === "");
  return isPlain && /^(?:\/[\w.~-]+)*$/.test(base) ? { origin, hostname, base } : null;
};

/** Removes the console's path from a request's path, because only some proxies remove it. */
export const withoutBase = (path: string, base: string): string => {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : path;
};
