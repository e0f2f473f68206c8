/**
 * The key of this origin, beside the cookie that browsers send to every port of a host: kept here, sent in a header. The
 * start link brings it behind a `#`, which no server hears of.
 */

import { base } from "./base.ts";
import { readStorage, writeStorage } from "./storage.ts";

const NAME = "parley.key";
const HEADER = "x-parley-key";

/** Where the browser stores nothing, the start link is needed after each reload. */
let known: string | null = null;

/** `fetch` with the key. Where it is no longer good, the page makes way for one that says what to do. */
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
 * Takes the key out of the address, once it is kept: whoever loads the page again sooner still has it. One that opens
 * nothing, which anybody's link can hold, changes nothing.
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

/** Shows a picture of the API, which an address alone does not open. */
export const showPicture = async (image: HTMLImageElement, path: string): Promise<void> => {
  const url = await objectUrl(path);
  if (url === null) return;
  image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
};

/** Saves a file of the API under its name; whether it was there. */
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
