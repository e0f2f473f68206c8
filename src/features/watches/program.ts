/** `parley hook NAME`: the address of a hook and its secret, for whoever sends to it. */

import type { ProgramResult } from "../../feature.ts";
import { hookSecret } from "./hooks/signature.ts";

export const hookText = (name: string, master: string | undefined): ProgramResult =>
  master === undefined
    ? {
        kind: "failed",
        why: "PARLEY_HOOK_SECRET is not set, so this host takes no webhooks (docs/watch.md).",
      }
    : {
        kind: "done",
        text: `address  POST /hooks/${name}\nsecret   ${hookSecret(master, name)}`,
      };
