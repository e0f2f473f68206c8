/** `parley hook NAME`: prints the address and the secret of a hook for the sender. */

import type { ProgramResult } from "../../feature.ts";
import { hookSecret } from "./hooks/signature.ts";

export const hookText = (name: string, master: string | undefined): ProgramResult =>
  master === undefined
    ? {
        kind: "failed",
        why: "PARLEY_HOOK_SECRET is not set, so this host accepts no webhooks (docs/watch.md).",
      }
    : {
        kind: "done",
        text: `address  POST /hooks/${name}\nsecret   ${hookSecret(master, name)}`,
      };
