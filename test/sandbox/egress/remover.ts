/** Stands in for hosts that start one after the other: each removes the directories of dead ones. */

import { removeDead } from "../../../sandbox/egress/egress.ts";

const [, , folder = "", socket = ""] = process.argv;
process.on("disconnect", () => process.exit());
await removeDead(folder, socket);
process.send?.("looking");
for (;;) await removeDead(folder, socket);
