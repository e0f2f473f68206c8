import type { Millis } from "../../../machine/id.ts";
import type { ChatSurface } from "../../../ports/connection.ts";
import { type Clock, pause } from "../../../ports/host.ts";

/** Interval of checks whether the platform is connected. */
const CONNECTS: Millis = 1_000;

/** Returns when the platform is connected, or when the signal aborts. */
export const untilConnected = async (
  { standing }: Pick<ChatSurface, "standing">,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  while (standing() !== "on" && !signal.aborted) await pause(clock, CONNECTS, signal);
};
