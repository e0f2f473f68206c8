/** Beside a host (`--import`): writes the packages and folders whose modules its main thread has loaded, as it ends. */

import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const out = process.env["LOADED"];

if (isMainThread && out !== undefined) {
  const loaded: string[] = [];
  registerHooks({
    load: (url, context, next) => {
      loaded.push(url);
      return next(url, context);
    },
  });
  process.on("exit", () => writeFileSync(out, loaded.join("\n")));
}
