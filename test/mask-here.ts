/** Shared files masked where they are, without a thread beside. */ import type { MaskFile } from "../src/ports/host.ts";

import { maskedBytes } from "../src/runtime/deliver/masked.ts";

export const maskHere: MaskFile = (bytes) => Promise.resolve({ kind: "masked", ...maskedBytes(bytes) });
