/** Process that masks secrets in shared files (file-mask.ts): receives bytes, sends masked bytes. */

import { maskedBytes } from "../runtime/deliver/masked.ts";

process.on("message", (bytes: Uint8Array) => process.send?.(maskedBytes(bytes)));
process.send?.("ready");
