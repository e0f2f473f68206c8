/** The addresses that payloads carry for answers: five uses, half an hour. */

import type { FakeClock } from "../shared/clock.ts";

export interface ResponseTarget {
  readonly channel: string;
  /** Who acted, and who sees an ephemeral answer. */
  readonly user: string;
  readonly threadTs?: string;
  /** What was acted on, if it was a message. */
  readonly original?: { readonly kind: "message" | "ephemeral"; readonly ts: string };
}

export interface ResponseUrls {
  issue(target: ResponseTarget): string;
  /** The target, one use less; undefined when the address is unknown, used up or too old. */
  use(id: string): ResponseTarget | undefined;
}

const maxUses = 5;

export const createResponseUrls = (clock: FakeClock, lifetimeMs: number, baseUrl: string): ResponseUrls => {
  const issued = new Map<
    string,
    { readonly target: ResponseTarget; readonly at: number; readonly uses: number }
  >();
  return {
    issue: (target) => {
      const id = `R${issued.size + 1}`;
      issued.set(id, { target, at: clock.now(), uses: 0 });
      return `${baseUrl}/response/${id}`;
    },
    use: (id) => {
      const entry = issued.get(id);
      if (entry === undefined || entry.uses >= maxUses || clock.now() - entry.at > lifetimeMs) {
        return undefined;
      }
      issued.set(id, { ...entry, uses: entry.uses + 1 });
      return entry.target;
    },
  };
};
