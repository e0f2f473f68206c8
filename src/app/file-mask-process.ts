/** The process that looks through shared files for secrets (file-mask.ts): bytes in, masked bytes out. */

import { maskedBytes } from "../runtime/deliver/masked.ts";

process.on("message", (bytes: Uint8Array) => process.send?.(maskedBytes(bytes)));
process.send?.("ready");
