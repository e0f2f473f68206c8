/** A host that looks for what dead ones left, again and again. */

import { removeDead } from "../../../sandbox/egress/egress.ts";

const [, , folder = "", socket = ""] = process.argv;
process.on("disconnect", () => process.exit());
await removeDead(folder, socket);
process.send?.("looking");
for (;;) await removeDead(folder, socket);
