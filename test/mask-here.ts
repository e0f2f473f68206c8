/** Shared files masked where they are, without a thread beside. */

import { maskedBytes } from "../src/runtime/deliver/masked.ts";
import type { MaskFile } from "../src/ports/surface.ts";

export const maskHere: MaskFile = (bytes) => Promise.resolve({ kind: "masked", ...maskedBytes(bytes) });
