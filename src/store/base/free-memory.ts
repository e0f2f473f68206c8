import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs a full collection in this thread. V8 offers no other access to the collection, and the flag applies to contexts that
 * are created while it is set; another thread may clear the flag. Node discards its copy of the code in the compile cache.
 */
export const freeMemory = (): void => {
  flushCompileCache();
  setFlagsFromString("--expose-gc");
  runInNewContext('globalThis.gc?.({ type: "major", flavor: "last-resort" })');
  setFlagsFromString("--no-expose-gc");
};
