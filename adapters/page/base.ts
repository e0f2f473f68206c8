/** Path of the console, from this module's address: `/parley`, or empty for the root. */

export const base: string = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");
