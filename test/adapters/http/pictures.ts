/** The real decoder in the real sandbox, started with the first picture: most tests send none. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { locateLauncher } from "../../../sandbox/locate.ts";
import { createSandbox } from "../../../sandbox/server.ts";
import type { Pictures } from "../../../src/ports/pictures.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";

export interface LazyPictures extends Pictures {
  close(): Promise<void>;
}

export const lazyPictures = (): LazyPictures => {
  let opened: ReturnType<typeof open> | null = null;
  return {
    decode: async (...request) => {
      opened ??= open();
      return (await opened).pictures.decode(...request);
    },
    close: async () => {
      if (opened !== null) await (await opened).sandbox.close();
    },
  };
};

const open = async () => {
  const launcher = await locateLauncher(join(tmpdir(), "parley-test-bin"));
  if (launcher.kind === "failed") throw new Error(launcher.reason);
  const sandbox = await createSandbox({ launcher: launcher.path });
  return { sandbox, pictures: createPictures(sandbox) };
};
