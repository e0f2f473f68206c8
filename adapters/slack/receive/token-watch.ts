/**
 * Watches whether Slack accepts the bot's token. A refusal is logged once, because only a new installation of
 * the app helps. Messages wait, and the token is tried every five minutes.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { IdentifyResult } from "./identify.ts";
import { SCOPES } from "./manifest.ts";
import type { TokenRefusal } from "../api/client.ts";

const EVERY: Millis = 5 * 60_000;

interface TokenDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly identify: () => Promise<IdentifyResult>;
  readonly recovered: () => void;
}

export type TokenWatch = ReturnType<typeof createTokenWatch>;

export const createTokenWatch = ({ clock, log, identify, recovered }: TokenDeps) => {
  const lacking = new Set<string>();
  let trouble: string | null = null;
  let waiting: PromiseWithResolvers<boolean> | null = null;
  let cancel: (() => void) | null = null;
  let closed = false;

  const lacks = ({ scope, method }: TokenRefusal & { kind: "scope" }): void => {
    if (lacking.has(scope)) return;
    lacking.add(scope);
    const purposes = scope.split(",").map((one) => SCOPES[one]);
    const purpose = purposes.find((one) => one !== undefined) ?? null;
    log.error("slack: scope missing", {
      scope,
      purpose,
      method,
      remedy: "Paste the manifest again under App Manifest, then install the app again.",
    });
  };

  const refused = ({ why, remedy }: TokenRefusal & { kind: "token" }): void => {
    if (trouble !== null) return;
    trouble = `off: ${why}. ${remedy}`;
    log.error("slack: bot token refused", { why, remedy });
    retry();
  };

  const retry = (): void => {
    if (!closed) cancel = clock.after(EVERY, () => void tryAgain());
  };

  const tryAgain = async (): Promise<void> => {
    const { kind } = await identify();
    if (closed) return;
    if (kind !== "identity") return retry();
    trouble = null;
    log.info("slack: bot token accepted again");
    waiting?.resolve(true);
    waiting = null;
    recovered();
  };

  return {
    /** Slack's objection to the token, for display; null if the token is accepted. */
    trouble: () => trouble,
    /** Called when a call was refused. */
    met: (refusal: TokenRefusal) => (refusal.kind === "scope" ? lacks(refusal) : refused(refusal)),
    /** Resolves with true when Slack accepts the token, and with false if the surface closes before. */
    usable: (): Promise<boolean> => {
      if (closed || trouble === null) return Promise.resolve(!closed);
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
    close: () => {
      closed = true;
      cancel?.();
      waiting?.resolve(false);
    },
  };
};
