/** The address under which a proxy serves the console (PARLEY_PUBLIC_URL), with the path that it is below. Pure. */

export interface PublicAddress {
  /** As browsers send it in `Origin`. */
  readonly origin: string;
  readonly hostname: string;
  /** `/parley` of `https://example.org/parley/`; empty for the root. */
  readonly base: string;
}

/** Null if the URL is none, or has more than a path of plain characters: the path becomes part of the page. */
export const publicAddress = (text: string): PublicAddress | null => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const { origin, hostname, search, hash, username, password } = url;
  const base = url.pathname.replace(/\/+$/, "");
  const isPlain = [search, hash, username, password].every((part) => part === "");
  return isPlain && /^(?:\/[\w.~-]+)*$/.test(base) ? { origin, hostname, base } : null;
};

/** The path of a request, without the path that the console is below: some proxies take it away, others pass it on. */
export const withoutBase = (path: string, base: string): string => {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : path;
};
