import type { Millis } from "../../machine/id.ts";
import type { Speaker } from "../../machine/vocabulary.ts";
import type { Bot } from "../../ports/bot.ts";
import type { Repo } from "../../ports/conversation.ts";
import type { Clock, Log, RandomId } from "../../ports/host.ts";
import type { TakePicture } from "../../ports/pictures.ts";
import type { Ledger } from "../../ports/surface.ts";
import type { ResponseTimes } from "./respond.ts";

export interface GatewayDeps {
  readonly bot: Bot;
  /** Binds a session to its conversation, so that a session survives a restart, unlike its grants. */
  readonly sessions: Pick<Ledger, "bind" | "find">;
  readonly takePicture: TakePicture;
  readonly clock: Pick<Clock, "after">;
  readonly pace?: ResponseTimes;
  readonly log: Log;
  readonly randomId: RandomId;
  readonly token: string;
  /** The console's token, which allows approvals. */
  readonly approverToken: string;
  readonly client: Speaker;
  readonly approver: Speaker;
  /** Model names that requests may use; all mean the configured model (D32). */
  readonly models: readonly string[];
  /** Repository of new sessions; null if none is configured. */
  readonly repo: Repo | null;
  /** Description of the rights of an Unrestricted session on this host, for approvers. */
  readonly covers: string;
  readonly startedAt: Millis;
  readonly bodyBytes: number;
}
