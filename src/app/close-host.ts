/** Ends a host, within the shares of `DRAIN` if nothing hangs (docs/design/ideas.md). */

import type { ChatSurface } from "../ports/connection.ts";
import { atMost } from "../ports/host.ts";
import { DRAIN } from "../runtime/bot/drain.ts";
import type { HostCore } from "./core.ts";
import type { OpenFeatures } from "./features/open.ts";
import type { openHttp } from "./open-http.ts";
import type { PreparedHost } from "./prepare.ts";
import type { RunningParts } from "./run-bot.ts";
import { systemClock } from "./system-clock.ts";

export interface ClosingHost {
  readonly prepared: PreparedHost;
  readonly core: Pick<HostCore, "ahead">;
  readonly features: OpenFeatures;
  readonly surfaces: readonly ChatSurface[];
  readonly running: RunningParts;
  readonly http: Awaited<ReturnType<typeof openHttp>>;
  /** Work that only the leader does. */
  readonly led: readonly { close(): Promise<unknown> }[];
}

/** Ends the sources of new work first. The order of the other parts matters, because they call each other. */
export const closeHost = async ({
  prepared: { membership, sandbox, opened, features: observing },
  core,
  features,
  surfaces,
  running,
  http,
  led,
}: ClosingHost): Promise<void> => {
  const { handover } = membership;
  http.drain();
  const left = Promise.all([
    running.leave(),
    core.ahead.close(),
    features.leave(),
    ...surfaces.map((one) => one.leave()),
    ...led.map((one) => one.close()),
    ...(handover === 0 ? [features.alerts.close()] : []),
  ]);
  await atMost(systemClock, DRAIN.leave, left);
  if (handover > 0) {
    // Other hosts receive new events from now on, so running turns may finish here.
    await atMost(systemClock, handover, running.local.rest());
    await atMost(systemClock, DRAIN.leave, features.alerts.close());
  }
  await running.bot.close();
  await Promise.all(surfaces.map((one) => one.close()));
  await http.close();
  await features.close();
  await sandbox.close();
  await Promise.all([opened.store.close(), observing.observer.close()]);
  await membership.leave();
};
