/** The watches of a rig's host. */

import * as z from "zod";
import type { WatchBook, Watcher } from "../../../src/features/watches/store/watches.ts";
import type { RigFeatures } from "../../adapters/open-features.ts";

const watcher = z.custom<Watcher>((port) => typeof port === "object");
const book = z.custom<WatchBook>((port) => typeof port === "object");

export const watchingOf = ({ ports }: Pick<RigFeatures, "ports">) => ({
  watcher: watcher.parse(ports.get("watcher")),
  book: book.parse(ports.get("watches")),
});
