/** Reads the real targets of links. Pure. */

export interface LinkAddress {
  /** Address that is safe between `<` and `>`. */
  readonly href: string;
  /** The real host: without a user name, and with international names in ASCII, which cannot be confused. */
  readonly host: string;
  readonly isInvite: boolean;
}

/**
 * Null unless the target is http or https with a possible host; any other target is displayed, never linked.
 */
export const linkAddressOf = (target: string): LinkAddress | null => {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const url = new URL(target);
  if (!/^[\w.:[\]-]+$/.test(url.host)) return null;
  url.username = "";
  url.password = "";
  const asWritten = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase() === url.host;
  const href = asWritten ? target : url.href;
  return {
    href: href
      .replaceAll(/[<>`|\\"[\]\s]/g, encodeURIComponent)
      .replaceAll(/@(?=everyone|here|channel|group)/gi, "%40")
      .replaceAll(INVITE, (found) => found.replaceAll(".", "%2E")),
    host: url.host.replaceAll(/[[\]]/g, ""),
    isInvite: isInvite(url),
  };
};

/** Changes an invite so that people recognize it, but no platform does. */
export const defang = (text: string): string =>
  text.replaceAll(INVITE, (found) => found.replace(/\.(?=gg|com|me|io|slack)/i, "[.]"));

const isInvite = ({ hostname, pathname }: URL): boolean =>
  IS_INVITE.test(`${hostname}${decoded(pathname).replace(/^\/+/, "/")}`) ||
  `${hostname}/`.search(INVITE) !== -1;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
};

const SOURCE = String.raw`(?:discord\.(?:gg|me|io)|discord(?:app)?\.com\/+invite|join\.slack\.com\/t|dsc\.gg)\/+`;
const INVITE = new RegExp(SOURCE, "gi");
const IS_INVITE = new RegExp(`^(?:www\\.|ptb\\.|canary\\.)?${SOURCE}`, "i");
