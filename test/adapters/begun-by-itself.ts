/** What begins threads by itself on the host of a rig, for tests of what platforms and the store do with such threads. */

import * as z from "zod";
import type { RigFeatures } from "./open-features.ts";

interface Listed {
  readonly id: string;
  readonly place: string;
  readonly instructions: string | null;
}

interface Ports {
  take(event: object): Promise<unknown>;
  all(): readonly Listed[];
  add(order: object): Promise<unknown>;
  readSchedule(text: string): Promise<{ readonly source?: object }>;
}

const port = z.custom<Ports>((found) => typeof found === "object");

export const watcherOf = ({ ports }: Pick<RigFeatures, "ports">): Pick<Ports, "take" | "all"> =>
  port.parse(ports.get("watcher"));

export const bookOf = ({ ports }: Pick<RigFeatures, "ports">): Pick<Ports, "all" | "add" | "readSchedule"> =>
  port.parse(ports.get("watches"));
