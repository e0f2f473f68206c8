/** What the gateway needs of the world. */

import type { Millis } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { Bot } from "../../ports/bot.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { Clock, Log, RandomId } from "../../ports/host.ts";
import type { TakePicture } from "../../ports/pictures.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { ResponseTimes } from "./respond.ts";

export interface GatewayDeps {
  readonly bot: Bot;
  /** Ties a session to its conversation, so that a session outlives a restart (its grants do not). */
  readonly sessions: Pick<Ledger, "bind" | "find">;
  readonly takePicture: TakePicture;
  readonly clock: Pick<Clock, "after">;
  /** Other times than the usual ones. */
  readonly pace?: ResponseTimes;
  readonly log: Log;
  readonly randomId: RandomId;
  readonly token: string;
  /** The console's: lets somebody approve. */
  readonly approverToken: string;
  readonly client: Speaker;
  readonly approver: Speaker;
  /** Names that requests may give the model; all mean the configured one (D32). */
  readonly models: readonly string[];
  /** Repository of new sessions; null where none is configured. */
  readonly repo: Repo | null;
  /** What an Unrestricted session may do on this host, as an approver must know it. */
  readonly covers: string;
  readonly startedAt: Millis;
  readonly bodyBytes: number;
}
