/**
 * Starts the connection: asks for the bot's identity until Slack returns it, then listens. A host that does
 * not lead does not need the identity. Failed attempts are logged and repeated. If Slack responds and no event can
 * arrive for ten minutes, only a new process can help.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { ChatHost, ChatConnection, ChatInbox } from "../../../src/ports/connection.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { SlackConnection } from "./connect.ts";
import type { IdentifyResult } from "./identify.ts";
import type { SlackIdentity } from "../read/identity.ts";
import type { TokenWatch } from "./token-watch.ts";

const DEAF_FOR: Millis = 10 * 60_000;
/** Short, because people wait for a host that starts to lead. */
const AGAIN: Millis = 2_000;

interface EntryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly identify: () => Promise<IdentifyResult>;
  readonly token: TokenWatch;
  /** Called once. */
  readonly attend: (host: ChatHost, self: SlackIdentity) => Pick<ChatInbox, "connected">;
  /** Called once. `changed`: receives the number of open connections, and Slack's reason against more. */
  readonly connect: (changed: (open: number, refusal: string | null) => void) => SlackConnection;
}

interface Entry {
  readonly line: ChatConnection;
  recovered(): void;
}

export const createEntry = ({ clock, log, identify, token, attend, connect }: EntryDeps): Entry => {
  const failed = Promise.withResolvers<string>();
  let standing = "connecting";
  /** Why the bot's identity is unknown. */
  let unidentified: string | null = null;
  let room: Pick<ChatInbox, "connected"> | null = null;
  let closing = false;
  let connection: SlackConnection | null = null;
  let cancelRetry: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  let recover: (() => void) | null = null;

  const enter = async (host: ChatHost): Promise<void> => {
    const identified = await identify();
    if (closing) return;
    if (identified.kind === "identity") {
      unidentified = null;
      room = attend(host, identified.self);
      if (standing === "on") room.connected(true);
      return listen();
    }
    unidentified = `off: ${identified.why}`;
    if (identified.kind === "refused") return void enterLater(host);
    log.warn("slack: bot identity not read, retry scheduled", { why: identified.why });
    cancelRetry = clock.after(AGAIN, () => void enter(host));
  };

  const enterLater = async (host: ChatHost): Promise<void> => {
    if (await token.usable()) await enter(host);
  };

  const listen = async (): Promise<void> => {
    if (connection !== null || closing) return;
    connection = connect(changed);
    await connection.start();
  };

  const changed = (open: number, refusal: string | null): void => {
    standing = open > 0 ? "on" : refusal === null ? "reconnecting" : `off: ${refusal}`;
    room?.connected(open > 0);
    if (room !== null && open === 0 && refusal === null && !closing) watch();
    else unwatch();
  };

  const unwatch = (): void => {
    cancelWatch?.();
    cancelWatch = null;
  };

  /** Ends the process if Slack responds with a good token but no event can arrive. */
  const watch = (): void => {
    cancelWatch ??= clock.after(DEAF_FOR, () => {
      cancelWatch = null;
      void judge();
    });
  };

  const judge = async (): Promise<void> => {
    const identified = await identify();
    if (standing !== "reconnecting" || closing) return;
    if (identified.kind === "identity")
      failed.resolve("no connection to Slack for ten minutes, though it answers");
    else watch();
  };

  return {
    recovered: () => recover?.(),
    line: {
      standing: () => token.trouble() ?? unidentified ?? standing,
      failed: failed.promise,
      start: (host) => {
        recover = host.recover;
        return enter(host);
      },
      listen: () => void listen(),
      heard: () => undefined,
      leave: async () => {
        closing = true;
        token.close();
        cancelRetry?.();
        unwatch();
        await connection?.stop();
      },
      close: () => Promise.resolve(),
    },
  };
};
