/** The path that the console is below, as this module was loaded: `/parley`, or empty for the root. */

export const base: string = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");
