/**
 * Keeps out of this process what imports would leave in it. The messages that zod has in seventy-six languages: they are a
 * third of its files and 2 MB, and Parley's own sentences are what people read. And copies of compiled code: Node holds all
 * that it has read from its compile cache, beside what V8 has made of it, until the cache is written. Where that is done while
 * modules are still being loaded, their room is used again at once: 8 MB of an idle host.
 */

import { flushCompileCache, registerHooks } from "node:module";

const ALL = "../locales/index.js";
/** Loaded all the same: zod falls back on it. */
const ENGLISH = "../locales/en.js";
/** Imports from one time that the cache is written to the next. */
const EVERY = 100;

/** Before zod and most of the code are imported. */
export const leanImports = (): void => {
  let imports = 0;
  registerHooks({
    resolve: (name, context, next) => {
      imports += 1;
      if (imports % EVERY === 0) flushCompileCache();
      const isAll = name === ALL && context.parentURL?.includes("/zod/v4/") === true;
      return next(isAll ? ENGLISH : name, context);
    },
  });
};
