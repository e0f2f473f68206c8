/**
 * The key of this origin, required in addition to the cookie, which browsers send to every port of a host.
 * The key is stored here and sent in a header. The start link contains it after a `#`, which is never sent to
 * a server.
 */

import { base } from "./base.ts";
import { readStorage, writeStorage } from "./storage.ts";

const NAME = "parley.key";
const HEADER = "x-parley-key";

/** If the browser stores nothing, the start link is needed after each reload. */
let known: string | null = null;

/**
 * Calls `fetch` with the key. If the key is no longer valid, the page is replaced by instructions to sign in.
 */
export const keyed = async (
  path: string,
  options: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> => {
  // Another tab may have opened a newer link.
  const key = readStorage(NAME) ?? known;
  const response = await fetch(`${base}${path}`, {
    ...options,
    credentials: "same-origin",
    headers: { ...options.headers, ...(key === null ? {} : { [HEADER]: key }) },
  });
  if (response.status === 401) location.replace(`${base}/sign-in`);
  return response;
};

/**
 * Removes the key from the address once it is stored, so that an earlier reload still has it. An invalid key,
 * which any link can contain, changes nothing.
 */
export const takeKey = async (): Promise<void> => {
  const { hash } = location;
  const offered = /^#key=([\w-]+)$/.exec(hash)?.[1];
  if (offered === undefined) return;
  const tried = await fetch(`${base}/api/about`, {
    credentials: "same-origin",
    headers: { [HEADER]: offered },
  });
  if (tried.ok) {
    known = offered;
    writeStorage(NAME, offered);
  }
  if (location.hash === hash) history.replaceState(null, "", `${base}/`);
};

/** Displays a picture of the API, which requires the key in a header. */
export const showPicture = async (image: HTMLImageElement, path: string): Promise<void> => {
  const url = await objectUrl(path);
  if (url === null) return;
  image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
};

/** Saves a file of the API under its name. Returns whether the file exists. */
export const saveFile = async (path: string, name: string): Promise<boolean> => {
  const url = await objectUrl(path);
  if (url === null) return false;
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return true;
};

const objectUrl = async (path: string): Promise<string | null> => {
  try {
    const response = await keyed(path);
    return response.ok ? URL.createObjectURL(await response.blob()) : null;
  } catch {
    return null;
  }
};
