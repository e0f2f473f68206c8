/** What the gateway needs of the world. */

import type { Bot, Log, RandomId, Repo } from "../../src/runtime/ports.ts";
import type { TakePicture } from "../../src/runtime/ports-pictures.ts";
import type { Ledger } from "../../src/runtime/ports-surface.ts";
import type { Millis } from "../../src/core/id.ts";
import type { Speaker } from "../../src/core/words.ts";

export interface GatewayDeps {
  readonly bot: Bot;
  /** Ties a session to its conversation, so that a session outlives a restart (its grants do not). */
  readonly sessions: Pick<Ledger, "bind" | "find">;
  readonly takePicture: TakePicture;
  readonly log: Log;
  readonly randomId: RandomId;
  /** Lets a client talk. */
  readonly token: string;
  /** The console's: lets somebody approve. */
  readonly approverToken: string;
  /** Who speaks through the gateway; never somebody who may approve. */
  readonly client: Speaker;
  /** Who grants through approve-session. */
  readonly approver: Speaker;
  /** Names that requests may give the model; all mean the configured one (D32). */
  readonly models: readonly string[];
  /** Repository of new sessions; null where none is configured. */
  readonly repo: Repo | null;
  /** What an Unrestricted session may do on this host, as an approver must know it. */
  readonly covers: string;
  readonly startedAt: Millis;
  /** Bytes of a request. */
  readonly bodyBytes: number;
}
