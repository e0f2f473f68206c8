/** How requests to forges go out: the same for all clients of one process. */

import { randomUUID } from "node:crypto";
import type { Millis } from "../machine/id.ts";
import { withoutEcho } from "./credential-echo.ts";

export interface ForgeHttp {
  readonly fetch: typeof globalThis.fetch;
  /** For one answer of a forge's API. */
  readonly time: Millis;
  /** For one answer of its git remotes: a push may be large. */
  readonly pushTime: Millis;
  /** Writes of one lane keep the distance to each other that a forge asks for. */
  readonly lane: string;
  /** Settings of the client's throttle, beside ours. */
  readonly throttle: object;
}

const TIME: Millis = 30_000;
const PUSH_TIME: Millis = 5 * 60_000;

/** Its answers hold nothing of the credentials that they were asked with (echo.ts). */
export const createForgeHttp = ({
  fetch = globalThis.fetch,
  ...changes
}: Partial<ForgeHttp> = {}): ForgeHttp => ({
  time: TIME,
  pushTime: PUSH_TIME,
  lane: randomUUID(),
  throttle: {},
  ...changes,
  fetch: withoutEcho(fetch),
});

/** Gives up where a forge takes a request and never answers. */
export const impatient =
  ({ fetch, time }: ForgeHttp): ForgeHttp["fetch"] =>
  (input, init) => {
    const patience = AbortSignal.timeout(time);
    const signal = init?.signal == null ? patience : AbortSignal.any([init.signal, patience]);
    return fetch(input, { ...init, signal });
  };
