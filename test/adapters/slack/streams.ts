/** A surface that streams nothing. */

import { createStreamGate } from "../../../adapters/slack/write/stream-gate.ts";
import { createSlackSurface } from "../../../adapters/slack/write/surface.ts";
import type { Surface } from "../../../src/ports/surface.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { createVirtualClock } from "../../fakes/shared/clock.ts";

export const unstreamed = (client: Parameters<typeof createSlackSurface>[0]): Surface => {
  const clock = createVirtualClock();
  const gate = createStreamGate({ places: "off", self: () => null, clock, log: silentLog });
  return createSlackSurface(client, { native: { gate, clock } });
};
