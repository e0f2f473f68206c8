/**
 * Keeps the messages that zod has in seventy-six languages out of this process: they are a third of its files and 2 MB, and
 * Parley's own sentences are what people read.
 */

import { registerHooks } from "node:module";

const ALL = "../locales/index.js";
/** Loaded all the same: zod falls back on it. */
const ENGLISH = "../locales/en.js";

/** Before zod is imported. */
export const withoutLocales = (): void => {
  registerHooks({
    resolve: (name, context, next) =>
      next(name === ALL && context.parentURL?.includes("/zod/v4/") === true ? ENGLISH : name, context),
  });
};
